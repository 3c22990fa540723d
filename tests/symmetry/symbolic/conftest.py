"""The exact solution, which answers on symbols are held against."""

import pytest

import algatt
from algatt import Lightning, Network, Normalized, PrimeField, Weights
from algatt.architectures.network import arrangement_of
from algatt.linalg import RowSpace
from algatt.symmetry import (
    GainSymmetry,
    MixtureSymmetry,
    NormBiasSymmetry,
    ShiftSymmetry,
    SpaceSymmetry,
    UnseenSymmetry,
)
from algatt.symmetry.spaces import spaces_of

QUOTIENTS = (GainSymmetry, MixtureSymmetry, NormBiasSymmetry, ShiftSymmetry, UnseenSymmetry)


def solve_exactly(net):
    """Return the sum of the dimensions of the group and of all quotients but shifts with conditions that do not only
    say
    which entries stay, by the exact solution, and the rank of all tangents at random weights.
    """
    arrangement = arrangement_of(net) if isinstance(net, Network) else None
    net = net if arrangement is None else arrangement.network
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=5)
    moved, dimension = RowSpace(theta.field, net.parameters), 0
    declared = isinstance(net, Lightning | Normalized)  # their families have names of their own
    families = algatt.symmetries(net)
    if declared:
        entries = [one for one in families if isinstance(one, UnseenSymmetry)]
        families = [*spaces_of(net), *entries]
    for family in families:
        if isinstance(family, SpaceSymmetry):
            dimension += len(family.solution)
        elif isinstance(family, QUOTIENTS):
            conditional = isinstance(family, ShiftSymmetry) and depends_on_matrices(family, theta)
            dimension += 0 if conditional else family.dimension
        else:
            continue
        moved.add(family.tangent_elements(theta))
    return dimension, moved.rank


def depends_on_matrices(family, theta):
    """Return whether a shift has conditions that are not about one entry each, or moves other tensors, too."""
    if not family.shift.conditions:
        return False
    matrix = family.shift.matrix_of_conditions(family.fold.fold(theta)).raw
    return bool(family.shift.absorbed or ((matrix != 0).sum(axis=1) > 1).any())


@pytest.fixture
def exact():
    return solve_exactly
