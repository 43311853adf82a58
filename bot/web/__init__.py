"""The HTTP inlet: health, metrics, facts from outside, updates of channels in webhook mode.

Its libraries take a moment to import: only where a port is set.
"""
