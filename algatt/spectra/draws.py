"""Draws of the ensembles, their spectra and their limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import check_over, instance, whole
from algatt.errors import InvalidArgument, ScoreOverflow
from algatt.fields import Elements, PublicArray, Reals
from algatt.fields.arrays import public_array
from algatt.layers import Activation, Exponential, SoftCap, Unnormalized
from algatt.layers.scores import scaled
from algatt.memory import check_memory
from algatt.parameters import Weights
from algatt.spectra.ensembles import (
    AttentionEnsemble,
    Ensemble,
    EntrywiseEnsemble,
    ExponentialEnsemble,
    LinearEnsemble,
    LinearPolynomialEnsemble,
    PolynomialEnsemble,
    hermite_variances,
    noise_deviation,
)
from algatt.spectra.gaussian import gaussian_matrix
from algatt.spectra.laws import Law, checked_number
from algatt.spectra.linear_law import AttentionLaw, LinearLaw, noise_variance

DROPPED = 3
"""How many values HCK's figures leave out."""

ROUNDING = 1e-5
"""By how much the rows of an attention matrix may miss 1: those of a softmax in float32 do by about 1e-7."""


def scores(ensemble: Ensemble, seed: int) -> np.ndarray:
    """Return S, of shape (tokens, tokens): the same for all ensembles of these sizes."""
    square = ensemble.tokens**2  # the entries of S, of which every ensemble makes another array, or its spectrum does
    check_memory(8.0 * max(square + 2 * ensemble.tokens * ensemble.key_dim, 2 * square), "an attention matrix")
    queries, keys = (
        gaussian_matrix(seed, f"attention/{label}", ensemble.tokens, ensemble.key_dim) for label in ("queries", "keys")
    )
    product: np.ndarray = queries @ keys.T
    product /= np.sqrt(ensemble.key_dim)
    return product


def noise(ensemble: Ensemble, seed: int) -> np.ndarray:
    """Return Z, of shape (tokens, tokens)."""
    return gaussian_matrix(seed, "attention/noise", ensemble.tokens, ensemble.tokens)


def exponentials(ensemble: Ensemble, seed: int) -> np.ndarray:
    """Return the entries exp(beta S - beta^2 / 2)."""
    exponents = scores(ensemble, seed)
    exponents *= ensemble.beta
    exponents -= (
        ensemble.beta**2 / 2
    )  # at most 18 * 46 - 162 for one key dimension, since no Gaussian entry exceeds 6.8: no overflow
    return np.exp(exponents, out=exponents)


@verbs.sample_matrix.method
def sample_attention(ensemble: AttentionEnsemble, *, seed: int = 0) -> np.ndarray:
    weights = ensemble.beta * scores(ensemble, seed)
    factors = verbs.weigh(Exponential(), weights)  # in place, since these matrices are large
    weights *= factors[:, np.newaxis]
    return weights


@verbs.sample_matrix.method
def sample_exponential(ensemble: ExponentialEnsemble, *, seed: int = 0) -> np.ndarray:
    entries = exponentials(ensemble, seed)
    entries -= entries.mean(axis=1, keepdims=True)  # times P_perp from the right
    entries /= np.sqrt(ensemble.tokens)
    return entries


@verbs.sample_matrix.method
def sample_entrywise(ensemble: EntrywiseEnsemble, *, seed: int = 0) -> np.ndarray:
    entries = exponentials(ensemble, seed)
    entries -= 1.0
    entries /= np.sqrt(ensemble.tokens)
    return entries


@verbs.sample_matrix.method
def sample_polynomial(ensemble: PolynomialEnsemble, *, seed: int = 0) -> np.ndarray:
    S = scores(ensemble, seed)
    before, part = np.ones_like(S), ensemble.beta * S  # beta^k He_k(S) / k!, which begin with 1 and beta S
    total = part.copy()
    for k in range(2, ensemble.degree + 1):
        before, part = part, (ensemble.beta * S * part - ensemble.beta**2 * before) / k
        total += part
    return total / np.sqrt(ensemble.tokens)


def linear_model(ensemble: Ensemble, deviation: float, seed: int) -> np.ndarray:
    """Return (deviation Z + beta S) / sqrt(tokens)."""
    matrix: np.ndarray = deviation * noise(ensemble, seed)
    matrix += ensemble.beta * scores(ensemble, seed)
    matrix /= np.sqrt(ensemble.tokens)
    return matrix


@verbs.sample_matrix.method
def sample_linear_polynomial(ensemble: LinearPolynomialEnsemble, *, seed: int = 0) -> np.ndarray:
    return linear_model(ensemble, noise_deviation(hermite_variances(ensemble.beta, ensemble.degree)), seed)


@verbs.sample_matrix.method
def sample_linear(ensemble: LinearEnsemble, *, seed: int = 0) -> np.ndarray:
    return linear_model(ensemble, float(np.sqrt(noise_variance(ensemble.beta))), seed)


def checked_matrix(argument: str, matrix: Any) -> np.ndarray:
    """Return a real matrix as floats."""
    raw: np.ndarray = verbs.encode(Reals(), matrix, argument=argument)
    if raw.ndim != 2 or 0 in raw.shape:
        raise InvalidArgument(argument, f"of shape {raw.shape}", "a matrix")
    return raw


def row_rounding(attention: Any) -> float:
    """Return by how much rows of an attention matrix may miss 1, for the precision of its numbers: 0.002
    for float16.
    """
    return max(ROUNDING, 2.0 ** (2 - public_array(attention, "attention")[1]))


def bulk_matrix(attention: np.ndarray) -> np.ndarray:
    r"""Return :math:`\sqrt l A_\perp`, :math:`A_\perp = A - u u^T` with :math:`u = 1/\sqrt l`: the matrix whose
    spectrum has the limit law (HCK).

    Parameters
    ----------
    attention : numpy.ndarray
        An attention matrix A of shape (l, l): entries >= 0, rows that sum to 1.

    Raises
    ------
    InvalidArgument
        If it is none.

    Examples
    --------
    >>> import numpy as np
    >>> from algatt.spectra import bulk_matrix
    >>> bulk_matrix(np.eye(4)).tolist()[0]
    [1.5, -0.5, -0.5, -0.5]
    """
    A = checked_matrix("attention", attention)
    if A.shape[0] != A.shape[1]:
        raise InvalidArgument("attention", f"of shape {A.shape}", "a square matrix")
    sums = A.sum(axis=1)
    worst = sums[np.abs(sums - 1).argmax()]
    rounding = row_rounding(attention)
    if (A < 0).any() or abs(worst - 1) > rounding:
        was = (
            f"a matrix with the entry {A.min():.6g}"
            if (A < 0).any()
            else f"a matrix with a row that sums to {worst:.6g}"
        )
        should = f"an attention matrix: entries >= 0, rows that sum to 1 up to {rounding:g}"
        raise InvalidArgument("attention", was, should)
    bulk: np.ndarray = A - 1 / len(A)
    bulk *= np.sqrt(len(A))
    return bulk


@verbs.squared_singular_values.method
def squared_singular_values_of_matrix(source: PublicArray, *, drop: int | None = None) -> np.ndarray:
    M = checked_matrix("source", source)
    with np.errstate(over="ignore", invalid="ignore"):
        gram = M @ M.T if M.shape[0] <= M.shape[1] else M.T @ M
    if not np.isfinite(gram).all():
        raise InvalidArgument(
            "source", f"with entries up to {np.abs(M).max():.3g}, whose squares overflow", "scaled down"
        )
    count = 0 if drop is None else whole("drop", drop, 0)
    if count >= len(gram):
        raise InvalidArgument("drop", f"{count}", f"less than {len(gram)}, the number of singular values")
    return np.maximum(np.linalg.eigvalsh(gram)[::-1][count:], 0.0)


@verbs.squared_singular_values.method
def squared_singular_values_of_ensemble(source: Ensemble, *, seed: int = 0, drop: int | None = None) -> np.ndarray:
    matrix = verbs.sample_matrix(source, seed=seed)
    if isinstance(source, AttentionEnsemble):
        matrix = bulk_matrix(matrix)
    return verbs.squared_singular_values(matrix, drop=DROPPED if drop is None else drop)


def checked_beta(ensemble: Ensemble) -> float:
    """Return beta, or raise `InvalidArgument` if it is zero."""
    if ensemble.beta == 0:
        raise InvalidArgument("beta", "0, for which the limit is the point mass at 0", "positive")
    return ensemble.beta


@verbs.limit_law.method
def limit_of_ensemble(ensemble: Ensemble) -> Law:
    return AttentionLaw(checked_beta(ensemble), ensemble.ratio)


@verbs.limit_law.method
def limit_of_polynomial(ensemble: PolynomialEnsemble | LinearPolynomialEnsemble) -> Law:
    variances = hermite_variances(checked_beta(ensemble), ensemble.degree)
    return LinearLaw(noise_deviation(variances) ** 2, variances[0], ensemble.ratio)


@verbs.attention_matrix.method
def attention_of_weights(
    theta: Weights,
    inputs: PublicArray,
    *,
    layer: int = 1,
    beta: float = 1.0,
    score: Activation | Unnormalized | SoftCap | None = None,
) -> np.ndarray:
    number = whole("layer", layer)
    check_over("theta", theta.field, Reals, f"over {Reals()}: singular values have no other meaning")
    should = "a score, such as algatt.layers.Exponential()"
    instance("score", score, Activation | Unnormalized | SoftCap | None, should)
    if number > len(theta.layers):
        raise InvalidArgument("layer", f"{number}", f"at most {len(theta.layers)}")
    Q, K, _ = theta.layers[number - 1]
    X = checked_matrix("inputs", inputs)
    if len(X) != Q.shape[1]:
        raise InvalidArgument("inputs", f"of shape {X.shape}", f"of shape ({Q.shape[1]}, tokens)")
    with np.errstate(over="ignore", invalid="ignore"):
        products = checked_number("beta", beta, positive=False) * ((K @ X).T @ (Q @ X))
        if np.isfinite(products).all():
            weights = verbs.attention_weights(scaled(score, len(Q)), Elements(Reals(), products))
            attention: np.ndarray = weights.raw.T
            if np.isfinite(attention).all():
                return attention
    raise ScoreOverflow("the scores are too large for float64; make the weights or the inputs smaller")
