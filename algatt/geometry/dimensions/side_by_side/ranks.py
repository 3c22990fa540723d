"""The dimension of a transformer of any size by ranks near weights at which its blocks stand side by side.

docs/theory/side_by_side.md has the proof. All parts but the first heads read one stream, and write to one coordinate of
it each. So each coordinate has a matrix of its own, and what all coordinates have in common is small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import draw_tokens
from algatt.errors import NotEnoughMemory, NoValue
from algatt.fields import Elements, FloatBalls
from algatt.fields.float_ball import BALL
from algatt.geometry.dimensions.ball_bounds import pivots_of
from algatt.geometry.dimensions.evidence import Part, Parts
from algatt.geometry.dimensions.real_point import ball_weights
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered, Transformer
from algatt.layers import AcrossHeads, Feedforward, Heads, Layer, LearnedPosition, ReLU, Residual, RMSNorm
from algatt.linalg.regular import schur_complement
from algatt.maps.gradient import gradients
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
    arch: Network, model: Transformer, seed: int, upper: int, progress: Callable[[int, int], object] | None
) -> tuple[Parts, int]:
    """Return what parts of a transformer show at a point that the seed names, and the number of sequences it reads
    there; `upper` bounds the dimension.

    Raises
    ------
    NotCovered
        If it has parts of other kinds, or needs more memory than there is, or a matrix is not proven to be regular.
    """
    check_parts(model)
    width, plain = model.width, model.embedding.vocabulary - model.width
    needed = -(-(upper - plain * width) // width)
    tokens = draw_tokens(arch, seed, 0, needed + needed // SPARE[0] + SPARE[1])
    tokens[:, -1] = np.arange(len(tokens)) % model.embedding.vocabulary  # in the end a token is seen best
    tokens = np.unique(tokens, axis=0)
    ranks, left = [], []
    try:
        check_memory(BYTES * common_parameters(model) ** 2, "the rank of what coordinates have in common")
        for own, common in coordinates(model, seed, tokens):
            rank, rest = eliminated(own, common)
            ranks.append(rank)
            left.append(rest)
            if progress is not None:
                progress(plain * width + sum(ranks), upper)
        rest = np.concatenate(left)
        rows, _, columns = pivot_rows_and_columns(rest["mid"])
        regular = verbs.is_regular(FIELD, rest[np.ix_(rows, columns)])
    except (NotEnoughMemory, NoValue) as error:
        raise NotCovered(f"since {error}") from None
    if not regular:
        raise NotCovered("since floats do not prove a rank")
    parts = [Part("unembedding of a token", plain, width)] if plain else []
    parts += [Part("coordinate of the stream", times, rank) for rank, times in Counter(ranks).items() if rank]
    return Parts((*parts, Part("embedding and scores", 1, len(columns)))), len(tokens)


def check_parts(model: Transformer) -> None:
    """Check that all parts of a transformer are of kinds that are looked at here."""
    first = model.blocks[0] if model.blocks else ()
    if len(first) != 1 or not isinstance(first[0].layer, Heads):
        raise NotCovered("for a network whose first block is not heads alone")
    if model.tied or model.unembedding.bias or model.of_differences or not isinstance(model.norm, RMSNorm):
        raise NotCovered("for a network with ties, biases or differences of logits, or LayerNorm")
    if model.embedding.vocabulary < model.width:
        raise NotCovered("for a network with fewer tokens than coordinates of the stream")
    for reader in model.readers:
        layer = reader.layer
        plain = isinstance(layer, Feedforward) and not isinstance(layer.activation, ReLU)
        if reader.after is not None or not (
            plain or (isinstance(layer, Heads) and not isinstance(layer.norm, AcrossHeads))
        ):
            raise NotCovered(f"for a network that has {layer}, or a norm behind it")


def common_parameters(model: Transformer) -> int:
    """Return about how many parameters the derivatives of all coordinates of the stream have in common."""
    of_scores = sum((layer.heads + layer.groups) * keys for layer, keys, _ in model.heads)
    return (model.embedding.vocabulary + of_scores) * model.width


@dataclass(frozen=True, eq=False)
class Piece:
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
    def at(cls, seed: int, layer: Layer, shape: tuple[int, int], given: dict[str, np.ndarray]) -> Piece:
        """Return a network of a layer at random weights, but for some tensors that are given by their names."""
        arch = Network(layer, width=shape[0], tokens=shape[1])
        theta = ball_weights(arch, FIELD, seed)
        named = zip(theta.names(), theta.elements, strict=True)
        return cls(
            arch,
            theta.replace([Elements.of(FIELD, given[name]) if name in given else tensor for name, tensor in named]),
        )

    def derivatives(self, X: np.ndarray, coordinate: int) -> dict[str, np.ndarray]:
        """Return the derivatives of one coordinate of the value at the last token, for each input, by each tensor."""
        outputs = np.full(len(X), (coordinate + 1) * self.arch.tokens - 1)
        rows = gradients(self.arch, self.theta, Elements(FIELD, X), outputs=outputs).raw
        shapes = verbs.coordinates(self.arch)
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
        parts = np.split(rows, ends[:-1], axis=1)
        return {
            name.partition(".")[2]: part.reshape(len(X), *shape)
            for (name, shape), part in zip(shapes.items(), parts, strict=True)
        }


def coordinates(model: Transformer, seed: int, tokens: np.ndarray) -> Iterator[Rows]:
    r"""Iterate over the coordinates of the stream with their rows at some sequences, multiplied by the inverse of the
    derivative of the last norm.

    Norms have no gains, and such an epsilon that they are :math:`x / \sqrt{|x|^2 + 1}` up to a factor.
    """
    width, shape, seeds = model.width, (model.width, model.tokens), count(seed)
    norm = RMSNorm(Fraction(1, width), gain=False)
    no_position = {"position.P": np.zeros((model.tokens, width))}
    first = Piece.at(next(seeds), LearnedPosition() >> Residual(norm >> model.blocks[0][0].layer), shape, no_position)
    embedding = verbs.draw_array(FIELD, shape=(model.embedding.vocabulary, width), seed=seed, label="embedding")
    X = verbs.transpose(FIELD, embedding[tokens])
    Y = verbs.evaluate(first.arch, first.theta, Elements(FIELD, X)).raw
    if not verbs.is_regular(FIELD, Y[:width, :, -1]):
        raise NotCovered("since the stream is not seen to be spanned")
    own: list[list[np.ndarray]] = [[np.zeros((len(tokens), 0), dtype=BALL)] for _ in range(width)]
    heads = []
    for reader in model.readers[1:]:
        layer = reader.layer
        if isinstance(layer, Heads):
            heads.append((layer, Piece.at(next(seeds), norm >> layer, shape, outputs_of(layer, shape))))
        elif isinstance(layer, Feedforward):
            add_neurons(own, norm, layer, Y[:, :, -1:], seeds)
    for i in range(width):
        found = first.derivatives(X, i)
        common = [changes_of_unembedding(Y[:, :, -1], i), *by_tokens(found.pop("P"), tokens, model)]
        common += [part.reshape(len(tokens), -1) for part in found.values()]
        for layer, piece in heads:
            for name, part in piece.derivatives(Y, i).items():
                letter, _, number = name.removeprefix("b_").partition("_")
                if letter == "O":
                    own[i].append(part[:, i])
                elif letter == "V":
                    rows = written_to(layer, shape, int(number) - 1) == i
                    own[i].append(part[:, rows].reshape(len(tokens), -1))
                else:
                    common.append(part.reshape(len(tokens), -1))
        yield np.concatenate(own[i], axis=1), np.concatenate(common, axis=1)


def written_to(layer: Heads, shape: tuple[int, int], group: int) -> np.ndarray:
    """Return to which coordinate of the stream each coordinate of the values of a group is written."""
    values = layer.widths(shape)[1]
    return (group * values + np.arange(values)) % shape[0]


def outputs_of(layer: Heads, shape: tuple[int, int]) -> dict[str, np.ndarray]:
    """Return the matrices by which heads write to the stream."""
    each = layer.heads // layer.groups
    units = np.eye(shape[0])
    return {
        f"heads.O_{head + 1}": np.ascontiguousarray(units[:, written_to(layer, shape, head // each)])
        for head in range(layer.heads)
    }


def add_neurons(
    own: list[list[np.ndarray]], norm: RMSNorm, layer: Feedforward, stream: np.ndarray, seeds: Iterator[int]
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
            found = Piece.at(next(seeds), norm >> some, shape, given).derivatives(stream, 0)
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
