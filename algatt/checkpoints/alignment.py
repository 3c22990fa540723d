"""Checkpoints, and points of networks, that are moved near to others."""

from __future__ import annotations

import dataclasses
from typing import Any, overload

from algatt.architectures.base import NetworkLike, as_architecture
from algatt.checkpoints.comparison import Progress, Source, as_checkpoint, difference_of
from algatt.checkpoints.conversions.common import with_one_network
from algatt.errors import InvalidArgument
from algatt.geometry.alignment import Alignment, align_points
from algatt.parameters import Weights


@overload
def align(
    first: Source, second: Source, /, *, seed: int = ..., starts: int = ..., progress: Progress | None = ...
) -> Alignment: ...
@overload
def align(
    net: NetworkLike, first: Weights, second: Weights, /, *, seed: int = ..., starts: int = ...,
    progress: Progress | None = ...,
) -> Alignment: ...  # fmt: skip
def align(*given: Any, seed: int = 0, starts: int = 4, progress: Progress | None = None) -> Alignment:
    """Move the second of two points by a symmetry of their network as near to the first as is found.

    The second point keeps its function, and that is checked by values. The distance is taken over all entries of all
    tensors. All that `algatt.checkpoints.move` moves is used: matrices of streams, heads and channels, orders of heads,
    experts, neurons and coordinates, signs and numbers, gains, biases and shifts. Steps in closed form and Gauss-Newton
    steps alternate, each only if it leads nearer, so that the result is never farther than the start. It is the best
    local minimum found from several starts.

    Parameters
    ----------
    first, second : Checkpoint, or path
        Two checkpoints of one network. If only one of them has tied embeddings, keys that heads share, or another
        layout of rotary positions, it is rewritten first. Or, behind a network as first argument, two `Weights` over
        `Reals`.
    seed : int, optional
        Names the random starts.
    starts : int, optional
        Number of starts: the given point; spaces matched one after the other; the balanced forms of both; then random
        elements of the group.
    progress : callable, optional
        Called as ``progress(done, total)`` after each start.

    Returns
    -------
    Alignment
        With `weights`, `element`, `distance`, `before`, `change` and distances for each tensor.

    Raises
    ------
    InvalidArgument
        If the points are of different networks, not over the reals, or have entries that are not finite.
    SymmetryError
        If the function would change, which is an error of this package.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import GELU, Causal, Feedforward, Heads, Residual, RMSNorm
    >>> block = Residual(RMSNorm() >> Heads(2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(5, GELU()))
    >>> net = algatt.Network(block, tokens=3, width=4)
    >>> theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    >>> moved = algatt.checkpoints.move(net, theta, seed=1)
    >>> found = algatt.align(net, theta, moved)
    >>> found.before > 1, found.distance < 1e-9
    (True, True)
    """
    options: dict[str, Any] = {"seed": seed, "starts": starts, "progress": progress}
    if len(given) == 3:
        net, one, two = given
        return align_points(as_architecture(net, "net"), one, two, **options)
    if len(given) != 2:
        raise InvalidArgument("arguments", f"{len(given)}", "two checkpoints, or a network and two Weights")
    first, second, words = with_one_network(*(as_checkpoint(each, None) for each in given))
    if first.network != second.network:
        what = difference_of(first.config, second.config)
        raise InvalidArgument("second", f"a checkpoint of another network: {what}", "of the network of the first")
    found = align_points(first.network, first.weights, second.weights, **options)
    return dataclasses.replace(found, names={**first.names, **second.names}, config=second.config, rewritten=words)
