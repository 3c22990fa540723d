"""Verbs of singular values: random attention matrices, their laws, and distances between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import numpy as np

    from algatt.checkpoints.checkpoint import Checkpoint
    from algatt.layers.activations import Activation
    from algatt.layers.scores import SoftCap, Unnormalized
    from algatt.parameters.base import Weights
    from algatt.spectra.ensembles import Ensemble
    from algatt.spectra.laws import Law


@declare(homes=["algatt.spectra.draws"])
def sample_matrix(ensemble: Ensemble, /, *, seed: int = 0) -> np.ndarray:
    r"""Draw a random matrix.

    Parameters
    ----------
    ensemble : Ensemble
        `AttentionEnsemble`, or a model that approximates it.
    seed : int, optional
        Names the draw. Ensembles that differ in nothing but their class, degree or beta share their Gaussian matrices.

    Returns
    -------
    numpy.ndarray
        Shape (tokens, tokens): the attention matrix A itself, or the model of :math:`\sqrt l A_\perp`. Numerical: the
        Gaussian entries are the same on every platform up to rounding. Cost: one product of (tokens, key_dim) by
        (key_dim, tokens).
    """


@declare(homes=["algatt.spectra.draws"])
def squared_singular_values(source: Any, /, *, seed: int = 0, drop: int | None = None) -> np.ndarray:
    r"""Return the squared singular values of a matrix, or of a random one, in decreasing order.

    Parameters
    ----------
    source : Ensemble or numpy.ndarray
        A model, or a matrix of shape (rows, columns); for the spectrum of an attention matrix A, the matrix
        ``bulk_matrix(A)``. Of an `AttentionEnsemble` it is the spectrum of :math:`\sqrt l A_\perp`, not of A.
    seed : int, optional
        Names the draw of an ensemble.
    drop : int, optional
        How many of the largest are left out: 3 for an ensemble, as in HCK's figures, and 0 for a matrix unless given.

    Returns
    -------
    numpy.ndarray
        min(rows, columns) - drop numbers >= 0. Numerical: the eigenvalues of a Gram matrix, with an error of about
        1e-15 times the largest one. Cost: one product of matrices and the eigenvalues of a symmetric one.

    Raises
    ------
    InvalidArgument
        If the matrix is not real and finite, its squares overflow, or so many values are dropped that none is left.
    """


@declare(homes=["algatt.spectra.draws"])
def limit_law(ensemble: Ensemble, /) -> Law:
    r"""Return the law to which the squared singular values of an ensemble converge (HCK).

    The limit is that of many tokens l with l / key_dim and beta fixed; it depends on these two numbers only.

    Parameters
    ----------
    ensemble : Ensemble
        `AttentionEnsemble`, or a model that approximates it.

    Returns
    -------
    AttentionLaw or LinearLaw
        Of a `LayerEnsemble` an `ExpressionLaw`, and of a `CausalEnsemble` a `CausalLaw`.

    Raises
    ------
    InvalidArgument
        If beta is 0: the limit is the point mass at zero, which has no density.
    """


@declare(homes=["algatt.spectra.layers.finite_size"])
def finite_law(ensemble: Ensemble, /) -> Law:
    r"""Return the law of the linear model whose variances are those of so many tokens, not of the limit (derived).

    The mean of its law for attention is that of draws, exactly; the deviations of higher moments are of the same order
    1/l, but smaller.

    Parameters
    ----------
    ensemble : AttentionEnsemble, LayerEnsemble or CausalEnsemble
        What is drawn. The law of causal attention has the variances of its rows anyway.

    Returns
    -------
    ExpressionLaw or CausalLaw
        Numerical.

    Raises
    ------
    InvalidArgument
        If beta is 0, or larger than 8.
    """


@declare(homes=["algatt.checkpoints.attention", "algatt.spectra.draws"])
def attention_matrix(
    theta: Checkpoint | Weights,
    inputs: Any,
    /,
    *,
    layer: int = 1,
    head: int | None = None,
    beta: float = 1.0,
    score: Activation | Unnormalized | SoftCap | None = None,
    masked: bool = True,
) -> np.ndarray:
    r"""Return the attention matrix of one layer's queries and keys, or those of the heads of a checkpoint.

    :math:`A = \mathrm{softmax}(\beta S)` row by row, :math:`S = (Q X)^T K X / \sqrt a`, so that row i says where token
    i looks; or what else a score makes of the products :math:`\beta (Q X)^T K X`.

    Parameters
    ----------
    theta : Weights or Checkpoint
        Over the reals; Q and K of shape (a, d). Of a checkpoint the matrix is that of the network, with norms,
        positions, biases and masks.
    inputs : numpy.ndarray
        The input X of that layer, of shape (d, t), its tokens as columns. The limit law is about orthonormal tokens,
        X^T X = 1. For a checkpoint, the numbers of tokens, as many as there are; or, in floats, what the layer reads;
        or what the network reads, if that is no tokens.
    layer : int, optional
        Counted from 1; of a checkpoint, among its layers of attention.
    head : int, optional
        Of a checkpoint, which head, counted from 1; all unless given.
    beta : float, optional
        The inverse temperature, >= 0.
    score : Score, Unnormalized or SoftCap, optional
        How products become weights, as for `algatt.layers.Heads`; unless given, softmax of the products divided by the
        root of a. The limit law is about softmax.
    masked : bool, optional
        Of a checkpoint, whether this layer has its mask, true unless given; the layers before it have theirs.

    Returns
    -------
    numpy.ndarray
        Shape (t, t), or (heads, t, t) for all heads of a checkpoint, of rows that sum to 1 unless the score is
        `algatt.layers.Unnormalized`. Numerical.

    Raises
    ------
    InvalidArgument
        If the field is not that of the reals, a shape, a number or the score does not fit, or there is no such layer
        or head.
    ScoreOverflow
        If scores are too large for float64.
    DivisionByZero
        If the values of a score sum up to zero.
    """


@declare
def density(law: Law, points: Any, /) -> Any:
    """Return the density of a law at real points, without its mass at zero; 0 outside of the support.

    Numerical: relative errors of about 1e-13, or 1e-16 c for the upper interval of the support if l / d_qk tends to c >
    1000; they grow like 1e-16 / distance at the ends of the support. Cost: about 4 microseconds a point, of laws that
    are computed point by point about a millisecond, after a second for their support.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    points : number or array
        Where; any shape.

    Returns
    -------
    float or numpy.ndarray
        Of the shape of the points.

    Raises
    ------
    InvalidArgument
        If points are NaN or no numbers.
    """


@declare
def cdf(law: Law, points: Any, /) -> Any:
    """Return the distribution function of a law at real points, the mass at zero included from zero on.

    In closed form, of the Cauchy transform; of laws that are computed point by point, by quadrature. Numerical:
    absolute errors of about 1e-14. Cost: about 4 microseconds a point.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    points : number or array
        Where; any shape.

    Returns
    -------
    float or numpy.ndarray
        Of the shape of the points.

    Raises
    ------
    InvalidArgument
        If points are NaN or no numbers.
    """


@declare
def quantile(law: Law, probabilities: Any, /) -> Any:
    """Return the smallest points at which the distribution function of a law reaches given probabilities.

    Numerical, by Newton's method: square roots of points are resolved to 1e-14 of that of the edge; points of
    `FussCatalan`, most of which are much smaller, to about 1e-12 of themselves.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    probabilities : number or array
        In [0, 1]; any shape.

    Returns
    -------
    float or numpy.ndarray
        Of the same shape.

    Raises
    ------
    InvalidArgument
        If a probability is not in [0, 1].
    """


@declare
def stieltjes(law: Law, points: Any, /) -> Any:
    r"""Return the Stieltjes transform :math:`m(z) = \int \frac{d\nu(x)}{x - z}` of a law at complex points; on the
    support its limit from above.

    Numerical. Its imaginary part there is pi times the density. It is infinite at zero if the support begins there.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    points : number or array
        Real or complex; any shape.

    Returns
    -------
    complex or numpy.ndarray
        Of the shape of the points.

    Raises
    ------
    InvalidArgument
        If points are NaN, infinite or no numbers.
    """


@declare
def support(law: Law, /) -> tuple[tuple[float, float], ...]:
    """Return the intervals of the support of a law's density, as increasing pairs (low, high). Numerical, to the last
    digits; of laws that are computed point by point to about 1e-11 of the edge.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    """


@declare
def moments(law: Law, count: int | np.integer, /) -> tuple[float, ...]:
    """Return the moments of orders 1, ..., count of a law, as floats: sums of positive terms, right to a few units of
    the last place.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    count : int
        How many, at least 1.

    Returns
    -------
    tuple of float

    Raises
    ------
    InvalidArgument
        If the count is not an integer >= 1, or so large that floats overflow.
    """


@declare
def free_cumulants(law: Law, count: int | np.integer, /) -> tuple[float, ...]:
    """Return the free cumulants of orders 1, ..., count of a law, as floats.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    count : int
        How many, at least 1.

    Returns
    -------
    tuple of float

    Raises
    ------
    InvalidArgument
        If the count is not an integer >= 1, or so large that floats overflow.
    """


@declare(homes=["algatt.spectra.distances"])
def wasserstein_distance(one: Any, two: Any, /) -> float:
    r"""Return the Wasserstein-1 distance :math:`\int |F_1(x) - F_2(x)| dx` of two samples, a sample and a law, or two
    laws.

    Numerical: exact up to rounding for samples, to about 1e-7 with a law. Cost: for a sample and a law about 0.2
    milliseconds a value.

    Parameters
    ----------
    one, two : numpy.ndarray or Law
        A sample is an array of numbers of any shape.

    Raises
    ------
    InvalidArgument
        If a sample is empty, or not finite.
    """


@declare(homes=["algatt.spectra.distances"])
def kolmogorov_distance(one: Any, two: Any, /) -> float:
    r"""Return the Kolmogorov distance :math:`\sup_x |F_1(x) - F_2(x)|` of two samples, a sample and a law, or two laws.

    Numerical; for two laws over a grid of about 10^4 points, a lower bound.

    Parameters
    ----------
    one, two : numpy.ndarray or Law
        A sample is an array of numbers of any shape.

    Raises
    ------
    InvalidArgument
        If a sample is empty, or not finite.
    """
