"""Kill a sweep at random moments, and its workers, and look at what it recorded.

    python scripts/kill_sweeps.py                          50 kills of sweeps, a third of them with two processes
    python scripts/kill_sweeps.py --kills 20 --victims workers

A sweep of 144 lightning networks is killed (SIGKILL) after a random number of answers and up to 20 ms, and resumed by
the next one, until it is through; then its record has to have the rows of one that was not interrupted, row by row, and
another begins. A sweep whose worker is killed has to go on by itself. Linux: the workers are found in /proc.

Exit code: 0 if all records are as they should be, 1 if one is not, 2 for bad arguments.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from options import Parser, natural, positive

import algatt
from algatt.errors import InvalidArgument
from algatt.sweeps import Family, Row, Store

FAMILY = Family(
    "Lightning((d, b, e), (a, c), 2)",
    {"d": range(1, 5), "b": range(1, 4), "e": range(1, 4), "a": (1, 3), "c": (1, 2)},
    name="killed",
)

MOST_ANSWERS = 40
"""A sweep is killed after so many answers at most."""

MOST_DELAY = 0.02
"""Seconds."""


@dataclass
class Tally:
    """What happened.

    Parameters
    ----------
    kills : int
        How many processes were killed.
    records : int
        How many records were compared.
    wrong : int
        How many of them are not as they should be.
    """

    kills: int = 0
    records: int = 0
    wrong: int = 0


def work(store: Path, workers: int | None) -> None:
    """Ask what is missing, and print a line for each answer."""
    algatt.sweep(FAMILY, store, workers=workers, progress=lambda *told: print(told[0], flush=True))


def rows_in(store: Path) -> list[Row]:
    """Return the rows of a record, in an order of their own; none of one that was killed before it had a table."""
    try:
        with Store(store, writing=False) as opened:
            return sorted(opened, key=lambda row: row.architecture)
    except InvalidArgument as error:
        if "which is not there" in str(error) or "which is empty" in str(error):
            return []
        raise


def workers_of(process: int) -> list[int]:
    """Return the processes that work for a sweep."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def killed(store: Path, workers: int | None, victims: str, chance: random.Random) -> bool:
    """Run a sweep and kill it, or one of its workers, at a random moment; return whether anything was killed."""
    command = [sys.executable, __file__, "--work", str(store), *(["--workers", str(workers)] if workers else [])]
    answers, delay, killed_one = chance.randrange(MOST_ANSWERS), chance.uniform(0, MOST_DELAY), False
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        told = cast(IO[bytes], process.stdout)
        for _ in range(answers):
            if not told.readline():
                break
        time.sleep(delay if answers else chance.uniform(0, 1))
        try:
            victim = process.pid if victims == "sweeps" else chance.choice(workers_of(process.pid))
            if process.poll() is None:
                os.kill(victim, signal.SIGKILL)
                killed_one = True
        except (OSError, IndexError):  # it ended, or has no workers yet
            pass
        told.read()
        code = process.wait()
    if victims == "workers" and code != 0:
        raise RuntimeError(f"a sweep whose worker was killed ended with {code}")
    return killed_one


def compare(store: Path, whole: Sequence[Row], tally: Tally) -> None:
    """Compare a record with that of a sweep that was not interrupted."""
    found = rows_in(store)
    tally.records += 1
    if found != list(whole):
        tally.wrong += 1
        print(f"record {tally.records} has {len(found)} rows, and {sum(row not in whole for row in found)} are others")


def kill(kills: int, victims: str, seed: int, folder: Path) -> Tally:
    """Kill so often, and compare each record that is complete."""
    chance, tally = random.Random(seed), Tally()  # noqa: S311  the same on every platform
    work_alone = folder / "whole.sqlite"
    algatt.sweep(FAMILY, work_alone)
    whole = rows_in(work_alone)
    store = folder / "killed.sqlite"
    while tally.kills < kills:
        workers = 2 if victims == "workers" or tally.kills % 3 == 2 else None
        tally.kills += killed(store, workers, victims, chance)
        print(f"kill {tally.kills} of {kills}", file=sys.stderr)
        if len(rows_in(store)) == len(whole):
            compare(store, whole, tally)
            for path in folder.glob("killed.sqlite*"):
                path.unlink()
    algatt.sweep(FAMILY, store)
    compare(store, whole, tally)
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, compare, and return the exit code."""
    parser = Parser(prog="kill_sweeps", description="Kill a sweep at random moments, and look at what it recorded.")
    parser.add_argument("--kills", type=positive, default=50, help="how often (default: 50)")
    parser.add_argument("--victims", choices=("sweeps", "workers"), default="sweeps", help="who (default: sweeps)")
    parser.add_argument("--seed", type=natural, default=0, help="names the moments (default: 0)")
    parser.add_argument("--work", metavar="STORE", type=Path, help="ask what is missing, to be killed")
    parser.add_argument("--workers", metavar="N", type=positive, help="processes of --work")
    options = parser.parse_args(arguments)
    if options.work is not None:
        work(options.work, options.workers)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        tally = kill(options.kills, options.victims, options.seed, Path(folder))
    told = f"{tally.records} records compared, {tally.wrong} not as they should be"
    print(f"{tally.kills} {options.victims} killed, {told}")
    return int(tally.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
