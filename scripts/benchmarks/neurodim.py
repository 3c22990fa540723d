"""Whole dimensions beside the method of NeuroDim: the rank of a Jacobian that torch computes in floating point.

Random normal weights and inputs, the Jacobian by automatic differentiation, and ``torch.linalg.matrix_rank`` with its
own tolerance. Written from this description, for the published settings. The proven value of `algatt.dimension` says
who is right.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import time
from collections.abc import Sequence
from typing import Any

import algatt
from benchmarks.figures import Figure, median_of
from benchmarks.others import say
from benchmarks.plan import Plan

__all__ = ["SETTINGS", "Answer", "figures_of", "measure"]

TOKENS = 3

INPUTS = 250
"""As many as the paper's Figure 3 takes."""

SEEDS = range(5)

SETTINGS = (
    *(algatt.Lightning((4,) * 4, (a,) * 3, TOKENS) for a in range(1, 5)),
    *(algatt.Lightning((d,) * 3, (2,) * 2, TOKENS) for d in range(3, 11)),
)

PRECISIONS = ("float32", "float64")

Answer = tuple[int, float]
"""A dimension and the seconds that it took."""


def measure(plan: Plan) -> list[Figure]:
    """Measure every setting with every seed, or the first three with two seeds if quick; ours alone without torch."""
    with_torch = importlib.util.find_spec("torch") is not None
    if not with_torch:
        say("torch is not installed: NeuroDim's method is left out")
    figures = []
    seeds = SEEDS[:2] if plan.quick else SEEDS
    warm(SETTINGS[0], with_torch)
    for arch in SETTINGS[:3] if plan.quick else SETTINGS:
        say(f"{case_of(arch)}")
        ours = [proven_dimension(arch, seed) for seed in seeds]
        theirs = (
            {precision: [float_dimension(arch, seed, precision) for seed in seeds] for precision in PRECISIONS}
            if with_torch
            else {}
        )
        figures += figures_of(case_of(arch), ours, theirs)
    return figures


def warm(arch: algatt.Lightning, with_torch: bool) -> None:
    """Import and compile what the first call of each would, so that it is not in its time."""
    proven_dimension(arch, 0)
    if with_torch:
        float_dimension(arch, 0, "float32")


def case_of(arch: algatt.Lightning) -> str:
    """Name a setting."""
    return f"dims {','.join(map(str, arch.dims))} ranks {','.join(map(str, arch.ranks))}"


def proven_dimension(arch: algatt.Lightning, seed: int) -> Answer:
    """Compute a dimension with proof.

    Raises
    ------
    ArithmeticError
        If it is not proven.
    """
    began = time.perf_counter()
    report = algatt.dimension(arch, seed=seed)
    if report.status != "proven":
        raise ArithmeticError(f"the dimension of {arch} is {report.status}, not proven")
    return report.value, time.perf_counter() - began


def float_dimension(arch: algatt.Lightning, seed: int, precision: str) -> Answer:
    """Compute the rank of the Jacobian in floating point."""
    torch: Any = importlib.import_module("torch")
    began = time.perf_counter()
    dtype = getattr(torch, precision)
    generator = torch.Generator().manual_seed(seed)
    shapes = [
        shape
        for d, e, a in zip(arch.dims[:-1], arch.dims[1:], arch.ranks, strict=True)
        for shape in ((a, d), (a, d), (e, d))
    ]
    weights = tuple(torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes)
    inputs = torch.randn((INPUTS, arch.dims[0], arch.tokens), generator=generator, dtype=dtype)

    def values(weights: Any, tokens: Any) -> Any:
        for Q, K, V in zip(weights[::3], weights[1::3], weights[2::3], strict=True):
            tokens = V @ tokens @ (K @ tokens).T @ (Q @ tokens)
        return tokens.flatten()

    parts = torch.func.vmap(torch.func.jacrev(values), in_dims=(None, 0))(weights, inputs)
    rows = inputs.shape[0] * arch.dims[-1] * arch.tokens
    matrix = torch.cat([part.reshape(rows, -1) for part in parts], dim=1)
    rank = int(torch.linalg.matrix_rank(matrix))
    return rank, time.perf_counter() - began


def figures_of(case: str, ours: Sequence[Answer], theirs: dict[str, list[Answer]]) -> list[Figure]:
    """Compare the answers of all seeds.

    Raises
    ------
    ArithmeticError
        If two proven dimensions differ.
    """
    truth, *others = {value for value, _ in ours}
    if others:
        raise ArithmeticError(f"{case}: two proven dimensions differ")
    figures = [
        Figure("proven", truth, "dimension", len(ours), case=case),
        median_of("algatt", [seconds for _, seconds in ours], "s", case=case),
    ]
    for precision, answers in theirs.items():
        values = [value for value, _ in answers]
        figures.append(median_of(precision, values, "dimension", case=case))
        figures.append(
            Figure(
                f"{precision} right",
                sum(value == truth for value in values),
                f"of {len(values)}",
                len(values),
                case=case,
            )
        )
        figures.append(median_of(f"torch {precision}", [seconds for _, seconds in answers], "s", case=case))
        figures.append(Figure(f"torch {precision} / ours", median_ratio(answers, ours), "x", len(values), case=case))
    return figures


def median_ratio(one: Sequence[Answer], other: Sequence[Answer]) -> float:
    """Return the ratio of the medians of the seconds."""
    return statistics.median(seconds for _, seconds in one) / statistics.median(seconds for _, seconds in other)
