"""Everything that touches the world: channels, the store, the model, the clock."""
