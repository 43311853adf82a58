"""From words to deeds: extract, evaluate, plan, ask for a yes, run by stages, keep for later."""
