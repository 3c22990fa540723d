"""The energies of the heads, their gradients, and their rates along the flow."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import potential_rows, weighted_sums
from algatt.dynamics.flow import FlatFlow, Flow, PreNormFlow, checked_tokens
from algatt.dynamics.heads import Head, MatrixHead, ProjectorHead, ScalarHead
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.tokens import lengths
from algatt.dynamics.velocity import drowned, seen, seen_velocity, tangential, tangential_sums, without_overflow
from algatt.fields import PublicArray
from algatt.layers import Activation, Exponential, Unnormalized


def energy_weights(flow: Flow) -> Activation | Unnormalized:
    """Return the derivative of Phi: the weights, before they are divided by their sum."""
    if not verbs.is_normalised(flow.weights):
        return flow.weights
    # what else is normalised has an old name, and the energy of softmax
    return Unnormalized(flow.weights if isinstance(flow.weights, Activation) else Exponential())


def unchecked_energy(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the energies of tokens as the heads see them, infinite where they overflow."""
    n = tokens.shape[1]
    hidden = hidden_pairs(flow.mask, n)
    with np.errstate(over="ignore", invalid="ignore"):
        factors = [verbs.score_factors(head, tokens) for head in flow.heads]
        sums = [potential_rows(flow.weights, flow.beta, queries, keys, hidden).sum() for queries, keys in factors]
        return np.array(sums) / (2.0 * n**2) / flow.beta


def head_gradient(flow: Flow, head: Head, tokens: np.ndarray) -> np.ndarray:
    """Return the gradient of the energy of one head at tokens as it sees them, not finite where it overflows."""
    n, weights = tokens.shape[1], energy_weights(flow)
    queries, keys = verbs.score_factors(head, tokens)
    hidden = hidden_pairs(flow.mask, n)
    with np.errstate(over="ignore", invalid="ignore"):
        forward = verbs.lift_keys(head, weighted_sums(weights, flow.beta, queries, keys, keys, hidden))
        if hidden is None:
            backward = verbs.backward_sums(head, weights, tokens, beta=flow.beta)
        else:  # token j is hidden from i, and i may not be from j
            M, _ = head.matrices(len(tokens))
            backward = weighted_sums(weights, flow.beta, keys, queries, M.T @ tokens, hidden.T)
        return (forward + (forward if backward is None else backward)) / (2.0 * n**2)


def slope(flow: Flow, head: Head, tokens: np.ndarray) -> np.ndarray:
    """Return the gradient of the energy of one head along the sphere, if it is there that the head sees tokens."""
    gradient = head_gradient(flow, head, tokens)
    if isinstance(flow, FlatFlow):
        return gradient
    with np.errstate(over="ignore", invalid="ignore"):
        part = tangential(tokens, gradient)
        rows = drowned(part, lengths(gradient))
        if len(rows):
            weights, hidden, (M, _) = (
                energy_weights(flow),
                hidden_pairs(flow.mask, tokens.shape[1]),
                head.matrices(len(tokens)),
            )
            ways = [(M, hidden), (M.T, None if hidden is None else hidden.T)]
            both = [tangential_sums(weights, flow.beta, MatrixHead(A), tokens, rows, seen) for A, seen in ways]
            part[:, rows] = (both[0] + both[1]) / (2.0 * tokens.shape[1] ** 2)
        return part


def unchecked_gradient(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the gradients of the energies, not finite where they overflow."""
    if isinstance(flow, PreNormFlow):
        return np.stack([slope(flow, head, seen(flow, tokens)) for head in flow.heads]) / lengths(tokens)
    return np.stack([head_gradient(flow, head, tokens) for head in flow.heads])


@verbs.backward_sums.method
def backward_sums_of_symmetric_head(
    head: ScalarHead | ProjectorHead, weights: Any, tokens: np.ndarray, *, beta: float
) -> None:
    """The scores are symmetric, so these sums are the forward ones."""
    return


@verbs.backward_sums.method
def backward_sums_of_head(head: Head, weights: Any, tokens: np.ndarray, *, beta: float) -> np.ndarray | None:
    M, _ = head.matrices(len(tokens))
    if np.array_equal(M, M.T):
        return None
    return weighted_sums(weights, beta, M @ tokens, tokens, M.T @ tokens)


@verbs.energy.method
def energy_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    return without_overflow(flow, unchecked_energy(flow, seen(flow, checked_tokens(flow, tokens))))


def energy_gradient(flow: Flow, tokens: PublicArray) -> np.ndarray:
    r"""Return the gradient of each head's energy by the tokens in the flat space (derived).

    :math:`\nabla_i E_h = \frac{1}{2 n^2} \sum_j \left[ \Phi'(\beta s_{ij}) M_h x_j
    + \Phi'(\beta s_{ji}) M_h^T x_j \right]` with
    :math:`s_{ij} = \langle x_i, M_h x_j \rangle`, for any matrices. Under score symmetry, value alignment and weights
    that are not normalised the sum over the heads is 1/n times the velocity of the flat flow.

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n).

    Returns
    -------
    numpy.ndarray
        Shape (H, d, n). Numerical. Cost: that of `head_outputs`, twice it for matrices that are not symmetric.

    Raises
    ------
    InvalidArgument
        As `energy`.
    """
    return without_overflow(flow, unchecked_gradient(flow, checked_tokens(flow, tokens)))


def energy_rate(flow: Flow, tokens: PublicArray) -> np.ndarray:
    r"""Return the derivative of each head's energy along the flow,
    :math:`dE_h/dt = \sum_i \langle \nabla_i E_h, x_i' \rangle`.

    This is the chain rule, for any heads and weights. Under score symmetry and value alignment, with exponential or
    ReLU weights, the rates sum up to :math:`\frac{1}{n} \sum_i |x_i'|^2 \ge 0` (P for exponential weights, the rate
    derived; derived for ReLU).

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n).

    Returns
    -------
    numpy.ndarray
        Shape (H,). Numerical. Cost: `energy_gradient` and `velocity`.

    Raises
    ------
    InvalidArgument
        As `energy`.
    """
    array = checked_tokens(flow, tokens)
    velocity, looked = seen_velocity(flow, array), seen(flow, array)
    with np.errstate(over="ignore", invalid="ignore"):
        rates = np.array([(slope(flow, head, looked) * velocity).sum() for head in flow.heads])
    return without_overflow(flow, rates)
