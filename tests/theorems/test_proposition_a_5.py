"""HMK Proposition A.5: for t >= 2 a function of one layer is, linearly and isomorphically, the tuple of the forms (a_k
. x)(v_m . x).
"""

import flint
import numpy as np
import pytest

import algatt
from algatt.geometry.identification.quadratic_forms import Oracle, QuadraticForms
from algatt.verbs import quadratic_forms

PRIMES = [2, 3, 31, 8388593, 2147483647, 2305843009213693951]
SIZES = [((1, 1), 1, 2), ((2, 1), 2, 2), ((3, 2), 1, 2), ((3, 4), 3, 3), ((5, 3), 2, 4)]


def integers(public):
    return np.array(public.tolist(), dtype=object)


def form_value(coefficients, x):
    """Return sum_{i <= j} c_ij x_i x_j."""
    return sum(coefficients[i, j] * x[i] * x[j] for i in range(len(x)) for j in range(i, len(x)))


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("dims", "rank", "tokens"), SIZES)
def test_the_forms_are_products_of_columns_of_A_and_rows_of_V(p, dims, rank, tokens):
    arch = algatt.Lightning(dims, (rank,), tokens)
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.PrimeField(p), seed=1)
    A, V = (integers(matrix) for matrix in theta.layers[0])
    forms = integers(quadratic_forms(arch, theta).coefficients)
    rng = np.random.default_rng(0)
    for x in [np.array([int(value) for value in rng.integers(0, 2**62, dims[0])], dtype=object) for _ in range(5)]:
        for k in range(dims[0]):
            for m in range(dims[1]):
                assert form_value(forms[k, m], x) % p == (A[:, k] @ x) * (V[m] @ x) % p


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("dims", "rank", "tokens"), SIZES)
def test_values_alone_give_the_forms_and_the_forms_give_the_function(p, dims, rank, tokens):
    arch, field = algatt.Lightning(dims, (rank,), tokens), algatt.PrimeField(p)
    weights = algatt.sample(arch, algatt.Weights, field=field, seed=2)
    (Q, K, V) = (integers(matrix) for matrix in weights.layers[0])

    def network(X):
        X = integers(X)
        return field.galois((V @ X @ X.swapaxes(1, 2) @ (K.T @ Q) @ X % p).astype(field.galois.dtypes[-1]))

    forms = quadratic_forms(arch, Oracle(network, field))
    X = algatt.sample_inputs(arch, field=field, seed=3, count=4)
    assert (forms(X) == network(X)).all()
    assert (forms(X[0]) == network(X)[0]).all()
    for coordinates in (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights):
        assert quadratic_forms(arch, algatt.convert(weights, coordinates)) == forms


def span_rank(plain, d, e, tokens):
    """Return the rank and the number of the functions X -> (sum_k x_{k,i} sum_j q_{k,m}(x_j)), one for each coefficient
    of the q_{k,m}.
    """
    pairs = [(i, j) for i in range(d) for j in range(i, d)]
    X = plain.random((d * len(pairs), d, tokens), 0)
    columns = []
    for k in range(d):
        for m in range(e):
            for i, j in pairs:
                value = np.zeros((len(X), e, tokens), dtype=np.int64)
                value[:, m] = X[:, k] * ((X[:, i] * X[:, j] % plain.p).sum(axis=1, keepdims=True) % plain.p) % plain.p
                columns.append(value.ravel())
    return plain.rank(np.array(columns)), len(columns)


@pytest.mark.parametrize(("d", "e", "tokens"), [(1, 2, 2), (2, 1, 2), (3, 2, 2), (3, 1, 3)])
def test_the_map_from_forms_to_functions_is_injective(plain, d, e, tokens):
    rank, unknowns = span_rank(plain, d, e, tokens)
    assert rank == unknowns


def test_with_one_token_it_is_not(plain):
    rank, unknowns = span_rank(plain, 3, 1, 1)
    assert rank == 10  # the cubic forms in three variables
    assert unknowns == 18


def test_a_skew_symmetric_matrix_is_invisible_with_one_token_but_not_in_the_forms():
    skew = algatt.AttentionMatrix.of([(np.array([[0, 1], [30, 0]]), np.array([[1, 2]]))], field=algatt.PrimeField(31))
    assert not integers(algatt.evaluate(algatt.Lightning((2, 1), (2,), 1), skew, [[5], [7]])).any()
    assert integers(quadratic_forms(algatt.Lightning((2, 1), (2,), 2), skew).coefficients).any()
    with pytest.raises(algatt.errors.InvalidArgument, match="arch was with one token"):
        quadratic_forms(algatt.Lightning((2, 1), (2,), 1), skew)


def test_the_isomorphism_is_linear():
    arch, field = algatt.Lightning((3, 2), (2,), 2), algatt.PrimeField()
    one, two = (
        algatt.parametrization(arch, algatt.Weights)(algatt.sample(arch, algatt.Weights, seed=seed)) for seed in (4, 5)
    )
    three = field.galois(3)
    combined = quadratic_forms(arch, Oracle(lambda X: one(X) + three * two(X), field))
    expected = quadratic_forms(arch, one).elements + quadratic_forms(arch, two).elements * 3
    assert combined == QuadraticForms(arch, expected)


@pytest.mark.parametrize(("d", "e", "a"), [(2, 1, 2), (3, 2, 1), (3, 2, 2), (4, 3, 4)])
def test_the_tuples_of_forms_have_the_dimension_of_corollary_3_3(plain, d, e, a):
    (Q, K, V) = plain.weights((d, e), (a,), 0)[0]
    A = plain.times(K.T, Q)
    rows = []
    for ((dQ, dK, dV),) in plain.directions([(Q, K, V)]):
        dA = (dK.T @ Q + K.T @ dQ) % plain.p
        products = (
            dA.T[:, None, :, None] * V[None, :, None, :] + A.T[:, None, :, None] * dV[None, :, None, :]
        ) % plain.p
        rows.append(np.triu(products + np.triu(products.swapaxes(2, 3), 1)).ravel() % plain.p)
    assert plain.rank(np.array(rows)) == a * (2 * d - a) + d * e - 1


@pytest.mark.parametrize("seed", range(3))
def test_the_closure_of_figure_1_is_a_resultant(seed):
    # d = 2, d' = 1: f = (a_1 . x)(v . x) and g = (a_2 . x)(v . x) have a common factor.
    arch = algatt.Lightning((2, 1), (2,), 2)
    forms = integers(quadratic_forms(arch, algatt.sample(arch, algatt.AttentionMatrix, seed=seed)).coefficients)
    (f0, f1, f2), (g0, g1, g2) = ([int(forms[k, 0][index]) for index in ((0, 0), (0, 1), (1, 1))] for k in (0, 1))
    sylvester = [f0, f1, f2, 0, 0, f0, f1, f2, g0, g1, g2, 0, 0, g0, g1, g2]
    assert int(flint.nmod_mat(4, 4, sylvester, algatt.PrimeField().p).det()) == 0
