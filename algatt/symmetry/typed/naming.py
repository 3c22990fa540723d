"""Names of the spaces of a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["name_spaces"]

PLACES = (("score", "QK"), ("value", "VO"), ("hidden", ("up", "gate", "down")))
"""What a space is called that joins tensors of one layer of which all are in a list."""


def name_spaces(joined: Sequence[Sequence[str]], sizes: Sequence[int]) -> list[str]:
    """Return a name for each space, given the tensors that it joins and its number of coordinates.

    A space within a layer is named by the path of the layer and by what it is there, as ``1.heads.score_2``, or by the
    tensors. One that joins layers is a ``stream``; a number that multiplies other tensors than these is a ``scale``.
    Names that are met again are numbered.
    """
    names = [name_of(tensors, size) for tensors, size in zip(joined, sizes, strict=True)]
    count, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name}_{seen[name]}" if count[name] > 1 else name)
    return numbered


def name_of(tensors: Sequence[str], size: int) -> str:
    """Return the name of a space that joins tensors, without a number where others have the same."""
    paths = list(dict.fromkeys(tensor.rpartition(".")[0] for tensor in tensors))
    own = list(dict.fromkeys(tensor.rpartition(".")[2] for tensor in tensors))
    path = f"{paths[0]}." if paths[0] else ""
    if len(paths) == 1:
        kinds = {name.removeprefix("b_").partition("_")[0] for name in own}
        for place, members in PLACES:
            if kinds <= set(members):
                number = next((name.removeprefix("b_").partition("_")[2] for name in own if "_" in name), "")
                return f"{path}{place}_{number}" if number else f"{path}{place}"
    if size == 1:
        return f"{path}scale"
    numbers = {name.rpartition("_")[2] for name in own} if not path else set()  # tensors without a path are numbered
    return "stream" if len(paths) > 1 or len(numbers) > 1 else f"{path}{'-'.join(own)}"
