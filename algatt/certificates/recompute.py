"""The numbers of a certificate, computed a second time: plain Python integers and FLINT, the chain rule by hand, no numpy and no dual numbers.

Nothing here may import the code whose results it checks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from typing import Any

__all__ = ["FAMILIES", "Point", "determinant", "families_of", "jacobian_minor", "point", "tangent_minor", "tangent_rows"]

Matrix = Any
"""A ``flint.nmod_mat``."""


def stream(seed: int, label: str, count: int, p: int) -> list[int]:
    """Return residues of the stream that is described in every certificate."""
    limit = 2**64 - 2**64 % p
    text = f"algatt/1/{seed}/{label}".encode("ascii")
    length = count
    while True:
        octets = hashlib.shake_256(text).digest(8 * length)
        words = (int.from_bytes(octets[i : i + 8], "little") for i in range(0, len(octets), 8))
        residues = [word % p for word in words if word < limit]
        if len(residues) >= count:
            return residues[:count]
        length += count + 16


@dataclass(frozen=True)
class Point:
    """Weights of a lightning network modulo p, as FLINT matrices.

    Parameters
    ----------
    dims, ranks : list of int
        Widths and ranks.
    tokens : int
        Number of tokens.
    p : int
        The prime.
    seed : int
        Names the weights and the inputs.
    layers : list of (Q, K, V)
        The weights.
    """

    dims: list[int]
    ranks: list[int]
    tokens: int
    p: int
    seed: int
    layers: list[tuple[Matrix, Matrix, Matrix]]

    @property
    def starts(self) -> list[tuple[int, int, int]]:
        """Where Q, K and V of each layer start among the parameters."""
        starts, position = [], 0
        for i, a in enumerate(self.ranks):
            size = a * self.dims[i]
            starts.append((position, position + size, position + 2 * size))
            position += 2 * size + self.dims[i + 1] * self.dims[i]
        return starts

    @cached_property
    def unreached(self) -> list[list[list[int]]]:
        """For each layer the rows n with n L = 0, where L is the product of the V of the layers before it, as `null_vectors` gives them."""
        L = matrix(self.dims[0], self.dims[0], [int(i == j) for i in range(self.dims[0]) for j in range(self.dims[0])], self.p)
        vectors = []
        for (_, _, V), r in zip(self.layers, reach(self.dims), strict=False):
            vectors.append(null_vectors(L.transpose(), r))
            L = V * L
        return vectors

    @cached_property
    def unread(self) -> list[list[list[int]]]:
        """For each layer the columns n of its output that later layers neither compare nor pass on to be read, as `null_vectors` gives them."""
        forms = matrix(self.dims[-1], self.dims[-1], [int(i == j) for i in range(self.dims[-1]) for j in range(self.dims[-1])], self.p)
        vectors: list[list[list[int]]] = [[]]
        for (Q, K, V), r in zip(reversed(self.layers[1:]), reversed(read(self.dims, self.ranks)[:-1]), strict=True):
            stacked = [*integers(K), *integers(Q), *integers(forms * V)]
            forms = matrix(len(stacked) // V.ncols(), V.ncols(), stacked, self.p)
            vectors.append(null_vectors(forms, r))
        return vectors[::-1]

    def input(self, number: int) -> Matrix:
        """Return an input as a matrix with the tokens as columns."""
        return matrix(self.dims[0], self.tokens, stream(self.seed, f"input/{number}", self.dims[0] * self.tokens, self.p), self.p)


def matrix(rows: int, columns: int, entries: list[int], p: int) -> Matrix:
    """Return a FLINT matrix modulo p."""
    import flint

    return flint.nmod_mat(rows, columns, entries, p)


def integers(entries: Matrix) -> list[int]:
    """Return the entries of a FLINT matrix, row by row."""
    return [int(entry) for entry in entries.entries()]


def point(dims: list[int], ranks: list[int], tokens: int, p: int, seed: int) -> Point:
    """Draw the weights that a seed names."""
    count = sum(2 * a * d + e * d for a, d, e in zip(ranks, dims, dims[1:], strict=False))
    residues = iter(stream(seed, "weights", count, p))

    def take(rows: int, columns: int) -> Matrix:
        return matrix(rows, columns, [next(residues) for _ in range(rows * columns)], p)

    layers = [(take(a, d), take(a, d), take(e, d)) for a, d, e in zip(ranks, dims, dims[1:], strict=False)]
    return Point(dims, ranks, tokens, p, seed, layers)


def gradient(where: Point, inputs: list[Matrix], output: int) -> list[int]:
    """Return the derivative of one entry of the network's value by all parameters.

    With Y = V S A X, S = X X^T and A = K^T Q, and G the derivative of the entry by Y, the derivative by V is G (S A X)^T, by A it is
    (V S)^T G X^T, and by X it is (V S A)^T G + (H + H^T) X with H = V^T G (A X)^T.
    """
    height, width = where.dims[-1], where.tokens
    G = matrix(height, width, [int(entry == output) for entry in range(height * width)], where.p)
    pieces: list[list[int]] = []
    for (Q, K, V), X in zip(reversed(where.layers), reversed(inputs), strict=True):
        S, A = X * X.transpose(), K.transpose() * Q
        AX, VS = A * X, V * S
        by_A = VS.transpose() * G * X.transpose()
        pieces += [integers(G * (S * AX).transpose()), integers(Q * by_A.transpose()), integers(K * by_A)]
        H = V.transpose() * G * AX.transpose()
        G = (VS * A).transpose() * G + (H + H.transpose()) * X
    return [entry for piece in reversed(pieces) for entry in piece]


def jacobian_minor(where: Point, rows: list[int], columns: list[int], progress: Callable[[int, int], object] | None) -> Matrix:
    """Return the submatrix of the Jacobian; rows are ordered (input, output row, token)."""
    rows_of_one = where.dims[-1] * where.tokens
    layer_inputs: dict[int, list[Matrix]] = {}
    entries: list[int] = []
    for done, row in enumerate(rows):
        number, output = divmod(row, rows_of_one)
        if number not in layer_inputs:
            X = where.input(number)
            layer_inputs[number] = []
            for Q, K, V in where.layers:
                layer_inputs[number].append(X)
                X = V * (X * X.transpose()) * (K.transpose() * Q) * X
        derivative = gradient(where, layer_inputs[number], output)
        entries += [derivative[column] for column in columns]
        if progress is not None:
            progress(done + 1, len(rows))
    return matrix(len(rows), len(columns), entries, where.p)


def reach(dims: list[int]) -> list[int]:
    """Return the largest ranks that L_0 = I, L_1 = V_1, L_2 = V_2 V_1, ... can have."""
    return list(accumulate(dims, min))


def read(dims: list[int], ranks: list[int]) -> list[int]:
    """Return for each layer the largest number of independent linear forms in its output that later layers can read."""
    numbers = [dims[-1]]
    for d, a in zip(dims[-2:0:-1], ranks[:0:-1], strict=True):
        numbers.append(min(d, 2 * a + numbers[-1]))
    return numbers[::-1]


def parallel(dims: list[int], ranks: list[int], tokens: int) -> list[int]:
    """Return the layers, counted from 0, all of whose tokens are multiples of one vector: there is one token, or an earlier M_j has rank one."""
    before = [tokens == 1] + [min(a, r) == 1 for a, r in zip(ranks, reach(dims), strict=False)]
    return [i for i in range(len(ranks)) if any(before[: i + 1])]


def families_of(dims: list[int], ranks: list[int], tokens: int) -> list[str]:
    """Return the families that a network has."""
    has = {
        "interlayer": len(ranks) > 1,
        "key-query": True,
        "parallel tokens": any(ranks[i] > 1 for i in parallel(dims, ranks, tokens)),
        "rescaling": True,
        "unreached": any(d > r for d, r in zip(dims[:-1], reach(dims), strict=False)),
        "unread": any(d > r for d, r in zip(dims[1:], read(dims, ranks), strict=True)),
    }
    return [family for family in FAMILIES if has[family]]


def null_vectors(forms: Matrix, largest: int) -> list[list[int]]:
    """Return the null vectors of a matrix that are the identity in its non-pivot columns; none if its rank is below the largest possible one.

    Where the rank is the largest possible one, a minor of that order is a unit near the point and all larger ones vanish identically: so the vectors
    are the values of rational functions of the weights, which are null vectors identically.
    """
    reduced, rank = forms.rref()
    if rank < largest:
        return []
    columns = range(forms.ncols())
    pivots = [next(j for j in columns if int(reduced[i, j])) for i in range(rank)]
    vectors = []
    for free in (j for j in columns if j not in pivots):
        vector = [int(j == free) for j in columns]
        for i, pivot in enumerate(pivots):
            vector[pivot] = -int(reduced[i, free])
        vectors.append(vector)
    return vectors


Label = tuple[int, ...]
Row = dict[int, int]


def key_query_labels(where: Point) -> Iterator[Label]:
    """(layer, r, s) for the matrix unit E_rs."""
    return ((i, r, s) for i, a in enumerate(where.ranks) for r in range(a) for s in range(a))


def key_query_tangent(where: Point, i: int, r: int, s: int) -> Row:
    """E_rs K, and -E_sr Q (HMK Lemma 3.1 differentiated)."""
    Q, K, _ = where.layers[i]
    at_Q, at_K, _ = where.starts[i]
    d = where.dims[i]
    return {at_K + r * d + j: int(K[s, j]) for j in range(d)} | {at_Q + s * d + j: -int(Q[r, j]) for j in range(d)}


def interlayer_labels(where: Point) -> Iterator[Label]:
    """(layer, r, s) for the matrix unit E_rs."""
    return ((i, r, s) for i, d in enumerate(where.dims[1:-1]) for r in range(d) for s in range(d))


def interlayer_tangent(where: Point, i: int, r: int, s: int) -> Row:
    """E_rs V, and -Z E_rs for Z = Q, K, V of the next layer (HMK Eq 9 differentiated)."""
    V, at_V, d = where.layers[i][2], where.starts[i][2], where.dims[i]
    row = {at_V + r * d + j: int(V[s, j]) for j in range(d)}
    width = where.dims[i + 1]
    for start, Z in zip(where.starts[i + 1], where.layers[i + 1], strict=True):
        row.update({start + j * width + s: -int(Z[j, r]) for j in range(Z.nrows())})
    return row


def rescaling_labels(where: Point) -> Iterator[Label]:
    """(layer,)."""
    return ((i,) for i in range(len(where.ranks)))


def rescaling_tangent(where: Point, i: int) -> Row:
    """Q, and -V (HMK Eq 13 differentiated)."""
    Q, _, V = where.layers[i]
    at_Q, _, at_V = where.starts[i]
    return {at_Q + j: entry for j, entry in enumerate(integers(Q))} | {at_V + j: -entry for j, entry in enumerate(integers(V))}


def parallel_tokens_labels(where: Point) -> Iterator[Label]:
    """(layer, side, r, s), r < s, for the skew matrix E_rs - E_sr: it adds to the keys on side 0, to the queries on side 1."""
    layers = parallel(where.dims, where.ranks, where.tokens)
    return ((i, side, r, s) for i in layers for side in (0, 1) for r, s in combinations(range(where.ranks[i]), 2))


def parallel_tokens_tangent(where: Point, i: int, side: int, r: int, s: int) -> Row:
    """(E_rs - E_sr) Q at the keys, or (E_rs - E_sr) K at the queries."""
    Z, start, d = where.layers[i][side], where.starts[i][1 - side], where.dims[i]
    return {start + r * d + j: int(Z[s, j]) for j in range(d)} | {start + s * d + j: -int(Z[r, j]) for j in range(d)}


def unreached_labels(where: Point) -> Iterator[Label]:
    """(layer, r, s) for row r of Q, K and V below each other, and the null vector s."""
    for i, vectors in enumerate(where.unreached):
        height = 2 * where.ranks[i] + where.dims[i + 1]
        yield from ((i, r, s) for r in range(height) for s in range(len(vectors)))


def unreached_tangent(where: Point, i: int, r: int, s: int) -> Row:
    """The null vector as a row of Q, K or V, which follow each other among the parameters."""
    start = where.starts[i][0] + r * where.dims[i]
    return {start + j: entry for j, entry in enumerate(where.unreached[i][s])}


def unread_labels(where: Point) -> Iterator[Label]:
    """(layer, r, s) for column r of V and the null vector s."""
    for i, vectors in enumerate(where.unread):
        yield from ((i, r, s) for r in range(where.dims[i]) for s in range(len(vectors)))


def unread_tangent(where: Point, i: int, r: int, s: int) -> Row:
    """The null vector as a column of V."""
    start, d = where.starts[i][2] + r, where.dims[i]
    return {start + j * d: entry for j, entry in enumerate(where.unread[i][s])}


LABELS_AND_TANGENTS: dict[str, tuple[Callable[[Point], Iterator[Label]], Callable[..., Row]]] = {
    "interlayer": (interlayer_labels, interlayer_tangent),
    "key-query": (key_query_labels, key_query_tangent),
    "parallel tokens": (parallel_tokens_labels, parallel_tokens_tangent),
    "rescaling": (rescaling_labels, rescaling_tangent),
    "unreached": (unreached_labels, unreached_tangent),
    "unread": (unread_labels, unread_tangent),
}
"""For each family the labels of its tangents in order, and the tangent of a label as parameter number -> value."""

FAMILIES = tuple(LABELS_AND_TANGENTS)
"""The symmetry families whose tangents are known here."""


def tangent_rows(where: Point, families: list[str]) -> Iterator[tuple[str, Label]]:
    """Iterate over the rows of the stacked tangents of some families."""
    for family in families:
        labels, _ = LABELS_AND_TANGENTS[family]
        yield from ((family, label) for label in labels(where))


def tangent_minor(where: Point, families: list[str], rows: list[int], columns: list[int]) -> Matrix:
    """Return the submatrix of the stacked tangents of some families."""
    labels = list(tangent_rows(where, families))
    entries: list[int] = []
    for number in rows:
        family, label = labels[number]
        row = LABELS_AND_TANGENTS[family][1](where, *label)
        entries += [row.get(column, 0) for column in columns]
    return matrix(len(rows), len(columns), entries, where.p)


def determinant(square: Matrix) -> int:
    """Return the determinant; that of an empty matrix is 1."""
    return int(square.det()) if square.nrows() else 1
