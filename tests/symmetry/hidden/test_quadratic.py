"""Keys and queries that meet in a quadratic form: the orthogonal groups of k . q."""

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Reals, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Exp
from algatt.symmetry import QuadraticForm
from written_networks import written

ARCH = Lightning((3, 3, 3), (1, 3), 2)
FORM = QuadraticForm(ARCH, "K_2", "Q_2")
TWO = QuadraticForm(Lightning((2, 2), (2,), 1), "K_1", "Q_1")


def blocks(a, b, c, d):
    return np.concatenate([np.concatenate([a, b], axis=1), np.concatenate([c, d], axis=1)])


ONE, NIL = np.eye(2, dtype=int), np.zeros((2, 2), dtype=int)
SKEW = np.array([[0, 1], [-1, 0]])


def residues(matrix, field):
    return matrix % field.p if isinstance(field, PrimeField) else matrix


def forms(net):
    return [one for one in algatt.symmetries(net) if isinstance(one, QuadraticForm)]


@pytest.mark.parametrize(
    ("tokens", "dims", "ranks", "layers"),
    [
        (1, (3, 3, 3), (2, 2), (0, 1)),
        (2, (3, 3, 3), (2, 2), ()),
        (2, (3, 3, 3), (1, 2), (1,)),
        (2, (3, 3, 3), (2, 1), ()),
        (2, (3, 1, 3, 3), (2, 2, 2), (2,)),
        (2, (3, 3, 3, 3), (2, 1, 2), (2,)),
    ],
)
def test_the_layers_whose_tokens_are_parallel(plain, tokens, dims, ranks, layers):
    """From the first of them on, all inputs of a layer have rank one; before, they have not, or one row."""
    arch = Lightning(dims, ranks, tokens)
    found = {int(one.keys.removeprefix("K_")) - 1 for one in forms(arch)}
    assert found >= set(layers)
    theta = algatt.sample(arch, Weights)
    p = theta.field.p
    X = plain.array(algatt.sample_inputs(arch)[0])
    for i, layer in enumerate(theta.layers):
        if dims[i] > 1:
            assert (i in found) == (plain.rank(X, p) == 1)
        Q, K, V = map(plain.array, (layer.Q, layer.K, layer.V))
        X = V @ (X @ X.T % p) @ (K.T @ Q % p) @ X % p


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens", "dimensions"),
    [
        ((3, 3, 3), (1, 3), 2, {"K_2": 3 * 2}),
        ((3, 3), (3,), 1, {"K_1": 3 * 2}),
        ((3, 3, 3), (2, 3), 1, {"K_1": 2 * 1, "K_2": 3 * 2}),
        ((4, 1, 3), (2, 3), 1, {"K_1": 2 * 1}),  # values of one entry
        ((2, 2, 2), (1, 4), 2, {"K_2": 4 * 3 - 2 * 1}),  # 2 of 4 rows are unseen: a plane of skew matrices is
        ((3, 3, 3), (2, 3), 2, {}),
    ],
)
def test_the_dimension_counted_by_hand(plain, dims, ranks, tokens, dimensions):
    arch = Lightning(dims, ranks, tokens)
    assert {one.keys: one.dimension for one in forms(arch)} == dimensions
    for family in forms(arch):
        tangents = family.tangents(algatt.sample(arch, Weights))
        assert plain.rank(tangents, PrimeField().p) == family.dimension


SHAPES = {"K": (2, 3), "Q": (2, 3), "P": (2, 3), "u": (3, 1)}

NUMBERS = {
    "one vector": (lambda w, X: (w.K @ X).T @ (w.Q @ X), 1),
    # of a u made of weights the normal form writes u^T (K^T (Q u)), which is not looked for: other families have it all
    "a vector of weights": (lambda w, X: X * ((w.K @ w.u).T @ (w.Q @ w.u)), 0),
    "a function of it": (lambda w, X: X * ((w.K @ X).T @ (w.Q @ X)).entrywise(Exp()), 1),
    # and near misses
    "two vectors": (lambda w, X: (w.K @ X).T @ (w.Q @ (X * X)), 0),
    "queries that are read elsewhere": (lambda w, X: ((w.K @ X).T @ (w.Q @ X)) * (w.Q @ X), 0),
    "keys that are read elsewhere": (lambda w, X: ((w.K @ X).T @ (w.Q @ X)) * (w.K @ (X * X)), 0),
    "one tensor": (lambda w, X: (w.K @ X).T @ (w.K @ X), 0),
    "a function between": (lambda w, X: (w.K @ X).T @ (w.Q @ X).entrywise(Exp()), 0),
}
"""Numbers of a single column X, and how many quadratic forms there are, derived by hand."""


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_small_programs(name, values_stay):
    text, count = NUMBERS[name]
    net = written(SHAPES, text, tokens=1)
    assert len(forms(net)) == count
    assert all(values_stay(net, family) for family in forms(net))


@pytest.mark.parametrize(
    "field", [PrimeField(2), PrimeField(3), PrimeField(31), PrimeField(), PrimeField(2147483647), Reals()], ids=str
)
def test_the_matrices_that_preserve_the_form(field):
    """(I b; 0 I) and (I 0; c I) for skew b and c, (C 0; 0 C^-T), and the exchange of keys and queries."""
    C, inverse = np.array([[1, 1], [0, 1]]), np.array([[1, -1], [0, 1]])
    for matrix in (
        blocks(ONE, SKEW, NIL, ONE),
        blocks(ONE, NIL, SKEW, ONE),
        blocks(C, NIL, NIL, inverse.T),
        blocks(NIL, ONE, ONE, NIL),
    ):
        element = TWO.of([Elements.of(field, residues(matrix, field))])
        assert np.array_equal(np.array(element.vector.public()), residues(matrix, field))


@pytest.mark.parametrize(
    "field", [PrimeField(2), PrimeField(3), PrimeField(31), PrimeField(), PrimeField(2147483647), Reals()], ids=str
)
@pytest.mark.parametrize(
    "matrix",
    [
        blocks(ONE, np.array([[1, 0], [0, 0]]), NIL, ONE),  # symmetric; modulo 2 its diagonal alone shows it
        blocks(ONE, NIL, np.array([[0, 0], [0, 1]]), ONE),
        blocks(np.array([[1, 1], [0, 1]]), NIL, NIL, ONE),
        np.zeros((4, 4), dtype=int),
    ],
    ids=["b", "c", "C", "zeros"],
)
def test_other_matrices_are_refused(field, matrix):
    with pytest.raises(InvalidArgument, match=r"changes the form k \. q; it should be an orthogonal matrix"):
        TWO.of([Elements.of(field, matrix)])


def test_rounded_orthogonal_matrices_are_accepted_and_others_are_not():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    for seed in range(5):
        matrix = FORM.element(theta, seed).vector.raw
        rounded = matrix * (1 + 1e-14 * np.random.default_rng(seed).standard_normal(matrix.shape))
        FORM.of([Elements.of(Reals(), rounded)])
        with pytest.raises(InvalidArgument, match="changes the form"):
            FORM.of([Elements.of(Reals(), matrix + 1e-3 * np.eye(6))])


def test_random_elements_preserve_the_form_and_have_their_inverses(plain):
    for arch in plain.networks["parallel"]:
        for field in plain.fields:
            for family in forms(arch):
                element = family.element(algatt.sample(arch, Weights, field=field))
                assert family.of([element.vector]) == element
                inverse = algatt.linalg.inverse(element)
                product = plain.array(element.vector.public()) @ plain.array(inverse.vector.public())
                assert np.array_equal(product % field.p, np.eye(product.shape[0], dtype=int))
                assert algatt.symmetry.compose(element, inverse) == algatt.symmetry.identity(family, field)


def test_the_action_is_that_on_keys_above_queries(plain):
    theta = algatt.sample(ARCH, Weights, field=PrimeField(31))
    element = FORM.element(theta)
    moved = algatt.act(element, theta)
    (old, new), g = (point.layers[1] for point in (theta, moved)), element.vector
    mixed = plain.array(g.public()) @ np.concatenate([plain.array(old.K), plain.array(old.Q)]) % 31
    assert np.array_equal(np.concatenate([plain.array(new.K), plain.array(new.Q)]), mixed)
    assert np.array_equal(new.V, old.V)
    assert all(np.array_equal(one, two) for one, two in zip(theta.layers[0], moved.layers[0], strict=True))
    before, after = (plain.array(layer.K).T @ plain.array(layer.Q) for layer in (old, new))
    assert not np.array_equal(before % 31, after % 31)
    assert np.array_equal((before + before.T) % 31, (after + after.T) % 31)


def test_keys_and_queries_may_be_exchanged_where_tokens_are_parallel_and_nowhere_else(plain):
    exchange = blocks(np.zeros((3, 3), int), np.eye(3, dtype=int), np.eye(3, dtype=int), np.zeros((3, 3), int))
    F = PrimeField()
    theta = algatt.sample(ARCH, Weights, field=F)
    moved = algatt.act(FORM.of([Elements.of(F, exchange)]), theta)
    assert plain.same_function(theta, moved, algatt.sample_inputs(ARCH, count=2))
    wide = Lightning((3, 3), (3,), 2)
    theta = algatt.sample(wide, Weights, field=F)
    moved = algatt.act(QuadraticForm(wide, "K_1", "Q_1").of([Elements.of(F, exchange)]), theta)
    assert not plain.same_function(theta, moved, algatt.sample_inputs(wide, count=1))
    for X in algatt.sample_inputs(wide, count=2):
        assert plain.same_function(theta, moved, [X[:, :1]])  # one token is parallel to itself


def test_matrices_of_other_sizes_are_refused():
    with pytest.raises(InvalidArgument, match=r"matrices was of shapes \[\(4, 4\)\]; it should be one of size 6"):
        FORM.of([Elements.of(PrimeField(31), np.eye(4, dtype=int))])
    element = FORM.element(algatt.sample(ARCH, Weights))
    with pytest.raises(InvalidArgument, match="with 3 rows each"):
        algatt.act(element, algatt.sample(Lightning((3, 3, 3), (1, 2), 2), Weights))


def test_tangents_are_derivatives_of_the_action():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    tangents = FORM.tangents(theta)
    pairs, step, row = [(0, 1), (0, 2), (1, 2)], 1e-6, 0
    for upper in (True, False):
        for r, s in pairs:
            ends = []
            for sign in (1, -1):
                matrix = np.eye(6)
                shift = (0, 3) if upper else (3, 0)
                matrix[r + shift[0], s + shift[1]], matrix[s + shift[0], r + shift[1]] = sign * step, -sign * step
                ends.append(algatt.flatten(algatt.act(FORM.of([Elements.of(Reals(), matrix)]), theta)))
            assert np.allclose((ends[0] - ends[1]) / (2 * step), tangents[row], atol=1e-8)
            row += 1
    assert row == len(tangents)
