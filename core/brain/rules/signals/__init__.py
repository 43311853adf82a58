"""What somebody's words tell beside what they ask for: a promise made in passing, a risk, something that stands still."""
