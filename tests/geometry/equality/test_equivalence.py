"""Equal functions: group elements that carry one point to another, inputs that separate, refusals."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt

PRIMES = (31, 8388593, 2147483647, 2305843009213693951)


@st.composite
def networks(draw, least_rank=1):
    """Networks of up to three layers with widths and ranks up to 6."""
    layers = draw(st.integers(1, 3))
    dims = tuple(draw(st.integers(1, 6)) for _ in range(layers + 1))
    return algatt.Lightning(
        dims, tuple(draw(st.integers(least_rank, 6)) for _ in range(layers)), draw(st.integers(2, 3))
    )


@st.composite
def bottlenecks(draw):
    """Networks inside the hypotheses of HMK Theorem 3.7 and Lemma 3.5."""
    layers = draw(st.integers(1, 3))
    delta = draw(st.integers(2, 6))
    ends = draw(st.integers(delta, 6)), draw(st.integers(delta, 6))
    return algatt.Lightning(
        (ends[0], *(delta,) * (layers - 1), ends[1]),
        tuple(draw(st.integers(2, 6)) for _ in range(layers)),
        draw(st.integers(2, 3)),
    )


def unreached(arch):
    """Changes of tensors by what vanishes on all that inputs reach."""
    names = [f"{letter}_{number}" for number in range(1, arch.layers + 1) for letter in "QKV"]
    lightning = algatt.Lightning(arch.dims, arch.ranks, arch.tokens)
    return [algatt.symmetry.UnseenDirections(lightning, name, reads_some=False) for name in names]


def moved_by_gauges(arch, theta, seed):
    for family in (
        algatt.symmetry.KeyQuery(arch),
        algatt.symmetry.Interlayer(arch),
        algatt.symmetry.Rescaling(arch),
        *unreached(arch),
    ):
        theta = algatt.act(family.element(theta, seed), theta)
    return theta


@given(
    networks(),
    st.sampled_from(PRIMES),
    st.integers(0, 10**6),
    st.sampled_from([algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights]),
)
def test_an_element_is_found_that_carries_one_point_to_the_other(arch, p, seed, coordinates):
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
    one, two = (algatt.convert(point, coordinates) for point in (theta, moved_by_gauges(arch, theta, seed + 1)))
    answer = algatt.same_function(arch, one, two)
    assert answer.equal
    assert answer.status == "proven"
    if all(element.raw.any() for element in algatt.convert(theta, algatt.VirtualWeights).elements):
        assert answer.coordinates is coordinates
        assert algatt.act(answer.element, one) == two
    else:  # over GF(31) a zero function may come up, and for it an element is no promise
        assert answer.element is None or algatt.act(
            answer.element, algatt.convert(one, answer.coordinates)
        ) == algatt.convert(two, answer.coordinates)


@given(bottlenecks(), st.sampled_from(PRIMES[1:]), st.integers(0, 10**6))
def test_the_element_is_the_one_that_was_used(arch, p, seed):
    """Inside the hypotheses the action is free if a_i <= d_{i-1}: the matrices themselves come back."""
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
    families = (algatt.symmetry.KeyQuery(arch), algatt.symmetry.Interlayer(arch), algatt.symmetry.Rescaling(arch))
    used = [family.element(theta, seed + 1) for family in families]
    moved = theta
    for element in used:
        moved = algatt.act(element, moved)
    answer = algatt.same_function(arch, theta, moved)
    assert answer.coordinates is algatt.Weights
    for element in (one for one in used if one.matrices):
        if not isinstance(element.family, algatt.symmetry.KeyQuery) or all(
            a <= d for a, d in zip(arch.ranks, arch.dims, strict=False)
        ):
            assert answer.element.factor(type(element.family)) == element


@given(bottlenecks(), st.integers(0, 10**6), st.data())
def test_one_entry_off_the_orbit_is_separated_by_an_input(arch, seed, data):
    theta = algatt.sample(arch, algatt.Weights, seed=seed)
    moved = moved_by_gauges(arch, theta, seed + 1)
    vector = algatt.flatten(moved).copy()
    position = data.draw(st.integers(0, len(vector) - 1))
    vector[position] += type(vector)(1)
    other = algatt.unflatten(arch, algatt.Weights, vector)
    answer = algatt.same_function(arch, theta, other)
    if all(a <= d for a, d in zip(arch.ranks, arch.dims, strict=False)):
        assert not answer.equal
    if not answer.equal:
        X = answer.separating_input
        assert answer.status == "proven"
        assert (algatt.evaluate(arch, theta, X) != algatt.evaluate(arch, other, X)).any()


def conditioned(size, condition, rng):
    """Return a matrix with singular values from 1 to 1 / condition."""
    if size == 1:
        return np.array([[1.0 + rng.random()]])
    left, right = (np.linalg.qr(rng.standard_normal((size, size)))[0] for _ in range(2))
    return left * np.geomspace(1, 1 / condition, size) @ right


@given(bottlenecks(), st.integers(0, 10**6), st.sampled_from([1e1, 1e4]))
def test_over_the_reals_ill_conditioned_elements_are_recovered(arch, seed, condition):
    rng = np.random.default_rng(seed)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed)
    scales = [[[float(np.exp(rng.standard_normal()) * rng.choice([-1, 1]))]] for _ in arch.ranks]
    used = (
        algatt.symmetry.KeyQuery(arch).of([conditioned(a, condition, rng) for a in arch.ranks]),
        algatt.symmetry.Interlayer(arch).of([conditioned(d, condition, rng) for d in arch.dims[1:-1]]),
        algatt.symmetry.Rescaling(arch).of(scales),
    )
    moved = algatt.act(algatt.symmetry.ProductElement(used), theta)
    answer = algatt.same_function(arch, theta, moved)
    assert (answer.equal, answer.status) == (True, "numerical")
    assert (
        condition > 10 or answer.coordinates is algatt.Weights
    )  # else rarely it is found for attention matrices alone
    first, second = (algatt.convert(point, answer.coordinates) for point in (theta, moved))
    for one, two in zip(algatt.act(answer.element, first).elements, second.elements, strict=True):
        assert np.linalg.norm(one.raw - two.raw) <= 1e-8 * np.linalg.norm(two.raw)


def test_three_ill_conditioned_layers_need_newtons_method():
    """The elimination alone, whose errors grow with the square of the condition number, leaves some of these beyond
    1e-8.
    """
    arch = algatt.Lightning((6, 6, 6, 6), (6, 4, 4), 3)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed)
        used = algatt.symmetry.ProductElement(
            (
                algatt.symmetry.KeyQuery(arch).of([conditioned(a, 1e4, rng) for a in arch.ranks]),
                algatt.symmetry.Interlayer(arch).of([conditioned(6, 1e4, rng) for _ in range(2)]),
            )
        )
        answer = algatt.same_function(arch, theta, algatt.act(used, theta))
        assert answer.coordinates is algatt.Weights
        assert answer.distance <= 1e-11


def test_over_the_reals_other_weights_are_told_apart():
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    one, two = (algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed) for seed in (0, 1))
    answer = algatt.same_function(arch, one, two)
    assert not answer
    assert answer.status == "proven"
    X = answer.separating_input
    assert np.abs(algatt.evaluate(arch, one, X) - algatt.evaluate(arch, two, X)).max() > 1e-3


def test_a_difference_near_rounding_decides_nothing():
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.Reals(), seed=0)
    (A, V) = theta.layers[0]
    near = algatt.AttentionMatrix.of([(A * (1 + 1e-7 * np.arange(9).reshape(3, 3)), V)])
    with pytest.raises(algatt.errors.EquivalenceUndecided, match="within the tolerance 1e-08 or nearly"):
        algatt.same_function(arch, theta, near)
    assert algatt.same_function(arch, theta, near, tolerance=1e-5).equal
    assert not algatt.same_function(arch, theta, near, tolerance=1e-12).equal


def rank_one(p=31):
    k, q, v, h = np.array([1, 2, 3]), np.array([1, 0, 2]), np.array([1, 5]), np.array([2, 2, 1])
    return np.outer(k, q) % p, np.outer(v, h) % p, np.outer(h, q) % p, np.outer(v, k) % p


@pytest.mark.parametrize("coordinates", ["attention", "virtual", "weights"])
def test_the_swap_of_one_layer_is_found(coordinates):
    """HMK Theorem 3.2: (k q^T, v h^T) and (h q^T, v k^T)."""
    A, V, A2, V2 = rank_one()
    F = algatt.PrimeField(31)
    arch = algatt.Lightning((3, 2), (1,), 2)
    if coordinates == "weights":
        one = algatt.Weights.of([([[1, 0, 2]], [[1, 2, 3]], V)], field=F)
        two = algatt.Weights.of([([[1, 0, 2]], [[2, 2, 1]], V2)], field=F)
    elif coordinates == "attention":
        one, two = algatt.AttentionMatrix.of([(A, V)], field=F), algatt.AttentionMatrix.of([(A2, V2)], field=F)
    else:
        one, two = algatt.VirtualWeights.of([A], V, field=F), algatt.VirtualWeights.of([A2], V2, field=F)
    answer = algatt.same_function(arch, one, two)
    assert answer.equal
    assert answer.element.factor(algatt.symmetry.SwapElement) is not None
    assert algatt.act(answer.element, one) == two


def test_symmetric_parts_decide_behind_a_layer_of_rank_one():
    """Without rk M_1 >= 2 HMK Theorem 3.7 fails: M_2 and its transpose are one function, in no common orbit of the
    torus.
    """
    F = algatt.PrimeField(31)
    M1, M2, L = np.outer([1, 2], [3, 4]), np.array([[1, 2], [5, 7]]), np.array([[1, 1], [0, 3]])
    arch = algatt.Lightning((2, 2, 2), (1, 2), 3)
    one, two = (algatt.VirtualWeights.of([M1, M], L, field=F) for M in (M2, M2.T))
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status, answer.element) == (True, "proven", None)
    X = algatt.sample_inputs(arch, field=F, count=5)
    assert (algatt.evaluate(arch, one, X) == algatt.evaluate(arch, two, X)).all()


def test_zero_functions_are_equal_without_an_element():
    arch = algatt.Lightning((2, 2), (2,), 2)
    F = algatt.PrimeField(31)
    zero, some = np.zeros((2, 2), dtype=int), np.array([[1, 2], [3, 4]])
    answer = algatt.same_function(
        arch, algatt.AttentionMatrix.of([(zero, some)], field=F), algatt.AttentionMatrix.of([(some, zero)], field=F)
    )
    assert (answer.equal, answer.status, answer.element) == (True, "proven", None)


def test_weights_of_one_attention_matrix_are_carried_by_what_is_not_seen():
    """One A of rank one, with K of rank one and of rank two: in no common orbit of the gauges."""
    F = algatt.PrimeField(31)
    V = np.array([[1, 2], [3, 5]])
    one = algatt.Weights.of([([[1, 1], [0, 0]], [[1, 2], [0, 0]], V)], field=F)
    two = algatt.Weights.of([([[1, 1], [0, 0]], [[1, 2], [0, 1]], V)], field=F)
    answer = algatt.same_function(algatt.Lightning((2, 2), (2,), 2), one, two)
    assert (answer.equal, answer.status, answer.coordinates) == (True, "proven", algatt.Weights)
    assert algatt.act(answer.element, one) == two


def test_a_hidden_symmetry_is_seen_on_the_virtual_weights():
    arch = algatt.Lightning((6, 4, 1), (2, 1), 3)
    theta = algatt.sample(arch, algatt.Weights, seed=3)
    (family,) = (family for family in algatt.symmetries(arch) if family.name == "unseen directions of V_1")
    answer = algatt.same_function(arch, theta, algatt.act(family.element(theta, 1), theta))
    assert (answer.equal, answer.status, answer.coordinates) == (True, "proven", algatt.VirtualWeights)


def test_transposes_behind_rank_one_over_the_smallest_field():
    """With M_1 of rank one transposes are one function; values at the 2^4 inputs would be no evidence."""
    F = algatt.PrimeField(2)
    arch = algatt.Lightning((2, 2, 2), (1, 2), 2)
    one, two = (
        algatt.VirtualWeights.of([[[1, 0], [0, 0]], M], [[1, 0], [0, 1]], field=F)
        for M in ([[1, 1], [0, 1]], [[1, 0], [1, 1]])
    )
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status) == (True, "proven")


def test_bad_input():
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    other = algatt.sample(algatt.Lightning((3, 3), (2,), 2), algatt.Weights, seed=0)
    with pytest.raises(algatt.errors.InvalidArgument, match="theta was"):
        algatt.same_function(arch, theta, other)
    with pytest.raises(algatt.errors.InvalidArgument, match="theta2 was over GF"):
        algatt.same_function(arch, theta, algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(31)))
    for name in ("error", "tolerance"):
        for value in (0, 1, -1.0, True, "small"):
            with pytest.raises(algatt.errors.InvalidArgument, match=f"{name} was"):
                algatt.same_function(arch, theta, theta, **{name: value})
    with pytest.raises(algatt.errors.InvalidArgument, match="seed"):
        algatt.same_function(arch, theta, theta, seed=-1)


def test_answers_are_written_as_json():
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    moved = algatt.act(algatt.symmetry.KeyQuery(arch).of([theta.field.galois([[1, 1], [0, 1]])]), theta)
    equal = algatt.same_function(arch, theta, moved).to_dict()
    assert (equal["equal"], equal["coordinates"], equal["separating_input"]) == (True, "Weights", None)
    assert equal["element"]["name"] == "ProductElement"
    assert equal["element"]["factors"][0] == {
        "name": "SpacesElement",
        "matrices": [[[1, 1], [0, 1]]],
        "inverses": [[[1, theta.field.p - 1], [0, 1]]],
        "family": "key-query",
    }
    different = algatt.same_function(arch, theta, algatt.sample(arch, algatt.Weights, seed=1)).to_dict()
    assert np.shape(different["separating_input"]) == (3, 2)


def test_the_zero_function_over_the_reals():
    arch = algatt.Lightning((2, 2), (2,), 2)
    zero, some = np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 4.0]])
    answer = algatt.same_function(
        arch, algatt.AttentionMatrix.of([(zero, some)]), algatt.AttentionMatrix.of([(some, zero)])
    )
    assert (answer.equal, answer.status) == (True, "proven")
    assert not algatt.same_function(
        arch, algatt.AttentionMatrix.of([(zero, some)]), algatt.AttentionMatrix.of([(some, some)])
    ).equal


def test_deep_functions_that_floats_do_not_tell_apart_are_separated_by_balls():
    """Four layers: the values are small beside the terms that are rounded in them. Here they are fractions."""
    arch = algatt.Lightning((6, 6, 6, 6, 6), (2, 2, 2, 2), 3)
    points = [algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed) for seed in (0, 1)]
    answer = algatt.same_function(arch, *points)
    assert (answer.equal, answer.status) == (False, "proven")
    values = [exact_value(theta, answer.separating_input) for theta in points]
    size = max(abs(entry) for value in values for entry in value.flat)
    largest = max(abs(entry) for entry in (values[0] - values[1]).flat)
    assert float(largest / size) <= answer.distance * (1 + 1e-6)
    one, two = (value.ravel() for value in values)
    beside = max(abs(a - b) / max(abs(a), abs(b)) for a, b in zip(one, two, strict=True))
    assert answer.distance <= float(beside) * (1 + 1e-6)  # of an entry


def exact_value(theta, X):
    """HMK Eq 1 in fractions, layer by layer."""
    arrays = (X, *(element.raw for element in theta.elements))
    X, *matrices = (np.vectorize(Fraction, otypes=[object])(array) for array in arrays)
    for Q, K, V in zip(*(matrices[k::3] for k in range(3)), strict=True):
        X = V @ X @ (X.T @ K.T @ Q @ X)
    return X


@pytest.mark.parametrize("kind", [algatt.Lightning, algatt.Softmax])
def test_progress_never_exceeds_its_total(kind):
    arch = kind((3, 2, 3), (1, 1), 2)
    one, two = (algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed) for seed in (0, 1))
    for second in (one, two):
        told = []
        algatt.same_function(arch, one, second, progress=lambda done, total, told=told: told.append((done, total)))
        assert all(before <= after <= total for (before, _), (after, total) in itertools.pairwise([(0, 0), *told]))


@pytest.mark.parametrize("size", [1e6, 1e9, 1e12])
@pytest.mark.parametrize("kind", [algatt.Lightning, algatt.Softmax])
def test_a_large_output_hides_no_other_one(kind, size):
    arch = kind((2, 2), (1,), 2)
    one, two = (
        algatt.Weights.of([(np.ones((1, 2)), np.array([[2.0, 1.0]]), np.diag([size, sign]))]) for sign in (1.0, -1.0)
    )
    assert not algatt.same_function(arch, one, two).equal
