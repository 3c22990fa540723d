"""Certificates: their programs and files, and what it takes to verify them."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import algatt
from algatt.certificates.standalone import standalone_verifier
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import ProcessFailed, interleaved, run_python

__all__ = ["measure"]

QUICK = "8,8,8", "4,4"

LARGE = "20,20,20", "10,10"
"""Of dimension 998."""

LARGEST = "64,64,64", "32,32"
"""The program of which has to be short, as has the file."""

BESIDE = (
    *(algatt.Lightning((size, size, size), (size // 2, size // 2), 4) for size in (2, 4, 6, 8, 12, 16, 20)),
    *(algatt.Softmax((size, size), (1,), 2) for size in (2, 3, 4)),
)
"""Networks whose certificates both verifiers read."""

MOST_TIMES = 1.3
"""How much slower the package may be than the file that stands alone."""

MOST_LINES = 100

MOST_MEGABYTES_OF_FILE = 1.0

MOST_SECONDS = 30.0

MOST_MEGABYTES = 1000.0


def measure(plan: Plan) -> list[Figure]:
    """Measure the length of a program, the size of a certificate, and whole processes that make and verify some."""
    say("the program of dims 64,64,64")
    dims, ranks = (tuple(map(int, sizes.split(","))) for sizes in LARGEST)
    lines = len(algatt.maps.program(algatt.Lightning(dims, ranks, 4)))
    figures = [median_of("program of dims 64,64,64", [lines], "lines", MOST_LINES)]
    with tempfile.TemporaryDirectory() as folder:
        figures += beside_standalone(Path(folder), plan)
        return figures + made_and_verified(Path(folder) / "certificate.json", *(QUICK if plan.quick else LARGE), plan)


def beside_standalone(folder: Path, plan: Plan) -> list[Figure]:
    """Measure processes that verify certificates, by the package and by the file that stands alone, in turn."""
    alone, path = folder / "verify.py", folder / "beside.json"
    alone.write_text(standalone_verifier(), encoding="utf-8")
    commands = {"package": ("-m", "algatt", "verify", str(path)), "alone": ("-I", str(alone), str(path))}
    figures = []
    for network in BESIDE[:2] if plan.quick else BESIDE:
        say(f"both verifiers on {network}")
        algatt.certify(network).save(path)
        calls = {name: lambda command=command: run_python(*command).seconds for name, command in commands.items()}
        seconds = interleaved(calls, plan.runs)
        name = f"{network}, {path.stat().st_size / 1000:.1f} kB"
        figures.append(median_of(f"{name}, algatt verify", seconds["package"], "s"))
        figures.append(ratio_of(f"{name}, beside stand-alone", seconds["package"], seconds["alone"], MOST_TIMES))
    return figures


def made_and_verified(path: Path, dims: str, ranks: str, plan: Plan) -> list[Figure]:
    """Measure processes that make and verify a certificate of lightning attention on 4 tokens.

    Raises
    ------
    ProcessFailed
        If the certificate is not verified.
    """
    name = f"dims {dims} ranks {ranks} tokens 4"
    say(f"certificates of {name}")
    made, verified = [], []
    for _ in range(plan.runs):
        sizes = ("--dims", dims, "--ranks", ranks, "--tokens", "4")
        made.append(run_python("-m", "algatt", "certify", *sizes, "-o", str(path)))
        verified.append(run_python("-m", "algatt", "verify", str(path), "--json"))
        if not json.loads(verified[-1].output)["ok"]:
            raise ProcessFailed(f"the certificate of {name} is refuted")
    seconds = MOST_SECONDS if not plan.quick else None
    return [
        median_of(f"{name}, certificate", [path.stat().st_size / 1e6], "MB", MOST_MEGABYTES_OF_FILE),
        median_of(f"{name}, certify", [run.seconds for run in made], "s"),
        median_of(f"{name}, verify", [run.seconds for run in verified], "s", seconds),
        median_of(f"{name}, peak memory of verify", [run.megabytes for run in verified], "MB", MOST_MEGABYTES),
    ]
