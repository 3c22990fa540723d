"""Tokens that are no part of the input: one that is read as the class, and one that stands for what is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import truth
from algatt.fields import Elements, concatenate
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class ClassToken(Layer):
    r"""The layer :math:`X \mapsto (c + p, X)`, which puts a learned token c before all others (Dosovitskiy et al.,
    arXiv 2010.11929).

    Parameters
    ----------
    position : bool, optional
        Whether the token has a position p of its own, as where the positions of all others were added before; false
        unless given.

    Raises
    ------
    InvalidArgument
        If it is no truth value.

    Notes
    -----
    The tensors are ``c`` (d, 1), and with a position ``p`` (1, d), a row as those of a `LearnedPosition`. In a network
    it is called ``class_token``.
    """

    position: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", truth("position", self.position))

    @property
    def name(self) -> str:
        return "class_token"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)), (cls(position=True), (2, 2)))


@verbs.tensors.method
def tensors_of_class_token(layer: ClassToken, shape: tuple) -> dict[str, TensorShape]:
    c: dict[str, TensorShape] = {"c": (shape[0], 1)}
    return {**c, "p": (1, shape[0])} if layer.position else c


@verbs.apply.method
def apply_class_token(layer: ClassToken, w: Tensors, X: Elements) -> Elements:
    return concatenate([w.c + w.p.T if layer.position else w.c, X], axis=1)


@dataclass(frozen=True, repr=False)
class MaskToken(Layer):
    r"""The layer :math:`X \mapsto X` with a learned token m that stands for hidden patches in training (Oquab et al.,
    arXiv 2304.07193): where nothing is hidden, nothing reads it.

    Notes
    -----
    The tensor is ``m`` (d, 1). In a network it is called ``mask_token``.
    """

    @property
    def name(self) -> str:
        return "mask_token"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)),)


@verbs.tensors.method
def tensors_of_mask_token(layer: MaskToken, shape: tuple) -> dict[str, TensorShape]:
    return {"m": (shape[0], 1)}


@verbs.apply.method
def apply_mask_token(layer: MaskToken, w: Tensors, X: Elements) -> Elements:
    return X
