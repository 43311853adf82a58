"""What is asked of a brain, and the brain that needs no model."""
