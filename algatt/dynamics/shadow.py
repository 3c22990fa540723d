"""Radial shadows, through which heads disturb each other on the sphere, and radial dominance over them."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.dynamics.flow import Flow, checked_tokens
from algatt.dynamics.velocity import seen, tangential_outputs, unchecked_outputs, without_overflow
from algatt.fields import PublicArray


def shadows(tokens: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Return <x_i, f_i^h>, of shape (H, n)."""
    return (tokens * outputs).sum(axis=-2)


def dominance_margins(flow: Flow, tokens: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Return |P f_i^h|^2 - |s_i^h| sum_{h' != h} |s_i^h'|, of shape (H, n); the sum is taken term by term, without a
    difference.
    """
    sizes = np.abs(shadows(tokens, outputs))
    others = np.stack([np.delete(sizes, h, axis=0).sum(axis=0) for h in range(len(sizes))])
    return np.square(tangential_outputs(flow, tokens, outputs)).sum(axis=-2) - sizes * others


@verbs.radial_shadow.method
def radial_shadow_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    array = seen(flow, checked_tokens(flow, tokens))
    with np.errstate(over="ignore", invalid="ignore"):
        sizes = shadows(array, unchecked_outputs(flow, array))
    return without_overflow(flow, sizes)


@verbs.radial_dominance.method
def radial_dominance_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    array = seen(flow, checked_tokens(flow, tokens))
    with np.errstate(over="ignore", invalid="ignore"):
        margins = dominance_margins(flow, array, unchecked_outputs(flow, array))
    return without_overflow(flow, margins)
