"""The laws of an architecture."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import entered_inputs, sample_inputs, unflatten
from algatt.architectures.network import degree as degree_of
from algatt.errors import InvalidArgument
from algatt.fields import Degree, Degrees, Elements, PrimeField, Reals
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.dimensions.formulas import expected_dimension
from algatt.maps.gradient import gradients, pull_back
from algatt.maps.parametrization import parametrization
from algatt.parameters import Parameters, Weights
from algatt.parameters.base import flatten
from algatt.symmetry import GroupElement, Symmetry
from algatt.testing.laws import ROUNDING, agree, check_value, has_method, require
from algatt.testing.market import Instance, coordinate_systems


def check_architecture(arch: Architecture, seed: int = 0) -> None:
    """Check an architecture against its own derivative, degrees, coordinates, symmetries and bounds, over GF(p) and
    over the reals.

    An architecture needs nothing but a method of `algatt.evaluate` for `Weights`: coordinate systems without a method
    are left out, and symmetry families count if `algatt.members` names them.

    Parameters
    ----------
    arch : Architecture
        The network to check. Its values are compared with their degrees over GF(p) if they are polynomials, and looked
        at over the reals alone if they are not algebraic; see its properties `polynomial` and `algebraic`.
    seed : int, optional
        Names the point and the inputs.

    Raises
    ------
    AssertionError
        Naming the law that fails and the instance.
    """
    check_value(arch)
    systems = coordinate_systems(arch)
    require(Weights in systems, "an architecture can be evaluated in Weights", arch)
    fields = (PrimeField(), Reals()) if arch.algebraic else (Reals(),)
    for field in fields:
        for coordinates in systems:
            instance = Instance(arch, coordinates, field, seed)
            check_sampling(instance)
            check_flatten(instance)
            check_values(instance)
            if isinstance(field, Reals):
                check_slope(instance)
            elif arch.polynomial:
                check_polynomial(instance, field.p)
            check_gradients(instance)
            for family in verbs.symmetries(arch):
                check_action(instance, family)
        for family in verbs.symmetries(arch):
            check_tangents(Instance(arch, Weights, field, seed), family)
    check_bounds(arch, seed)


def check_sampling(instance: Instance) -> None:
    """Check that points and inputs depend on the seed and on nothing else."""
    arch, coordinates, field, seed = instance.arch, instance.coordinates, instance.field, instance.seed

    def point(number: int) -> Any:
        return verbs.sample(arch, coordinates, field=field, seed=number)

    require(point(seed) == point(seed), "a seed names the point", instance)
    require(point(seed) != point(seed + 1), "another seed draws another point", instance)

    def inputs(seed: int, count: int, start: int = 0) -> tuple[Any, ...]:
        drawn = sample_inputs(arch, field=field, seed=seed, count=count, start=start)
        return drawn if isinstance(drawn, tuple) else (drawn,)

    one: tuple[tuple[int, ...], ...] = (arch.input_shape if arch.vocabulary is None else arch.input_shape[1:],)
    if arch.source is not None:
        one = arch.source, (arch.input_shape[1] - arch.source[1],)
    drawn = inputs(seed, 3)
    shapes = tuple(part.shape for part in drawn)
    law = "inputs have shape (count, d_0, t), or (count, t) for numbers of tokens, or are pairs of both"
    require(shapes == tuple((3, *shape) for shape in one), law, instance, shapes)

    def same(parts: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
        return all(map(np.array_equal, parts, others))

    require(same(tuple(part[1:] for part in drawn), inputs(seed, 2, 1)), "inputs are numbered", instance)
    require(not same(drawn, inputs(seed + 1, 3)), "another seed draws other inputs", instance)


def check_flatten(instance: Instance) -> None:
    """Check that flatten and unflatten are inverse, with as many numbers as the shapes say."""
    theta = instance.theta
    vector = flatten(theta)
    count = sum(math.prod(shape) for shape in verbs.shapes(instance.arch, instance.coordinates))
    require(vector.shape == (count,), "flatten has one entry for each parameter", instance, vector.shape)
    again = unflatten(instance.arch, instance.coordinates, vector)
    require(again == theta, "unflatten undoes flatten", instance)
    require(np.array_equal(flatten(again), vector), "flatten undoes unflatten", instance)


def check_values(instance: Instance) -> None:
    """Check the shape of the values, batches against single inputs, the function object, and one coordinate system
    against the first.
    """
    arch, theta, inputs = instance.arch, instance.theta, instance.inputs
    value = instance.value()
    require(value.shape == (2, *arch.output_shape), "values have shape (batch, d_l, t)", instance, value.shape)
    for one, expected in zip(inputs, value, strict=True):
        require(
            agree(verbs.evaluate(arch, theta, one), expected),
            "a batch is evaluated as its inputs are one by one",
            instance,
        )
    function = parametrization(arch, instance.coordinates)(theta)
    require(agree(function(inputs), value), "the parametrization's function has the network's values", instance)
    weights = verbs.sample(arch, Weights, field=instance.field, seed=instance.seed)
    require(agree(value, instance.value(weights)), "all coordinates define the same function", instance)


def degree_in(arch: Architecture, coordinates: type[Parameters]) -> Degree:
    """Return the bounds of the degrees in the parameters of one coordinate system and in the inputs."""
    if coordinates is Weights:
        weights: Degree = degree_of(arch)
        return weights
    degrees = Degrees()
    theta = coordinates(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in verbs.shapes(arch, coordinates)))
    value: Degree = verbs.evaluate(arch, theta, Elements(degrees, Degree(0, 1, arch.input_shape))).raw
    return value


def integers(array: Any) -> np.ndarray:
    """Return residues as plain Python integers, whose arithmetic is nobody's code under test."""
    return np.array(array.tolist(), dtype=object)


def differences(function: Callable[[int], np.ndarray], count: int, p: int) -> list[np.ndarray]:
    """Return the forward differences of order 0, ..., count - 1 of a function at 0, modulo p."""
    row = [function(s) for s in range(count)]
    leading = []
    while row:
        leading.append(row[0])
        row = [(after - before) % p for before, after in pairwise(row)]
    return leading


def check_polynomial(instance: Instance, p: int) -> None:
    """Check degrees and Jacobian exactly over GF(p), by finite differences along lines.

    A polynomial f of degree D has vanishing differences of order D + 1, and f'(0) = sum over n = 1..D of (-1)^(n+1) / n
    times its n-th one.
    """
    arch, inputs = instance.arch, instance.inputs
    degree = degree_in(arch, instance.coordinates)
    point = integers(flatten(instance.theta))
    direction = integers(
        verbs.draw_array(PrimeField(p), shape=point.shape, seed=instance.seed, label="direction")
    ).astype(np.int64)

    def along_parameters(s: int) -> np.ndarray:
        return integers(
            instance.value(unflatten(arch, instance.coordinates, (point + s * direction) % p, field=instance.field))
        )

    def along_inputs(s: int) -> np.ndarray:
        moved = (integers(inputs[0]) + s * integers(inputs[1])) % p
        return integers(verbs.evaluate(arch, instance.theta, moved))

    leading = differences(along_parameters, degree.weights + 2, p)
    require(not leading[-1].any(), "the degree in the parameters is at most the bound", instance, degree)
    if arch.vocabulary is None:
        law = "the degree in the inputs is at most the bound"
        require(not differences(along_inputs, degree.inputs + 2, p)[-1].any(), law, instance, degree)
    jacobian = integers(verbs.jacobian(arch, instance.theta, inputs))
    require(
        jacobian.shape == (leading[0].size, point.size),
        "the Jacobian has a row for each value, a column for each parameter",
        instance,
    )
    slope = sum((-1) ** (n + 1) * pow(n, -1, p) * leading[n] for n in range(1, degree.weights + 1)) % p
    require(
        np.array_equal(jacobian @ direction % p, slope.ravel()),
        "the Jacobian is the derivative of the values",
        instance,
    )


def check_slope(instance: Instance) -> None:
    """Check the Jacobian over the reals against a central difference."""
    point = flatten(instance.theta)
    direction = verbs.draw_array(instance.field, shape=point.shape, seed=instance.seed, label="direction")
    step = 1e-6
    ends = [
        instance.value(unflatten(instance.arch, instance.coordinates, point + s * direction)) for s in (step, -step)
    ]
    slope = verbs.jacobian(instance.arch, instance.theta, instance.inputs) @ direction
    scale = max(np.abs(slope).max(), np.abs(ends[0]).max())
    close = np.abs((ends[0] - ends[1]).ravel() / (2 * step) - slope) <= 1e-4 * scale
    require(bool(close.all()), "the Jacobian is the derivative of the values", instance)


def check_gradients(instance: Instance) -> None:
    """Check derivatives that are carried backwards, of two entries and of a combination of all, against those that are
    carried forwards.
    """
    arch, field = instance.arch, instance.field
    inputs, rows_of_one = entered_inputs(arch, field, instance.inputs), arch.outputs
    rows = gradients(arch, instance.theta, inputs, outputs=np.array([0, rows_of_one - 1])).public()
    jacobian = verbs.jacobian(arch, instance.theta, inputs)
    require(agree(rows, jacobian.public()[[0, 2 * rows_of_one - 1]]), "gradients are rows of the Jacobian", instance)
    shape = (2, *arch.output_shape)
    cotangents = Elements(field, verbs.draw_array(field, shape=shape, seed=instance.seed, label="cotangents"))
    combined = pull_back(arch, instance.theta, inputs, cotangents).public()
    for number, row in enumerate(combined):
        block = slice(number * rows_of_one, (number + 1) * rows_of_one)
        expected = Elements(field, cotangents.raw[number].reshape(1, -1)) @ Elements(field, jacobian.raw[block])
        require(
            agree(row, expected.public()[0]), "what is pulled back is a combination of rows of the Jacobian", instance
        )


def check_action(instance: Instance, family: Symmetry) -> None:
    """Check that a symmetry family leaves the function unchanged, moves the weights, commutes with the quotient arrows,
    and is a group; in coordinates other than the weights, if its elements act there.
    """
    weights = verbs.sample(instance.arch, Weights, field=instance.field, seed=instance.seed)
    element = family.element(weights, instance.seed)
    if not has_method(verbs.act, type(element), instance.coordinates):
        return
    theta = instance.theta
    described = f"the family {family.name}"
    try:
        moved = verbs.act(element, theta)
    except InvalidArgument as refusal:  # tensors of the weights that these coordinates do not have
        elsewhere = instance.coordinates is not Weights and refusal.argument == "theta"
        require(elsewhere, f"{described} acts on the weights", instance, refusal)
        return
    require(agree(instance.value(moved), instance.value(theta)), f"{described} leaves the function unchanged", instance)
    along = verbs.convert(verbs.act(element, weights), instance.coordinates)
    require(agree(flatten(moved), flatten(along)), f"{described} acts before an arrow as after it", instance)
    if instance.coordinates is Weights and family.dimension:
        require(moved != theta, f"{described} moves the weights", instance)
    check_group(instance, family, element, family.element(weights, instance.seed + 1))


def check_group(instance: Instance, family: Symmetry, one: GroupElement, two: GroupElement) -> None:
    """Check that two elements of a family act as a group does, as far as there are methods for its product, inverse and
    identity.
    """
    theta = instance.theta
    moved = verbs.act(two, theta)

    def require_same(left: Parameters, right: Parameters, law: str) -> None:
        require(agree(flatten(left), flatten(right)), f"the family {family.name} {law}", instance)

    if has_method(verbs.compose, type(one), type(two)):
        require_same(
            verbs.act(verbs.compose(one, two), theta),
            verbs.act(one, moved),
            "acts by a product as by its factors in turn",
        )
    if has_method(verbs.inverse, type(two)):
        require_same(verbs.act(verbs.inverse(two), moved), theta, "acts by an inverse as the way back")
    if has_method(verbs.identity, type(family), type(instance.field)):
        require_same(verbs.act(verbs.identity(family, instance.field), theta), theta, "does nothing by its identity")


def check_tangents(instance: Instance, family: Symmetry) -> None:
    """Check that the function is constant along the tangents of a family, and over GF(p) that they have the family's
    dimension.
    """
    law = f"the family {family.name} has tangents along which the function is constant"
    tangents = family.tangents(instance.theta)
    jacobian = verbs.jacobian(instance.arch, instance.theta, instance.inputs)
    along = jacobian @ tangents.T
    if isinstance(instance.field, PrimeField):
        require(not np.any(along), law, instance)
        rank = verbs.rank(tangents)
        same = f"the family {family.name} has tangents of rank equal to its dimension"
        require(rank == family.dimension, same, instance, f"{rank} and {family.dimension}")
    else:
        scale = np.linalg.norm(jacobian, axis=1)[:, None] * np.linalg.norm(
            tangents, axis=1
        )  # an entry of the value may be small beside others
        require(bool(np.all(np.abs(along) <= ROUNDING * scale)), law, instance)


def check_bounds(arch: Architecture, seed: int) -> None:
    """Check that the bounds of the dimension are in order and that no theorem contradicts them."""
    report = dimension(arch, seed=seed)
    found = f"{report.lower} and {report.upper}"
    require(
        report.lower is not None
        and report.upper is not None
        and report.lower <= report.value <= report.upper <= arch.parameters,
        "the lower bound is at most the upper bound",
        arch,
        found,
    )
    expected = expected_dimension(arch)
    require(
        expected is None or expected == report.value,
        "the dimension is the theorem's",
        arch,
        f"{report.value} and {expected}",
    )
