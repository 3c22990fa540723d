r"""Bounds of the dimension from pieces: the diagonal blocks of Jacobians that are block triangular.

At the weights of a `Cut`, and at inputs that are zero but in a set S of parts, the tokens of all layers are zero but in
S, and so are keys and queries. So the entries of the value in S are those of the network of S alone; and to first order
they do not change with an entry of a weight unless its row and its column are in S, since the rows of a change outside
of S meet zeros in scores, and the blocks of later weights in values.

The class of a parameter is the parts of its row and of its column. In the order

    hub and copy 1, with all between them;
    copy g with all between it and the hub, for each g > 1;
    all between the copies g and h, for each pair,

what is left of a group of classes is all that rows at inputs of S = {0, 1}, {0, g} or {0, g, h} see besides. So the
Jacobian with these rows is block triangular, and the sum of the ranks of its diagonal blocks is a lower bound of its
rank. Since all copies have equal weights, there are three different blocks.

The tangent of a generator of a group of a space is zero but in the class of the generator, and those of numbers come
with the first group of rows. So the same bounds the rank of the tangents.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.architectures.base import draw_inputs
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry.dimensions.bounds import Attempt, lower_bound
from algatt.geometry.dimensions.declared import check_symmetries_over_prime
from algatt.geometry.dimensions.elementary.dimension import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.evidence import DiagonalBlock, FamilyRank, LowerBound, Minor, Pieces, UpperBound
from algatt.geometry.dimensions.memory import FLOAT, INTEGER, check_dimension
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.structure.cut import AttentionCut, Cut, pairs_of, reached
from algatt.layers import Affine
from algatt.linalg import RowSpace
from algatt.maps.gradient import gradients
from algatt.memory import check_memory
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry
from algatt.symmetry.named.spaces import NamedSpaces

WITNESSES = 2
"""So many rows of each piece are compared with rows of the whole network."""

WHOLE = 4
"""So many numbers are held at least for each parameter of the whole network: its weights, these rows, and what they are
made of.
"""


def attempt_by_pieces(question: Question, cut: AttentionCut, field: PrimeField | Elementary) -> Attempt:
    """Compute both bounds of a network from its pieces at one point.

    Raises
    ------
    ConditionFailed
        If residues cannot stand for exponentials at this point, or rows of the whole network are not those of a piece.
    """
    prime, seed, progress = PrimeField(field.p), question.options.seed, question.options.progress
    families = [family for family in verbs.symmetries(cut.arch) if isinstance(family, NamedSpaces) and family.found]
    largest = question.about(cut.network(min(2, cut.count)))
    check_dimension(largest, field)
    number = INTEGER if prime.dtype is object else FLOAT
    check_memory(float(WHOLE * number * cut.arch.parameters), "rows of the whole network")
    if largest.arch.algebraic:
        check_symmetries_over_prime(largest, seed)
    else:
        check_symmetries_at_places(largest, cut.weights(min(2, cut.count), prime, seed), seed)
    pieces: list[DiagonalBlock] = []
    for name, copies, times in blocks_of(cut.count):
        pieces.append(piece_of(question, cut, name, copies, times, families, field))
        check_rows(cut, pieces[-1], copies, prime, seed)
        if progress is not None:
            progress(sum(piece.times * piece.lower.value for piece in pieces), cut.arch.parameters)
    return attempt_of_pieces(cut, Pieces(cut.count, tuple(pieces)), field, seed)


def attempt_of_pieces(cut: Cut, evidence: Pieces, field: PrimeField | Elementary, seed: int) -> Attempt:
    """Return the bounds that all pieces make together."""
    lower = lower_bound_of_pieces(cut, evidence)
    removed: dict[str, FamilyRank] = {}
    for piece in evidence.pieces:
        for family in piece.upper.families:
            before = removed.get(family.name, FamilyRank(family.name, 0, family.basis))
            removed[family.name] = dataclasses.replace(before, removes=before.removes + piece.times * family.removes)
    left = cut.arch.parameters - sum(family.removes for family in removed.values())
    return Attempt(field, seed, lower, UpperBound(left, tuple(removed.values()), evidence))


def lower_bound_of_pieces(cut: Cut, evidence: Pieces) -> LowerBound:
    """Return the sum of the ranks of all blocks, with the conditions of the largest piece."""
    pieces = evidence.pieces
    if sum(piece.times * piece.columns for piece in pieces) != cut.arch.parameters:
        raise ConditionFailed("the pieces do not have each parameter once")
    rank = sum(piece.times * piece.lower.value for piece in pieces)
    inputs = sum(piece.times * piece.lower.inputs for piece in pieces)
    return LowerBound(rank, inputs, evidence, conditions=pieces[-1].lower.conditions)


def piece_of(
    question: Question,
    cut: AttentionCut,
    name: str,
    copies: int,
    times: int,
    families: list[NamedSpaces],
    field: PrimeField | Elementary,
) -> DiagonalBlock:
    """Return both bounds of a piece, in the parameters that are its own."""
    theta = cut.weights(copies, PrimeField(field.p), question.options.seed)
    tangents = [(family, tangents_within(cut, name, copies, family, theta)) for family in families]
    return bounds_of_piece(question, cut, name, copies, times, theta, tangents, field)


def bounds_of_piece(
    question: Question,
    cut: Cut,
    name: str,
    copies: int,
    times: int,
    theta: Weights,
    tangents: Iterable[tuple[Symmetry, Elements]],
    field: PrimeField | Elementary,
) -> DiagonalBlock:
    """Return both bounds of a piece at some weights, with tangents of symmetries that have to be zero but in the
    parameters that are its own.
    """
    part, prime, seed = question.about(cut.network(copies)), PrimeField(field.p), question.options.seed
    arch = part.arch
    own = own_classes(name, cut.classes(copies))
    conditions = None if arch.algebraic else conditions_of(part, prime, theta, seed)
    space = RowSpace(prime, arch.parameters, engine=question.options.engine)
    removed = []
    for family, rows in tangents:
        if rows.raw[:, ~own].any():
            raise ConditionFailed(f"tangents of the {family.name} symmetry do not stay in one piece")
        removed.append(FamilyRank(family.name, space.add(rows), family.basis))
    others = np.flatnonzero(~own)
    minor = Minor(space.pivot_rows, (*space.pivot_columns, *others.tolist()), space.determinant)
    upper = UpperBound(int(own.sum()) - space.rank, tuple(removed), minor)
    quiet = part.with_options(progress=None)
    lower = dataclasses.replace(lower_bound(quiet, field, theta, seed, upper), conditions=conditions)
    upper = dataclasses.replace(upper, minor=Minor(space.pivot_rows, space.pivot_columns, space.determinant))
    return DiagonalBlock(name, arch, times, int(own.sum()), lower, upper)


def blocks_of(count: int) -> tuple[tuple[str, int, int], ...]:
    """Return the blocks that occur: their names, how many copies their inputs reach, and how often they occur."""
    blocks = (("hub and copy", 1, 1), ("copy", 1, count - 1), ("pair of copies", 2, math.comb(count, 2)))
    return tuple(one for one in blocks if one[-1])


def own_classes(name: str, classes: np.ndarray) -> np.ndarray:
    """Return which classes are those of a piece: others stand left of them in the order."""
    smaller, larger = classes.T
    if name == "hub and copy":
        return larger <= 1
    return larger == 1 if name == "copy" else (smaller == 1) & (larger == 2)


def tangents_within(cut: AttentionCut, name: str, copies: int, family: NamedSpaces, theta: Weights) -> Elements:
    """Return the tangents of a family at the weights of a piece whose generators are in the classes of its own; those
    of numbers, which move all parts, belong to the first piece alone.
    """
    here = type(family)(cut.network(copies))
    sides = cut.sides(copies)
    wanted = []
    for place in here.places:
        if not place.moves:
            continue
        move = place.moves[0]
        labels = sides[move.tensor][move.side == "columns"]
        if place.number or labels is None:
            wanted.append(np.array([name == "hub and copy"]))
        else:
            wanted.append(own_classes(name, pairs_of(labels, labels)))
    tangents = here.tangent_elements(theta)
    return Elements(tangents.field, tangents.raw[np.concatenate(wanted)])


def witnesses(outputs: int) -> np.ndarray:
    """Return the entries of a value whose rows are compared, from the first one, in the hub, to the last one."""
    return np.arange(WITNESSES) * (outputs - 1) // (WITNESSES - 1)


def check_rows(cut: AttentionCut, piece: DiagonalBlock, copies: int, prime: PrimeField, seed: int) -> None:
    """Compare some rows of a piece with those of the whole network, at the same weights and inputs: the others have to
    be zero.

    Which derivatives vanish is a matter of products alone, so that another score will do where this one is not
    algebraic.
    """
    whole, part = cut.arch, cut.network(copies)
    if not whole.algebraic and isinstance(whole, Normalized) and isinstance(part, Normalized):
        whole, part = (dataclasses.replace(one, score=Affine(1, 1)) for one in (whole, part))
    members = (1,) if piece.name == "hub and copy" else (cut.count,) if copies == 1 else (1, cut.count)
    found, rows = verbs.gradients_where_defined(
        prime, part, cut.weights(copies, prime, seed), seed, np.arange(WITNESSES), witnesses(part.outputs)
    )
    which, outputs = np.divmod(found, part.outputs)
    inputs: np.ndarray = np.zeros((len(which), *whole.input_shape), dtype=rows.raw.dtype)
    first, last = (np.flatnonzero(reached(labels, members)) for labels in cut.ends())
    for row, number in enumerate(which.tolist()):
        inputs[row, first] = draw_inputs(part, prime, seed, number, 1)[0]
    height, token = np.divmod(outputs, part.tokens)
    entries = last[height] * whole.tokens + token
    of_all = gradients(whole, cut.weights(cut.count, prime, seed), Elements(prime, inputs), outputs=entries).raw
    columns = cut.columns(members)
    equal = np.array_equal(of_all[:, columns], rows.raw)
    of_all[:, columns] = 0
    if not equal or of_all.any():
        raise ConditionFailed(f"rows of {whole} are not those of its pieces")
