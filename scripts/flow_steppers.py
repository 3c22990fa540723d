"""Draw the work of the steppers of flows against their precision, in one run: of a flow that is not stiff, and of one
that is.

    python scripts/flow_steppers.py -o FOLDER

The work is processor time, the least of three; the precision the largest difference of a coordinate at the end from
that of a reference, which DOP853 and Radau at the smallest tolerances have in common.

Exit code: 0 if both files were written, 1 if the references differ, 2 for bad arguments.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from figure_files import FigureError, run

from algatt.dynamics import ScalarHead, SphereFlow, integrate, random_tokens
from algatt.dynamics.steppers import METHODS
from algatt.layers import Exponential, Unnormalized
from algatt.views.palette import PALETTE
from algatt.views.plotting import PAGE, new_figure

CASES = (
    ("$\\beta = 2$, to $t = 1$", SphereFlow((ScalarHead(1.0),), Unnormalized(Exponential()), 2.0), 1.0),
    ("$\\beta = 8$, to $t = 1$", SphereFlow((ScalarHead(1.0),), Unnormalized(Exponential()), 8.0), 1.0),
)

TOKENS = random_tokens(8, 3)

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12)

LOW = {"RK23": 1e-6, "RK45": 1e-10}
"""The smallest tolerances of methods of low orders, which take too many steps beyond."""

AGREE = 1e-9
"""The difference up to which two references count as one."""

STYLES = {
    "auto": ("black", "o", "-"),
    "DOP853": (PALETTE[0], "s", "--"),
    "RK45": (PALETTE[2], "^", "--"),
    "RK23": (PALETTE[4], "v", "--"),
    "LSODA": (PALETTE[1], "D", ":"),
    "BDF": (PALETTE[3], "<", ":"),
    "Radau": (PALETTE[5], ">", ":"),
}
"""Colours, marks and dashes of the methods: explicit ones are blue, implicit ones orange."""


def reference(flow: SphereFlow, end: float) -> np.ndarray:
    """Return the state at the end that an explicit and an implicit method have in common."""
    one, two = (
        integrate(flow, TOKENS, until=end, samples=2, tolerance=tolerance, method=method).final
        for method, tolerance in (("DOP853", 1e-13), ("Radau", 1e-11))
    )
    if np.abs(one - two).max() > AGREE:
        raise FigureError(f"the references differ by {np.abs(one - two).max():.1e}")
    return one


def work(flow: SphereFlow, end: float, method: str, tolerance: float) -> tuple[float, np.ndarray]:
    """Return the least processor time of three runs, and the state at the end."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        state = integrate(flow, TOKENS, until=end, samples=2, tolerance=tolerance, method=method).final
        seconds.append(time.process_time() - begin)
    return min(seconds), state


def draw() -> Any:
    """Return the figure."""
    figure = new_figure(PAGE, 2.6)
    for left, (title, flow, end) in zip((0.075, 0.485), CASES, strict=True):
        ax = figure.add_axes((left, 0.17, 0.345, 0.7))
        exact = reference(flow, end)
        for method in METHODS:
            tolerances = [tolerance for tolerance in TOLERANCES if tolerance >= LOW.get(method, 0.0)]
            points = [work(flow, end, method, tolerance) for tolerance in tolerances]
            errors = [max(float(np.abs(state - exact).max()), 1e-15) for _, state in points]
            colour, mark, dashes = STYLES[method]
            style = {"color": colour, "marker": mark, "linestyle": dashes, "markersize": 3.5, "linewidth": 1.0}
            ax.plot(errors, [seconds for seconds, _ in points], label=method, **style)
        ax.set(xscale="log", yscale="log")
        ax.invert_xaxis()
        ax.set_title(title, fontsize=8)
        ax.set_xlabel("largest error at the end", fontsize=7, labelpad=1)
        ax.tick_params(labelsize=7)
        ax.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("processor time in seconds", fontsize=7)
    figure.axes[1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=7, frameon=False, handlelength=2.6)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the figure and return the exit code."""
    return run("flow_steppers", "Draw the work of steppers against their precision.", draw, arguments)


if __name__ == "__main__":
    sys.exit(main())
