"""Degrees of the closures of single lightning layers and of perceptrons with powers, by all methods.

Each row has the dimension, the dimension of the span, the degree by its formula, by monodromy, by a section modulo a
prime, which Singular counts, and that of the kernel that Macaulay2 computes from `algatt.export`; and the processor
seconds of the last three. Singular and Macaulay2 are ended after 20 seconds, and more than 1000 points are not
followed, which a dash shows: about 15 minutes on one core. Both are Debian's packages, singular and macaulay2.

    python scripts/degrees.py
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection

import algatt
from algatt.architectures import Architecture
from algatt.errors import DegreeUndecided, InvalidArgument, MissingProgram
from algatt.layers import Feedforward, Power

LIMIT = 20
"""Processor seconds of Singular and of Macaulay2 in each row."""

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


def counted(count: Callable[[], int], most: int = resource.RLIM_INFINITY) -> str:
    """Return a count and its seconds in columns; a dash where there is none."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(sender, count, most))
    process.start()
    process.join()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    return f"{receiver.recv() if receiver.poll() else '-':>9} {seconds:>7.1f}"


def send(sender: Connection, count: Callable[[], int], most: int) -> None:
    """Send a count, unless there are too many points or a program that it starts has used its seconds before."""
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    with contextlib.suppress(DegreeUndecided, MissingProgram, subprocess.CalledProcessError):
        sender.send(count())


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

    counts = [
        counted(lambda: degree("monodromy")),
        counted(lambda: degree("singular"), LIMIT),
        counted(lambda: by_macaulay2(arch), LIMIT),
    ]
    sizes = f"{algatt.dimension(arch).value:>4} {algatt.span(arch).dimension:>4} {by_formula(arch):>7}"
    return f"{name:<30} {sizes} {' '.join(counts)}"


def main() -> None:
    """Print the table."""
    names = "".join(f" {one:>9} seconds" for one in ("monodromy", "Singular", "Macaulay2"))
    print(f"{'network':<30} {'dim':>4} {'span':>4} {'formula':>7}{names}")
    for name, arch in networks():
        print(row(name, arch), flush=True)


if __name__ == "__main__":
    main()
