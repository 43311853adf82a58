"""Everything that touches the world: channels, the store, the model, the clock."""

__version__ = "0.1.0"
"""The one of pyproject.toml: from a checkout nothing is installed that could be asked for it."""
