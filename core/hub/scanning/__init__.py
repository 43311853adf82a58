"""The scans: whatever has fallen due becomes a fact."""
