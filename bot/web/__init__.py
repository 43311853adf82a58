"""The HTTP inlet: health and metrics. Its libraries take a moment to import: only where a port is set."""
