r"""The operations that limit a dimension that is not proven: those at which the directions end that no symmetry
explains.

Along such a direction :math:`\theta + t v` the function does not change to first order at a random point. So the
derivatives of results along v, which are not zero for the tensors that v moves, end at some operations: their operands
change, and their results do not. These have no rule that says why. All in floats at a point of its own: it is no part
of a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.architectures.network import program
from algatt.errors import AlgattError
from algatt.fields import Dual, Elements, Reals
from algatt.fields.dual import DualArray
from algatt.maps.endings import endings, in_words, results_of
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry, tangents_in_turn

MOST_PARAMETERS = 1024
"""Maximum number of parameters."""

FURTHER = 8
"""Number of inputs beyond those whose values are as many as the parameters, twice."""

INPUTS = 3
"""Number of inputs at which results are differentiated."""

SMALL = 1e-9
"""Singular values and derivatives smaller than this, beside the largest, are rounding."""


def limits_of(arch: Architecture, symmetries: Sequence[Symmetry], seed: int) -> tuple[str, ...]:
    """Return the operations of the program of a network at which unexplained directions end, in words; none if floats
    show no such direction, or do not have the values.
    """
    if arch.parameters > MOST_PARAMETERS:
        return ()
    field = Reals()
    try:
        with np.errstate(all="ignore"):  # numbers that overflow show nothing
            theta = verbs.sample(arch, Weights, field=field, seed=seed)
            directions = unexplained_directions(arch, symmetries, theta, seed)
            if not len(directions):
                return ()
            direction = verbs.draw_array(field, shape=(1, len(directions)), seed=seed, label="direction") @ directions
            differ = set().union(*moving_results(arch, theta, direction, seed))
    except (AlgattError, np.linalg.LinAlgError):
        return ()
    found = program(arch)
    return tuple(in_words(found, number, differ) for number in endings(found, differ))


def unexplained_directions(arch: Architecture, symmetries: Sequence[Symmetry], theta: Weights, seed: int) -> np.ndarray:
    """Return an orthonormal basis of the kernel of the Jacobian beside the tangents of the symmetries, as rows."""
    count = 2 * arch.parameters // arch.outputs + FURTHER
    inputs = Elements(theta.field, draw_inputs(arch, theta.field, seed, 0, count))
    kernel = spans(verbs.jacobian(arch, theta, inputs).raw)[1]
    tangents = [block for family in symmetries for block in tangents_in_turn(family, theta, arch.parameters)[1]]
    for explained in (spans(np.concatenate(tangents))[0],) if tangents else ():
        kernel = kernel - kernel @ explained.T @ explained
    return spans(kernel, 1.0)[0]


def spans(rows: np.ndarray, size: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return two orthonormal bases, as rows: of the space that some rows span, and of its orthogonal complement."""
    _, sizes, basis = np.linalg.svd(rows)
    rank = int(np.sum(sizes > SMALL * max(size, sizes.max(initial=0.0))))
    return basis[:rank], basis[rank:]


def moving_results(arch: Architecture, theta: Weights, direction: np.ndarray, seed: int) -> Iterator[set[int]]:
    """Iterate over the numbers of the results that change along a direction, for several inputs."""
    field = Dual(theta.field)
    starts = np.cumsum([element.raw.size for element in theta.elements])[:-1]
    tangents = np.split(direction, starts, axis=1)
    tensors = [
        Elements(field, DualArray(one.raw, tangent.reshape(1, *one.raw.shape)))
        for one, tangent in zip(theta.elements, tangents, strict=True)
    ]
    for X in draw_inputs(arch, theta.field, seed, 1, INPUTS):
        results = results_of(arch, tensors, Elements(field, DualArray(X)))
        derivatives = [results[number].raw.tangent for number in range(len(results.program))]
        sizes = np.array([0.0 if one is None else np.abs(one).max(initial=0.0) for one in derivatives])
        yield set(np.flatnonzero(sizes > SMALL * sizes.max()).tolist())
