"""The layers of heads of a network."""

from __future__ import annotations

from collections.abc import Iterator

from algatt.architectures import Network
from algatt.layers import Heads
from algatt.layers.base import layout

__all__ = ["heads_in"]


def heads_in(net: Network) -> Iterator[tuple[str, Heads]]:
    """Iterate over the layers of heads, each with what comes before the names of its tensors."""
    for node in layout(net.layers).walk():
        if isinstance(node.layer, Heads):
            yield node.path, node.layer
