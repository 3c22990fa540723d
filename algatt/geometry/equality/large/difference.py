"""What carries one point of a network to another best, and how far it leads from it, tensor by tensor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from algatt.architectures import Architecture
from algatt.geometry.equality.large.resolution import Resolution
from algatt.geometry.equality.large.spaces import LargeMotions, large_motions
from algatt.geometry.equality.large.standard import to_standard_position
from algatt.parameters import Weights
from algatt.symmetry import GroupElement
from algatt.symmetry.discrete.renaming import Trial
from algatt.symmetry.discrete.symmetry import term_graph

__all__ = ["Comparison", "compare_weights"]

FITTING = 0.05
"""A tensor is taken for the image of another one if it is nearer than this, relative to its norm."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The element of the group of a network that carries one point to another best.

    Parameters
    ----------
    resolution : Resolution
        What was found: matrices, orders and numbers, between points in standard position.
    before, after : tuple of GroupElement
        What brings the points there, the last of which acts first.
    residuals : dict of str to float
        For each tensor in standard position, how far the image of the first point is from the second one: the largest
        entry, relative to the largest of the tensor.
    conditions : dict of str to float
        The product of the condition numbers of the matrices that act on a tensor.
    open : tuple of str
        Tensors of spaces that could not be solved for.
    """

    resolution: Resolution
    before: tuple[GroupElement, ...]
    after: tuple[GroupElement, ...]
    residuals: Mapping[str, float]
    conditions: Mapping[str, float]
    open: tuple[str, ...]


def compare_weights(arch: Architecture, one: Weights, two: Weights) -> Comparison:
    """Return the element that carries one point to another best, and how far it leads from it."""
    motions = large_motions(arch)
    (before, first), (after, second) = (to_standard_position(arch, theta) for theta in (one, two))
    arrays = [{name: matrix_of(element.raw) for name, element in theta.tensors.items()} for theta in (first, second)]
    resolution = resolve(arch, motions, *arrays)
    names = list(arrays[0])
    found = [space for space in motions.spaces if space not in resolution.matrices]
    left = [side.tensor for space in found for side in space.sides]
    left += [name for one in motions.coordinates if not resolution.known(one.sides[0]) for name, _ in one.sides]
    return Comparison(
        resolution,
        before,
        after,
        {name: resolution.residual(name) for name in names},
        {name: condition(resolution, name) for name in names},
        tuple(dict.fromkeys(left)),
    )


def matrix_of(raw: np.ndarray) -> np.ndarray:
    """Return a tensor as a matrix of floats."""
    matrix: np.ndarray = raw.reshape(((1, 1) + raw.shape)[-2:]).astype(np.float64)
    return matrix


def resolve(
    arch: Architecture, motions: LargeMotions, one: Mapping[str, np.ndarray], two: Mapping[str, np.ndarray]
) -> Resolution:
    """Return what carries tensors to others best; terms that may be exchanged are matched by what fits most tensors."""
    graph = term_graph(arch)
    colours = [graph.colours[number] for number in graph.of_tensor.values()]
    alone = [name for name, number in graph.of_tensor.items() if colours.count(graph.colours[number]) == 1]
    base = Resolution(motions, one, two, {name: name for name in alone})
    base.run()

    def accept(trial: Trial, decided: Iterable[str]) -> bool:
        chosen = {name: trial.tensors[name] for name in decided}
        further = base.extended(chosen)
        further.run(chosen)
        told = [name for name in chosen if further.known((name, 0)) and further.known((name, 1))]
        fitting = sum(near(further, name) for name in told)
        return 2 * fitting >= len(told)

    renaming = graph.search({name: name for name in alone}, accept)
    sources = {name: name for name in one}
    if renaming is not None:
        sources |= renaming.tensors
    whole = base.extended(sources)
    whole.run()
    return whole


def near(resolution: Resolution, name: str) -> bool:
    """Return whether a tensor is nearly the image of what takes its place."""
    image, moved = resolution.two[name], resolution.moved(name)
    return bool(np.linalg.norm(moved - image) <= FITTING * np.linalg.norm(image))


def condition(resolution: Resolution, name: str) -> float:
    """Return the product of the condition numbers of the matrices that act on a tensor."""
    product = 1.0
    for axis in (0, 1):
        for space, _ in resolution.motions.spaces_by_side.get((name, axis), ()):
            if space in resolution.matrices:
                g, inverse = resolution.matrices[space]
                product *= float(np.linalg.norm(g, 2) * np.linalg.norm(inverse, 2))
    return product
