"""How far the conserved quantities of checkpoints of one training run moved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.comparison import Source, as_checkpoint, difference_of
from algatt.display import Rows, Summary, Worth
from algatt.errors import InvalidArgument
from algatt.geometry.training.large import LargeQuantity, large_quantities
from algatt.plain import written
from algatt.verbs.views import Summarized

NUMBER = re.compile(r"(?<![A-Za-z0-9^])\d+(?=\.)|(?<=_)\d+")
"""The number of a block, a head or a neuron in the name of a tensor."""


@dataclass(frozen=True, eq=False)
class CheckpointDrift(Summarized):
    """How far conserved quantities moved from one checkpoint to the next ones; `algatt.checkpoints.drift` makes it.

    Parameters
    ----------
    network : Network
        The network of the checkpoints.
    quantities : dict of str to ndarray
        For each quantity the distance to that of the first checkpoint, relative to the norms of its terms there: one
        number for each checkpoint.
    moved : ndarray
        For each checkpoint the distance of its weights to the first ones, relative to the length of these.
    precision : int
        The number of significant bits of the weights, at least.
    """

    network: Network
    quantities: Mapping[str, np.ndarray]
    moved: np.ndarray
    precision: int

    @property
    def largest(self) -> float:
        """The largest relative change of one of the quantities; 0 for a network without quantities."""
        return max((float(changes.max()) for changes in self.quantities.values()), default=0.0)

    @property
    def status(self) -> str:
        """``numerical``: the values are floats."""
        return "numerical"

    @property
    def kinds(self) -> dict[str, tuple[int, float, float]]:
        """Quantities that differ in the numbers of blocks and heads together: how many there are, and the median and
        the largest of their changes.
        """
        found: dict[str, list[float]] = {}
        for name, changes in self.quantities.items():
            found.setdefault(NUMBER.sub("*", name), []).append(float(changes.max()))
        return {name: (len(all_), float(np.median(all_)), max(all_)) for name, all_ in found.items()}

    def __repr__(self) -> str:
        moved = float(self.moved.max())
        return (
            f"CheckpointDrift({len(self.moved)} checkpoints, {len(self.quantities)} quantities, largest relative "
            f"change {self.largest:.2g}, weights moved by {moved:.2g})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain values for JSON."""
        names = "largest moved precision quantities status"
        return {"network": self.network.description(), **written(self, names)}


def drift(*checkpoints: Source) -> CheckpointDrift:
    r"""Return how far the conserved quantities of a network moved between checkpoints, in the order of training.

    Gradient flow keeps them, whatever the loss and the data are: :math:`Q Q^T - K K^T` of each head, or what positions
    leave of it, :math:`V V^T - O^T O`, the norms of neurons and of gains (`algatt.conservation_laws`). Small steps of
    gradient descent and of momentum keep them nearly; Adam and weight decay move them with the weights. Weights of
    another run have other ones. So a checkpoint that is said to be trained from another one, or to be fine-tuned, is
    checked without its data: a change that is not small beside that of the weights says that gradient descent with
    small steps did not lead there. A small one is no proof that it did: norms of rows of n random numbers of one
    distribution differ by some :math:`n^{-1/2}` alone, so that wide random weights have similar quantities.

    The quantities are those of matrices and numbers that `algatt.geometry.training.large` reads off the types of the
    network; shifts are left out. Cost: a product of each tensor with itself.

    Parameters
    ----------
    *checkpoints : Checkpoint or path
        At least two, of one network, as for `algatt.checkpoints.load`.

    Raises
    ------
    InvalidArgument
        If there are fewer than two, one cannot be read, or they are of different networks.

    Examples
    --------
    >>> import algatt
    >>> from algatt.checkpoints import Checkpoint, drift
    >>> from algatt.layers import Causal, Heads, Residual, RMSNorm
    >>> net = algatt.Network(Residual(RMSNorm() >> Heads(2, mask=Causal())), tokens=3, width=4)
    >>> R = algatt.Reals()
    >>> one, other = (Checkpoint(net, algatt.sample(net, algatt.Weights, field=R, seed=seed)) for seed in (0, 1))
    >>> drift(one, one).largest
    0.0
    >>> drift(one, other).largest > 0.3
    True
    """
    if len(checkpoints) < 2:
        raise InvalidArgument("checkpoints", f"{len(checkpoints)} of them", "at least two, in the order of training")
    first = as_checkpoint(checkpoints[0], None)
    quantities = large_quantities(first.network)
    start = arrays_of(first)
    values = {one.name: one.value(start) for one in quantities}
    sizes = {one.name: max(one.size(start), np.finfo(np.float64).tiny) for one in quantities}
    length = max(float(np.sqrt(sum(np.sum(X * X) for X in start.values()))), np.finfo(np.float64).tiny)
    changes: dict[str, list[float]] = {name: [0.0] for name in values}
    moved, precision = [0.0], first.precision
    for number, source in enumerate(checkpoints[1:], 1):
        other = of_network(first, as_checkpoint(source, None), number)
        tensors = arrays_of(other)
        for one in quantities:
            changes[one.name].append(distance(one, tensors, values[one.name]) / sizes[one.name])
        moved.append(float(np.sqrt(sum(np.sum((tensors[name] - X) ** 2) for name, X in start.items()))) / length)
        precision = min(precision, other.precision)
    found = {name: np.array(each) for name, each in changes.items()}
    return CheckpointDrift(first.network, found, np.array(moved), precision)


def distance(quantity: LargeQuantity, tensors: Mapping[str, np.ndarray], value: np.ndarray) -> float:
    """Return the distance of a quantity from a value."""
    return float(np.linalg.norm(quantity.value(tensors) - value))


def arrays_of(checkpoint: Checkpoint) -> dict[str, np.ndarray]:
    """Return the tensors of a checkpoint as floats."""
    return {name: one.raw for name, one in checkpoint.weights.tensors.items()}


def of_network(first: Checkpoint, other: Checkpoint, number: int) -> Checkpoint:
    """Return a checkpoint if it is of the network of the first one."""
    if other.network == first.network:
        return other
    what = difference_of(first.config, other.config)
    raise InvalidArgument(
        f"checkpoints[{number}]", f"a checkpoint of another network: {what}", "of the network of the first"
    )


@verbs.summarize.method
def summary_of_checkpoint_drift(found: CheckpointDrift) -> Summary:
    rows: Rows = [
        (f"  {name}", f"{largest:.2g}" if count == 1 else f"{largest:.2g} (median {median:.2g} of {count})")
        for name, (count, median, largest) in found.kinds.items()
    ]
    rows += [
        ("weights moved by", ", ".join(f"{moved:.2g}" for moved in found.moved[1:])),
        ("checkpoints", f"{len(found.moved)}"),
        ("precision", f"{found.precision} bits"),
    ]
    return Summary(f"largest relative change of a conserved quantity {found.largest:.2g}", rows, Worth(found.status))
