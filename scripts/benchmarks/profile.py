"""Where the processor time of a dimension goes, by stage and by what is done there."""

from __future__ import annotations

import cProfile
import functools
import resource
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np

import algatt
from algatt import layers, verbs
from algatt.geometry.dimensions import bounds
from algatt.geometry.dimensions import dimension as over_primes
from algatt.geometry.dimensions.elementary import dimension as over_elementary
from algatt.linalg.engines import RowSpace
from benchmarks.figures import Figure
from benchmarks.others import say
from benchmarks.plan import Plan

__all__ = ["measure"]

PRODUCTS = {("product.py", "matrix_product"), ("arithmetic.py", "subtract_rows")}
"""Functions whose own time is that of the products which they ask numpy for, which no profiler of Python sees."""

REDUCTIONS = {"reduce_floats", "canonical", "balance", "unbalance", "subtract_reduced", "subtract_limbs", "centre"}

COPIES = {
    ("elimination.py", "eliminate_working"),
    ("elimination.py", "reduce"),
    ("bounds.py", "lower_bound"),
    ("gradient.py", "rows_by_adjoints"),
    ("gradients.py", "pull_back_at_places"),
    ("base.py", "stack_tangents"),
}
COPIED = {"copy", "reshape", "astype", "ascontiguousarray", "concatenate", "hstack", "take", "stack"}

BLOCK = layers.Residual(
    layers.RMSNorm() >> layers.Heads(4, key_heads=2, mask=layers.Causal(), position=layers.Rotary())
) >> layers.Residual(layers.RMSNorm() >> layers.Feedforward(16, layers.SiLU(), gated=True))


def architectures(quick: bool) -> dict[str, Any]:
    """Return the networks by their names, the smallest alone if quick."""
    sizes = (16,) if quick else (16, 32, 64)
    square = [((d, d, d), (d // 2, d // 2), 4) for d in sizes]
    return {
        **{f"lightning {one[0][0]}": algatt.Lightning(*one) for one in square},
        **{f"softmax {one[0][0]}": algatt.Softmax(*one) for one in square},
        **{
            f"block {width}": algatt.Network(BLOCK, tokens=4, width=width) for width in (16, 32)[: 1 if quick else None]
        },
    }


class Stages:
    """Profiles of the parts of a computation, of which the innermost one runs."""

    def __init__(self) -> None:
        self.profiles: dict[str, cProfile.Profile] = {}
        self.open: list[str] = []

    def inside(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is profiled as a stage."""

        @functools.wraps(function)
        def measured(*arguments: Any, **options: Any) -> Any:
            self.enter(name)
            try:
                return function(*arguments, **options)
            finally:
                self.leave()

        return measured

    def enter(self, name: str) -> None:
        """Begin a stage; the one around it waits."""
        if self.open:
            self.profiles[self.open[-1]].disable()
        self.open.append(name)
        self.profiles.setdefault(name, cProfile.Profile(time.process_time)).enable()

    def leave(self) -> None:
        """End a stage."""
        self.profiles[self.open.pop()].disable()
        if self.open:
            self.profiles[self.open[-1]].enable()


def kind_of(code: Any) -> str:
    """Say what a function does, by its file and name; of built-in ones the profiler knows a text alone."""
    if isinstance(code, str):
        return "copies" if any(f"'{name}'" in code or f".{name}" in code for name in COPIED) else "other"
    path = PurePath(code.co_filename)
    if {"numba", "llvmlite"} & set(path.parts):
        return "compilation"
    if "importlib" in code.co_filename:
        return "import"
    if (path.name, code.co_name) in PRODUCTS:
        return "products"
    if code.co_name in REDUCTIONS:
        return "reductions"
    return "copies" if (path.name, code.co_name) in COPIES else "other"


STAGES = (
    (over_primes, "check_symmetries_over_prime", "check of symmetries"),
    (over_elementary, "check_symmetries_at_places", "check of symmetries"),
    (over_elementary, "conditions_of", "conditions"),
    (over_primes, "upper_bound", "upper bound"),
    (over_elementary, "upper_bound", "upper bound"),
    (RowSpace, "grow", "elimination"),
)
"""Where functions are found, and the stages that they are."""

KINDS = ("products", "reductions", "copies", "other", "import", "compilation")


def profile(arch: Any) -> dict[tuple[str, str], float]:
    """Return the seconds of each stage of a proof in each kind of work."""
    stages = Stages()
    patched = [(where, name, getattr(where, name)) for where, name, _ in STAGES]
    for where, name, stage in STAGES:
        setattr(where, name, stages.inside(stage, getattr(where, name)))
    bounds.verbs = Instead(verbs, gradients_where_defined=stages.inside("rows", verbs.gradients_where_defined))
    try:
        report = stages.inside("else", algatt.dimension)(arch, points=algatt.geometry.RandomPoints())
    finally:
        bounds.verbs = verbs
        for where, name, function in patched:
            setattr(where, name, function)
    if report.status != "proven":
        raise ArithmeticError(f"{arch}: {report.status}, not proven")
    seconds: dict[tuple[str, str], float] = defaultdict(float)
    for stage, one in stages.profiles.items():
        for entry in one.getstats():
            seconds[stage, kind_of(entry.code)] += entry.inlinetime
    seconds["rank", ""] = report.value
    return seconds


class Instead:
    """A module with some of its names replaced."""

    def __init__(self, module: Any, **names: Any) -> None:
        self.module = module
        self.__dict__.update(names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)


def processor_seconds(call: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def measure(plan: Plan) -> list[Figure]:
    """Measure one proof of each network, beside the rank of a random square matrix as large as its dimension; numba is
    loaded before, except for what it compiles.
    """
    warm_up()
    figures = []
    for name, arch in architectures(plan.quick).items():
        case = f"{name}, {arch.parameters} parameters"
        say(case)
        seconds = profile(arch)
        size = int(seconds.pop(("rank", "")))
        total = sum(seconds.values())
        matrix = random_matrix(size)
        beside = processor_seconds(lambda matrix=matrix: algatt.rank(matrix))
        for stage in dict.fromkeys(stage for stage, _ in seconds):
            of_stage = sum(value for (one, _), value in seconds.items() if one == stage)
            figures.append(Figure(stage, of_stage, "s", 1, case=case))
        for kind in KINDS:
            of_kind = sum(value for (_, one), value in seconds.items() if one == kind)
            figures.append(Figure(kind, 100 * of_kind / total, "%", 1, case=case))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        figures += [
            Figure("all", total, "s", 1, case=case),
            Figure("rank of a random matrix", beside, "s", 1, case=case),
            Figure("all / rank", total / beside, "x", 1, case=case),
            Figure("dimension", float(size), "dimension", 1, size, size, case=case),
            Figure("peak so far", peak, "MB", 1, case=case),
        ]
    return figures


def warm_up() -> None:
    """Load what is loaded once."""
    algatt.rank(random_matrix(1200))
    for arch in (algatt.Lightning((4, 4, 4), (2, 2), 3), algatt.Softmax((4, 4, 4), (2, 2), 3)):
        algatt.dimension(arch, points=algatt.geometry.RandomPoints())


def random_matrix(size: int) -> Any:
    """Return a random square matrix over the default field."""
    field = algatt.PrimeField()
    return field.galois(np.random.default_rng(0).integers(0, field.p, (size, size)))
