"""Learning coefficients: how fast the volume of weights with a small error shrinks with the error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import NetworkLike, as_architecture, check_fits
from algatt.arguments import check_over
from algatt.fields import Elements, Rationals, Reals
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.implicit.free_tensors import free_tensors
from algatt.geometry.implicit.rank_at_weights import rank_at_weights
from algatt.layers import Linear
from algatt.maps.existence import over
from algatt.parameters import Weights
from algatt.symmetry import Symmetry
from algatt.verbs.views import Tabled

AOYAGI = "Aoyagi, Neural Networks 172 (2024): deep linear networks"
"""The source of the closed formula."""


RANK = "half the rank of the Jacobian"
"""The source of the lower bound at any weights."""

FIBRE = "half the codimension of a manifold of weights of the same function"
"""The source of the upper bound."""


@dataclass(frozen=True)
class LearningCoefficient(Tabled):
    r"""Learning coefficients of a regression with a network, for a true function that the network has.

    The error K of weights is the mean over the inputs of the square of the difference of values, as for Gaussian noise.
    The local coefficient at theta is the :math:`\lambda` for which the volume of the weights near theta with
    :math:`K < \varepsilon` is of order :math:`\varepsilon^\lambda (-\log \varepsilon)^{m - 1}`, m being the
    multiplicity (Watanabe 2009). That of the function is the smallest local one over all weights of the function.

    What is said here holds if

    - the true function is that of theta (the realisable case), and the prior is continuous and positive at theta;
    - the inputs have a positive density on a compact set, which is the closure of a connected open one; sequences of
      tokens have positive probabilities;
    - the network is analytic in weights and inputs around theta and this set: no root of zero is taken, and nothing is
      divided by zero. With gates it is enough that it is continuous and analytic piece by piece. With these, and with
      roots of what may be zero, the set holds the inputs at which the Jacobian was looked at.

    Parameters
    ----------
    rank : int
        A proven lower bound of the rank of the Jacobian at theta.
    local : Fraction or None
        The local coefficient at theta, with multiplicity 1: half the rank, where the rank is that at generic weights,
        or the codimension of a manifold of weights of the same function through theta. Then all weights of the function
        near theta are a manifold. None elsewhere: then it is between `lower` and `upper`.
    status : str
        What `local` is worth: ``proven``; what the dimension is worth; or ``undecided``.
    function : Fraction or None
        The coefficient of the function by a closed formula; None where none is known.
    multiplicity : int or None
        Its multiplicity.
    source : str or None
        Where the formula is from.
    upper : Fraction
        A proven upper bound of the local coefficient: half the codimension of a manifold of weights of the same
        function, made by the symmetries and by tensors that do not matter while others are zero.
    """

    rank: int
    local: Fraction | None
    status: str
    function: Fraction | None
    multiplicity: int | None
    source: str | None
    upper: Fraction

    @property
    def lower(self) -> Fraction:
        """A proven lower bound of the local coefficient: half the rank, or the coefficient of the function."""
        return max(Fraction(self.rank, 2), self.function or Fraction(0))

    @property
    def sources(self) -> tuple[str, str]:
        """What the lower and the upper bound are."""
        by_formula = self.source is not None and self.lower > Fraction(self.rank, 2)
        return str(self.source) if by_formula else RANK, FIBRE

    def __str__(self) -> str:
        return f"{self.local} ({self.status})" if self.local is not None else f"from {self.lower} to {self.upper}"


def learning_coefficient(arch: NetworkLike, theta: Weights) -> LearningCoefficient:
    """Return the learning coefficient of a network at weights, and that of their function where a formula is known.

    Near theta the error is at least a sum of as many squares as the Jacobian has rank there, so half the rank is a
    lower bound. On a manifold of weights of the same function the error is zero, so near it at most a multiple of the
    squared distance, and half its codimension is an upper bound: the orbit of the symmetries, moved along the tensors
    that the function does not depend on while others are zero. Where both bounds agree they are the coefficient. Where
    the rank is that at generic weights, no weights near theta have a larger one; so the weights of the function near
    theta are a manifold of this codimension, and half the rank is the coefficient, too. Half the dimension is no upper
    bound elsewhere: a^2 + b^2 + c^2 has the dimension 1, and at zero the coefficient 3/4. For a chain of linear layers
    the formula of Aoyagi gives the coefficient of the function, which may be smaller than that at theta.

    The rank is computed modulo a prime where the values are rational functions, else over the reals, by enclosures of
    the Jacobian at exactly these weights. `LearningCoefficient` has the hypotheses. Cost: that of `algatt.dimension`,
    and an elimination with a column for each parameter.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        Weights over the reals or the rationals; floats are taken for exactly what they are.

    Raises
    ------
    InvalidArgument
        For weights over other fields.
    UndefinedFunction
        If a denominator is zero at every input.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Linear
    >>> arch = algatt.Network(Linear(2) >> Linear(3), tokens=1, width=3)
    >>> found = algatt.learning_coefficient(arch, algatt.sample(arch, algatt.Weights, seed=0, field=algatt.Reals()))
    >>> print(found, found.function)
    4 (proven) 4
    """
    arch = as_architecture(arch)
    check_fits(arch, theta)
    check_over("theta", theta.field, Reals | Rationals, "over Reals() or Rationals(): the coefficient is about these")
    verbs.has_function(arch, theta).check("theta")
    report = dimension(arch)
    codimension = codimension_of_fiber(arch, theta)
    generic = arch.parameters if report.upper is None else report.upper
    rank = rank_at_weights(arch, theta, min(codimension, generic))
    proven = rank in (codimension, generic)
    regular = proven or rank == report.value
    widths = linear_widths(arch)
    formula = None if widths is None else deep_linear_coefficient(widths, rank_of_product(theta))
    return LearningCoefficient(
        rank,
        Fraction(rank, 2) if regular else None,
        "proven" if proven else report.status if regular else "undecided",
        None if formula is None else formula[0],
        None if formula is None else formula[1],
        None if formula is None else AOYAGI,
        Fraction(codimension, 2),
    )


def codimension_of_fiber(arch: Architecture, theta: Weights) -> int:
    """Return the codimension of a manifold of weights of the same function through a point.

    The symmetries move the weights that free tensors make, and this map has at the point the rank of its tangents: an
    immersion of a slice.
    """
    exact = over(Rationals(), theta)
    dimensions = [int(verbs.orbit_dimension(arch, exact))]
    families: tuple[Symmetry, ...] = verbs.symmetries(arch)
    tangents = [family.tangent_elements(exact).raw for family in families]
    rows = np.vstack([np.zeros((0, arch.parameters), dtype=object), *tangents])
    for names in free_tensors(arch, theta):
        sizes = [(name in names, element.raw.size) for name, element in zip(theta.names(), theta.elements, strict=True)]
        free = np.repeat([one for one, _ in sizes], [size for _, size in sizes])
        beside = rows[:, ~free]
        rank = int(verbs.rank(Elements(Rationals(), beside))) if beside.size else 0
        dimensions.append(int(free.sum()) + rank)
    return arch.parameters - max(dimensions)


def linear_widths(arch: Architecture) -> tuple[int, ...] | None:
    """Return the widths of a chain of linear layers without biases, from the input on; None for other networks."""
    if not isinstance(arch, Network):
        return None
    layers = getattr(arch.layers, "layers", (arch.layers,))
    widths = [layer.width for layer in layers if isinstance(layer, Linear) and not layer.bias]
    return (arch.input_shape[0], *widths) if len(widths) == len(layers) else None


def rank_of_product(theta: Weights) -> int:
    """Return the rank of the product of all matrices over Q."""
    import flint

    product: Any = None
    for element in over(Rationals(), theta).elements:
        rows, columns = element.shape
        matrix = flint.fmpq_mat(rows, columns, element.raw.ravel().tolist())
        product = matrix if product is None else matrix * product
    return int(product.numer_denom()[0].rank())


def deep_linear_coefficient(widths: tuple[int, ...], rank: int) -> tuple[Fraction, int]:
    r"""Return the learning coefficient of a function of a deep linear network, and its multiplicity.

    With :math:`\Delta_s` the widths minus the rank r of the function, in increasing order, and l the number for which
    the first l + 1 have a sum of at least :math:`l \Delta_{l+1}` and less than :math:`l \Delta_{l+2}`, it is

    .. math:: \frac{r (d_0 + d_L) - r^2}{2} + \frac{a (l - a)}{4 l} - \frac{l - 1}{4 l} \Big(\sum \Delta_s\Big)^2
              + \frac 1 2 \sum_{s < t} \Delta_s \Delta_t

    with the multiplicity :math:`a (l - a) + 1`, where :math:`a = \sum \Delta_s - (\lceil \sum \Delta_s / l \rceil - 1)
    l` (Aoyagi 2024).
    """
    excess = sorted(width - rank for width in widths)
    for chosen in range(2, len(excess) + 1):
        length, total = chosen - 1, sum(excess[:chosen])
        if total >= length * excess[chosen - 1] and (chosen == len(excess) or total < length * excess[chosen]):
            break
    a = total - (math.ceil(Fraction(total, length)) - 1) * length
    pairs = (total**2 - sum(one**2 for one in excess[:chosen])) // 2
    value = Fraction(rank * (widths[0] + widths[-1]) - rank**2, 2) + Fraction(a * (length - a), 4 * length)
    return value - Fraction((length - 1) * total**2, 4 * length) + Fraction(pairs, 2), a * (length - a) + 1
