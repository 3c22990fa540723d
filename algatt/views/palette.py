"""The colours that pictures of the recursion and of flows share."""

from __future__ import annotations

PALETTE = ("#0b1f4b", "#7a2e00", "#1f5fa8", "#c0590a", "#3f97c9", "#d98c1f")
"""Colours of the layers: blue and orange in turn, which every kind of colour blindness tells apart, and each lighter
than the one before.
"""


def colour_number(layer: int) -> int:
    """Return the number, from 0, of a layer's colour; more layers than colours begin again."""
    return (layer - 1) % len(PALETTE)
