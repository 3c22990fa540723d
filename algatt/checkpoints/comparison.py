"""Whether two checkpoints are one function, and of inputs of which lengths."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from typing import Any

from algatt import published
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint, load
from algatt.checkpoints.conversions.common import with_one_network
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.geometry import Equivalence
from algatt.geometry.equality.large import compare_networks, compare_tokens
from algatt.geometry.equality.network_equivalence import equivalence_of_comparison, same_parameters
from algatt.layers import Heads, Rotary
from algatt.layers.base import layout
from algatt.layers.lengths import longest, tokens_to_reach
from algatt.layers.rewriting import rewritten
from algatt.parameters import Weights
from algatt.published.keys import WITHOUT_EFFECT
from algatt.published.models import layers_of, lengths_with_other_constants
from algatt.published.networks import with_epsilon

__all__ = ["compare", "difference_of"]

NAMES = ("architectures", "auto_map")
"""Keys that name classes."""

MOST_PRODUCTS = 2**33
"""Maximum product of the tokens of an input at which values are computed and the parameters: a minute."""

MOST_SCORES = 2**27
"""Maximum number of scores of a layer at such an input: a gigabyte."""


def compare(
    first: Checkpoint | str | os.PathLike[str],
    second: Checkpoint | str | os.PathLike[str],
    *,
    tokens: int | None = None,
    seed: int = 0,
) -> Equivalence:
    """Return whether two checkpoints are one function, and of which lengths of inputs that is known.

    Their weights are compared up to rounding, as by `algatt.same_function`, on inputs of few tokens, and what only more
    tokens see besides, as vectors of further positions. What else their networks do is compared for every length:
    masks, windows, angles and how they are scaled, epsilons, caps, routers. Where one has tied embeddings, keys that
    heads share, or another layout of rotary positions, and the other one not, it is rewritten before.

    Parameters
    ----------
    first, second : Checkpoint or path
        As for `load`.
    tokens : int, optional
        How many tokens the inputs have. Equality then need not hold for more; the answer says for how many it does.
    seed : int, optional
        Names the random inputs.

    Returns
    -------
    Equivalence
        If they are equal, `Equivalence.lengths` says of which numbers of tokens.

    Raises
    ------
    EquivalenceUndecided
        If that is not known of all lengths that both can read, and no difference is.
    InvalidArgument
        If a checkpoint cannot be read, or the two are of networks that have other layers.
    """
    one, two = (as_checkpoint(each, tokens) for each in (first, second))
    words: tuple[str, ...] = ()
    if one.network != two.network:
        one, two, words = with_one_network(one, two)
    answer = of_checkpoints(one, two, tokens, seed)
    return dataclasses.replace(answer, reason=f"{answer.reason}; {', '.join(words)}") if words else answer


def of_checkpoints(one: Checkpoint, two: Checkpoint, tokens: int | None, seed: int) -> Equivalence:
    """Return whether two checkpoints are one function, of which the networks differ in numbers at most."""
    what = difference_of(one.config, two.config)
    networks = [network_of(each, tokens) for each in (one, two)]
    if networks[0] != networks[1]:
        if without_numbers(networks[0]) != without_numbers(networks[1]):
            raise InvalidArgument("second", f"a checkpoint of another network: {what}", "of the network of the first")
        return of_two_networks(networks, one.weights, two.weights, what, seed)
    network = networks[0]
    most = longest(network.layers)
    other = next(lengths_that_differ(one, two, most), None)
    if other is None and one.weights == two.weights:
        answer = same_parameters(network, one.weights, two.weights)
    else:
        found, network = compare_tokens(network, one.weights, two.weights, tokens_to_reach(network.layers), seed)
        answer = equivalence_of_comparison(found, network, one.weights, two.weights)
        if answer.equal and other is not None:
            if tokens is None:
                return of_more_tokens(answer, one, two, other, what, seed)
            most = other - 1
    return dataclasses.replace(answer, lengths=(1, most)) if answer.equal else answer


def as_checkpoint(given: Any, tokens: int | None) -> Checkpoint:
    """Return a checkpoint without its tensors, of which the files are not kept in memory."""
    if not isinstance(given, Checkpoint):
        given = load(given, tokens=tokens, reach=False)
    return dataclasses.replace(given, tensors=None)


def network_of(checkpoint: Checkpoint, tokens: int | None) -> Network:
    """Return the network of a checkpoint that reads so many tokens, or few."""
    if not checkpoint.config:
        net = checkpoint.network
        return net if tokens is None else dataclasses.replace(net, tokens=tokens)
    return published.read(checkpoint.config, tokens=tokens)


def lengths_that_differ(one: Checkpoint, two: Checkpoint, most: int | None) -> Iterator[int]:
    """Iterate over numbers of tokens, the least first, for which two networks that are equal for few are not."""
    if one.config and two.config:
        ends = {*lengths_with_other_constants(one.config), *lengths_with_other_constants(two.config)}
        for tokens in sorted(ends):
            if most is None or tokens <= most:
                first, second = (layers_of(each.config, tokens, None)[0] for each in (one, two))  # of any length
                if first != second:
                    yield tokens


def of_two_networks(networks: list[Network], one: Weights, two: Weights, what: str, seed: int) -> Equivalence:
    """Return whether points of two networks that differ in numbers alone are different functions."""
    compared = compare_networks(networks[0], one, networks[1], two, what, seed)
    answer = equivalence_of_comparison(compared, networks[0], one, two)
    return dataclasses.replace(answer, compared=None)  # a certificate is about one network


def of_more_tokens(
    answer: Equivalence, one: Checkpoint, two: Checkpoint, tokens: int, what: str, seed: int
) -> Equivalence:
    """Return whether checkpoints that are one function of fewer tokens are two of so many, given that their networks
    differ in numbers then.

    Raises
    ------
    EquivalenceUndecided
        If no values tell.
    """
    what = f"of up to {tokens - 1} tokens they are one function, and for more {what}"
    if tokens * one.network.parameters > MOST_PRODUCTS or tokens**2 * most_heads(one.network) > MOST_SCORES:
        raise EquivalenceUndecided(f"undecided: {what}; tokens, given as {tokens}, compares these", answer.comparison)
    networks = [network_of(each, tokens) for each in (one, two)]
    found = compare_networks(networks[0], one.weights, networks[1], two.weights, what, seed, answer.comparison)
    if found.equal is None:
        why = f"undecided: {what}; values of {tokens} random tokens do not differ by more than rounding makes"
        raise EquivalenceUndecided(why, found)
    return dataclasses.replace(equivalence_of_comparison(found, networks[0], one.weights, two.weights), compared=None)


def most_heads(network: Network) -> int:
    """Return the greatest number of heads of a layer."""
    nodes = layout(network.layers).walk()
    return max((node.layer.heads for node in nodes if isinstance(node.layer, Heads)), default=1)


def without_numbers(network: Network) -> Any:
    """Return the layers of a network without the epsilons of norms and the angles of rotary positions."""

    def change(noun: Any) -> Any:
        plain = isinstance(noun, Rotary)
        return dataclasses.replace(noun, base=10000.0, frequencies=None, factor=1.0) if plain else noun

    return rewritten(with_epsilon(network.layers, 0), change), network.tokens


def difference_of(one: Mapping[str, Any], two: Mapping[str, Any]) -> str:
    """Return the first field with an effect in which two configs differ, in words."""
    first, second = (dict(fields_of(config)) for config in (one, two))
    for name in ("model_type", *sorted({*first, *second})):
        if first.get(name) != second.get(name):
            return f"{name} is {second.get(name)!r} and not {first.get(name)!r}"
    return "its layers differ"


def fields_of(config: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over the fields of a config and of its parts that may have an effect, by their names."""
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from fields_of(value, f"{path}{name}.")
        elif path or name not in (*WITHOUT_EFFECT, *NAMES):
            yield f"{path}{name}", value
