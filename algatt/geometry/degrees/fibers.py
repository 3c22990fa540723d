"""The components of a generic fibre: how many points it has up to continuous symmetries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.arguments import whole
from algatt.display import Rows, Summary, Worth
from algatt.errors import DegreeUndecided
from algatt.geometry.degrees.degree import POINTS, affine_coordinates, proven_dimension
from algatt.geometry.degrees.exchanges import joined_by_symmetries
from algatt.geometry.degrees.homotopy import follow, refine
from algatt.geometry.degrees.loops import LOOPS, TOLERANCE, between, gather, new_points
from algatt.geometry.degrees.moving_slices import between_slices, residual_of_slice
from algatt.geometry.degrees.slices import Section, random_complex, random_section
from algatt.geometry.implicit.coordinate_ring import coordinate_ring
from algatt.geometry.implicit.existence import check_polynomial
from algatt.plain import written
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized

IDLE = 6
"""The search for weights ends after this number of loops in a row that find no new ones."""


@dataclass(frozen=True, repr=False)
class FiberComponents(Summarized):
    """The irreducible components of a generic fibre of a parametrization, over the complex numbers.

    Parameters
    ----------
    arch : Architecture
        The network.
    count : int
        The number of components: how many points a generic function has in the space of weights, up to continuous
        changes.
    degrees : tuple of int
        In how many points a slice of complementary dimension meets each.
    dimension : int
        The dimension of each component: parameters less the dimension of the neuromanifold.
    status : str
        ``numerical``: each component passes the trace test, and `idle` further loops found no other one.
    residual : float
        The largest residual of a trace test.
    idle : int
        So many loops found nothing new in the end.
    discrete : int
        The number of components to which the discrete symmetries that the package finds (see
        `algatt.symmetry.discrete_symmetries`) lead from one, itself included: the same for all, as loops of the
        function lead from each component to each other, and symmetries commute with them. Where `count` is larger, the
        fibre has more points than the known symmetries explain.
    """

    arch: Architecture
    count: int
    degrees: tuple[int, ...]
    dimension: int
    status: str
    residual: float
    idle: int
    discrete: int

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command prints it."""
        names = "degrees dimension status residual idle discrete unexplained"
        return {"components": self.count, **written(self, names)}

    @property
    def unexplained(self) -> int:
        """The number of components up to discrete symmetries: 1 where these explain all."""
        return self.count // self.discrete

    def __str__(self) -> str:
        return f"{self.count} ({self.status})"


def fiber_components(arch: Architecture, *, seed: int = 0, points: int = POINTS) -> FiberComponents:
    r"""Return the number of irreducible components of a generic fibre :math:`\varphi^{-1}(\varphi(\theta))` over the
    complex numbers.

    A connected group of symmetries moves a point within its component; exchanges of neurons or heads may lead from one
    to another. So where all continuous changes are symmetries that are connected, this is the number of points of the
    fibre up to these. All weights of a slice with one function are found by loops of a section, as in
    `degree_of_closure`. Two of them are in one component if a loop of the slice, with the function fixed, leads from
    one to the other. The weights of a component are complete when their sum is linear while the slice moves. Discrete
    symmetries move the components; `discrete` says how many they connect.

    Cost: as `degree_of_closure`, times the degree of the fibre.

    Parameters
    ----------
    arch : Architecture
        A network whose values are polynomials in its weights, and in vectors that it reads.
    seed : int, optional
        Names the section and the loops.
    points : int, optional
        The largest number of points that are followed.

    Raises
    ------
    InvalidArgument
        For other networks.
    DegreeUndecided
        If there are more points, the dimension is not proven, or a trace test does not hold.
    NotEnoughMemory
        If the table of monomials does not fit.

    Examples
    --------
    >>> import algatt
    >>> square = algatt.layers.Feedforward(1, algatt.layers.Power(2), width=1)
    >>> algatt.geometry.fiber_components(algatt.Network(square, tokens=1, width=2)).degrees
    (3,)
    """
    check_polynomial(arch)
    seed, points = check_seed(seed), whole("points", points)
    ring = coordinate_ring(arch)
    dimension = proven_dimension(ring, seed)
    section = random_section(affine_coordinates(ring), dimension, seed)
    u, _ = gather(section, lambda some: some, seed, points, lambda u, idle: idle >= IDLE)
    images = section.images(u)
    here = np.abs(images - images[0]).max(axis=1) < TOLERANCE * (1 + np.abs(images).max())
    found, names = u[here], np.arange(int(here.sum()))
    for loop in range(LOOPS):
        groups = [found[names == name] for name in np.unique(names)]
        residuals = [residual_of_slice(section, group, seed + loop) for group in groups]
        if max(residuals) < TOLERANCE:
            degrees = tuple(sorted((len(group) for group in groups), reverse=True))
            free = arch.parameters - dimension
            discrete = len(groups) // joined_by_symmetries(arch, section, found, names)
            return FiberComponents(arch, len(groups), degrees, free, "numerical", max(residuals), IDLE, discrete)
        found, names = joined_by_loop(section, found, names, seed, loop)
    raise DegreeUndecided(f"weights of a fibre are not complete after {LOOPS} loops", len(found), max(residuals))


def joined_by_loop(
    section: Section, points: np.ndarray, names: np.ndarray, seed: int, loop: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the points, with those that a loop of the slice finds, and a name for the component of each."""
    n, D = section.directions.shape
    corners = [(section.origin, section.directions)]
    for k in range(2):
        label = f"slice/{loop}/{k}"
        corners.append((random_complex(seed, f"{label}/origin", n), random_complex(seed, label, n, D)))
    ends, kept = points, np.arange(len(points))
    for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
        ends, reached = follow(between_slices(section, points[:1], one, other), ends)
        ends, kept = ends[reached], kept[reached]
    fixed = section.evaluate(points[:1])[0]
    ends = refine(between(section, fixed, fixed), ends, 0.0)
    numbers, fresh = new_points(ends, points)
    points = np.concatenate([points, ends[fresh]])
    names = np.concatenate([names, len(names) + np.arange(len(fresh))])
    for start, end in zip(kept, numbers, strict=True):
        names[names == names[end]] = names[start]
    return points, names


@verbs.summarize.method
def summary_of_components(found: FiberComponents) -> Summary:
    rows: Rows = [("network", f"{found.arch}"), ("dimension", f"{found.dimension}")]
    rows.append(("degrees", ", ".join(map(str, found.degrees))))
    rows.append(
        ("discrete symmetries", f"carry each component to {found.discrete} of {found.count}, itself among them")
    )
    return Summary(f"{found.count} component{'s' * (found.count != 1)} of a generic fibre", rows, Worth(found.status))
