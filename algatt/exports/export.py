"""The verb that writes a network for a computer algebra system."""

from __future__ import annotations

from algatt.architectures import Architecture
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.exports import systems
from algatt.exports.parametrization import parametrization_of
from algatt.geometry.implicit.coefficients import check_polynomial
from algatt.geometry.implicit.equations import equations

__all__ = ["SYSTEMS", "export"]

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


def export(arch: Architecture, to: str, *, degree: int = 0) -> str:
    """Return the parametrization of a polynomial network as a text for a computer algebra system.

    The text defines the weights as variables, which are named after the tensors, as Q_1_2_1 for row 2 and column 1 of
    Q_1; and coefficients of the function as polynomials in them, as many as the dimension of the span (`algatt.span`),
    in which all other coefficients are linear.

    Parameters
    ----------
    arch : Architecture
        A network that reads vectors, whose values are polynomials in them.
    to : str
        ``sympy``, ``python``, ``macaulay2``, ``singular``, ``sage``, ``oscar`` or ``latex``.
    degree : int, optional
        If given, the generators of `algatt.equations` up to this degree are written too.

    Raises
    ------
    InvalidArgument
        For other networks and names.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Network(algatt.layers.Feedforward(1, algatt.layers.Power(2), width=1), tokens=1, width=2)
    >>> print(algatt.export(arch, "singular", degree=2).rstrip())
    // Network(Feedforward(1, activation=Power(k=2), width=1), tokens=1, width=2)
    // Written by algatt: the map from the weights to coefficients that span all coefficients of the function.
    // c_1 is the coefficient of y_1_1: x_1_1^2
    // c_2 is the coefficient of y_1_1: x_1_1*x_2_1
    // c_3 is the coefficient of y_1_1: x_2_1^2
    ring S = 0, (c_1, c_2, c_3), dp;
    ideal I = 4*c_1*c_3 - c_2^2;
    ring R = 0, (feedforward_up_1_1, feedforward_up_1_2, feedforward_down_1_1), dp;
    map phi = S,
        feedforward_up_1_1^2*feedforward_down_1_1,
        2*feedforward_up_1_1*feedforward_up_1_2*feedforward_down_1_1,
        feedforward_up_1_2^2*feedforward_down_1_1;
    // setring S; kernel(R, phi); is the ideal of the closure of the neuromanifold
    """
    check_polynomial(arch)
    if to not in SYSTEMS:
        raise InvalidArgument("to", repr(to), f"one of {', '.join(SYSTEMS)}")
    degree = whole("degree", degree, 0)
    found = equations(arch, degree).generators if degree else ()
    return SYSTEMS[to](parametrization_of(arch, found))
