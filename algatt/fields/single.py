"""The reals in IEEE single precision: there to show what it would have said, never to decide anything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields.base import PublicArray
from algatt.fields.real import Reals

__all__ = ["SingleReals"]


@dataclass(frozen=True)
class SingleReals(Reals):
    """The real numbers in float32. It shares the arithmetic of `Reals`, which keeps the type of its arrays; nothing of
    it is public.
    """

    def __str__(self) -> str:
        return "RR (float32)"


@verbs.encode.method
def encode_singles(field: SingleReals, array: PublicArray, *, argument: str = "array") -> np.ndarray:
    return verbs.encode(Reals(), array, argument=argument).astype(np.float32)
