"""Work that happens later: claiming it, running it, trying again, and the ticks that look for it."""
