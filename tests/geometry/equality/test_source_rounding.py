"""Numbers that were float32 or less: rounding of the source is no difference, and other differences stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import AttentionMatrix, Lightning, Reals, Softmax, VirtualWeights, Weights
from algatt.cli.main import main
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import Elements
from algatt.geometry.equality.large.values import source_rounding
from algatt.geometry.equality.rounding import clear_difference

TWO = Lightning((4, 3, 4), (2, 2), 3)
NETWORKS = [
    Lightning((4, 3), (2,), 3),
    TWO,
    Lightning((3, 5, 2), (2, 2), 3),
    Softmax((4, 3), (2,), 3),
    Softmax((4, 3, 4), (2, 2), 3),
]
TYPES = ["float32", "float16"]
"""Of numpy's; bfloat16 is tried by rounding."""


def bfloat16(matrix):
    """Return a matrix rounded to eight significant bits."""
    mantissa, exponent = np.frexp(matrix)
    return np.ldexp(np.round(mantissa * 256) / 256, exponent)


def drawn(arch, seed):
    """Return random layers in float64."""
    rng = np.random.default_rng(seed)
    sizes = zip(arch.ranks, arch.dims, arch.dims[1:], strict=False)
    return [tuple(rng.standard_normal((rows, d)) for rows in (a, a, e)) for a, d, e in sizes]


def moved(layers, seed):
    """Return the same function: other queries and keys of the same scores, and other bases between the layers."""
    rng = np.random.default_rng([1, seed])
    bases = [
        np.eye(layers[0][0].shape[1]),
        *(np.eye(len(V)) + 0.3 * rng.standard_normal((len(V), len(V))) for _, _, V in layers[:-1]),
    ]
    bases.append(np.eye(len(layers[-1][2])))
    result = []
    for (Q, K, V), before, after in zip(layers, bases, bases[1:], strict=False):
        C = np.eye(len(K)) + 0.3 * rng.standard_normal((len(K), len(K)))
        back = np.linalg.inv(before)
        result.append((np.linalg.inv(C).T @ Q @ back, C @ K @ back, after @ V @ back))
    return result


def rounded(layers, dtype):
    """Enter layers as arrays of a type."""
    return Weights.of([tuple(matrix.astype(dtype) for matrix in layer) for layer in layers])


def verdict(arch, one, two):
    """Return whether two points are called one function; None for a refusal, which has to say what to change."""
    try:
        return algatt.same_function(arch, one, two).equal
    except EquivalenceUndecided as undecided:
        return None if "tolerance=" in str(undecided) else str(undecided)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("arch", NETWORKS, ids=repr)
def test_rounding_of_the_source_is_no_difference(arch, dtype, seed):
    """Weights, and what a gauge makes of them, both rounded, are equal."""
    layers = drawn(arch, seed)
    one, two = rounded(layers, dtype), rounded(moved(layers, seed), dtype)
    for first, second in ((one, two), (two, one), (one, rounded(layers, "float64"))):
        for coordinates in (Weights, AttentionMatrix, VirtualWeights):
            assert verdict(arch, algatt.convert(first, coordinates), second) is True
    if dtype == "float32":
        assert algatt.fiber(arch, one).contains(two)


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("arch", NETWORKS, ids=repr)
def test_a_precision_that_numpy_has_no_type_for_is_given_with_the_field(arch, seed):
    layers = drawn(arch, seed)
    one, two = ([tuple(map(bfloat16, layer)) for layer in some] for some in (layers, moved(layers, seed)))
    field = Reals(precision=8)
    assert verdict(arch, Weights.of(one, field=field), Weights.of(two, field=field)) is True
    if arch.layers == 1:  # as numbers of float64 the two are different, and are
        assert verdict(arch, Weights.of(one), Weights.of(two)) is False


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("arch", NETWORKS, ids=repr)
def test_other_networks_are_different_in_any_precision(arch, dtype):
    answer = algatt.same_function(arch, rounded(drawn(arch, 1), dtype), rounded(drawn(arch, 2), dtype))
    assert not answer.equal


@given(seed=st.integers(0, 2**32), exponent=st.floats(-3, 0))
def test_what_is_more_than_rounding_is_never_called_equal(seed, exponent):
    """All scores of a lightning layer are multiplied by 1 + 10^exponent, which no gauge undoes."""
    arch = Lightning((4, 3), (2,), 3)
    ((Q, K, V),) = drawn(arch, seed)
    one, two = (rounded([(scale * Q, K, V)], "float32") for scale in (1.0, 1.0 + 10.0**exponent))
    assert verdict(arch, one, two) in ((False,) if exponent > -1 else (False, None))


@given(seed=st.integers(0, 2**32), change=st.floats(0.05, 1), name=st.sampled_from(["Q_1", "V_1", "K_2", "V_2"]))
def test_what_is_more_than_rounding_to_half_precision_is_never_called_equal(seed, change, name):
    """A row is multiplied by more than what two tensors of a product have of tolerance together."""
    one, two = (rounded(some, "float16") for some in (drawn(TWO, seed), moved(drawn(TWO, seed), seed)))
    arrays = dict(zip(two.names(), (np.array(part.raw) for part in two.elements), strict=True))
    arrays[name][0] *= 1 + change
    assert not verdict(TWO, one, Weights.of({key: part.astype("float16") for key, part in arrays.items()}))


def test_a_tolerance_that_is_given_is_kept():
    """At that of float64 two roundings of one network are not called equal; the message says what to change."""
    layers = drawn(TWO, 0)
    one, two = rounded(layers, "float32"), rounded(moved(layers, 0), "float32")
    with pytest.raises(
        EquivalenceUndecided,
        match=r"tolerance 1e-10 .* give another tolerance \(tolerance=, on the command line --tolerance\)",
    ):
        algatt.same_function(TWO, one, two, tolerance=1e-10)
    with pytest.raises(EquivalenceUndecided):
        algatt.fiber(TWO, one).contains(two, tolerance=1e-10)
    softmax = NETWORKS[-1]
    with pytest.raises(EquivalenceUndecided, match=r"tolerance 1e-10 .* --tolerance"):
        algatt.same_function(softmax, one, two, tolerance=1e-10)


def test_the_tolerance_is_that_of_the_less_precise_point():
    assert Reals().tolerance == 1e-8
    assert Reals(precision=24).tolerance == pytest.approx(2.0 ** (-46 / 3))
    assert [clear_difference(tolerance) for tolerance in (1e-8, 1e-4, 0.25)] == pytest.approx([1e-5, 1e-2, 0.5])


def test_rounding_of_a_source_is_that_of_its_precision_for_each_entry_of_the_values():
    arch = NETWORKS[0]
    theta = rounded(drawn(arch, 0), "float64")
    X = np.ones((2, 4, 3))
    exact, off = (algatt.evaluate(arch, rounded(drawn(arch, 0), dtype), X) for dtype in ("float64", "float32"))
    explained = source_rounding(arch, rounded(drawn(arch, 0), "float32"), X, 0).reshape(exact.shape)
    assert (np.abs(exact - off) < explained).all()
    assert (explained < 1e-4 * np.abs(exact).max()).all()
    assert (source_rounding(arch, theta, X, 0) < 1e-13 * np.abs(exact).max()).all()


def test_the_command_line_compares_by_the_precision_of_the_files(tmp_path, capsys):
    layers = drawn(TWO, 0)
    rounded(layers, "float32").save(tmp_path / "one.npz")
    rounded(moved(layers, 0), "float32").save(tmp_path / "two.npz")
    paths = [str(tmp_path / "one.npz"), str(tmp_path / "two.npz"), "--tokens", "3"]
    assert main(["compare", *paths]) == 0
    assert capsys.readouterr().out.startswith("one function (numerical)")
    assert main(["compare", *paths, "--tolerance", "1e-10"]) != 0
    assert "--tolerance" in capsys.readouterr().out


def rank_one_layer(dtype, parallel):
    """Enter A = k q^T and V = v h^T, h a multiple of k or not, as products that were computed in a type."""
    rng = np.random.default_rng(7)
    k, q, h = (rng.standard_normal((1, 4)).astype(dtype) for _ in range(3))
    v = rng.standard_normal((3, 1)).astype(dtype)
    return AttentionMatrix.of([(k.T @ q, v @ (k if parallel else h))])


@pytest.mark.parametrize("dtype", TYPES)
def test_singular_points_are_singular_after_rounding(dtype):
    """HMK Theorem 3.4: ranks one and one is singular, and in the boundary if k and h are parallel."""
    arch = NETWORKS[0]
    for parallel in (False, True):
        theta = rank_one_layer(dtype, parallel)
        assert algatt.is_singular(arch, theta)
        assert algatt.is_boundary(arch, theta) is parallel
        assert algatt.geometry.is_critical(arch, theta) is parallel
    generic = rounded(drawn(arch, 0), dtype)
    assert not algatt.is_singular(arch, generic)
    assert not algatt.is_boundary(arch, generic)
    K = generic.layers[0].K.astype(dtype).copy()
    K[1] = 3 * K[0]
    Q, V = (matrix.astype(dtype) for matrix in (generic.layers[0].Q, generic.layers[0].V))
    assert algatt.is_singular(arch, Weights.of([(Q, K, V)]))


def test_fibres_and_tangents_are_those_of_the_exact_point():
    arch = NETWORKS[0]
    theta = rank_one_layer("float32", parallel=False)
    assert algatt.fiber(arch, theta).case == "two orbits, exchanged by the swap"
    swapped = algatt.act(algatt.symmetry.SwapElement(), theta)
    assert algatt.fiber(arch, theta).contains(swapped)
    generic = rounded(drawn(arch, 0), "float32")
    assert algatt.fiber(arch, generic).case == "one orbit"
    # HMK Corollary 3.3: dimension a (2 d - a) + d d' - 1; on Weights the gauge has dimension a^2, the rescaling 1
    assert algatt.geometry.tangent_space(arch, generic).dimension == 2 * (8 - 2) + 4 * 3 - 1
    assert algatt.symmetry.orbit_dimension(arch, generic) == 2 * 2 + 1


def test_normal_forms_of_one_orbit_agree_as_far_as_the_source_tells():
    layers = drawn(TWO, 0)
    one, two = (algatt.flatten(algatt.canonical(TWO, rounded(some, "float32"))) for some in (layers, moved(layers, 0)))
    assert np.abs(one - two).max() < 1e-4 * np.abs(one).max()


@pytest.mark.parametrize("dtype", TYPES)
def test_a_network_in_another_precision_is_identified(dtype):
    arch = NETWORKS[0]
    theta = rounded(drawn(arch, 0), "float64")

    def network(X):
        return algatt.evaluate(arch, theta, X).astype(dtype)

    field = Reals(precision={"float32": 24, "float16": 11}[dtype])
    answer = algatt.identify(network, arch, field=field)
    assert answer.status == "numerical"
    assert algatt.same_function(arch, theta, answer.theta).equal
    with pytest.raises(
        InvalidArgument,
        match=rf"values have {field.precision} bits; it should be one of 53 bits, or asked over field=algatt.Reals",
    ):
        algatt.identify(network, arch, field=Reals())


def test_a_translation_that_was_rounded_acts_where_it_is_unseen():
    """What no input reaches: N with N L = 0, which holds up to rounding once N is rounded to float32."""
    arch = Lightning((3, 5, 2), (2, 2), 3)
    theta = rounded(drawn(arch, 0), "float64")
    family = algatt.symmetry.UnseenDirections(arch, "Q_2")
    single = family.element(theta, seed=1).vector.raw.astype(np.float32).astype(float).reshape(2, 5)
    single_precision, double_precision = (
        family.element_of(Elements(field, single)) for field in (Reals(precision=24), Reals())
    )
    assert algatt.act(single_precision, theta).field.precision == 24
    with pytest.raises(InvalidArgument, match="a translation that the function does not see"):
        algatt.act(double_precision, theta)


def test_a_translation_beside_a_value_that_is_zero_within_rounding():
    """Of one token the value is V_2 V_1 x: of V_2 V_1 = 0 rounding is left, which says nothing of what is added."""
    arch = algatt.Normalized((2, 4, 2), (1, 1), 1, algatt.layers.Exponential())
    drawn_point = algatt.sample(arch, algatt.Weights, field=Reals(), seed=1)
    empty = [
        one * 0 if name == "V_1" else one for name, one in zip(drawn_point.names(), drawn_point.elements, strict=True)
    ]
    first, second = (
        algatt.symmetry.UnseenDirections(arch, name, name == "V_1", name == "V_2") for name in ("V_1", "V_2")
    )
    theta = drawn_point.replace(empty)
    theta = algatt.act(first.element(theta, seed=5), theta)
    product = theta["V_2"] @ theta["V_1"]
    assert 0 < np.abs(product).max() < 1e-14
    element = second.element(theta, seed=5)
    np.testing.assert_allclose(algatt.act(element, theta)["V_2"] @ theta["V_1"], product, atol=1e-14)
    seen = second.element_of(element.vector + Elements(Reals(), np.eye(8)[:, :1] * 1e-6))
    with pytest.raises(InvalidArgument, match="a translation that the function does not see"):
        algatt.act(seen, theta)
