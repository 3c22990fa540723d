"""Rotary positions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.arguments import entries, exact, finite_number, positive, whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements, concatenate
from algatt.layers.positions.base import Position

__all__ = ["Rotary"]


@dataclass(frozen=True, repr=False)
class Rotary(Position):
    r"""Rotary positions: scores :math:`(R^j k_j)^T R^i q_i = k_j^T R^{i - j} q_i` (Su et al., arXiv 2104.09864).

    R turns pair number f of the rows of queries and keys by the angle :math:`\theta_f`. Floats stand for exactly what
    they are. Over GF(p) a random point of the circle stands for :math:`e^{i u}`, of whose angle u all :math:`\theta_f`
    are multiples (see `algatt.verbs.circle_points`).

    Parameters
    ----------
    base : float, optional
        The angle of pair number f is :math:`base^{-2 f / r}`, r being the number of rows that are turned. 10000 unless
        given.
    width : int, optional
        Only the first so many rows are turned; all unless given.
    layout : str, optional
        Which rows are pairs: ``interleaved`` (0 and 1, 2 and 3, ...) or ``halves`` (f and f + r / 2).
    frequencies : sequence of float, optional
        The angles themselves, in place of a base: one for each pair.
    factor : int, float or Fraction, optional
        The rows that are turned are multiplied by it, those of queries and of keys, so that their part of a product is
        by its square: the attention factor of YaRN (arXiv 2309.00071). 1 unless given.

    Raises
    ------
    InvalidArgument
        If a number is out of range, or the rows are not pairs; and, when a network is built, if queries have an odd
        number of rows or too few.
    """

    base: float = 10000.0
    width: int | None = None
    layout: str = "interleaved"
    frequencies: tuple[float, ...] | None = None
    factor: float | Fraction = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", positive("base", self.base))
        if self.width is not None and whole("width", self.width) % 2:
            raise InvalidArgument("width", repr(self.width), "even, as rows are turned in pairs")
        if self.layout not in ("interleaved", "halves"):
            raise InvalidArgument("layout", repr(self.layout), "'interleaved' or 'halves'")
        if self.frequencies is not None:
            numbers = entries("frequencies", self.frequencies, "a sequence of numbers")
            angles = tuple(finite_number(f"frequencies[{i}]", one) for i, one in enumerate(numbers))
            object.__setattr__(self, "frequencies", angles)
        object.__setattr__(self, "factor", positive("factor", self.factor))

    def angles(self, rows: int) -> tuple[float, ...]:
        """Return the angle of each pair for queries with a number of rows."""
        turned = rows if self.width is None else self.width
        if turned % 2 or turned > rows:
            was = f"given queries of {rows} rows, of which it turns {turned}"
            raise WidthError(self, was, "given queries of which it turns an even number of rows")
        if self.frequencies is not None:
            if len(self.frequencies) != turned // 2:
                should = f"given one for each of the {turned // 2} pairs of rows that it turns"
                raise WidthError(self, f"given {len(self.frequencies)} frequencies", should)
            return self.frequencies
        return tuple(float(self.base) ** (-2 * pair / turned) for pair in range(turned // 2))


@verbs.turn.method
def turn_pairs(position: Rotary, X: Elements) -> Elements:
    """The rows come out with pairs beside each other, in queries and keys alike, which no product of the two sees."""
    rows, tokens = X.shape[-2:]
    angles = position.angles(rows)
    turned = 2 * len(angles)
    pairs = X[:turned] if turned < rows else X
    if position.layout == "halves":
        pairs = pairs[[row + half for row in range(len(angles)) for half in (0, len(angles))]]
    pairs = pairs.rotate(angles, tuple(range(tokens)))
    pairs = pairs if position.factor == 1 else pairs * exact("factor", position.factor)
    return concatenate((pairs, X[turned:])) if turned < rows else pairs
