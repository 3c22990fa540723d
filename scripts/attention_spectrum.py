"""Draw HCK Figure 1: the spectrum of attention through the chain of models to the linear one, and save it as svg and
png.

    python scripts/attention_spectrum.py -o docs/figures

With 1000 tokens, 1000 key dimensions, beta = 1 and 10 draws, as in arXiv 2510.06685; it takes half a minute.

Exit code: 0 if the files are written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from figure_files import run

import algatt
from algatt.spectra import chain_reports
from algatt.views.progress import ProgressBar
from algatt.views.spectra import chain_figure

TOKENS, BETA, DRAWS = 1000, 1.0, 10


def figure() -> Any:
    """Draw all matrices and the figure."""
    with ProgressBar("matrices") as progress:
        reports = chain_reports(
            algatt.spectra.AttentionEnsemble(TOKENS, TOKENS, TOKENS, BETA), draws=DRAWS, progress=progress
        )
    return chain_figure(reports)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the figure and return the exit code."""
    return run(
        "attention_spectrum", "Draw the spectrum of attention and of its models (HCK Figure 1).", figure, arguments
    )


if __name__ == "__main__":
    sys.exit(main())
