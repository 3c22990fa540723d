"""Directions in which the function does not change although no known symmetry explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits, unflatten
from algatt.display import MOST_ROWS, Rows, Summary, Worth
from algatt.errors import InvalidArgument
from algatt.fields import Elementary, Elements, PrimeField, Rationals
from algatt.geometry.dimensions.bounds import FRESH, all_inputs, false_symmetry
from algatt.geometry.dimensions.elementary.dimension import conditions_of, over_residues
from algatt.geometry.dimensions.elementary.patterns import patterns_of
from algatt.geometry.dimensions.question import Question
from algatt.linalg import Auto, RowSpace
from algatt.linalg.rational import RationalRows
from algatt.parameters import Weights
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized


@dataclass(frozen=True, eq=False)
class UnexplainedKernel(Summarized):
    """The kernel of the Jacobian at a point, modulo the tangents of the known symmetries.

    Parameters
    ----------
    dimension : int
        Its dimension.
    basis : tuple of dict
        For each basis vector the matrices that it moves: from names such as ``V_1`` to public arrays. The basis is in
        echelon form, modulo the tangents, so that its vectors move few entries.
    kernel, explained : int
        Dimensions of the kernel, and of the tangents of the known symmetries.
    inputs : int
        The number of inputs that were looked at.
    status : str
        ``proven`` if nothing is unexplained: the tangents are in the kernel at all inputs, which is in the one that was
        computed. Otherwise ``probable``: more inputs might see a direction.
    error : float or None
        For a probable answer: a bound on the probability that the last input added nothing although there are inputs
        that do; 0 if the network reads tokens and all inputs were looked at, 1 if it does and these are too many.
    """

    dimension: int
    basis: tuple[dict[str, Any], ...]
    kernel: int
    explained: int
    inputs: int
    status: str
    error: float | None

    @property
    def ranks(self) -> tuple[dict[str, int], ...]:
        """For each basis vector the ranks of the matrices in it: a direction of rank one moves a tensor by u v^T."""
        return tuple({name: int(verbs.rank(matrix)) for name, matrix in vector.items()} for vector in self.basis)

    def __repr__(self) -> str:
        moved = [", ".join(vector) for vector in self.basis]
        return f"UnexplainedKernel(dimension={self.dimension}, status={self.status!r}, moves={moved})"


@verbs.unexplained_kernel.method
def unexplained_kernel_of_weights(arch: Architecture, theta: Weights, *, seed: int = 0) -> UnexplainedKernel:
    check_fits(arch, theta)
    field = theta.field
    if not isinstance(field, PrimeField | Rationals):
        should = "over a PrimeField or Rationals(): no float can tell when a rank stops growing"
        raise InvalidArgument("theta", f"over {field}", should)
    theta = verbs.check_point(field, arch, theta, seed=check_seed(seed))
    question = Question(arch)
    jacobian, inputs, error = jacobian_of_enough_inputs(question, field, theta, seed)
    field = jacobian.field
    kernel = verbs.kernel(jacobian).T
    tangents = []
    for family in question.symmetries:
        tangents.append(family.tangent_elements(theta).raw)
        if (jacobian @ Elements(field, tangents[-1]).T).raw.any():
            raise false_symmetry(family.name)
    known = row_form_of_rows(Elements(field, np.vstack(tangents))) if tangents else None
    if known is not None:
        form, pivots = known
        kernel_rest = kernel - Elements(field, kernel.raw[:, list(pivots)]) @ form
    else:
        form, kernel_rest = Elements(field, kernel.raw[:0]), kernel
    rest, _ = row_form_of_rows(kernel_rest)
    count = rest.shape[0]
    return UnexplainedKernel(
        dimension=count,
        basis=tuple(moves(arch, Elements(field, row)) for row in rest.raw),
        kernel=kernel.shape[0],
        explained=form.shape[0],
        inputs=inputs,
        status="probable" if count else "proven",
        error=error if count else None,
    )


@verbs.check_point.method
def check_point_has_a_function(
    field: PrimeField | Rationals, arch: Architecture, theta: Weights, *, seed: int
) -> Weights:
    verbs.has_function(arch, theta).check("theta")
    return theta


@verbs.check_point.method
def check_place_has_conditions(field: Elementary, arch: Architecture, theta: Weights, *, seed: int) -> Weights:
    """What is said of weights over GF(p) with exponentials is said of generic ones."""
    theta = over_residues(field, theta)
    if not arch.algebraic:
        conditions_of(Question(arch), PrimeField(field.p), theta, seed)
    return theta


def inputs_in_a_row(question: Question, field: PrimeField | Rationals, seed: int) -> int:
    """Return how many inputs in a row have to add nothing: with gates, one for each of their patterns at least."""
    arch = question.arch
    if arch.vocabulary is not None:
        return 4 * arch.vocabulary
    if not question.has_gates:
        return 1
    return max(FRESH, len(patterns_of(arch, seed).numbers)) if isinstance(field, Elementary) else FRESH


def jacobian_of_enough_inputs(
    question: Question, field: PrimeField | Rationals, theta: Weights, seed: int
) -> tuple[Elements, int, float]:
    """Return the Jacobian at inputs until one more adds nothing, their number, and an error.

    The error bounds the probability that others would add something. Networks that read tokens are looked at for all
    inputs, or for as many as add nothing for a while, which bounds nothing.
    """
    arch, degree = question.arch, question.degree
    space: RowSpace | RationalRows
    if isinstance(field, Rationals):
        space, drawn = RationalRows(field, arch.parameters), field.drawn
    else:
        space, drawn = RowSpace(PrimeField(field.p), arch.parameters), field.p
    every = all_inputs(arch, seed)
    patience = inputs_in_a_row(question, field, seed)
    blocks: list[np.ndarray] = []
    number, idle = -1, 0
    while idle < patience if every is None else len(blocks) < len(every):
        start = number + 1 if every is None else int(every[len(blocks)])
        number, rows = verbs.jacobian_where_defined(field, arch, theta, seed, start)
        blocks.append(rows.raw)
        idle = 0 if space.add(rows) else idle + 1
    if every is not None:
        missed = 0.0
    elif degree is None or arch.vocabulary is not None:
        missed = 1.0
    else:
        missed = min(1.0, degree.inputs / drawn)
    return Elements(theta.field, np.vstack(blocks)), len(blocks), missed


def row_form_of_rows(matrix: Elements) -> tuple[Elements, tuple[int, ...]]:
    """Return the reduced row echelon form and its pivots."""
    form = verbs.row_reduce(Auto(), matrix.field, matrix.raw)
    return Elements(matrix.field, form.matrix), form.pivots


def moves(arch: Architecture, vector: Elements) -> dict[str, Any]:
    """Return the matrices that a direction moves, by name."""
    parts = unflatten(arch, Weights, vector.public())
    return {
        name: element.public() for name, element in zip(parts.names(), parts.elements, strict=True) if element.raw.any()
    }


@verbs.summarize.method
def summary_of_unexplained_kernel(answer: UnexplainedKernel) -> Summary:
    rows: Rows = [("kernel of the Jacobian", str(answer.kernel)), ("explained by symmetries", str(answer.explained))]
    for number, vector in enumerate(answer.basis[:MOST_ROWS], start=1):
        rows.append((f"  - direction {number}", f"moves {', '.join(vector)}"))
    if len(answer.basis) > MOST_ROWS:
        rows.append(("  - others", str(len(answer.basis) - MOST_ROWS)))
    rows.append(("inputs", str(answer.inputs)))
    if answer.error is not None:
        rows.append(("error", f"probability that more inputs see one of them at most {answer.error:.1g}"))
    count = answer.dimension
    return Summary(f"{count or 'no'} unexplained direction{'s' * (count != 1)}", rows, Worth(answer.status))
