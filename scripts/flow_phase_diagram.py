"""Draw where equal heads are radially dominant, over beta and the number of heads, at orthogonal tokens and at tokens
of the cosine 0.05.

    python scripts/flow_phase_diagram.py -o FOLDER

Exit code: 0 if both files were written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from figure_files import run

from algatt.views.flows.diagrams import draw_phase_diagram
from algatt.views.plotting import PAGE, new_figure


def draw() -> Any:
    """Return the figure: two phase diagrams."""
    figure = new_figure(PAGE, 2.5)
    for cosine, left in ((0.0, 0.08), (0.05, 0.57)):
        draw_phase_diagram(tokens=64, cosine=cosine, ax=figure.add_axes((left, 0.16, 0.41, 0.72)))
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the figure and return the exit code."""
    return run("flow_phase_diagram", "Draw the phase diagram of radial dominance.", draw, arguments)


if __name__ == "__main__":
    sys.exit(main())
