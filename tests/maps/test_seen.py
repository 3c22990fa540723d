"""The numbers that a function sees of its weights, and their derivatives, held against differences modulo p^2."""

from __future__ import annotations

import functools
import operator
import tracemalloc

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Tangents, Virtual
from algatt.fields.tangents import TooManyTangents
from algatt.fields.virtual import spanning
from algatt.fields.virtual.field import written
from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    Rational,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftmaxRouter,
    Unembedding,
    Unnormalized,
)
from algatt.maps import seen as module
from algatt.maps.seen import equal_by_accident, seen_numbers, seen_of
from algatt.maps.virtual_form import virtual_value
from modulo_square import ModuloSquare

P = 2147483587

MANY = 2**40

NETWORKS = [
    Network(Linear(3) >> Linear(2), tokens=2, width=3),
    Network(Heads(2, width=1, score=Unnormalized()), tokens=2, width=3),
    Network(Heads(1, score=Unnormalized()) >> Heads(1, width=1, score=Unnormalized()), tokens=3, width=2),
    Network(Residual(Heads(2, mask=Causal(), biases="QKVO", position=Rotary(width=2))), tokens=3, width=4),
    Network(Residual(RMSNorm() >> Heads(2, width=2, key_heads=1, position=ALiBi())), tokens=3, width=3),
    Network(Residual(LayerNorm() >> Feedforward(3, GELU(), bias=True)), tokens=2, width=3),
    Network(Residual(RMSNorm() >> Feedforward(2, SiLU(), gated=True)) >> RMSNorm(), tokens=2, width=3),
    Network(Feedforward(2, Rational((1, 0, 1), (2, 1))) >> Linear(2), tokens=2, width=2),
    Network(Heads(1, width=2, score=Rational((1, 1), (3, 0, 1))) >> Feedforward(2, ReLU()), tokens=2, width=2),
    Network(Residual(Experts(2, Feedforward(2, SiLU()), SoftmaxRouter(top=1))), tokens=2, width=3),
    Network(Embedding(4, 3) >> Residual(Heads(1, width=2)) >> LayerNorm() >> Unembedding(4), tokens=2),
]


def numbers_modulo_square(net: Network, point: np.ndarray) -> np.ndarray:
    """Return what is seen of integers modulo p^2."""
    ring = ModuloSquare(P)
    names, shapes = zip(*algatt.coordinates(net).items(), strict=True)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    pieces = zip(np.split(point, ends), shapes, strict=True)
    theta = Weights(tuple(Elements(ring, piece.reshape(shape) % P**2) for piece, shape in pieces), names)
    field = Virtual(ring)
    value = virtual_value(field, net, theta)
    assert value is not None
    return np.concatenate([one.raw.ravel() for one in seen_numbers(field, value)])


@pytest.mark.sample(3)
@pytest.mark.parametrize("net", NETWORKS, ids=str)
@pytest.mark.parametrize(("directions", "rows"), [(128, 256), (5, 256), (128, 2)])
def test_derivatives_are_differences(net: Network, directions: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of streams that many layers wrote, the row form is seen; they are cut everywhere if two rows are many."""
    monkeypatch.setattr(module, "DIRECTIONS", directions)
    monkeypatch.setattr(spanning, "MOST_ROWS", rows)
    theta = algatt.sample(net, Weights, field=PrimeField(P), seed=1)
    seen = seen_of(net, theta, MANY)
    assert seen is not None
    point = np.concatenate([one.raw.ravel() for one in theta.elements]).astype(np.int64).astype(object)
    start = numbers_modulo_square(net, point)
    rng = np.random.default_rng(0)
    for _ in range(3):
        v = rng.integers(0, P, len(point)).astype(object)
        difference = (numbers_modulo_square(net, point + P * v) - start) % P**2
        assert not (difference % P).any()
        along = seen.jacobian.raw.astype(np.int64).astype(object) @ v % P
        difference //= P
        assert difference[difference != 0].tolist() == along[along != 0].tolist()


def test_entries_have_degrees_of_numerators_and_denominators() -> None:
    """Zero has the degree minus infinity, and the denominator of a factor of zero does not count."""
    ring = Tangents(PrimeField(P), 1)
    x, y, z = (
        Elements(ring, ring.array(np.full((1, 1), n), None, degree, 0)) for n, degree in ((2, 1), (3, 2), (5, 4))
    )
    found = [x / y + z, x / y * z, 1 / (x / y), x * 0, x + 0]
    degrees = [(float(one.raw["above"][0, 0]), float(one.raw["below"][0, 0])) for one in found]
    assert degrees == [(6, 2), (5, 2), (2, 1), (-np.inf, 0), (1, 0)]
    both = algatt.fields.concatenate([x / y, z])
    product = np.array([[1, 0], [1, 1]]) @ both
    assert product.raw["below"].tolist() == [[2], [2]]
    assert product.raw["above"].tolist() == [[6], [6]]
    assert (np.array([[0, 1]]) @ both).raw["below"].tolist() == [[0]]


def test_numbers_are_equal_where_their_values_are() -> None:
    ring = Tangents(PrimeField(7), 1)
    one, other = (Elements(ring, ring.array(np.ones((1, 1)), np.full((1, 1, 1), n), n, 0)) for n in (1, 2))
    assert written(one) == written(other) != written(one * 2)
    assert hash(written(one)) == hash(written(other))


def test_what_is_too_large_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    net = NETWORKS[0]
    theta = algatt.sample(net, Weights, field=PrimeField(P), seed=0)
    assert seen_of(net, theta, 6 * 15 - 1) is None
    assert seen_of(net, theta, 6 * 15) is not None
    monkeypatch.setattr(module, "MOST_TANGENTS", 100)
    with pytest.raises(TooManyTangents, match="more than 100 derivatives"):
        seen_of(net, theta, MANY)


def test_large_products_are_refused_before_they_are_computed() -> None:
    """With all tangents the product would have 2 GB; zeros between atoms count as well."""
    ring = Tangents(PrimeField(P), 64, 10**7)
    small = Tangents(PrimeField(P), 2, 20)
    small.array(np.ones(6), None, 0, 0)
    with pytest.raises(TooManyTangents):  # all arrays together are counted
        small.array(np.ones(6), None, 0, 0)
    column = Elements(ring, ring.array(np.ones((2000, 1)), np.ones((2000, 1, 64)), 1, 0))
    tracemalloc.start()
    for operation in (operator.matmul, operator.mul):
        with pytest.raises(TooManyTangents, match="more than 10000000 derivatives"):
            operation(column, column.T)
    field = Virtual(ring)
    atoms = [field.atom(name, 2000) for name in ("one", "two")]
    with pytest.raises(TooManyTangents):
        spanning.side_by_side(field, atoms, {}, 2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e8


@pytest.mark.parametrize("length", [1, 2, 3])
def test_products_of_weights_are_tested_for_zero(length: int) -> None:
    """The product of k matrices is zero where polynomials of degree k are."""
    net = Network(functools.reduce(operator.rshift, [Linear(2)] * length), tokens=2, width=2)
    seen = seen_of(net, algatt.sample(net, Weights, field=PrimeField(P), seed=0), MANY)
    assert seen is not None
    assert (seen.accidents, seen.degree) == (length * (length + 1) / 2, length)


@pytest.mark.parametrize("neurons", [1, 2, 3, 4])
@pytest.mark.parametrize("linear", [0, 1, 2])
def test_any_two_neurons_may_be_equal_by_accident(neurons: int, linear: int) -> None:
    """Behind linear layers a neuron reads polynomials of one degree more than there are layers; of a gate their
    quotients are seen.
    """
    layers = [Linear(2)] * linear
    found = []
    for activation in (SiLU(), ReLU(), Power(2)):
        hidden = Feedforward(neurons, activation)
        net = Network(functools.reduce(operator.rshift, [*layers, hidden]), tokens=2, width=2)
        ring = Tangents(PrimeField(P), 1)
        field = Virtual(ring)
        theta = algatt.sample(net, Weights, field=ring.base, seed=0)
        assert virtual_value(field, net, module.moved(theta, ring, 0)) is not None
        found.append(equal_by_accident(field))
    pairs = neurons * (neurons - 1) // 2
    assert found == [pairs * (linear + 1), pairs * 2 * (linear + 1), 0]  # squares are multiplied out


@pytest.mark.parametrize("linear", [0, 1, 2])
def test_degrees_are_those_of_numerators_and_denominators_together(linear: int) -> None:
    """A gate sees w / w_1, and w_1 multiplies what the neuron writes: with w of degree n, n + 1 above and n below."""
    net = Network(functools.reduce(operator.rshift, [*[Linear(2)] * linear, Feedforward(1, ReLU())]), tokens=2, width=2)
    seen = seen_of(net, algatt.sample(net, Weights, field=PrimeField(P), seed=0), MANY)
    assert seen is not None
    assert seen.degree == (linear + 2) + (linear + 1)


def test_a_point_without_a_function_is_refused() -> None:
    net = Network(Linear(2) >> RMSNorm(0), tokens=1, width=2)
    theta = algatt.sample(net, Weights, field=PrimeField(P), seed=0)
    with pytest.raises(DivisionByZero):
        seen_of(net, theta.replace([theta.elements[0] * 0, *theta.elements[1:]]), MANY)


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DIRECTIONS", 10)
    told: list[tuple[int, int]] = []
    net = NETWORKS[0]
    seen_of(net, algatt.sample(net, Weights, field=PrimeField(P), seed=0), MANY, lambda *one: told.append(one))
    assert told == [(10, 15), (15, 15)]
