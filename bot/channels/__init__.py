"""Ways in and out. Each channel is imported only by whoever starts it."""
