"""The coordinates of the stream changed by an orthogonal matrix."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.arguments import whole
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion
from algatt.checkpoints.conversions.fold_norms import FoldNorms, norm_tensors
from algatt.checkpoints.conversions.untie import untied
from algatt.errors import InvalidArgument, in_words
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.equality.large.motions import LargeMotions, MatrixSpace
from algatt.geometry.equality.large.spaces import large_motions
from algatt.layers import Residual
from algatt.layers.base import layout

MATRICES = ("random", "hadamard")

TOLERANCE = 1e-10
"""So far from the identity may the product of a matrix and its transpose be."""


@dataclass(frozen=True, eq=False)
class Rotate(Conversion):
    """The stream is multiplied by an orthogonal matrix: an element of the group, after gains are folded, and embeddings
    are untied.

    Which tensors move, and on which side, biases among them, is read off the types of the network: a stream is a space
    in which rotations act on tensors of several residual layers. Of several streams, as those of an encoder and a
    decoder, each is multiplied by the matrix. Refused where a gain cannot be folded, as that of a norm behind a layer.
    A LayerNorm commutes with the matrices that fix the vector of ones, and others are refused.

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
    motions = large_motions(folded.network)
    matrices = {}
    for space in streams(folded.network, motions):
        R = conversion.of_width(space.size, fixes_ones=space.group == "centred")
        matrices[space] = (R, R.T) if multiplies(space) else (R.T, R)
    if not matrices:
        left = [name for name in norm_tensors(folded.network, "g") if "heads." not in name]
        gains = f", with the gains {', '.join(left[:3])}" if left else ""
        should = "one whose gains can all be folded, and whose value is not the stream itself"
        raise InvalidArgument("network", f"one whose stream no rotation leaves alone{gains}", should)
    moved = verbs.act(CoordinateChange(motions, matrices=matrices), folded.weights)
    return dataclasses.replace(folded, weights=moved, tensors=None)


def streams(net: Network, motions: LargeMotions) -> list[MatrixSpace]:
    """Return the spaces in which rotations act on tensors of a residual layer and of another one, or of what is outside
    of these: others are inside of a layer, as latent vectors and keys, or beside the stream, as narrow embeddings.
    """
    residual: dict[str, int] = {}
    for number, node in enumerate(layout(net.layers).walk()):
        if isinstance(node.layer, Residual):
            for inner in node.walk():
                residual.setdefault(inner.path, number)
    found = []
    for space in motions.spaces:
        paths = {f"{side.tensor.rpartition('.')[0]}." for side in space.sides}
        places = {residual.get(path, path) for path in paths}
        is_stream = len(places) > 1 and any(path in residual for path in paths)
        if is_stream and space.group != "turns" and all(side.part is None for side in space.sides):
            found.append(space)
    return found


def multiplies(space: MatrixSpace) -> bool:
    """Return whether an orthogonal matrix multiplies the vectors of a space, and not its inverse: then it multiplies
    rows, and its transpose columns.
    """
    side = space.sides[0]
    return (side.inverse != side.transposed) == (side.axis == 1)
