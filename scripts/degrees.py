"""Degrees of the closures of single lightning layers and of perceptrons with powers, by all methods.

Each row has the dimension, the dimension of the span, the degree by its formula, by monodromy, by a section modulo a
prime, which Singular counts, and that of the kernel that Macaulay2 computes from `algatt.export`; and the seconds of
the last three. Each is ended after 60 seconds, which is shown by a dash, and more than 1000 points are not followed:
about 30 minutes on one core. Singular and Macaulay2 are Debian's packages singular and macaulay2.

    python scripts/degrees.py
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from types import FrameType

import algatt
from algatt.architectures import Architecture
from algatt.errors import DegreeUndecided, InvalidArgument, MissingProgram
from algatt.layers import Feedforward, Power

LIMIT = 60
"""Seconds of a method in each row."""

POINTS = 1000
"""Largest number of points that are followed."""


def networks() -> Iterator[tuple[str, Architecture]]:
    """Iterate over the networks of the table, with a name for each."""
    for width in (2, 3):
        for power in (2, 3):
            for hidden in (1, 2, 3):
                layer = Feedforward(hidden, Power(power), width=1)
                yield f"perceptron {width}-{hidden}-1, power {power}", algatt.Network(layer, tokens=1, width=width)
    for d in (1, 2, 3):
        for rows in (1, 2, 3):
            for a in range(1, d + 1):
                yield f"lightning d = {d}, d' = {rows}, a = {a}", algatt.Lightning((d, rows), (a,), 2)


def limited(count: Callable[[], int]) -> str:
    """Return a count and its seconds in columns; dashes where it is not there in time."""
    start = time.perf_counter()
    signal.alarm(LIMIT)
    try:
        found = str(count())
    except (TimeoutError, DegreeUndecided, MissingProgram):
        found = "-"
    finally:
        signal.alarm(0)
    return f"{found:>9} {time.perf_counter() - start:>7.1f}"


def end(number: int, frame: FrameType | None) -> None:
    """End what runs when the alarm rings."""
    raise TimeoutError


def by_formula(arch: Architecture) -> str:
    """Return the degree by its formula."""
    try:
        return f"{algatt.degree_of_closure(arch, method='formula').value}"
    except InvalidArgument:
        return ""


def by_macaulay2(arch: Architecture) -> int:
    """Return the degree that Macaulay2 computes."""
    program = shutil.which("M2")
    if program is None:
        raise MissingProgram("Macaulay2", "macaulay2")
    text = algatt.export(arch, "macaulay2") + "\nprint degree ker phi\n"
    done = subprocess.run([program, "--script", "/dev/stdin"], input=text, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def row(name: str, arch: Architecture) -> str:
    """Return a row of the table."""

    def degree(method: str) -> int:
        return algatt.degree_of_closure(arch, method=method, points=POINTS).value

    counts = [lambda: degree("monodromy"), lambda: degree("singular"), lambda: by_macaulay2(arch)]
    sizes = f"{algatt.dimension(arch).value:>4} {algatt.span(arch).dimension:>4} {by_formula(arch):>7}"
    return f"{name:<30} {sizes} {' '.join(map(limited, counts))}"


def main() -> None:
    """Print the table."""
    signal.signal(signal.SIGALRM, end)
    names = "".join(f" {one:>9} seconds" for one in ("monodromy", "Singular", "Macaulay2"))
    print(f"{'network':<30} {'dim':>4} {'span':>4} {'formula':>7}{names}")
    for name, arch in networks():
        print(row(name, arch), flush=True)


if __name__ == "__main__":
    main()
