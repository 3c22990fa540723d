"""Products, inverses and exponentials of group elements. The group laws of the single families are in
hidden/test_laws.py.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import Lightning, PrimeField, Reals, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.symmetry import GroupElement, KeyQuery, ProductElement, QuadraticForm, Rescaling, SwapElement

ARCH = Lightning((3, 3, 3), (1, 3), 2)


def close(one, two):
    one, two = algatt.flatten(one), algatt.flatten(two)
    return (
        np.allclose(one, two, rtol=1e-7, atol=1e-9 * np.abs(two).max())
        if one.dtype.kind == "f"
        else np.array_equal(one, two)
    )


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(derandomize=True)
def test_products_over_families_act_as_their_factors_in_turn(plain, data, seed):
    arch = data.draw(st.sampled_from(plain.all_networks))
    field = data.draw(st.sampled_from(plain.every_field))
    families = data.draw(st.lists(st.sampled_from(algatt.symmetries(arch)), min_size=2, max_size=4))
    theta = algatt.sample(arch, Weights, field=field, seed=seed)
    # Translations act at the points for which they are drawn, so each is drawn where the factors before it have led.
    product, moved = ProductElement(()), theta
    for number, family in enumerate(families):
        element = family.element(moved, seed + number)
        product, moved = algatt.symmetry.compose(element, product), algatt.act(element, moved)
    assert isinstance(product, ProductElement)
    assert not any(isinstance(factor, ProductElement) for factor in product.factors)
    assert close(algatt.act(product, theta), moved)
    assert close(algatt.act(algatt.linalg.inverse(product), moved), theta)
    assert close(algatt.act(algatt.symmetry.compose(algatt.linalg.inverse(product), product), theta), theta)
    assert plain.same_function(theta, moved, algatt.sample_inputs(arch, field=field, seed=seed, count=2))


def test_neighbours_of_one_family_are_multiplied():
    theta = algatt.sample(ARCH, Weights)
    key_query, interlayer = (
        algatt.symmetry.KeyQuery(ARCH).element(theta),
        algatt.symmetry.Interlayer(ARCH).element(theta),
    )
    product = algatt.symmetry.compose(algatt.symmetry.compose(interlayer, key_query), key_query)
    assert product == ProductElement((interlayer, algatt.symmetry.compose(key_query, key_query)))
    assert product.factor(KeyQuery) == algatt.symmetry.compose(key_query, key_query)
    assert product.factor(Rescaling) is None
    assert repr(product) == f"ProductElement({interlayer!r}, {algatt.symmetry.compose(key_query, key_query)!r})"


def test_the_product_of_nothing_does_nothing():
    theta = algatt.sample(ARCH, Weights)
    nothing = ProductElement(())
    assert algatt.act(nothing, theta) == theta
    assert algatt.linalg.inverse(nothing) == nothing
    assert algatt.symmetry.compose(nothing, nothing) == nothing
    assert nothing.field is None


def test_two_swaps_cancel_inside_of_a_product():
    arch = Lightning((3, 2), (1,), 2)
    rescaling = algatt.symmetry.Rescaling(arch).element(algatt.sample(arch, Weights))
    product = algatt.symmetry.compose(
        algatt.symmetry.compose(rescaling, SwapElement()), algatt.symmetry.compose(SwapElement(), rescaling)
    )
    assert product == ProductElement((algatt.symmetry.compose(rescaling, rescaling),))
    assert algatt.symmetry.compose(ProductElement((rescaling, SwapElement())), SwapElement()) == ProductElement(
        (rescaling,)
    )


def test_the_field_is_that_of_the_factors():
    assert ProductElement(
        (SwapElement(), algatt.symmetry.identity(algatt.symmetry.KeyQuery(ARCH), PrimeField(31)))
    ).field == PrimeField(31)
    with pytest.raises(InvalidArgument, match="factors was over 2 fields; it should be over one field"):
        ProductElement(
            tuple(
                algatt.symmetry.identity(algatt.symmetry.KeyQuery(ARCH), field) for field in (PrimeField(31), Reals())
            )
        )


def test_products_of_other_sizes_or_fields_are_refused():
    family = algatt.symmetry.KeyQuery(ARCH)
    with pytest.raises(InvalidArgument, match=r"right was over GF\(31\); it should be over GF\(8388593\)"):
        algatt.symmetry.compose(
            algatt.symmetry.identity(family, PrimeField()), algatt.symmetry.identity(family, PrimeField(31))
        )
    other = algatt.symmetry.KeyQuery(Lightning((3, 3, 3), (1, 2), 2))
    with pytest.raises(
        InvalidArgument,
        match=r"right was with arrays of shapes \(\(1, 1\), \(2, 2\)\); it should be with arrays of shapes",
    ):
        algatt.symmetry.compose(
            algatt.symmetry.identity(family, PrimeField()), algatt.symmetry.identity(other, PrimeField())
        )


@dataclass(frozen=True)
class Mirror(GroupElement):
    """An element of a user's own group, without methods for its product."""

    @property
    def field(self) -> Field | None:
        return None


def test_elements_without_a_product_of_their_own_are_listed():
    assert algatt.symmetry.compose(Mirror(), Mirror()) == ProductElement((Mirror(), Mirror()))


# ----- exponentials


def series(matrix):
    """The exponential series, far beyond the terms that matter for matrices as small as those below."""
    total, term = np.eye(len(matrix)), np.eye(len(matrix))
    for k in range(1, 60):
        term = term @ matrix / k
        total = total + term
    return total


def random_tangent(family, seed):
    """Random matrices of the Lie algebra."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((size, size)) for size in family.sizes]


FAMILIES = [
    algatt.symmetry.KeyQuery(ARCH),
    algatt.symmetry.Interlayer(ARCH),
    algatt.symmetry.Rescaling(ARCH),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("seed", range(3))
def test_the_exponential_is_its_series_and_leaves_the_function_unchanged(plain, family, seed):
    tangent = random_tangent(family, seed)
    element = algatt.symmetry.exponential(family, tangent)
    for c, matrix, inverse in zip(tangent, element.matrices, element.inverses, strict=True):
        assert np.allclose(matrix.raw, series(c), rtol=1e-10, atol=1e-12 * np.abs(series(c)).max())
        assert np.allclose(inverse.raw, series(-c), rtol=1e-10, atol=1e-12 * np.abs(series(-c)).max())
    theta = algatt.sample(ARCH, Weights, field=Reals())
    assert plain.same_function(theta, algatt.act(element, theta), algatt.sample_inputs(ARCH, field=Reals(), count=2))
    double = algatt.symmetry.exponential(family, [2 * c for c in tangent])
    assert close(algatt.act(double, theta), algatt.act(element, algatt.act(element, theta)))
    assert close(
        algatt.act(algatt.symmetry.exponential(family, [-c for c in tangent]), algatt.act(element, theta)), theta
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_to_first_order_the_exponential_is_the_tangent(family):
    """The derivative of act(exp(s c), theta) at 0 is the tangents' combination with the entries of c."""
    tangent = random_tangent(family, 0)
    theta = algatt.sample(ARCH, Weights, field=Reals())
    rows = family.tangents(theta)
    step = 1e-5
    ends = [
        algatt.flatten(algatt.act(algatt.symmetry.exponential(family, [s * c for c in tangent]), theta))
        for s in (step, -step)
    ]
    expected = np.concatenate([c.ravel() for c in tangent]) @ rows
    assert np.allclose((ends[0] - ends[1]) / (2 * step), expected, atol=1e-7)


def test_rescalings_are_exponentials_of_numbers():
    element = algatt.symmetry.exponential(algatt.symmetry.Rescaling(ARCH), (0.0, np.log(2)))
    assert np.allclose([matrix.raw[0, 0] for matrix in element.matrices], [1, 2])


@pytest.mark.parametrize(
    ("family", "tangent", "message"),
    [
        (
            FAMILIES[0],
            [np.eye(1)],
            r"tangent was with matrices of shapes \[\(1, 1\)\]; it should be square matrices of sizes \[1, 3\]",
        ),
        (FAMILIES[0], [np.eye(1), np.ones((3, 2))], "tangent was with matrices of shapes"),
    ],
)
def test_what_is_not_in_the_lie_algebra_is_refused(family, tangent, message):
    with pytest.raises(InvalidArgument, match=message):
        algatt.symmetry.exponential(family, tangent)


def test_elements_of_the_lie_algebra_over_a_prime_field_are_refused():
    with pytest.raises(InvalidArgument, match="over"):
        algatt.symmetry.exponential(
            FAMILIES[0], [PrimeField(31).galois([[1]]), PrimeField(31).galois(np.eye(3, dtype=int))]
        )


def test_public_matrices_make_elements():
    F = PrimeField(31)
    family = QuadraticForm(Lightning((2, 2), (1,), 1), "K_1", "Q_1")
    element = family.of([F.galois([[0, 1], [1, 0]])])
    assert element == family.of([Elements.of(F, [[0, 1], [1, 0]])])
