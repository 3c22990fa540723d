"""Which tensor of a checkpoint is which of its family, whatever stands before its name."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from algatt.checkpoints.tensors import FileTensors
from algatt.errors import InvalidArgument
from algatt.files import shorten

BUFFERS = re.compile(
    r".*(rotary_emb\.inv_freq|\.(attn|attention)\.(bias|masked_bias)|position_ids|token_type_ids|num_batches_tracked)"
)
"""What is stored beside tensors that are trained, and made again by the model: angles, masks, numbers of positions."""

UNREAD = re.compile(r"(.*\.)?(pooler|seq_relationship)\..*")
"""Parts behind the network that its logits do not read."""

COPIED = re.compile(r"(.*)\.decoder\.bias")
"""What masked language models store twice: the bias of the unembedding, whose other name is without the word."""

OLD_ENDS = {".gamma": ".weight", ".beta": ".bias"}
"""How gains and biases of norms ended in checkpoints that were converted from TensorFlow."""


def matched(expected: Collection[str], tensors: FileTensors) -> dict[str, str]:
    """Return the names in a checkpoint, by those that the family has for the tensors.

    A checkpoint may have other words before all of its names, as ``module.``, or lack those of the family, as
    ``transformer.`` or ``model.``, and end some as checkpoints of TensorFlow do.

    Raises
    ------
    InvalidArgument
        If no name is one of the family, two are the same, or some are left over that are neither buffers nor parts
        which are not read.
    """
    names = {name: renewed(name) for name in tensors}

    def score(change: tuple[str, str]) -> tuple[int, bool]:
        return len(set(applied(names, expected, *change).values()) - {None}), change == ("", "")

    strip, add = max(changes(names.values(), expected), key=score)
    found: dict[str, str] = {}
    extra = []
    for name, here in applied(names, expected, strip, add).items():
        if here is None:
            extra.append(name)
        elif here in found:
            raise InvalidArgument("tensors", f"with {found[here]!r} and {name!r}, both of which are {here}", "with one")
        else:
            found[here] = name
    if not found:
        was = f"named {listed(extra)}" if extra else "none"
        raise InvalidArgument("tensors", was, f"those of the family of the config, as {next(iter(expected))}")
    extra = [
        name for name in extra if not (is_buffer(name, tensors) or is_copy(name, tensors) or UNREAD.fullmatch(name))
    ]
    if extra:
        raise InvalidArgument("tensors", f"with {listed(extra)}", "without what the config does not ask for")
    return found


def renewed(name: str) -> str:
    """Return a name with its end as it is now."""
    for old, new in OLD_ENDS.items():
        if name.endswith(old):
            return name.removesuffix(old) + new
    return name


def applied(names: Mapping[str, str], expected: Collection[str], strip: str, add: str) -> dict[str, str | None]:
    """Return what each name is with a beginning taken away, or another put there; None for one that is not known."""

    def known(name: str) -> str | None:
        bare = name.removeprefix(strip)
        return next((one for one in (name, bare, add + bare) if one in expected), None)

    return {name: known(new) for name, new in names.items()}


def changes(names: Collection[str], expected: Collection[str]) -> Iterator[tuple[str, str]]:
    """Iterate over what may be taken away before names, and be put there."""
    for strip in ("", *beginnings(names)):
        for add in ("", *beginnings(expected)):
            yield strip, add


def beginnings(names: Collection[str]) -> list[str]:
    """Return the words, up to three of them and before any number, with which half of the names begin."""
    counts: Counter[str] = Counter()
    for name in names:
        words = list(itertools.takewhile(lambda word: not word.isdigit(), name.split(".")[:-1]))
        counts.update(f"{'.'.join(words[:number])}." for number in range(1, min(3, len(words)) + 1))
    return [beginning for beginning, count in counts.items() if 2 * count >= len(names)]


def is_buffer(name: str, tensors: FileTensors) -> bool:
    """Return whether a tensor is made again by the model; a bias of a linear map is a vector, a mask is none."""
    return bool(BUFFERS.fullmatch(name)) and not (name.endswith("bias") and len(tensors.members[name].shape) == 1)


def is_copy(name: str, tensors: FileTensors) -> bool:
    """Return whether a bias is stored a second time."""
    twin = COPIED.sub(r"\1.bias", name)
    return twin != name and twin in tensors and np.array_equal(tensors[twin], tensors[name])


def listed(names: list[Any]) -> str:
    """Return a few of the names."""
    shown = ", ".join(repr(shorten(name)) for name in names[:2])
    return f"{shown} and {len(names) - 2} others" if len(names) > 2 else shown
