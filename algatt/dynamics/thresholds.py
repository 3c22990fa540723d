"""Thresholds in the inverse temperature, each by its own definition (derived; none is claimed to be the paper's)."""

from __future__ import annotations

import math
from typing import Any

from algatt.arguments import finite_number, whole
from algatt.errors import InvalidArgument


def radial_dominance_threshold(tokens: int, heads: int, *, cosine: float = 0.0, strength: float = 1.0) -> float:
    r"""Return the largest beta at which H equal scalar heads are radially dominant at n tokens of common cosine g
    (derived).

    With exponential weights the condition is
    :math:`e^{\beta \lambda (1-g)} \le \sqrt{(n-1)(1-g)(1+(n-1)g)/(H-1)} - (n-1) g`; at g = 0 the threshold is
    :math:`\beta_c = \tfrac{1}{2 \lambda} \ln \tfrac{n-1}{H-1}`. It is a threshold of the condition, which is
    sufficient: the energies of equal scalar heads grow beyond it too.

    Parameters
    ----------
    tokens : int
        The number n >= 2 of tokens.
    heads : int
        The number H >= 1 of heads.
    cosine : float, optional
        The common cosine g, from -1 / (n - 1) on and less than 1; 0 unless given.
    strength : float, optional
        The strength lambda > 0 of each head; 1 unless given.

    Returns
    -------
    float
        Infinity for one head; 0 if the condition fails at every beta > 0.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.

    Examples
    --------
    >>> from algatt.dynamics import radial_dominance_threshold
    >>> round(radial_dominance_threshold(101, 2), 6)  # ln(100) / 2
    2.302585
    """
    n, H = whole("tokens", tokens, 2), whole("heads", heads)
    g, lambda_ = inner_cosine(n, cosine), positive("strength", strength)
    if H == 1:
        return math.inf
    bound = math.sqrt(max((n - 1) * (1.0 - g) * (1.0 + (n - 1) * g), 0.0) / (H - 1)) - (n - 1) * g
    return math.log(bound) / (lambda_ * (1.0 - g)) if bound > 1.0 else 0.0


def fastest_softmax_temperature(tokens: int, *, cosine: float = 0.0, strength: float = 1.0) -> float:
    r"""Return the beta for which a given strength is the one at which a softmax head clusters fastest (derived).

    The rate :math:`\lambda / (e^{\beta \lambda (1-g)} + n - 1)` of a scalar head, as a function of its strength, is
    largest where :math:`\beta \lambda (1-g) = 1 + W((n-1)/e)` with the Lambert function W. So this is the beta at which
    both weaker and stronger heads are slower. As a function of beta, at a fixed strength, the rate only falls.
    Parameters and errors as for `radial_dominance_threshold`.

    Examples
    --------
    >>> from algatt.dynamics import fastest_softmax_temperature
    >>> beta = fastest_softmax_temperature(101)
    >>> import math
    >>> abs((beta - 1) * math.exp(beta) - 100) < 1e-12 * 100
    True
    """
    from scipy.special import lambertw

    n = whole("tokens", tokens, 2)
    g, lambda_ = inner_cosine(n, cosine), positive("strength", strength)
    return float(1.0 + lambertw((n - 1) / math.e).real) / (lambda_ * (1.0 - g))


def goldilocks_zone(tokens: int, *, share: float = 0.5) -> tuple[float, float]:
    r"""Return both ends of the zone of b in which a softmax head clusters at no less than a share of the largest rate
    (derived; the name is that of P, the definition ours).

    With :math:`b = \beta \lambda (1 - g)` the rate is :math:`b / (e^b + n - 1)` up to a factor. It grows up to
    :math:`1 + W((n-1)/e)` and falls from there on, to 0 at both sides. So a head can be too weak and too strong, and
    what is between is one interval.

    Parameters
    ----------
    tokens : int
        n >= 2.
    share : float, optional
        Between 0 and 1, neither of them.

    Raises
    ------
    InvalidArgument
        If the share is out of range, or there are fewer than two tokens.

    Examples
    --------
    >>> from algatt.dynamics import goldilocks_zone
    >>> [round(end, 3) for end in goldilocks_zone(64)]
    [1.215, 5.461]
    """
    from scipy.optimize import brentq

    n = whole("tokens", tokens, 2)
    if not 0.0 < finite_number("share", share) < 1.0:
        raise InvalidArgument("share", f"{share:g}", "between 0 and 1")

    def excess(b: float) -> float:
        """The logarithm of the rate over the largest one times the share."""
        return log_rate(b, n) - log_rate(top, n) - math.log(share)

    top = fastest_softmax_temperature(n)
    beyond = 2.0 * top
    while excess(beyond) > 0.0:
        beyond *= 2.0
    below = top
    while excess(below) > 0.0:
        below /= 2.0
    ends = (brentq(excess, below, top, xtol=1e-300, rtol=1e-13), brentq(excess, top, beyond, rtol=1e-13))
    return float(ends[0]), float(ends[1])


def log_rate(b: float, tokens: int) -> float:
    """Return the logarithm of b / (e^b + n - 1), where no exponential overflows."""
    larger, smaller = max(b, math.log(tokens - 1)), min(b, math.log(tokens - 1))
    return math.log(b) - larger - math.log1p(math.exp(smaller - larger))


def entropy_growth_cosine(tokens: int, beta: float, *, strength: float = 1.0, normalised: bool = True) -> float:
    r"""Return a cosine of all pairs from which on the entropy of attention of every token grows (derived).

    For one scalar head with :math:`b = \beta \lambda > 0` on the sphere, and n tokens whose cosines are all at least
    :math:`1 - \varepsilon`, the cosine of each pair obeys :math:`s' = \kappa (1 - s)` with :math:`\kappa / \lambda`
    from :math:`2 - 2 \varepsilon - 4 b \varepsilon` to :math:`2 + 4 b \varepsilon` for softmax weights. A token gives
    itself at least the weight 1/n; so no entropy falls if
    :math:`\varepsilon \le 1 / (n (1 + 4 b) - 2 b)`, and with 5 b in place of 4 b for exponentials that are not divided
    by their sum. No cosine falls there, so that it stays so: the first time at which all pairs have come so close is
    one after which all entropies grow.

    Parameters
    ----------
    tokens, strength
        As for `radial_dominance_threshold`.
    beta : float
        The inverse temperature.
    normalised : bool, optional
        Whether the weights are divided by their sum, as those of softmax.

    Raises
    ------
    InvalidArgument
        If there are fewer than two tokens, or beta or the strength is not positive.

    Examples
    --------
    >>> from algatt.dynamics import entropy_growth_cosine
    >>> round(entropy_growth_cosine(10, 1.0), 6)  # 1 - 1/48
    0.979167
    """
    n, b = whole("tokens", tokens, 2), positive("beta", beta) * positive("strength", strength)
    return 1.0 - 1.0 / (n * (1.0 + (4.0 if normalised else 5.0) * b) - 2.0 * b)


def softmax_inflection(tokens: int) -> float:
    r"""Return the number b* up to which the softmax rate :math:`b / (e^b + n - 1)` is concave, and convex beyond
    (derived).

    It solves :math:`(b^* - 2) e^{b^*} = (b^* + 2)(n - 1)`, since the second derivative is
    :math:`e^b ((b - 2) e^b - (b + 2)(n - 1)) / (e^b + n - 1)^3`. With :math:`b = \beta \lambda (1 - g)`, heads of
    unequal strengths are slower than equal ones of the same mean if all their b are at most b*, and faster if all are
    at least b*.

    Parameters
    ----------
    tokens : int
        n >= 2.

    Examples
    --------
    >>> from algatt.dynamics import softmax_inflection
    >>> [round(softmax_inflection(n), 3) for n in (2, 5, 64, 1000)]
    [2.399, 2.998, 4.992, 7.457]
    """
    from scipy.optimize import brentq

    n = whole("tokens", tokens, 2)
    # e^(-b) (b + 2) (n - 1) falls from 2 on; at log(n) + 6 it is less than b - 2
    return float(brentq(lambda b: (b - 2.0) - (b + 2.0) * (n - 1) * math.exp(-b), 2.0, math.log(n) + 6.0, xtol=1e-14))


def relu_crossover(tokens: int, beta: float) -> float:
    r"""Return the common cosine up to which a ReLU head is slower than a softmax head, and from which on it is faster
    (derived).

    One head of strength 1 each. The ReLU rate is larger where :math:`\beta g (e^{\beta (1 - g)} + n - 1) > n`. For
    :math:`\beta g \ge 1` it is, and for :math:`\beta g < 1` the left side grows with g: so there is one such cosine for
    :math:`\beta > 1`, less than :math:`1 / \beta`, and none for :math:`\beta \le 1`, where ReLU is slower all the way.

    Parameters
    ----------
    tokens : int
        n >= 2.
    beta : float
        The inverse temperature.

    Returns
    -------
    float
        Infinity for beta <= 1.

    Examples
    --------
    >>> from algatt.dynamics import relu_crossover
    >>> round(relu_crossover(64, 2.0), 4), round(relu_crossover(64, 8.0), 4), relu_crossover(64, 1.0)
    (0.4864, 0.0027, inf)
    """
    from scipy.optimize import brentq

    n, b = whole("tokens", tokens, 2), positive("beta", beta)
    if b <= 1.0:
        return math.inf

    def excess(g: float) -> float:
        """Divided by e^beta, so that nothing overflows."""
        return b * g * (math.exp(-b * g) + (n - 1) * math.exp(-b)) - n * math.exp(-b)

    return float(brentq(excess, 0.0, 1.0 / b, xtol=1e-300, rtol=1e-13))


def unit_shadow_bound(heads: int) -> float:
    r"""Return the largest shadow of a unit output that is radially dominant over any others whose shadows are at most 1
    (derived).

    With :math:`|f| = 1` the condition is :math:`s^2 + (H-1) s \le 1`: the bound is the inverse of the metallic mean
    :math:`(N + \sqrt{N^2 + 4})/2` of N = H - 1, at two heads the inverse of the golden ratio.

    Parameters
    ----------
    heads : int
        The number H >= 1 of heads.

    Raises
    ------
    InvalidArgument
        If it is no integer of at least 1.

    Examples
    --------
    >>> from algatt.dynamics import unit_shadow_bound
    >>> round(unit_shadow_bound(2), 6)
    0.618034
    """
    N = whole("heads", heads) - 1
    return 2.0 / (N + math.hypot(N, 2.0))


def positive(argument: str, value: Any) -> float:
    """Return a positive number, or raise `InvalidArgument`."""
    number = finite_number(argument, value)
    if number <= 0:
        raise InvalidArgument(argument, f"{number:g}", "larger than 0")
    return number


def inner_cosine(tokens: int, cosine: Any) -> float:
    """Return a cosine that tokens can have and that is less than 1, or raise `InvalidArgument`."""
    g = finite_number("cosine", cosine)
    if not -1.0 / (tokens - 1) <= g < 1.0:
        raise InvalidArgument("cosine", f"{g:g}", f"from {-1.0 / (tokens - 1):g} on and less than 1")
    return g
