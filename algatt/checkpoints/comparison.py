"""Whether two checkpoints are one function, and of inputs of which lengths."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, overload

from algatt import published, verbs
from algatt.architectures import Network
from algatt.architectures.base import HoldsNoun, NetworkLike, as_architecture
from algatt.checkpoints.checkpoint import Checkpoint, load, tokens_that_tell
from algatt.checkpoints.conversions.common import with_one_network
from algatt.checkpoints.conversions.related import related, with_one_size
from algatt.errors import EquivalenceUndecided, InvalidArgument, in_words
from algatt.geometry import Equivalence, same_function
from algatt.geometry.equality.large.arrays import compact
from algatt.geometry.equality.large.comparison import Comparison
from algatt.geometry.equality.large.further_tokens import compare_tokens
from algatt.geometry.equality.large.half_precision import known_as_rounded
from algatt.geometry.equality.large.two_networks import compare_networks
from algatt.geometry.equality.network_equivalence import equivalence_of_comparison, same_parameters
from algatt.layers import Causal, Heads, Layer, Window
from algatt.layers.base import layout
from algatt.layers.lengths import longest
from algatt.layers.rewriting import rewritten
from algatt.parameters import Parameters, Weights
from algatt.published.base import opened
from algatt.published.keys import WITHOUT_EFFECT
from algatt.published.models import layers_of, lengths_with_other_constants

Progress = Callable[[int, int], object]
"""Callback progress(done, total)."""

Source = Checkpoint | HoldsNoun | str | os.PathLike[str] | Callable[..., Any] | tuple[Any, Any]
"""A checkpoint, where it is, what `algatt.load` returns, or a module of torch, perhaps with an example."""

NAMES = ("architectures", "auto_map")
"""Keys that name classes."""

MOST_PRODUCTS = 2**33
"""Maximum product of the tokens of an input at which values are computed and the parameters: a minute."""

MOST_SCORES = 2**27
"""Maximum number of scores of a layer at such an input: a gigabyte."""


@overload
def compare(first: Source, second: Source, /, *, tokens: int | None = ..., seed: int = ...) -> Equivalence: ...
@overload
def compare(
    net: NetworkLike, first: Parameters, second: Parameters, /, *, seed: int = ..., error: float = ...,
    tolerance: float | None = ..., progress: Progress | None = ...,
) -> Equivalence: ...  # fmt: skip
def compare(*given: Any, tokens: int | None = None, seed: int = 0, **options: Any) -> Equivalence:
    """Decide whether two checkpoints, or two points of a network, are one function, and for which lengths of inputs.

    Weights of checkpoints are compared up to rounding, as by `algatt.same_function`, on inputs of few tokens; tensors
    that only longer inputs use, such as vectors of further positions, are compared by themselves. The constants of the
    networks are compared for every length: masks, windows, scaled angles, epsilons, caps, routers. If only one of them
    has tied embeddings, keys that heads share, another layout of rotary positions, or more neurons, it is rewritten
    first. If values do not differ, neurons with the same inputs are merged, those without effect are zero, and a stream
    is multiplied by the root of its epsilon.

    Parameters
    ----------
    first, second : Checkpoint, path or model
        As for `algatt.checkpoints.load`; a file of ONNX, or a module of torch, alone or in a pair with an example of
        its input; or, behind a network as first argument, two `Parameters` of it.
    tokens : int, optional
        Of checkpoints, the number of tokens of the inputs. Equality then need not hold for more; the answer says for
        how many it does.
    seed : int, optional
        Names the random inputs.
    error, tolerance, progress : optional
        Of points of a network, as for `algatt.same_function`.

    Returns
    -------
    Equivalence
        `equal` is true, false, or None where that is not known. `lengths` is the range of numbers of tokens for which
        the checkpoints are known to be one function, even if they differ for longer inputs.

    Raises
    ------
    InvalidArgument
        If a checkpoint cannot be read, does not take that many tokens, or the tensors of the two have different shapes.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)
    >>> one = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    >>> two = algatt.act(algatt.symmetries(arch)[0].element(one, seed=1), one)
    >>> found = algatt.compare(arch, one, two)
    >>> found.equal, found.status
    (True, 'numerical')
    """
    try:
        if len(given) == 3:
            return points_compared(*given, tokens, {"seed": seed, **options})
        if len(given) != 2 or any(isinstance(one, Parameters) for one in given):
            was = ", ".join(in_words(one) for one in given) or "none"
            raise InvalidArgument("arguments", was, "two checkpoints, or a network and two sets of parameters")
        if options:
            name = next(iter(options))
            raise InvalidArgument(name, "given with checkpoints", "not given: the precision of the files tells it")
        return checkpoints_compared(*given, tokens, seed)
    except EquivalenceUndecided as error:
        return Equivalence.undecided(error)


def points_compared(
    arch: Any, one: Parameters, two: Parameters, tokens: int | None, options: dict[str, Any]
) -> Equivalence:
    """Return whether two points of a network are one function."""
    arch = as_architecture(arch, "net")
    if tokens is not None:
        raise InvalidArgument("tokens", "given with a network", "not given: the network has a number")
    found: Equivalence = same_function(arch, one, two, **options)
    return found


def checkpoints_compared(first: Source, second: Source, tokens: int | None, seed: int) -> Equivalence:
    """Return whether two checkpoints are one function; a file of ONNX without a config is a network as it is."""
    if any(is_model(one) or is_loaded_model(one) for one in (first, second)):
        from algatt.frontends.comparison import compare_models

        (net, theta), (other, given) = (network_and_weights(each, tokens) for each in (first, second))
        return compare_models(net, theta, other, given, seed=seed)
    one, two = (as_checkpoint(each, tokens) for each in (first, second))
    words: tuple[str, ...] = ()
    if one.network != two.network:
        one, two, words = with_one_network(one, two)
        *sized, more = with_one_size(one, two)
        if verbs.coordinates(sized[0].network) == verbs.coordinates(sized[1].network):
            one, two, words = *sized, words + more
    points = [compact(theta) for theta in known_as_rounded(one.weights, two.weights)]
    one, two = (dataclasses.replace(each, weights=theta) for each, theta in zip((one, two), points, strict=True))
    found = of_checkpoints(one, two, tokens, seed)
    for first, second, what in related(one, two) if found.equal is None else ():
        again = of_checkpoints(first, second, tokens, seed)
        if again.equal:
            found, words = again, (*words, what)
            break
    if found.comparison is not None:
        comparison = found.comparison.by_names_of_files({**one.names, **two.names})
        reason = found.reason.replace(found.comparison.reason, comparison.reason)
        found = dataclasses.replace(found, comparison=comparison, reason=reason)
    return (
        dataclasses.replace(found, reason=f"{found.reason}; rewritten before: {', '.join(words)}") if words else found
    )


def of_checkpoints(one: Checkpoint, two: Checkpoint, tokens: int | None, seed: int) -> Equivalence:
    """Return whether two checkpoints are one function, given that their tensors have the same names and shapes."""
    what = difference_of(one.config, two.config)
    network, other = (network_of(each, tokens) for each in (one, two))
    if verbs.coordinates(network) != verbs.coordinates(other) or network.input_shape != other.input_shape:
        return of_two_programs((network, other), (one.weights, two.weights), what, seed)
    most = longest((network.layers, other.layers))
    if network != other:
        return of_two_networks((network, other), (one, two), tokens, what, seed)
    later = next(lengths_that_differ(one, two, most), None)
    if later is None and one.weights == two.weights:
        answer = dataclasses.replace(same_parameters(network, one.weights, two.weights), distance=0.0)
    else:
        found, network = compare_tokens(network, one.weights, two.weights, tokens_that_tell(network), seed)
        answer = answer_of(found, network, one.weights, two.weights)
        if answer.equal and later is not None:
            if tokens is None:
                return of_more_tokens(answer, (one, two), later, what, seed)
            most = later - 1
    of_any_length = not (one.config and opened(one.config)[1].inputs)  # and not of images of one size
    return dataclasses.replace(answer, lengths=(1, most)) if answer.equal and of_any_length else answer


def of_two_programs(
    networks: tuple[Network, Network], points: tuple[Weights, Weights], what: str, seed: int
) -> Equivalence:
    """Return whether checkpoints with other tensors are one function: as their programs say, or values."""
    from algatt.frontends.comparison import compare_models

    (network, other), (one, two) = networks, points
    try:
        answer = compare_models(network, one, other, two, seed=seed)
    except InvalidArgument:
        was = f"a checkpoint of another network: {what}"
        raise InvalidArgument("second", was, "of the network of the first") from None
    return dataclasses.replace(answer, reason=f"{answer.reason}; {what}")


def is_model(given: Any) -> bool:
    """Return whether something is no checkpoint, but a model: the path of a file of ONNX without a config beside it, a
    module of torch, a pair of one and an example, or a function that returns one of these.
    """
    if isinstance(given, str | os.PathLike):
        return os.fspath(given).endswith(".onnx") and not (Path(given).parent / "config.json").is_file()
    module = given[0] if isinstance(given, tuple) and given else given
    return hasattr(module, "named_parameters") or (callable(given) and not isinstance(given, type))


def is_loaded_model(given: Any) -> bool:
    """Return whether a value is a module of torch or a graph as `algatt.load` read it."""
    return getattr(given, "kind", None) == "model"


def network_and_weights(given: Any, tokens: int | None) -> tuple[Network, Weights]:
    """Return the network and the weights of a checkpoint, or of a model as it is."""
    if is_loaded_model(given):
        return verbs.expression(given), given.weights
    count = 4 if tokens is None else tokens
    if not is_model(given):
        found = as_checkpoint(given, count)
        return found.network, found.weights
    from algatt.frontends.models import called, network_of_model, weights_of

    model = os.fspath(given) if isinstance(given, os.PathLike) else given
    if callable(model) and not hasattr(model, "named_parameters"):
        model = called(model)  # once, as it may draw its weights
    return network_of_model(model, count), weights_of(model[0] if isinstance(model, tuple) else model)


def as_checkpoint(given: Any, tokens: int | None) -> Checkpoint:
    """Return the checkpoint of a folder, a file or what `algatt.load` returned, without the tensors of its files; what
    was in single precision is kept so.
    """
    given = getattr(given, "checkpoint", None) or given
    if not isinstance(given, Checkpoint):
        given = load(given, tokens=tokens, reach=False)
    return dataclasses.replace(given, weights=compact(given.weights), tensors=None)


def network_of(checkpoint: Checkpoint, tokens: int | None) -> Network:
    """Return the network of a checkpoint that reads a number of tokens, or few; windows that hold all are none."""
    net = checkpoint.network
    if checkpoint.config:
        net = published.read(checkpoint.config, tokens=tokens)
    elif tokens is not None:
        net = dataclasses.replace(net, tokens=tokens)
    return dataclasses.replace(net, layers=without_windows(net.layers, net.tokens))


def without_windows(layers: Layer, tokens: int) -> Layer:
    """Return layers in which windows that hold a number of tokens are causal masks."""

    def change(noun: Any) -> Any:
        return Causal() if isinstance(noun, Window) and noun.size >= tokens else noun

    changed: Layer = rewritten(layers, change)
    return changed


def lengths_that_differ(one: Checkpoint, two: Checkpoint, most: int | None) -> Iterator[int]:
    """Iterate over numbers of tokens, the least first, for which two networks that are equal for few are not."""
    ends = {size + 1 for each in (one, two) for size in windows_of(each.network)}
    if one.config and two.config:
        ends |= {*lengths_with_other_constants(one.config), *lengths_with_other_constants(two.config)}
    for tokens in sorted(ends):
        if most is None or tokens <= most:
            first, second = (layers_at(each, tokens) for each in (one, two))
            if first != second:
                yield tokens


def layers_at(checkpoint: Checkpoint, tokens: int) -> Layer:
    """Return the layers of a checkpoint for inputs of a number of tokens."""
    layers = checkpoint.network.layers
    if checkpoint.config:
        layers = layers_of(checkpoint.config, tokens, None)[0]
    return without_windows(layers, tokens)


def windows_of(network: Network) -> set[int]:
    """Return the sizes of the windows of a network."""
    masks = (node.layer.mask for node in layout(network.layers).walk() if isinstance(node.layer, Heads))
    return {mask.size for mask in masks if isinstance(mask, Window)}


def of_two_networks(
    networks: tuple[Network, Network], pair: tuple[Checkpoint, Checkpoint], tokens: int | None, what: str, seed: int
) -> Equivalence:
    """Return whether checkpoints whose networks differ, but not in their tensors, are different functions: of few
    tokens, or of as many as reach all entries.
    """
    one, two = (each.weights for each in pair)
    found = compare_networks(networks[0], one, networks[1], two, what, seed)
    most = max(map(tokens_that_tell, networks))
    if found.equal is None and tokens is None and networks[0].tokens < most and is_short(networks[0], most):
        networks = network_of(pair[0], most), network_of(pair[1], most)
        found = compare_networks(networks[0], one, networks[1], two, what, seed, found)
    return dataclasses.replace(answer_of(found, networks[0], one, two), compared=None)  # no certificate is about two


def is_short(network: Network, tokens: int) -> bool:
    """Return whether values at an input of a number of tokens take a minute at most."""
    return tokens * network.parameters <= MOST_PRODUCTS and tokens**2 * most_heads(network) <= MOST_SCORES


def answer_of(found: Comparison, network: Network, one: Weights, two: Weights) -> Equivalence:
    """Return what a comparison says, or that it says nothing."""
    if found.equal is None:
        return Equivalence.undecided(EquivalenceUndecided(found.reason, found))
    return equivalence_of_comparison(found, network, one, two)


def of_more_tokens(
    answer: Equivalence, pair: tuple[Checkpoint, Checkpoint], tokens: int, what: str, seed: int
) -> Equivalence:
    """Return whether checkpoints that are one function of fewer tokens are two of so many, given that their networks
    differ in numbers then.
    """
    one, two = pair
    what = f"of up to {tokens - 1} tokens they are one function, and for more {what}"
    doubt = f"undecided: {what}; compare with tokens={tokens}"
    found = answer.comparison
    if is_short(one.network, tokens):
        networks = [network_of(each, tokens) for each in pair]
        found = compare_networks(networks[0], one.weights, networks[1], two.weights, what, seed, found)
        doubt = f"undecided: {what}; values of {tokens} random tokens do not differ by more than rounding makes"
    if found is None or found.equal is not False:
        answer = Equivalence.undecided(EquivalenceUndecided(doubt, found))
    else:
        answer = equivalence_of_comparison(found, networks[0], one.weights, two.weights)
    return dataclasses.replace(answer, compared=None, lengths=(1, tokens - 1))


def most_heads(network: Network) -> int:
    """Return the greatest number of heads of a layer."""
    nodes = layout(network.layers).walk()
    return max((node.layer.heads for node in nodes if isinstance(node.layer, Heads)), default=1)


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
