"""Elements of the groups that are read off a network: laws of groups, and that they change no value."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import linalg, verbs
from algatt.errors import InvalidArgument, SymmetryError
from algatt.fields import Elements, Rationals, concatenate
from algatt.fields.motions import Action, Centring, Intertwining, Space, Vanishing
from algatt.layers import (
    Affine,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerScale,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import compose
from algatt.symmetry.base import symmetries_of_architecture
from algatt.symmetry.motions.integration import has_transforms
from algatt.symmetry.spaces import spaces_of
from algatt.symmetry.tensors_element import Sides, TensorsElement
from written_networks import spaces_by_types, written

LINEAR = Unnormalized()

EXACT = {
    "lightning": algatt.Network(2 * Heads(1, width=2, score=LINEAR, output=False, value_width=3), tokens=2, width=3),
    "grouped": algatt.Network(Residual(Heads(2, key_heads=1, width=2, score=Affine(1, 1))), tokens=3, width=3),
    "rotary": algatt.Network(Residual(Heads(1, width=4, position=Rotary(), score=LINEAR)), tokens=3, width=3),
    "gated": algatt.Network(Residual(Feedforward(3, Power(1), gated=True)), tokens=2, width=3),
    "cubes": algatt.Network(Residual(Feedforward(3, Power(3))) >> Linear(2), tokens=2, width=3),
    "stream": algatt.Network(
        Embedding(4, 3) >> Residual(Heads(1, width=2, score=LINEAR, mask=Causal()) >> LayerScale()) >> Unembedding(4),
        tokens=3,
    ),
}

SEEDS = st.integers(min_value=0, max_value=2**32)
PRIMES = st.sampled_from((31, 8388593, 9223372036854775783))


def drawn(name, seed, p):
    """Return a network, weights, and an element of each space."""
    net = EXACT[name]
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
    return net, theta, [one.element(theta, seed=seed + number) for number, one in enumerate(spaces_by_types(net))]


def same(one, two):
    """Say whether two points are equal."""
    pairs = zip(one.elements, two.elements, strict=True)
    return all(np.array_equal(a.raw, b.raw) for a, b in pairs)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EXACT)
@settings(max_examples=10)
@given(seed=SEEDS, p=st.sampled_from((8388593, 9223372036854775783)))
def test_elements_change_no_value(name, seed, p):
    net, theta, elements = drawn(name, seed, p)
    X = algatt.sample_inputs(net, field=theta.field, seed=seed, count=2)
    value = algatt.evaluate(net, theta, X)
    moved = theta
    for g in elements:
        moved = algatt.act(g, moved)
    assert elements
    assert not same(moved, theta)
    assert np.array_equal(algatt.evaluate(net, moved, X), value)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EXACT)
@settings(max_examples=10)
@given(seed=SEEDS, p=PRIMES)
def test_laws_of_groups(name, seed, p):
    _, theta, elements = drawn(name, seed, p)
    f, g, h = elements[0], elements[-1], elements[len(elements) // 2]
    assert same(algatt.act(compose(f, g), theta), algatt.act(f, algatt.act(g, theta)))
    assert compose(compose(f, g), h) == compose(f, compose(g, h))
    for one in (f, compose(f, g)):
        assert same(algatt.act(linalg.inverse(one), algatt.act(one, theta)), theta)
        assert same(algatt.act(one, algatt.act(linalg.inverse(one), theta)), theta)
        assert linalg.inverse(linalg.inverse(one)) == one
    identity = TensorsElement({})
    assert same(algatt.act(identity, theta), theta)
    assert compose(f, identity) == f == compose(identity, f)


@given(data=st.data())
def test_elements_may_exchange_tensors(data):
    """A permutation of tensors of one shape, with matrices on both sides, composed and inverted as functions are."""
    field = algatt.PrimeField(31)
    names = ("A", "B", "C")

    def matrix(size):
        lower, upper = (np.eye(size, dtype=np.int64) for _ in range(2))
        for i in range(size):
            for j in range(i):
                lower[i, j], upper[j, i] = data.draw(st.integers(0, 30)), data.draw(st.integers(0, 30))
        return Elements.of(field, lower @ upper % 31)

    def element():
        order = data.draw(st.permutations(names))
        some = [data.draw(st.booleans()) for _ in range(6)]
        sides = {
            name: Sides(source, matrix(2) if some[2 * n] else None, matrix(3) if some[2 * n + 1] else None)
            for n, (name, source) in enumerate(zip(names, order, strict=True))
        }
        return TensorsElement(sides)

    arrays = [np.array([[data.draw(st.integers(0, 30)) for _ in range(3)] for _ in range(2)]) for _ in names]
    theta = algatt.Weights(tuple(Elements.of(field, array) for array in arrays), names)
    f, g, h = element(), element(), element()
    assert same(algatt.act(compose(f, g), theta), algatt.act(f, algatt.act(g, theta)))
    assert compose(compose(f, g), h) == compose(f, compose(g, h))
    assert same(algatt.act(linalg.inverse(f), algatt.act(f, theta)), theta)
    assert same(algatt.act(f, algatt.act(linalg.inverse(f), theta)), theta)


REAL = {
    "softmax": algatt.Network(Residual(RMSNorm() >> Heads(2, width=2)), tokens=3, width=3),
    "relu": algatt.Network(Residual(Feedforward(3, ReLU())) >> Feedforward(2, SiLU(), gated=True), tokens=2, width=3),
    "stream": algatt.Network(
        Embedding(4, 3)
        >> Residual(RMSNorm(0, gain=False) >> Heads(1, width=2))
        >> RMSNorm(gain=False)
        >> Unembedding(4),
        tokens=3,
    ),
    **EXACT,
}


@pytest.mark.parametrize("name", REAL)
def test_exponentials_change_no_real_value(name):
    net = REAL[name]
    reals = algatt.Reals()
    theta = algatt.sample(net, algatt.Weights, field=reals, seed=1)
    X = algatt.sample_inputs(net, field=reals, seed=2)
    value = algatt.evaluate(net, theta, X)
    for number, one in enumerate(algatt.symmetries(net)):
        moved = algatt.act(one.element(theta, seed=number), theta)
        assert not same(moved, theta)
        np.testing.assert_allclose(algatt.evaluate(net, moved, X), value, rtol=1e-6, atol=1e-8)


def test_gates_admit_positive_numbers_only():
    net = REAL["relu"]
    (hidden,) = [one for one in algatt.symmetries(net) if str(one.group) == "T+(3)"]
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
    for seed in range(5):
        for side in hidden.element(theta, seed=seed).sides.values():
            assert all((np.diag(matrix.raw) > 0).all() for matrix in side.arrays)


def test_what_has_no_exact_elements_says_so():
    """Of a solution of 2 S C = 2 C S the transform is none of 2 S; nor does a tensor that moves by 2 S W become G W."""
    (moving,) = [one for one in spaces_of(EXACT["lightning"]) if one.name == "1.heads.score_1"]
    (space,) = moving.solution.component.spaces
    doubled = Action(space.size, {(space, False): 2})
    constraint = Intertwining(doubled, Centring(space.size), doubled)
    component = dataclasses.replace(moving.solution.component, constraints=(constraint,))
    solution = dataclasses.replace(moving.solution, component=component)
    coefficients = np.arange(1, 1 + len(solution), dtype=np.uint64)
    with pytest.raises(SymmetryError, match="no exact elements"):
        verbs.element_of(solution, algatt.PrimeField(31), coefficients)
    twice = {name: (rows.times(2), columns) for name, (rows, columns) in moving.solution.actions.items()}
    with pytest.raises(SymmetryError, match="no exact elements"):
        verbs.element_of(dataclasses.replace(moving.solution, actions=twice), algatt.PrimeField(31), coefficients)


def test_sums_of_diagonal_unknowns_have_exact_elements():
    """Rows that are the sum of two diagonal unknowns have a transform that is none of theirs: exp(s + t) is a product,
    (1 + s + t) / (1 - s - t) is not. The element is made of powers of numbers.
    """

    def parts(w, X):
        Y = (w["A"] @ X) * (w["B"] @ X)
        return w["U"] @ Y[:2] + w["V"] @ Y[2:]

    net = written({"A": (4, 3), "B": (4, 3), "U": (2, 2), "V": (2, 2)}, parts)
    (one,) = symmetries_of_architecture(net)  # as it is written: in normal form there is a tensor for each part
    theta, X = algatt.sample(net, algatt.Weights, seed=1), algatt.sample_inputs(net, seed=1)
    moved = algatt.act(one.element(theta, seed=1), theta)
    assert moved != theta
    assert np.array_equal(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X))
    reals = algatt.Reals()
    theta, X = algatt.sample(net, algatt.Weights, field=reals, seed=1), algatt.sample_inputs(net, field=reals, seed=1)
    moved = algatt.act(one.element(theta, seed=1), theta)
    np.testing.assert_allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X), rtol=1e-6)


def test_equations_settle_where_two_take_a_number_out_of_one_space_in_turn():
    """Joined rows of numbers a and b: the action of the whole is diag(a, b)."""
    tensors = {"A": (1, 3), "B": (1, 3), "U": (2, 2)}

    def squares(w, X):
        Y = concatenate([w["A"] @ X, w["B"] @ X])
        return w["U"] @ (Y * Y)

    net = written(tensors, squares)
    (one,) = symmetries_of_architecture(net)
    assert one.dimension == 2
    report = algatt.dimension(net)  # two squares of linear forms are those of two combinations of them up to numbers
    assert (report.value, report.status) == (8, "proven")


def test_elements_of_other_networks_are_refused():
    _, theta, elements = drawn("cubes", 1, 31)
    other = algatt.sample(EXACT["stream"], algatt.Weights, field=theta.field, seed=1)
    with pytest.raises(InvalidArgument, match="element"):
        algatt.act(elements[0], other)


def test_spaces_in_which_only_diagonal_matrices_act_have_exact_elements():
    """What a gain in the stream and the neurons read and write may be multiplied by is a number, which is one of those
    of the neurons: these are three positive numbers.
    """
    net = algatt.Network(
        Embedding(6, 4)
        >> Residual(Heads(2))
        >> RMSNorm()
        >> Residual(Feedforward(3, ReLU()))
        >> RMSNorm()
        >> Unembedding(5),
        tokens=3,
    )
    (neurons,) = [one for one in algatt.symmetries(net) if one.name == "feedforward.hidden"]
    assert str(neurons.group) == "T+(3)"
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(31), seed=1)
    whole = theta.replace([Elements.of(Rationals(), one.raw.astype(np.int64) - 15) for one in theta.elements])
    moved = algatt.act(neurons.element(whole, seed=2), whole)
    X = algatt.sample_inputs(net, field=algatt.Reals(), seed=3, count=2)
    floats = [
        one.replace([Elements.of(algatt.Reals(), part.public().astype(np.float64)) for part in one.elements])
        for one in (whole, moved)
    ]
    assert moved != whole
    assert np.allclose(*(algatt.evaluate(net, one, X) for one in floats))


def test_what_an_order_is_taken_of_is_multiplied_by_positive_numbers():
    """The largest entry of A X is where it was if A is multiplied by a positive number, and not if by another one."""
    net = written({"A": (2, 3), "B": (2, 3)}, lambda w, X: (w["A"] @ X).largest(1) * (w["B"] @ X))
    (scale,) = [one for one in algatt.symmetries(net) if one.name == "scale"]
    assert str(scale.group) == "T+(1)"
    theta = algatt.sample(net, algatt.Weights, field=Rationals(), seed=1)
    for seed in range(8):
        moved = algatt.act(scale.element(theta, seed=seed), theta)
        assert (moved.tensors["A"].raw * theta.tensors["A"].raw > 0).all()


@pytest.mark.parametrize("coefficients", [(1,), (2,), (1, 1), (1, -1)])
def test_cayley_transforms_of_sums_that_are_skew_are_no_elements(coefficients: tuple[int, ...]) -> None:
    """Of S + S^T = 0 they are orthogonal; of a sum of two matrices that is skew they satisfy no equation."""
    spaces = [Space(3, number, "") for number in range(len(coefficients))]
    terms = {(space, turned): c for space, c in zip(spaces, coefficients, strict=True) for turned in (False, True)}
    assert has_transforms(Vanishing(Action(3, terms))) == (len(coefficients) == 1)
