"""The database itself: opening and copying it, who holds it, and what processes tell one another through it."""
