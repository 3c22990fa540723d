"""Learning coefficients: how fast the volume of weights with a small error shrinks with the error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import check_fits, draw_inputs
from algatt.arguments import check_over
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField, Rationals, Reals
from algatt.fields.prime import residue
from algatt.geometry.dimensions.dimension import dimension
from algatt.layers import Linear
from algatt.linalg import RowSpace
from algatt.maps.existence import over
from algatt.parameters import Weights

__all__ = ["LearningCoefficient", "deep_linear_coefficient", "learning_coefficient"]

AOYAGI = "Aoyagi, Neural Networks 172 (2024): deep linear networks"
"""The source of the closed formula."""


@dataclass(frozen=True)
class LearningCoefficient:
    r"""Learning coefficients of a regression with a network, for a true function that the network has.

    The inputs have a positive density, and the noise is Gaussian, so the error K of weights is the mean square of the
    difference of values. The local coefficient at theta is the :math:`\lambda` for which the volume of the weights near
    theta with :math:`K < \varepsilon` is of order :math:`\varepsilon^\lambda (-\log \varepsilon)^{m - 1}`, m being the
    multiplicity (Watanabe 2009). That of the function is the smallest local one over all weights of the function.

    Parameters
    ----------
    rank : int
        The rank of the Jacobian at theta modulo a prime, at most that over the reals.
    local : Fraction or None
        The local coefficient at theta, with multiplicity 1: half the rank, where the rank is the dimension, or the
        number of parameters minus that of the orbit of the symmetries. There the weights of the function are a manifold
        near theta. None elsewhere: then it is between `lower` and `upper`.
    status : str
        What `local` is worth: ``proven``, ``probable`` where the dimension is, or ``undecided``.
    function : Fraction or None
        The coefficient of the function by a closed formula; None where none is known.
    multiplicity : int or None
        Its multiplicity.
    source : str or None
        Where the formula is from.
    upper : Fraction
        A proven upper bound of the local coefficient: half of what the number of parameters has more than the orbit of
        the symmetries at theta has dimensions.
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
        """A proven lower bound of the local coefficient: half the rank."""
        return Fraction(self.rank, 2)

    def __str__(self) -> str:
        return f"{self.local} ({self.status})" if self.local is not None else f"from {self.lower} to {self.upper}"


def learning_coefficient(arch: Architecture, theta: Weights) -> LearningCoefficient:
    """Return the learning coefficient of a network at weights, and that of their function where a formula is known.

    Where the rank of the Jacobian at theta is the dimension of the neuromanifold, the error is a sum of as many squares
    in suitable coordinates near theta, and the coefficient is half the dimension. Elsewhere as many squares as the rank
    are a lower bound of the error, and half the rank one of the coefficient. The orbit of theta under the symmetries is
    a manifold on which the error is zero, so near it the error is at most a multiple of the squared distance, and half
    its codimension is an upper bound. Where both bounds agree they are the coefficient, proven also where the dimension
    is not. Half the dimension is no upper bound over the reals: (a^2 + b^2 + c^2) has the dimension 1, and at zero the
    coefficient 3/4. For a chain of linear layers the formula
    of Aoyagi gives the coefficient of the function, which may be smaller than that at theta. Cost: that of
    `algatt.dimension`, and an elimination with a column for each parameter.

    Parameters
    ----------
    arch : Architecture
        A network whose values are rational functions.
    theta : Weights
        Weights over the reals or the rationals; floats are taken for exactly what they are.

    Raises
    ------
    InvalidArgument
        For other networks and fields.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Linear
    >>> arch = algatt.Network(Linear(2) >> Linear(3), tokens=1, width=3)
    >>> found = algatt.learning_coefficient(arch, algatt.sample(arch, algatt.Weights, seed=0, field=algatt.Reals()))
    >>> print(found, found.function)
    4 (proven) 4
    """
    check_fits(arch, theta)
    check_over("theta", theta.field, Reals | Rationals, "over Reals() or Rationals(): the coefficient is about these")
    if not arch.algebraic:
        should = "a network whose values are rational functions; jacobian_spectrum looks at others in floats"
        raise InvalidArgument("arch", f"{arch}, which has {arch.transcendental}", should)
    report = dimension(arch)
    rank = rank_at(arch, theta, report.value)
    codimension = arch.parameters - int(verbs.orbit_dimension(arch, over(Rationals(), theta)))
    smooth = rank == codimension
    regular = smooth or rank == report.value
    widths = linear_widths(arch)
    formula = None if widths is None else deep_linear_coefficient(widths, rank_of_product(theta))
    return LearningCoefficient(
        rank,
        Fraction(rank, 2) if regular else None,
        "proven" if smooth else report.status if regular else "undecided",
        None if formula is None else formula[0],
        None if formula is None else formula[1],
        None if formula is None else AOYAGI,
        Fraction(codimension, 2),
    )


def rank_at(arch: Architecture, theta: Weights, most: int) -> int:
    """Return the rank of the Jacobian at weights modulo a prime, at as many inputs as raise it."""
    field = PrimeField()
    exact = [element.raw for element in over(Rationals(), theta).elements]
    residues = [[residue(Fraction(int(one.p), int(one.q)), field.p) for one in raw.flat] for raw in exact]
    reduced = theta.replace(
        [
            Elements(field, np.array(row, dtype=field.dtype).reshape(raw.shape))
            for row, raw in zip(residues, exact, strict=True)
        ]
    )
    space = RowSpace(field, arch.parameters)
    number = 0
    while True:
        X = Elements(field, draw_inputs(arch, field, 0, number, 1))
        gained = space.add(verbs.jacobian(arch, reduced, X))
        number += 1
        if not gained or space.rank >= most:
            return space.rank


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
