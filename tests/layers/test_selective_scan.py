"""The state space of Mamba (arXiv 2312.00752, algorithm 2), against the sum that its recurrence is."""

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import DepthwiseConvolution, Linear, Product, Residual, RMSNorm, SelectiveScan, SiLU


def unrolled(A, B, C, D, low, up, b, X):
    """Return the values as sums over all pairs of tokens s <= t, with the steps between them added up."""
    steps = np.log1p(np.exp(up @ (low @ X) + b))
    values = D * X
    for t in range(X.shape[1]):
        for s in range(t + 1):
            decay = np.exp(-steps[:, s + 1 : t + 1].sum(axis=1)[:, None] * np.exp(A))
            values[:, t] += (decay * (B @ X[:, s]) * (C @ X[:, t])).sum(axis=1) * steps[:, s] * X[:, s]
    return values


@pytest.mark.parametrize("tokens", [1, 4])
def test_the_recurrence_is_a_sum_over_pairs_of_tokens(is_real_value, tokens):
    generator = np.random.default_rng(tokens)
    shapes = {"A": (3, 2), "B": (2, 3), "C": (2, 3), "D": (3, 1), "low": (2, 3), "up": (3, 2), "b": (3, 1)}
    tensors = {name: generator.standard_normal(shape) for name, shape in shapes.items()}
    X = generator.standard_normal((3, tokens))
    expected = unrolled(**tensors, X=X)
    is_real_value(SelectiveScan(2, 2), {f"scan.{name}": one for name, one in tensors.items()}, X, expected)


@pytest.mark.parametrize(("d", "inner", "states", "rank", "size"), [(2, 3, 1, 1, 2), (3, 4, 2, 2, 3)])
def test_what_is_redundant_in_a_block_of_mamba(d, inner, states, rank, size):
    """Convolution and what it reads: `inner`; B and C: `states`; the steps: rank^2; C, D and the output: 1; gain: d."""
    scanned = Linear(inner) >> DepthwiseConvolution(size) >> SiLU() >> SelectiveScan(states, rank)
    block = Residual(RMSNorm() >> Product(scanned, Linear(inner) >> SiLU()) >> Linear(d))
    report = algatt.dimension(algatt.Network(block, tokens=3, width=d))
    assert (report.status, report.lower) == ("proven", report.upper)
    assert report.parameters - report.upper == inner + states + rank**2 + 1 + d


def test_what_is_no_number_is_refused():
    with pytest.raises(InvalidArgument, match=r"^states was 0; it should be an integer >= 1$"):
        SelectiveScan(0, 1)
    with pytest.raises(InvalidArgument, match=r"^rank was 'auto'; it should be an integer >= 1$"):
        SelectiveScan(2, "auto")
