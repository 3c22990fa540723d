"""Symmetries that an architecture declares and does not have are found wherever in the value they show, over GF(p) and
over balls.
"""

from __future__ import annotations

from dataclasses import dataclass

import flint
import numpy as np
import pytest

import algatt
from algatt import Balls, Normalized, Reals, Softmax, verbs
from algatt.fields import Elements, PrimeField
from algatt.geometry.dimensions.declared import check_symmetries_by_balls, check_symmetries_over_prime
from algatt.geometry.dimensions.question import Question
from algatt.layers import Affine, Power

Declared = type[algatt.symmetry.KeyQuery] | type[algatt.symmetry.Rescaling]


@dataclass(frozen=True)
class SquaredSomewhere(algatt.architectures.AttentionNetwork):
    """One lightning layer whose scores are squared in one entry of the value, so that a factor cannot move from the
    scores to the values.
    """

    place: int = -1

    @property
    def mask(self) -> np.ndarray:
        """One at the place, zero elsewhere."""
        mask = np.zeros(self.dims[-1] * self.tokens, dtype=np.int64)
        mask[self.place] = 1
        return mask.reshape(self.dims[-1], self.tokens)


@verbs.evaluate.method
def evaluate_squared(arch: SquaredSomewhere, theta: algatt.Weights, inputs: Elements) -> Elements:
    (Q, K, V), X = theta.layer_elements[0], inputs
    S = (K @ X).T @ (Q @ X)
    return (1 - arch.mask) * (V @ X @ S) + arch.mask * (V @ X @ (S * S))


@verbs.members.method
def declared_of_squared(family: Declared, arch: SquaredSomewhere) -> tuple[algatt.symmetry.Symmetry, ...]:
    return (family(arch),)


@dataclass(frozen=True)
class SquaredAndSmall(SquaredSomewhere):
    """The same over the reals alone, where all other entries of the value are larger by many powers of two."""

    power: int = 0

    algebraic = False


@verbs.evaluate.method
def evaluate_small(arch: SquaredAndSmall, theta: algatt.Weights, inputs: Elements) -> Elements:
    (Q, K, V), X = theta.layer_elements[0], inputs
    S = (K @ X).T @ (Q @ X)
    return (1 - arch.mask) * 2**arch.power * (V @ X @ S) + arch.mask * (V @ X @ (S * S))


FALSE = pytest.raises(
    algatt.errors.SymmetryError,
    match="the rescaling symmetry changes the function to first order, so it is no sym",
)


def rank_by_flint(arch: algatt.architectures.Architecture) -> int:
    """The rank of the Jacobian at many inputs, by FLINT."""
    field = PrimeField(2147483647)
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=41)
    matrix = np.array(algatt.jacobian(arch, theta, algatt.sample_inputs(arch, field=field, seed=41, count=20)))
    return int(flint.nmod_mat(*matrix.shape, [int(x) for x in matrix.ravel()], field.p).rank())


@pytest.mark.parametrize("place", range(9))
def test_a_symmetry_that_one_entry_of_the_value_breaks_is_found(place: int) -> None:
    """Of 21 parameters only the key-query gauge takes four away; with the rescaling, 16 would be proven."""
    arch = SquaredSomewhere((3, 3), (2,), 3, place)
    assert rank_by_flint(arch) == 17
    for seed in range(3):
        with FALSE:
            algatt.dimension(arch, seed=seed)


def test_no_answer_is_given_with_a_false_symmetry() -> None:
    arch = SquaredSomewhere((3, 3), (2,), 3)
    for field in (PrimeField(2), PrimeField(2147483647), Balls(), Reals()):
        with FALSE:
            algatt.dimension(arch, field=field)
    with FALSE:
        algatt.jacobian_spectrum(arch)
    with FALSE:
        algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights))
    with FALSE:
        algatt.dimension(SquaredAndSmall((3, 3), (2,), 3), field=Reals())


@pytest.mark.parametrize("power", [0, 20, 60])
@pytest.mark.parametrize("place", [0, 4, 8])
def test_over_balls_a_small_entry_is_seen_beside_large_ones(place: int, power: int) -> None:
    with FALSE:
        algatt.dimension(SquaredAndSmall((3, 3), (2,), 3, place, power))


@pytest.mark.parametrize("bits", [24, 128])
@pytest.mark.parametrize(
    "arch",
    [
        Softmax((4, 3, 4), (2, 2), 3),
        Softmax((3, 2, 5, 4), (2, 2, 2), 3),  # behind a narrow layer
        Softmax((6, 4, 1), (2, 1), 3),  # before one
        Normalized((2, 4, 1, 3), (1, 3, 2), 2, Affine(1, 0)),  # every family of normalised networks
        Normalized((3, 3, 3), (1, 2), 3, Power(3)),
        algatt.Lightning((2, 4, 1, 3), (1, 3, 2), 2),  # a quadratic form
    ],
    ids=str,
)
def test_true_symmetries_raise_no_alarm(arch: algatt.architectures.Architecture, bits: int) -> None:
    """However wide the balls are at first."""
    for seed in range(3):
        check_symmetries_by_balls(Question(arch), Balls(bits), seed)
        if arch.algebraic:
            check_symmetries_over_prime(Question(arch), seed)


@pytest.mark.parametrize("bits", [2, 16, 24])
def test_balls_are_made_narrower_until_small_entries_are_seen(bits: int) -> None:
    """No denominator asks for more bits here; with these the derivative along the false symmetry is nothing but the
    width of the others.
    """
    for place in (0, 8):
        with FALSE:
            check_symmetries_by_balls(Question(SquaredAndSmall((3, 3), (2,), 3, place, 60)), Balls(bits), 0)


def test_wide_balls_are_made_narrower_until_they_decide() -> None:
    """With 2 bits the derivatives of this network along anything may be zero."""
    arch = Softmax((4, 3, 2, 1), (1, 1, 1), 3)
    method = verbs.symmetries
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verbs, "symmetries", lambda arch: (*method(arch), algatt.symmetry.Rescaling(arch)))
        with FALSE:
            check_symmetries_by_balls(Question(arch), Balls(2), 0)


@dataclass(frozen=True)
class Nowhere(algatt.architectures.AttentionNetwork):
    """A network that has no value at any input."""


@verbs.evaluate.method
def evaluate_nowhere(arch: Nowhere, theta: algatt.Weights, inputs: Elements) -> Elements:
    return inputs / (inputs * 0)


def test_a_network_without_values_is_refused_and_not_passed() -> None:
    with pytest.raises(algatt.errors.DivisionByZero, match="a denominator vanishes at each of 1000 random inputs"):
        check_symmetries_over_prime(Question(Nowhere((3, 3), (2,), 3)), 0)
