"""Lightning attention against HMK Eq 1, token by token in Python integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights

COORDINATES = [Weights, AttentionMatrix, VirtualWeights]
PRIMES = [2, 31, 8388593, 2147483647, 2305843009213693951]


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def apply(matrix, v):
    return [dot(row, v) for row in matrix]


def layer(Q, K, V, tokens):
    """HMK Eq 1: phi(X)_i = sum_j (x_j^T A x_i) V x_j, with x_j^T A x_i = (K x_j) . (Q x_i)."""
    values = []
    for x in tokens:
        terms = [[dot(apply(K, y), apply(Q, x)) * v for v in apply(V, y)] for y in tokens]
        values.append([sum(column) for column in zip(*terms, strict=True)])
    return values


def network(theta, X):
    """Compose the layers, from and to matrices whose columns are tokens."""
    tokens = list(zip(*X, strict=True))
    for Q, K, V in theta.layers:
        tokens = layer(Q.tolist(), K.tolist(), V.tolist(), tokens)
    return [list(row) for row in zip(*tokens, strict=True)]


@given(
    dims=st.lists(st.integers(1, 4), min_size=2, max_size=4),
    rank=st.integers(1, 5),
    tokens=st.integers(1, 4),
    p=st.sampled_from(PRIMES),
    seed=st.integers(0, 10**9),
)
def test_the_values_are_those_of_equation_1(dims, rank, tokens, p, seed):
    arch = Lightning(dims, (rank,) * (len(dims) - 1), tokens)
    field = PrimeField(p)
    theta = algatt.sample(arch, Weights, field=field, seed=seed)
    X = algatt.sample_inputs(arch, field=field, seed=seed)[0]
    expected = [[entry % p for entry in row] for row in network(theta, X.tolist())]
    for coordinates in COORDINATES:
        assert algatt.evaluate(arch, algatt.convert(theta, coordinates), X).tolist() == expected


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_over_the_reals_the_values_are_those_of_equation_1_up_to_rounding(coordinates):
    arch = Lightning((3, 2, 4), (2, 3), 3)
    theta = algatt.sample(arch, Weights, field=Reals())
    X = algatt.sample_inputs(arch, field=Reals())[0]
    expected = np.array(network(theta, X.tolist()))
    assert np.allclose(
        algatt.evaluate(arch, algatt.convert(theta, coordinates), X),
        expected,
        rtol=1e-11,
        atol=1e-11 * np.abs(expected).max(),
    )


def test_an_example_by_hand():
    # Tokens x = (1, 2), y = (0, 1); A = e_1 e_2^T, so x^T A y = x_1 y_2; V = (1 1). phi(X)_i = sum_j (x_j)_1 (x_i)_2 V
    # x_j: only j = 1 counts.
    arch = Lightning((2, 1), (1,), 2)
    theta = Weights.of([([[0, 1]], [[1, 0]], [[1, 1]])], field=PrimeField(31))
    assert algatt.evaluate(arch, theta, [[1, 0], [2, 1]]).tolist() == [[2 * 3, 1 * 3]]


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_batch_is_evaluated_one_by_one(coordinates):
    arch = Lightning((3, 2, 2), (2, 1), 2)
    theta = algatt.sample(arch, coordinates)
    inputs = algatt.sample_inputs(arch, count=5)
    values = algatt.evaluate(arch, theta, inputs)
    assert values.shape == (5, 2, 2)
    assert all(np.array_equal(algatt.evaluate(arch, theta, X), value) for X, value in zip(inputs, values, strict=True))


@given(permutation=st.permutations(range(5)), scale=st.integers(0, 8388592), seed=st.integers(0, 1000))
def test_tokens_may_be_permuted_and_inputs_scaled(permutation, scale, seed):
    arch = Lightning((3, 2, 3), (2, 2), 5)
    theta = algatt.sample(arch, Weights, seed=seed)
    X = algatt.sample_inputs(arch, seed=seed)[0]
    value = algatt.evaluate(arch, theta, X)
    assert np.array_equal(algatt.evaluate(arch, theta, X[:, permutation]), value[:, permutation])
    p = 8388593
    scaled = np.array([[scale * x % p for x in row] for row in X.tolist()])
    assert algatt.evaluate(arch, theta, scaled).tolist() == [
        [pow(scale, 9, p) * y % p for y in row] for row in value.tolist()
    ]


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_tokens_never_meet_in_a_matrix_of_all_pairs(coordinates):
    # The scores of all pairs of 200000 tokens would be 320 GB.
    t = 200_000
    arch = Lightning((2, 3), (2,), t)
    theta = algatt.sample(arch, Weights, field=Reals())
    X = algatt.sample_inputs(arch, field=Reals())[0]
    (Q, K, V) = theta.layers[0]
    gram = np.einsum("it,jt->ij", X, X)
    expected = np.einsum(
        "ab,bc,cd,de,et->at", V, gram, K.T, Q, X, optimize=["einsum_path", (0, 1), (0, 3), (0, 2), (0, 1)]
    )
    value = algatt.evaluate(arch, algatt.convert(theta, coordinates), X)
    assert np.allclose(value, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("p", [8388593, 2147483647])
def test_sums_over_many_tokens_stay_exact(p):
    t = 20_000
    arch = Lightning((1, 1), (1,), t)
    field = PrimeField(p)
    theta = algatt.sample(arch, Weights, field=field)
    X = algatt.sample_inputs(arch, field=field)[0]
    Q, K, V = (int(matrix[0, 0]) for matrix in theta.layers[0])
    squares = sum(x * x for x in X[0].tolist())
    assert algatt.evaluate(arch, theta, X)[0].tolist() == [V * squares * K * Q * x % p for x in X[0].tolist()]


def test_twenty_layers_of_virtual_weights_take_the_recursion():
    # The unrolled form has more than 10^9 factors. For d = 1 a layer multiplies all tokens by V K Q times the sum of
    # their squares.
    layers, p = 20, 8388593
    arch = Lightning((1,) * (layers + 1), (1,) * layers, 2)
    theta = algatt.sample(arch, Weights)
    X = algatt.sample_inputs(arch)[0]
    tokens = X[0].tolist()
    for Q, K, V in theta.layers:
        factor = int(V[0, 0]) * int(K[0, 0]) * int(Q[0, 0]) * sum(x * x for x in tokens) % p
        tokens = [factor * x % p for x in tokens]
    assert algatt.evaluate(arch, algatt.convert(theta, VirtualWeights), X)[0].tolist() == tokens


def test_the_examples_cover_one_token_wide_ranks_and_rank_one():
    examples = Lightning.examples()
    assert any(arch.tokens == 1 for arch in examples)
    assert any(a > d for arch in examples for a, d in zip(arch.ranks, arch.dims, strict=False))
    assert any(1 in arch.ranks for arch in examples)


def test_lightning_is_final():
    with pytest.raises(TypeError, match="Lightning is final"):
        type("Skip", (algatt.Lightning,), {})


def test_ragged_inputs_are_refused():
    arch = algatt.Lightning((2, 1), (1,), 2)
    with pytest.raises(algatt.errors.InvalidArgument, match="inputs was a list of rows of different lengths"):
        algatt.evaluate(arch, algatt.sample(arch, algatt.Weights), [[1, 2], [3]])
