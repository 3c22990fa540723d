"""What carries the tensors of one point to those of another: terms that may be exchanged are tried."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from algatt.architectures import Architecture
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.equality.large.resolution import LargeResolution
from algatt.symmetry.discrete.renaming import Trial
from algatt.symmetry.discrete.symmetry import moves_of_renaming, term_graph

Unseen = dict[str, list[tuple[Any, Any]]]
"""Rows and columns of entries of tensors that nothing sees, as numpy takes them."""

FITTING = 0.05
"""A tensor is taken for the image of another one if most of it is nearer than this, relative to its norm."""


def unmoved(start: LargeResolution) -> LargeResolution:
    """Return what leaves all tensors where they are."""
    still, motions = start.extended({name: name for name in start.one}), start.motions
    for space in motions.spaces:
        still.matrices[space] = np.eye(space.size), np.eye(space.size)
    for one in motions.coordinates:
        still.orders[one] = np.arange(one.size)
        still.numbers.update({factors: np.ones(one.size) for factors in one.factors})
    return still


def resolve(
    arch: Architecture, start: LargeResolution, kept: Collection[str] = (), like: CoordinateChange | None = None
) -> LargeResolution | None:
    """Return what carries tensors to others best, given what is known of it; terms that may be exchanged are matched by
    what fits most tensors, but for those of which a tensor is kept in its place; or as by another change, if one is
    given. None if some are kept, and the others do not match.

    Nearly all trials match terms that are no images of each other. So they are fitted by least squares at first, and
    only if that leads nowhere by what most of their columns say, and then so that a tensor which is alone in its
    term may be wrong.
    """
    graph = term_graph(arch)
    alone = [names[0] for names in graph.alike.values() if len(names) == 1]
    taken = {
        name
        for name, number in graph.of_tensor.items()
        if graph.classes.is_taken((number, 0)) and not graph.classes.is_fixed((number, 0))
    }
    base = start.extended({name: name for name in alone if name not in taken})
    if like is not None:
        base.orders = dict(like.orders)
    base.run()
    if like is not None:
        whole = base.extended({name: like.sources.get(name, name) for name in start.one})
        whole.rows = dict(like.rows)
        whole.run()
        return whole

    def accept(trial: Trial, decided: Iterable[str], *, contested: bool, spared: int) -> bool:
        chosen = {name: trial.tensors[name] for name in decided if name not in taken}
        further = base.extended(chosen)
        further.contested = contested
        further.run(chosen)
        telling = [name for name in chosen if further.tells(name)]
        told = [name for name in telling if further.known((name, 0)) and further.known((name, 1))]
        layers: dict[str, list[bool]] = defaultdict(list)  # heads of an encoder that fit say nothing of what reads them
        for name in told:
            layers[name.rpartition(".")[0]].append(near(further, name))
        return all(2 * sum(fitting) >= len(fitting) - spared for fitting in layers.values())

    fixed = {name: name for name in graph.of_tensor if name in kept or name in alone}
    for contested, spared in ((False, 0), (True, 0), (True, 1)):
        renaming = graph.search(fixed, functools.partial(accept, contested=contested, spared=spared))
        if renaming is not None:
            break
    if renaming is None and kept:
        return None
    sources = {name: name for name in start.one}
    if renaming is not None:
        sources |= renaming.tensors
    whole = base.extended(sources)
    if renaming is not None and taken:
        moves = moves_of_renaming(arch, renaming)
        whole.rows = {name: np.array(moves[name].rows) for name in taken if name in moves and moves[name].rows}
    whole.run()
    return whole


def is_permuted(arch: Architecture, start: LargeResolution, names: Iterable[str]) -> bool:
    """Return whether some tensors may take the places of others, or have rows or columns that may be permuted, of which
    the order is not known.
    """
    graph = term_graph(arch)
    free = (one for one in start.motions.coordinates if one.permuted and one not in start.orders)
    ordered = {name for one in free for name, _ in one.sides}
    return any(name in ordered or len(graph.alike[graph.colours[graph.of_tensor[name]]]) > 1 for name in names)


def near(resolution: LargeResolution, name: str) -> bool:
    """Return whether a tensor, or most of its rows or of its columns, is nearly the image of what takes its place."""
    image, moved = resolution.two[name], resolution.moved(name)
    for axis in (None, 0, 1):
        apart, size = (np.linalg.norm(one, axis=axis) for one in (moved - image, image))
        if 2 * np.mean(apart <= FITTING * size) > 1:
            return True
    return False
