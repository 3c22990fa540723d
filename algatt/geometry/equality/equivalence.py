"""What is known of two points that were compared: whether they are one function, with the evidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures.base import Architecture, check_fits
from algatt.arguments import check_over, proper_fraction
from algatt.display import Rows, Summary, Worth
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import PrimeField, Rationals, Reals
from algatt.geometry.equality.large.comparison import Comparison, name_of_precision
from algatt.geometry.equality.large.half_precision import HALF
from algatt.geometry.equality.plain_elements import plain_array, plain_element
from algatt.geometry.equality.rounding import check_float_sizes
from algatt.parameters import Parameters
from algatt.symmetry import GroupElement
from algatt.symmetry.group import factors_of
from algatt.verbs.views import Summarized

MOST_ENTRIES = 64
"""Maximum number of entries of an input that are printed all."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Two points of a network that were compared.

    Parameters
    ----------
    arch : Architecture
        The network.
    first, second : Parameters
        The points.
    """

    arch: Architecture
    first: Parameters
    second: Parameters


@dataclass(frozen=True, eq=False, repr=False)
class Equivalence(Summarized):
    """Whether two sets of parameters define one function, with the evidence.

    Parameters
    ----------
    equal : bool or None
        The decision; None where there is none: `algatt.same_function` raises that, `algatt.compare` returns it.
    status : str
        ``proven``; ``probable`` (equal at random inputs, see `error`); ``numerical`` (over the reals, but for values
        that balls tell apart); or ``undecided``.
    element : GroupElement or None
        If equal and in one orbit: the g with ``act(g, theta1) == theta2`` in the coordinates `coordinates`. For the
        zero function it may be missing.
    coordinates : type or None
        The finest coordinate system, at or below those of the parameters, in which one orbit holds both.
    separating_input : array or None
        If not equal: an input of shape (d_0, t) at which the functions differ.
    error : float or None
        For a probable answer: a bound on the probability that two different functions agree at all the random inputs.
    distance : float or None
        Over the reals: the largest distance of values that were compared, relative to their size; or of the parameters
        that `element` carries onto each other, where no values were.
    reason : str
        The evidence in words.
    compared : Compared or None
        The network and the points that were compared.
    comparison : Comparison or None
        For large networks over the reals: what was found space by space and tensor by tensor.
    lengths : tuple of int and (int or None), or None
        For checkpoints: the least and the greatest number of tokens for which they are known to be one function, None
        for the greatest if they are for all numbers. Where more tokens tell them apart they are not equal.
    """

    equal: bool | None
    status: str
    element: GroupElement | None
    coordinates: type[Parameters] | None
    separating_input: Any
    error: float | None
    distance: float | None
    reason: str
    compared: Compared | None = field(default=None, repr=False)
    comparison: Comparison | None = field(default=None, repr=False)
    lengths: tuple[int, int | None] | None = None

    def __bool__(self) -> bool:
        if self.equal is None:
            raise EquivalenceUndecided(self.reason, self.comparison)
        return self.equal

    @property
    def tensor(self) -> str | None:
        """The first tensor that no element reaches, by the name of the file if it has one; None if there is none."""
        if self.comparison is None or not self.comparison.broken:
            return None
        first = self.comparison.broken[0]
        return self.comparison.names.get(first, first)

    @property
    def hypothesis(self) -> str | None:
        """What makes the functions different, in words, if that is known: a rewrite, or a field of the config."""
        return None if self.comparison is None else self.comparison.hypothesis

    @classmethod
    def undecided(cls, error: EquivalenceUndecided) -> Equivalence:
        """Return what is known where nothing is decided."""
        distance = None if error.comparison is None else error.comparison.difference
        return cls(None, "undecided", None, None, None, None, distance, str(error), None, error.comparison)

    def about(self, arch: Architecture, first: Parameters, second: Parameters) -> Equivalence:
        """Return the answer with what it is about."""
        return replace(self, compared=Compared(arch, first, second))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON; group elements by their matrices, rational numbers as texts."""
        return {
            "equal": self.equal,
            "status": self.status,
            "reason": self.reason,
            "coordinates": None if self.coordinates is None else self.coordinates.__name__,
            "element": None if self.element is None or self.comparison else plain_element(self.element),
            "separating_input": None if self.separating_input is None else plain_array(self.separating_input),
            "error": self.error,
            "distance": self.distance,
            **({} if self.lengths is None else {"lengths": list(self.lengths)}),
            **({} if self.comparison is None else {"comparison": self.comparison.to_dict()}),
        }


def check_points(arch: Architecture, theta1: Parameters, theta2: Parameters, error: float, tolerance: float) -> None:
    """Raise `InvalidArgument` unless two points can be compared: over GF(p), the rationals, or the reals, where
    products of their matrices stay within floats.
    """
    check_fits(arch, theta1)
    check_fits(arch, theta2)
    if theta1.field != theta2.field:
        raise InvalidArgument("theta2", f"over {theta2.field}", f"over {theta1.field}, as theta1 is")
    check_over("theta1", theta1.field, PrimeField | Rationals | Reals, "over a PrimeField, Rationals() or Reals()")
    for name, value in (("error", error), ("tolerance", tolerance)):
        proper_fraction(name, value)
    for theta in (theta1, theta2):
        check_float_sizes(theta)


def enclosed_difference(X: np.ndarray, difference: float) -> Equivalence:
    """Return the answer that two functions differ at an input, as enclosures prove."""
    reason = f"the values at an input differ by {difference:.3g} of their size, as enclosures by balls prove"
    return Equivalence(False, "proven", None, None, X, None, difference, reason)


def check_existence(have_functions: bool) -> None:
    """Raise `EquivalenceUndecided` unless both points are known to have functions: what follows looks at no values."""
    if not have_functions:
        raise EquivalenceUndecided("no input was found at which both networks have values, and none is excluded")


@verbs.summarize.method
def summary_of_equivalence(answer: Equivalence) -> Summary:
    rows: Rows = [("evidence", answer.reason)]
    if answer.element is not None and answer.coordinates is not None:
        if answer.comparison is None:
            element = f"{answer.element}" if factors_of(answer.element) else "the identity"
            rows += [("element", element), ("acting on", answer.coordinates.__name__)]
        else:
            rows.append(("element", in_spaces(answer.comparison)))
    if answer.lengths is not None:
        most = answer.lengths[1]
        known = "all" if most is None else f"all up to {most} token{'s' * (most != 1)}"
        rows.append(("lengths" if answer.equal else "equal for", known))
    if answer.separating_input is not None:
        rows.append(("input", shortened(answer.separating_input)))
    if answer.error is not None:
        rows.append(("error", f"probability of a missed difference at most {answer.error:.1g}"))
    if answer.distance is not None:
        rows.append(("distance", in_words_of_distance(answer)))
    if answer.equal is None:
        return Summary("undecided", rows)
    if answer.equal and answer.comparison is not None and answer.comparison.precision <= HALF:
        name = name_of_precision(answer.comparison.precision)
        return Summary(f"one function to the precision of {name}", rows, Worth(answer.status))
    return Summary("one function" if answer.equal else "two functions", rows, Worth(answer.status))


def in_words_of_distance(answer: Equivalence) -> str:
    """Return the largest distance of values in words, beside what rounding makes if that is known."""
    found = f"{answer.distance:.3g}, relative"
    if answer.comparison is None or not np.isfinite(answer.comparison.rounding):
        return found
    return (
        f"{found}; rounding to {name_of_precision(answer.comparison.precision)} makes {answer.comparison.rounding:.3g}"
    )


def shortened(array: Any) -> str:
    """Return an array as text, with its ends alone if it is long."""
    with np.printoptions(threshold=MOST_ENTRIES):
        return f"{array}"


def in_spaces(comparison: Comparison) -> str:
    """Return in words what acts in the spaces of a large network."""
    counts = Counter(one.letter for one in comparison.spaces if one.residual is not None)
    return ", ".join(f"{group} in {count} space{'s' * (count != 1)}" for group, count in counts.items())
