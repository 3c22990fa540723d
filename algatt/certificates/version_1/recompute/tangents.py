"""The tangents of the symmetry families a second time, modulo a prime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from algatt.certificates.version_1.recompute.points import (
    Matrix,
    ModularPoint,
    Network,
    integers,
    parallel,
    reach,
    read,
    unseen,
)

__all__ = ["FAMILIES", "families_of", "tangent_minor", "tangent_rows"]

Label = tuple[int, ...]
Row = dict[int, int]


def key_query_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer, r, s) for the matrix unit E_rs."""
    return ((i, r, s) for i, a in enumerate(where.network.ranks) for r in range(a) for s in range(a))


def key_query_tangent(where: ModularPoint, i: int, r: int, s: int) -> Row:
    """E_rs K, and -E_sr Q (HMK Lemma 3.1 differentiated)."""
    Q, K, _ = where.layers[i]
    at_Q, at_K, _ = where.network.starts[i]
    d = where.network.dims[i]
    return {at_K + r * d + j: int(K[s, j]) for j in range(d)} | {at_Q + s * d + j: -int(Q[r, j]) for j in range(d)}


def interlayer_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer, r, s) for the matrix unit E_rs."""
    return ((i, r, s) for i, d in enumerate(where.network.dims[1:-1]) for r in range(d) for s in range(d))


def interlayer_tangent(where: ModularPoint, i: int, r: int, s: int) -> Row:
    """E_rs V, and -Z E_rs for Z = Q, K, V of the next layer (HMK Eq 9 differentiated)."""
    V, at_V, d = where.layers[i][2], where.network.starts[i][2], where.network.dims[i]
    row = {at_V + r * d + j: int(V[s, j]) for j in range(d)}
    width = where.network.dims[i + 1]
    for start, Z in zip(where.network.starts[i + 1], where.layers[i + 1], strict=True):
        row.update({start + j * width + s: -int(Z[j, r]) for j in range(Z.nrows())})
    return row


def rescaling_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer,)."""
    return ((i,) for i in range(len(where.network.ranks)))


def rescaling_tangent(where: ModularPoint, i: int) -> Row:
    """Q, and -V (HMK Eq 13 differentiated)."""
    Q, _, V = where.layers[i]
    at_Q, _, at_V = where.network.starts[i]
    return {at_Q + j: entry for j, entry in enumerate(integers(Q))} | {
        at_V + j: -entry for j, entry in enumerate(integers(V))
    }


def score_rescaling_tangent(where: ModularPoint, i: int) -> Row:
    """Q."""
    start = where.network.starts[i][0]
    return {start + j: entry for j, entry in enumerate(integers(where.layers[i][0]))}


def parallel_tokens_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer, side, r, s), r < s, for the skew matrix E_rs - E_sr: it adds to the keys on side 0, to the queries on
    side 1.
    """
    layers = parallel(where.network)
    return (
        (i, side, r, s) for i in layers for side in (0, 1) for r, s in combinations(range(where.network.ranks[i]), 2)
    )


def parallel_tokens_tangent(where: ModularPoint, i: int, side: int, r: int, s: int) -> Row:
    """(E_rs - E_sr) Q at the keys, or (E_rs - E_sr) K at the queries."""
    Z, start, d = where.layers[i][side], where.network.starts[i][1 - side], where.network.dims[i]
    return {start + r * d + j: int(Z[s, j]) for j in range(d)} | {start + s * d + j: -int(Z[r, j]) for j in range(d)}


def unreached_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer, r, s) for row r of Q, K and V below each other, and the null vector s."""
    for i, vectors in enumerate(where.unreached):
        height = 2 * where.network.ranks[i] + where.network.dims[i + 1]
        yield from ((i, r, s) for r in range(height) for s in range(len(vectors)))


def unreached_tangent(where: ModularPoint, i: int, r: int, s: int) -> Row:
    """The null vector as a row of Q, K or V, which follow each other among the parameters."""
    start = where.network.starts[i][0] + r * where.network.dims[i]
    return {start + j: entry for j, entry in enumerate(where.unreached[i][s])}


def unread_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer, r, s) for column r of V and the null vector s."""
    for i, vectors in enumerate(where.unread):
        yield from ((i, r, s) for r in range(where.network.dims[i]) for s in range(len(vectors)))


def unread_tangent(where: ModularPoint, i: int, r: int, s: int) -> Row:
    """The null vector as a column of V."""
    start, d = where.network.starts[i][2] + r, where.network.dims[i]
    return {start + j * d: entry for j, entry in enumerate(where.unread[i][s])}


def unseen_labels(where: ModularPoint) -> Iterator[Label]:
    """(layer, 0 or 1, number of an entry)."""
    network = where.network
    for i, which in unseen(network):
        yield from ((i, which, entry) for entry in range(network.ranks[i] * network.dims[i]))


def unseen_tangent(where: ModularPoint, i: int, which: int, entry: int) -> Row:
    """1 at the entry."""
    return {where.network.starts[i][which] + entry: 1}


LABELS_AND_TANGENTS: dict[str, tuple[Callable[[ModularPoint], Iterator[Label]], Callable[..., Row]]] = {
    "interlayer": (interlayer_labels, interlayer_tangent),
    "key-query": (key_query_labels, key_query_tangent),
    "parallel tokens": (parallel_tokens_labels, parallel_tokens_tangent),
    "rescaling": (rescaling_labels, rescaling_tangent),
    "score rescaling": (rescaling_labels, score_rescaling_tangent),
    "unreached": (unreached_labels, unreached_tangent),
    "unseen scores": (unseen_labels, unseen_tangent),
    "unread": (unread_labels, unread_tangent),
}
"""For each family the labels of its tangents in order, and the tangent of a label as parameter number -> value."""

FAMILIES = tuple(LABELS_AND_TANGENTS)
"""The symmetry families whose tangents are known here."""


def families_of(network: Network) -> list[str]:
    """Return the families that a network has."""
    lightning = network.score is None
    layers, before, after = range(len(network.ranks)), network.dims[:-1], network.dims[1:]
    has = {
        "interlayer": len(layers) > 1,
        "key-query": True,
        "parallel tokens": lightning and any(network.ranks[i] > 1 for i in parallel(network)),
        "rescaling": lightning,
        "score rescaling": network.score is not None and network.score.homogeneous,
        "unreached": any(d > r for d, r in zip(before, reach(network.dims), strict=False)),
        "unseen scores": bool(unseen(network)),
        "unread": any(d > r for d, r in zip(after, read(network), strict=True)),
    }
    return [family for family in FAMILIES if has[family]]


def tangent_rows(where: ModularPoint, families: list[str]) -> Iterator[tuple[str, Label]]:
    """Iterate over the rows of the stacked tangents of some families."""
    for family in families:
        labels, _ = LABELS_AND_TANGENTS[family]
        yield from ((family, label) for label in labels(where))


def tangent_minor(where: ModularPoint, families: list[str], rows: list[int], columns: list[int]) -> Matrix:
    """Return the submatrix of the stacked tangents of some families."""
    labels = list(tangent_rows(where, families))
    entries: list[int] = []
    for number in rows:
        family, label = labels[number]
        row = LABELS_AND_TANGENTS[family][1](where, *label)
        entries += [row.get(column, 0) for column in columns]
    return where.matrix(len(rows), len(columns), entries)
