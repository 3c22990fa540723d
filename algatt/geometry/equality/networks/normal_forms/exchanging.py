"""Tensors that may take each other's place, as those of heads and experts, are put into order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from algatt.errors import NoNormalForm
from algatt.fields import Elements
from algatt.geometry.equality.networks.normal_forms.network_form import NetworkNormalForm
from algatt.geometry.equality.networks.normal_forms.sorting import beside_largest, comparable, compare, sorted_order
from algatt.symmetry.discrete.moves import element_of_moves
from algatt.symmetry.discrete.renaming import TermGraph, Trial
from algatt.symmetry.discrete.symmetry import moves_of_renaming, term_graph

MOST_TRIALS = 64
"""Of equal tensors whose terms differ, at most so many choices are followed."""

Sources = dict[str, str]
"""The tensors that take the place of others."""


def exchange(form: NetworkNormalForm) -> None:
    """Put tensors that may take each other's place into order: each place in turn gets the smallest that fits; where
    several are equal, every one of them is followed, unless the weights are the same with either.

    Raises
    ------
    NoNormalForm
        If too many tensors are equal while others of their terms differ, or if floats do not decide.
    """
    graph = term_graph(form.arch)
    trials: list[Sources] = [{}]
    for names in form.colours():
        if len(names) == 1 or any(graph.classes.is_taken((graph.of_tensor[names[0]], axis)) for axis in (0, 1)):
            continue
        raw = np.concatenate([form.theta.tensors[name].raw.reshape(1, -1) for name in names])
        rows = beside_largest(Elements(form.scalars, raw))
        order = [names[place] for place in sorted_order(rows)[0]]
        keys = dict(zip(names, comparable(rows), strict=True))
        for name in names:
            found: list[Sources] = []
            for source in order:
                if found and compare(form.scalars, keys[source], keys[found[0][name]]):
                    break
                further = ({**trial, name: source} for trial in trials if source not in trial.values())
                found += [one for one in further if graph.search(one) is not None]
            trials = different(form, graph, found) if len(found) > 1 else found
    renaming = graph.search(trials[0]) if trials[0] else None
    if renaming is not None:
        moves = moves_of_renaming(form.arch, renaming)
        form.act(dict(element_of_moves(moves, form.scalars).sides))


def different(form: NetworkNormalForm, graph: TermGraph, trials: Iterable[Sources]) -> list[Sources]:
    """Return those of the trials that lead to different weights: two are alike if a renaming that leaves all tensors
    what they are takes one to the other.
    """

    def same(trial: Trial, decided: Iterable[str]) -> bool:
        pairs = ((form.theta.tensors[name], form.theta.tensors[trial.tensors[name]]) for name in decided)
        return all(are_equal(one, other) for one, other in pairs)

    kept: list[Sources] = []
    for trial in trials:
        if not any(graph.search({other[name]: trial[name] for name in trial}, same) for other in kept):
            kept.append(trial)
            if len(kept) > MOST_TRIALS:
                raise NoNormalForm("too many tensors of heads or experts are equal, while others differ")
    return kept


def are_equal(one: Elements, other: Elements) -> bool:
    """Return whether two tensors are equal, but for rounding."""
    if one is other:
        return True
    both = beside_largest(Elements(one.field, np.stack([one.raw.ravel(), other.raw.ravel()])))
    return compare(one.field, *comparable(both)) == 0
