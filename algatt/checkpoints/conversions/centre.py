"""What writes to a stream that only LayerNorms read, and what reads them, with sums that are zero."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion
from algatt.checkpoints.conversions.unit_gains import with_unit_gains
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.layers import Embedding, LayerNorm, Tie, Unembedding
from algatt.layers.base import layout
from algatt.parameters import Weights
from algatt.symmetry import ShiftSymmetry

__all__ = ["Centre"]


@dataclass(frozen=True)
class Centre(Conversion):
    """The columns of what writes to the stream, the rows of embeddings, and the rows of what reads norms get sums that
    are zero: an element of the group.

    A LayerNorm takes the mean away, so that nothing is changed by it. Which tensors it concerns is found on the program
    of the network. Refused where the mean of the embeddings is seen: behind an RMSNorm, and where embeddings are tied
    and the logits see it, which `Untie` changes.
    """


@verbs.rewrite.method
def centre(conversion: Centre, checkpoint: Checkpoint) -> Checkpoint:
    net, theta = checkpoint.network, checkpoint.weights
    if not any(isinstance(node.layer, LayerNorm) for node in layout(net.layers).walk()):
        raise InvalidArgument("network", "without a LayerNorm, so that its function sees means", "one with LayerNorms")
    families = [family for family in verbs.members(ShiftSymmetry, net) if is_mean(net, family)]
    centred = {family.shift.tensor for family in families}
    for table in tables(net):
        if table not in centred:
            why = ", as the unembedding is the embedding" if is_shared(net, table) else ""
            should = f"one that does not see it{'; untie first' if why else ''}"
            raise InvalidArgument("network", f"one that sees the mean of the rows of {table}{why}", should)
    if not families:
        raise InvalidArgument("network", "one that sees the means of all that is written", "one that does not")

    def move(weights: Weights) -> Weights:
        for family in families:
            element = verbs.standard_element(family, weights)
            weights = weights if element is None else verbs.act(element, weights)
        return weights

    try:
        theta = with_unit_gains(families[0], theta, move)
    except DivisionByZero as error:
        raise InvalidArgument("weights", "with a zero in the gain of a norm", "without") from error
    return dataclasses.replace(checkpoint, weights=theta, tensors=None)


def tables(net: Network) -> list[str]:
    """Return the names of the embeddings of tokens."""
    shapes = verbs.coordinates(net)
    names = [f"{node.path}E" for node in layout(net.layers).walk() if isinstance(node.layer, Embedding)]
    return [name for name in names if name in shapes]


def is_shared(net: Network, table: str) -> bool:
    """Return whether an embedding is the unembedding, too."""
    return isinstance(net.layers, Tie) and table in dict(net.layers.ties).values()


def is_mean(net: Network, family: ShiftSymmetry) -> bool:
    """Return whether what may be added to a tensor is a multiple of ones in the stream.

    Numbers that are added to all rows of what reads are another thing: all scores of a softmax may grow alike.
    """
    shift = family.shift
    if shift.conditions:
        return False
    path, _, own = shift.tensor.rpartition(".")
    layer = next((node.layer for node in layout(net.layers).walk() if node.path == f"{path}."), None)
    columns = verbs.coordinates(net)[shift.tensor][1]
    if shift.kind == "columns":
        return bool(columns > 1)
    is_table = own in ("E", "P", "T")
    return not (shift.absorbed or is_table or own == "router" or isinstance(layer, Unembedding))
