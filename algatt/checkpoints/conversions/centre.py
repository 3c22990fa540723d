"""What writes to a stream that only LayerNorms read, and what reads them, with sums that are zero."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.network import program
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion
from algatt.checkpoints.conversions.unit_gains import with_unit_gains
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields.motions import Centring, Intertwining
from algatt.layers import Embedding, Entrywise, LayerNorm, LearnedPosition, Power, SinusoidalPosition, Tie
from algatt.layers.base import layout
from algatt.layers.rewriting import rewritten
from algatt.parameters import Weights
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.discrete.symmetry import Side
from algatt.symmetry.symbolic.measure import types_of


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
    sides = centred_sides(dataclasses.replace(net, layers=rewritten(net.layers, without_fixed)))
    families = [family for family in verbs.members(ShiftSymmetry, net) if is_mean(family, sides)]
    centred = {family.shift.tensor for family in families}
    shapes = verbs.coordinates(net)
    # biases may be passed on to others
    writers = [name for name, axis in centred_sides(net) if axis == 0 and shapes[name][1] > 1]
    for table in tables(net):
        if table not in centred:
            why = ", as the unembedding is the embedding" if is_shared(net, table) else ""
            should = f"one that does not see it{'; untie first' if why else ''}"
            raise InvalidArgument("network", f"one that sees the mean of the rows of {table}{why}", should)
    for name in writers:
        if name not in centred:
            raise InvalidArgument("network", f"one that sees the mean of the columns of {name}", "one that does not")
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


def centred_sides(net: Network) -> list[Side]:
    """Return the sides of tensors, rows (0) or columns (1), that are coordinates of what a LayerNorm takes the mean of,
    or of what is left: those on which a space acts of which the types of the network say so.
    """
    shapes, types = verbs.coordinates(net), types_of(net, program(net))
    equations = types.equations
    spaces = {
        space
        for constraint in equations.constraints
        if isinstance(constraint, Intertwining) and isinstance(constraint.constant, Centring)
        for action in constraint.actions
        for space, _ in equations.resolve(action).terms
    }
    return [
        (name, axis)
        for name, pair in types.actions.items()
        for axis, action in enumerate(pair)
        if shapes[name][axis] > 1 and any(space in spaces for space, _ in equations.resolve(action).terms)
    ]


def without_fixed(noun: Any) -> Any:
    """Return a layer, or one beside which matrices may act on a stream: learned for fixed positions, and no activation
    between layers. Where tensors meet the stream does not depend on these.
    """
    if isinstance(noun, Entrywise):
        return Entrywise(Power(1))
    return LearnedPosition() if isinstance(noun, SinusoidalPosition) else noun


def is_mean(family: ShiftSymmetry, sides: Collection[Side]) -> bool:
    """Return whether what may be added to a tensor is a multiple of ones in what has its mean taken away.

    Numbers that are added to all rows of what reads are another thing: all scores of a softmax may grow alike.
    """
    shift = family.shift
    return not shift.conditions and (shift.tensor, 0 if shift.kind == "rows" else 1) in sides
