"""The floor that awaits: the hub that judges facts, the agent loop, the executor, the scans."""
