"""Where the tensors of a network lie in the checkpoints of its family."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument


@dataclass(frozen=True)
class Stored:
    """A tensor of a checkpoint, and the tensors of the network that it holds.

    Parameters
    ----------
    name : str
        Its name in the checkpoint.
    pieces : tuple of str
        The tensors that it holds, in order. All of a stack of matrices stand below each other.
    axis : int, optional
        Along which they follow each other: 0, the default, if they stand below each other, 1 if beside each other.
    transposed : bool, optional
        Whether it holds the transpose of that, as the matrices of GPT-2.
    offset : float, optional
        What is added to its entries, as 1 to gains that are stored less one; 0 unless given.
    kernels : bool, optional
        Whether it has a third axis, along which the pieces lie behind each other, as the kernels of a convolution do.
    twin : bool, optional
        Whether it is written beside another tensor of the same pieces, as a bias of which a model has two parameters.
    """

    name: str
    pieces: tuple[str, ...]
    axis: int = 0
    transposed: bool = False
    offset: float = 0
    kernels: bool = False
    twin: bool = False

    def shape(self, shapes: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
        """Return the shape of all pieces together, those of the pieces being known."""
        rows, columns = zip(*(shapes[piece] for piece in self.pieces), strict=True)
        return (sum(rows), columns[0]) if self.axis == 0 else (rows[0], sum(columns))

    def cut(self, array: Any, shapes: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
        """Return the tensors of the network, their shapes being known.

        Raises
        ------
        InvalidArgument
            If the array does not have the shape that follows.
        """
        given = array.shape
        if self.kernels and array.ndim == 3:
            array = np.moveaxis(array, -1, 0)
        if array.ndim == 3:  # matrices of experts, which stand below each other
            array = array.reshape(-1, array.shape[-1])
        if array.ndim == 4:  # the kernels of a convolution, each of which is a row
            array = array.reshape(len(array), -1)
        matrix = array[:, None] if array.ndim == 1 else array.T if self.transposed else array
        if matrix.shape != self.shape(shapes):
            rows, columns = self.shape(shapes)
            should = (rows,) if columns == 1 else (columns, rows) if self.transposed else (rows, columns)
            raise InvalidArgument(self.name, f"of shape {given}", f"of shape {should}, as the config says")
        if self.offset:
            matrix = matrix + self.offset
        ends = np.cumsum([shapes[piece][self.axis] for piece in self.pieces])[:-1]
        return dict(zip(self.pieces, np.split(matrix, ends, axis=self.axis), strict=True))

    def join(self, tensors: Mapping[str, Any], shape: tuple[int, ...] | None = None) -> Any:
        """Return the tensor of the checkpoint, of those of the network: the inverse of `cut`.

        Parameters
        ----------
        tensors : mapping of str to array
            The pieces among others.
        shape : tuple of int, optional
            The shape that it has in a checkpoint; unless given, or if it has another number of entries, a column is a
            vector there, and all else is a matrix.
        """
        if self.kernels:
            return np.stack([tensors[piece] for piece in self.pieces], axis=-1)
        matrix = np.concatenate([tensors[piece] for piece in self.pieces], axis=self.axis)
        if self.offset:
            matrix = matrix - self.offset
        matrix = matrix.T if self.transposed else matrix
        if shape is not None and math.prod(shape) == matrix.size:
            return matrix.reshape(shape)
        return matrix[:, 0] if matrix.shape[1] == 1 else matrix


def numbered(tensors: Container[str], name: str) -> tuple[str, ...]:
    """Return the names of the tensors of heads that a network has: ``Q_1``, ``Q_2``, ..."""
    return tuple(itertools.takewhile(lambda one: one in tensors, (f"{name}_{n}" for n in itertools.count(1))))


def parts(
    tensors: Container[str], there: str, here: str, names: str, *, offset: float = 0, transposed: bool = False
) -> Iterator[Stored]:
    """Iterate over the weights and biases of parts of a model.

    Parameters
    ----------
    tensors : container of str
        The names of the tensors of the network.
    there, here : str
        The part in the checkpoint, and in the network, in which all of them are; empty for the whole.
    names : str
        With blanks between, the name of a part in the checkpoint and the tensor that is its weight: ``fc1=linear.W``.
        That of all heads is ``q_proj=heads.Q``, that of a norm, its gain, is the norm itself, as in ``ln_1=norm_1``.
    offset : float, optional
        What is added to gains.
    transposed : bool, optional
        Whether weights are the transposes of ours.
    """
    for name in names.split():
        part, _, tensor = name.partition("=")
        path, own = (".".join(filter(None, pair)) for pair in ((there, part), (here, tensor)))
        place, _, letter = own.rpartition(".")
        if letter.startswith("norm") or letter.endswith("_norm"):
            yield Stored(f"{path}.weight", (f"{own}.g",), offset=offset)
            yield Stored(f"{path}.bias", (f"{own}.b",))
            continue
        several, bias = letter in ("Q", "K", "V", "O"), f"{place}.b" if letter in "UW" else f"{place}.b_{letter}"
        pieces = numbered(tensors, own) if several else (own,)
        yield Stored(f"{path}.weight", pieces, axis=int(letter == "O"), transposed=transposed)
        yield Stored(f"{path}.bias", numbered(tensors, bias) if several and letter != "O" else (bias,))
