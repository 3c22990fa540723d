"""Translations: what they refuse, and what they are as values."""

import copy

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Weights
from algatt.errors import InvalidArgument
from algatt.symmetry import Unreached, UnreachedElement, Unread, UnreadElement

ARCH = Lightning((2, 4, 3), (2, 2), 3)
OTHER = Lightning((2, 4, 2), (2, 2), 3)


def test_points_of_other_shapes_are_refused():
    element = Unreached(ARCH).element(algatt.sample(ARCH, Weights))
    with pytest.raises(
        InvalidArgument,
        match=r"element was with arrays of shapes .*; it should be with arrays of the shapes .* of the parameters",
    ):
        algatt.act(element, algatt.sample(OTHER, Weights))


def test_points_of_another_field_are_refused():
    element = Unreached(ARCH).element(algatt.sample(ARCH, Weights))
    with pytest.raises(InvalidArgument, match="over"):
        algatt.act(element, algatt.sample(ARCH, Weights, field=PrimeField(31)))


@pytest.mark.parametrize(("family", "arch"), [(Unreached, ARCH), (Unread, Lightning((6, 4, 1), (2, 1), 3))])
def test_an_element_of_one_point_does_not_act_at_another(plain, family, arch):
    for field in plain.every_field:
        if getattr(field, "p", 31) < 31:
            continue  # two points have the same unseen directions too often
        element = family(arch).element(algatt.sample(arch, Weights, field=field))
        with pytest.raises(InvalidArgument, match="which changes the function at this point"):
            algatt.act(element, algatt.sample(arch, Weights, field=field, seed=1))


def test_elements_are_values():
    theta = algatt.sample(ARCH, Weights)
    element = Unreached(ARCH).element(theta)
    assert element == copy.deepcopy(element)
    assert hash(element) == hash(copy.deepcopy(element))
    assert element != Unreached(ARCH).element(theta, seed=1)
    assert element != UnreadElement(element.arrays)
    assert element != 3
    assert repr(element) == "UnreachedElement(arrays=6, field=GF(8388593))"


def test_the_product_is_the_sum_of_what_is_added():
    theta = algatt.sample(ARCH, Weights, field=PrimeField(31))
    one, two = (Unreached(ARCH).element(theta, seed) for seed in (1, 2))
    for a, b, c in zip(one.arrays, two.arrays, algatt.symmetry.compose(one, two).arrays, strict=True):
        assert np.array_equal(
            np.array(a.public()) + np.array(b.public()) - np.array(c.public()), 31 * (np.array(a.raw + b.raw) >= 31)
        )


def test_products_of_different_shapes_or_fields_are_refused():
    element = Unreached(ARCH).element(algatt.sample(ARCH, Weights))
    with pytest.raises(InvalidArgument, match="right was with arrays of shapes"):
        algatt.symmetry.compose(element, UnreachedElement.zero(algatt.sample(OTHER, Weights)))
    with pytest.raises(InvalidArgument, match=r"right was over GF\(31\); it should be over GF\(8388593\)"):
        algatt.symmetry.compose(element, UnreachedElement.zero(algatt.sample(ARCH, Weights, field=PrimeField(31))))
