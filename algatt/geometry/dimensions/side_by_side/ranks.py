"""The dimension of a transformer of any size by ranks near weights at which its blocks stand side by side.

docs/theory/side_by_side.md has the proof. All parts but the first heads read one stream, and write to one coordinate of
it each. So each coordinate has a matrix of its own, and what all coordinates have in common is small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import draw_tokens
from algatt.errors import NotEnoughMemory, NoValue
from algatt.fields import Adjoint, AdjointArray, Elements, FloatBalls
from algatt.fields.adjoint import pull_back
from algatt.fields.float_ball import BALL
from algatt.geometry.dimensions.ball_bounds import pivots_of
from algatt.geometry.dimensions.evidence import Parts, RepeatedPart
from algatt.geometry.dimensions.real_point import ball_weights
from algatt.geometry.dimensions.side_by_side.transformer import (
    Inner,
    NotCovered,
    Reader,
    Transformer,
    in_turn,
    readers_of,
    transformer_of,
)
from algatt.layers import AcrossHeads, Feedforward, Heads, Layer, LearnedPosition, ReLU, Residual, RMSNorm
from algatt.linalg.regular import schur_complement
from algatt.memory import check_memory
from algatt.parameters import Weights

FIELD = FloatBalls()

SPARE = 8, 16
"""More sequences than are needed are read: one in so many, and so many."""

SMALL = 1e-12
"""Squares of pivots that are smaller are due to rounding."""

BYTES = 64.0
"""Of an entry of the matrix of all coordinates: as balls, with an approximate inverse."""

Rows = tuple[np.ndarray, np.ndarray]
"""Derivatives of one coordinate of the stream at some sequences: by the parameters that no other depends on, and by
those that all may depend on.
"""


def parts_by_ranks(
    arch: Network, seed: int, upper: int, progress: Callable[[int, int], object] | None
) -> tuple[Parts, int]:
    """Return what parts of a transformer show at a point that the seed names, and the number of inputs it reads there;
    `upper` bounds the dimension.

    Raises
    ------
    NotCovered
        If it has parts of other kinds, or needs more memory than there is, or a matrix is not proven to be regular.
    """
    parts, inputs, each = at_vectors(arch, seed, upper) if arch.vocabulary is None else at_tokens(arch, seed, upper)
    ranks, left = [], []
    try:
        for own, common in each:
            rank, rest = eliminated(own, common)
            ranks.append(rank)
            left.append(rest)
            if progress is not None:
                progress(sum(one.times * one.lower for one in parts) + sum(ranks), upper)
        rest = np.concatenate(left)
        rows, _, columns = pivot_rows_and_columns(rest["mid"])
        regular = verbs.is_regular(FIELD, rest[np.ix_(rows, columns)])
    except (NotEnoughMemory, NoValue) as error:
        raise NotCovered(f"since {error}") from None
    if not regular:
        raise NotCovered("since floats do not prove a rank")
    parts += [RepeatedPart("coordinate of the stream", times, rank) for rank, times in Counter(ranks).items() if rank]
    name = "scores" if arch.vocabulary is None else "embedding and scores"
    return Parts((*parts, *([RepeatedPart(name, 1, len(columns))] if len(columns) else []))), inputs


Looked = tuple[list[RepeatedPart], int, Iterator[Rows]]
"""What is known without a rank, the number of inputs, and the rows of each coordinate."""


def at_vectors(arch: Network, seed: int, upper: int) -> Looked:
    """Look at a network that reads vectors and adds to them."""
    readers = [reader for layer in in_turn(arch.layers) for reader in readers_of(layer)]
    check_readers(readers)
    width, tokens = arch.output_shape
    heads = [reader.layer for reader in readers if isinstance(reader.layer, Heads)]
    written = min([width, *(layer.groups * layer.widths((width, tokens))[1] for layer in heads)])
    X = verbs.draw_array(FIELD, shape=(with_spare(upper, written), width, tokens), seed=seed, label="inputs")
    layers = [(RMSNorm(reader.norm.eps, gain=False), reader.layer) for reader in readers]
    return [], len(X), coordinates(layers, X, count(seed))


def at_tokens(arch: Network, seed: int, upper: int) -> Looked:
    """Look at a transformer that reads tokens."""
    model = transformer_of(arch)
    first = model.blocks[0] if model.blocks else ()
    if len(first) != 1 or not isinstance(first[0].layer, Heads):
        raise NotCovered("for a network whose first block is not heads alone")
    if model.tied or model.unembedding.bias or model.of_differences:
        raise NotCovered("for a network with ties, biases or differences of logits")
    vocabulary, width = model.embedding.vocabulary, model.width
    if vocabulary < width:
        raise NotCovered("for a network with fewer tokens than coordinates of the stream")
    check_readers(model.readers, vocabulary * width)
    tokens = draw_tokens(arch, seed, 0, with_spare(upper - (vocabulary - width) * width, width))
    tokens[:, -1] = np.arange(len(tokens)) % vocabulary  # in the end a token is seen best
    tokens = np.unique(tokens, axis=0)
    plain = [RepeatedPart("unembedding of a token", vocabulary - width, width)] if vocabulary > width else []
    return plain, len(tokens), coordinates_at_tokens(model, seed, tokens)


def with_spare(rank: int, width: int) -> int:
    """Return how many inputs are read for a rank of rows of so many coordinates."""
    needed = -(-rank // width)
    return needed + needed // SPARE[0] + SPARE[1]


def check_readers(readers: Sequence[Reader], common: int = 0) -> None:
    """Check that layers are of kinds that are looked at here, and that there is memory for what coordinates have in
    common: some parameters, and queries and keys.
    """
    for reader in readers:
        layer = reader.layer
        known = isinstance(layer, Feedforward) and not isinstance(layer.activation, ReLU)
        known = known or (isinstance(layer, Heads) and not isinstance(layer.norm, AcrossHeads))
        if not known or reader.after is not None or not isinstance(reader.norm, RMSNorm):
            raise NotCovered(f"for a network that has {layer}, or LayerNorm, or a norm behind it")
        if isinstance(layer, Heads):
            common += (layer.heads + layer.groups) * (layer.width or 1)
    try:
        check_memory(BYTES * common**2, "the rank of what coordinates have in common")
    except NotEnoughMemory as error:
        raise NotCovered(f"since {error}") from None


@dataclass(frozen=True, eq=False)
class NetworkAtPoint:
    """A network that reads vectors, at a point.

    Parameters
    ----------
    arch : Network
        The network.
    theta : Weights
        The point.
    """

    arch: Network
    theta: Weights

    @classmethod
    def at(cls, seed: int, layer: Layer, shape: tuple[int, int], given: dict[str, np.ndarray]) -> NetworkAtPoint:
        """Return a network of a layer at random weights, but for some tensors that are given by their names."""
        arch = Network(layer, width=shape[0], tokens=shape[1])
        theta = ball_weights(arch, FIELD, seed)
        named = zip(theta.names(), theta.elements, strict=True)
        return cls(
            arch,
            theta.replace([Elements.of(FIELD, given[name]) if name in given else tensor for name, tensor in named]),
        )

    def derivatives(self, X: np.ndarray) -> Iterator[dict[str, np.ndarray]]:
        """Iterate over the coordinates of the value at the last token, with the derivatives of each by each tensor, for
        each input.
        """
        field, (rows, tokens) = Adjoint(FIELD), self.arch.output_shape
        leaves = [AdjointArray(element.raw) for element in self.theta.elements]
        lifted = self.theta.replace([Elements(field, leaf) for leaf in leaves])
        value = verbs.evaluate(self.arch, lifted, Elements(field, AdjointArray(X))).raw
        names = [name.partition(".")[2] for name in self.theta.names()]
        for i in range(rows):
            unit = np.zeros((len(X), rows, tokens))
            unit[:, i, -1] = 1
            found = pull_back(FIELD, value, verbs.encode(FIELD, unit), leaves)
            yield {name: part for name, part in zip(names, found, strict=True) if part is not None}


def coordinates_at_tokens(model: Transformer, seed: int, tokens: np.ndarray) -> Iterator[Rows]:
    r"""Iterate over the coordinates of the stream with their rows at some sequences, multiplied by the inverse of the
    derivative of the last norm.

    Norms have no gains, and such an epsilon that they are :math:`x / \sqrt{|x|^2 + 1}` up to a factor.
    """
    width, shape, seeds = model.width, (model.width, model.tokens), count(seed)
    norm = RMSNorm(Fraction(1, width), gain=False)
    no_position = {"position.P": np.zeros((model.tokens, width))}
    first = NetworkAtPoint.at(
        next(seeds), LearnedPosition() >> Residual(norm >> model.blocks[0][0].layer), shape, no_position
    )
    embedding = verbs.draw_array(FIELD, shape=(model.embedding.vocabulary, width), seed=seed, label="embedding")
    X = verbs.transpose(FIELD, embedding[tokens])
    Y = verbs.evaluate(first.arch, first.theta, Elements(FIELD, X)).raw
    if not verbs.is_regular(FIELD, Y[:width, :, -1]):
        raise NotCovered("since the stream is not seen to be spanned")
    parts = coordinates([(norm, reader.layer) for reader in model.readers[1:]], Y, seeds)
    for i, (found, (own, common)) in enumerate(zip(first.derivatives(X), parts, strict=True)):
        stream = [changes_of_unembedding(Y[:, :, -1], i), *by_tokens(found.pop("P"), tokens, model)]
        stream += [part.reshape(len(tokens), -1) for part in found.values()]
        yield own, np.concatenate([*stream, common], axis=1)


def coordinates(readers: Iterable[tuple[Layer, Inner]], stream: np.ndarray, seeds: Iterator[int]) -> Iterator[Rows]:
    """Iterate over the coordinates of a stream with the derivatives of what some layers, each behind a norm, add to it
    at the last token if all of them read the same.
    """
    inputs, *shape = stream.shape
    own: list[list[np.ndarray]] = [[np.zeros((inputs, 0), dtype=BALL)] for _ in range(shape[0])]
    heads = []
    for norm, layer in readers:
        if isinstance(layer, Heads):
            piece = NetworkAtPoint.at(next(seeds), norm >> layer, (shape[0], shape[1]), outputs_of(layer, shape))
            heads.append((layer, piece.derivatives(stream)))
        elif isinstance(layer, Feedforward):
            add_neurons(own, norm, layer, stream[:, :, -1:], seeds)
    for i, columns in enumerate(own):
        common = [np.zeros((inputs, 0), dtype=BALL)]
        for layer, derivatives in heads:
            for name, part in next(derivatives).items():
                letter, _, number = name.removeprefix("b_").partition("_")
                if letter == "O":
                    columns.append(part[:, i])
                elif letter == "V":
                    columns.append(part[:, written_to(layer, shape, int(number) - 1) == i].reshape(inputs, -1))
                else:
                    common.append(part.reshape(inputs, -1))
        yield np.concatenate(columns, axis=1), np.concatenate(common, axis=1)


def written_to(layer: Heads, shape: Sequence[int], group: int) -> np.ndarray:
    """Return to which coordinate of the stream each coordinate of the values of a group is written: if there are more
    values than coordinates, groups overlap, but few write to the same ones.
    """
    values = layer.widths((shape[0], shape[1]))[1]
    start = group * values
    return (start + start // shape[0] + np.arange(values)) % shape[0]


def outputs_of(layer: Heads, shape: Sequence[int]) -> dict[str, np.ndarray]:
    """Return the matrices by which heads write to the stream."""
    each = layer.heads // layer.groups
    units = np.eye(shape[0])
    return {
        f"heads.O_{head + 1}": np.ascontiguousarray(units[:, written_to(layer, shape, head // each)])
        for head in range(layer.heads)
    }


def add_neurons(
    own: list[list[np.ndarray]], norm: Layer, layer: Feedforward, stream: np.ndarray, seeds: Iterator[int]
) -> None:
    """Append derivatives by the parameters of neurons to those of each coordinate: all neurons may write to it, but
    only some have their rows there.
    """
    written = []
    for i, columns in enumerate(own):
        size = len(range(i, layer.hidden, len(own)))
        if size:
            some = Feedforward(size, layer.activation, layer.gated, layer.bias, width=1)
            shape = len(own), 1
            given = {"feedforward.down": np.ones((1, size))}
            found = next(NetworkAtPoint.at(next(seeds), norm >> some, shape, given).derivatives(stream))
            written.append(found.pop("down")[:, 0])
            columns += [part.reshape(len(part), -1) for part in found.values()]
    for columns in own:
        columns += written


def changes_of_unembedding(stream: np.ndarray, i: int) -> np.ndarray:
    r"""Return coordinate i of :math:`M y + y\, (y^T M y)` for the matrices M with one entry, which is not below the
    diagonal: what is below is antisymmetric but for these, and a rotation of the stream.
    """
    rows, columns = np.triu_indices(stream.shape[1])
    y = Elements(FIELD, stream[:, [i]])
    left, right = Elements(FIELD, stream[:, rows]), Elements(FIELD, stream[:, columns])
    raw: np.ndarray = (y * left * right + right * (rows == i).astype(int)).raw
    return raw


def by_tokens(derivatives: np.ndarray, tokens: np.ndarray, model: Transformer) -> Iterator[np.ndarray]:
    """Yield the derivatives by the embedding, and by learned positions, of those by the vector at each position."""
    every = np.arange(len(tokens))
    columns = np.zeros((len(tokens), model.embedding.vocabulary, model.width), dtype=BALL)
    for at, token in enumerate(tokens.T):
        columns[every, token] = verbs.add(FIELD, columns[every, token], derivatives[:, at])
    yield columns.reshape(len(tokens), -1)
    if model.position is not None:
        yield derivatives.reshape(len(tokens), -1)


def eliminated(own: np.ndarray, common: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the rank in some columns, and what an elimination of these leaves of the others."""
    rows, others, columns = pivot_rows_and_columns(own["mid"])
    minor, below = own[np.ix_(rows, columns)], own[np.ix_(others, columns)]
    return len(rows), schur_complement(minor, common[rows], below, common[others])


def pivot_rows_and_columns(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows and columns of a minor as large as the rank that floats see, with all other rows between them.

    Rows are not scaled, nor are small columns: they may be zero but for rounding.
    """
    import scipy.linalg

    if not matrix.size:
        return np.arange(0), np.arange(len(matrix)), np.arange(0)
    lengths = np.linalg.norm(matrix, axis=0)
    scaled = matrix / np.maximum(lengths, max(lengths.max() * SMALL**0.5, SMALL))
    _, order, rank, _ = scipy.linalg.lapack.dpstrf(scaled.T @ scaled, tol=SMALL)
    columns = np.sort(order[:rank] - 1)
    _, rows = pivots_of(scaled[:, columns])
    return rows[:rank], rows[rank:], columns
