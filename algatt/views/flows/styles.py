"""Colours and sizes that the drawings of flows share."""

from __future__ import annotations

INK = "#262626"
"""The colour of what belongs to no head."""

SIZE = 7
"""Size of labels in points."""

BOX = (0.17, 0.19, 0.79, 0.7)
"""Axes over time in a figure of their own, with room for labels: left, bottom, width and height."""
