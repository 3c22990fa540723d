"""The families of lightning and of normalised attention that have names, as HMK give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import isabstract

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.errors import MethodError
from algatt.symmetry.base import families_below
from algatt.symmetry.named.place import Place, PlaceMove
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.spaces import warn_of_no_types


@dataclass(frozen=True)
class Interlayer(NamedSpaces):
    r"""The product of the GL(d_i), 0 < i < l, acting by :math:`V_i \to C V_i` and by :math:`\cdot\, C^{-1}` on the next
    layer (HMK Eq 9).

    Its dimension is d_i^2 for each interior width, less what fixes generic V_i and the next layer.
    """

    @property
    def name(self) -> str:
        return "interlayer"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(
            Place(
                d, (PlaceMove(f"V_{i}", "rows"), *(PlaceMove(f"{letter}_{i + 1}", "columns", -1) for letter in "QKV"))
            )
            for i, d in enumerate(dims[1:-1], start=1)
        )


@dataclass(frozen=True)
class KeyQuery(NamedSpaces):
    r"""The product of the GL(a_i), acting by :math:`K_i \to C K_i`, :math:`Q_i \to C^{-T} Q_i` (HMK Lemma 3.1).

    Its dimension is a^2 for each layer if a <= d; where a > d an element that fixes K and Q is left over: 2 a d - d^2.
    """

    @property
    def name(self) -> str:
        return "key-query"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(
            Place(a, (PlaceMove(f"K_{i}", "rows"), PlaceMove(f"Q_{i}", "rows", -1, transposed=True)))
            for i, a in enumerate(ranks, start=1)
        )


@dataclass(frozen=True)
class Rescaling(NamedSpaces):
    r"""The torus :math:`(K^*)^l`, acting by :math:`A_i \to s A_i`, :math:`V_i \to V_i / s`; on the weights s is put on
    Q_i (HMK Eq 13). Virtual weights :math:`M_i` are multiplied by :math:`s_i / (s_1 \cdots s_{i-1})^2`.
    """

    @property
    def name(self) -> str:
        return "rescaling"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(
            Place(1, (PlaceMove(f"Q_{i}", "rows"), PlaceMove(f"V_{i}", "rows", -1)), number=True)
            for i in range(1, len(ranks) + 1)
        )


@dataclass(frozen=True)
class ScoreRescaling(NamedSpaces):
    r"""The torus :math:`(K^*)^l`, acting by :math:`A_i \to s_i A_i` where the score is homogeneous; on the weights s is
    put on Q_i.
    """

    @property
    def name(self) -> str:
        return "score rescaling"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(Place(1, (PlaceMove(f"Q_{i}", "rows"),), number=True) for i in range(1, len(ranks) + 1))


@verbs.members.method
def spaces_with_names(family: type[NamedSpaces], arch: Lightning | Normalized) -> tuple[NamedSpaces, ...]:
    """What the types of the network allow, if there is anything to move."""
    members = [kind(arch) for kind in (families_below(family) if isabstract(family) else (family,))]
    try:
        return tuple(member for member in members if member.places and member.found)
    except MethodError as error:
        warn_of_no_types(arch, error)
        return ()
