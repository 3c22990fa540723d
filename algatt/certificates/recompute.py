"""The numbers of a certificate, computed a second time: plain Python integers and FLINT, the chain rule by hand, no numpy and no dual numbers.

Nothing here may import the code whose results it checks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["FAMILIES", "Point", "determinant", "jacobian_minor", "point", "tangent_minor", "tangent_rows"]

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


FAMILIES = ("interlayer", "key-query", "rescaling")
"""The symmetry families whose tangents are known here."""


def tangent_rows(where: Point, families: list[str]) -> Iterator[tuple[str, int, int, int]]:
    """Iterate over the rows of the stacked tangents of some families: (family, layer, r, s) for the matrix unit E_rs."""
    for family in families:
        if family == "key-query":
            yield from ((family, i, r, s) for i, a in enumerate(where.ranks) for r in range(a) for s in range(a))
        elif family == "interlayer":
            yield from ((family, i, r, s) for i, d in enumerate(where.dims[1:-1]) for r in range(d) for s in range(d))
        else:
            yield from ((family, i, 0, 0) for i in range(len(where.ranks)))


def tangent(where: Point, family: str, i: int, r: int, s: int) -> dict[int, int]:
    """Return one row of the stacked tangents, as parameter number -> value (HMK Lemma 3.1, Eq 9 and Eq 13 differentiated)."""
    row: dict[int, int] = {}
    d = where.dims[i]
    Q, K, V = where.layers[i]
    at_Q, at_K, at_V = where.starts[i]
    if family == "key-query":  # E_rs K, and -E_sr Q
        row.update({at_K + r * d + j: int(K[s, j]) for j in range(d)})
        row.update({at_Q + s * d + j: -int(Q[r, j]) for j in range(d)})
    elif family == "interlayer":  # E_rs V, and -Z E_rs for Z = Q, K, V of the next layer
        row.update({at_V + r * d + j: int(V[s, j]) for j in range(d)})
        width = where.dims[i + 1]
        for start, Z in zip(where.starts[i + 1], where.layers[i + 1], strict=True):
            row.update({start + j * width + s: -int(Z[j, r]) for j in range(Z.nrows())})
    else:  # Q, and -V
        row.update({at_Q + j: entry for j, entry in enumerate(integers(Q))})
        row.update({at_V + j: -entry for j, entry in enumerate(integers(V))})
    return row


def tangent_minor(where: Point, families: list[str], rows: list[int], columns: list[int]) -> Matrix:
    """Return the submatrix of the stacked tangents of some families."""
    labels = list(tangent_rows(where, families))
    entries: list[int] = []
    for number in rows:
        row = tangent(where, *labels[number])
        entries += [row.get(column, 0) for column in columns]
    return matrix(len(rows), len(columns), entries, where.p)


def determinant(square: Matrix) -> int:
    """Return the determinant; that of an empty matrix is 1."""
    return int(square.det()) if square.nrows() else 1
