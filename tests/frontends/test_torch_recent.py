"""Modules of recent papers as people write them: values, and dimensions that a count of symmetries says."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import algatt
from algatt.errors import GuardWarning
from torch_modules import Called, check

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")

pytestmark = pytest.mark.filterwarnings("ignore::algatt.errors.GuardWarning")
nn = torch.nn
F = nn.functional


def matrices(count: int, width: int = 4, out: int = 4) -> Any:
    return nn.ModuleList(nn.Linear(width, out, bias=False) for _ in range(count))


def heads_of(y: Any) -> Any:
    """Two heads of two numbers."""
    return y.unflatten(-1, (2, 2)).transpose(1, 2)


def together(y: Any) -> Any:
    return y.transpose(1, 2).flatten(2)


class With(nn.Module):
    """Modules and parameters, and a function of these and the input."""

    def __init__(self, function: Callable[..., Any], inner: Any, *shapes: tuple[int, ...]) -> None:
        super().__init__()
        self.function, self.inner = function, inner
        self.extra = nn.ParameterList(nn.Parameter(torch.randn(shape)) for shape in shapes)

    def forward(self, x: Any) -> Any:
        return self.function(x, self.inner, *self.extra)


def by_sigmoid(x: Any, inner: Any, bias: Any) -> Any:
    q, k, v, o = inner
    return x + o(torch.sigmoid(q(x) @ k(x).mT / 2 + bias).tril() @ v(x))


def by_cosine(x: Any, inner: Any, logits: Any) -> Any:
    """Swin's second version: a learned temperature, which is cut."""
    q, k, v, o = inner
    scores = F.normalize(heads_of(q(x)), dim=-1) @ F.normalize(heads_of(k(x)), dim=-1).mT
    scores = scores * logits.clamp(max=math.log(100)).exp()
    return o(together(scores.softmax(-1) @ heads_of(v(x))))


def capped(x: Any, inner: Any) -> Any:
    q, k, v, o = inner
    return o((torch.tanh(q(x) @ k(x).mT / 10) * 5).softmax(-1) @ v(x))


def with_prefix(x: Any, inner: Any, keys: Any, values: Any) -> Any:
    q, k, v, o = inner
    k, v = torch.cat([keys[None], k(x)], 1), torch.cat([values[None], v(x)], 1)
    return o(F.scaled_dot_product_attention(q(x), k, v))


def by_slopes(x: Any, inner: Any) -> Any:
    """ALiBi, with the least number as minus infinity."""
    q, k, v, o = inner
    places = torch.arange(x.shape[1])
    slopes = torch.tensor([2**-4, 2**-8])[:, None, None]
    scores = torch.einsum("bhid,bhjd->bhij", heads_of(q(x)), heads_of(k(x))) + slopes * (places - places[:, None])
    scores = scores.masked_fill(~torch.ones(3, 3).tril().bool(), torch.finfo(scores.dtype).min)
    return o(together(scores.softmax(-1) @ heads_of(v(x))))


def highway(x: Any, inner: Any) -> Any:
    gate, hidden = inner
    share = torch.sigmoid(gate(x))
    return share * torch.relu(hidden(x)) + (1 - share) * x


def shifted(x: Any, inner: Any, shares: Any) -> Any:
    """Tokens mixed with those before them, as in RWKV."""
    up, down, gate = inner
    x = x * shares + F.pad(x, (0, 0, 1, -1)) * (1 - shares)
    return torch.sigmoid(gate(x)) * down(torch.relu(up(x)) ** 2)


def delta(x: Any, inner: Any, steps: Any) -> Any:
    """A delta rule: a memory that is corrected by each token, read by queries of length one."""
    q, k, v = (layer(x) for layer in inner)
    q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
    memory, made = x.new_zeros(1, 2, 2), []
    for place in range(x.shape[1]):
        key = k[:, place]
        wrong = v[:, place] - torch.einsum("bij,bi->bj", memory, key)
        memory = memory + torch.einsum("bi,bj->bij", key, wrong * steps.sigmoid())
        made.append(torch.einsum("bij,bi->bj", memory, q[:, place]))
    return torch.stack(made, 1)


def shared_experts(x: Any, inner: Any, first: Any, last: Any) -> Any:
    """Two of three experts, whose shares are sigmoids, and one that all tokens have."""
    router, up, down = inner
    shares = router(x).sigmoid()
    places = (shares + torch.tensor([0.0, 0.1, -0.1])).topk(2)[1]
    kept = shares.gather(-1, places)
    shares = torch.zeros_like(shares).scatter(-1, places, kept / kept.sum(-1, keepdim=True))
    made = torch.einsum("bteh,edh,bte->btd", F.silu(torch.einsum("btd,ehd->bteh", x, first)), last, shares)
    return made + down(F.silu(up(x)))


class Buckets(nn.Module):
    """Attention of T5, with buckets of distances that are computed."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.inner = nn.Embedding(8, 2), matrices(4)

    def forward(self, x: Any) -> Any:
        q, k, v, o = self.inner
        places = torch.arange(x.shape[1])
        apart = places - places[:, None]
        far = 2 + (torch.log(apart.abs().clamp(min=1).float() / 2) / math.log(8) * 2).long()
        buckets = (apart > 0).long() * 4 + torch.where(apart.abs() < 2, apart.abs(), far.clamp(max=3))
        scores = heads_of(q(x)) @ heads_of(k(x)).mT + self.table(buckets).permute(2, 0, 1)
        return o(together(scores.softmax(-1) @ heads_of(v(x))))


def differential(x: Any, inner: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """The difference of two softmaxes, with a factor that is made of four vectors."""
    q, k, v, o = inner
    first, second = ((heads_of(q(x)) @ heads_of(k(x)).mT / math.sqrt(2)).softmax(-1)).unbind(1)
    factor = torch.exp((a * b).sum()) - torch.exp((c * d).sum()) + 0.8
    return o((first - factor * second) @ v(x))


def adapted(x: Any, inner: Any) -> Any:
    """Queries, keys and values by matrices with additions of low rank."""
    q, k, v = (inner[place](x) + inner[place + 2](inner[place + 1](x)) for place in (0, 3, 6))
    return F.scaled_dot_product_attention(q, k, v)


def copied(x: Any, inner: Any, first: Any, mixed: Any, written: Any, second: Any, again: Any, last: Any) -> Any:
    """Hyper-connections: two copies of the stream, which layers read and write with weights."""
    one, two = inner
    copies = torch.stack([x, x], -2)
    made = torch.tanh(one((first[:, None] * copies).sum(-2)))
    copies = torch.einsum("ij,btjd->btid", mixed, copies) + written[:, None] * made[..., None, :]
    made = torch.tanh(two((second[:, None] * copies).sum(-2)))
    return (last[:, None] * (copies + again[:, None] * made[..., None, :])).sum(-2)


GAUGES = 4 * 4
"""Keys and queries, and values, of two heads of width 2."""

RECENT: dict[str, tuple[Callable[[], Any], tuple[int, ...], int]] = {
    "sigmoid attention": (lambda: With(by_sigmoid, matrices(4), ()), (1, 3, 4), 65 - 16 - 16),
    # of each head a rotation, and the lengths of keys and of queries
    "cosine attention": (lambda: With(by_cosine, matrices(4), (2, 1, 1)), (1, 3, 4), 66 - 2 * 3 - 8),
    "capped scores": (lambda: With(capped, matrices(4)), (1, 3, 4), 64 - 16 - 16),
    "prefix": (lambda: With(with_prefix, matrices(4), (2, 4), (2, 4)), (1, 3, 4), 80 - 16 - 16),
    "slopes": (lambda: With(by_slopes, matrices(4)), (1, 3, 4), 64 - GAUGES),
    "highway": (lambda: With(highway, nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])), (1, 3, 3), 24),
    "shifted tokens": (
        lambda: With(shifted, nn.ModuleList([*matrices(1, 3), *matrices(1, 4, 3), *matrices(1, 3, 3)]), (3,)),
        (1, 3, 3),
        36 - 4,
    ),
    # a rotation of keys and queries, and the length of each
    "delta rule": (lambda: With(delta, matrices(3, 3, 2), ()), (1, 3, 3), 19 - 3),
    "shared experts": (
        lambda: With(
            shared_experts,
            nn.ModuleList([*matrices(1, 4, 3), *matrices(1, 4, 2), *matrices(1, 2)]),
            (3, 2, 4),
            (3, 4, 2),
        ),
        (1, 3, 4),
        12 + 16 + 48,
    ),
    # a bucket of each head is a number that is added to all scores; five distances of three tokens have three buckets
    # that are read, and a fourth and a fifth
    "buckets of distances": (Buckets, (1, 3, 4), 80 - GAUGES - 2 * (8 - 5) - 2),
    "weights of length one": (
        lambda: nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(3, 4)), nn.Softplus(), nn.Linear(4, 2)),
        (1, 3, 3),
        30 - 4,
    ),
    # one factor in the place of 12 numbers; keys and queries of each head, values and outputs
    "differential attention": (lambda: With(differential, matrices(4), *[(3,)] * 4), (1, 3, 4), 76 - 11 - 2 * 4 - 16),
    "additions of low rank": (
        lambda: With(
            adapted,
            nn.ModuleList(nn.Linear(*shape, bias=False) for _ in range(3) for shape in ((4, 4), (4, 2), (2, 4))),
        ),
        (1, 3, 4),
        3 * 16 - 16,
    ),
    # the matrices, what the second one reads of the first layer beside the input, and three numbers in the end
    "copies of the stream": (
        lambda: With(copied, matrices(2, 3, 3), (2,), (2, 2), (2,), (2,), (2,), (2,)),
        (1, 2, 3),
        9 + 9 + 1 + 3,
    ),
    "one of a kind": (
        lambda: Called(nn.Linear(3, 4), lambda inner, x: inner(x) * F.one_hot(inner(x).argmax(-1), 4)),
        (1, 3, 3),
        16,
    ),
    "channels of an image": (
        lambda: Called(nn.Linear(3, 4), lambda inner, x: F.instance_norm(inner(x).transpose(1, 2)).transpose(1, 2)),
        (1, 4, 3),
        16 - 4,
    ),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", RECENT)
def test_values_and_dimensions(name: str) -> None:
    torch.manual_seed(0)
    make, shape, dimension = RECENT[name]
    report = algatt.dimension(check(make(), torch.randn(shape)))
    assert (report.value, report.status) == (dimension, "proven")


def test_lengths_are_kept_from_zero_by_small_numbers_alone() -> None:
    """`normalize` divides by what is at least 1e-12, which is read as the length; a larger number is a choice."""
    for eps, is_scaled in ((1e-12, True), (0.5, False)):
        module = Called(nn.Linear(3, 2, bias=False), lambda inner, x, eps=eps: F.normalize(inner(x), dim=-1, eps=eps))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            net = check(module, torch.randn(3, 3))
        assert any(one.category is GuardWarning and "1e-12" in str(one.message) for one in told) == is_scaled
        assert ("positive" not in {one.operation for one in net.layers.program.instructions}) == is_scaled


def test_tokens_are_unit_vectors() -> None:
    torch.manual_seed(0)
    table = Called(nn.Linear(5, 3), lambda inner, tokens: inner(F.one_hot(tokens, 5).to(inner.weight.dtype)))
    check(table, torch.tensor([[1, 2, 4]]))


def test_a_function_of_weights_alone_is_read_behind_tokens() -> None:
    """The decay of Mamba is an exponential of weights: here three channels, none of which may be rescaled."""
    torch.manual_seed(0)

    def function(x: Any, inner: Any, logarithms: Any) -> Any:
        table, out = inner
        first, second = table(x[:, :1]), table(x[:, 1:])
        return out(torch.sigmoid(first + torch.exp(logarithms) * torch.sigmoid(second)))

    module = With(function, nn.ModuleList([nn.Embedding(5, 3), nn.Linear(3, 2, bias=False)]), (3,))
    report = algatt.dimension(algatt.from_torch(module.double().eval(), torch.tensor([[1, 3]])))
    assert (report.value, report.status) == (5 * 3 + 3 + 2 * 3, "proven")
