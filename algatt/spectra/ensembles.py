"""Random attention matrices and the chain of models that lead from them to a linear one (HCK), as nouns."""

from __future__ import annotations

import warnings
from abc import ABC
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from math import ceil, exp, isinf, sqrt
from typing import ClassVar

from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument
from algatt.spectra.laws import checked_number
from algatt.spectra.linear_law import LARGEST_BETA

MOST_DEGREES = 1500
"""Beyond, the variance beta^(2k) / k! of the term of degree k is less than 1e-300 times the mean exp(beta^2) - 1, for
every beta <= 18.
"""


warned: ContextVar[bool] = ContextVar("warned", default=False)
"""Whether there was a warning already. The filters of warnings belong to all threads, this does not."""


class FiniteSizeWarning(UserWarning):
    """A random matrix is too small for the limit to say anything about it."""


def needed_tokens(beta: float) -> float:
    r"""Return the number of tokens below which nothing is to be seen of the limit: :math:`e^{4 \beta^2}`.

    The squared norm of a row is an average of l variables :math:`e^{2 \beta S - \beta^2}`, nearly log-normal, of
    relative variance :math:`(e^{4 \beta^2} - 1) / l`. So for :math:`\beta > \frac 1 2 \sqrt{\log l}` the rows do not
    average out, and a few entries carry the spectrum. Derived here. This is necessary and not sufficient: at beta = 1
    with 55 tokens the spectrum is at the Wasserstein distance 0.33 from the law, and the Marchenko-Pastur law of the
    same mean only at 0.22. So reports of spectra warn by the distance that they measure.

    Examples
    --------
    >>> from algatt.spectra import needed_tokens
    >>> [round(needed_tokens(beta)) for beta in (0.5, 1, 1.5, 2)]
    [3, 55, 8103, 8886111]
    """
    exponent = 4 * checked_number("beta", beta, positive=False) ** 2
    return exp(exponent) if exponent < 700 else float("inf")


@dataclass(frozen=True)
class Ensemble(ABC):
    r"""Random square matrices of one row for each token, made of scores :math:`S = X W^Q (W^K)^T X^T / \sqrt{d_{qk}}`.

    X has orthonormal rows, the tokens, and the entries of the weights are N(0, 1). So X W^Q and X W^K have independent
    N(0, 1) entries, and are drawn as such: the width has no influence but that there are no more orthonormal rows than
    it has.

    Parameters
    ----------
    tokens : int
        l, at most the width.
    width : int
        d, of a token.
    key_dim : int
        d_qk, of a query or key.
    beta : float
        The inverse temperature, >= 0.

    Raises
    ------
    InvalidArgument
        If a number is out of its range.
    """

    tokens: int
    width: int
    key_dim: int
    beta: float

    symbol: ClassVar[str]
    """How HCK write it, in TeX."""

    exponential: ClassVar[bool] = False
    """Whether entries are exponentials, so that small matrices are far from the limit."""

    has_softmax: ClassVar[bool] = False
    """Whether it is made of attention itself and no model of it: reports warn where it is far from its law."""

    def __post_init__(self) -> None:
        for name in ("tokens", "width", "key_dim"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        object.__setattr__(self, "beta", checked_number("beta", self.beta, positive=False))
        if self.tokens > self.width:
            raise InvalidArgument(
                "tokens",
                f"{self.tokens}, more than the width {self.width}",
                "at most the width, since tokens are orthonormal",
            )
        if self.beta > LARGEST_BETA:
            raise InvalidArgument("beta", f"{self.beta:g}", f"at most {LARGEST_BETA:g}: beyond, exp(beta^2) overflows")
        if self.exponential and not warned.get() and self.tokens < needed_tokens(self.beta):
            self.warn()

    def warn(self) -> None:
        """Warn that there are too few tokens."""
        needed = needed_tokens(self.beta)
        size = "more than 1e+300" if isinf(needed) else f"{ceil(needed):,}" if needed < 1e15 else f"{needed:.1g}"
        message = (
            f"beta {self.beta:g} is large for {self.tokens:,} tokens: about exp(4 beta^2) = {size} are needed "
            f"before the limit law is near, and often more"
        )
        warnings.warn(message, FiniteSizeWarning, stacklevel=4)

    @property
    def ratio(self) -> float:
        """The ratio c = l / d_qk on which the limit depends."""
        return self.tokens / self.key_dim

    @classmethod
    def examples(cls) -> Iterable[Ensemble]:
        """Return instances on which the tests run."""
        return (cls(60, 60, 60, 0.8), cls(40, 50, 80, 0.5))


@dataclass(frozen=True)
class AttentionEnsemble(Ensemble):
    r"""The softmax attention matrix A, the rows of :math:`e^{\beta S}` divided by their sums; its spectrum is that of
    :math:`\sqrt l A_\perp`.

    :math:`A_\perp = A - u u^T` with :math:`u = 1 / \sqrt l`. Its weights are those of `algatt.layers.Exponential`, the
    only score that the limit law is about. Parameters and errors as in `Ensemble`.

    Examples
    --------
    >>> import algatt
    >>> ensemble = algatt.spectra.AttentionEnsemble(tokens=100, width=100, key_dim=100, beta=0.5)
    >>> A = algatt.spectra.sample_matrix(ensemble, seed=0)
    >>> A.shape, bool((A > 0).all()), bool(abs(A.sum(axis=1) - 1).max() < 1e-12)
    ((100, 100), True, True)
    >>> algatt.spectra.limit_law(ensemble)
    AttentionLaw(beta=0.5, ratio=1.0)
    """

    symbol = r"\sqrt{l}\,A_\perp"
    exponential = has_softmax = True


@dataclass(frozen=True)
class ExponentialEnsemble(Ensemble):
    r"""The matrix :math:`Y = e^{\beta S - \beta^2/2} P_\perp / \sqrt l`: the sums of the rows replaced by their mean
    (our reading of HCK).
    """

    symbol = "Y"
    exponential = True


@dataclass(frozen=True)
class EntrywiseEnsemble(Ensemble):
    r"""The matrix :math:`Y^f = f(S) / \sqrt l`, entry by entry, with :math:`f(x) = e^{\beta x - \beta^2/2} - 1`."""

    symbol = "Y^f"
    exponential = True


def checked_degree(degree: int) -> int:
    """Return a degree, or raise `InvalidArgument` if it is none or larger than makes a difference."""
    number = whole("degree", degree)
    if number > MOST_DEGREES:
        raise InvalidArgument(
            "degree", f"{number}", f"at most {MOST_DEGREES}: the terms beyond are less than rounding for every beta"
        )
    return number


@dataclass(frozen=True)
class WithDegree(Ensemble):
    """Models with the degree n of a polynomial."""

    degree: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", checked_degree(self.degree))
        super().__post_init__()


@dataclass(frozen=True)
class PolynomialEnsemble(WithDegree):
    r"""The matrix :math:`Y^Q = Q(S) / \sqrt l` with :math:`Q = \sum_{k=1}^n \beta^k He_k / k!`, the Hermite expansion
    of f up to a degree n (our reading of HCK).
    """

    symbol = "Y^Q"


@dataclass(frozen=True)
class LinearPolynomialEnsemble(WithDegree):
    r"""The linear model of Q, :math:`Y^Q_{lin} = (\alpha_Q Z + \beta S) / \sqrt l`, with
    :math:`\alpha_Q^2 = \sum_{k=2}^n \beta^{2k} / k!`, by the Hermite expansion (our reading of HCK).
    """

    symbol = r"Y^Q_{\mathrm{lin}}"


@dataclass(frozen=True)
class LinearEnsemble(Ensemble):
    r"""The linear model :math:`Y^f_{lin} = (\alpha Z + \beta S) / \sqrt l`.

    The entries of Z are independent N(0, 1), and :math:`\alpha^2 = e^{\beta^2} - 1 - \beta^2`.
    """

    symbol = r"Y^f_{\mathrm{lin}}"


def check_attention(ensemble: object) -> None:
    """Raise `InvalidArgument` unless an ensemble is that of attention."""
    instance("ensemble", ensemble, AttentionEnsemble, "an AttentionEnsemble")


def chain(ensemble: AttentionEnsemble, *, degree: int = 10) -> tuple[Ensemble, ...]:
    """Return the six ensembles that lead from attention to the linear model, in the order of HCK.

    They share their Gaussian matrices, so that draws of one seed can be compared one by one.

    Raises
    ------
    InvalidArgument
        If the ensemble is not that of attention, or the degree not an integer from 1 to 1500.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import chain
    >>> models = chain(algatt.spectra.AttentionEnsemble(50, 50, 50, 0.5))
    >>> [type(model).__name__.removesuffix("Ensemble") for model in models]
    ['Attention', 'Exponential', 'Entrywise', 'Polynomial', 'LinearPolynomial', 'Linear']
    """
    check_attention(ensemble)
    sizes = (ensemble.tokens, ensemble.width, ensemble.key_dim, ensemble.beta)
    token = warned.set(True)  # that of the ensemble itself is enough
    try:
        return (
            ensemble,
            ExponentialEnsemble(*sizes),
            EntrywiseEnsemble(*sizes),
            PolynomialEnsemble(*sizes, degree),
            LinearPolynomialEnsemble(*sizes, degree),
            LinearEnsemble(*sizes),
        )
    finally:
        warned.reset(token)


def hermite_variances(beta: float, degree: int) -> list[float]:
    r"""Return the variances :math:`\beta^{2k} / k!` of the parts of f of degrees 1, ..., degree."""
    variances = [beta**2]
    for k in range(2, degree + 1):
        variances.append(variances[-1] * beta**2 / k)
    return variances


def noise_deviation(variances: list[float]) -> float:
    """Return the standard deviation of what is not linear."""
    return sqrt(sum(variances[1:]))
