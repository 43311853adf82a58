"""A message leaves: is it still wanted, in which words, by which chat, and what became of it."""
