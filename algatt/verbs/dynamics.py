"""Verbs of multi-head attention as a flow of tokens.

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


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.velocity"])
def velocity(flow: EquiangularFlow | Flow, tokens: Any, /) -> Any:
    r"""Return the right side of the flow (P): :math:`x_i' = v_i` on the flat space, :math:`x_i' = (I - x_i x_i^T) v_i`
    on the sphere.

    Here :math:`v_i = \frac{1}{n} \sum_h f_i^h`, without the 1/n for softmax weights, with the outputs f of
    `head_outputs`. On the sphere differences of tokens are summed where the pull of a token on itself outweighs the
    others; `algatt.dynamics.velocity_errors` has bounds of the rounding errors. In a `PreNormFlow` all of them are
    those of the directions :math:`x_i / |x_i|`.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        An `EquiangularFlow` gives the derivative of the common cosine g of all pairs of tokens (derived).
    tokens : numpy.ndarray or float
        Shape (d, n); for an `EquiangularFlow` the cosine, a number or an array.

    Returns
    -------
    numpy.ndarray or float
        The shape of `tokens`. Numerical. Cost: that of `head_outputs`, without an array for each head.

    Raises
    ------
    InvalidArgument
        As `head_outputs`; for an `EquiangularFlow` if the cosine is not from -1/(n - 1) to 1.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.shadow"])
def radial_shadow(flow: Flow | EquiangularFlow, tokens: Any, /) -> np.ndarray:
    r"""Return the radial shadows :math:`s_i^h = \langle x_i, f_i^h \rangle` of all heads at all tokens (P).

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`, whose tokens are alike. Numerical. Cost: that of `head_outputs`.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.shadow"])
def radial_dominance(flow: Flow | EquiangularFlow, tokens: Any, /) -> np.ndarray:
    r"""Return the margin of radial dominance, :math:`|P_{x_i} f_i^h|^2 - |s_i^h| \sum_{h' \ne h} |s_i^{h'}|`, at each
    token for each head.

    Where all margins of a head are >= 0, the energy of this head does not decrease on the sphere, if the heads are
    orthogonal, symmetric and aligned and the weights exponential (P; this form is derived). The condition is
    sufficient, not necessary.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical. Cost: that of `head_outputs`.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """
