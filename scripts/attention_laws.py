"""Draw the limit law of attention spectra beside that of Marchenko and Pastur, for several beta and ratios, and save it
as svg and png.

    python scripts/attention_laws.py -o docs/figures

Exit code: 0 if the files are written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from figure_files import run

from algatt.views.spectra import laws_figure

BETAS = (0.25, 0.5, 1.0, 1.5)
RATIOS = (1 / 3, 1.0, 2.0, 8.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the laws and return the exit code."""
    return run(
        "attention_laws", "Draw the limit laws of attention spectra.", lambda: laws_figure(BETAS, RATIOS), arguments
    )


if __name__ == "__main__":
    sys.exit(main())
