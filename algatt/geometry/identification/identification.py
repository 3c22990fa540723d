"""What is known of a black box after the parameters of a lightning network were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.display import Rows, Summary, Worth
from algatt.fields import Elements, Field
from algatt.geometry.identification.violation import Violation
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights
from algatt.verbs.views import Summarized


class NotIdentified(Exception):
    """Why no parameters were found.

    Parameters
    ----------
    reason : str
        In words.
    undecided : bool
        Whether there may still be some.
    difference : float, optional
        Over the reals: how far the values are from those of the nearest member that was tried.
    """

    def __init__(self, reason: str, undecided: bool = False, difference: float | None = None) -> None:
        super().__init__(reason)
        self.undecided = undecided
        self.difference = difference


@dataclass(frozen=True, eq=False, repr=False)
class Identification(Summarized):
    """What is known of a black box after `algatt.identify`; true if parameters were found.

    It is false both if there are none and if the question stays open: `status` tells the two apart.

    Parameters
    ----------
    theta : AttentionMatrix, VirtualWeights or None
        The parameters in normal form (see `algatt.canonical`), of type `AttentionMatrix` for one layer and
        `VirtualWeights` for two; zeros for the zero function.
    alternatives : tuple of Parameters
        Parameters of the same function that no rescaling connects to `theta`: the swap of two matrices of rank one
        (HMK Theorem 3.2), if it is another point.
    status : str
        ``probable``: `theta` has the values of the oracle at all inputs that were tried, see `error`. ``proven``: no
        member of the family has the values of the oracle at the inputs that were tried. ``numerical``: over the
        reals, with `theta`, a member has the values at fresh inputs up to the tolerance, or, without, no member has
        values within the tolerance at the inputs that were tried, by bounds of the errors in float64. ``undecided``:
        nothing is claimed, as the method does not apply, or as over the reals the tolerance leaves room for both.
    error : float or None
        For a probable answer: if the oracle is a polynomial of degree at most 3^l, the probability that it differs
        from the function of `theta` and agrees at the fresh random inputs is at most this. Of an oracle that is no
        such polynomial nothing more is known than its values.
    difference : float or None
        Over the reals: the relative difference, in Frobenius norm, of the values at fresh inputs, each divided by the
        3^l-th power of the input's norm; of the nearest member that was found, if it is too large.
    evaluations : int
        The number of inputs at which the oracle was evaluated.
    reason : str
        The evidence in words.
    in_closure : bool or None
        Whether the function is in the closure of the neuromanifold; None where this was not decided.
    violation : Violation or None
        An equation of the closure that the function violates.
    """

    theta: Parameters | None
    alternatives: tuple[Parameters, ...]
    status: str
    error: float | None
    difference: float | None
    evaluations: int
    reason: str
    in_closure: bool | None = None
    violation: Violation | None = None

    def __bool__(self) -> bool:
        return self.theta is not None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command prints it: exact numbers as text."""
        return {
            "found": bool(self),
            "status": self.status,
            "in_closure": self.in_closure,
            "weights": None if self.theta is None else plain_weights(self.theta),
            "violation": None if self.violation is None else str(self.violation),
            "difference": self.difference,
            "reason": self.reason,
        }


def plain_weights(theta: Parameters) -> dict[str, Any]:
    """Return tensors by name, with floats as they are and other numbers as text."""
    return {
        name: [[entry if isinstance(entry, float) else str(entry) for entry in row] for row in element.raw.tolist()]
        for name, element in zip(theta.names(), theta.elements, strict=True)
    }


def coordinates_of(arch: Lightning) -> type[Parameters]:
    """Return the coordinates in which a network is recovered."""
    return AttentionMatrix if arch.layers == 1 else VirtualWeights


def zero(arch: Lightning, field: Field) -> Parameters:
    """Return parameters that are zero."""
    coordinates = coordinates_of(arch)
    arrays = [np.zeros(shape, dtype=np.int64) for shape in verbs.shapes(arch, coordinates)]
    return coordinates(tuple(Elements.of(field, array) for array in arrays))


def difference_from(arch: Lightning, is_zero: bool, difference: float | None = None) -> NotIdentified:
    """Return what to raise if the oracle differs from the candidate at a fresh input."""
    if is_zero and arch.layers == 2:
        vanishes = "the part of the values that is linear in one token vanishes, as if M_1 or M_2 were skew-symmetric"
        return NotIdentified(f"{vanishes}, but the function is not zero", undecided=True, difference=difference)
    kind = "the zero function" if is_zero else "the only function of the family with the values that were asked first"
    return NotIdentified(f"the oracle differs at a random input from {kind}", difference=difference)


def no_products(columns: str, rows: str) -> NotIdentified:
    """Return what to raise if the quadratic forms of a layer are no products."""
    forms = "the quadratic forms of Proposition A.5 are no products (a_k . x)(v_m . x)"
    return NotIdentified(f"{forms} with the columns of {columns} and the rows of {rows}")


def not_of_rank_one() -> NotIdentified:
    """Return what to raise if a function is not that of two layers for its part that is linear in one token."""
    part = "the linear part of the column of one token, next to a second token"
    return NotIdentified(f"{part}, has rank two or more; two layers have rank one")


@verbs.summarize.method
def summary_of_identification(answer: Identification) -> Summary:
    rows: Rows = [("evidence", answer.reason)]
    if answer.theta is not None:
        rows.append(("parameters", f"{answer.theta}"))
    if answer.alternatives:
        rows.append(("others of this function", f"{len(answer.alternatives)}, which no rescaling connects to these"))
    if answer.error is not None:
        rows.append(("error", f"probability of another function at most {answer.error:.1g}"))
    if answer.difference is not None:
        rows.append(("difference", f"{answer.difference:.3g}, relative"))
    rows.append(("evaluations", str(answer.evaluations)))
    found = "parameters found" if answer.theta is not None else "no network of this family"
    return Summary("no answer" if answer.status == "undecided" else found, rows, Worth(answer.status))
