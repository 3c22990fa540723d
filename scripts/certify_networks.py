"""Certificates of the examples of the package, of networks that users write, and of random ones: each is verified by
the package, and by the verifier that stands alone; and each is changed in random places. What is accepted then has to
claim as much of the same program, by other rows, columns or points, or of another program.

    python scripts/certify_networks.py --count 50 --changes 20
"""

from __future__ import annotations

import argparse
import copy
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from options import Parser, natural, positive
from random_networks import Generator

import algatt
from algatt import verbs
from algatt.certificates import Certificate
from algatt.certificates.standalone import standalone_verifier
from algatt.errors import AlgattError
from algatt.fields import Elements
from algatt.layers import Layer, Tensors
from algatt.views.progress import ProgressBar

sys.path.append(str(Path(__file__).resolve().parent.parent / "docs" / "examples"))

from decay import Decay

INFORMATIONAL = ("made_with", "network")

FREE = ("rows", "columns", "directions", "point", "inputs", "program")
"""Claims for which there are others that are as true."""


@dataclass(frozen=True, repr=False)
class CausalSquare(Layer):
    """Squares of scores of what came before: V X (M * (X^T K^T Q X)^2) with a triangle M of ones.

    Parameters
    ----------
    rank, out : int
        Numbers of rows of Q and K, and of V.
    """

    rank: int
    out: int


@verbs.tensors.method
def tensors_of_causal_square(layer: CausalSquare, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"Q": (layer.rank, shape[0]), "K": (layer.rank, shape[0]), "V": (layer.out, shape[0])}


@verbs.apply.method
def apply_causal_square(layer: CausalSquare, w: Tensors, X: Elements) -> Elements:
    tokens = X.shape[-1]
    return w.V @ X @ (((w.K @ X).T @ (w.Q @ X)) ** 2 * np.triu(np.ones((tokens, tokens), dtype=np.int64)))


def networks(count: int, seed: int) -> Iterator[Any]:
    """Iterate over all networks: examples, those of users, and random ones."""
    for kind in (algatt.Lightning, algatt.Normalized, algatt.Network):
        yield from kind.examples()
    yield algatt.Network(algatt.layers.Residual(Decay(2, 3)), tokens=3, width=3)
    yield algatt.Network(CausalSquare(2, 3) >> CausalSquare(1, 2), tokens=3, width=3)
    generator = Generator(seed, ring=False, odd=False)
    for _ in range(count):
        yield generator.network()


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="certify_networks", description="Certificates of many networks, verified twice and forged.")
    parser.add_argument("--count", type=natural, default=50, metavar="N", help="random networks (default: 50)")
    parser.add_argument("--seed", type=natural, default=0, help="the same networks for the same seed (default: 0)")
    parser.add_argument("--changes", type=natural, default=20, metavar="N", help="changes of each (default: 20)")
    parser.add_argument("--limit", type=positive, default=120, metavar="S", help="seconds for a certificate")
    return parser.parse_args(arguments)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Iterate over the numbers and texts of a certificate that are claims, with their places."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))
    elif path[0] not in INFORMATIONAL and not (path[-1] == "name" and "families" in path):
        yield path, value


def forged(document: Any, source: np.random.Generator) -> tuple[tuple[Any, ...], Any]:
    """Return a certificate with another value at a random place, and the place."""
    listed = list(places(document))
    path, value = listed[source.integers(len(listed))]
    anew = copy.deepcopy(document)
    inner = anew
    for key in path[:-1]:
        inner = inner[key]
    if isinstance(value, bool):
        inner[path[-1]] = not value
    elif isinstance(value, int):
        inner[path[-1]] = [value + 1, value - 1, -value - 1, int(source.integers(2**22))][source.integers(4)]
    else:
        inner[path[-1]] = [f"{value}0", value[:-1], value.replace("1", "2", 1) + " "][source.integers(3)]
    return path, anew


def accepts(document: Any) -> bool:
    """Return whether a certificate is accepted."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        try:
            return bool(algatt.verify(path).ok)
        except AlgattError:
            return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Certify all networks, print what became of them, and return the exit code."""
    options = parse(arguments)
    source = np.random.default_rng(options.seed)
    counts: Counter[str] = Counter()
    told: list[str] = []
    listed = list(networks(options.count, options.seed))
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, ProgressBar("networks") as progress:
        alone, path = Path(folder) / "verify.py", Path(folder) / "certificate.json"
        alone.write_text(standalone_verifier(), encoding="utf-8")
        for number, network in enumerate(listed, start=1):
            progress(number, len(listed))
            try:
                certificate: Certificate = algatt.certify(network)
            except AlgattError as error:
                counts[f"no certificate ({type(error).__name__})"] += 1
                told.append(f"{network}: {error}")
                continue
            certificate.save(path)
            report = algatt.verify(path)
            other = subprocess.run([sys.executable, "-I", str(alone), str(path)], capture_output=True, timeout=600)
            verified = bool(report) and other.returncode == 0
            counts[f"verified by both, {certificate.status}" if verified else "NOT VERIFIED"] += 1
            if not verified:
                told.append(f"{network}: {'; '.join(report.reasons)} {other.stdout.decode()}")
            document = json.loads(certificate.to_json())
            since = time.perf_counter()
            for _ in range(options.changes):
                if time.perf_counter() - since > options.limit:
                    break
                where, anew = forged(document, source)
                if anew == document:
                    continue
                if not accepts(anew):
                    counts["changes that are refuted"] += 1
                elif where[1] in FREE:
                    counts["changes of rows, columns, points and programs"] += 1
                else:
                    counts["CHANGES THAT ARE ACCEPTED"] += 1
                    told.append(f"{network}: {'.'.join(map(str, where))} may be changed")
    for what, count in counts.items():
        print(f"{count:6} {what}")
    print(f"{time.perf_counter() - begin:.0f} s", file=sys.stderr)
    sys.stdout.writelines(f"{line}\n" for line in told)
    return 1 if counts["NOT VERIFIED"] or counts["CHANGES THAT ARE ACCEPTED"] else 0


if __name__ == "__main__":
    sys.exit(main())
