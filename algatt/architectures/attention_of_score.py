"""The networks of HMK by their scores: those without a score are lightning attention."""

from __future__ import annotations

from collections.abc import Sequence

from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.lightning import Lightning
from algatt.architectures.normalized import Normalized
from algatt.layers import Score


def attention_of_score(
    dims: Sequence[int], ranks: Sequence[int], tokens: int, score: Score | None = None
) -> AttentionNetwork:
    """Return the network of these widths and ranks whose scores are normalised, or are not if there is none.

    Raises
    ------
    InvalidArgument
        As for `Lightning` and `Normalized`.
    """
    widths, sizes = tuple(dims), tuple(ranks)
    return Lightning(widths, sizes, tokens) if score is None else Normalized(widths, sizes, tokens, score)
