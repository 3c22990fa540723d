"""Try all conversions of checkpoints on a small random model of each family, and print a table in Markdown.

    python scripts/conversions_of_families.py                  all families
    python scripts/conversions_of_families.py llama gpt2       some, by model type

Each cell is the answer of `algatt transform --by NAME IN OUT`, which runs both networks at random inputs: `yes` if it
wrote the folder, `untied` if it did after `--by untie`, `no` if it is refused. Models are those of
algatt/published/configs at small sizes, of each type one that is tied and whose heads share keys, if there is such.

Exit code: 0 if all is done, 1 if values changed, 2 for bad arguments.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from options import Parser

import algatt
from algatt import checkpoints, published
from algatt.checkpoints.conversions.heads import heads_in
from algatt.cli.commands.transform import NAMES
from algatt.cli.main import main as command
from algatt.files import shorten
from algatt.layers import Tie
from algatt.published.known import CONFIGS

FOLDER = CONFIGS


def models() -> dict[str, list[dict[str, Any]]]:
    """Return the configs of all models of each type."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(FOLDER.glob("*.json")):
        config = json.loads(path.read_text(encoding="utf-8"))["config"]
        found.setdefault(config["model_type"], []).append(config)
    return dict(sorted(found.items()))


def chances(config: dict[str, Any]) -> int:
    """Return for how many conversions there may be something to do: it is tied, and its heads share keys."""
    net = published.read(published.scaled(config))
    return isinstance(net.layers, Tie) + any(layer.groups < layer.heads for _, layer in heads_in(net))


def written(folder: Path, config: dict[str, Any]) -> Path:
    """Write a small model of random weights."""
    fields = published.scaled(config, layers=2)
    net = published.read(fields)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
    checkpoints.save(folder, checkpoints.Checkpoint(net, theta, fields))
    return folder


def adapter(folder: Path, model: Path) -> Path:
    """Write an adapter of rank 1 for the first matrix of a layer of attention, or else the first matrix."""
    tensors = checkpoints.read_tensors(model)
    shapes = {name: one.shape for name, one in tensors.members.items() if len(one.shape) == 2}
    attention = [name for name in shapes if "att" in name and name.endswith(".weight")]
    name = next(iter(attention or [one for one in shapes if one.endswith(".weight")]))
    rows, columns = shapes[name]
    folder.mkdir()
    described = {"peft_type": "LORA", "r": 1, "lora_alpha": 1, "bias": "none"}
    (folder / "adapter_config.json").write_text(json.dumps(described))
    path = f"base_model.model.{name.removesuffix('.weight')}"
    factors = {f"{path}.lora_A.weight": np.ones((1, columns)), f"{path}.lora_B.weight": np.ones((rows, 1))}
    checkpoints.write_safetensors(folder / "adapter_model.safetensors", factors)
    return folder


def transformed(name: str, model: Path, out: Path) -> tuple[int, str]:
    """Return the exit code of the command, and what it printed on stderr."""
    options = ["--adapter", str(adapter(out.with_name(f"{out.name} adapter"), model))] if name == "merge-lora" else []
    errors = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        code = command(["transform", "--by", name, *options, str(model), str(out)])
    return code, errors.getvalue().strip()


def answer(name: str, model: Path, folder: Path) -> tuple[str, str]:
    """Return the cell of a conversion, and why it is none other."""
    code, why = transformed(name, model, folder / name)
    if code == 0:
        return "yes", ""
    untied = folder / "untied"
    if name != "untie" and (untied.exists() or transformed("untie", model, untied)[0] == 0):
        again, _ = transformed(name, untied, folder / f"{name} untied")
        if again == 0:
            return "untied", why
    return ("no" if code == 2 else "WRONG"), why


def parser() -> Parser:
    """Return the parser of the arguments."""
    made = Parser(description=__doc__)
    made.add_argument("types", nargs="*", metavar="TYPE", help="model types; all unless given")
    made.add_argument("--reasons", action="store_true", help="print why, too")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = parser().parse_args(arguments)
    known = models()
    unknown = [name for name in options.types if name not in known]
    if unknown:
        print(f"conversions_of_families: {shorten(unknown[0])} is none of {', '.join(known)}", file=sys.stderr)
        return 2
    print(f"| model type | {' | '.join(f'`{name}`' for name in NAMES)} |\n|{'---|' * (len(NAMES) + 1)}")
    sound = True
    for kind in options.types or known:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            model = written(folder / "model", max(known[kind], key=chances))
            cells = {name: answer(name, model, folder) for name in NAMES}
        print(f"| `{kind}` | {' | '.join(cell for cell, _ in cells.values())} |", flush=True)
        sound = sound and all(cell != "WRONG" for cell, _ in cells.values())
        if options.reasons:
            for name, (_, why) in cells.items():
                if why:
                    print(f"<!-- {name}: {why} -->")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
