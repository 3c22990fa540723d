"""Biases of values folded into the bias of the output."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from algatt import verbs
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion
from algatt.checkpoints.conversions.unit_gains import with_unit_gains
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.parameters import Weights
from algatt.symmetry import ShiftSymmetry


@dataclass(frozen=True)
class FoldValueBiases(Conversion):
    r"""Biases of values become 0, and O b_V is added to the bias of the output: an element of the group, as the weights
    of a softmax have the sum 1.

    Refused if there are none, or there is no bias of the output to take them up.
    """


@verbs.rewrite.method
def fold_value_biases(conversion: FoldValueBiases, checkpoint: Checkpoint) -> Checkpoint:
    net, theta = checkpoint.network, checkpoint.weights
    biases = [name for name in theta.names() if re.search(r"\bb_V_\d+$", name)]
    if not biases:
        raise InvalidArgument("network", "without biases of values", "one with them")
    families = {one.shift.tensor: one for one in verbs.members(ShiftSymmetry, net) if one.shift.absorbed}
    for name in biases:
        if name not in families or families[name].shift.conditions:
            should = "one with a bias of the output, and with weights whose sum is 1"
            raise InvalidArgument("network", f"one where nothing can take up {name}", should)

    def move(weights: Weights) -> Weights:
        for name in biases:
            weights = verbs.act(families[name].element_of(-weights.tensors[name]), weights)
        return weights

    try:
        theta = with_unit_gains(families[biases[0]], theta, move)
    except DivisionByZero as error:
        raise InvalidArgument("weights", "with a zero in the gain of a norm", "without") from error
    return dataclasses.replace(checkpoint, weights=theta, tensors=None)
