"""Points that are one function of few tokens, and entries that only more tokens see, as vectors of positions."""

from __future__ import annotations

import dataclasses

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.geometry.equality.large.comparison import Comparison
from algatt.geometry.equality.large.difference import Fit, fit_weights
from algatt.geometry.equality.large.half_precision import HALF, Stayed, known_exactly
from algatt.geometry.equality.large.twins import unexplained_tensors
from algatt.geometry.equality.large.values import ValuePair, bits_of, draw_public_inputs
from algatt.geometry.equality.large.verdict import compare_weights, effect_of_the_rest
from algatt.parameters import Weights
from algatt.symmetry import UnseenSymmetry


def compare_tokens(
    network: Network, one: Weights, two: Weights, most: int, seed: int = 0
) -> tuple[Comparison, Network]:
    """Return what is known of two points of a network, and of the same tensors with up to so many tokens, and the
    network that the answer is about: first by an element that carries all entries, then by what its own tokens see,
    and what only more do.
    """
    hidden = most > network.tokens and bool(verbs.members(UnseenSymmetry, network))
    found = compare_weights(network, one, two, seed, unseen=not hidden)
    if hidden and found.equal is None:  # if further tokens alone see what differs, the tokens of the network agree
        found = compare_weights(network, one, two, seed)
    elif found.equal is not None:
        return found, network
    if found.equal is False or most <= network.tokens:
        return found, network
    return compare_further_tokens(found, network, one, two, most, seed)


def compare_further_tokens(
    found: Comparison, network: Network, one: Weights, two: Weights, most: int, seed: int = 0
) -> tuple[Comparison, Network]:
    """Return what is known of two points that no input of the tokens of a network tells apart, and of the same tensors
    with more tokens, and the network that the answer is about.

    The symmetries of the network are those of any number of tokens, but for entries that fewer do not see. So these
    entries have to fit as well. If some do not, values at as many tokens as see the one that is met worst tell whether
    the functions differ, as in `compare_weights`. That takes no list of the symmetries of so many tokens, which is
    long.

    Parameters
    ----------
    found : Comparison
        That of the points of the network, by which they are equal, or undecided.
    network : Network
        The network.
    one, two : Weights
        The points.
    most : int
        How many tokens see every entry.
    seed : int, optional
        Of the input.
    """
    if found.copy:
        return found, network
    precision = bits_of(one, two)
    if precision <= HALF:
        stayed = Stayed.of(one, two)
        one = one if stayed is None else stayed.first
        if found.precision > precision or (stayed is not None and stayed.nearly):  # compared as they are stored
            one, two = known_exactly(one), known_exactly(two)
            precision = bits_of(two)
    fit = fit_weights(network, one, two, unseen=False)
    names = unexplained_tensors(network, fit, one, two, half=precision <= HALF)
    if not names:
        return found, network
    what = f"inputs of {network.tokens} tokens do not show whether these matter: compare with tokens={most}"
    for tokens in sorted({min(max(row_that_is_met_worst(fit, names) + 1, network.tokens), most), most}):
        longer = dataclasses.replace(network, tokens=tokens)
        pair = ValuePair.of(longer, one, two, draw_public_inputs(longer, seed)[:1])
        if pair is None:
            continue
        effect, explained = effect_of_the_rest(longer, fit, two, pair, seed)
        if pair.distances[0] > 0 and effect[0] > explained[0]:
            hypothesis = f"{tokens} tokens see what {network.tokens} do not"
            figures = pair.figures(explained, effect, differ=True)
            return dataclasses.replace(found, equal=False, broken=names, hypothesis=hypothesis, **figures), longer
    return dataclasses.replace(found, equal=None, broken=names, hypothesis=what), network


def row_that_is_met_worst(fit: Fit, names: tuple[str, ...]) -> int:
    """Return the number of the row of the tensor that is met worst beside its bound in which it is."""
    name = max(names, key=lambda one: fit.residuals[one] / fit.bounds[one])
    return int(np.argmax(fit.resolution.distances(name).max(axis=1)))
