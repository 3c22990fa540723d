"""Rows of pieces beside rows of the whole network, at weights at which its blocks nearly stand side by side."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.geometry.dimensions.side_by_side import ranks
from algatt.geometry.dimensions.side_by_side.ranks import (
    FIELD,
    NetworkAtPoint,
    Rows,
    coordinates,
    coordinates_at_tokens,
)
from algatt.geometry.dimensions.side_by_side.transformer import readers_of, transformer_of
from algatt.layers import (
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LearnedPosition,
    Parallel,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    TanhGELU,
    Unembedding,
    Window,
)

WIDTH, VOCABULARY, SEED = 4, 12, 7

SMALL = 1e-6
"""What all parts but the first heads write is multiplied by this."""

NEAR = 1e-4
"""Columns that differ by less are one; `SMALL` has changed them."""

NORM = RMSNorm(Fraction(1, WIDTH))

TOKENS = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [5, 3, 1]])


def heads(number: int = 2, **options: Any) -> Layer:
    return Heads(number, **{"width": 2, "mask": Causal(), "position": Rotary(), **options})


def neurons(hidden: int = 5, activation: Layer | None = None, **options: Any) -> Layer:
    return Feedforward(hidden, activation or SiLU(), **{"gated": True, **options})


def residual(*layers: Layer) -> Layer:
    return Residual(NORM >> (layers[0] if len(layers) == 1 else Parallel(*layers)))


def network(*blocks: Layer, **shape: int) -> algatt.Network:
    chain = blocks[0]
    for block in blocks[1:]:
        chain = chain >> block
    return algatt.Network(chain, tokens=3, **shape)


def of_tokens(*blocks: Layer) -> algatt.Network:
    return network(Embedding(VOCABULARY, WIDTH), *blocks, NORM, Unembedding(VOCABULARY))


def shapes_of(net: algatt.Network) -> dict[str, tuple[int, ...]]:
    point = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    return {name: tensor.shape for name, tensor in zip(point.names(), point.elements, strict=True)}


def tensors_of(piece: NetworkAtPoint) -> dict[str, np.ndarray]:
    theta = piece.theta
    return {name: tensor.raw["mid"] for name, tensor in zip(theta.names(), theta.elements, strict=True)}


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[NetworkAtPoint]:
    """Return a list to which all pieces are appended that are made from now on."""
    made: list[NetworkAtPoint] = []

    class Recorded(NetworkAtPoint):
        @classmethod
        def at(cls, *arguments: Any) -> NetworkAtPoint:
            made.append(NetworkAtPoint.at(*arguments))
            return made[-1]

    monkeypatch.setattr(ranks, "NetworkAtPoint", Recorded)
    return made


def placed(net: algatt.Network, pieces: list[NetworkAtPoint], first: int) -> dict[str, np.ndarray]:
    """Return the tensors of all parts but the first so many heads, as their pieces have them. Each neuron writes to one
    coordinate.
    """
    shapes = shapes_of(net)
    parts = [one for one in dict.fromkeys(name.partition(".")[0] for name in shapes) if one[:5] in ("heads", "feedf")]
    arrays = {name: np.zeros(shape) for name, shape in shapes.items() if name.partition(".")[0] in parts[first:]}
    rest = iter(pieces)
    for part in parts[first:]:
        if part.startswith("heads"):
            for name, array in tensors_of(next(rest)).items():
                arrays[name.replace("heads", part)][:] = array * (SMALL if ".O_" in name else 1)
            continue
        for i in range(min(WIDTH, shapes[f"{part}.up"][0])):
            arrays[f"{part}.down"][i, i::WIDTH] = SMALL
            for name, array in tensors_of(next(rest)).items():
                if not name.endswith(".down"):
                    arrays[name.replace("feedforward", part)][i::WIDTH] = array
    assert next(rest, None) is None
    return arrays


def jacobian_by_tensors(
    net: algatt.Network, arrays: dict[str, np.ndarray], X: np.ndarray, little: set[str]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the values at the last token, and their derivatives by each tensor: inputs, coordinates, entries. Those by
    what the parts that write little read with are divided by `SMALL`. Pieces have no gains.
    """
    theta = algatt.Weights.of({name: arrays.get(name, np.ones(shape)) for name, shape in shapes_of(net).items()})
    rows, last = net.output_shape
    J = np.array(algatt.jacobian(net, theta, X)).reshape(len(X), rows, last, -1)[:, :, -1]
    values = np.array(algatt.evaluate(net, theta, X))[:, :, -1]
    ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes_of(net).values()])
    parts = dict(zip(shapes_of(net), np.split(J, ends[:-1], axis=-1), strict=True))
    for name in little:
        if ".O_" not in name and ".down" not in name:
            parts[name] = parts[name] / SMALL
    return values, {name: part for name, part in parts.items() if not name.endswith(".g")}


def left_of(rows: list[Rows], parts: dict[str, np.ndarray]) -> Counter[str]:
    """Take each column of the matrix of all coordinates from those of the whole network, and return by which tensors
    the others are; fail if there is none.
    """
    columns = [common["mid"].T for _, common in rows]
    wanted = list(np.stack(columns, axis=-1))
    for i, (own, _) in enumerate(rows):
        wanted += [np.outer(column, np.eye(len(rows))[i]) for column in own["mid"].T]
    names = [name for name, part in parts.items() for _ in range(part.shape[-1])]
    whole = np.moveaxis(np.concatenate(list(parts.values()), axis=-1), -1, 0)
    left = np.ones(len(whole), dtype=bool)
    for column in wanted:
        distances = np.abs(whole - column).max(axis=(1, 2))
        distances[~left] = np.inf
        at = np.argmin(distances)
        assert distances[at] < NEAR
        left[at] = False
    return Counter(name for name, one in zip(names, left, strict=True) if one)


OF_TOKENS = {
    "Llama": (residual(heads()), residual(neurons())),
    "two blocks": (residual(heads()), residual(neurons(3)), residual(heads()), residual(neurons(9, gated=False))),
    "groups": (residual(heads(key_heads=1)), residual(heads(4, key_heads=2))),
    "wide values": (residual(heads(value_width=3)), residual(heads(3, value_width=3))),
    "parallel": (residual(heads(position=None)), residual(heads(1, width=3, position=None), neurons(9))),
    "biases": (residual(heads(biases="QK")), residual(heads(biases="QKV", mask=Window(2)))),
    "capped": (residual(heads(score=SoftCap(3))), residual(neurons(activation=TanhGELU()))),
    "positions": (LearnedPosition(), residual(heads(position=None)), residual(neurons())),
}


@pytest.mark.parametrize("blocks", OF_TOKENS.values(), ids=OF_TOKENS)
def test_rows_of_pieces_are_those_of_the_whole_network_that_reads_tokens(
    blocks: tuple[Layer, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    net, made = of_tokens(*blocks), recorded(monkeypatch)
    rows = list(coordinates_at_tokens(transformer_of(net), SEED, TOKENS))
    first, *others = made
    little = placed(net, others, 1)
    unembedding = np.eye(VOCABULARY, WIDTH)
    embedding = verbs.draw_array(FIELD, shape=(VOCABULARY, WIDTH), seed=SEED, label="embedding")["mid"]
    before = {name.replace("heads.", "heads_1."): array for name, array in tensors_of(first).items()}
    before |= {name.replace("heads_1.", "heads."): array for name, array in before.items()}
    arrays = {**before, "embedding.E": embedding, **little, "unembedding.U": unembedding}
    values, parts = jacobian_by_tensors(net, arrays, TOKENS, set(little))
    for at, value in enumerate(values[:, :WIDTH]):  # the norm is y / sqrt(|y|^2 / 4 + 1 / 4)
        y = value / np.sqrt(WIDTH - value @ value)
        root = np.sqrt(1 + y @ y)
        derivative = (np.eye(WIDTH) - np.outer(y, y) / root**2) * np.sqrt(WIDTH) / root
        for part in parts.values():
            part[at, :WIDTH] = np.linalg.solve(derivative, part[at, :WIDTH])
    below = WIDTH * (WIDTH - 1) // 2 + (VOCABULARY - WIDTH) * WIDTH
    found = left_of(rows, {name: part[:, :WIDTH] for name, part in parts.items()})
    assert found == {"unembedding.U": below}


OF_VECTORS = {
    "Llama": (residual(heads()), residual(neurons())),
    "groups": (residual(neurons(3, gated=False)), residual(heads(2, key_heads=1))),
    "wide values": (residual(heads(value_width=3)), residual(heads(3, value_width=3))),
    "biases": (residual(heads(biases="QK")), residual(neurons(activation=TanhGELU()))),
    "parallel": (residual(heads(1, width=3, position=None), neurons(9)),),
}


@pytest.mark.parametrize("blocks", OF_VECTORS.values(), ids=OF_VECTORS)
def test_rows_of_pieces_are_those_of_the_whole_network_that_reads_vectors(
    blocks: tuple[Layer, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    net, made = network(*blocks, width=WIDTH), recorded(monkeypatch)
    X = verbs.draw_array(FIELD, shape=(5, WIDTH, 3), seed=SEED, label="inputs")
    readers = [(RMSNorm(NORM.eps, gain=False), reader.layer) for block in blocks for reader in readers_of(block)]
    rows = list(coordinates(readers, X, count(SEED)))
    little = placed(net, made, 0)
    _, parts = jacobian_by_tensors(net, little, X["mid"], set(little))
    assert left_of(rows, parts) == {}
