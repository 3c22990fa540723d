"""The coordinates of the stream changed by an orthogonal matrix."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import published, verbs
from algatt.architectures import Network
from algatt.arguments import whole
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.conversions.fold_norms import FoldNorms, norm_tensors
from algatt.checkpoints.conversions.untie import untied
from algatt.errors import InvalidArgument, in_words
from algatt.layers import LayerNorm
from algatt.layers.base import layout
from algatt.symmetry import Orthogonal, SpaceSymmetry

__all__ = ["Rotate"]

MATRICES = ("random", "hadamard")

LARGEST = 32
"""The tensors of networks without a config may have so many rows or columns: their types are solved as they are."""

TOLERANCE = 1e-10
"""So far from the identity may the product of a matrix and its transpose be."""


@dataclass(frozen=True, eq=False)
class Rotate(Conversion):
    """The stream is multiplied by an orthogonal matrix: an element of the group, after gains are folded, and embeddings
    are untied.

    Which tensors move, and on which side, biases among them, is read off the types of a small network of the same
    family. Refused where a gain cannot be folded, as that of a norm behind a layer. A LayerNorm commutes with the
    matrices that fix the vector of ones, and others are refused.

    Parameters
    ----------
    matrix : str or array, optional
        ``random``, the default; ``hadamard``, with random signs, for widths that are powers of 2; or the matrix.
    seed : int, optional
        Names the random matrix, or the signs.
    """

    matrix: Any = "random"
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.matrix, str) and self.matrix not in MATRICES:
            raise InvalidArgument("matrix", in_words(self.matrix), f"a matrix, or one of {', '.join(MATRICES)}")
        whole("seed", self.seed, least=0)

    def of_width(self, width: int, *, fixes_ones: bool) -> np.ndarray:
        """Return the matrix for a stream.

        Raises
        ------
        InvalidArgument
            If it has another size, is not orthogonal, or does not fix the vector of ones and should.
        """
        generator = np.random.default_rng(self.seed)
        if not isinstance(self.matrix, str):
            R = np.array(self.matrix, dtype=np.float64)
        elif self.matrix == "hadamard":
            if width & (width - 1):
                raise InvalidArgument("matrix", f"'hadamard' for a stream of width {width}", "for a power of 2")
            R = np.ones((1, 1))
            while len(R) < width:
                R = np.kron([[1.0, 1.0], [1.0, -1.0]], R) / np.sqrt(2)
            R = R * generator.choice([-1.0, 1.0], size=width)
        else:
            R = random_rotation(width, generator, fixes_ones=fixes_ones)
        if R.shape != (width, width) or not np.abs(R @ R.T - np.eye(width)).max() <= TOLERANCE:
            raise InvalidArgument("matrix", f"of shape {R.shape}", f"orthogonal, of shape {(width, width)}")
        if fixes_ones and not np.abs(R @ np.ones(width) - 1).max() <= TOLERANCE:
            should = "one that fixes the vector of ones, as LayerNorms take its direction away"
            raise InvalidArgument("matrix", "one that moves the vector of ones", should)
        return R


def random_rotation(width: int, generator: np.random.Generator, *, fixes_ones: bool) -> np.ndarray:
    """Return a random orthogonal matrix, or one that fixes the vector of ones."""
    size = width - 1 if fixes_ones else width
    R, triangle = np.linalg.qr(generator.standard_normal((size, size)))
    R = R * np.sign(triangle[range(size), range(size)])
    if not fixes_ones:
        return R
    basis = np.linalg.qr(np.column_stack([np.ones(width), np.eye(width)[:, 1:]]))[0]
    inner = np.eye(width)
    inner[1:, 1:] = R
    return basis @ inner @ basis.T


@verbs.rewrite.method
def rotate(conversion: Rotate, checkpoint: Checkpoint) -> Checkpoint:
    folded: Checkpoint = verbs.rewrite(FoldNorms(), untied(checkpoint))
    net = folded.network
    sides = sides_of_stream(folded)
    arrays = {name: element.raw for name, element in folded.weights.tensors.items()}
    name, side = next(iter(sides.items()))
    width = arrays[name].shape[side == "columns"]
    fixes_ones = any(isinstance(node.layer, LayerNorm) for node in layout(net.layers).walk())
    R = conversion.of_width(width, fixes_ones=fixes_ones)
    for name, side in sides.items():
        arrays[name] = arrays[name] @ R.T if side == "columns" else R @ arrays[name]
    return replaced(folded, arrays, net)


def sides_of_stream(checkpoint: Checkpoint) -> dict[str, str]:
    """Return the tensors that are moved with the stream, each with the side.

    The types of a small network of the same family are solved, of two blocks, whose tensors have the same names but for
    the numbers in them: heads and experts of one layer are moved on one side, and so are those of all blocks.
    """
    net = checkpoint.network
    small = net
    if checkpoint.config:
        small = published.read(published.scaled(checkpoint.config, layers=2))
    elif max(map(max, verbs.coordinates(net).values())) > LARGEST:
        raise InvalidArgument("checkpoint", f"without a config and wider than {LARGEST}", "with a config")
    found: dict[str, set[str]] = {}
    for name, side in moved_sides(small):
        found.setdefault(without_numbers(name), set()).add(side)
    known = {without_numbers(name) for name in verbs.coordinates(small)}
    result: dict[str, str] = {}
    for name in verbs.coordinates(net):
        sides = found.get(without_numbers(name), set())
        if without_numbers(name) not in known or len(sides) > 1:
            raise InvalidArgument("network", f"with {name}, whose side is not known", "as the small one of its family")
        result |= dict.fromkeys([name] if sides else [], *sides)
    return result


def moved_sides(net: Network) -> list[tuple[str, str]]:
    """Return the sides of tensors that the rotations of the stream of a small network move."""
    shapes = verbs.coordinates(net)
    for family in verbs.members(SpaceSymmetry, net):
        group, sides = family.group, set(family.sides)
        is_written = any(side == "rows" and shapes[name][1] > 1 for name, side in sides)  # not just embedded
        starts = any(side == "columns" and name.endswith("embedding.E") for name, side in sides)
        is_stream = is_written and (starts or any(name.endswith(".O_1") and side == "rows" for name, side in sides))
        size = group.size
        # beside LayerNorms the rotations that fix the ones, and multiples of ones that are added
        beside_norms = size * (size + 1) // 2 - size + 1
        if is_stream and (isinstance(group, Orthogonal) or group.dimension == beside_norms):
            gains = set(norm_tensors(net, "g"))
            return [(name, side) for name, side in sorted(sides) if name not in gains]
    left = [name for name in norm_tensors(net, "g") if "heads." not in name]
    was = f"one whose stream no rotation leaves alone, with the gains {', '.join(left[:3])}"
    raise InvalidArgument("network", was, "one whose gains can all be folded, and whose value is not the stream itself")


def without_numbers(name: str) -> str:
    """Return the name of a tensor without the numbers of blocks, heads and experts; names as ``norm_2`` stay."""
    path, _, own = name.rpartition(".")
    words = ["#" if word.isdigit() else word for word in path.split(".")]
    return ".".join([*words, re.sub(r"_\d+$", "", own)])
