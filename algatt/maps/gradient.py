"""The Jacobian, its rows, and combinations of them, one for each input or place modulo p."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits, entered_inputs, functions_only
from algatt.errors import InvalidArgument
from algatt.fields import Adjoint, AdjointArray, Dual, DualArray, Elements, Field, PublicArray, adjoint
from algatt.parameters import Parameters

if TYPE_CHECKING:
    from algatt.maps.elementary.drawing import DrawnValues

NUMBERS = 2**18
"""About this many numbers of one tangent array are computed at a time, so that they stay in the processor's cache."""


@verbs.jacobian.method
def jacobian_public(arch: Architecture, theta: Parameters, inputs: PublicArray) -> Any:
    check_fits(arch, theta)
    elements = entered_inputs(arch, theta.field, inputs)
    with functions_only(arch, theta):
        return verbs.jacobian(arch, theta, elements).public()


@verbs.jacobian.method
def jacobian_by_duals(arch: Architecture, theta: Parameters, inputs: Elements) -> Elements:
    field = theta.field
    dual = Dual(field)
    raw_inputs = inputs.raw.reshape(-1, *inputs.shape[-2:])
    constants = [Elements(dual, DualArray(element.raw)) for element in theta.elements]
    lifted_inputs = Elements(dual, DualArray(raw_inputs))
    widest = max(arch.input_shape[0], *(element.shape[0] for element in theta.elements if element.shape))
    per_direction = len(raw_inputs) * arch.input_shape[1] * widest
    rows = len(raw_inputs) * arch.outputs
    matrix = np.zeros((rows, sum(element.raw.size for element in theta.elements)), dtype=raw_inputs.dtype)
    first = 0
    for position, element in enumerate(theta.elements):
        for start, stop in blocks(element.raw.size, max(1, NUMBERS // max(1, per_direction))):
            seeded = list(constants)
            seeded[position] = Elements(dual, DualArray(element.raw, directions(field, element.shape, start, stop)))
            value = verbs.evaluate(arch, theta.replace(seeded), lifted_inputs).raw
            if value.tangent is not None:
                matrix[:, first + start : first + stop] = value.tangent.reshape(stop - start, rows).T
        first += element.raw.size
    return Elements(field, matrix)


def blocks(count: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut ``range(count)`` into pieces of at most `size`."""
    for start in range(0, count, size):
        yield start, min(start + size, count)


def directions(field: Any, shape: tuple[int, ...], start: int, stop: int) -> Any:
    """Return the unit tangents number `start` to `stop - 1` of a matrix of the given shape."""
    units = np.zeros((stop - start, int(np.prod(shape))), dtype=np.int64)
    units[np.arange(stop - start), np.arange(start, stop)] = 1
    return verbs.encode(field, units.reshape(stop - start, *shape))


Leaves = Sequence[AdjointArray]
"""The tensors of a point, which a value is differentiated by."""

BLOCK = 2**19
"""About this many derivatives are computed at a time, so that they stay in the processor's cache."""


def gradients(arch: Architecture, theta: Parameters, inputs: Elements, *, outputs: np.ndarray) -> Elements:
    """Return one row of the Jacobian for each input: row k is the derivative of entry ``outputs[k]`` of the value at
    input k.

    Entries are numbered row by row, so this is row ``k * d_l * t + outputs[k]`` of `jacobian`. It takes and returns
    `Elements`. Exact over GF(p). Cost: a few evaluations for each row, where `jacobian` takes a few evaluations for
    each parameter and gives all rows of an input.

    Raises
    ------
    InvalidArgument
        If there is not one entry of the value for each input.
    """
    rows_of_one = arch.outputs
    if len(inputs.shape) != 3 or np.shape(outputs) != inputs.shape[:1]:
        raise InvalidArgument("outputs", f"of shape {np.shape(outputs)}", "one entry for each input of a batch")
    if len(outputs) and not (np.min(outputs) >= 0 and np.max(outputs) < rows_of_one):
        raise InvalidArgument(
            "outputs", f"from {np.min(outputs)} to {np.max(outputs)}", f"entries 0..{rows_of_one - 1} of the value"
        )

    return rows_at_inputs(arch, theta, inputs, units(theta.field, arch.output_shape, outputs))


def pull_back(arch: Architecture, theta: Parameters, inputs: Elements, cotangents: Elements) -> Elements:
    """Return the derivative of one linear form of the value for each input: row k is ``cotangents[k]``, as a row, times
    the Jacobian at input k.

    So a single row shows whether anything of the value changes along a direction: if it does, all but a few cotangents
    see it. It takes and returns `Elements`. Exact over GF(p). Cost: that of `gradients`.

    Parameters
    ----------
    cotangents : Elements
        Shape (batch, d_l, t): the coefficients of the entries of the value.

    Raises
    ------
    InvalidArgument
        If there is not one matrix of coefficients for each input.
    """
    shape = arch.output_shape
    if len(inputs.shape) != 3 or cotangents.shape != (inputs.shape[0], *shape):
        raise InvalidArgument(
            "cotangents",
            f"of shape {cotangents.shape}",
            f"of shape (batch, {shape[0]}, {shape[1]}), for a batch of inputs",
        )
    if cotangents.field != theta.field:
        raise InvalidArgument("cotangents", f"over {cotangents.field}", f"over {theta.field}")
    return rows_at_inputs(arch, theta, inputs, lambda block: cotangents.raw[block])


def rows_at_inputs(
    arch: Architecture, theta: Parameters, inputs: Elements, cotangents: Callable[[slice], Any]
) -> Elements:
    """Return the derivatives of one linear form of the value for each input."""
    field = Adjoint(theta.field)

    def value_at(leaves: Leaves, block: slice) -> AdjointArray:
        lifted = theta.replace([Elements(field, leaf) for leaf in leaves])
        value: Elements = verbs.evaluate(arch, lifted, Elements(field, AdjointArray(inputs.raw[block])))
        return value.raw

    return rows_by_adjoints(theta, inputs.shape[0], value_at, cotangents, inputs.raw.dtype)


def gradients_at_places(
    theta: Parameters, drawing: DrawnValues, which: np.ndarray, outputs: np.ndarray, number: int | None = None
) -> Elements:
    """Return the derivatives of one entry of the value by all parameters at each of some places, along the recorded
    program.

    Parameters
    ----------
    theta : Parameters
        The weights, over the prime field of the places.
    drawing : Drawing
        The places.
    which : ndarray
        Positions of places among those of the drawing.
    outputs : ndarray
        For each the number of an entry of the value.
    number : int, optional
        Another instruction whose result is taken for the value.

    Returns
    -------
    Elements
        Of shape (places, parameters).
    """
    shape = drawing.reading.program.instructions[-1 if number is None else number].shape
    return pull_back_at_places(theta, drawing, which, units(theta.field, shape, outputs), number)


def pull_back_at_places(
    theta: Parameters,
    drawing: DrawnValues,
    which: np.ndarray,
    cotangents: Callable[[slice], Any],
    number: int | None = None,
) -> Elements:
    """Return the derivatives of one linear form of the value, or of another result, at each of some places."""
    from algatt.programs.interpret import Results

    field, reading = Adjoint(theta.field), drawing.reading
    functions = drawing.functions()

    def value_at(leaves: Leaves, block: slice) -> AdjointArray:
        chosen = which[block]
        tensors = {name: Elements(field, leaf) for name, leaf in zip(theta.names(), leaves, strict=True)}
        given = {number: function.part(chosen) for number, function in functions.items()}
        X = None
        if reading.input is not None:
            X = Elements(field, AdjointArray(theta.field.lift(drawing.results[reading.input][chosen])))
        value: AdjointArray = Results(reading.program, field, tensors, X, given)[
            len(reading.program) - 1 if number is None else number
        ].raw
        return value

    return rows_by_adjoints(theta, len(which), value_at, cotangents, theta.elements[0].raw.dtype)


def units(field: Field, shape: tuple[int, ...], outputs: np.ndarray) -> Callable[[slice], Any]:
    """Return the coefficients, for a block of rows, of the one entry of the value that each row is about."""

    def units_of(block: slice) -> Any:
        chosen = outputs[block]
        entries = np.zeros((len(chosen), int(np.prod(shape))), dtype=np.int64)
        entries[np.arange(len(chosen)), chosen] = 1
        return verbs.encode(field, entries.reshape(-1, *shape))

    return units_of


def rows_by_adjoints(
    theta: Parameters,
    count: int,
    value_at: Callable[[Leaves, slice], AdjointArray],
    cotangents: Callable[[slice], Any],
    dtype: np.dtype | type,
) -> Elements:
    """Return the derivatives of one linear form of a value for each of `count` rows; `cotangents` gives the
    coefficients of those of a block, raw.
    """
    base = theta.field
    size = sum(element.raw.size for element in theta.elements)
    matrix = np.empty((count, size), dtype=dtype)
    step = max(1, BLOCK // size)
    for start in range(0, count, step):
        block = slice(start, min(start + step, count))
        leaves = [AdjointArray(element.raw) for element in theta.elements]
        parts = adjoint.pull_back(base, value_at(leaves, block), cotangents(block), leaves)
        first = 0
        for element, part in zip(theta.elements, parts, strict=True):
            if part is None:  # the zeros of the field, which are no integers for balls
                part = verbs.encode(base, np.zeros((block.stop - start, *element.shape), dtype=np.int64))
            matrix[block, first : first + element.raw.size] = part.reshape(len(part), -1)
            first += element.raw.size
    return Elements(base, matrix)
