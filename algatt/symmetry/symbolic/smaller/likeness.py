"""Blocks, heads and routers that rules do not tell apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from algatt.layers import (
    Causal,
    Chain,
    Heads,
    Layer,
    Named,
    Parallel,
    Residual,
    Rotary,
    SigmoidRouter,
    SoftmaxRouter,
    Window,
)
from algatt.layers.routers import Router

LONGEST_PERIOD = 12
"""Stacks of equal groups of blocks are looked for in groups of so many blocks at most."""


def with_parts(layer: Layer, change: Any) -> Layer:
    """Return a layer with other layers in its fields."""
    values: dict[str, Any] = {one.name: getattr(layer, one.name) for one in dataclasses.fields(layer)}
    for name, value in values.items():
        if isinstance(value, Layer):
            values[name] = change(value)
        elif isinstance(value, tuple) and all(isinstance(one, Layer) for one in value):
            values[name] = tuple(map(change, value))
    made: Layer = type(layer).of_fields(values)
    return made


def like(layer: Layer) -> Layer:
    """Return a layer with heads that `alike` does not tell apart from others."""
    if isinstance(layer, Heads):
        return alike(layer)
    return with_parts(layer, like) if isinstance(layer, Chain | Named | Residual | Parallel) else layer


def alike(heads: Heads) -> Heads:
    """Return heads with the mask and the angles that stand for all that have the same answer: windows of several tokens
    are like causal masks, and angles that all differ are like those of another base.
    """
    if not isinstance(heads.position, Rotary | None):
        return heads
    if isinstance(heads.mask, Window) and heads.mask.size > 1:
        heads = dataclasses.replace(heads, mask=Causal())
    if isinstance(heads.position, Rotary) and heads.width is not None:
        turned = heads.position
        plain = Rotary(width=turned.width, layout=turned.layout)
        if all(differ(one.angles(heads.width)) for one in (turned, plain)):
            heads = dataclasses.replace(heads, position=plain)
    return heads


def differ(angles: Sequence[float]) -> bool:
    """Return whether no angle is zero, and none is that of another pair, in this direction or the other one."""
    return all(angles) and len(set(map(abs, angles))) == len(angles)


def runs_of(blocks: Sequence[Layer]) -> list[tuple[int, int, int]]:
    """Return where equal groups of blocks begin, how many blocks a group has, and how many groups there are, the blocks
    that are in no longer run each by itself.
    """
    kinds: dict[Layer, int] = {}
    numbers = [kinds.setdefault(block, len(kinds)) for block in blocks]
    found, start = list[tuple[int, int, int]](), 0
    while start < len(numbers):
        best = (start, 1, 1)
        for period in range(1, min(LONGEST_PERIOD, (len(numbers) - start) // 2) + 1):
            count = 1
            group = numbers[start : start + period]
            while numbers[start + count * period : start + (count + 1) * period] == group:
                count += 1
            if (count - 1) * period > (best[2] - 1) * best[1]:
                best = (start, period, count)
        found.append(best)
        start += best[1] * best[2]
    return found


def with_fewer(router: Router, count: int) -> tuple[Router, int, int] | None:
    """Return a router of fewer experts that treats them alike, how many these are, and by what number there may be
    more; None if these are all, or it is no router that is known.

    Where one is chosen one is, where several are, two, and not all where not all are; where there are groups, of which
    some are chosen, one of two.
    """
    if type(router) not in (SoftmaxRouter, SigmoidRouter):
        return None
    changes: dict[str, Any] = {}
    least, step = 2, 1
    if router.top is not None and router.top < count:
        changes["top"] = min(router.top, 2)
        least = 3
    elif router.top is not None:
        changes["top"] = None
    groups, chosen = vars(router).get("groups"), vars(router).get("top_groups")
    if groups is not None and chosen is not None:
        changes |= {"groups": 2, "top_groups": 1} if chosen < groups else {"groups": None, "top_groups": None}
        least, step = (6, 2) if chosen < groups else (least, step)
    if count <= least + step or (count - least) % step:
        return None
    fewer: Router = dataclasses.replace(router, **changes)
    return fewer, least, step
