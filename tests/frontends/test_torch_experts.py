"""Mixtures of experts of torch, whose router chooses by places of largest entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.architectures.network import arrange
from algatt.frontends.matching import matched_tensors
from algatt.published import read
from torch_modules import Called

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn


def by_masks(self: Any, x: Any) -> Any:
    """All experts, each times the weight of its place."""
    weights, places = self.router(x)
    every = [nn.functional.glu(x @ up.T, -1) @ down.T for up, down in zip(self.up, self.down, strict=True)]
    shown = ((places == number).to(x.dtype) for number in range(3))
    return sum((weights * one).sum(-1, keepdim=True) * y for one, y in zip(shown, every, strict=True))


def chosen(self: Any, x: Any, scale: Any = 1.0) -> tuple[Any, Any]:
    """The values of the experts that are chosen, for each token and place, and their weights."""
    weights, places = self.router(x)
    rows, places = (x[:, None].expand(-1, 2, -1) * scale).reshape(-1, 4), places.reshape(-1)
    hidden = nn.functional.glu((self.up[places] @ rows[..., None]).squeeze(-1), -1)
    return torch.bmm(self.down[places], hidden[..., None]).squeeze(-1), weights


def by_lookups(self: Any, x: Any) -> Any:
    """As transformers writes `batched_mm`."""
    made, weights = chosen(self, x)
    return (made * weights.reshape(-1, 1)).view(len(x), 2, 4).sum(1)


def with_unequal_places(self: Any, x: Any) -> Any:
    """The first place counts more than the second, in rows and in weights."""
    made, weights = chosen(self, x, torch.tensor([[1.0], [2.0]], dtype=x.dtype))
    weights = weights * torch.tensor([1.0, 3.0], dtype=x.dtype)
    return (weights.reshape(-1, 1) * made).view(len(x), 2, 4).sum(1)


def with_one_place(self: Any, x: Any) -> Any:
    """The second place alone."""
    made, weights = chosen(self, x)
    return (made * weights.reshape(-1, 1)).view(len(x), 2, 4)[:, 1:].sum(1)


def with_unweighted_places(self: Any, x: Any) -> Any:
    """No weights; a sum of all places of all tokens beside it."""
    made, weights = chosen(self, x)
    made = made.view(len(x), 2, 4)
    return made.sum(1) + made.sum(0).sum(0) * weights.sum()


def with_weights_exchanged(self: Any, x: Any) -> Any:
    """The weight of the first place for the second, and the other way round."""
    made, weights = chosen(self, x)
    return (made * weights.flip(-1).reshape(-1, 1)).view(len(x), 2, 4).sum(1)


def with_sums_of_tokens(self: Any, x: Any) -> Any:
    """Sums over tokens of weights and experts, for each place, and quotients of weights."""
    made, weights = chosen(self, x)
    made = (made * weights.reshape(-1, 1)).view(len(x), 2, 4).sum(0)
    return made / weights.sum(0)[:, None] + (weights[:2] / weights[1:]).sum(-1, keepdim=True)


USES = {
    one.__name__: one
    for one in (
        by_masks,
        by_lookups,
        with_unequal_places,
        with_one_place,
        with_unweighted_places,
        with_weights_exchanged,
        with_sums_of_tokens,
    )
}


class Experts(nn.Module):
    """A mixture of experts of which a router chooses two for each token."""

    def __init__(self, use: Callable[..., Any], divided: bool = False) -> None:
        super().__init__()
        self.scores, self.use, self.divided = nn.Linear(4, 3, bias=False), use, divided
        self.up, self.down = nn.Parameter(torch.randn(3, 6, 4)), nn.Parameter(torch.randn(3, 4, 3))

    def router(self, x: Any) -> tuple[Any, Any]:
        weights, places = torch.topk(torch.softmax(self.scores(x), -1), 2)
        return weights / weights.sum(-1, keepdim=True) if self.divided else weights, places

    def forward(self, x: Any) -> Any:
        return self.use(self, x)


@pytest.mark.parametrize("divided", [False, True])
@pytest.mark.parametrize("use", USES)
def test_values_are_those_of_torch(use: str, divided: bool) -> None:
    torch.manual_seed(0)
    module, x = Experts(USES[use], divided).double().eval(), torch.randn(3, 4).double()
    net = algatt.from_torch(module, x)
    for _ in range(4):
        expected = module(x).detach().numpy()
        np.testing.assert_allclose(algatt.evaluate(net, algatt.weights_of(module), x.numpy().T), expected.T, rtol=1e-11)
        x = torch.randn(3, 4).double()


def in_groups(scores: Any) -> tuple[Any, Any]:
    """The two largest of the scores in the better of two groups of two, as DeepSeek-V3 looks for them."""
    best = torch.topk(scores.view(-1, 2, 2).sum(-1), 1)[1]
    mask = torch.zeros(len(scores), 2).to(scores).scatter(1, best, 1)
    mask = mask.unsqueeze(-1).expand(-1, 2, 2).reshape(-1, 4)
    places = torch.topk(scores.masked_fill(~mask.bool(), -torch.inf), 2)[1]
    return scores.gather(1, places), places


def shown_in_groups(scores: Any) -> Any:
    """Shares of the experts in the better group."""
    mask = torch.zeros_like(scores[:, :2]).scatter(1, torch.topk(scores.view(-1, 2, 2).sum(-1), 1)[1], 1)
    return torch.where(mask.repeat_interleave(2, 1).bool(), scores, -torch.inf).softmax(-1)


def picked(scores: Any) -> Any:
    """Shares of the two largest scores, of which the second counts three times."""
    values, places = torch.topk(scores, 2)
    shares = (values * torch.tensor([1.0, 3.0], dtype=values.dtype)).softmax(-1)
    return torch.stack([(shares * (places == number)).sum(-1) for number in range(4)], -1)


def over_tokens(scores: Any) -> Any:
    """The two largest scores, exponentials of which have the sum one over all tokens."""
    values, places = torch.topk(scores, 2)
    shares = values.T.softmax(-1).T
    return torch.stack([(shares * (places == number)).sum(-1) for number in range(4)], -1)


def spread(scores: Any) -> Any:
    """Scores in groups, at their places."""
    values, places = in_groups(scores)
    return torch.zeros_like(scores).scatter(1, places, values)


@pytest.mark.parametrize("shares", [shown_in_groups, picked, over_tokens, spread])
def test_shares_that_are_found_by_places_are_those_of_torch(shares: Callable[..., Any]) -> None:
    """Scores are positive and negative, so that zeros are not below them."""
    torch.manual_seed(0)
    module = Called(nn.Linear(3, 4), lambda inner, x: shares(inner(x))).double().eval()
    net, theta = algatt.from_torch(module, torch.randn(3, 3).double()), algatt.weights_of(module)
    for _ in range(6):
        x = torch.randn(3, 3).double()
        expected = module(x).detach().numpy()
        np.testing.assert_allclose(algatt.evaluate(net, theta, x.numpy().T), expected.T, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("use", [by_masks, by_lookups])
def test_experts_have_the_dimension_of_layers(use: Callable[..., Any]) -> None:
    """A GLU of a W and V has the gauge of a product of two matrices for each of three neurons, of three experts."""
    report = algatt.dimension(algatt.from_torch(Experts(use).double(), torch.randn(3, 4).double()))
    assert (report.value, report.status) == (3 * 4 + 3 * 3 * 12 - 3 * 3 - 4, "proven")


FIELDS = {
    "vocab_size": 5,
    "hidden_size": 8,
    "intermediate_size": 3,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 4,
    "num_experts_per_tok": 2,
    "tie_word_embeddings": False,
    "rms_norm_eps": 1e-5,
    "sliding_window": None,
}
KINDS: dict[str, dict[str, Any]] = {
    "mixtral": {"num_local_experts": 3},
    "qwen3_moe": {"num_experts": 3, "moe_intermediate_size": 3, "norm_topk_prob": True, "decoder_sparse_step": 1},
}


@pytest.mark.parametrize("kind", KINDS)
def test_mixtures_of_transformers_have_the_program_of_their_config(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So all questions have one answer; scores are computed in single precision there, here in double precision."""
    transformers = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch, "float", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    fields = FIELDS | KINDS[kind]
    config = transformers.AutoConfig.for_model(kind, **fields, attn_implementation="eager")
    config._experts_implementation = "batched_mm"
    model = transformers.AutoModelForCausalLM.from_config(config).double().eval()
    net = algatt.from_torch(model, torch.tensor([[1, 2, 3]]), constants={"use_cache": False})
    rope = config.rope_parameters["rope_theta"]
    known = read({"model_type": kind, "rope_theta": rope, **fields}, tokens=3)
    programs = [arrange(one).network.layers.program for one in (net, known)]
    assert matched_tensors(*programs) is not None
