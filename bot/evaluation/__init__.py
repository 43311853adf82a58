"""Labelled cases put to a brain and the rules behind it: how far they agree, and where they don't."""
