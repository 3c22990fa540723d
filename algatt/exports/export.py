"""The verb that writes a network for a computer algebra system."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from algatt.architectures.base import NetworkLike, as_architecture
from algatt.arguments import whole
from algatt.certificates import Certificate
from algatt.dispatch import noun_in
from algatt.errors import InvalidArgument
from algatt.exports import point_systems, systems
from algatt.exports.parametrization import parametrization_of
from algatt.exports.point import PointedProgram, jacobian_at, minor_of
from algatt.geometry.implicit.equations import equations
from algatt.geometry.implicit.existence import check_rational
from algatt.parameters import Parameters

SYSTEMS = {
    "sympy": systems.sympy,
    "python": systems.python,
    "macaulay2": systems.macaulay2,
    "singular": systems.singular,
    "sage": systems.sage,
    "oscar": systems.oscar,
    "latex": systems.latex,
}
"""The template of each system, by its name."""

POINT_SYSTEMS = {
    "sympy": point_systems.sympy,
    "python": point_systems.python,
    "macaulay2": point_systems.macaulay2,
    "singular": point_systems.singular,
}
"""The template of the Jacobian at a point, by the name of the system."""


def export(
    source: NetworkLike | Certificate,
    to: str,
    *,
    degree: int = 0,
    weights: Parameters | None = None,
    inputs: Any = None,
) -> str:
    """Return a network, its Jacobian at a point, or the minor of a certificate as a text for a computer algebra system.

    The text defines the weights as variables, which are named after the tensors, as Q_1_2_1 for row 2 and column 1 of
    Q_1; and coefficients of the function as polynomials in them, as many as the dimension of the span (`algatt.span`),
    in which all other coefficients are linear. Where values are divided, coefficients of numerators and of their common
    denominator are multiplied by one more variable, which is called scale: the kernel of the map is the homogeneous
    ideal of the closure in the projective space of these coefficients.

    With weights and inputs the text computes the Jacobian J of the values there, exactly, a row for each entry of the
    values and a column for each weight. Of a certificate of a dimension the text computes the minor that it claims not
    to be zero, at small random integers, and prints its value. Both write the program of the network in scalar
    operations, and the system differentiates it.

    Parameters
    ----------
    source : Architecture or Certificate
        A network whose values are rational functions, or a certificate of the dimension of one.
    to : str
        ``sympy``, ``python``, ``macaulay2``, ``singular``, ``sage``, ``oscar`` or ``latex``; the first four for the
        Jacobian at a point and for certificates.
    degree : int, optional
        If given, the generators of `algatt.equations` up to this degree are written too.
    weights : Parameters, optional
        Weights over the rationals or the reals; floats are taken for exactly what they are.
    inputs : array, optional
        Inputs of shape (d, t) or (batch, d, t), of integers, fractions or floats; or numbers of tokens, of shape (t,)
        or (batch, t).

    Raises
    ------
    InvalidArgument
        For other networks, certificates and names, and where the text has too many lines.
    NoValue
        If something is divided by zero at the weights and inputs, and this does not depend on the weights.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Network(algatt.layers.Feedforward(1, algatt.layers.Power(2), width=1), tokens=1, width=2)
    >>> print(algatt.export(arch, "singular", degree=2).rstrip())
    // Network(Feedforward(1, activation=Power(k=2), width=1), tokens=1, width=2)
    // Written by algatt: the map from the weights to coefficients that span all coefficients of the function.
    // c_1 = coefficient of y_1_1: x_1_1^2
    // c_2 = coefficient of y_1_1: x_1_1*x_2_1
    // c_3 = coefficient of y_1_1: x_2_1^2
    ring S = 0, (c_1, c_2, c_3), dp;
    ideal I = 4*c_1*c_3 - c_2^2;
    ring R = 0, (feedforward_up_1_1, feedforward_up_1_2, feedforward_down_1_1), dp;
    map phi = S,
        feedforward_up_1_1^2*feedforward_down_1_1,
        2*feedforward_up_1_1*feedforward_up_1_2*feedforward_down_1_1,
        feedforward_up_1_2^2*feedforward_down_1_1;
    // setring S; kernel(R, phi); is the ideal of the closure of the neuromanifold
    """
    source = noun_in(source)
    if isinstance(source, Certificate) or weights is not None or inputs is not None:
        check_name(to, POINT_SYSTEMS)
        return POINT_SYSTEMS[to](pointed(source, degree, weights, inputs))
    source = as_architecture(source)
    check_rational(source)
    check_name(to, SYSTEMS)
    degree = whole("degree", degree, 0)
    found = equations(source, degree).generators if degree else ()
    return SYSTEMS[to](parametrization_of(source, found))


def check_name(to: str, systems: Collection[str]) -> None:
    """Raise `InvalidArgument` unless a system is among those that have a template."""
    if to not in systems:
        raise InvalidArgument("to", repr(to), f"one of {', '.join(systems)}")


def pointed(source: NetworkLike | Certificate, degree: int, weights: Parameters | None, inputs: Any) -> PointedProgram:
    """Return the program at the point that the arguments name."""
    if degree:
        raise InvalidArgument("degree", f"{degree} for a point", "given for the parametrization alone")
    if isinstance(source, Certificate):
        if weights is not None or inputs is not None:
            raise InvalidArgument("weights or inputs", "given with a certificate", "given with a network alone")
        return minor_of(source)
    if weights is None or inputs is None:
        missing = "weights" if weights is None else "inputs"
        raise InvalidArgument(missing, "not given", "given: the Jacobian is one at weights and at inputs")
    return jacobian_at(as_architecture(source), weights, inputs)
