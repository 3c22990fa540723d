"""Degrees of the closures of single lightning layers and of perceptrons with powers, by all methods.

Each row has the dimension, the dimension of the span, the degree by its formula, by monodromy, by a section modulo a
prime, which Singular counts, and that of the kernel that Macaulay2 computes from `algatt.export`; and the processor
seconds of the last three. Each is ended after 100 seconds, which is shown by a dash, and more than 1000 points are not
followed: about 40 minutes on one core. Singular and Macaulay2 are Debian's packages singular and macaulay2.

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

LIMIT = 100
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
    """Return a count and its seconds in columns; a dash where it is not there in time."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(sender, count))
    process.start()
    process.join()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    return f"{receiver.recv() if receiver.poll() else '-':>9} {seconds:>7.1f}"


def send(sender: Connection, count: Callable[[], int]) -> None:
    """Send a count, unless this process or one that it starts has used its seconds before."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
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

    counts = [lambda: degree("monodromy"), lambda: degree("singular"), lambda: by_macaulay2(arch)]
    sizes = f"{algatt.dimension(arch).value:>4} {algatt.span(arch).dimension:>4} {by_formula(arch):>7}"
    return f"{name:<30} {sizes} {' '.join(map(limited, counts))}"


def main() -> None:
    """Print the table."""
    names = "".join(f" {one:>9} seconds" for one in ("monodromy", "Singular", "Macaulay2"))
    print(f"{'network':<30} {'dim':>4} {'span':>4} {'formula':>7}{names}")
    for name, arch in networks():
        print(row(name, arch), flush=True)


if __name__ == "__main__":
    main()
