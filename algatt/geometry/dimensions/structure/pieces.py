r"""Bounds of the dimension from pieces: the diagonal blocks of Jacobians that are block triangular.

At the weights of a `Cut`, and at inputs that are zero but in a set S of parts, entries of the value in S are those of
the network of S alone, and to first order they do not change with an entry of a weight unless its row and its column
are in S: `Cut.obstacle` follows what vanishes through the program.

The class of a parameter is the parts of its row and of its column. In the order

    hub and copy 1, with all between them;
    copy g with all between it and the hub, for each g > 1;
    all between the copies g and h, for each pair,

what is left of a group of classes is all that rows at inputs of S = {0, 1}, {0, g} or {0, g, h} see besides. So the
Jacobian with these rows is block triangular, and the sum of the ranks of its diagonal blocks is a lower bound of its
rank. Since all copies have equal weights, there are three different blocks.

The tangent of a generator of a group of a space is zero but in the class of the generator, and those of numbers come
with the first group of rows. So the same bounds the rank of the tangents of attention.

Of any network symmetries are counted with sizes as symbols, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry.dimensions.bounds import Attempt, lower_bound, upper_bound_by_symbols
from algatt.geometry.dimensions.declared import check_symmetries_over_prime
from algatt.geometry.dimensions.elementary.dimension import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.evidence import DiagonalBlock, FamilyRank, LowerBound, Minor, Pieces, UpperBound
from algatt.geometry.dimensions.memory import check_dimension
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.structure.cut import PIECES, Cut
from algatt.linalg import RowSpace
from algatt.symmetry.base import Symmetry
from algatt.symmetry.named.spaces import NamedSpaces


def attempt_by_pieces(question: Question, cut: Cut, field: PrimeField | Elementary) -> Attempt:
    """Compute both bounds of a network: from below, and of attention from above, too, by its pieces at one point.

    Raises
    ------
    ConditionFailed
        If residues cannot stand for exponentials and roots at this point, or results depend on other parts.
    """
    arch, prime, seed, progress = cut.arch, PrimeField(field.p), question.options.seed, question.options.progress
    is_attention = isinstance(arch, Lightning | Normalized)
    reason = cut.obstacle()
    if reason is not None:
        raise ConditionFailed(f"{arch} has {reason}")
    largest = question.about(cut.network(min(2, cut.count)))
    check_dimension(largest, field)
    if arch.algebraic:
        check_symmetries_over_prime(largest, seed)
    else:
        check_symmetries_at_places(largest, cut.weights(min(2, cut.count), prime, seed), seed)
    known = [type(family) for family in verbs.symmetries(arch) if isinstance(family, NamedSpaces) and family.found]
    pieces: list[DiagonalBlock] = []
    for piece, times in cut.pieces():
        part = cut.network(PIECES[piece][1])
        families = [family(part) for family in known] if is_attention else verbs.symmetries(part)
        pieces.append(bounds_of_piece(question.about(part), cut, piece, times, families, field))
        if progress is not None:
            progress(sum(one.times * one.lower.value for one in pieces), arch.parameters)
    evidence = Pieces(cut.count, tuple(pieces), tuple(cut.sizes.items()))
    uppers = [upper_bound_of_pieces(arch.parameters, evidence)] if is_attention else []
    upper = min((*uppers, upper_bound_by_symbols(arch)), key=lambda bound: bound.value)
    return Attempt(field, seed, lower_bound_of_pieces(arch.parameters, evidence), upper)


def upper_bound_of_pieces(parameters: int, evidence: Pieces) -> UpperBound:
    """Return what the tangents of all pieces leave together."""
    removed: dict[str, FamilyRank] = {}
    for piece in evidence.pieces:
        for family in piece.upper.families:
            before = removed.get(family.name, FamilyRank(family.name, 0, family.basis))
            removed[family.name] = dataclasses.replace(before, removes=before.removes + piece.times * family.removes)
    left = parameters - sum(family.removes for family in removed.values())
    return UpperBound(left, tuple(removed.values()), evidence)


def lower_bound_of_pieces(parameters: int, evidence: Pieces) -> LowerBound:
    """Return the sum of the ranks of all blocks, with the conditions of the largest piece."""
    pieces = evidence.pieces
    if sum(piece.times * piece.columns for piece in pieces) != parameters:
        raise ConditionFailed("the pieces do not have each parameter once")
    rank = sum(piece.times * piece.lower.value for piece in pieces)
    inputs = sum(piece.times * piece.lower.inputs for piece in pieces)
    return LowerBound(rank, inputs, evidence, conditions=pieces[-1].lower.conditions)


def bounds_of_piece(
    question: Question,
    cut: Cut,
    piece: int,
    times: int,
    families: Iterable[Symmetry],
    field: PrimeField | Elementary,
) -> DiagonalBlock:
    """Return both bounds of a piece, in the parameters that are its own, with the tangents of symmetries that move no
    others.
    """
    (name, copies), arch, prime, seed = PIECES[piece], question.arch, PrimeField(field.p), question.options.seed
    theta, own = cut.weights(copies, prime, seed), cut.own(piece)
    conditions = None if arch.algebraic else conditions_of(question, prime, theta, seed)
    space = RowSpace(prime, arch.parameters, engine=question.options.engine)
    removed = []
    for family in families:
        tangents = family.tangent_elements(theta)
        inside = tangents.raw[~(tangents.raw[:, ~own] != 0).any(axis=1)]
        removed.append(FamilyRank(family.name, space.add(Elements(prime, inside)), family.basis))
    others = np.flatnonzero(~own)
    minor = Minor(space.pivot_rows, (*space.pivot_columns, *others.tolist()), space.determinant)
    upper = UpperBound(int(own.sum()) - space.rank, tuple(removed), minor)
    quiet = question.with_options(progress=None)
    lower = dataclasses.replace(lower_bound(quiet, field, theta, seed, upper), conditions=conditions)
    upper = dataclasses.replace(upper, minor=Minor(space.pivot_rows, space.pivot_columns, space.determinant))
    return DiagonalBlock(name, arch, times, int(own.sum()), lower, upper)
