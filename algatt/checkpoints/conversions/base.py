"""What a conversion is, and the check that a network has the same values after it."""

from __future__ import annotations

import dataclasses
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.arguments import instance
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.errors import SymmetryError
from algatt.fields import Elements
from algatt.parameters import Weights

INPUTS = 4
"""So many random inputs are compared."""

TOLERANCE = 1e-8
"""Values may differ by so much, relative to the largest: rounding in double precision is less."""


@dataclass(frozen=True)
class Conversion(ABC):
    """A rewriting of a checkpoint that has a name."""

    keeps_function: ClassVar[bool] = True
    """Whether the network has the same values after it."""


def transform(conversion: Conversion, checkpoint: Checkpoint, *, check: bool = True, seed: int = 0) -> Checkpoint:
    """Return a checkpoint after a conversion.

    Parameters
    ----------
    conversion : Conversion
        What is done.
    checkpoint : Checkpoint
        A network with weights.
    check : bool, optional
        Whether both networks are run at random inputs, and their values compared; true unless given.
    seed : int, optional
        Names the inputs.

    Returns
    -------
    Checkpoint
        The network, which may be another one, with its weights, and the config that it is of.

    Raises
    ------
    InvalidArgument
        If the conversion would change the function, or there is nothing that it could do.
    SymmetryError
        If the values differ by more than 10^-8 of the largest.
    """
    instance("conversion", conversion, Conversion, "a conversion, as algatt.checkpoints.FoldNorms()")
    instance("checkpoint", checkpoint, Checkpoint, "a Checkpoint, as algatt.checkpoints.load returns it")
    after: Checkpoint = verbs.rewrite(conversion, checkpoint)
    if check and conversion.keeps_function:
        check_kept(checkpoint, after, type(conversion).__name__, seed)
    return after


def check_kept(before: Checkpoint, after: Checkpoint, what: str, seed: int) -> None:
    """Raise `SymmetryError` if two checkpoints have other values at random inputs."""
    difference, largest = largest_difference(before, after, seed)
    if not difference <= TOLERANCE * largest:
        raise SymmetryError(f"{what} changed values by {difference:.2g}, the largest of which is {largest:.2g}")


def largest_difference(one: Checkpoint, two: Checkpoint, seed: int = 0) -> tuple[float, float]:
    """Return by how much the values of two networks differ at random inputs, and the largest value of the first."""
    net, generator = one.network, np.random.default_rng(seed)
    if net.vocabulary is None:
        inputs: Any = generator.standard_normal((INPUTS, *net.input_shape))
    elif net.source is not None:
        numbers = generator.standard_normal((1, *net.source))  # one input may be large
        inputs = numbers, generator.integers(net.vocabulary, size=(1, net.tokens - net.source[1]))
    else:
        inputs = generator.integers(net.vocabulary, size=(INPUTS, net.tokens))
    before, after = (np.array(verbs.evaluate(each.network, each.weights, inputs)) for each in (one, two))
    return float(np.abs(before - after).max()), float(np.abs(before).max())


def replaced(
    checkpoint: Checkpoint,
    arrays: Mapping[str, np.ndarray],
    network: Network | None = None,
    config: Mapping[str, Any] | None = None,
) -> Checkpoint:
    """Return a checkpoint with other arrays, of its network or of another one."""
    net = checkpoint.network if network is None else network
    field = checkpoint.weights.field
    shapes = dict(verbs.coordinates(net))
    theta = Weights(tuple(Elements(field, np.ascontiguousarray(arrays[name])) for name in shapes), tuple(shapes))
    return dataclasses.replace(
        checkpoint, network=net, weights=theta, config=checkpoint.config if config is None else config, tensors=None
    )
