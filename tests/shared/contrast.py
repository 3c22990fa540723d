"""Whether colours can be told apart, by the Web Content Accessibility Guidelines."""

from __future__ import annotations

from collections.abc import Sequence


def linear(values: Sequence[float]) -> list[float]:
    """Return the linear parts of red, green and blue of sRGB, all from 0 to 1."""
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def luminance(values: Sequence[float]) -> float:
    """Return the relative luminance of red, green and blue from 0 to 1."""
    red, green, blue = linear(values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: float, two: float) -> float:
    """Return the contrast of two luminances."""
    darker, brighter = sorted((one, two))
    return (brighter + 0.05) / (darker + 0.05)
