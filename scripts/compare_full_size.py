"""Write random weights of the full size of published models, change an entry, move them, change an entry of what was
moved, and say what algatt compare answers, in how many seconds of processor and with how much memory.

    python scripts/compare_full_size.py gpt2               with an entry changed, moved, and moved with one changed
    python scripts/compare_full_size.py gpt2 --folder F    keep the checkpoints

Exit code: 0 if what was moved is called equal and what was changed different, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from options import Parser, natural

import algatt
from algatt import checkpoints
from algatt.fields import Elements
from algatt.published.known import CONFIGS

MODELS = CONFIGS
"""Folder of the configs."""

SHARE = 0.01
"""Change of an entry, relative to the largest of its tensor."""

EQUAL, DIFFERENT = 0, 1
"""Exit codes of algatt compare."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    names = sorted(path.stem for path in MODELS.glob("*.json"))
    parser = Parser(prog="compare_full_size", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=names, metavar="MODEL", help=f"one of {', '.join(names)}")
    parser.add_argument("--tensor", help="tensor of which an entry is changed (default: a value matrix)")
    parser.add_argument("--folder", type=Path, help="folder for the checkpoints (default: one that is deleted)")
    parser.add_argument("--seed", type=natural, default=0, help="names the weights and the element (default: 0)")
    return parser.parse_args(arguments)


def write(model: str, folder: Path, tensor: str | None, seed: int) -> None:
    """Write a checkpoint, one of which an entry was changed, one that was moved, and one of which an entry was changed
    besides.
    """
    config = json.loads((MODELS / f"{model}.json").read_text(encoding="utf-8"))["config"]
    net = algatt.published.read(config)
    draw, arrays = np.random.default_rng(seed), {}
    for name, shape in algatt.coordinates(net).items():
        normal = draw.standard_normal(shape, dtype=np.float32)
        arrays[name] = 1 + normal / 5 if name.endswith("g") else normal / 50
    theta = algatt.Weights.of(arrays)
    checkpoints.save(folder / "one", checkpoints.Checkpoint(net, theta, config))
    name = tensor or next(label for label in theta.tensors if ".V_" in label)
    checkpoints.save(folder / "entry", checkpoints.Checkpoint(net, changed(theta, name), config))
    moved = checkpoints.move(net, theta, seed=seed + 1)
    checkpoints.save(folder / "moved", checkpoints.Checkpoint(net, moved, config))
    checkpoints.save(folder / "changed", checkpoints.Checkpoint(net, changed(moved, name), config))


def changed(theta: algatt.Weights, name: str) -> algatt.Weights:
    """Return weights with one entry of a tensor changed."""
    raw = theta.tensors[name].raw.copy()
    raw[0, 0] += SHARE * np.abs(raw).max()
    return theta.replace([Elements(one.field, raw) if label == name else one for label, one in theta.tensors.items()])


def compare(folder: Path, other: str) -> int:
    """Compare a checkpoint with another one, print what it takes, and return the exit code."""
    command = [sys.executable, "-m", "algatt", "compare", str(folder / "one"), str(folder / other)]
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20
    print(f"{other}: exit code {process.returncode}, {seconds:.0f} s of processor, {memory:.1f} GB", flush=True)
    return process.returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the checkpoints, compare them, and return the exit code."""
    options = parse(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        # a child that is started has at least the memory of the process that starts it, as Linux counts
        writer = multiprocessing.get_context("spawn").Process(
            target=write, args=(options.model, folder, options.tensor, options.seed)
        )
        writer.start()
        writer.join()
        if writer.exitcode:
            return 1
        right = compare(folder, "entry") == DIFFERENT
        right = compare(folder, "moved") == EQUAL and right
        right = compare(folder, "changed") == DIFFERENT and right
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
