"""Causal attention: its draws, the matrix whose spectrum the causal law is about, and its beta."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.layers import Exponential
from algatt.spectra.draws import bulk_matrix, checked_beta, scores
from algatt.spectra.ensembles import Ensemble
from algatt.spectra.layers.causal_law import LARGEST_BETA, CausalLaw


@dataclass(frozen=True)
class CausalEnsemble(Ensemble):
    r"""Softmax attention with a causal mask, :math:`\sqrt l (A - C)` with C its mean, of entries 1/i up to the
    diagonal.

    Parameters and errors as in `Ensemble`; beta is at most 3. Its law is `CausalLaw`, which is about all but the
    largest values, those of the rows of the first tokens.

    Examples
    --------
    >>> import algatt
    >>> ensemble = algatt.spectra.CausalEnsemble(tokens=200, width=200, key_dim=200, beta=0.5)
    >>> algatt.spectra.limit_law(ensemble)
    CausalLaw(beta=0.5, ratio=1.0, tokens=200)
    """

    symbol = r"\sqrt{l}\,(A - C)"
    exponential = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta > LARGEST_BETA:
            raise InvalidArgument("beta", f"{self.beta:g}", f"at most {LARGEST_BETA:g} for causal attention")


@verbs.sample_matrix.method
def sample_causal(ensemble: CausalEnsemble, *, seed: int = 0) -> np.ndarray:
    weights = ensemble.beta * scores(ensemble, seed)
    weights[np.triu_indices(ensemble.tokens, 1)] = -np.inf
    factors = verbs.weigh(Exponential(), weights)  # in place
    weights *= factors[:, np.newaxis]
    return causal_bulk_matrix(weights)


@verbs.limit_law.method
def limit_of_causal(ensemble: CausalEnsemble) -> CausalLaw:
    return CausalLaw(checked_beta(ensemble), ensemble.ratio, ensemble.tokens)


def is_causal(attention: np.ndarray) -> bool:
    """Say whether an attention matrix has a causal mask and no other: zeros above the diagonal, and few below it."""
    A = np.array(attention)
    below = A[np.tril_indices(len(A))]
    return len(A) > 1 and not np.triu(A, 1).any() and bool((below == 0).mean() < 1 / 4) and bool(np.tril(A, -1).any())


def causal_bulk_matrix(attention: np.ndarray) -> np.ndarray:
    r"""Return :math:`\sqrt l (A - C)` of causal attention, with C its mean, of entries 1/i up to the diagonal.

    Unlike the mean of attention without a mask, C has more than one singular value: about :math:`\sqrt l` of those of
    :math:`\sqrt l \, C` are of order 1 or larger.

    Parameters
    ----------
    attention : numpy.ndarray
        An attention matrix A of shape (l, l): entries >= 0, rows that sum to 1, zeros above the diagonal.

    Raises
    ------
    InvalidArgument
        If it is none, or has no causal mask.

    Examples
    --------
    >>> import numpy as np
    >>> from algatt.spectra import causal_bulk_matrix
    >>> causal_bulk_matrix(np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0.25, 0.25, 0], [0.25] * 4]))[2].round(3)
    array([ 0.333, -0.167, -0.167,  0.   ])
    """
    bulk = bulk_matrix(attention)
    if not is_causal(attention):
        raise InvalidArgument("attention", "a matrix without a causal mask", "zero above the diagonal, and not below")
    tokens = len(bulk)
    rows = np.arange(1, tokens + 1)[:, np.newaxis]
    bulk += np.sqrt(tokens) * (1 / tokens - np.tri(tokens) / rows)
    return bulk


def estimated_causal_beta(attention: np.ndarray) -> float:
    r"""Return the beta of causal attention, from the lengths of its rows: the squared norm of row i of A - C is
    :math:`(e^{\beta^2} - 1) (i - 1) / i^2` in the mean, to first order in 1/i.

    Numerical; derived here.

    Raises
    ------
    InvalidArgument
        If it is no attention matrix, has no causal mask, or its entries below the diagonal are equal in every row.

    Examples
    --------
    >>> import numpy as np
    >>> from algatt.spectra import estimated_causal_beta
    >>> scores = np.random.default_rng(0).standard_normal((400, 400))
    >>> A = np.tril(np.exp(0.5 * scores))
    >>> round(estimated_causal_beta(A / A.sum(axis=1, keepdims=True)), 2)
    0.5
    """
    bulk = causal_bulk_matrix(attention)
    tokens = len(bulk)
    rows = np.arange(2, tokens + 1)
    lengths = (bulk[1:] ** 2).sum(axis=1) / tokens
    mean = float((lengths * rows**2 / (rows - 1)).mean())
    if mean < 1e-12:
        raise InvalidArgument("attention", "equal below the diagonal, row by row", "one with different entries")
    return float(np.sqrt(np.log1p(mean)))
