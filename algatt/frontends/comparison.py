"""Whether two models that were read from different places are one function: a conversion is checked."""

from __future__ import annotations

import contextlib
import dataclasses

import numpy as np

from algatt import verbs
from algatt.architectures import Network, sample_inputs
from algatt.architectures.network import Computed, arrange
from algatt.architectures.network import program as program_of
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Elements, Reals, concatenate
from algatt.frontends.matching import matched_tensors
from algatt.geometry import Equivalence, same_function
from algatt.parameters import Weights
from algatt.programs.joined import joined_tensors
from algatt.symmetry.quotients.gains import fold_gains

DIFFERENT = 0.01
"""Relative difference of values above which they are not those of one function in any precision."""

ROUNDED = "constants of the two models are the same up to rounding to single precision"


def compare_models(
    net: Network, theta: Weights, other: Network, given: Weights, *, seed: int = 0, is_folded: bool = False
) -> Equivalence:
    """Return whether points of two networks, which may be written in other words, are one function.

    Where the programs of both are one in normal form, or become one when gains are folded, up to the names of tensors,
    the second point is one of the first network, and `algatt.same_function` decides. Otherwise they are different
    functions if values say so, and nothing is known if these do not.

    Parameters
    ----------
    net, theta : Network, Weights
        A network and its weights, over the reals.
    other, given : Network, Weights
        Another network with the same inputs and values, and its weights.
    seed : int, optional
        Names the random inputs.
    is_folded : bool, optional
        Whether gains of both are folded already.

    Raises
    ------
    InvalidArgument
        If the networks have inputs or values of other shapes.
    """
    for name in ("input_shape", "output_shape", "vocabulary"):
        shapes = getattr(net, name), getattr(other, name)
        if shapes[0] != shapes[1]:
            raise InvalidArgument("second", f"of {name} {shapes[1]}", f"of {name} {shapes[0]}, as the first")
    one, two = arrange(net), arrange(other)
    programs = [each.network.layers.program for each in (one, two)]  # type: ignore[attr-defined]  # `arrange` has one
    matched = matched_tensors(*programs)
    if matched is None:
        points = one.forth(theta), two.forth(given)
        networks = zip((one.network, two.network), points, strict=True)
        sides = [with_joined_tensors(each, at) for each, at in networks]  # type: ignore[arg-type]  # as above
        if any(is_joined for *_, is_joined in sides):
            found = compare_models(*sides[0][:2], *sides[1][:2], seed=seed, is_folded=is_folded)
            return between_others(found, "tensors that are read below each other are joined")
    if matched is None and not is_folded:
        with contextlib.suppress(DivisionByZero):  # where a gain has a zero, it cannot be folded
            folded = without_gains(net, theta), without_gains(other, given)
            found = compare_models(*folded[0], *folded[1], seed=seed, is_folded=True)
            return between_others(found, "gains of both are folded")
    if matched is None:
        return told_by_values(net, theta, other, given, seed)
    names, exact = matched
    point = one.forth(theta)
    read = two.forth(given)
    moved = point.replace([taken(read, names.get(name), one) for name, one in point.tensors.items()])
    answer: Equivalence = same_function(net, theta, one.back(moved), seed=seed)
    lengths = (net.tokens, net.tokens) if answer.equal else None
    if exact:
        return dataclasses.replace(answer, lengths=lengths)
    return dataclasses.replace(answer, status="numerical", reason=f"{answer.reason}; {ROUNDED}", lengths=lengths)


def between_others(found: Equivalence, step: str) -> Equivalence:
    """Return an answer about networks that were written anew, without what belongs to these alone."""
    reason = f"{found.reason}; {step}" if found.equal else found.reason
    return dataclasses.replace(found, element=None, coordinates=None, compared=None, reason=reason)


def with_joined_tensors(net: Network, theta: Weights) -> tuple[Network, Weights, bool]:
    """Return a network, and its weights, with one tensor for those that are read below each other, and whether there
    are any.
    """
    program, joined = joined_tensors(program_of(net))
    if not joined:
        return net, theta, False
    before = theta.tensors
    made = {name: concatenate([before[one] for one in names]) for name, names in joined.items()}
    read = {name for names in joined.values() for name in names}
    tensors = {name: one for name, one in before.items() if name not in read} | made
    shapes = tuple((name, one.shape) for name, one in tensors.items())
    layer = Computed(program, net.input_shape, shapes, repr(net.layers), net.vocabulary, net.source)
    width = None if net.vocabulary is not None else net.width
    return Network(layer, net.tokens, width), Weights(tuple(tensors.values()), tuple(tensors)), True


def without_gains(net: Network, theta: Weights) -> tuple[Network, Weights]:
    """Return a network without the gains that can be folded, as Network and Weights.

    Raises
    ------
    DivisionByZero
        If an entry of a gain is zero.
    """
    program, quotient = fold_gains(program_of(net))
    tensors = quotient.fold(theta)
    shapes = tuple((name, one.shape) for name, one in tensors.items())
    layer = Computed(program, net.input_shape, shapes, repr(net.layers), net.vocabulary, net.source)
    width = None if net.vocabulary is not None else net.width
    return Network(layer, net.tokens, width), Weights(tuple(tensors.values()), tuple(tensors))


def taken(theta: Weights, source: tuple[str, bool] | None, unread: Elements) -> Elements:
    """Return a tensor of another point, or its transpose; what no program reads stays as it is."""
    if source is None:
        return unread
    found = theta.tensors[source[0]]
    return found.T if source[1] else found


def told_by_values(net: Network, theta: Weights, other: Network, given: Weights, seed: int) -> Equivalence:
    """Return that values of two points differ, or that nothing is known."""
    for inputs in sample_inputs(net, field=Reals(), seed=seed, count=3):
        one, two = verbs.evaluate(net, theta, inputs), verbs.evaluate(other, given, inputs)
        apart = float(np.abs(one - two).max() / max(np.abs(one).max(), np.abs(two).max()))
        if apart > DIFFERENT:
            reason = f"the values differ at an input by {apart:.2g}, relative to the largest"
            return Equivalence(False, "numerical", None, None, inputs, None, apart, reason)
    doubt = "this is no proof: the normal forms of the programs were not matched"
    reason = f"the values agree at 3 inputs up to {apart:.2g}, but {doubt}"
    return Equivalence(None, "undecided", None, None, None, None, apart, reason)
