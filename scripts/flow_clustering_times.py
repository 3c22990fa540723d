"""Draw the times in which nearly orthogonal tokens cluster, with exponential and ReLU weights, against the number of
tokens and the dimension.

    python scripts/flow_clustering_times.py -o FOLDER

Exit code: 0 if both files were written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from figure_files import run

from algatt.views.flows.diagrams import draw_clustering_times


def draw() -> Any:
    """Return the figure."""
    return draw_clustering_times()[0].figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the figure and return the exit code."""
    return run("flow_clustering_times", "Draw the clustering times of equiangular tokens.", draw, arguments)


if __name__ == "__main__":
    sys.exit(main())
