"""Networks recovered from their values, and black boxes that are refused; the truth is the point that made
the values.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument
from algatt.geometry import identify
from algatt.geometry.identification.factor import exact_factors, square_root
from algatt.geometry.identification.identification import Identification, NotIdentified
from algatt.geometry.identification.quadratic_forms import Oracle, QuadraticForms, products_of_linear_forms
from algatt.geometry.identification.two_layers import forms_of_second_layer

F = PrimeField()
PRIMES = [11, 31, 1048583, F.p, 2147483647, 2305843009213693951]
ONE_LAYER = [((1, 1), 1, 2), ((2, 2), 1, 2), ((3, 1), 2, 3), ((4, 3), 2, 2), ((3, 5), 3, 4)]
TWO_LAYERS = [
    ((2, 2, 2), (2, 2), 2),
    ((4, 3, 4), (2, 2), 3),
    ((3, 2, 3), (2, 1), 2),
    ((3, 4, 2), (3, 2), 4),
    ((4, 1, 4), (2, 1), 2),
    ((1, 2, 2), (1, 1), 2),
]
A1 = Lightning((4, 3), (2,), 2)
A2 = Lightning((3, 3, 3), (2, 2), 2)


def network(arch, seed=0, field=F, coordinates=Weights):
    theta = algatt.sample(arch, coordinates, field=field, seed=seed)
    return theta, algatt.parametrization(arch, coordinates)(theta)


def torus_connects(one: VirtualWeights, two: VirtualWeights) -> bool:
    """Return whether each matrix of one point is a multiple of that of the other, by cross products; the product of the
    scales is checked by values.
    """
    for a, b in zip(one.elements, two.elements, strict=True):
        x, y = (np.array(e.public().tolist(), dtype=object).ravel() for e in (a, b))
        pivot = np.flatnonzero(x)[0]
        if y[pivot] == 0 or ((x * y[pivot] - y * x[pivot]) % one.field.p).any():
            return False
    return True


@pytest.mark.sample(7)
@pytest.mark.parametrize("p", [5, *PRIMES])
@pytest.mark.parametrize(("dims", "rank", "tokens"), ONE_LAYER)
def test_one_layer_is_recovered_up_to_scale(p, dims, rank, tokens):
    arch = Lightning(dims, (rank,), tokens)
    for seed in range(2):
        theta, function = network(arch, seed, PrimeField(p), AttentionMatrix)
        found = identify(function, arch)
        assert found
        assert found.status == "probable"
        assert found.error <= 1e-9
        assert isinstance(found.theta, AttentionMatrix)
        assert any(algatt.same_function(arch, theta, point) for point in (found.theta, *found.alternatives))
        if theta.elements[0].raw.any() and theta.elements[1].raw.any():
            truth = algatt.convert(theta, VirtualWeights)
            points = [algatt.convert(point, VirtualWeights) for point in (found.theta, *found.alternatives)]
            assert sum(torus_connects(truth, point) for point in points) == 1


@pytest.mark.sample(5)
@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), TWO_LAYERS)
def test_two_layers_are_recovered_up_to_the_torus(p, dims, ranks, tokens):
    arch = Lightning(dims, ranks, tokens)
    theta, function = network(arch, 1, PrimeField(p))
    found = identify(function, arch, seed=3)
    assert found.status == "probable"
    assert isinstance(found.theta, VirtualWeights)
    assert torus_connects(algatt.convert(theta, VirtualWeights), found.theta)
    assert algatt.same_function(arch, theta, found.theta)
    assert found.alternatives == ()


@pytest.mark.parametrize(("arch", "most"), [(A1, 46), (Lightning((4, 4, 4), (2, 2), 3), 240)])
def test_the_evaluations_are_counted(arch, most):
    _, function = network(arch)
    counted = Oracle(function, F)
    found = identify(counted, arch)
    assert 0 < found.evaluations == counted.evaluations <= most


def test_the_swap_of_rank_one_is_an_alternative():
    arch = Lightning((3, 2), (1,), 2)
    k, q, v, h = [[1], [2], [3]], [[4, 5, 6]], [[7], [8]], [[1, 0, 2]]
    theta, swapped = (
        AttentionMatrix.of([(np.array(a) @ q, np.array(v) @ b)], field=F)
        for a, b in ((k, h), (np.transpose(h), np.transpose(k)))
    )
    function = algatt.parametrization(arch, AttentionMatrix)(theta)
    found = identify(function, arch)
    assert {found.theta, *found.alternatives} == {algatt.canonical(arch, theta), algatt.canonical(arch, swapped)}
    assert len(found.alternatives) == 1


def test_the_swap_of_the_last_of_two_layers_is_an_alternative_too():
    # HMK Theorem 3.7 asks for rk M_i >= 2 where i < l only; with rk M_2 = rk L = 1 there is a second orbit, by the
    # reflection of the symmetric P_1.
    p, A, k, q, h = 1048583, np.array([[1, 2], [3, 5]]), np.array([[1], [2]]), np.array([[3, 4]]), np.array([[5, 7]])
    X = np.random.default_rng(0).integers(0, p, (5, 2, 3))

    def times(*factors):
        result = factors[0]
        for factor in factors[1:]:
            result = result @ factor % p
        return result

    def plain(M2, L):
        Y = times(X, X.swapaxes(1, 2), A, X)
        return times(L, Y, Y.swapaxes(1, 2), M2, Y)

    one, two = (k @ q, h), (h.T @ q, k.T)
    assert (plain(*one) == plain(*two)).all()
    arch = Lightning((2, 2, 1), (2, 1), 3)
    points = [VirtualWeights.of([A, M2], L, field=PrimeField(p)) for M2, L in (one, two)]
    assert not torus_connects(*points)
    found = identify(algatt.parametrization(arch, VirtualWeights)(points[0]), arch)
    assert {found.theta, *found.alternatives} == {algatt.canonical(arch, point) for point in points}


@pytest.mark.parametrize("parallel", [1, 2])
def test_a_point_of_the_boundary_has_no_alternative(parallel):
    # A = u q^T, V = v u^T: the swap is the point itself.
    u, q, v = np.array([[1], [2], [3]]), np.array([[4, 5, 6]]), np.array([[7], [8]])
    arch = Lightning((3, 2), (2,), 2)
    theta = AttentionMatrix.of([(u @ q, parallel * v @ u.T)], field=F)
    found = identify(algatt.parametrization(arch, AttentionMatrix)(theta), arch)
    assert found.theta == algatt.canonical(arch, theta)
    assert found.alternatives == ()


@pytest.mark.parametrize("arch", [A1, A2])
@pytest.mark.parametrize("field", [F, PrimeField(11), Reals()])
def test_the_zero_function(arch, field):
    found = identify(
        lambda X: 0 * X[:, : arch.dims[-1]] if field == Reals() else X[:, : arch.dims[-1]] - X[:, : arch.dims[-1]],
        arch,
        field=field,
    )
    assert found
    assert not any(element.raw.any() for element in found.theta.elements)
    assert "zero function" in found.reason


def other_degree(X):
    return X[:, :3] * X[:, :3] * X[:, :3] * X[:, :3] * X[:, :3]


def refused(function, arch, **options):
    found = identify(function, arch, **options)
    assert not found
    assert found.theta is None
    assert found.error is None
    return found


@pytest.mark.parametrize(
    ("function", "arch", "reason"),
    [
        (
            network(Lightning((4, 3), (3,), 2))[1],
            A1,
            "the only attention matrix that fits has rank 3, more than a_1 = 2",
        ),
        (
            network(Lightning((3, 3, 3), (3, 2), 2))[1],
            A2,
            "the only virtual weights that fit have M_1 of rank 3, more than 2",
        ),
        (
            network(Lightning((3, 3, 3), (2, 3), 2))[1],
            A2,
            "the only virtual weights that fit have M_2 of rank 3, more than 2",
        ),
        (
            network(Lightning((3, 3, 3), (2, 2), 2))[1],
            Lightning((3, 2, 3), (2, 2), 2),
            "have (M_2, M_2^T, L) of rank 3, more than 2",
        ),
        (
            lambda X: network(A1, 0)[1](X) + network(A1, 1)[1](X),
            A1,
            "the quadratic forms of Proposition A.5 are no products",
        ),
        (lambda X: network(A2, 0)[1](X) + network(A2, 1)[1](X), A2, "has rank two or more; two layers have rank one"),
        (other_degree, A1, "the oracle differs at a random input from the zero function"),
        (lambda X: network(A1, 0)[1](X) + other_degree(X), A1, "differs at a random input from the only function"),
        (lambda X: X, A2, "has rank two or more"),
        (network(Lightning((3, 3), (2,), 2))[1], A2, "no second layer continues the only M_1 that fits"),
        (network(Lightning((3, 3, 3, 3), (2, 2, 2), 2))[1], A2, "has rank two or more"),
    ],
)
def test_other_functions_are_refused_with_a_proof(function, arch, reason):
    found = refused(function, arch)
    assert found.status == "proven"
    assert reason in found.reason


def test_forms_that_factor_only_over_a_larger_field_are_refused():
    # x1^2 - c x2^2 splits if and only if c is a square; 3 is none modulo 31 (its squares are 1, 2, 4, 5, 7, 8, 9, 10,
    # 14, 16, 18, 19, 20, 25, 28).
    arch, field = Lightning((2, 1), (2,), 2), PrimeField(31)
    for c, splits in ((3, False), (4, True)):
        forms = QuadraticForms(arch, algatt.fields.Elements.of(field, [[[[1, 0], [0, 31 - c]]], [[[0, 0], [0, 0]]]]))
        assert bool(identify(forms, arch)) is splits


@pytest.mark.parametrize("skew", [0, 1])
def test_a_skew_symmetric_matrix_leaves_the_question_open(skew):
    M = [np.array([[1, 2, 3], [0, 1, 1], [2, 0, 1]]), np.array([[1, 0, 3], [5, 1, 1], [2, 2, 1]])]
    M[skew] = (M[skew] - M[skew].T) % F.p
    theta = VirtualWeights.of(M, np.eye(3, dtype=int), field=F)
    arch = Lightning((3, 3, 3), (3, 3), 2)
    found = refused(algatt.parametrization(arch, VirtualWeights)(theta), arch)
    assert found.status == "undecided"
    assert "skew-symmetric" in found.reason


def test_a_first_layer_of_rank_one_leaves_the_question_open():
    arch = Lightning((3, 3, 3), (1, 2), 2)
    found = refused(network(arch)[1], arch)
    assert found.status == "undecided"
    assert "as if its rank were one" in found.reason


REAL = [
    ((8, 8), (4,), 2),
    ((3, 4), (2,), 3),
    ((2, 1), (1,), 2),
    ((4, 4, 4), (2, 2), 3),
    ((3, 2, 3), (2, 1), 2),
    ((5, 5, 5), (5, 5), 2),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), REAL)
@pytest.mark.parametrize("seed", range(4))
def test_float_networks_are_recovered(dims, ranks, tokens, seed):
    arch = Lightning(dims, ranks, tokens)
    theta, function = network(arch, seed, Reals())
    found = identify(function, arch)
    assert found.status == "numerical"
    assert found.error is None
    assert found.difference <= 1e-10
    truth = algatt.canonical(arch, algatt.convert(theta, type(found.theta)))
    errors = []
    for point in (found.theta, *found.alternatives):
        pairs = zip(point.elements, truth.elements, strict=True)
        errors.append(max(np.linalg.norm(a.raw - b.raw) / np.linalg.norm(b.raw) for a, b in pairs))
    assert min(errors) <= 1e-8


def test_the_boundary_over_the_reals():
    # With d_1 = 1 the second layer has A = u q^T, V = v u^T, where square roots would double the rounding.
    arch = Lightning((4, 1, 4), (2, 1), 2)
    for seed in range(5):
        found = identify(network(arch, seed, Reals())[1], arch)
        assert found.status == "numerical"
        assert found.difference <= 1e-8


def test_other_float_functions_are_refused_without_a_proof():
    definite = QuadraticForms(
        Lightning((2, 1), (2,), 2),
        algatt.fields.Elements.of(Reals(), [[[[1.0, 0.0], [0.0, 1.0]]], [[[0.0, 0.0], [0.0, 0.0]]]]),
    )
    assert refused(definite, definite.arch).status == "numerical"
    for arch in (A1, A2):
        one, two = (network(arch, seed, Reals())[1] for seed in (0, 1))
        assert refused(lambda X, one=one, two=two: one(X) + two(X), arch, field=Reals()).status == "numerical"
    full = Lightning((4, 3), (4,), 2)
    function = network(full, 0, Reals())[1]
    found = refused(lambda X: function(X) + 1e-3 * X[:, :3] ** 5, full, field=Reals())
    assert "differs at a random input" in found.reason
    assert found.difference > 1e-8


def test_an_oracle_with_noise_is_told_by_the_tolerance():
    _, function = network(A1, 0, Reals())

    def noisy(X):
        values = function(X)
        return values * (1 + 1e-6 * np.sin(1e6 * values))

    assert not identify(noisy, A1, field=Reals())
    found = identify(noisy, A1, field=Reals(), tolerance=1e-4)
    assert found
    assert 1e-8 < found.difference < 1e-5


@pytest.mark.parametrize(
    ("arch", "options", "message"),
    [
        (Lightning((2, 2, 2, 2), (2, 2, 2), 2), {}, "arch was of 3 layers; it should be of one or two layers"),
        (Lightning((2, 2), (2,), 1), {}, "arch was with one token; it should be with at least two tokens"),
        (A1, {"field": PrimeField(3)}, r"field was GF\(3\); it should be a PrimeField with p > 3"),
        (A2, {"field": PrimeField(7)}, r"field was GF\(7\); it should be a PrimeField with p > 9"),
        (A1, {"field": PrimeField(2)}, r"field was GF\(2\)"),
        (A1, {"field": "R"}, "field was 'R'"),
        (A1, {"seed": -1}, "seed was -1"),
        (A1, {"error": 0}, "error was 0; it should be a number between 0 and 1"),
        (A1, {"tolerance": 2.0}, "tolerance was 2.0"),
    ],
)
def test_bad_questions_are_refused(arch, options, message):
    with pytest.raises(InvalidArgument, match=message):
        identify(lambda X: X, arch, **options)


def test_an_oracle_of_another_shape_is_refused():
    with pytest.raises(InvalidArgument, match="oracle was a function whose values are of shape"):
        identify(lambda X: X, A1)


def test_the_answer_does_not_depend_on_the_seed():
    arch = Lightning((3, 2, 3), (2, 2), 2)
    _, function = network(arch)
    assert len({identify(function, arch, seed=seed).theta for seed in range(3)}) == 1


def test_an_answer_is_true_if_parameters_were_found():
    assert not Identification(None, (), "proven", None, None, 0, "")


def test_products_of_linear_forms_by_hand():
    # (x1 + 2 x2)(3 x1 + 4 x2) = 3 x1^2 + 10 x1 x2 + 8 x2^2
    column, row = (
        algatt.fields.Elements.of(PrimeField(31), [[1], [2]]),
        algatt.fields.Elements.of(PrimeField(31), [[3, 4]]),
    )
    assert products_of_linear_forms(column, row).public().tolist() == [[[[3, 10], [0, 8]]]]


@pytest.mark.parametrize("p", PRIMES)
def test_square_roots(p):
    field = PrimeField(p)
    for x in (0, 1, 2, 5, p - 1, p // 3):
        assert square_root(field, x * x % p) in {x, p - x, 0 if x == 0 else x}
    non_square = next(x for x in range(2, p) if pow(x, (p - 1) // 2, p) == p - 1)
    assert square_root(field, non_square) is None


def test_a_form_of_rank_three_is_no_product():
    assert exact_factors(F, np.eye(3)) is None


def test_a_token_that_enters_nonlinearly_has_no_first_layer():
    # The part linear in y is (sum_c x_c^2 y_c) (1, 1, 1): no matrix M_1 has x^T M_1 parallel to the squares of the
    # entries of x.
    found = refused(lambda X: F.galois.Ones((3, 1)) * ((X * X).sum(axis=2)[:, :, None] * X).sum(axis=1)[:, None], A2)
    assert found.status == "proven"
    assert "no matrix M_1" in found.reason


def test_a_function_that_vanishes_at_all_but_special_inputs_is_refused():
    arch = Lightning((3, 3, 3), (2, 2), 3)
    function = network(arch)[1]
    found = refused(lambda X: function(X) if not X[:, :, 2].any() else X - X, arch)
    assert found.status == "proven"
    assert "vanish at random inputs" in found.reason


def test_a_first_layer_of_rank_one_does_not_determine_the_second():
    # All tokens of the second layer are parallel.
    M1 = algatt.fields.Elements.of(F, np.outer([1, 2, 3], [4, 5, 6]))
    with pytest.raises(NotIdentified, match="their equations have a kernel"):
        forms_of_second_layer(Oracle(lambda X: X - X, F), A2, M1, 0)
