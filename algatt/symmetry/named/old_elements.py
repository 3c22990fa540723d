"""The elements of families of spaces by their names until version 0.2; they go in version 0.4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from algatt.architectures import Lightning
from algatt.symmetry.base import entered_matrices
from algatt.symmetry.interlayer import Interlayer
from algatt.symmetry.key_query import KeyQuery
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.rescaling import Rescaling
from algatt.symmetry.score_rescaling import ScoreRescaling
from algatt.symmetry.spaces_element import SpacesElement

__all__ = ["InterlayerElement", "KeyQueryElement", "RescalingElement", "ScoreRescalingElement"]


class OldElement(type):
    """The class of names that make elements of a family: all of these count as instances."""

    family: type[NamedSpaces]

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, SpacesElement) and isinstance(instance.family, cls.family)

    def __call__(cls, matrices: Sequence[Any], inverses: Sequence[Any] | None = None) -> SpacesElement:
        """Return an element: it acts on all weights of these sizes, of whatever network they are."""
        entered = entered_matrices("matrices", matrices)
        sizes = tuple(matrix.shape[0] for matrix in entered)
        if cls.family is Interlayer:
            arch = Lightning((1, *sizes, 1), (1,) * (len(sizes) + 1), 1)
        else:
            arch = Lightning((1,) * (len(sizes) + 1), sizes, 1)
        return cls.family(arch).of(entered, inverses)

    def of(cls, matrices: Sequence[Any]) -> SpacesElement:
        """Build the element of its matrices, given as public arrays or as `Elements`."""
        return cls(matrices)


class KeyQueryElement(metaclass=OldElement):
    """Invertible matrices C_i in GL(a_i), one for each layer: ``KeyQuery(arch).of(matrices)``."""

    family = KeyQuery


class InterlayerElement(metaclass=OldElement):
    """Invertible matrices C_i in GL(d_i), one for each space between two layers: ``Interlayer(arch).of(matrices)``."""

    family = Interlayer


class RescalingElement(metaclass=OldElement):
    """Non-zero scalars s_i, one for each layer, as 1 x 1 matrices: ``Rescaling(arch).of(matrices)``."""

    family = Rescaling


class ScoreRescalingElement(metaclass=OldElement):
    """Non-zero scalars s_i, one for each layer, as 1 x 1 matrices: ``ScoreRescaling(arch).of(matrices)``."""

    family = ScoreRescaling
