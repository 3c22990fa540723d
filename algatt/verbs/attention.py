"""Verbs of what flows of tokens are made of: heads, and attention weights.

Tokens are the columns of an array of shape (d, n). Scores and weights are arrays of float64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import numpy as np

    from algatt.dynamics.heads import Head
    from algatt.layers.activations import Activation
    from algatt.layers.base import Noun


@declare
def score_factors(head: Head, tokens: np.ndarray, /) -> tuple[np.ndarray, np.ndarray]:
    """Return queries and keys, arrays of shape (k, n), linear in the tokens, with the scores <x_i, M x_j> as the
    products of their columns.
    """


@declare
def head_values(head: Head, tokens: np.ndarray, /) -> np.ndarray:
    """Return values of shape (m, n), linear in the tokens, from which `lift` makes the columns V x_j."""


@declare
def lift(head: Head, sums: np.ndarray, /) -> np.ndarray:
    """Return combinations of the values of a head as vectors of shape (d, n)."""


@declare
def lift_keys(head: Head, sums: np.ndarray, /) -> np.ndarray:
    """Return combinations of the keys of a head as the same ones of the columns M x_j, of shape (d, n); as `lift` does
    unless it has a method of its own.
    """


@declare(homes=["algatt.dynamics.energy"])
def backward_sums(head: Head, weights: Any, tokens: np.ndarray, /, *, beta: float) -> Any:
    r"""Return :math:`\sum_j w(\beta \langle x_j, M x_i \rangle) M^T x_j` for a matrix that is not symmetric, or None if
    M is symmetric.
    """


@declare(homes=["algatt.dynamics.weights"])
def weigh(weights: Noun, scores: np.ndarray, /) -> Any:
    """Turn a block of scores beta <x_i, M x_j>, a row for each i, into weights in place; return what each row is still
    to be multiplied by.
    """


@declare(homes=["algatt.dynamics.weights"])
def activate_in_place(activation: Activation, scores: np.ndarray, /) -> None:
    """Overwrite an array of scores, of float64, by the values of an activation; those of `algatt.verbs.activate` unless
    it has a method of its own that is quicker.
    """


@declare(homes=["algatt.dynamics.jacobian"])
def activation_slopes(activation: Activation, scores: np.ndarray, /) -> np.ndarray:
    """Return the derivatives of an activation at an array of scores, of float64: by dual numbers unless it has a method
    of its own that is quicker.
    """


@declare(homes=["algatt.dynamics.weights"])
def is_normalised(weights: Noun, /) -> bool:
    """Return whether the weights of a token are divided by their sum, so that no 1/n is needed."""


@declare(homes=["algatt.dynamics.weights"])
def temperature(weights: Noun, /) -> float:
    """Return the number by which scores are divided in exponentials; 1 where there are none."""


@declare(homes=["algatt.dynamics.weights"])
def potential(weights: Noun, scores: np.ndarray, /) -> np.ndarray:
    r"""Return the sum of :math:`\Phi` over each row of a block of scores, which may be overwritten: :math:`\Phi'` are
    the weights, before they are divided by their sum.
    """


@declare(homes=["algatt.dynamics.weights"])
def equiangular_weights(weights: Noun, exponents: np.ndarray, cosine: np.ndarray, /, *, tokens: int) -> tuple[Any, Any]:
    """Return the weights of a token on itself and on each other one, where their scores times beta are ``exponents``
    and ``exponents * cosine``.
    """
