r"""Bounds from the parts of transformers that read tokens: jets at tokens that are zero.

**Jets.** Let all embeddings be :math:`\varepsilon` times what they are, and that of one token, the *filler*, be zero.
Differences of values at sequences that have a token or the filler at each of some positions S are, up to higher powers,
:math:`\varepsilon^{|S|}` times the derivative of the value by the tokens of S, each once, at the input zero. The rank
of a matrix of power series is at least that of its leading coefficients, rows and columns scaled as one likes. So the
generic rank is at least the rank of the Jacobian of these derivatives, which are rational.

**Fillers.** Tokens beyond those of the parts are fillers, too: nothing but they themselves changes a sequence of one
of them, and its own number in the value.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.errors import ConditionFailed
from algatt.fields import Elements, Jets, PrimeField, Reals
from algatt.fields.jets import derivatives, jets
from algatt.geometry.dimensions.evidence import FamilyRank, LowerBound, Minor, Piece, Pieces, UpperBound
from algatt.geometry.dimensions.memory import FLOAT
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.report import Attempt
from algatt.geometry.dimensions.structure.blocks import leaves
from algatt.geometry.dimensions.structure.cut import pairs_of
from algatt.geometry.dimensions.structure.tokens import TokenCut, largest_length
from algatt.layers import RMSNorm
from algatt.linalg import RowSpace
from algatt.maps.gradient import gradients, pull_back
from algatt.memory import check_memory
from algatt.parameters import Weights
from algatt.randomness import random_words

__all__ = ["attempt_of_tokens"]

SEQUENCES = 8
"""So many sequences are looked at together; when these add nothing to a rank, no more are."""

MOST_CHECKED = 2**22
"""Rows of pieces are compared with those of whole networks with at most so many parameters."""

CLOSE = 1e-6
"""They are equal up to this part of the largest entry, in floating point."""


def attempt_of_tokens(question: Question, cut: TokenCut, prime: PrimeField) -> Attempt:
    """Bound the dimension from below by the pieces, and from above by the symmetries of the whole network, which are
    counted with sizes as symbols.

    Raises
    ------
    ConditionFailed
        If rows of the whole network are not those of a piece.
    """
    seed, progress = question.options.seed, question.options.progress
    largest = cut.network(min(2, cut.count))
    numbers = 2 * FLOAT * SEQUENCES * largest.input_shape[0] * largest.parameters * 2**largest.tokens
    check_memory(float(numbers), "the jets of two parts of the network")
    for parts in range(1, min(2, cut.count) + 1):
        check_rows(cut, parts, seed)
    upper = upper_bound_by_symbols(cut.arch)
    pieces: list[Piece] = []
    for name, parts, times in (
        ("part", 1, cut.count),
        ("filler", 1, cut.count * cut.fillers),
        ("pair of parts", 2, math.comb(cut.count, 2)),
    ):
        if not times:
            continue
        pieces.append(piece_of(question, cut, name, parts, times, prime))
        if progress is not None:
            progress(sum(piece.times * piece.lower.value for piece in pieces), upper.value)
    evidence = Pieces(cut.count, tuple(pieces))
    if sum(piece.times * piece.columns for piece in pieces) != cut.arch.parameters:
        raise ConditionFailed("the pieces do not have each parameter once")
    rank = sum(piece.times * piece.lower.value for piece in pieces)
    inputs = sum(piece.times * piece.lower.inputs for piece in pieces)
    return Attempt(prime, seed, LowerBound(rank, inputs, evidence), upper)


def upper_bound_by_symbols(arch: Network) -> UpperBound:
    """Return the number of parameters less what the symmetries remove at least."""
    found = verbs.symbolic_symmetries(arch)
    spaces = [FamilyRank(one.name, (one.dimension or 0) * one.copies, "typed") for one in found.spaces]
    families = (*spaces, *(FamilyRank(one.name, one.dimension * one.copies, "quotient") for one in found.arrows))
    removed = arch.parameters - found.upper
    if sum(family.removes for family in families) != removed:  # some move along each other
        families = (FamilyRank("all symmetries", removed, "typed"),)
    return UpperBound(found.upper, families, Minor((), (), 1))


def piece_of(question: Question, cut: TokenCut, name: str, parts: int, times: int, prime: PrimeField) -> Piece:
    """Return the rank of the jets of some parts in the parameters of a piece."""
    net, seed = cut.network(parts), question.options.seed
    smaller, larger = np.concatenate([pairs_of(*labels) for labels in cut.sides(net, parts).values()]).T
    own = {"part": smaller == larger, "filler": smaller == 0, "pair of parts": (smaller == 1) & (larger == 2)}[name]
    space = RowSpace(prime, int(own.sum()), engine=question.options.engine)
    inputs = 0
    for number, rows in enumerate(rows_of_jets(net, cut.weights(net, parts, prime, seed), prime, seed)):
        added = space.add(Elements(prime, rows[:, own]))
        inputs += SEQUENCES if number else 1
        if number and not added:
            break
    minor = Minor(space.pivot_rows, space.pivot_columns, space.determinant)
    nothing = UpperBound(int(own.sum()), (), Minor((), (), 1))
    return Piece(name, net, times, int(own.sum()), LowerBound(space.rank, inputs, minor), nothing)


def rows_of_jets(net: Network, theta: Weights, prime: PrimeField, seed: int) -> Iterator[np.ndarray]:
    """Yield rows of the value at the last token: first at the filler alone, then the jets at random sequences.

    An entry is the derivative by a parameter of a mixed derivative of one number of the value.
    """
    vocabulary, tokens = net.input_shape
    field = Jets(prime, tokens)
    lifted = theta.replace([Elements(field, jets(field, element.raw[None])) for element in theta.elements])
    number = np.arange(vocabulary)
    value = np.zeros((1, vocabulary, vocabulary, tokens))
    value[0, number, number, -1] = 1
    filler = np.zeros((1, vocabulary, vocabulary, tokens))
    filler[0, :, 0] = 1
    yield rows_at(net, lifted, field, filler, value)
    many, start = np.repeat(value, SEQUENCES, axis=1), 0
    while True:
        inputs = np.zeros((2**tokens, SEQUENCES, vocabulary, vocabulary, tokens))
        for sequence in range(SEQUENCES):
            words = random_words(seed, f"jet/{start + sequence}", tokens).tolist()
            for position, word in enumerate(words):
                inputs[1 << position, sequence, :, 1 + word % (vocabulary - 1), position] = 1
        yield rows_at(net, lifted, field, inputs.reshape(2**tokens, -1, vocabulary, tokens), many)
        start += SEQUENCES


def rows_at(net: Network, theta: Weights, field: Jets, inputs: np.ndarray, forms: np.ndarray) -> np.ndarray:
    """Return the coefficients of the derivatives of linear forms of the value, one for each input."""
    X, cotangents = (Elements(field, jets(field, array)) for array in (inputs, forms))
    return derivatives(pull_back(net, theta, X, cotangents).raw).reshape(-1, net.parameters)


def check_rows(cut: TokenCut, parts: int, seed: int) -> None:
    """Compare rows of the network of some parts with rows of the whole network, in floating point, at vectors in place
    of tokens: the others have to be zero. A network of s of d coordinates has eps times d / s.
    """
    whole, field = cut.arch, Reals()
    if whole.parameters > MOST_CHECKED:
        return
    whole = dataclasses.replace(whole, tokens=largest_length(whole))
    sides, theta = cut.sides(whole, cut.count), cut.weights(whole, cut.count, field, seed)
    eps = next(layer.eps for layer in leaves(whole.layers) if isinstance(layer, RMSNorm))
    piece = cut.network(parts, eps * cut.count / parts)
    members = (cut.count,) if parts == 1 else (1, cut.count)
    elements, scales, mine = [], [], []
    for element, (name, (rows, columns)) in zip(theta.elements, sides.items(), strict=True):
        inside = np.isin(rows, members)
        inside[0] |= name.endswith((".E", ".U"))  # one filler
        also = np.ones(1, dtype=bool) if columns is None else np.isin(columns, members)
        mine.append((inside[:, None] & also[None]).ravel())
        if not mine[-1].any():
            continue
        scales.append(np.full(mine[-1].sum(), (cut.count / parts) ** 0.5 if columns is None else 1.0))
        elements.append(Elements(field, element.raw[np.ix_(inside, also)] * scales[-1][0]))
        if name.endswith(".E"):
            tokens = np.flatnonzero(inside)
    X = verbs.draw_array(field, shape=(2, *piece.input_shape), seed=seed, label="witnesses")
    inputs = np.zeros((2, *whole.input_shape))
    inputs[:, tokens] = X
    last = np.array([len(tokens) - 1, len(tokens) // 2])
    where = last * piece.tokens + piece.tokens - 1, tokens[last] * whole.tokens + whole.tokens - 1
    small = Weights(tuple(elements), tuple(verbs.coordinates(piece)))
    expected = gradients(piece, small, Elements(field, X), outputs=where[0]).raw * np.concatenate(scales)
    found = gradients(whole, theta, Elements(field, inputs), outputs=where[1]).raw
    own = np.concatenate(mine)
    equal = np.abs(found[:, own] - expected).max() <= CLOSE * np.abs(expected).max()
    found[:, own] = 0
    if not equal or found.any():
        raise ConditionFailed(f"rows of {whole} are not those of its parts")
