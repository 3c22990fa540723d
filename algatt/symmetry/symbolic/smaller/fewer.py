"""Some of the heads, experts and buckets of larger parts."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from algatt.layers import (
    CrossHeads,
    Experts,
    Heads,
    LatentHeads,
    Layer,
    RelativeBias,
)
from algatt.symmetry.symbolic.smaller.dials import Dial

__all__ = ["Counted", "FewerBuckets", "FewerCrossHeads", "FewerExperts", "FewerHeads", "FewerLatentHeads"]


ONE = Dial(1, 1)


@dataclass(frozen=True, repr=False)
class Counted:
    """What there is less of in a part of a smaller network.

    Parameters
    ----------
    dial : Dial
        How many there are.
    number : int
        The number of the dial.
    """

    dial: Dial = ONE
    number: int = 0

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    @staticmethod
    def is_counted(name: str) -> bool:
        """Return whether a tensor of the part is one of those that there are more of, as ``Q_1`` and ``1.up`` are."""
        return name.partition(".")[0].rpartition("_")[2].isdigit()

    @abstractmethod
    def names(self, path: str) -> dict[str, str]:
        """Return what names of tensors of the last ones of a part with a path begin with, or are, and those of the ones
        before these.
        """


@dataclass(frozen=True, repr=False)
class FewerExperts(Counted, Experts):
    """Some of the experts of a larger mixture."""

    @property
    def name(self) -> str:
        return "experts"

    def names(self, path: str) -> dict[str, str]:
        step = self.dial.step
        last = range(self.count - step + 1, self.count + 1)
        return {f"{path}{number}.": f"{path}{number - step}." for number in last}


@dataclass(frozen=True, repr=False)
class FewerHeads(Counted, Heads):
    """Some of the groups of heads that share keys and values."""

    @property
    def name(self) -> str:
        return "heads"

    def names(self, path: str) -> dict[str, str]:
        return names_of_group(path, self)


@dataclass(frozen=True, repr=False)
class FewerCrossHeads(Counted, CrossHeads):
    """Some of the groups of heads that read a memory and share keys and values."""

    def __post_init__(self) -> None:
        """The values are those of heads that were checked."""

    @property
    def attention(self) -> Heads:
        return Heads(**{one.name: getattr(self, one.name) for one in dataclasses.fields(CrossHeads)})

    def names(self, path: str) -> dict[str, str]:
        return names_of_group(path, self.attention)


@dataclass(frozen=True, repr=False)
class FewerLatentHeads(Counted, LatentHeads):
    """Some of the heads that read latent vectors."""

    @property
    def name(self) -> str:
        return "heads"

    def names(self, path: str) -> dict[str, str]:
        return {f"{path}{letter}_{self.heads}": f"{path}{letter}_{self.heads - 1}" for letter in "QRKVO"}


def names_of_group(path: str, layer: Heads) -> dict[str, str]:
    """Return the names of the tensors of the last group of heads, and those of the group before it."""
    shared = layer.heads // layer.groups
    found = {}
    for letter, count in (("Q", shared), ("O", shared), ("K", 1), ("V", 1)):
        last = layer.groups * count
        for number in range(last - count + 1, last + 1):
            for kind in (letter, f"b_{letter}"):
                found[f"{path}{kind}_{number}"] = f"{path}{kind}_{number - count}"
    return found


@dataclass(frozen=True, repr=False)
class FewerBuckets(RelativeBias):
    """Relative positions with a bucket for each distance of two neighbours, which stand for all that are reached.

    Parameters
    ----------
    dead : int
        How many buckets no two tokens of the full network reach.
    copies : int
        In so many equal blocks there is such a table, unless they share it.
    """

    dead: int = 0
    copies: int = 1

    def __post_init__(self) -> None:
        """There may be an odd number of buckets."""

    def bucket(self, offset: int) -> int:
        """Return the bucket of a key: 0 of the query itself, the last one before it, and behind it 1 or 0."""
        return min(max(offset, -1), self.buckets - 2) % self.buckets
