"""Transformers as a file describes them: which tensor is what. The tensors of a file are those of its transformer, each
at one place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .limits import Refused, fields_of, in_a_line, whole_number
from .program import NAME, fraction

MOST_TOKENS = 2048  # in a sequence
SMOOTH = ("GELU", "SiLU", "TanhGELU")
HEADS = {
    "norm": list,
    "queries": list,
    "keys": list,
    "values": list,
    "outputs": list,
    "bias": list,
    "angles": list,
    "halves": int,
    "window": int,
    "scale": str,
}
NEURONS = {"norm": list, "up": list, "gate": list, "down": list, "activation": str}
ENDS = {
    "tokens": int,
    "epsilon": str,
    "embedding": str,
    "positions": list,
    "first": int,
    "blocks": list,
    "norm": list,
    "unembedding": list,
}


@dataclass(frozen=True)
class HeadsPart:
    """Heads of a transformer: names of tensors, a matrix and perhaps a bias for each map."""

    norm: tuple[str, ...]
    queries: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[str, ...], ...]
    values: tuple[tuple[str, ...], ...]
    outputs: tuple[str, ...]
    bias: tuple[str, ...]
    angles: tuple[str, ...]
    halves: int
    window: int
    scale: str
    width: int
    value_width: int

    @property
    def names(self) -> list[str]:
        """The tensors of the heads, without those of the norm before them."""
        maps = [name for one in (*self.queries, *self.keys, *self.values) for name in one]
        return [*maps, *self.outputs, *self.bias]


@dataclass(frozen=True)
class NeuronsPart:
    """Neurons of a transformer: names of tensors, a matrix and perhaps a bias for each map."""

    norm: tuple[str, ...]
    up: tuple[str, ...]
    gate: tuple[str, ...]
    down: tuple[str, ...]
    activation: str
    hidden: int

    @property
    def names(self) -> list[str]:
        """The tensors of the neurons, without those of the norm before them."""
        return [*self.up, *self.gate, *self.down]


@dataclass(frozen=True)
class TransformerSizes:
    """A transformer as a file describes it: norms take means off and add a bias, all or none; the matrices of embedding
    and unembedding are one if no unembedding is named.
    """

    tensors: Mapping[str, tuple[int, int]]
    tokens: int
    epsilon: str
    embedding: str
    positions: tuple[str, ...]
    first: int
    blocks: tuple[tuple[HeadsPart | NeuronsPart, ...], ...]
    norm: tuple[str, ...]
    unembedding: tuple[str, ...]

    @property
    def vocabulary(self) -> int:
        return self.tensors[self.embedding][0]

    @property
    def width(self) -> int:
        return self.tensors[self.embedding][1]

    @property
    def centred(self) -> bool:
        """Whether norms take means off, and add a bias."""
        return len(self.norm) == 2

    @property
    def seen(self) -> int:
        """The number of coordinates of the stream that norms see."""
        return self.width - self.centred

    @property
    def tied(self) -> bool:
        return not self.unembedding

    @property
    def parts(self) -> list[HeadsPart | NeuronsPart]:
        return [part for block in self.blocks for part in block]

    @property
    def heads(self) -> list[HeadsPart]:
        return [part for part in self.parts if isinstance(part, HeadsPart)]

    def is_affine(self, *maps: tuple[str, ...]) -> bool:
        """Return whether maps that read the stream through a norm have a bias, be it that of the norm."""
        return self.centred or len(maps[0]) == 2


class Description:
    """Reads the description of a transformer, and refuses one whose tensors are not those of the claims."""

    def __init__(self, tensors: Mapping[str, tuple[int, int]]) -> None:
        self.tensors = tensors
        if strange := [name for name in tensors if not NAME.fullmatch(name)]:
            raise Refused("claims.tensors", f"with the name {in_a_line(strange[0])}", "with names of a program")

    def names(self, where: str, value: Any, least: int, most: int) -> tuple[str, ...]:
        """Return a list of names of tensors."""
        known = isinstance(value, list) and all(type(one) is str and one in self.tensors for one in value)
        if not known or not least <= len(value) <= most:
            raise Refused(where, in_a_line(value), f"a list of names of {least} to {most} tensors")
        return tuple(value)

    def maps(self, where: str, value: Any) -> tuple[tuple[str, ...], ...]:
        """Return a matrix for each of some heads, all of them with a bias or none."""
        if not isinstance(value, list) or not value:
            raise Refused(where, in_a_line(value), "a list of maps, one for each head")
        found = tuple(self.names(where, one, 1, 2) for one in value)
        if len({len(one) for one in found}) > 1:
            raise Refused(where, "of some maps with a bias and some without", "of one kind")
        return found

    def shapes(self, where: str, maps: Sequence[tuple[str, ...]], height: int, width: int) -> None:
        """Refuse other matrices, with other biases, than those of some shape."""
        for name, *bias in maps:
            found = [self.tensors[name], *(self.tensors[one] for one in bias)]
            if found != [(height, width), (height, 1)][: len(found)]:
                raise Refused(where, f"{in_a_line(name)}, of another shape", f"of {height} rows and {width} columns")

    def heads(self, where: str, claim: Any, width: int, tokens: int) -> HeadsPart:
        """Return heads of a stream of some width, which read so many tokens."""
        fields_of(where, claim, HEADS)
        queries, keys, values = (self.maps(where, claim[name]) for name in ("queries", "keys", "values"))
        outputs = self.names(where, claim["outputs"], len(queries), len(queries))
        rows, columns = self.tensors[queries[0][0]][0], self.tensors[values[0][0]][0]
        if len(values) != len(keys) or len(queries) % len(keys):
            raise Refused(where, f"{len(queries)} heads of queries, {len(keys)} of keys", "heads in groups of one size")
        for maps, height in ((queries, rows), (keys, rows), (values, columns)):
            self.shapes(where, maps, height, width)
        self.shapes(where, [(name,) for name in outputs], width, columns)
        bias = self.names(where, claim["bias"], 0, 1)
        if any(self.tensors[name] != (width, 1) for name in bias):
            raise Refused(where, "with a bias of another shape", f"of {width} rows")
        angles = tuple(map(angle, claim["angles"]))
        if 2 * len(angles) > rows:
            raise Refused(where, f"with {len(angles)} angles", f"of at most {rows // 2} angles")
        halves = whole_number(f"{where}.halves", claim["halves"], 0, int(bool(angles)))
        window = whole_number(f"{where}.window", claim["window"], 1, tokens)
        norm, scale = self.norm(where, claim["norm"], width), positive_fraction(f"{where}.scale", claim["scale"])
        return HeadsPart(
            norm, queries, keys, values, outputs, bias, angles, halves, window, scale, width=rows, value_width=columns
        )

    def neurons(self, where: str, claim: Any, width: int) -> NeuronsPart:
        """Return neurons of a stream of some width."""
        fields_of(where, claim, NEURONS)
        up, down = (self.names(where, claim[name], 1, 2) for name in ("up", "down"))
        gate = self.names(where, claim["gate"], 0, 2)
        if claim["activation"] not in (*SMOOTH, "ReLU") or {len(up), len(gate or up)} != {len(down)}:
            raise Refused(where, "of another activation, or with some biases", f"of {SMOOTH} or ReLU, with all or none")
        hidden = self.tensors[up[0]][0]
        self.shapes(where, [up, *([gate] if gate else [])], hidden, width)
        self.shapes(where, [down], width, hidden)
        return NeuronsPart(self.norm(where, claim["norm"], width), up, gate, down, claim["activation"], hidden)

    def norm(self, where: str, claim: Any, width: int) -> tuple[str, ...]:
        """Return the gain of a norm, and its bias if it takes means off."""
        names = self.names(f"{where}.norm", claim, 1, 2)
        if any(self.tensors[name] != (width, 1) for name in names):
            raise Refused(f"{where}.norm", "of other shapes", f"of {width} rows and one column")
        return names

    def transformer(self, claim: Any) -> TransformerSizes:
        """Return a transformer: of the tensors of the claims, each at one place alone."""
        where = "claims.transformer"
        fields_of(where, claim, ENDS)
        (embedding,) = self.names(f"{where}.embedding", [claim["embedding"]], 1, 1)
        vocabulary, width = self.tensors[embedding]
        tokens = whole_number(f"{where}.tokens", claim["tokens"], 1, MOST_TOKENS)
        blocks = []
        for number, block in enumerate(claim["blocks"]):
            here = f"{where}.blocks[{number}]"
            if not isinstance(block, list) or not block or not all(isinstance(one, dict) for one in block):
                raise Refused(here, in_a_line(block), "a list of parts")
            parts = (
                self.heads(here, one, width, tokens) if "queries" in one else self.neurons(here, one, width)
                for one in block
            )
            blocks.append(tuple(parts))
        norm = self.norm(where, claim["norm"], width)
        unembedding = self.names(f"{where}.unembedding", claim["unembedding"], 0, 2)
        positions = self.names(f"{where}.positions", claim["positions"], 0, 1)
        first = whole_number(f"{where}.first", claim["first"], 0, 2**31 if positions else 0)
        self.shapes(where, [unembedding] if unembedding else [], vocabulary, width)
        if any(self.tensors[name][0] < first + tokens or self.tensors[name][1] != width for name in positions):
            raise Refused(f"{where}.positions", "of another shape", f"of {width} columns, a row for each position")
        epsilon = positive_fraction(f"{where}.epsilon", claim["epsilon"])
        found = TransformerSizes(
            self.tensors, tokens, epsilon, embedding, positions, first, tuple(blocks), norm, unembedding
        )
        norms = [name for block in found.blocks for one in {part.norm for part in block} for name in one]
        own = [name for part in found.parts for name in part.names]
        used = [embedding, *positions, *norm, *unembedding, *norms, *own]
        if len(set(used)) < len(used) or set(used) != set(self.tensors):
            raise Refused(where, "one that has a tensor twice, or not all of them", "one that has each tensor once")
        if {len(part.norm) for part in found.parts} - {len(norm)}:
            raise Refused(where, "one with norms of two kinds", "one with norms of one kind")
        return found


def angle(text: Any) -> str:
    """Return an angle as the text that Python writes for a float; a turn by it is neither none nor by a half circle."""
    try:
        value = float(text) if type(text) is str else math.nan
    except ValueError:
        value = math.nan
    if not 0 < value < math.pi or repr(value) != text:
        raise Refused("claims.transformer", f"one with the angle {in_a_line(text)}", "one of angles between 0 and pi")
    return text


def positive_fraction(where: str, text: str) -> str:
    """Return the text of a fraction above zero."""
    try:
        positive = fraction(text) > 0
    except ValueError:
        positive = False
    if not positive:
        raise Refused(where, in_a_line(text), "a fraction above 0, as text")
    return text
