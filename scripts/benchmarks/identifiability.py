"""Equal and different functions, and functions recovered from their values: how many answers are right, and how long
they take.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import algatt
from benchmarks.figures import Figure, median_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import clock, seconds_of

__all__ = ["measure"]

PAIRS = 1000

CONDITION = 1e4
"""Condition number of every matrix of the group elements over the reals."""

PRECISION = 1e-8

LARGE = algatt.Lightning(dims=(64, 64, 64), ranks=(16, 16), tokens=4)

WIDE: dict[str, tuple[algatt.Lightning | algatt.Normalized, algatt.fields.Field]] = {
    "lightning, 1 layer": (algatt.Lightning((256, 256), (64,), 4), algatt.PrimeField()),
    "lightning, 3 layers": (algatt.Lightning((256,) * 4, (64,) * 3, 4), algatt.PrimeField()),
    "affine scores, 3 layers": (
        algatt.Normalized((256,) * 4, (64,) * 3, 4, algatt.layers.Affine(1, 1)),
        algatt.PrimeField(),
    ),
    "lightning, 1 layer of floats": (algatt.Lightning((256, 256), (64,), 4), algatt.Reals()),
    "lightning, 3 layers of floats": (algatt.Lightning((256,) * 4, (64,) * 3, 4), algatt.Reals()),
    "softmax, 1 layer": (algatt.Softmax((256, 256), (64,), 4), algatt.Reals()),
    "softmax, 3 layers": (algatt.Softmax((256,) * 4, (64,) * 3, 4), algatt.Reals()),
}
"""Networks of width 256, with the fields of their weights."""

ONE_LAYER = algatt.Lightning(dims=(8, 8), ranks=(4,), tokens=3)

TWO_LAYERS = algatt.Lightning(dims=(4, 4, 4), ranks=(2, 2), tokens=3)


def measure(plan: Plan) -> list[Figure]:
    """Count right answers among random pairs, a tenth of them if quick, and time large cases."""
    pairs = PAIRS // 10 if plan.quick else PAIRS
    return [
        *over_prime_field(pairs),
        *over_reals(pairs),
        large_case(plan.runs),
        *wide_cases(plan.runs),
        *identifications(plan.runs),
    ]


def architectures(count: int) -> Iterator[algatt.Lightning]:
    """Iterate over random networks of 1 to 3 layers within the hypotheses of HMK Theorems 3.2 and 3.7 and Lemma 3.5,
    widths and ranks up to 6.
    """
    rng = np.random.default_rng(0)
    for _ in range(count):
        layers = int(rng.integers(1, 4))
        delta = int(rng.integers(1 if layers == 1 else 2, 7))
        first, last = (int(width) for width in rng.integers(delta, 7, 2))
        ranks = tuple(int(rank) for rank in rng.integers(1 if layers == 1 else 2, 7, layers))
        yield algatt.Lightning((first, *(delta,) * (layers - 1), last), ranks, int(rng.integers(2, 5)))


def symmetries_of(arch: algatt.Lightning) -> tuple[Any, ...]:
    """Return the gauges and the rescalings."""
    return algatt.symmetry.KeyQuery(arch), algatt.symmetry.Interlayer(arch), algatt.symmetry.Rescaling(arch)


def over_prime_field(pairs: int) -> list[Figure]:
    """Count the recovered elements and the separated points over GF(8388593)."""
    say(f"{pairs} pairs over a prime field")
    recovered = separated = 0
    began = clock()
    for seed, arch in enumerate(architectures(pairs)):
        theta = algatt.sample(arch, algatt.Weights, seed=seed)
        element = algatt.symmetry.ProductElement(
            tuple(family.element(theta, seed + 1) for family in symmetries_of(arch))
        )
        moved = algatt.act(element, theta)
        recovered += is_recovered(arch, theta, moved, element)
        separated += is_separated(arch, theta, off_by_one_entry(arch, moved, seed))
    seconds = clock() - began
    return [
        Figure("g theta: g recovered exactly", recovered, "pairs", pairs, target=pairs, at_least=True),
        Figure("one entry off: separated by an input", separated, "pairs", pairs, target=pairs, at_least=True),
        Figure("one decision", seconds / (2 * pairs), "s", 2 * pairs),
    ]


def is_recovered(arch: algatt.Lightning, theta: Any, moved: Any, element: algatt.symmetry.ProductElement) -> bool:
    """Return whether the answer is an element that carries theta there: the very one that was used, where the action is
    free.
    """
    answer = algatt.same_function(arch, theta, moved)
    if (
        not answer.equal
        or answer.status != "proven"
        or answer.coordinates is not algatt.Weights
        or algatt.act(answer.element, theta) != moved
    ):
        return False
    free = all(a <= d for a, d in zip(arch.ranks, arch.dims, strict=False))
    moving = [factor for factor in element.factors if factor.matrices]  # of one layer nothing lies between layers
    return not free or all(answer.element.factor(type(factor.family)) == factor for factor in moving)


def off_by_one_entry(arch: algatt.Lightning, theta: Any, seed: int) -> Any:
    """Add one to a random entry."""
    vector = algatt.flatten(theta).copy()
    position = int(np.random.default_rng(seed).integers(len(vector)))
    vector[position] += type(vector)(1)
    return algatt.unflatten(arch, algatt.Weights, vector)


def is_separated(arch: algatt.Lightning, theta: Any, other: Any) -> bool:
    """Return whether the answer is an input at which the values differ."""
    answer = algatt.same_function(arch, theta, other)
    if answer.equal:
        return False
    X = answer.separating_input
    return bool((algatt.evaluate(arch, theta, X) != algatt.evaluate(arch, other, X)).any())


def conditioned(size: int, rng: np.random.Generator) -> np.ndarray:
    """Return a random matrix with singular values from 1 down to 1 / CONDITION."""
    left, right = (np.linalg.qr(rng.standard_normal((size, size)))[0] for _ in range(2))
    matrix: np.ndarray = left * np.geomspace(1, 1 / CONDITION if size > 1 else 1, size) @ right
    return matrix


def over_reals(pairs: int) -> list[Figure]:
    """Recover elements of ill-conditioned matrices; the error is that of the parameters onto which they carry, relative
    in each matrix.
    """
    say(f"{pairs} pairs over the reals")
    errors = []
    for seed, arch in enumerate(architectures(pairs)):
        rng = np.random.default_rng(seed)
        theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed)
        element = algatt.symmetry.ProductElement(
            (
                algatt.symmetry.KeyQuery(arch).of([conditioned(a, rng) for a in arch.ranks]),
                algatt.symmetry.Interlayer(arch).of([conditioned(d, rng) for d in arch.dims[1:-1]]),
                algatt.symmetry.Rescaling(arch).of(
                    [rng.uniform(0.1, 10, (1, 1)) * rng.choice([-1, 1]) for _ in arch.ranks]
                ),
            )
        )
        errors.append(error_over_reals(arch, theta, algatt.act(element, theta)))
    within = sum(error <= PRECISION for error in errors)
    return [
        Figure(
            f"over the reals, condition 10^4: recovered to {PRECISION:g}",
            within,
            "pairs",
            pairs,
            target=pairs,
            at_least=True,
        ),
        median_of("relative error of these", errors, ""),
    ]


def error_over_reals(arch: algatt.Lightning, theta: Any, moved: Any) -> float:
    """Return the largest relative error of a matrix, or infinity if no element was found."""
    try:
        answer = algatt.same_function(arch, theta, moved)
    except algatt.errors.EquivalenceUndecided:
        return np.inf
    if not answer.equal or answer.coordinates is not algatt.Weights:
        return np.inf
    back = algatt.act(answer.element, theta)
    ends = zip(back.elements, moved.elements, strict=True)
    return max(float(np.linalg.norm(one.raw - two.raw) / np.linalg.norm(two.raw)) for one, two in ends)


def large_case(runs: int) -> Figure:
    """Time the decision for a network of width 64."""
    theta = algatt.sample(LARGE, algatt.Weights, seed=0)
    moved = theta
    for family in symmetries_of(LARGE):
        moved = algatt.act(family.element(theta, 1), moved)
    seconds = [seconds_of(lambda: algatt.same_function(LARGE, theta, moved)) for _ in range(runs)]
    return median_of("same_function, dims 64,64,64, ranks 16,16", seconds, "s", 1.0)


def wide_cases(runs: int) -> Iterator[Figure]:
    """Time the decision for networks of width 256: for weights moved by the gauges, and for other ones."""
    for name, (arch, field) in WIDE.items():
        say(f"same_function, width 256: {name} over {field}")
        theta, other = (algatt.sample(arch, algatt.Weights, field=field, seed=seed) for seed in (0, 1))
        moved = theta
        for family in algatt.symmetries(arch):
            moved = algatt.act(family.element(theta, 1), moved)
        for kind, second in (("equal", moved), ("different", other)):
            algatt.same_function(arch, theta, second)  # loads what is loaded once
            seconds = [seconds_of(partial(algatt.same_function, arch, theta, second)) for _ in range(runs)]
            yield median_of(f"same_function, width 256, ranks 64, {name}: {kind}", seconds, "s", 1.0)


def identifications(runs: int) -> list[Figure]:
    """Time the recovery of one layer and of two layers from values over GF(8388593)."""
    figures = []
    for arch, target in ((ONE_LAYER, 5.0), (TWO_LAYERS, 60.0)):
        say(f"identify {arch}")
        theta = algatt.sample(arch, algatt.Weights, seed=0)
        oracle = algatt.parametrization(arch, algatt.Weights)(theta)
        seconds = []
        right = 0
        for _ in range(runs):
            began = clock()
            found = algatt.identify(oracle, arch)
            seconds.append(clock() - began)
            right += found.theta is not None and algatt.same_function(arch, theta, found.theta).equal
        name = f"identify {arch.layers} layer{'s' if arch.layers > 1 else ''}, d = {arch.dims[0]}, a = {arch.ranks[0]}"
        figures.append(median_of(f"{name}: time", seconds, "s", target))
        figures.append(Figure(f"{name}: exactly right", right, "runs", runs, target=runs, at_least=True))
    return figures
