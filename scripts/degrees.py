"""Degrees of the closures of single lightning layers and of perceptrons with powers, beside those of Macaulay2.

Each row has the dimension, the dimension of the span, the degree that `algatt.degree_of_closure` finds and what it is
worth, its seconds, and the degree of the kernel that Macaulay2 computes from `algatt.export`, with its seconds.
Macaulay2 (Debian's package macaulay2) is ended after 20 seconds for each row, and points are followed up to 1000:
about 10 minutes on one core.

    python scripts/degrees.py
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator

import algatt
from algatt.architectures import Architecture
from algatt.errors import DegreeUndecided
from algatt.layers import Feedforward, Power

LIMIT = 20
"""Seconds for Macaulay2 in each row."""

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


def ours(arch: Architecture) -> str:
    """Return the dimension, that of the span, and the degree, in columns."""
    start = time.perf_counter()
    try:
        found = algatt.degree_of_closure(arch, points=POINTS)
    except DegreeUndecided:
        answer = f"{'':>5} {'':>5} {'>' + str(POINTS):>6} {'undecided':>10}"
    else:
        answer = f"{found.dimension:>5} {found.ambient:>5} {found.value:>6} {found.status:>10}"
    return f"{answer} {time.perf_counter() - start:>7.1f}"


def macaulay2(arch: Architecture) -> str:
    """Return the degree that Macaulay2 computes, and its seconds, in columns."""
    program = shutil.which("M2")
    if program is None:
        return f"{'absent':>9}"
    text = algatt.export(arch, "macaulay2") + "\nprint degree ker phi\n"
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [program, "--script", "/dev/stdin"], input=text, capture_output=True, text=True, timeout=LIMIT, check=True
        )
    except subprocess.TimeoutExpired:
        return f"{'stopped':>9} {LIMIT:>7}"
    return f"{done.stdout.split()[-1]:>9} {time.perf_counter() - start:>7.1f}"


def main() -> None:
    """Print the table."""
    print(
        f"{'network':<32} {'dim':>5} {'span':>5} {'degree':>6} {'status':>10} {'seconds':>7} {'Macaulay2':>9} seconds"
    )
    for name, arch in networks():
        print(f"{name:<32} {ours(arch)} {macaulay2(arch)}", flush=True)


if __name__ == "__main__":
    main()
