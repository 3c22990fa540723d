"""Networks made smaller, which tell the symmetries of larger ones."""

from algatt.symmetry.symbolic.smaller.dials import Dial
from algatt.symmetry.symbolic.smaller.fewer import (
    Counted,
    FewerBuckets,
    FewerCrossHeads,
    FewerExperts,
    FewerHeads,
    FewerLatentHeads,
)
from algatt.symmetry.symbolic.smaller.likeness import runs_of
from algatt.symmetry.symbolic.smaller.network import Smaller, smaller
from algatt.symmetry.symbolic.smaller.repeated import Repeated

__all__ = [
    "Counted",
    "Dial",
    "FewerBuckets",
    "FewerCrossHeads",
    "FewerExperts",
    "FewerHeads",
    "FewerLatentHeads",
    "Repeated",
    "Smaller",
    "runs_of",
    "smaller",
]
