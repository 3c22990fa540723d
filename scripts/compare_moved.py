"""Move the weights of published models, scaled down, by random elements of their whole groups, round them, and count
how often the two are called one function; then change one entry, and count how often they are told apart, how often by
the name of the tensor that was changed, and how often by one beside which that is named as no less likely.

    python scripts/compare_moved.py                 1000 pairs of each kind
    python scripts/compare_moved.py --count 20      fewer
    python scripts/compare_moved.py gpt2 llama_2_7b of two models
    python scripts/compare_moved.py --record F --minutes 5
                                                    go on where the file F ends, for five minutes, and sum all of F up

Matrices that are not orthogonal, and families of numbers, have condition numbers of up to 1, 10, 100 and 1000, and the
weights are rounded to float32 and to float64. An entry changes by a thousandth of its tensor's largest. Where the
change of an entry changes no value, as of a bias of keys, which moves all scores of a query alike, the pair is one
function still, and not counted as changed: this is told by values in float64, before anything is rounded.

Exit code: 0 if none that was moved is called different, and none that was changed equal, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from options import Parser, positive
from rich.console import Console
from rich.table import Table

import algatt
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.published.known import CONFIGS

MODELS = CONFIGS
"""Where the configs are."""

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

SHARE = 1e-3
"""An entry changes by this share of the largest of its tensor."""

UNCHANGED = 1e-11
"""Values that change by less than this share of their size are rounding of float64."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    names = sorted(path.stem for path in MODELS.glob("*.json"))
    parser = Parser(prog="compare_moved", description="How often moved weights are called one function.")
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument("--count", type=positive, default=1000, help="pairs of each kind (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="names the weights and the elements (default: 0)")
    parser.add_argument("--record", type=Path, metavar="F", help="file of the pairs, which are not compared again")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after these (default: at the end)")
    options = parser.parse_args(arguments)
    for name in options.models:
        if name not in names:
            parser.error(f"{name} was no model; it should be one of {', '.join(names)}")
    options.models = options.models or names
    return options


def network(name: str) -> algatt.Network:
    """Return a published model, scaled down."""
    config = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    fields = algatt.published.scaled(config, layers=2, head_width=4, hidden=7)
    net = algatt.published.read(fields)
    return net if net.source is not None else algatt.published.read(fields, tokens=3)  # numbers have a length of theirs


def rounded(theta: algatt.Weights, precision: str) -> algatt.Weights:
    """Return weights as they are known from a file of a precision."""
    return algatt.Weights.of({name: one.raw.astype(precision) for name, one in theta.tensors.items()})


def values(net: algatt.Network, theta: algatt.Weights) -> np.ndarray:
    """Return the values at random inputs."""
    inputs = algatt.sample_inputs(net, field=Reals(), seed=7, count=4)
    return np.array(algatt.evaluate(net, theta, inputs))


def changed(theta: algatt.Weights, draw: np.random.Generator, share: float = SHARE) -> tuple[str, algatt.Weights, int]:
    """Return weights with one entry changed by a share of the largest of its tensor, the name of that, and the row."""
    names = list(theta.tensors)
    name = names[draw.integers(len(names))]
    raw = theta.tensors[name].raw.copy()
    place = tuple(draw.integers(raw.shape))
    raw[place] += share * np.abs(raw).max() * draw.choice([-1, 1])
    others = [Elements(one.field, raw) if label == name else one for label, one in theta.tensors.items()]
    return name, theta.replace(others), int(place[0])


def pair(net: algatt.Network, number: int, seed: int) -> list[str]:
    """Return what is said of a point and what it was moved to, and of the point and that with one entry changed."""
    draw = np.random.default_rng([seed, number])
    precision, condition = ("float32", "float64")[number % 2], 10.0 ** (number // 2 % 4)
    one = rounded(algatt.sample(net, algatt.Weights, field=Reals(), seed=seed + number), precision)
    moved = algatt.act(random_element(net, one, seed + number, condition=condition), one)
    said = compare_weights(net, one, rounded(moved, precision)).equal
    found = [f"moved, {'undecided' if said is None else 'equal' if said else 'different'}"]
    name, other, _ = changed(moved, draw)
    before, after = values(net, moved), values(net, other)
    if np.abs(after - before).max() <= UNCHANGED * condition * np.abs(before).max():
        return [*found, "no change"]
    answer = compare_weights(net, one, rounded(other, precision), hypotheses=False)
    if answer.equal is False:
        named = ["named"] if answer.broken == (name,) else ["alike"] if name in answer.alternatives else []
        return [*found, "changed, different", *named]
    return [*found, f"changed, {'equal' if answer.equal else 'undecided'}"]


def asked(options: argparse.Namespace) -> Iterator[tuple[str, int]]:
    """Iterate over the pairs, each by the model and its number: model by model, as what is known of a network is kept
    for a few of them.
    """
    for place, name in enumerate(options.models):
        yield from ((name, number) for number in range(len(range(place, options.count, len(options.models)))))


def read(options: argparse.Namespace) -> dict[tuple[str, int], list[str]]:
    """Return what was said of pairs of the seed that a file holds."""
    if options.record is None or not options.record.exists():
        return {}
    rows = map(json.loads, options.record.read_text(encoding="utf-8").splitlines())
    return {(name, number): found for seed, name, number, found in rows if seed == options.seed}


def compare(options: argparse.Namespace) -> dict[tuple[str, int], list[str]]:
    """Compare the pairs that were not compared yet, print what is found of each model, and return all."""
    done, end, before, net = read(options), time.monotonic() + 60 * options.minutes, None, None
    for name, number in asked(options):
        if time.monotonic() > end:
            break
        if (name, number) not in done:
            if before != name:
                before, net = name, network(name)
            found = done[name, number] = pair(net, number, options.seed)
            print(f"{name} {number}: {'; '.join(found)}", flush=True)
            if options.record is not None:
                with options.record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([options.seed, name, number, found]) + "\n")
    return done


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare pairs, print a table, and return the exit code."""
    options = parse(arguments)
    counts: dict[str, Counter[str]] = {}
    for (name, _), found in compare(options).items():
        counts.setdefault(name, Counter()).update(found)
    told = ("moved, equal", "moved, undecided", "moved, different", "changed, different", "named", "alike")
    columns = (*told, "changed, undecided", "changed, equal", "no change")
    table = Table(title="moved, and with one entry changed", title_justify="left")
    for heading in ("model", *columns):
        table.add_column(heading, justify="right")
    for name, count in counts.items():
        table.add_row(name, *(str(count[one]) for one in columns))
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
    total = sum(counts.values(), Counter[str]())
    sys.stdout.writelines(f"{one}: {total[one]}\n" for one in columns)
    return 1 if total["moved, different"] or total["changed, equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
