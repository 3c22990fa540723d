"""What is not looked for between two points: families without a standard position, and spaces that are not solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero, NoNormalForm
from algatt.fields import PrimeField
from algatt.geometry.equality.networks.linear_system import keeps_its_group
from algatt.geometry.equality.networks.motions import motions_of
from algatt.parameters import Weights
from algatt.symmetry import CoordinatePermutations, GeneralLinear, Orthogonal, SpaceSymmetry, Symmetry


def said_of_missing(arch: Architecture, theta: Weights) -> str:
    """Return what has to be added where no symmetry was found: nothing if all that are known were looked for."""
    return "".join(f"; {reason}" for reason in missing(arch, theta))


def missing(arch: Architecture, theta: Weights) -> Iterator[str]:
    """Iterate over the reasons why there may be elements that are not found."""
    yield from without_standard_position(verbs.symmetries(arch), theta)
    motions = motions_of(arch)
    for name in motions.unsolved:
        yield f"the matrices of the space {name} are not looked for, as no rule tells its group"
    whole = {one.name for one in verbs.symmetries(arch) if isinstance(one.group, GeneralLinear | Orthogonal)}
    discrete = verbs.discrete_symmetries(arch)
    permuted = [one.name for one in discrete if isinstance(one, CoordinatePermutations) and one.name not in whole]
    if permuted:
        yield f"permutations of {', '.join(permuted)} are matched by tensors that move in known ways, and may be missed"
    if isinstance(theta.field, PrimeField):
        for space in motions.spaces:
            if not keeps_its_group(theta.field, space):
                yield f"the group of the space {motions.name(space)} is larger over {theta.field} than over QQ"


def without_standard_position(families: Iterable[Symmetry], theta: Weights) -> Iterator[str]:
    """Iterate over what is to be said of those of the families, besides the spaces, that bring weights nowhere."""
    for family in families:
        if not isinstance(family, SpaceSymmetry):
            try:
                if verbs.standard_element(family, theta) is None:
                    yield f"no standard position is known for the {family.name}"
            except DivisionByZero:
                yield f"the weights are not generic: the fibre of {family.name} has no standard position"
            except NoNormalForm as error:
                yield str(error)
