"""Tensors that take part in choices alone: of sequences of tokens there are finitely many, and each chooses the same
after a small change, so that nothing is seen of them. Of vectors there are some at which any change is seen.
"""

from __future__ import annotations

import pytest

from algatt import Network
from algatt.layers import Embedding, Experts, Feedforward, Layer, Residual, RMSNorm, SigmoidRouter, SiLU, Unembedding
from algatt.symmetry import symbolic_symmetries


def mixture(*, correction: bool, groups: int | None = None) -> Layer:
    """Return six experts, of which two are chosen, perhaps out of one of two groups."""
    limited = {} if groups is None else {"groups": groups, "top_groups": 1}
    router = SigmoidRouter(2, renormalize=True, correction=correction, **limited)
    return Residual(RMSNorm() >> Experts(6, Feedforward(2, SiLU(), gated=True), router))


@pytest.mark.parametrize("groups", [None, 2])
def test_a_correction_is_worth_nothing_where_tokens_are_read(groups: int | None) -> None:
    with_it, without = (
        Network(Embedding(5, 3) >> mixture(correction=one, groups=groups) >> RMSNorm() >> Unembedding(5), tokens=2)
        for one in (True, False)
    )
    answer = symbolic_symmetries(with_it)
    assert with_it.parameters - without.parameters == 6
    assert answer.complete
    assert answer.upper == symbolic_symmetries(without).upper


def test_a_correction_counts_up_to_a_number_where_vectors_are_read() -> None:
    with_it, without = (Network(mixture(correction=one), tokens=2, width=3) for one in (True, False))
    assert symbolic_symmetries(with_it).upper == symbolic_symmetries(without).upper + 6 - 1
