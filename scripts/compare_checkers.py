"""The verifier and the second checker, which is written in OCaml and knows nothing of it, on the same files:
certificates, and certificates that are changed at random places. What the verifier accepts and the checker refuses is a
fault in one of them.

    python scripts/compare_checkers.py FOLDER --changes 20

Debian has what the checker needs in the packages ocaml and libzarith-ocaml-dev.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from certify_networks import forged
from options import Parser, natural

from algatt.certificates.verifier.kinds import verify_bytes
from algatt.certificates.verifier.limits import Refused

SOURCES = Path(__file__).parent / "second_checker"

FILES = ("hashes", "json", "program", "field", "evaluate", "families", "pieces", "checker")
"""Files in the order of their dependencies."""

ACCEPTED, REFUTED, REFUSED, TOO_LARGE, NOT_COVERED = range(5)
"""Exit codes of both; the last one of the second checker alone."""

FAULT = "A FAULT IN ONE OF THEM"


def lacking() -> str | None:
    """Return what the checker cannot be compiled without, or None if everything is there."""
    finder = shutil.which("ocamlfind")
    for what, question in (("the compiler of OCaml", ["ocamlopt", "-version"]), ("zarith", ["query", "zarith"])):
        if finder is None or subprocess.run([finder, *question], capture_output=True, check=False).returncode:
            return f"{what if finder else 'ocamlfind'} is not there"
    return None


def build(folder: Path) -> Path:
    """Compile the second checker in a folder and return its path."""
    names = [f"{name}.ml" for name in FILES]
    for name in names:
        shutil.copy(SOURCES / name, folder)
    command = [
        str(shutil.which("ocamlfind")),
        "ocamlopt",
        "-w",
        "+a-4-9-40..48-70",
        "-warn-error",
        "+a",
        "-package",
        "zarith",
        "-linkpkg",
    ]
    subprocess.run([*command, *names, "-o", "checker"], cwd=folder, check=True)
    return folder / "checker"


def verdicts(checker: Path, content: bytes, folder: Path) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the exit codes of the verifier and of the second checker, and what they say."""
    try:
        verdict = verify_bytes(content)
        one = (REFUTED if verdict.reasons else ACCEPTED, "; ".join(verdict.reasons) or verdict.claim)
    except Refused as error:
        one = error.code, str(error)
    path = folder / "certificate.json"
    path.write_bytes(content)
    found = subprocess.run([str(checker), str(path)], capture_output=True, text=True, timeout=600, check=False)
    return one, (found.returncode, (found.stdout + found.stderr).strip())


def relation(one: int, two: int) -> str:
    """Say how two exit codes are related: words may not find what is true, all other differences are faults."""
    if TOO_LARGE in (one, two):
        return "too large for one of them"
    if two == NOT_COVERED:
        return "accepted, as far as both look" if one == ACCEPTED else "refused for what the second does not cover"
    if one == REFUTED and two == ACCEPTED:
        return "refuted by the verifier alone"
    if (one == ACCEPTED) != (two == ACCEPTED):
        return FAULT
    return "accepted by both" if one == ACCEPTED else "refused by both"


def documents(path: Path, changes: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Iterate over a certificate and changed ones, with what was changed."""
    content = path.read_bytes()
    yield path.name, content
    source = np.random.default_rng([seed, *path.name.encode()])
    for _ in range(changes):
        place, document = forged(json.loads(content), source)
        yield f"{path.name}, changed at {'.'.join(map(str, place))}", json.dumps(document).encode()


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="compare_checkers", description="The verifier and the second checker on the same files.")
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="folders with certificates")
    parser.add_argument("--changes", type=natural, default=0, metavar="N", help="changes of each (default: 0)")
    parser.add_argument("--seed", type=natural, default=0, help="the same changes for the same seed (default: 0)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare both on all files, print how often they agree, and return the exit code."""
    options = parse(arguments)
    if (missing := lacking()) is not None:
        sys.exit(missing)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        checker = build(Path(name))
        for path in sorted(path for folder in options.folders for path in folder.glob("*.json")):
            for what, content in documents(path, options.changes, options.seed):
                (one, says), (two, also) = verdicts(checker, content, Path(name))
                counts[relation(one, two)] += 1
                if relation(one, two) in (FAULT, "refuted by the verifier alone"):
                    print(f"{what}: {one} ({says[:200]}), {two} ({also[:200]})")
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")
    return 1 if counts[FAULT] else 0


if __name__ == "__main__":
    sys.exit(main())
