"""Verbs of symmetry families and their elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from algatt.dispatch import declare

if TYPE_CHECKING:
    import numpy as np

    from algatt.architectures.base import Architecture, NetworkLike
    from algatt.fields.base import Field
    from algatt.fields.motions import Constraint
    from algatt.parameters.base import Coordinates, Parameters, Weights
    from algatt.symmetry.base import GroupElement, Symmetry
    from algatt.symmetry.discrete.symmetry import DiscreteSymmetry
    from algatt.symmetry.groups import MatrixGroup
    from algatt.symmetry.motions.solution import Solution
    from algatt.symmetry.named.spaces import NamedSpaces
    from algatt.symmetry.spaces_element import SpacesElement
    from algatt.symmetry.symbolic.symbolic import SymbolicSymmetries
    from algatt.symmetry.tensors_element import TensorsElement

Family = TypeVar("Family", bound="Symmetry")


@declare(
    homes=[
        "algatt.symmetry.named.families",
        "algatt.symmetry.quotients.members",
    ]
)
def members(family: type[Family], arch: Architecture, /) -> tuple[Family, ...]:
    """Return the tuple of symmetries of the class `family` that leave the functions of `arch` unchanged; empty if there
    are none.
    """


@declare(homes=["algatt.symmetry.arranged for Network", "algatt.symmetry.base"])
def symmetries(arch: NetworkLike, /) -> tuple[Symmetry, ...]:
    """Return the symmetry families of an architecture: each with `name`, `dimension`, `element(theta, seed)` and
    `tangents(theta)`.
    """


@declare(homes=["algatt.symmetry.arranged for Network", "algatt.symmetry.discrete.symmetry"])
def discrete_symmetries(arch: NetworkLike, /) -> tuple[DiscreteSymmetry, ...]:
    """Return the permutations of coordinates and of tensors, and the signs of coordinates, that leave the function of
    an architecture unchanged: each with `name` and `elements(field)`, permutations with `generators`.

    They are found in its program, and proven by it: with its tensors permuted it has the same normal form, and signs
    are followed operation by operation. Permutations of coordinates that lie in the group of a space are among them,
    too; signs are, unless matrices that are not diagonal act in the space. They do not enter dimensions.
    """


@declare
def act(element: GroupElement, theta: Coordinates, /) -> Coordinates:
    """Apply a group element to parameters; the function they define stays the same, exactly."""


@declare(homes=["algatt.symmetry.group"])
def compose(left: GroupElement, right: GroupElement, /) -> GroupElement:
    """Return the product of two group elements: ``act(compose(g, h), theta) == act(g, act(h, theta))``.

    Elements of one family give one of that family, others a `ProductElement`. Exact over GF(p). Cost: a matrix product
    for each factor.

    Raises
    ------
    InvalidArgument
        If elements of one family differ in field or sizes.
    """


@overload
def _identity(family: NamedSpaces, field: Field, /) -> SpacesElement: ...
@overload
def _identity(family: Symmetry, field: Field, /) -> GroupElement: ...
def _identity(family: Symmetry, field: Field, /) -> Any:
    """Return the identity of the group of a symmetry family over a field."""


identity = declare(_identity)


@declare
def exponential(family: Symmetry, tangent: Any, /) -> GroupElement:
    r"""Return the group element :math:`\exp(c)` over the reals.

    Parameters
    ----------
    family : Symmetry
        A family of linear groups: `KeyQuery`, `Interlayer`, `Rescaling`, or that of a space.
    tangent : sequence of array
        Square matrices c_i of the Lie algebra, one for each matrix of a group element (numbers for `Rescaling`); of a
        space the coefficients in the basis of its tangents.

    Raises
    ------
    InvalidArgument
        If the sizes do not fit, or the matrices are not in the Lie algebra.
    """


@declare(homes=["algatt.geometry.fibres.orbit"])
def orbit_dimension(arch: NetworkLike, theta: Parameters, /, *, gap: float | None = None) -> int:
    """Return the dimension of the orbit of `theta` under all symmetries: the rank of their tangents there, in the
    coordinates of `theta`.

    Exact over GF(p). Cost: an elimination of as many rows as the groups have dimensions.

    Raises
    ------
    RankUndecided
        Over the reals, if the singular values have no gap.
    """


@declare(homes=["algatt.symmetry.groups"])
def group_of(constraint: Constraint, /) -> MatrixGroup | None:
    """Return the group of the invertible matrices that satisfy a constraint of types on one space; None if it has no
    name.
    """


@declare(homes=["algatt.symmetry.motions.integration"])
def element_of(solution: Solution, field: Field, coefficients: np.ndarray, /) -> TensorsElement:
    """Return the group element that belongs to a combination of the vector fields of a solution of types.

    Parameters
    ----------
    solution : Solution
        The vector fields, and the actions on tensors of which they come.
    field : Field
        Over the reals the element is the exponential, over other fields a Cayley transform, which is exact.
    coefficients : ndarray
        The raw coefficients of the combination.

    Raises
    ------
    SingularMatrix
        If there is no Cayley transform; take others.
    SymmetryError
        If no exact elements are known.
    """


@declare(homes=["algatt.symmetry.symbolic.symbolic"])
def symbolic_symmetries(arch: NetworkLike, /) -> SymbolicSymmetries:
    """Return the dimension of all symmetries that the types and quotients of a network find, and of their orbits, for
    networks of any size.

    Spaces are unknowns of which only the size is used: no matrix is built. Stacks of equal blocks cost as much as three
    blocks. Exact; where no rule tells what constraints leave of a space it is left out, and the answer says so: then
    the dimensions are lower bounds. Cost: a few milliseconds for each linear map of a block.

    Parameters
    ----------
    arch : Architecture
        What is evaluated in `Elements`, as every `Network`. Its number of tokens may be 2: the answer is the same
        for all larger ones if no tensor has a size that depends on it.

    Returns
    -------
    SymbolicSymmetries
        With `dimension`, `orbit`, `upper`, `spaces`, and whether it is `complete` and `free`.
    """


@declare(homes=["algatt.geometry.equality.networks.standard", "algatt.geometry.equality.networks.mixtures"])
def standard_element(
    family: Symmetry,
    theta: Weights,
    /,
) -> GroupElement | None:
    """Return the element of a family that brings a point into standard position, or None if the family has none.

    Raises
    ------
    DivisionByZero
        If there is none for this point.
    """
