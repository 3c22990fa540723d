"""Verbs of energies and entropies of attention as a flow of tokens.

P is Pendharkar, arXiv 2605.04279; what is called derived is worked out in docs/theory and is no statement of the paper.
Tokens are the columns of an array of shape (d, n). All answers are numerical: float64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import numpy as np

    from algatt.dynamics.equiangular.flow import EquiangularFlow
    from algatt.dynamics.flow import Flow


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.energy"])
def energy(flow: EquiangularFlow | Flow, tokens: Any, /) -> np.ndarray:
    r"""Return the energy of each head,
    :math:`E_h = \frac{1}{2 \beta n^2} \sum_{ij} \Phi(\beta \langle x_i, M_h x_j \rangle)`.

    The total energy is their sum. :math:`\Phi = \exp` for exponential weights (P); for softmax weights it is the same
    energy; for ReLU weights :math:`\Phi(u) = \max(u, 0)^2 / 2`, whose derivative the weights are (derived).

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H,). Numerical. Cost: one product of n x n with d and n^2 exponentials for each head.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit, or exp(beta s) overflows.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.entropy"])
def entropy(flow: EquiangularFlow | Flow, tokens: Any, /) -> np.ndarray:
    r"""Return the entropy of attention, :math:`S_i^h = -\sum_j p_{ij} \ln p_{ij}`.

    Here :math:`p_i = \mathrm{softmax}_j(\beta \langle x_i, M_h x_j \rangle)`, whatever weights the flow has (P).
    Natural logarithms; between 0 and ln n.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical; no exponential overflows. Cost: one product of n x n
        with d and n^2 exponentials for each head.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.entropy"])
def entropy_rate(flow: EquiangularFlow | Flow, tokens: Any, /) -> np.ndarray:
    r"""Return the derivative of the entropy along the flow (derived).

    :math:`dS_i/dt = -\beta^2 \operatorname{Cov}_{p_i}(s_{i\cdot}, ds_{i\cdot}/dt)`, where
    :math:`s_{ij} = \langle x_i, M_h x_j \rangle`. The identity holds for any heads and weights; the covariance has no
    sign in general.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical. Cost: `velocity`, and three products and n^2
        exponentials for each head.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """
