"""Parallel tokens: the orthogonal groups of the form k . q."""

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Reals, Weights
from algatt.errors import InvalidArgument, SingularMatrix
from algatt.fields import Elements
from algatt.symmetry import ParallelTokens, ParallelTokensElement

ARCH = Lightning((3, 3, 3), (1, 3), 2)


def blocks(a, b, c, d):
    return np.concatenate([np.concatenate([a, b], axis=1), np.concatenate([c, d], axis=1)])


ONE, NIL = np.eye(2, dtype=int), np.zeros((2, 2), dtype=int)
SKEW = np.array([[0, 1], [-1, 0]])


def residues(matrix, field):
    return matrix % field.p if isinstance(field, PrimeField) else matrix


@pytest.mark.parametrize(
    ("tokens", "dims", "ranks", "layers"),
    [
        (1, (3, 3, 3), (2, 2), (0, 1)),
        (2, (3, 3, 3), (2, 2), ()),
        (2, (3, 3, 3), (1, 2), (1,)),
        (2, (3, 3, 3), (2, 1), ()),
        (2, (3, 1, 3, 3), (2, 2, 2), (2,)),
        (2, (1, 3, 3), (2, 2), (1,)),
        (2, (3, 3, 3, 3), (2, 1, 2), (2,)),
    ],
)
def test_the_layers_whose_tokens_are_parallel(plain, tokens, dims, ranks, layers):
    """From the first of them on, all inputs of a layer have rank one; before, they have not."""
    arch = Lightning(dims, ranks, tokens)
    assert ParallelTokens(arch).layers == layers
    theta = algatt.sample(arch, Weights)
    p = theta.field.p
    X = plain.array(algatt.sample_inputs(arch)[0])
    for i, layer in enumerate(theta.layers):
        if i in layers:
            assert plain.rank(X, p) == 1
        elif dims[i] > 1:
            assert plain.rank(X, p) > 1
        Q, K, V = map(plain.array, (layer.Q, layer.K, layer.V))
        X = V @ (X @ X.T % p) @ (K.T @ Q % p) @ X % p


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
        element = ParallelTokensElement.of([Elements.of(field, residues(matrix, field))])
        assert np.array_equal(np.array(element.matrices[0].public()), residues(matrix, field))


@pytest.mark.parametrize(
    "field", [PrimeField(2), PrimeField(3), PrimeField(31), PrimeField(), PrimeField(2147483647), Reals()], ids=str
)
@pytest.mark.parametrize(
    "matrix",
    [
        blocks(ONE, np.array([[1, 0], [0, 0]]), NIL, ONE),  # symmetric; modulo 2 its diagonal alone shows it
        blocks(ONE, NIL, np.array([[0, 0], [0, 1]]), ONE),
        blocks(np.array([[1, 1], [0, 1]]), NIL, NIL, ONE),
        np.eye(3, dtype=int),
    ],
    ids=["b", "c", "C", "odd size"],
)
def test_other_matrices_are_refused(field, matrix):
    with pytest.raises(InvalidArgument, match=r"changes the form k \. q; it should be orthogonal matrices"):
        ParallelTokensElement.of([Elements.of(field, matrix)])


def test_singular_matrices_are_refused():
    with pytest.raises(SingularMatrix):
        ParallelTokensElement.of([Elements.of(PrimeField(31), np.zeros((2, 2), dtype=int))])


def test_rounded_orthogonal_matrices_are_accepted_and_others_are_not():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    for seed in range(5):
        matrix = ParallelTokens(ARCH).element(theta, seed).matrices[1].raw
        rounded = matrix * (1 + 1e-14 * np.random.default_rng(seed).standard_normal(matrix.shape))
        ParallelTokensElement.of([Elements.of(Reals(), rounded)])
        with pytest.raises(InvalidArgument, match="changes the form"):
            ParallelTokensElement.of([Elements.of(Reals(), matrix + 1e-3 * np.eye(6))])


def test_random_elements_preserve_the_form_and_have_their_inverses(plain):
    for arch in plain.networks["parallel tokens"]:
        for field in plain.fields:
            element = ParallelTokens(arch).element(algatt.sample(arch, Weights, field=field))
            assert (
                ParallelTokensElement.of(element.matrices).inverses[0].raw.tolist() == element.inverses[0].raw.tolist()
            )
            for matrix, inverse in zip(element.matrices, element.inverses, strict=True):
                product = plain.array(matrix.public()) @ plain.array(inverse.public()) % field.p
                assert np.array_equal(product, np.eye(matrix.shape[0], dtype=int))


def test_the_action_is_that_on_keys_above_queries(plain):
    theta = algatt.sample(ARCH, Weights, field=PrimeField(31))
    element = ParallelTokens(ARCH).element(theta)
    moved = algatt.act(element, theta)
    for old, new, g in zip(theta.layers, moved.layers, element.matrices, strict=True):
        mixed = plain.array(g.public()) @ np.concatenate([plain.array(old.K), plain.array(old.Q)]) % 31
        assert np.array_equal(np.concatenate([plain.array(new.K), plain.array(new.Q)]), mixed)
        assert np.array_equal(new.V, old.V)
    assert moved.layers[0].K.tolist() == theta.layers[0].K.tolist()  # the tokens of layer 1 are not parallel
    form_before, form_after = (
        plain.array(point.layers[1].K).T @ plain.array(point.layers[1].Q) for point in (theta, moved)
    )
    assert not np.array_equal(form_before % 31, form_after % 31)
    assert np.array_equal((form_before + form_before.T) % 31, (form_after + form_after.T) % 31)


def test_keys_and_queries_may_be_exchanged_where_tokens_are_parallel_and_nowhere_else(plain):
    exchange = blocks(np.zeros((3, 3), int), np.eye(3, dtype=int), np.eye(3, dtype=int), np.zeros((3, 3), int))
    F = PrimeField()
    element = ParallelTokensElement.of([Elements.of(F, np.eye(2, dtype=int)), Elements.of(F, exchange)])
    theta = algatt.sample(ARCH, Weights, field=F)
    assert plain.same_function(theta, algatt.act(element, theta), algatt.sample_inputs(ARCH, count=2))
    wide = Lightning((3, 3), (3,), 2)
    theta = algatt.sample(wide, Weights, field=F)
    moved = algatt.act(ParallelTokensElement.of([Elements.of(F, exchange)]), theta)
    assert not plain.same_function(theta, moved, algatt.sample_inputs(wide, count=1))
    for X in algatt.sample_inputs(wide, count=2):
        assert plain.same_function(theta, moved, [X[:, :1]])  # one token is parallel to itself


def test_matrices_of_other_sizes_are_refused():
    theta = algatt.sample(ARCH, Weights)
    element = ParallelTokens(Lightning((3, 3, 3), (1, 2), 2)).element(
        algatt.sample(Lightning((3, 3, 3), (1, 2), 2), Weights)
    )
    with pytest.raises(InvalidArgument, match=r"element was of sizes \(2, 4\); it should be of sizes \(2, 6\)"):
        algatt.act(element, theta)


def test_tangents_are_derivatives_of_the_action():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    tangents = ParallelTokens(ARCH).tangents(theta)
    pairs, step, row = [(0, 1), (0, 2), (1, 2)], 1e-6, 0
    for upper in (True, False):
        for r, s in pairs:
            ends = []
            for sign in (1, -1):
                matrix = np.eye(6)
                shift = (0, 3) if upper else (3, 0)
                matrix[r + shift[0], s + shift[1]], matrix[s + shift[0], r + shift[1]] = sign * step, -sign * step
                element = ParallelTokensElement.of([Elements.of(Reals(), np.eye(2)), Elements.of(Reals(), matrix)])
                ends.append(algatt.flatten(algatt.act(element, theta)))
            assert np.allclose((ends[0] - ends[1]) / (2 * step), tangents[row], atol=1e-8)
            row += 1
    assert row == len(tangents)
