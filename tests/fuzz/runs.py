"""How much there is of it: 5,000 inputs a channel, in runs of their own so that they can be shared out."""

from tests.sampling import WHOLE

RUNS = 100 if WHOLE else 10
INPUTS = 500
DOCUMENTED = 3000
"""Inputs of which each must be read: nothing in them is wrong."""
