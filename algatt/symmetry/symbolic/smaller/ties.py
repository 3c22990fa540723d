"""Which tensors of a network are equal, if its stacks become shorter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.layers import (
    Layer,
    Stack,
    Tie,
)
from algatt.layers.base import layout


@dataclass(frozen=True)
class Ties:
    """The equations between tensors of a network.

    Parameters
    ----------
    plain : dict of str to str
        Those between tensors none of which is in a stack.
    blocks : dict of str to (str, int)
        Those between a tensor of a block and that of the first one, which all blocks share: the path of the stack, and
        the number of the block.
    shared : frozenset of str
        The tensors of first blocks that all blocks share.
    """

    plain: Mapping[str, str] = field(default_factory=dict)
    blocks: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()

    def around(self, layers: Layer) -> Layer:
        """Return layers with the equations about blocks that they have."""
        stacks = stacks_of(layers)
        kept = dict(self.plain)
        for name, (path, number) in self.blocks.items():
            if str(number) in stacks[path].parts:
                kept[name] = f"{path}1.{name.removeprefix(f'{path}{number}.')}"
        return Tie(layers, kept) if kept else layers


def ties_of(arch: Network) -> Ties | None:
    """Return the equations of the outermost `Tie` of a network; None if they are others than `Ties` has."""
    if not isinstance(arch.layers, Tie):
        return Ties()
    tensors = verbs.coordinates(arch)
    stacks = stacks_of(arch.layers.layer)
    plain: dict[str, str] = {}
    blocks: dict[str, tuple[str, int]] = {}
    tied: dict[tuple[str, str], set[int]] = {}
    for name, other in dict(arch.layers.ties).items():
        if arch.layers.resolve(other) not in tensors:
            return None
        if not any(map(str.isdigit, [*name.split("."), *other.split(".")])):
            plain[name] = other
            continue
        path = next((path for path in stacks if other.startswith(f"{path}1.")), None)
        number, _, rest = name.removeprefix(path or "").partition(".")
        if path is None or other not in tensors or not number.isdigit() or name != f"{path}{number}.{rest}":
            return None
        if other != f"{path}1.{rest}":
            return None
        blocks[name] = path, int(number)
        tied.setdefault((path, other), set()).add(int(number))
    if any({1} | numbers != set(map(int, stacks[path].parts)) for (path, _), numbers in tied.items()):
        return None
    return Ties(plain, blocks, frozenset(other for _, other in tied))


def stacks_of(layers: Layer) -> dict[str, Any]:
    """Return the stacks in layers by their paths."""
    return {node.path: node.layer for node in layout(layers).walk() if isinstance(node.layer, Stack)}
