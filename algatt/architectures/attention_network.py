"""Networks of attention layers of one head each, with widths and ranks, as in HMK."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.architectures.base import Architecture, Shape
from algatt.arguments import entries, whole
from algatt.errors import InvalidArgument
from algatt.parameters import AttentionMatrix, VirtualWeights


@dataclass(frozen=True)
class AttentionNetwork(Architecture):
    """A network of attention layers of one head each, whose weights are triples Q, K, V (HMK Section 2).

    Parameters
    ----------
    dims : sequence of int
        The widths d_0, ..., d_l, at least two.
    ranks : sequence of int
        The ranks a_1, ..., a_l of the attention matrices.
    tokens : int
        The number t of tokens.

    Raises
    ------
    InvalidArgument
        If a number is not an integer >= 1, or the lengths do not match.
    """

    dims: tuple[int, ...]
    ranks: tuple[int, ...]
    tokens: int

    def __post_init__(self) -> None:
        for name in ("dims", "ranks"):
            numbers = entries(name, getattr(self, name), "a sequence of integers")
            object.__setattr__(self, name, tuple(whole(f"{name}[{i}]", entry) for i, entry in enumerate(numbers)))
        if len(self.dims) < 2:
            raise InvalidArgument("dims", f"of length {len(self.dims)}", "of length at least 2: d_0, ..., d_l")
        if len(self.ranks) != self.layers:
            raise InvalidArgument(
                "ranks", f"of length {len(self.ranks)}", f"of length {self.layers}, one less than dims"
            )
        object.__setattr__(self, "tokens", whole("tokens", self.tokens))

    @property
    def layers(self) -> int:
        """The number l of layers."""
        return len(self.dims) - 1

    @property
    def input_shape(self) -> tuple[int, int]:
        """Width and number of tokens of an input: (d_0, t)."""
        return self.dims[0], self.tokens

    @property
    def output_shape(self) -> tuple[int, int]:
        """Width and number of tokens of the value: (d_l, t)."""
        return self.dims[-1], self.tokens


@verbs.coordinates.method
def coordinates_of_triples(arch: AttentionNetwork) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    for i, (d, e, a) in enumerate(zip(arch.dims, arch.dims[1:], arch.ranks, strict=False), start=1):
        shapes.update({f"Q_{i}": (a, d), f"K_{i}": (a, d), f"V_{i}": (e, d)})
    return shapes


@verbs.shapes.method
def shapes_of_attention_matrix(arch: AttentionNetwork, coordinates: type[AttentionMatrix]) -> tuple[Shape, ...]:
    sizes = zip(arch.dims, arch.dims[1:], strict=False)
    return tuple(shape for d, e in sizes for shape in ((d, d), (e, d)))


@verbs.shapes.method
def shapes_of_virtual_weights(arch: AttentionNetwork, coordinates: type[VirtualWeights]) -> tuple[Shape, ...]:
    width = arch.dims[0]
    return (*((width, width),) * arch.layers, (arch.dims[-1], width))
