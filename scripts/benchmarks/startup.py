"""What it costs to start: ``import algatt`` beside ``import numpy``, and ``algatt --help``, each as a whole process
with compiled bytecode.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence

from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, run_program

__all__ = ["measure"]

COMMANDS = {
    "import numpy": ("-c", "import numpy"),
    "import algatt": ("-c", "import algatt"),
    "algatt --help": ("-m", "algatt", "--help"),
}

MOST_TIMES_NUMPY = 1.0

HELP_SECONDS = 0.5


def measure(plan: Plan) -> list[Figure]:
    """Measure the three processes in turn; they are short, so there are three times as many runs unless quick.

    An installed package has its bytecode beside its source, a checkout need not. So every process finds the bytecode of
    all its modules in one folder, which the first round, not counted, fills.
    """
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
        calls = {name: process(command, environment) for name, command in COMMANDS.items()}
        seconds = interleaved(calls, plan.runs if plan.quick else 3 * plan.runs)
    return [
        median_of("import numpy", seconds["import numpy"], "s"),
        median_of("import algatt", seconds["import algatt"], "s"),
        ratio_of("import algatt / import numpy", seconds["import algatt"], seconds["import numpy"], MOST_TIMES_NUMPY),
        median_of("algatt --help", seconds["algatt --help"], "s", HELP_SECONDS),
    ]


def process(command: Sequence[str], environment: Mapping[str, str]) -> Callable[[], float]:
    """Return a call that runs the interpreter with a command in an environment and returns the time it took."""
    return lambda: run_program([sys.executable, *command], environment).seconds
