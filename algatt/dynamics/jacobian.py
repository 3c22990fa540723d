"""The derivative of the velocity by the tokens, from the structure of the heads.

With the weights w_ij of the pairs and their slopes b_ij = beta w'(beta s_ij), divided as the weights are,

    dv_i = sum_j w_ij V dx_j + sum_j b_ij (V x_j - c_i) ds_ij,   ds_ij = <dx_i, M x_j> + <M^T x_i, dx_j>,

where c_i is the output f_i if the weights are divided by their sum, and 0 if they are not.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.dynamics.flow import Flow, PreNormFlow, SphereFlow
from algatt.dynamics.heads import Head, ScalarHead
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.tokens import lengths
from algatt.dynamics.velocity import multiple_of_identity, seen, tangential
from algatt.fields import Dual, DualArray, Elements, Reals
from algatt.layers import Activation, Exponential, ReLU, Unnormalized


@verbs.activation_slopes.method
def slopes_of_exponential(activation: Exponential, scores: np.ndarray) -> np.ndarray:
    slopes = scores.copy()
    verbs.activate_in_place(activation, slopes)
    return slopes / verbs.temperature(activation)


@verbs.activation_slopes.method
def slopes_of_rectifier(activation: ReLU, scores: np.ndarray) -> np.ndarray:
    """0 at the kink."""
    return (scores > 0.0).astype(np.float64)


@verbs.activation_slopes.method
def slopes_by_dual_numbers(activation: Activation, scores: np.ndarray) -> np.ndarray:
    value = verbs.activate(activation, Elements(Dual(Reals()), DualArray(scores, np.ones((1, *scores.shape))))).raw
    return np.zeros_like(scores) if value.tangent is None else np.array(value.tangent[0])


def has_jacobian(flow: Flow) -> bool:
    """Return whether the slopes of the weights are known: of softmax, and of activations that are not divided."""
    return isinstance(flow.weights, Exponential | Unnormalized)


def pair_weights(flow: Flow, head: Head, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of all pairs and beta times their slopes, divided as they are in the velocity."""
    queries, keys = verbs.score_factors(head, tokens)
    scores, hidden = flow.beta * (queries.T @ keys), hidden_pairs(flow.mask, tokens.shape[1])
    if isinstance(flow.weights, Unnormalized):
        slopes = flow.beta * verbs.activation_slopes(flow.weights.score, scores)
        verbs.activate_in_place(flow.weights.score, scores)
        if hidden is not None:
            scores[hidden] = slopes[hidden] = 0.0
        return scores / tokens.shape[1], slopes / tokens.shape[1]
    if hidden is not None:
        scores[hidden] = -np.inf
    scale = verbs.weigh(flow.weights, scores)
    scores *= scale[:, np.newaxis]
    return scores, flow.inverse_temperature * scores


def head_jacobian(flow: Flow, head: Head, tokens: np.ndarray, together: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the part of v that comes from one head, and its derivative: of shape (d, n, d, n), that of the coordinate
    a of token i by the coordinate b of token k at [a, i, b, k]; on the sphere without what tokens that move together,
    as a token with itself, add along themselves.
    """
    d, n = tokens.shape
    M, V = head.matrices(d)
    weights, slopes = pair_weights(flow, head, tokens)
    values = V @ tokens
    drift = values @ weights.T
    centred = np.repeat(values[:, np.newaxis, :], n, axis=1)
    if verbs.is_normalised(flow.weights):
        centred -= drift[:, :, np.newaxis]
    centred *= slopes
    if isinstance(flow, SphereFlow) and multiple_of_identity(head, d) is not None:
        weights[together] = 0.0  # the pull of a token on itself is along it, and its rounding is not
        drift = values @ weights.T
        if isinstance(head, ScalarHead) or not verbs.is_normalised(flow.weights):
            centred[:, together] = 0.0
    jacobian = V[:, np.newaxis, :, np.newaxis] * weights[np.newaxis, :, np.newaxis, :]
    jacobian += centred[:, :, np.newaxis, :] * (M.T @ tokens).T[np.newaxis, :, :, np.newaxis]
    own = np.arange(n)
    jacobian[:, own, :, own] += np.matmul(centred.transpose(1, 0, 2), (M @ tokens).T)
    return drift, jacobian


def lengths_and_directions(flow: Flow, flat: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return what a state of an implicit stepper says: the lengths of the columns, and tokens on the sphere; the state
    itself in flows that are not on the sphere.
    """
    tokens = flat.reshape(shape)
    if not isinstance(flow, SphereFlow):
        return np.ones(shape[1]), tokens
    sizes = np.sqrt(np.square(tokens).sum(axis=0))
    return sizes, tokens / sizes


def extended_jacobian(
    flow: Flow, flat: np.ndarray, shape: tuple[int, ...], places: np.ndarray | None = None
) -> np.ndarray:
    """Return the derivative of the extended velocity, of shape (d n, d n); if the tokens are at n places and move
    together with those at the same one, by the places.
    """
    sizes, tokens = lengths_and_directions(flow, flat, shape)
    places = np.arange(shape[1]) if places is None else places
    sizes, tokens = sizes[places], tokens[:, places]
    d, n = tokens.shape
    drift, jacobian, looked = np.zeros((d, n)), np.zeros((d, n, d, n)), seen(flow, tokens)
    together = np.equal.outer(places, places)
    for head in flow.heads:
        part, slopes = head_jacobian(flow, head, looked, together)
        drift += part
        jacobian += slopes
    if isinstance(flow, SphereFlow):
        project_jacobian(jacobian, drift, sizes, tokens)
    if isinstance(flow, PreNormFlow):  # the derivative of x / |x| is P / |x|
        jacobian -= (jacobian * looked).sum(axis=2, keepdims=True) * looked
        jacobian /= lengths(tokens)
    if n > shape[1]:
        first, at = first_at(places), np.equal.outer(places, np.arange(shape[1]))
        jacobian = jacobian[:, first] @ at.astype(np.float64)
    return jacobian.reshape(d * shape[1], d * shape[1])


def first_at(places: np.ndarray) -> np.ndarray:
    """Return the first token at each place."""
    return np.unique(places, return_index=True)[1]


def project_jacobian(jacobian: np.ndarray, drift: np.ndarray, sizes: np.ndarray, tokens: np.ndarray) -> None:
    """Turn the derivative of v at unit vectors x_i into that of |y_i| P v at y_i = |y_i| x_i, in place."""
    d, n = tokens.shape
    own = np.arange(n)
    jacobian -= tokens[:, :, np.newaxis, np.newaxis] * (tokens[:, :, np.newaxis, np.newaxis] * jacobian).sum(axis=0)
    turned = (tokens * drift).sum(axis=0)[:, np.newaxis, np.newaxis] * np.eye(d)
    jacobian[:, own, :, own] -= turned + tokens.T[:, :, np.newaxis] * drift.T[:, np.newaxis, :]
    jacobian -= (jacobian * tokens).sum(axis=2, keepdims=True) * tokens
    jacobian *= sizes[:, np.newaxis, np.newaxis] / sizes
    moved = tangential(tokens, drift)
    jacobian[:, own, :, own] += moved.T[:, :, np.newaxis] * tokens.T[:, np.newaxis, :]
