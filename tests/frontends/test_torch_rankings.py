"""Entries that are compared with the k-th largest of the same array, as sparse attention and routers are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from torch_modules import Called, check

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn

FUTURE = torch.ones(4, 4).triu(1).bool()


def filled(scores: Any) -> Any:
    values = torch.topk(scores, 2).values
    return scores.masked_fill(scores < values[..., -1:], -torch.inf)


def chosen(scores: Any) -> Any:
    values, _ = torch.topk(scores, 2, dim=-1)
    return torch.where(scores >= values[..., -1, None], scores, torch.full_like(scores, -torch.inf))


def cropped(scores: Any) -> Any:
    """As nanoGPT crops logits."""
    values, _ = torch.topk(scores, 2)
    scores = scores.clone()
    scores[scores < values[:, [-1]]] = -torch.inf
    return scores


def each(scores: Any) -> Any:
    """All comparisons with each of the three largest, from both sides."""
    values = torch.topk(scores, 3).values
    made = 0
    for place in range(3):
        one = values[..., place : place + 1]
        made = made + (place + 1) * (
            2.0 * (scores > one) + 3.0 * (scores >= one) + 5.0 * (scores == one) + 7.0 * (one != scores)
        )
        made = made + (11.0 * (one > scores) + 13.0 * (one >= scores)) * scores
    return made


def before(scores: Any) -> Any:
    """Among the tokens that are seen; the first row has less than two."""
    return filled(scores.masked_fill(FUTURE, -torch.inf)).softmax(-1)


def after(scores: Any) -> Any:
    """Tokens that are not seen are hidden last, of rows of which some of the largest are left."""
    largest = torch.topk(scores, 3).values[..., -1:]
    far = FUTURE.roll(1, 1).tril()
    return scores.masked_fill(scores < largest, -torch.inf).masked_fill(far, -torch.inf).softmax(-1)


def compared(scores: Any) -> Any:
    least = torch.topk(scores, 2).values[..., -1:]
    return 1.0 * (scores > least) + 2.0 * (scores >= least) + 4.0 * (scores == least) + 8.0 * (scores < least)


def in_groups(scores: Any) -> Any:
    """Of the better of two groups of two: minus infinity depends on the input before the comparison."""
    best = torch.topk(scores.view(-1, 2, 2).sum(-1), 1)[1]
    mask = torch.zeros(len(scores), 2).to(scores).scatter(1, best, 1).repeat_interleave(2, 1)
    scores = scores.masked_fill(~mask.bool(), -torch.inf)
    return scores.masked_fill(scores < torch.topk(scores, 1).values, -torch.inf).softmax(-1)


def with_softmax(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda scores: function(scores).softmax(-1)


USES: dict[str, Callable[[Any], Any]] = {
    "filled": with_softmax(filled),
    "chosen": with_softmax(chosen),
    "cropped": with_softmax(cropped),
    "each": each,
    "before": before,
    "after": after,
    "compared": lambda scores: compared(scores.masked_fill(FUTURE, -torch.inf)),
    "in groups": in_groups,
    "sorted": lambda scores: scores.sort(-1, descending=True).values * torch.arange(4),
    "rising": lambda scores: torch.sort(scores)[0] * torch.arange(4),
    "lower middle": lambda scores: scores.median(-1, keepdim=True).values * scores,
    "second smallest": lambda scores: (scores <= scores.kthvalue(2, keepdim=True).values) * scores,
    "smallest": lambda scores: scores.min(0).values * scores + scores.min(),
    "places": lambda scores: (scores.argmax(-1) > 1)[..., None] * scores + (scores.argmin(-1) != 1)[..., None],
    "products": lambda scores: scores.cumprod(0) + scores.prod(-1, keepdim=True),
    "lengths": lambda scores: scores / scores.norm(p=1, dim=-1, keepdim=True) * scores.norm(p=torch.inf, dim=0),
    "constant places": lambda scores: scores.gather(1, torch.tensor([[0, 3], [2, 1]])),
    "values": lambda scores: torch.topk(scores, 2).values,
}


@pytest.mark.parametrize("name", USES)
def test_values_are_those_of_torch(name: str) -> None:
    torch.manual_seed(0)
    module = Called(nn.Linear(3, 4), lambda inner, x: USES[name](inner(x)))
    check_at_others(module, check(module, torch.randn(4, 3)), (4, 3))


def check_at_others(module: Any, net: algatt.Network, shape: tuple[int, ...]) -> None:
    """Compare values at other inputs, where other entries are the largest."""
    theta = algatt.weights_of(module)
    for _ in range(4):
        x = torch.randn(shape).double()
        expected = module(x).detach().numpy()
        np.testing.assert_allclose(algatt.evaluate(net, theta, x.numpy().T), expected.T, rtol=1e-11, atol=1e-13)


class Attention(nn.Module):
    """Attention with the two largest scores of each query."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(4, 2, bias=False) for _ in "qkv")
        self.out = nn.Linear(2, 4, bias=False)

    def forward(self, x: Any) -> Any:
        return x + self.out(filled(self.q(x) @ self.k(x).mT).softmax(-1) @ self.v(x))


def test_attention_to_the_largest_scores_has_the_dimension_of_attention() -> None:
    """4 x 2 numbers of each of four matrices, less the gauges of queries and keys and of values."""
    report = algatt.dimension(check(Attention(), torch.randn(1, 3, 4)))
    assert (report.value, report.status) == (32 - 4 - 4, "proven")


def of_rows(y: Any) -> Any:
    y = y.clone()
    y[y[:, 0] > 0] = torch.tensor([1.0, 2.0, 3.0]).to(y)
    y[torch.tensor([True, False, False])] = 5
    y[[1, 2], [0, 1]] = y[0, :2] * 2
    return y


def test_places_of_truth_values_are_filled() -> None:
    torch.manual_seed(0)
    module = Called(nn.Linear(3, 3), lambda inner, x: of_rows(inner(x)))
    check_at_others(module, check(module, torch.randn(3, 3)), (3, 3))


def test_the_largest_of_too_few_are_refused() -> None:
    """The second largest of one score is minus infinity."""

    def values(inner: Any, x: Any) -> Any:
        return torch.topk(inner(x).masked_fill(FUTURE, -torch.inf), 2).values

    with pytest.raises(InvalidArgument, match="with minus infinity"):
        algatt.from_torch(Called(nn.Linear(3, 4), values), torch.randn(4, 3))


@pytest.mark.parametrize("name", ["indices", "infinite"])
def test_values_that_are_no_numbers_are_refused(name: str) -> None:
    """Places of largest entries, and entries that are minus infinity."""
    uses: dict[str, Callable[[Any], Any]] = {"indices": lambda y: torch.topk(y, 2).indices, "infinite": filled}
    with pytest.raises(InvalidArgument, match="it should be with a value of real numbers"):
        algatt.from_torch(Called(nn.Linear(3, 4), lambda inner, x: uses[name](inner(x))), torch.randn(4, 3))
