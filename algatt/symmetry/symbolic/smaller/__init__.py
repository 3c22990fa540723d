"""Networks made smaller, which tell the symmetries of larger ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.symbolic.smaller.dials import NO_DIAL as NO_DIAL
    from algatt.symmetry.symbolic.smaller.dials import Dial as Dial
    from algatt.symmetry.symbolic.smaller.fewer import Counted as Counted
    from algatt.symmetry.symbolic.smaller.fewer import FewerBuckets as FewerBuckets
    from algatt.symmetry.symbolic.smaller.fewer import FewerCrossHeads as FewerCrossHeads
    from algatt.symmetry.symbolic.smaller.fewer import FewerExperts as FewerExperts
    from algatt.symmetry.symbolic.smaller.fewer import FewerHeads as FewerHeads
    from algatt.symmetry.symbolic.smaller.fewer import FewerLatentHeads as FewerLatentHeads
    from algatt.symmetry.symbolic.smaller.likeness import runs_of as runs_of
    from algatt.symmetry.symbolic.smaller.network import Smaller as Smaller
    from algatt.symmetry.symbolic.smaller.network import smaller as smaller
    from algatt.symmetry.symbolic.smaller.repeated import Repeated as Repeated
    from algatt.symmetry.symbolic.smaller.shortened import LongRun as LongRun
    from algatt.symmetry.symbolic.smaller.shortened import Shortened as Shortened
    from algatt.symmetry.symbolic.smaller.shortened import shortened as shortened

on_demand(
    __name__,
    {
        "algatt.symmetry.symbolic.smaller.dials": "NO_DIAL Dial",
        "algatt.symmetry.symbolic.smaller.fewer": (
            "Counted FewerBuckets FewerCrossHeads FewerExperts FewerHeads FewerLatentHeads"
        ),
        "algatt.symmetry.symbolic.smaller.likeness": "runs_of",
        "algatt.symmetry.symbolic.smaller.network": "Smaller smaller",
        "algatt.symmetry.symbolic.smaller.repeated": "Repeated",
        "algatt.symmetry.symbolic.smaller.shortened": "LongRun Shortened shortened",
    },
)
