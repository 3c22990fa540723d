"""Prove for every architecture of the published models that its symmetries are all there are, at small sizes.

    python scripts/published_proofs.py                     what the record does not have yet
    python scripts/published_proofs.py --models gpt2 --processes 1
    python scripts/published_proofs.py --again             everything, into an empty record

Configs of algatt/published/configs that differ in constants alone, such as the base of angles, are one architecture:
the first is proven. Each is proven at two sizes; and the first of each model type at the smaller one read as
probabilities, and without the epsilon of norms. One network has more than 5,000 parameters. The exact rank of
the Jacobian is compared with what `algatt.symmetry.symbolic_symmetries` says of the same network, which is the upper
bound at full size.

The record is the package data algatt/published/proofs.json, unless --record names another file. It is written anew,
whole, after every proof: a run that is killed loses the proofs that it was working on, and the next one does what is
missing. Proofs of another version of the package are kept; --again makes all of them anew.

Exit code: 0 if every dimension is proven, and what symbols say, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from options import Parser, positive
from rich.console import Console
from rich.table import Table

import algatt
from algatt.errors import AlgattError, InvalidArgument
from algatt.files import check_writable, write_atomically
from algatt.layers import Probabilities, Reading
from algatt.published.known import CONFIGS
from algatt.published.scaled_proofs import ScaledProof, pattern_of, reading_name, sizes_of, small_network
from algatt.views.progress import ProgressBar

WIDTH = 160
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

FOLDER = CONFIGS

RECORD = Path(algatt.published.__file__).parent / "proofs.json"

WITHOUT_EPSILON = 10
"""Of so many tokens at least are networks whose norms have no epsilon. Of queries in the plane their norms leave one
angle for each token that there is: with fewer tokens than that, more than symmetries is lost.
"""

LIMIT = 300
"""A proof has so many seconds of processor time."""

LARGE = ("llama_2_7b", {"layers": 1, "head_width": 6, "hidden": 2, "vocabulary": 192, "tokens": 2})
"""The model and the sizes of the network of more than 5,000 parameters."""


@dataclass(frozen=True)
class Task:
    """A proof that is wanted.

    Parameters
    ----------
    model : str
        What the model is called.
    config : mapping
        Its config.
    sizes : mapping of str to int
        As `algatt.published.scaled` takes them.
    reading : Reading or None
        How logits are read.
    eps : int or None
        0 for norms without an epsilon.
    pattern : str
        That of the small network.
    parameters : int
        How many it has.
    """

    model: str
    config: Mapping[str, Any]
    sizes: Mapping[str, int]
    reading: Reading | None
    eps: int | None
    pattern: str
    parameters: int

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from others."""
        return (self.pattern, reading_name(self.reading), self.eps)

    def prove(self) -> ScaledProof:
        """Do it."""
        options = {"sizes": self.sizes, "reading": self.reading, "eps": self.eps}
        return algatt.published.prove_scaled(self.config, model=self.model, **options)


def key_of(proof: ScaledProof) -> tuple[Any, ...]:
    """Return what `Task.key` is of the task of a proof."""
    return (proof.pattern, proof.reading, proof.eps)


def tasks_of(names: Iterable[str], *, large: bool) -> Iterator[Task]:
    """Iterate over all proofs of some models; of those with one pattern only the first, and read otherwise, or without
    epsilon, only the first of those with one model type.
    """
    seen = set()
    read_otherwise: set[tuple[str, str, int | None]] = set()
    for name in names:
        described = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        model, config = described["model"], described["config"]
        small = sizes_of(config)
        wanted: list[tuple[Mapping[str, int], Reading | None, int | None]] = [(sizes, None, None) for sizes in small]
        wanted.append((small[0], Probabilities(), None))
        vocabulary = max(WITHOUT_EPSILON, small[0].get("vocabulary", 0))
        wanted.append(({**small[0], "vocabulary": vocabulary}, None, 0))
        if large and name == LARGE[0]:
            wanted.append((LARGE[1], None, None))
        for sizes, reading, eps in wanted:
            try:
                net = small_network(config, sizes, reading, eps)
            except InvalidArgument as error:
                if reading is None:
                    raise
                print(f"{name}: {error}", file=sys.stderr)  # what has no logits has no probabilities
                continue
            task = Task(model, config, sizes, reading, eps, pattern_of(net), net.parameters)
            kind = (config["model_type"], reading_name(reading), eps)
            if reading is not None or eps is not None:
                if kind in read_otherwise:
                    continue
                read_otherwise.add(kind)
            if task.key not in seen:
                seen.add(task.key)
                yield task


def load(record: Path) -> list[ScaledProof]:
    """Return the proofs of a record; none if it is not there."""
    if not record.exists():
        return []
    try:
        return [ScaledProof(**row) for row in json.loads(record.read_text(encoding="utf-8"))["proofs"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidArgument(
            "--record", f"{str(record)!r}, which is no record ({error})", "one of this script"
        ) from None


def save(proofs: Sequence[ScaledProof], record: Path) -> None:
    """Write a record, whole or not at all, in an order of its own."""
    rows = sorted((one.to_dict() for one in proofs), key=lambda row: (row["model_type"], row["model"], str(row)))
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    text = f'{{"format": "algatt published proofs", "version": 1, "proofs": [\n{lines}\n]}}\n'
    write_atomically(record, text.encode("ascii"))


@dataclass(frozen=True)
class Failure:
    """A proof that came to an error."""

    task: Task
    error: str


def run(tasks: Sequence[Task], proofs: list[ScaledProof], record: Path, processes: int, limit: int) -> list[Failure]:
    """Do tasks, those of logits with their epsilon first, and small ones first; write the record after each."""
    ordered = sorted(
        tasks, key=lambda task: (task.reading is not None or task.eps is not None, task.parameters, task.model)
    )
    failures = []
    with ProgressBar("proofs") as progress:
        for number, (task, found) in enumerate(outcomes(ordered, processes, limit), start=1):
            if isinstance(found, ScaledProof):
                proofs.append(found)
                save(proofs, record)
            else:
                failures.append(Failure(task, found))
            progress(number, len(ordered))
    return failures


def outcomes(tasks: Sequence[Task], processes: int, limit: int) -> Iterator[tuple[Task, ScaledProof | str]]:
    """Iterate over tasks as they are done, each with its proof or the error that it came to."""
    if processes == 1:
        for task in tasks:
            yield task, outcome(task, limit)
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = {pool.submit(outcome, task, limit): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], future.result()


def outcome(task: Task, limit: int) -> ScaledProof | str:
    """Return the proof of a task, or the error that it comes to."""
    try:
        with at_most(limit):
            return task.prove()
    except (AlgattError, TooLongError) as error:
        return f"{type(error).__name__}: {error}"


class TooLongError(Exception):
    """The processor time of a proof is spent."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """End what is done in this process after so many seconds of its processor time, with `TooLongError`."""

    def end(*_: object) -> None:
        raise TooLongError(f"not proven in {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def table_of(proofs: Sequence[ScaledProof]) -> Table:
    """Lay the proofs out, one in each row."""
    table = Table(title="dimensions at small sizes", title_justify="left")
    for heading in ("model type", "model", "sizes", "read as", "eps"):
        table.add_column(heading)
    for heading in ("parameters", "dimension", "redundant", "by symbols"):
        table.add_column(heading, justify="right")
    for one in proofs:
        sizes = ", ".join(f"{name} {size}" for name, size in one.sizes.items())
        found = str(one.lower) if one.lower == one.upper else f"{one.lower} to {one.upper}"
        symbols = str(one.symbols) if one.proven else f"[bold red]{one.symbols}[/]"
        eps = "0" if one.eps == 0 else ""
        numbers = (str(one.parameters), found, str(one.parameters - one.lower), symbols)
        table.add_row(one.model_type, one.model, sizes, one.reading, eps, *numbers)
    return table


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    parser = Parser(prog="published_proofs", description="Prove dimensions of published architectures at small sizes.")
    some = {"nargs": "+", "choices": names, "default": names, "metavar": "NAME"}
    parser.add_argument("--models", **some, help="their files, without the suffix (default: all)")
    parser.add_argument(
        "--record", type=Path, default=RECORD, metavar="FILE", help="the record (default: of the package)"
    )
    parser.add_argument("--processes", type=positive, default=2, metavar="N", help="at one time (default: 2)")
    parser.add_argument(
        "--limit", type=positive, default=LIMIT, metavar="S", help=f"seconds of processor time of each ({LIMIT})"
    )
    parser.add_argument("--again", action="store_true", help="begin with an empty record")
    parser.add_argument("--small", action="store_true", help="leave out the network of more than 5,000 parameters")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is missing, print the record, and return the exit code."""
    options = parse(arguments)
    began = time.perf_counter()
    try:
        check_writable(options.record)
        proofs = [] if options.again else load(options.record)
        tasks = list(tasks_of(options.models, large=not options.small))
    except AlgattError as error:
        print(f"published_proofs: {error}", file=sys.stderr)
        return 2
    done = {key_of(one) for one in proofs}
    missing = [task for task in tasks if task.key not in done]
    failures = run(missing, proofs, options.record, options.processes, options.limit)
    wanted = {task.key for task in tasks}
    shown = [one for one in load(options.record) if key_of(one) in wanted]
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    console.print(table_of(shown))
    different = [one for one in shown if not one.proven]
    console.print(f"{len(shown) - len(different)} of {len(wanted)} are proven and as symbols say")
    for one in different:
        console.print(
            f"{one.model}, {dict(one.sizes)}, {one.reading}: {one.lower} to {one.upper}, symbols {one.symbols}"
        )
    for failure in failures:
        console.print(f"{failure.task.model}, {dict(failure.task.sizes)}: {failure.error}", markup=False)
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    return 0 if not failures and not different else 1


if __name__ == "__main__":
    sys.exit(main())
