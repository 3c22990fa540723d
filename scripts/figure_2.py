"""Draw HMK Figure 2: the recursion of three layers, unrolled into a tree, and save it as svg and png.

    python scripts/figure_2.py -o docs/figures

Exit code: 0 if the files are written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from figure_files import run

import algatt

LAYERS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the tree and return the exit code."""
    return run(
        "figure_2",
        "Draw the unrolled recursion of three layers (HMK Figure 2).",
        lambda: algatt.draw(algatt.unroll(LAYERS)).figure,
        arguments,
    )


if __name__ == "__main__":
    sys.exit(main())
