"""Networks made smaller, which tell the symmetries of larger ones."""

from algatt.symmetry.symbolic.smaller.dials import NO_DIAL, Dial
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
from algatt.symmetry.symbolic.smaller.shortened import LongRun, Shortened, shortened

__all__ = [
    "NO_DIAL",
    "Counted",
    "Dial",
    "FewerBuckets",
    "FewerCrossHeads",
    "FewerExperts",
    "FewerHeads",
    "FewerLatentHeads",
    "LongRun",
    "Repeated",
    "Shortened",
    "Smaller",
    "runs_of",
    "shortened",
    "smaller",
]
