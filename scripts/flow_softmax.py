"""Draw the rate of a softmax head, which is concave up to a point, and the times in which tokens cluster with softmax
and with ReLU weights over beta.

    python scripts/flow_softmax.py -o FOLDER

Exit code: 0 if both files were written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from figure_files import run

from algatt.views.flows.diagrams import draw_crossover, draw_softmax_rate
from algatt.views.plotting import PAGE, new_figure


def draw() -> Any:
    """Return the figure."""
    figure = new_figure(PAGE, 2.5)
    draw_softmax_rate(ax=figure.add_axes((0.08, 0.16, 0.4, 0.72)))
    draw_crossover(ax=figure.add_axes((0.58, 0.16, 0.4, 0.72)))
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the figure and return the exit code."""
    return run("flow_softmax", "Draw the rate of a softmax head, and times over beta.", draw, arguments)


if __name__ == "__main__":
    sys.exit(main())
