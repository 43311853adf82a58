"""How much of a sweep an ordinary run of the suite takes: a seeded sample, of which `make sweep` is the whole."""

from __future__ import annotations

import os

WHOLE = bool(os.environ.get("QINGHAI_SWEEP"))
SEED = int(os.environ.get("QINGHAI_SEED", "1"))


def points_of(most: int, share: int) -> range:
    """The points 1 … `most` of a story at which a process is to die: all under `make sweep`, else one in `share`, and
    those with another seed (QINGHAI_SEED) are others.
    """
    return range(1, most) if WHOLE else range(1 + SEED % share, most, share)
