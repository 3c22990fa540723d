"""HMK Theorem 3.9: one layer with normalised scores, by running over all matrices (A, V) of size two over a small
field, and by ranks.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import algatt

P = 5

UNDEFINED = P
"""Stands for a value whose denominator vanishes."""


def all_matrices(rows, columns, p=P):
    return np.array(list(product(range(p), repeat=rows * columns))).reshape(-1, rows, columns)


def inverses(p):
    return np.array([0, *(pow(x, -1, p) for x in range(1, p))])


def table(score, A, v, tokens, p=P):
    """Return sum_j S(x_j^T A x_i) v x_j / sum_k S(x_k^T A x_i) for all inputs of these tokens (inputs, d, t), by its
    definition (HMK Eq 15).
    """
    products = np.einsum("nai,ab,nbj->nij", tokens, A, tokens) % p
    weights = score(products) % p
    sums = weights.sum(axis=1) % p
    values = np.einsum("a,nai,nij->nj", v, tokens, weights) % p
    return np.where(sums == 0, p, values * inverses(p)[sums] % p)


def agreeing(tables, row, undefined=UNDEFINED):
    """Say which tables agree with one of them wherever both are defined."""
    one = tables[row]
    return ((tables == one) | (tables == undefined) | (one == undefined)).all(axis=1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("score", [lambda x: x + 1, lambda x: 3 - 2 * x], ids=["1+x", "3-2x"])
@pytest.mark.parametrize("v", [(1, 0), (1, 3)])
def test_every_attention_matrix_is_another_function(score, v):
    """All 625 matrices A over GF(5), two tokens, one output: no two of them agree at all inputs at which both have
    values.
    """
    tokens = all_matrices(2, 2)
    tables = np.array([table(score, A, v, tokens).ravel() for A in all_matrices(2, 2)], dtype=np.int8)
    assert all(agreeing(tables, row).sum() == 1 for row in range(len(tables)))


def test_values_are_seen_at_equal_tokens():
    """Where all tokens are x the value is V x, whatever A is."""
    rng = np.random.default_rng(0)
    tokens = np.repeat(all_matrices(2, 1), 2, axis=2)
    for _ in range(50):
        A, v = rng.integers(0, P, (2, 2)), rng.integers(0, P, 2)
        values = table(lambda x: x + 1, A, v, tokens)
        defined = values != UNDEFINED
        assert (values == np.einsum("a,nai->ni", v, tokens) % P)[defined].all()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("tokens", "k"), [(2, 1), (2, 3), (3, 1)])
def test_homogeneous_scores_know_multiples_only(tokens, k):
    """S = x^k over GF(11), where x^3 is a bijection: A is seen up to a factor; of rank one, its key is seen up to a
    factor.
    """
    p = 11
    rng = np.random.default_rng(k)
    inputs = rng.integers(0, p, (4000, 2, tokens))
    v = np.array([1, 4])
    matrices = rng.integers(0, p, (40, 2, 2))
    matrices[:20] = np.einsum("ka,kb->kab", rng.integers(0, p, (20, 2)), rng.integers(0, p, (20, 2))) % p
    matrices = np.concatenate([matrices, 3 * matrices % p, np.einsum("kab,bc->kac", matrices, [[1, 2], [5, 7]]) % p])
    matrices = matrices[[bool(((A + A.T) % p).any()) for A in matrices]]
    tables = np.array([table(lambda x: x**k, A, v, inputs, p).ravel() for A in matrices], dtype=np.int8)
    for row, A in enumerate(matrices):
        for other, B in zip(agreeing(tables, row, p), matrices, strict=True):
            multiple = any((s * A % p == B).all() for s in range(1, p))
            assert other == (multiple or (rank_one(A, p) and rank_one(B, p) and parallel(key(A), key(B), p)))


def parallel(one, two, p):
    return (one[0] * two[1] - one[1] * two[0]) % p == 0


def rank_one(A, p):
    return parallel(A[0], A[1], p)


def key(A):
    """Return k of A = k q^T, up to a factor."""
    return A[:, A.any(axis=0)][:, 0]


def test_a_skew_matrix_is_invisible_to_homogeneous_scores_and_two_tokens():
    """With A skew and S(0) = 0 each of two tokens gets all its weight from the other one: phi(x, y) = (V y, V x)."""
    p = 11
    inputs = np.random.default_rng(0).integers(0, p, (500, 2, 2))
    values = table(lambda x: x**3, np.array([[0, 1], [-1, 0]]), np.array([1, 4]), inputs, p)
    swapped = np.einsum("a,nai->ni", [1, 4], inputs[:, :, ::-1]) % p
    assert (values == swapped)[values != p].all()
    assert (values != p).any()
    arch = algatt.Normalized((3, 1), (3,), 2, algatt.layers.Power(3))
    F = algatt.PrimeField()
    for entries in ((1, 2, 3), (1, 5, 0)):
        a, b, c = entries
        skew = np.array([[0, a, b], [-a, 0, c], [-b, -c, 0]])
        theta = algatt.AttentionMatrix.of([(skew % F.p, [[1, 2, 4]])], field=F)
        X = algatt.sample_inputs(arch, field=F, count=5)
        assert all((algatt.evaluate(arch, theta, x) == F.galois([[1, 2, 4]]) @ x[:, ::-1]).all() for x in X)
        assert algatt.fiber(arch, theta).failing_hypotheses == ("S(0) != 0, or an A that is not skew-symmetric",)


INJECTIVE = {
    "exp": (np.exp, np.log),
    "exp(x^3)": (lambda x: np.exp(x**3), lambda y: np.cbrt(np.log(y))),
    "1 / (1 + exp(x))": (lambda x: 1 / (1 + np.exp(x)), lambda y: np.log(1 / y - 1)),
    "2 + x / (1 + |x|)": (lambda x: 2 + x / (1 + abs(x)), lambda y: (y - 2) / (1 - abs(y - 2))),
    "exp(x), and a jump at 1": (lambda x: np.exp(x) + 5 * (x >= 1), lambda y: np.log(y if y < 5 else y - 5)),
}
"""Injective positive scores with their inverses; the last three are no scores of the package, the last is not even
continuous.
"""


@pytest.mark.parametrize("name", INJECTIVE)
@pytest.mark.parametrize("t", [2, 3])
def test_injective_positive_scores_give_A_and_V_back(name, t):
    """The proof of the theorem as an algorithm, in floats: from the values alone, by the inverse of S."""
    score, inverse = INJECTIVE[name]
    rng = np.random.default_rng(3)
    A, V = rng.uniform(-1, 1, (2, 2)), rng.uniform(-1, 1, (2, 2))

    def value(*tokens):
        """Return the value at the place of the first token."""
        X = np.stack(tokens, axis=1)
        weights = score(X.T @ A @ X[:, 0])
        return V @ X @ weights / weights.sum()

    found = np.stack([value(*[x] * t) for x in np.eye(2)], axis=1)
    assert np.allclose(found, V, atol=1e-12)

    def ratio(x, y):
        """Return S(y^T A x) / S(x^T A x), from the value with x in one place and y in the others."""
        direction = found @ (y - x)
        part = direction @ (value(x, *[y] * (t - 1)) - found @ x) / (direction @ direction)
        return part / (1 - part) / (t - 1)

    at_zero = score(0.0)
    for _ in range(20):
        x, y = rng.uniform(-1, 1, (2, 2))
        own = at_zero / ratio(x, np.zeros(2))
        assert np.isclose(inverse(own), x @ A @ x, atol=1e-6)
        assert np.isclose(inverse(own * ratio(x, y)), y @ A @ x, atol=1e-6)


def test_where_a_score_is_not_injective_or_not_positive_A_may_be_another():
    """exp(x^2) does not see the sign of A; x, which is injective, does not see its size."""
    tokens = np.random.default_rng(0).uniform(-1, 1, (50, 2, 2))
    A = np.array([[1.0, 2.0], [0.5, -1.0]])

    def weights(score, A):
        values = score(np.swapaxes(tokens, 1, 2) @ A @ tokens)
        return values / values.sum(axis=1, keepdims=True)

    assert np.allclose(weights(lambda x: np.exp(x**2), A), weights(lambda x: np.exp(x**2), -A))
    assert np.allclose(weights(lambda x: x, A), weights(lambda x: x, 2 * A))


def rank_of_layer(plain, d, e, a, t, seed=0):
    """Return the rank of the derivative of (Q, K, V) -> phi for S(x) = 1 + x, by the quotient rule in plain
    integers.
    """
    (Q, K, V), p = plain.weights((d, e), (a,), seed)[0], plain.p
    X = plain.random((-(-2 * (2 * a * d + d * e) // (e * t)) + 2, d, t), seed + 1)
    A, XT = plain.times(K.T, Q), np.swapaxes(X, 1, 2)
    S = (plain.times(XT, A, X) + 1) % p
    below = np.array(
        [[[pow(int(x), -1, p) for x in row] for row in block] for block in S.sum(axis=1, keepdims=True) % p]
    )
    columns = []
    for ((dQ, dK, dV),) in plain.directions([(Q, K, V)]):
        dS = plain.times(XT, (dK.T @ Q + K.T @ dQ) % p, X)
        above = (plain.times(dV, X, S) + plain.times(V, X, dS)) * below % p
        change = plain.times(V, X, S) * (dS.sum(axis=1, keepdims=True) % p) % p * below % p * below % p
        columns.append(((above - change) % p).ravel())
    return plain.rank(np.stack(columns, axis=1))


@pytest.mark.parametrize(
    ("d", "e", "a", "t"), [(2, 1, 1, 2), (3, 2, 2, 2), (3, 2, 1, 3), (4, 1, 3, 2), (2, 3, 4, 3), (1, 2, 1, 2)]
)
def test_the_dimension_is_that_of_the_pairs(plain, d, e, a, t):
    """A point as the fibre: the dimension is that of the A of rank at most a, and of V."""
    alpha = min(a, d)
    expected = alpha * (2 * d - alpha) + d * e
    assert rank_of_layer(plain, d, e, a, t) == expected
    report = algatt.dimension(algatt.Normalized((d, e), (a,), t, algatt.layers.Affine(1, 1)))
    assert (report.value, report.status, report.formula_source) == (expected, "proven", "derived, as HMK Theorem 3.9")


@pytest.mark.parametrize(("d", "e", "a"), [(3, 2, 2), (2, 2, 3)])
def test_one_token_sees_no_scores(plain, d, e, a):
    assert rank_of_layer(plain, d, e, a, 1) == d * e
    arch = algatt.Normalized((d, e), (a,), 1, algatt.layers.Affine(1, 1))
    assert algatt.dimension(arch).value == d * e
    theta = algatt.sample(arch, algatt.AttentionMatrix)
    assert algatt.fiber(arch, theta).dimension == min(a, d) * (2 * d - min(a, d))


@pytest.mark.sample(3)
@pytest.mark.parametrize("field", [algatt.PrimeField(), algatt.Reals()], ids=str)
@pytest.mark.parametrize("dims", [(3, 2), (2, 3), (4, 1)])
def test_the_package_says_the_same(field, dims):
    arch = (
        algatt.Normalized(dims, (2,), 2, algatt.layers.Affine(1, 1))
        if field != algatt.Reals()
        else algatt.Softmax(dims, (2,), 2)
    )
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=field)
    fiber = algatt.fiber(arch, theta)
    assert (fiber.case, fiber.theorem, fiber.dimension, fiber.components, fiber.projective_cardinality) == (
        "a single point",
        "HMK Theorem 3.9" if field == algatt.Reals() else "derived, as HMK Theorem 3.9",
        0,
        1,
        1,
    )
    assert fiber.sample(seed=1) == theta
    other = algatt.sample(arch, algatt.AttentionMatrix, field=field, seed=1)
    (A, V), (B, W) = theta.layers[0], other.layers[0]
    for point in ((A, W), (B, V), (A + A, V), (A.T, V)):
        answer = algatt.same_function(arch, theta, algatt.AttentionMatrix.of([point]))
        assert (answer.equal, answer.status) == (False, "proven")
    zero = [algatt.AttentionMatrix.of([(M, V - V)]) for M in (A, B)]
    assert algatt.same_function(arch, *zero).status == "proven"
    assert algatt.fiber(arch, zero[0]).case == "V = 0: the attention matrix is not seen"
