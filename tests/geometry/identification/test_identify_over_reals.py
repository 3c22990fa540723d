"""Black boxes over the reals that are nearly something else: no member is refuted, and no other taken for one.

The truth is the point that made the values. Noise is less than the tolerance, relative to each value.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import algatt
from algatt import Lightning, Reals, VirtualWeights, Weights
from algatt.errors import EquivalenceUndecided, InvalidArgument, NoNormalForm
from algatt.geometry import identify
from algatt.geometry.identification import over_reals
from algatt.geometry.identification.identification import NotIdentified
from algatt.geometry.identification.near_factors import NearForms, near_factors
from algatt.geometry.identification.near_first_layer import near_first_layer, weights_of_linear_part
from algatt.geometry.identification.near_second_layer import near_second_layer
from algatt.geometry.identification.noise import Noise, region_of_solutions
from algatt.geometry.identification.quadratic_forms import Oracle

R = Reals()

ARCHITECTURES = [
    ((2, 2, 2), (2, 2), 2),
    ((3, 3, 3), (3, 3), 2),
    ((4, 3, 4), (2, 2), 3),
    ((3, 2, 3), (2, 1), 2),
    ((3, 3, 2), (2, 2), 3),
    ((3, 1, 3), (2, 1), 2),
    ((3, 3, 1), (3, 1), 2),
    ((4, 3), (2,), 2),
    ((3, 2), (1,), 2),
    ((3, 3), (3,), 2),
]


def attention(rng, a, d, kind):
    """Return K and Q of which the product is nearly skew-symmetric, of rank one, zero or symmetric, or badly scaled."""
    K, Q, small = rng.standard_normal((a, d)), rng.standard_normal((a, d)), 10.0 ** rng.uniform(-9, -1)
    if kind == "skew":
        J = rng.standard_normal((a, a))
        Q = (J - J.T) @ K + small * Q
    elif kind == "rank one":
        K = np.outer(rng.standard_normal(a), rng.standard_normal(d)) + small * K
    elif kind == "zero":
        K = small * K
    elif kind == "symmetric":
        Q = K + small * Q
    elif kind == "scaled":
        K, Q = K * 10.0 ** rng.uniform(-4, 4, (a, 1)), Q * 10.0 ** rng.uniform(-2, 2, (1, d))
    return Q, K


def values_matrix(rng, e, d, kind, parallel_to):
    """Return V: ill-conditioned, nearly of rank one or zero, badly scaled, or rows nearly parallel to a given one."""
    V, small = rng.standard_normal((e, d)), 10.0 ** rng.uniform(-9, -1)
    if kind == "ill-conditioned":
        left, sizes, right = np.linalg.svd(V, full_matrices=False)
        V = left * 10.0 ** -np.linspace(0, rng.uniform(1, 6), len(sizes)) @ right
    elif kind == "rank one":
        V = np.outer(rng.standard_normal(e), rng.standard_normal(d)) + small * V
    elif kind == "zero":
        V = small * V
    elif kind == "scaled":
        V = V * 10.0 ** rng.uniform(-3, 3, (e, 1))
    elif kind == "parallel":
        V = np.outer(rng.standard_normal(e), parallel_to) + small * V
    return V


def weights(rng, dims, ranks, plain=False):
    layers = []
    for d, e, a in zip(dims, dims[1:], ranks, strict=False):
        scores = ["plain", "skew", "rank one", "zero", "symmetric", "scaled"]
        Q, K = attention(rng, a, d, "plain" if plain else rng.choice(scores))
        kinds = ["plain", "ill-conditioned", "rank one", "zero", "scaled", "parallel"]
        layers.append((Q, K, values_matrix(rng, e, d, "plain" if plain else rng.choice(kinds), K[0])))
    return Weights.of(layers, field=R)


def norms(values):
    return np.linalg.norm(values, axis=(1, 2), keepdims=True)


def with_noise(function, level, seed=0):
    """Return a function whose values are off by `level` times their norm."""
    rng = np.random.default_rng(seed)

    def noisy(X):
        values = function(X)
        error = rng.standard_normal(values.shape)
        return values + level * norms(values) * error / norms(error)

    return noisy


def drawn(seed):
    rng = np.random.default_rng([1, seed])
    dims, ranks, tokens = ARCHITECTURES[rng.integers(len(ARCHITECTURES))]
    arch = Lightning(dims, ranks, tokens)
    theta = weights(rng, dims, ranks)
    return (
        arch,
        theta,
        with_noise(algatt.parametrization(arch, Weights)(theta), rng.choice([0, 1e-12, 1e-10, 1e-9]), seed),
    )


def distance(arch, function, theta):
    """Return the relative difference of values at other inputs, each divided by the power of the input's norm."""
    X = algatt.sample_inputs(arch, field=R, seed=12345, count=64)
    scales = norms(X) ** 3**arch.layers
    values = function(X)
    return np.linalg.norm((algatt.evaluate(arch, theta, X) - values) / scales) / np.linalg.norm(values / scales)


def is_member(arch, theta):
    """Return whether virtual weights are those of weights of the architecture, up to rounding."""
    matrices = [element.raw for element in theta.elements]
    sized = [(matrices[0], arch.ranks[0])]
    if arch.layers == 2:
        M, L = matrices[1] / np.linalg.norm(matrices[1]), matrices[2] / np.linalg.norm(matrices[2])
        sized += [(M, arch.ranks[1]), (np.concatenate([M, M.T, L]), arch.dims[1])]
    excess = [np.linalg.svd(matrix, compute_uv=False)[rank:] / np.linalg.norm(matrix) for matrix, rank in sized]
    return all((values <= 1e-12).all() for values in excess)


@pytest.mark.sample(0)
@pytest.mark.parametrize("block", range(3))
def test_members_are_never_refuted(block):
    """Nearly skew, of rank one, zero or parallel, badly scaled or conditioned: of 180 members few stay open."""
    statuses = Counter()
    for seed in range(60 * block, 60 * (block + 1)):
        arch, _, function = drawn(seed)
        found = identify(function, arch, field=R)
        assert found or found.status == "undecided", (seed, found.reason)
        if found:
            assert is_member(arch, found.theta)
            assert distance(arch, function, found.theta) <= 4e-8
        statuses[found.status] += 1
    assert statuses["undecided"] <= 15


@pytest.mark.sample(3)
@pytest.mark.parametrize(("small", "level"), [(1e-3, 1e-10), (1e-6, 0)])
@pytest.mark.parametrize("seed", range(4))
def test_a_first_layer_that_is_nearly_skew_symmetric(small, level, seed):
    """The linear parts are as small as the square of q_1, but the values have enough digits for an answer."""
    rng = np.random.default_rng(seed)
    J = rng.standard_normal((3, 3))
    M1, M2, L = J - J.T + small * rng.standard_normal((3, 3)), rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    arch = Lightning((3, 3, 3), (3, 3), 2)
    function = algatt.parametrization(arch, VirtualWeights)(VirtualWeights.of([M1, M2], L, field=R))
    found = identify(with_noise(function, level, seed), arch, field=R)
    assert found
    assert found.difference <= 1e-8


@pytest.mark.sample(1)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), [*ARCHITECTURES, ((5, 5, 5), (5, 5), 2), ((6, 3, 4), (3, 2), 3)])
@pytest.mark.parametrize("level", [0, 1e-10, 1e-9])
def test_well_conditioned_networks_are_always_found(dims, ranks, tokens, level):
    arch = Lightning(dims, ranks, tokens)
    for seed in range(3):
        theta = algatt.sample(arch, Weights, field=R, seed=seed)
        assert identify(with_noise(algatt.parametrization(arch, Weights)(theta), level, seed), arch, field=R)


def orthonormal(rng, rows, columns):
    return np.linalg.qr(rng.standard_normal((columns, columns)))[0][:rows]


@pytest.mark.parametrize("excess", ["M_1", "M_2", "(M_2, M_2^T, L)"])
@pytest.mark.parametrize("seed", range(5))
def test_a_rank_that_is_too_large_is_refused_although_the_values_are_noisy(excess, seed):
    rng = np.random.default_rng(seed)
    dims, ranks = ((3, 3, 3), (2, 2)) if excess != "(M_2, M_2^T, L)" else ((3, 2, 3), (2, 2))
    larger = {"M_1": ((3, 3, 3), (3, 2)), "M_2": ((3, 3, 3), (2, 3))}.get(excess, ((3, 3, 3), (2, 2)))
    layers = [
        (orthonormal(rng, a, d), orthonormal(rng, a, d), orthonormal(rng, e, d))
        for d, e, a in zip(*((larger[0]), larger[0][1:], larger[1]), strict=False)
    ]
    function = algatt.parametrization(Lightning(*larger, 2), Weights)(Weights.of(layers, field=R))
    found = identify(with_noise(function, 1e-9, seed), Lightning(dims, ranks, 2), field=R)
    assert found.status == "numerical"
    assert found.theta is None
    assert f"have {excess} of rank 3, more than 2" in found.reason


def nonmember(seed):
    """Return an architecture and a function that is none of it: of higher rank, a sum, or partly of another degree."""
    rng = np.random.default_rng([2, seed])
    kind, small = rng.choice(["rank", "sum", "degree"]), 10.0 ** rng.uniform(-10, 0)
    dims, ranks = ((3, 3, 3), (2, 2)) if seed % 3 else ((4, 3), (2,))
    arch = Lightning(dims, ranks, 2)
    if kind == "rank":
        larger = tuple(rank + 1 for rank in ranks)
        theta = weights(rng, dims, larger, plain=True)
        Q = theta.elements[0].raw * np.array([1, 1, small])[:, None]
        theta = theta.replace([algatt.fields.Elements(R, Q), *theta.elements[1:]])
        return arch, algatt.parametrization(Lightning(dims, larger, 2), Weights)(theta)
    one, two = (algatt.parametrization(arch, Weights)(weights(rng, dims, ranks, plain=True)) for _ in range(2))
    if kind == "sum":
        return arch, lambda X: one(X) + small * two(X)
    return arch, lambda X: one(X) + small * norms(one(X)) * (X[:, : dims[-1]] / norms(X)) ** 5


@pytest.mark.sample(1)
@pytest.mark.parametrize("block", range(4))
def test_others_are_accepted_only_where_a_member_has_the_values(block):
    statuses = Counter()
    for seed in range(20 * block, 20 * (block + 1)):
        arch, function = nonmember(seed)
        found = identify(with_noise(function, 1e-10, seed), arch, field=R)
        if found:
            assert is_member(arch, found.theta)
            assert distance(arch, function, found.theta) <= 4e-8, seed
        statuses[found.status if not found else "accepted"] += 1
    assert statuses["numerical"] >= 8


def test_what_is_returned_has_the_ranks_of_the_architecture():
    """M_1 has a third singular value of 1e-10: a network of rank two has these values within the tolerance."""
    rng = np.random.default_rng(0)
    left, right = orthonormal(rng, 3, 3), orthonormal(rng, 3, 3)
    M = [left @ np.diag([1, 0.5, 1e-10]) @ right, orthonormal(rng, 2, 3).T @ orthonormal(rng, 2, 3)]
    point = VirtualWeights.of(M, np.eye(3), field=R)
    arch = Lightning((3, 3, 3), (2, 2), 2)
    found = identify(algatt.parametrization(arch, VirtualWeights)(point), arch, field=R)
    assert is_member(arch, found.theta)


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", [1e-60, 1e-40, 1e60])
@pytest.mark.parametrize("arch", [Lightning((3, 2), (2,), 2), Lightning((3, 2, 3), (2, 2), 2)])
def test_the_size_of_the_values_plays_no_part(arch, size):
    function = algatt.parametrization(arch, Weights)(algatt.sample(arch, Weights, field=R))
    plain, scaled = identify(function, arch, field=R), identify(lambda X: size * function(X), arch, field=R)
    for one, two, factor in zip(plain.theta.elements, scaled.theta.elements, [1] * arch.layers + [size], strict=True):
        assert np.allclose(two.raw / factor, one.raw, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_values_whose_squares_float64_cannot_hold_are_refused(size):
    arch = Lightning((3, 2), (2,), 2)
    function = algatt.parametrization(arch, Weights)(algatt.sample(arch, Weights, field=R))
    with pytest.raises(InvalidArgument, match=r"oracle was .* values at inputs of norm one have size .*; rescale them"):
        identify(lambda X: size * function(X), arch, field=R)


@pytest.mark.sample(1)
@pytest.mark.parametrize("arch", [Lightning((3, 2), (2,), 2), Lightning((3, 2, 3), (2, 2), 2)])
def test_an_oracle_that_rounds_more_than_the_tolerance_is_not_refuted(arch):
    """In float32 the values are rounded by more than 1e-8 of their size, which says nothing of the network."""
    theta = algatt.sample(arch, Weights, field=R)
    layers = [tuple(matrix.astype(np.float32) for matrix in layer) for layer in theta.layers]

    def single(X):
        X = X.astype(np.float32)
        for Q, K, V in layers:
            X = V @ (X @ np.swapaxes(X, 1, 2)) @ (K.T @ Q) @ X
        return X.astype(np.float64)

    found = identify(single, arch, field=R)
    assert found.status == "undecided"
    assert "rounded by" in found.reason
    assert identify(single, arch, field=R, tolerance=1e-4)


def test_balls_are_no_field_to_identify_over():
    with pytest.raises(InvalidArgument, match="field was"):
        identify(lambda X: X, Lightning((2, 2), (2,), 2), field=algatt.Balls())


# The bounds, one by one: what is within the errors is within the regions.


def test_the_weights_of_linear_parts():
    """They give f'(0) for odd f of degree nine, in exact arithmetic up to the rounding of the weights."""
    numbers, found = weights_of_linear_part()
    for power in (1, 3, 5, 7, 9):
        value = sum(Fraction(float(w)) * Fraction(float(x)) ** power for w, x in zip(found, numbers, strict=True))
        assert abs(value - (power == 1)) < 1e-13


def test_the_noise_of_values():
    """The tolerance, relative to a value; rounding, relative to the largest at norm one; or the oracle's own."""
    X = np.array([[[1.0]], [[2.0]]])
    values = np.array([[[1.0]], [[0.5]]])
    exact = Noise.of(3, 1e-8, X, values, values)
    assert exact.bounds(X, values) == pytest.approx([1e-8 + 1e-13, 0.5e-8 + 8e-13], rel=1e-12)
    noisy = Noise.of(3, 1e-8, X, values, values + np.array([[[1e-6]], [[0.0]]]))
    assert noisy.of_value > 1e-6
    assert noisy.of_size > 1e-6


seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(1, 5), st.integers(0, 4), st.floats(1e-9, 1.0))
@example(141128, 1, 2, 2.5971293715379533e-09)  # the farthest solution, beside which rounding counts
def test_solutions_within_an_error_are_in_the_region(seed, columns, more, error):
    rng = np.random.default_rng(seed)
    matrix, X = rng.standard_normal((columns + more, columns)), rng.standard_normal(columns)
    off = rng.standard_normal(columns + more)
    region = region_of_solutions(matrix, matrix @ X + error * off / np.linalg.norm(off), error)
    assert np.linalg.norm(region.center - X) <= region.radius


def test_equations_without_solutions_within_the_error():
    """The line through 0 that is nearest to (0, 1), among the multiples of (1, 0), is at distance one."""
    matrix, right = np.array([[1.0], [0.0]]), np.array([0.0, 1.0])
    assert region_of_solutions(matrix, right, 0.99) is None
    assert region_of_solutions(matrix, right, 1.01).radius == pytest.approx(math.sqrt(1.01**2 - 1), rel=1e-4)
    assert region_of_solutions(np.zeros((2, 1)), right, 2.0).radius == math.inf


@given(
    seeds,
    st.sampled_from([(1, 1), (2, 1), (2, 3), (3, 2), (4, 3)]),
    st.floats(-12, -1),
    st.sampled_from([0.0, 1e-6, 1e-3, 1.0]),
)
def test_factors_of_forms_with_errors_are_in_a_region(seed, shape, exponent, apart):
    """Also where k and h of A = k q^T, V = v h^T are nearly parallel. The errors are as large as they may be."""
    (d, e), error = shape, 10.0**exponent
    rng = np.random.default_rng(seed)
    A, V = rng.standard_normal((d, d)), rng.standard_normal((e, d))
    if apart < 1:
        A = np.outer(A[:, 0], rng.standard_normal(d))
        V = np.outer(V[:, 0], A[:, 0] + apart * V[0])
    outer = A.T[:, None, :, None] * V[None, :, None, :]
    off = rng.standard_normal(outer.shape)
    off = off + np.swapaxes(off, 2, 3)
    sizes = np.linalg.norm(off, axis=(2, 3), keepdims=True)
    matrices = (outer + np.swapaxes(outer, 2, 3)) / 2 + error * off / sizes
    regions = near_factors(NearForms(matrices, np.full((d, e), 1.0001 * error)), ("A", "V"))
    scales = [sign / np.linalg.norm(column) for column in A.T for sign in (1, -1)]  # one column of A has norm one
    assert any(contains(region, A * scale, V / scale) for region in regions for scale in scales)


def contains(region, A, V):
    within = (
        np.linalg.norm(region.A - A, axis=0) <= region.A_errors,
        np.linalg.norm(region.V - V, axis=1) <= region.V_errors,
    )
    return all(part.all() for part in within)


def test_forms_that_are_no_products_within_the_errors():
    """x^2 + y^2 is no product; the squares of linear forms of norm one are nearest, at distance one."""
    definite = np.eye(2).reshape(1, 1, 2, 2)
    assert near_factors(NearForms(definite, np.full((1, 1), 1.01)), ("A", "V"))
    with pytest.raises(NotIdentified, match="no products"):
        near_factors(NearForms(definite, np.full((1, 1), 0.99)), ("A", "V"))


def test_products_that_do_not_belong_together_within_the_errors():
    """x y and z^2 are products of their own, but have no factor in common."""
    forms = np.zeros((3, 1, 3, 3))
    forms[0, 0, 0, 1] = forms[0, 0, 1, 0] = 0.5
    forms[1, 0, 2, 2] = 1.0
    with pytest.raises(NotIdentified, match="no products"):
        near_factors(NearForms(forms, np.full((3, 1), 1e-3)), ("A", "V"))


@given(seeds, st.sampled_from([0.0, 0.5, 0.99]), st.sampled_from([1e-8, 1e-4]), st.booleans())
def test_two_layers_with_errors_are_in_the_regions(seed, part, tolerance, skew):
    """The truth, in the scale of the regions, at any noise below the tolerance."""
    rng = np.random.default_rng(seed)
    M1, M2, L = (rng.standard_normal((3, 3)) for _ in range(3))
    if skew:
        M1 = M1 - M1.T + 0.1 * rng.standard_normal((3, 3))
    arch, noise = Lightning((3, 3, 3), (3, 3), 2), Noise(9, tolerance, 1e-13)
    function = algatt.parametrization(arch, VirtualWeights)(VirtualWeights.of([M1, M2], L, field=R))
    oracle = Oracle(with_noise(function, part * tolerance, seed), R)
    region = near_first_layer(oracle, arch, 0, 1, noise)
    scale = (region.center**2).sum() / (region.center * M1).sum()
    assert np.linalg.norm(scale * M1 - region.center) <= region.radius
    smaller, forms = near_second_layer(oracle, arch, region, 0, 1, noise)
    assert np.linalg.norm(scale * M1 - smaller.center) <= smaller.radius
    outer = M2.T[:, None, :, None] * L[None, :, None, :] / scale**3
    assert (np.linalg.norm(forms.matrices - (outer + np.swapaxes(outer, 2, 3)) / 2, axis=(2, 3)) <= forms.errors).all()


def test_points_without_a_normal_form_are_told_apart_by_their_functions(monkeypatch):
    """One that a symmetry moved is left out; another function stays, and so does one of which that is undecided."""
    arch = Lightning((3, 3, 3), (3, 3), 2)
    theta, other = (algatt.sample(arch, Weights, field=R, seed=seed) for seed in (0, 3))
    moved = algatt.act(algatt.symmetries(arch)[0].element(theta, seed=1), theta)
    fresh = SimpleNamespace(arch=arch, tolerance=1e-8)

    def none(*_):
        raise NoNormalForm("floats do not decide")

    monkeypatch.setattr(algatt.verbs, "canonical", none)
    assert len(over_reals.normal_forms([theta, moved], fresh)) == 1
    assert len(over_reals.normal_forms([theta, other], fresh)) == 2

    def undecided(*_):
        raise EquivalenceUndecided("undecided")

    monkeypatch.setattr(over_reals, "same_function", undecided)
    assert len(over_reals.normal_forms([theta, moved], fresh)) == 2
