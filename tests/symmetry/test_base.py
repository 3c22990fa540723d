"""What all families share: which architectures have them, and how tangents become a matrix."""

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Reals, Weights
from algatt.errors import InvalidArgument, NoRuleWarning
from algatt.symmetry.base import random_invertible


def test_lightning_has_the_three_families_of_the_paper():
    assert {family.name for family in algatt.symmetries(Lightning((3, 2, 3), (2, 2), 2))} == {
        "key-query",
        "interlayer",
        "rescaling",
    }
    assert {family.name for family in algatt.symmetries(Lightning((3, 2), (2,), 2))} == {"key-query", "rescaling"}


def test_no_symmetries_are_read_off_an_architecture_that_types_have_no_rule_for():
    class Unknown(algatt.architectures.AttentionNetwork):
        pass

    with pytest.warns(NoRuleWarning, match=r"no method fits expression\(Unknown\).*a method for algatt.fields.Motions"):
        assert algatt.symmetries(Unknown((3, 2), (2,), 2)) == ()


def test_families_are_values():
    arch = Lightning((3, 2, 3), (2, 2), 2)
    assert algatt.symmetry.KeyQuery(arch) == algatt.symmetry.KeyQuery(arch)
    assert algatt.symmetry.KeyQuery(arch) != algatt.symmetry.Rescaling(arch)
    assert algatt.symmetry.KeyQuery(arch) != algatt.symmetry.KeyQuery(Lightning((3, 2, 3), (2, 1), 2))
    assert len({algatt.symmetry.KeyQuery(arch), algatt.symmetry.KeyQuery(arch), algatt.symmetry.Interlayer(arch)}) == 2


@pytest.mark.parametrize("family", [algatt.symmetry.KeyQuery, algatt.symmetry.Interlayer, algatt.symmetry.Rescaling])
def test_tangents_have_a_row_for_each_dimension_of_the_group_and_a_column_for_each_parameter(family):
    arch = Lightning((3, 2, 4, 1), (2, 5, 1), 2)
    rows = {algatt.symmetry.KeyQuery: 4 + 25 + 1, algatt.symmetry.Interlayer: 4 + 16, algatt.symmetry.Rescaling: 3}[
        family
    ]
    for field in (PrimeField(), Reals()):
        tangents = family(arch).tangents(algatt.sample(arch, Weights, field=field))
        assert tangents.shape == (rows, arch.parameters)
        assert type(tangents) is type(algatt.flatten(algatt.sample(arch, Weights, field=field)))


@pytest.mark.parametrize("family", [algatt.symmetry.KeyQuery, algatt.symmetry.Interlayer, algatt.symmetry.Rescaling])
def test_tangents_at_weights_of_another_architecture_are_refused(family):
    theta = algatt.sample(Lightning((3, 2, 3), (2, 1), 2), Weights)
    with pytest.raises(InvalidArgument, match="it should be parameters of Lightning"):
        family(Lightning((3, 2, 3), (2, 2), 2)).tangents(theta)


@pytest.mark.parametrize("family", [algatt.symmetry.KeyQuery, algatt.symmetry.Interlayer, algatt.symmetry.Rescaling])
def test_elements_depend_on_the_seed(family):
    arch = Lightning((3, 2, 3), (2, 2), 2)
    theta = algatt.sample(arch, Weights)
    moved = [algatt.act(family(arch).element(theta, seed), theta) for seed in (0, 0, 1)]
    assert moved[0] == moved[1]
    assert moved[0] != moved[2]


@pytest.mark.parametrize("seed", [-1, 0.5])
def test_what_is_no_seed_is_refused(seed):
    arch = Lightning((3, 2), (2,), 2)
    with pytest.raises(InvalidArgument, match=r"seed was .*; it should be an integer >= 0"):
        algatt.symmetry.KeyQuery(arch).element(algatt.sample(arch, Weights), seed)


def test_random_matrices_over_the_smallest_field_are_invertible():
    # Of the 2 x 2 matrices over GF(2) ten of sixteen are singular; the inverse is the second one returned.
    seen = set()
    for seed in range(60):
        matrix, inverse = random_invertible(PrimeField(2), 2, seed, "test")
        assert np.array_equal(np.array(matrix.public()) @ np.array(inverse.public()) % 2, np.eye(2))
        seen.add(tuple(matrix.raw.ravel().tolist()))
    assert len(seen) == 6
