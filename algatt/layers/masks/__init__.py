"""Masks: which tokens see which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.masks.base import Mask as Mask
    from algatt.layers.masks.base import checked_mask as checked_mask
    from algatt.layers.masks.causal import Causal as Causal
    from algatt.layers.masks.causal import Window as Window
    from algatt.layers.masks.pattern import Pattern as Pattern

on_demand(
    __name__,
    {
        "algatt.layers.masks.base": "Mask checked_mask",
        "algatt.layers.masks.causal": "Causal Window",
        "algatt.layers.masks.pattern": "Pattern",
    },
)
