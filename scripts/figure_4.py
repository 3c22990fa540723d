"""Draw HMK Figure 4: the reflection of token indices around a factor of the unrolled product, and save it as svg and
png.

    python scripts/figure_4.py -o docs/figures

The factor is the M_2^T of three layers. Two monomials whose indices are exchanged as the arcs say, and whose first and
last index in the window agree, are equal but for the transposition of this factor.

Exit code: 0 if the files are written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from figure_files import run

import algatt

LAYERS, SLOT = 3, 6


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the tree with the window of the reflection and return the exit code."""
    drawing = "Draw the reflection at a factor of the unrolled product (HMK Figure 4)."
    return run("figure_4", drawing, lambda: algatt.draw(algatt.unroll(LAYERS), window=SLOT).figure, arguments)


if __name__ == "__main__":
    sys.exit(main())
