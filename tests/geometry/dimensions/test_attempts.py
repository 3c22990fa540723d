"""At how many points, and modulo which primes, bounds are computed; which of them are reported; and where the inputs of
one point end.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Reals, verbs
from algatt.fields import Elements
from algatt.geometry.dimensions.bounds import Attempt
from algatt.geometry.dimensions.declared import check_symmetries_by_balls, check_symmetries_over_prime
from algatt.geometry.dimensions.dimension import bounds, miss_probability
from algatt.geometry.dimensions.evidence import LowerBound, Minor, UpperBound
from algatt.geometry.dimensions.question import Options, Question

dimensions = sys.modules[bounds.__module__]

THIN = algatt.Lightning((5, 5, 5), (1, 3), 3)

LARGEST_PRIMES = (
    *(
        2147483647,
        2147483629,
        2147483587,
        2147483579,
        2147483563,
        2147483549,
        2147483543,
        2147483497,
        2147483489,
        2147483477,
        2147483423,
    ),
    *(2147483399, 2147483353),
)
"""The largest primes below 2^31, as the lists of primes have them."""


@pytest.fixture
def less_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world in which nobody knows the symmetries behind a layer of rank one, so that the bounds of `THIN` are 47 and
    53.
    """
    symmetries = verbs.symmetries
    monkeypatch.setattr(
        verbs,
        "symmetries",
        lambda arch: tuple(
            family for family in symmetries(arch) if not isinstance(family, algatt.symmetry.QuadraticForm)
        ),
    )


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The prime and the seed of each point at which a lower bound is computed."""
    seen: list[tuple[int, int]] = []
    lower_bound = dimensions.lower_bound

    def spy(question: Any, field: PrimeField, theta: Any, seed: int, *others: Any) -> LowerBound:
        seen.append((field.p, seed))
        return lower_bound(question, field, theta, seed, *others)

    monkeypatch.setattr(dimensions, "lower_bound", spy)
    return seen


@pytest.mark.usefixtures("less_known")
def test_without_a_proof_three_points_are_looked_at_whatever_error_is_allowed(points: list[tuple[int, int]]) -> None:
    report = algatt.dimension(THIN, error=0.999, seed=5)
    assert report.status == "probable"
    assert points == [(8388593, 5), (2147483647, 6), (2147483629, 7)]


@pytest.mark.sample(0)
@pytest.mark.usefixtures("less_known")
def test_twelve_points_are_looked_at_if_no_number_of_them_is_enough(points: list[tuple[int, int]]) -> None:
    report = algatt.dimension(THIN, error=1e-300)
    assert report.status == "probable"
    assert report.error > 1e-300
    assert points == [(8388593, 0), *((p, seed) for seed, p in enumerate(LARGEST_PRIMES[:11], start=1))]


@pytest.mark.sample(1)
@pytest.mark.usefixtures("less_known")
@pytest.mark.parametrize("p", [2147483647, 2147483587])
def test_no_prime_is_tried_twice(p: int, points: list[tuple[int, int]]) -> None:
    algatt.dimension(THIN, error=1e-300, field=PrimeField(p))
    assert [q for q, _ in points] == [p, *(q for q in LARGEST_PRIMES if q != p)][:12]


def attempt(lower: int, upper: int, inputs: int = 60, p: int = 8388593) -> Attempt:
    minor = Minor((), (), 1)
    return Attempt(PrimeField(p), 0, LowerBound(lower, inputs, minor), UpperBound(upper, (), minor))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ([(45, 53), (47, 53), (46, 53)], (47, 53)),
        ([(47, 53), (46, 53), (45, 53)], (47, 53)),
        ([(45, 53), (46, 53), (47, 53)], (47, 53)),
        ([(47, 54), (47, 53), (47, 55)], (47, 53)),
        ([(46, 47), (47, 53), (46, 52)], (47, 53)),
    ],
)
def test_the_better_attempt_is_kept(
    found: list[tuple[int, int]], kept: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one of the largest lower bound, and of those the one of the smallest upper bound; all count for the error.

    Schwartz-Zippel at each point: as many derivatives as the upper bound says, of degree 12 - 1 in the weights, and 60
    inputs, of degree 9. All points miss with the product of these probabilities.
    """

    def attempts(*arguments: Any) -> Iterator[Attempt]:
        yield from (attempt(*pair) for pair in found)

    monkeypatch.setattr(dimensions, "attempts", attempts)
    best, missed = bounds(Question(THIN, Options(error=0.5)), PrimeField())
    assert (best.lower.value, best.upper.value) == kept
    misses = [Fraction(upper * 11 + 60 * 9, 8388593) for _, upper in found]
    assert missed == pytest.approx(float(math.prod(misses)), rel=1e-12)


def test_a_point_over_a_bad_prime_is_made_up_for(points: list[tuple[int, int]]) -> None:
    """Modulo 2 the rank falls short at nearly every point (HMK Corollary 3.8 says 33); the report is of the point that
    proves it.
    """
    report = algatt.dimension(algatt.Lightning((4, 3, 4), (2, 2), 3), field=PrimeField(2))
    assert (report.value, report.field, report.seed) == (33, PrimeField(2147483647), 1)
    assert points == [(2, 0), (2147483647, 1)]


def test_the_probability_of_a_miss_has_a_term_of_the_weights_and_one_of_the_inputs() -> None:
    """Two layers have degree 1 + 2 + 3 * 3 = 12 in the weights and 9 in the input; a derivative has one less in the
    weights.
    """
    question = Question(THIN)
    assert miss_probability(question, attempt(47, 53, 1000)) == pytest.approx((53 * 11 + 1000 * 9) / 8388593, rel=1e-12)
    assert miss_probability(question, attempt(47, 53, 0)) == pytest.approx(53 * 11 / 8388593, rel=1e-12)
    assert miss_probability(question, attempt(47, 0, 1000, 2147483647)) == pytest.approx(
        1000 * 9 / 2147483647, rel=1e-12
    )
    assert miss_probability(question, attempt(47, 53, 10, 2)) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("dims", "ranks", "value", "first"), [((4, 2, 4), (2, 2), 26, 24), ((5, 5, 5), (1, 3), 47, 34)]
)
def test_a_float_answer_waits_until_an_input_more_changes_nothing(
    dims: tuple[int, ...], ranks: tuple[int, ...], value: int, first: int
) -> None:
    """As many rows as parameters have a rank below the dimension, and with a gap (docs/theory/rank.md has the ranks
    modulo p).
    """
    arch = algatt.Lightning(dims, ranks, 3)
    theta = algatt.sample(arch, algatt.Weights, field=Reals())
    inputs = algatt.sample_inputs(arch, field=Reals(), count=-(-arch.parameters // (dims[-1] * 3)))
    jacobian = algatt.jacobian(arch, theta, inputs)
    assert algatt.rank(jacobian / np.abs(jacobian).max(axis=1, keepdims=True)).rank == first
    assert algatt.dimension(arch, field=Reals()).value == value


@dataclass(frozen=True)
class Lopsided(algatt.architectures.AttentionNetwork):
    """A linear map of one token whose last row has all coefficients, and the others none but the first one of the first
    row.
    """

    @property
    def mask(self) -> np.ndarray:
        """One where there is a coefficient."""
        mask = np.zeros((self.dims[1], self.dims[0]), dtype=np.int64)
        mask[0, 0] = 1
        mask[-1] = 1
        return mask


class Unused(algatt.symmetry.Symmetry):
    """What is added to parameters that the function does not have."""

    name = "unused"

    @property
    def dimension(self) -> int:
        return self.arch.parameters - 1 - self.arch.dims[0]

    def element(self, theta: algatt.Weights, seed: int = 0) -> algatt.symmetry.GroupElement:
        raise NotImplementedError

    def tangent_parts(self, theta: algatt.Weights) -> list[dict[str, Elements]]:
        parts = []
        for name, element in theta.tensors.items():
            free = np.flatnonzero(np.ones(element.shape) if name != "V_1" else 1 - self.arch.mask)
            units = np.zeros((len(free), element.raw.size), dtype=np.int64)
            units[np.arange(len(free)), free] = 1
            parts.append({name: Elements.of(theta.field, units.reshape(-1, *element.shape))})
        return parts


@verbs.evaluate.method
def evaluate_lopsided(arch: Lopsided, theta: algatt.Weights, inputs: Elements) -> Elements:
    return (arch.mask * theta.layer_elements[0].V) @ inputs


@verbs.symmetries.method
def symmetries_of_lopsided(arch: Lopsided) -> tuple[algatt.symmetry.Symmetry, ...]:
    return (Unused(arch),)


@pytest.mark.parametrize("height", [2, 3, 8, 9])
@pytest.mark.parametrize("width", [2, 3, 4, 5, 6, 7, 10, 12])
def test_a_batch_of_rows_that_adds_nothing_is_no_end(width: int, height: int, points: list[tuple[int, int]]) -> None:
    """What is missing may belong to another entry of the value: all rows of a fresh input are looked at, and if one
    adds something, more inputs.

    Of 10 coefficients in the last of 8 rows, ten inputs give one, nine more one, ..., and five more, after 40, none,
    when five are missing.
    """
    report = algatt.dimension(Lopsided((width, height), (1,), 1))
    assert (report.value, report.status) == (1 + width, "proven")
    assert len(points) == 1
    assert report.samples >= max(report.evidence.lower.minor.rows) // height + 1


def test_the_lower_bound_is_the_rank_at_all_inputs_though_a_batch_adds_nothing() -> None:
    """With six coefficients in the second row the last row that is drawn is one of the first row."""
    report = algatt.dimension(Lopsided((6, 2), (1,), 1))
    rows = report.evidence.lower.minor.rows
    assert rows[-1] % 2 == 1
    assert rows[-1] // 2 == report.samples - 1  # of the fresh input after it
    assert len(set(rows)) == len(rows)


@dataclass(frozen=True)
class AlmostLightning(algatt.architectures.AttentionNetwork):
    """One lightning layer whose scores are squared but where the first entry of the input is a given number."""

    exception: int = 0


@verbs.evaluate.method
def evaluate_almost(arch: AlmostLightning, theta: algatt.Weights, inputs: Elements) -> Elements:
    (Q, K, V), X = theta.layer_elements[0], inputs
    S = (K @ X).T @ (Q @ X)
    first = np.zeros((1, arch.dims[0]), dtype=np.int64)
    first[0, 0] = 1
    token = np.zeros((arch.tokens, 1), dtype=np.int64)
    token[0, 0] = 1
    return V @ X @ S + (first @ X @ token - arch.exception) * (V @ X @ (S * S))


@verbs.members.method
def declared_of_almost(
    family: type[algatt.symmetry.KeyQuery] | type[algatt.symmetry.Rescaling], arch: AlmostLightning
) -> tuple[algatt.symmetry.Symmetry, ...]:
    return (family(arch),)


def test_a_symmetry_that_holds_at_the_first_input_alone_is_found() -> None:
    """One witness could not tell: what it sees is a polynomial in the input, which may vanish there."""
    arch = AlmostLightning((3, 3), (2,), 3)
    first = int(algatt.sample_inputs(arch, seed=4)[0, 0, 0])
    with pytest.raises(algatt.errors.SymmetryError, match="the rescaling symmetry changes the function"):
        check_symmetries_over_prime(Question(dataclasses.replace(arch, exception=first)), 4)
    ball = algatt.sample_inputs(arch, field=algatt.Balls(), seed=4)[0, 0, 0]
    scaled = AlmostOverBalls((3, 3), (2,), 3, int((ball * 2**23).unique_fmpz()))
    with pytest.raises(algatt.errors.SymmetryError, match="the rescaling symmetry changes the function"):
        check_symmetries_by_balls(Question(scaled), algatt.Balls(), 4)


@dataclass(frozen=True)
class AlmostOverBalls(AlmostLightning):
    """The same with the number in units of 2^-23."""

    algebraic = False


@verbs.evaluate.method
def evaluate_almost_over_balls(arch: AlmostOverBalls, theta: algatt.Weights, inputs: Elements) -> Elements:
    Q, K, V = theta.elements
    small = algatt.Weights((Q, K, V))
    return verbs.evaluate(AlmostLightning(arch.dims, arch.ranks, arch.tokens, arch.exception), small, inputs * 2**23)
