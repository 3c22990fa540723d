"""The layers of heads of a network, and whose queries meet which keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from algatt.architectures import Network
from algatt.layers import Heads, LatentHeads
from algatt.layers.base import layout
from algatt.layers.scores import Position


@dataclass(frozen=True)
class Meeting:
    """Rows of keys and of all queries that are multiplied with them.

    Parameters
    ----------
    keys, queries : tuple of str
        The matrices, and the biases that there may be.
    position : Position or None
        What turns them.
    norms : tuple of str
        The gains and biases of the norms before they are turned that there may be, of one head or of all.
    """

    keys: tuple[str, ...]
    queries: tuple[str, ...]
    position: Position | None
    norms: tuple[str, ...] = ()


def heads_in(net: Network) -> Iterator[tuple[str, Heads]]:
    """Iterate over the layers of heads, each with what comes before the names of its tensors."""
    for node in layout(net.layers).walk():
        if isinstance(node.layer, Heads):
            yield node.path, node.layer


def has_latent_heads(net: Network) -> bool:
    """Return whether keys are read off latent vectors."""
    return any(isinstance(node.layer, LatentHeads) for node in layout(net.layers).walk())


def meetings_of_heads(layer: Heads, path: str) -> Iterator[Meeting]:
    """Iterate over the keys of a layer, each with the queries of its group."""
    share = layer.heads // layer.groups
    norms = tuple(f"{path}{norm}.{name}" for norm in ("query_norm", "key_norm") for name in ("g", "b"))
    for group in range(layer.groups):
        heads = range(group * share + 1, (group + 1) * share + 1)
        keys = tuple(f"{path}{prefix}K_{group + 1}" for prefix in ("", "b_"))
        queries = tuple(f"{path}{prefix}Q_{head}" for prefix in ("", "b_") for head in heads)
        yield Meeting(keys, queries, layer.position, norms)


def meetings_of_latent_heads(layer: LatentHeads, path: str) -> Iterator[Meeting]:
    """Iterate over the keys of each head that are read off latent vectors, and the one key that all heads share."""
    heads = range(1, layer.heads + 1)
    yield from (Meeting((f"{path}K_{head}",), (f"{path}Q_{head}",), None) for head in heads)
    yield Meeting((f"{path}R_K", f"{path}b_R_K"), tuple(f"{path}R_{head}" for head in heads), layer.position)


MEETINGS: Mapping[type, Callable[[Any, str], Iterator[Meeting]]] = {
    Heads: meetings_of_heads,
    LatentHeads: meetings_of_latent_heads,
}


def meetings_in(net: Network) -> Iterator[Meeting]:
    """Iterate over what meets in the layers of a network."""
    for node in layout(net.layers).walk():
        if type(node.layer) in MEETINGS:
            yield from MEETINGS[type(node.layer)](node.layer, node.path)
