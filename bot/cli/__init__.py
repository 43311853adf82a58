"""What the commands of run.py do."""
