"""Verbs of parametrization maps: values and derivatives of a network."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

__all__ = ["degree", "evaluate", "gradients", "jacobian", "parametrization", "program"]


@declare
def evaluate(arch: Any, theta: Any, inputs: Any) -> Any:
    """Evaluate the network at inputs whose tokens are columns.

    Parameters
    ----------
    arch : Architecture or networkx.DiGraph
        The network; or a graph made by `unroll`, with `theta` in `VirtualWeights`: then each node is multiplied out once, children before parents,
        so that a dag takes 6 l - 2 matrix products, and a tree (3^{l+1} - 1) / 2.
    theta : Parameters
        In any coordinate system. Of a point in a quotient only the shapes are checked, not whether it is the image of weights of this architecture.
    inputs : array
        Shape (d_0, t) or (batch, d_0, t), over the field of `theta`.

    Returns
    -------
    array
        Shape (d_l, t) or (batch, d_l, t). Exact over GF(p). Cost: linear in the number of tokens.

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit.
    """


@declare
def parametrization(arch: Any, coordinates: Any) -> Any:
    """Return the map phi from parameters to functions: ``phi(theta)`` is callable and ``phi(theta)(X)`` its value (HMK Eq 5)."""


@declare
def jacobian(arch: Any, theta: Any, inputs: Any) -> Any:
    """Return the Jacobian of the values at `inputs` by the parameters, by dual numbers.

    Returns
    -------
    array
        Shape (batch * d_l * t, number of parameters); rows ordered (input, output row, token), columns as in `flatten`. In the coordinates
        `AttentionMatrix` the columns are all entries of the A_i, whatever their rank. Exact over GF(p).

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit.
    """


@declare
def gradients(arch: Any, theta: Any, inputs: Any, *, outputs: Any) -> Any:
    """Return one row of the Jacobian for each input: row k is the derivative of entry ``outputs[k]`` of the value at input k.

    Entries are numbered row by row, so this is row ``k * d_l * t + outputs[k]`` of `jacobian`. It takes and returns `Elements`. Exact over GF(p).
    Cost: a few evaluations for each row, where `jacobian` takes a few evaluations for each parameter and gives all rows of an input.

    Raises
    ------
    InvalidArgument
        If there is not one entry of the value for each input.
    """


@declare
def degree(arch: Any) -> Any:
    """Return bounds `Degree` of the degrees of the network's values in the weights and in the inputs, read off the architecture itself."""


@declare
def program(arch: Any) -> Any:
    """Return the straight-line `Program` of a network, recorded by evaluating it: common subexpressions once, nothing that the value does not need."""
