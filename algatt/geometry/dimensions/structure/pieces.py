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
with the first group of rows. So the same bounds the rank of the tangents of attention.

Blocks of transformers are cut in their streams and neurons, and the hub has all heads. At such inputs the stream stays
zero outside of S: root mean squares add squares, whose derivatives vanish with the coordinates, and divide by the width
of the whole network in all pieces; and what neurons outside of S do to first order, they do to the stream outside of S.
The tangents of their symmetries are those of the whole network at random weights.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.architectures.base import draw_inputs
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, Field, PrimeField, Reals
from algatt.geometry.dimensions.bounds import Attempt, lower_bound, upper_bound
from algatt.geometry.dimensions.declared import check_symmetries_over_prime
from algatt.geometry.dimensions.elementary.dimension import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.evidence import DiagonalBlock, FamilyRank, LowerBound, Minor, Pieces, UpperBound
from algatt.geometry.dimensions.memory import FLOAT, INTEGER, check_dimension
from algatt.geometry.dimensions.memory import tangents as tangents_of
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.structure.cut import PIECES, Cut
from algatt.layers import Affine
from algatt.linalg import RowSpace
from algatt.maps.gradient import gradients
from algatt.memory import check_memory
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry
from algatt.symmetry.named.spaces import NamedSpaces

WITNESSES = 2
"""Number of rows of each piece that are compared with rows of the whole network."""

WHOLE = 4
"""How many numbers are held at least for each parameter of the whole network: its weights, these rows, and what they
are made of.
"""

CLOSE = 1e-9
"""They are equal up to this part of the largest entry, in floating point."""


def attempt_by_pieces(question: Question, cut: Cut, field: PrimeField | Elementary) -> Attempt:
    """Compute both bounds of a network: from below, and of attention from above, too, by its pieces at one point.

    Raises
    ------
    ConditionFailed
        If residues cannot stand for exponentials and roots at this point, or rows of the whole network are not those of
        a piece.
    """
    arch, prime, seed, progress = cut.arch, PrimeField(field.p), question.options.seed, question.options.progress
    is_attention = isinstance(arch, Lightning | Normalized)
    largest = question.about(cut.network(min(2, cut.count)))
    check_dimension(largest, field)
    number = INTEGER if prime.dtype is object else FLOAT
    check_memory(float(WHOLE * number * arch.parameters), "rows of the whole network")
    if not is_attention:
        upper = upper_bound_of_whole(question, prime)
    elif arch.algebraic:
        check_symmetries_over_prime(largest, seed)
    else:
        check_symmetries_at_places(largest, cut.weights(min(2, cut.count), prime, seed), seed)
    known = [type(family) for family in verbs.symmetries(arch) if isinstance(family, NamedSpaces) and family.found]
    pieces: list[DiagonalBlock] = []
    for piece, times in cut.pieces():
        check_rows(cut, piece, prime, seed)
        part = cut.network(PIECES[piece][1])
        families = [family(part) for family in known] if is_attention else verbs.symmetries(part)
        pieces.append(bounds_of_piece(question.about(part), cut, piece, times, families, field))
        if progress is not None:
            progress(sum(one.times * one.lower.value for one in pieces), arch.parameters)
    evidence = Pieces(cut.count, tuple(pieces), tuple(cut.sizes.items()))
    if is_attention:
        upper = upper_bound_of_pieces(arch.parameters, evidence)
    return Attempt(field, seed, lower_bound_of_pieces(arch.parameters, evidence), upper)


def upper_bound_of_whole(question: Question, prime: PrimeField) -> UpperBound:
    """Return what the symmetries of the whole network leave at random weights."""
    check_memory(tangents_of(question, FLOAT), "the elimination of the tangents of the symmetries")
    seed = question.options.seed
    theta = verbs.sample(question.arch, Weights, field=prime, seed=seed)
    check_symmetries_at_places(question, theta, seed)
    return upper_bound(question, prime, theta)


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


def check_rows(cut: Cut, piece: int, prime: PrimeField, seed: int) -> None:
    """Compare some rows of a piece with those of the whole network, at the same weights and inputs: the others have to
    be zero. In floating point unless a network is algebraic.

    Which derivatives vanish is a matter of products alone, so that another score of attention will do.
    """
    copies = PIECES[piece][1]
    whole, part = cut.arch, cut.network(copies)
    if not whole.algebraic and isinstance(whole, Normalized) and isinstance(part, Normalized):
        whole, part = (dataclasses.replace(one, score=Affine(1, 1)) for one in (whole, part))
    members = (1,) if piece == 0 else (cut.count,) if copies == 1 else (1, cut.count)
    field: Field = prime if whole.algebraic else Reals()
    outputs = np.arange(WITNESSES) * (part.outputs - 1) // (WITNESSES - 1)  # from the hub to the last one
    theta, found = cut.weights(copies, field, seed), np.arange(WITNESSES) * part.outputs + outputs
    if whole.algebraic:
        found, _ = verbs.gradients_where_defined(prime, part, theta, seed, np.arange(WITNESSES), outputs)
    which, outputs = np.divmod(found, part.outputs)
    X = np.concatenate([draw_inputs(part, field, seed, number, 1) for number in which.tolist()])
    inputs: np.ndarray = np.zeros((len(which), *whole.input_shape), dtype=X.dtype)
    inputs[:, cut.reached((whole.input_shape[0], 1), members)[:, 0]] = X
    expected = gradients(part, theta, Elements(field, X), outputs=outputs).raw
    height, token = np.divmod(outputs, part.output_shape[1])
    last = np.flatnonzero(cut.reached((whole.output_shape[0], 1), members))
    entries = last[height] * whole.output_shape[1] + token
    of_all = gradients(whole, cut.weights(cut.count, field, seed), Elements(field, inputs), outputs=entries).raw
    columns = np.concatenate([cut.reached(shape, members).ravel() for shape in cut.tensors.values()])
    close = CLOSE * np.abs(expected).max() if field == Reals() else 0
    equal = (np.abs(of_all[:, columns] - expected) <= close).all()
    if not equal or of_all[:, ~columns].any():
        raise ConditionFailed(f"rows of {whole} are not those of its pieces")
