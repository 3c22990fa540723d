"""Gains and biases of norms folded into what reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.conversions.unit_gains import kept
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers import LayerNorm, RMSNorm
from algatt.layers.base import layout
from algatt.symmetry import GainSymmetry, ShiftSymmetry


@dataclass(frozen=True)
class FoldNorms(Conversion):
    r"""Gains of norms become 1, and biases 0, where what reads them can take them up: an element of the group.

    Which can is found on the program of the network. A gain of a norm behind a layer, whose value is added to the
    stream, has no reader and stays; so does that of the last norm where embeddings are tied, which `Untie` changes.
    A bias stays where a reader has none. Refused if no gain can be folded, or one that can has a zero.
    """


def norm_tensors(net: Network, letter: str) -> tuple[str, ...]:
    """Return the names of the gains, ``g``, or of the biases, ``b``, of all norms."""
    paths = [node.path for node in layout(net.layers).walk() if isinstance(node.layer, LayerNorm | RMSNorm)]
    return tuple(name for name in verbs.coordinates(net) if name.endswith(f".{letter}") and name[:-1] in paths)


@verbs.rewrite.method
def fold_norms(conversion: FoldNorms, checkpoint: Checkpoint) -> Checkpoint:
    net, theta = checkpoint.network, checkpoint.weights
    families = verbs.members(GainSymmetry, net)
    gains = norm_tensors(net, "g")
    if gains and not any(family.name in gains for family in families):
        should = "with a norm that is read by matrices alone"
        raise InvalidArgument("network", f"with no gain that a matrix can take up, not {gains[0]}", should)
    exact: dict[str, int] = {}
    scaled = {name: element.raw for name, element in theta.tensors.items()}
    for family in families:
        g = scaled[family.name]
        if not np.all(g):
            raise InvalidArgument(family.name, "with a zero", "without: nothing is equal to it with a gain of 1")
        # what the element 1/g of the family does, whose matrices are diagonal
        scaled |= {name: scaled[name] * factor for name, factor in family.gain.factors(g, 1 / g).items()}
        exact[family.name] = 1
    theta = theta.replace(
        [kept(Elements(theta.field, np.ones_like(raw) if name in exact else raw)) for name, raw in scaled.items()]
    )
    biases = norm_tensors(net, "b")
    for shift in verbs.members(ShiftSymmetry, net) if biases else ():
        one = shift.shift
        if one.tensor in biases and one.kind == "columns" and one.absorbed and not one.conditions:
            theta = verbs.act(shift.element_of(-theta.tensors[one.tensor]), theta)
            exact[one.tensor] = 0
    arrays = {name: element.raw for name, element in theta.tensors.items()}
    arrays |= {name: np.full_like(arrays[name], number) for name, number in exact.items()}  # without rounding
    return replaced(checkpoint, arrays)
