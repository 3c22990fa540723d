"""Modules of torch as networks: the values are those of torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.architectures.network import arrange
from algatt.errors import InvalidArgument
from algatt.frontends.comparison import compare_models
from algatt.frontends.matching import matched_tensors
from algatt.layers import Heads
from algatt.maps import program
from algatt.programs.normal_form import normal_form
from algatt.published import read
from torch_modules import Called, check

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn
F = nn.functional


@pytest.fixture(autouse=True)
def doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models compute parts in single precision, whatever their weights have; here in double precision."""
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch, "float", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    torch.manual_seed(0)


class Attention(nn.Module):
    """Attention as nanoGPT has it."""

    def __init__(self, width: int, heads: int, flash: bool) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads, self.flash = heads, flash
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)).view(1, 1, 8, 8))

    def forward(self, x: Any) -> Any:
        B, T, C = x.size()
        q, k, v = (
            one.view(B, T, self.heads, C // self.heads).transpose(1, 2) for one in self.c_attn(x).split(C, dim=2)
        )
        if self.flash:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / k.size(-1) ** 0.5)
            att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
            y = F.softmax(att, dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class ByEinsum(nn.Module):
    """Attention with tensors of three axes."""

    def __init__(self) -> None:
        super().__init__()
        self.Q, self.K, self.V = (nn.Parameter(torch.randn(4, 2, 2)) for _ in "QKV")
        self.O = nn.Parameter(torch.randn(2, 2, 4))

    def forward(self, x: Any) -> Any:
        q, k, v = (torch.einsum("btd,dha->bhta", x, W) for W in (self.Q, self.K, self.V))
        weights = torch.softmax(torch.einsum("bhta,bhsa->bhts", q, k) / 2**0.5, dim=-1)
        return x + torch.einsum("bhts,bhsa,had->btd", weights, v, self.O)


class Recurrent(nn.Module):
    """A recurrent network, step by step."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(3, 2)

    def forward(self, x: Any) -> Any:
        state = x.new_zeros(1, 2)
        for step in range(x.shape[1]):
            state = self.cell(x[:, step], state)
        return state


class Convolved(nn.Module):
    """Convolutions over tokens: dense, and channel by channel before a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Conv1d(3, 4, 3, padding=1), nn.Conv1d(4, 4, 3, padding=2, groups=4)

    def forward(self, x: Any) -> Any:
        y = F.silu(self.one(x.transpose(1, 2)))
        return self.two(y)[..., : x.shape[1]].transpose(1, 2)


def updated(inner: Any, x: Any) -> Any:
    """In-place updates of parts, of which one is a constant."""
    y = inner(x)
    y[:, 0] = 0
    y[1:, 1:] = x[1:, :1]
    return y.mul_(2)


MODULES = {
    "in-place updates": (lambda: Called(nn.Linear(3, 3), updated), (2, 3)),
    "linear": (lambda: nn.Linear(3, 4), (2, 3)),
    "attention of nanoGPT": (lambda: Attention(4, 2, True), (1, 3, 4)),
    "attention of minGPT": (lambda: Attention(4, 2, False), (1, 3, 4)),
    "attention by einsum": (ByEinsum, (1, 3, 4)),
    "encoder layer": (lambda: nn.TransformerEncoderLayer(4, 2, 6, batch_first=True), (1, 3, 4)),
    "recurrent": (Recurrent, (1, 3, 3)),
    "convolutions": (Convolved, (1, 4, 3)),
    "bilinear": (lambda: Called(nn.Bilinear(3, 3, 2), lambda inner, x: inner(x, x)), (2, 3)),
    "perceptron": (lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.LayerNorm(4), nn.Linear(4, 2)), (2, 3)),
    "batch norm": (lambda: nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ELU(), nn.Linear(4, 2)), (2, 3)),
    "group norm": (lambda: nn.Sequential(nn.Linear(4, 4), nn.GroupNorm(2, 4)), (3, 4)),
    "hard functions": (
        lambda: nn.Sequential(
            nn.Linear(3, 3), nn.Hardswish(), nn.Linear(3, 3), nn.Hardsigmoid(), nn.Hardtanh(0.4, 0.6)
        ),
        (4, 3),
    ),
    "triangles": (lambda: Called(nn.Linear(3, 3), lambda m, x: m(x).tril(-1) - m(x).triu(1) / 2), (3, 3)),
    "an empty part": (
        lambda: Called(nn.Linear(4, 4), lambda m, x: torch.cat([m(x)[..., :0] * 2, m(x)], -1)),
        (1, 3, 4),
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_values_are_those_of_torch(name: str) -> None:
    make, shape = MODULES[name]
    check(make(), torch.randn(shape))


def test_images_are_read_in_patches() -> None:
    conv = nn.Conv2d(2, 3, 2, stride=2).double()
    net = algatt.from_torch(conv, torch.randn(1, 2, 4, 4).double(), value=lambda y: y.flatten(2).transpose(1, 2))
    assert [one.operation for one in net.layers.program.instructions].count("product") == 1
    image = torch.randn(1, 2, 4, 4).double()
    patches = image.numpy().reshape(2, 2, 2, 2, 2).transpose(0, 2, 4, 1, 3).reshape(8, 4)
    value = algatt.evaluate(net, algatt.weights_of(conv), patches)
    np.testing.assert_allclose(value, conv(image).detach().numpy().reshape(3, 4), rtol=1e-12)


LLAMA = {
    "vocab_size": 5,
    "hidden_size": 8,
    "intermediate_size": 3,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 8,
    "tie_word_embeddings": False,
}
NAMES = {
    "embedding.E": "model.embed_tokens.weight",
    "norm.g": "model.norm.weight",
    "unembedding.U": "lm_head.weight",
    "1.norm_1.g": "model.layers.0.input_layernorm.weight",
    "1.norm_2.g": "model.layers.0.post_attention_layernorm.weight",
    "1.heads.Q_1": "model.layers.0.self_attn.q_proj.weight.rows_1_4",
    "1.heads.Q_2": "model.layers.0.self_attn.q_proj.weight.rows_5_8",
    "1.heads.K_1": "model.layers.0.self_attn.k_proj.weight",
    "1.heads.V_1": "model.layers.0.self_attn.v_proj.weight",
    "1.heads.O_1": "model.layers.0.self_attn.o_proj.weight.columns_1_4",
    "1.heads.O_2": "model.layers.0.self_attn.o_proj.weight.columns_5_8",
    **{f"1.feedforward.{name}": f"model.layers.0.mlp.{name}_proj.weight" for name in ("up", "gate", "down")},
}


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_llama_as_transformers_has_it(attention: str) -> None:
    """Its program has the normal form of that which its config describes; so all questions have one answer."""
    reason = "transformers is not installed; the extra torch brings it"
    transformers = pytest.importorskip("transformers", reason=reason)
    config = transformers.LlamaConfig(**LLAMA, attn_implementation=attention)
    model = transformers.LlamaForCausalLM(config)
    net = check(model, torch.tensor([[1, 2, 3]]), constants={"use_cache": False})
    known = read({"model_type": "llama", **LLAMA}, tokens=3)
    assert normal_form(program(net)).digest() == normal_form(program(known)).digest(NAMES)
    assert set(NAMES.values()) == set(normal_form(program(net)).program.tensors)


@pytest.mark.parametrize(("states", "tokens"), [(2, 3), (3, 2)])
def test_mamba_as_transformers_has_it(states: int, tokens: int) -> None:
    """Its program is that of its config, whether there are more tokens than states or not."""
    reason = "transformers is not installed; the extra torch brings it"
    transformers = pytest.importorskip("transformers", reason=reason)
    sizes = {"vocab_size": 6, "hidden_size": 4, "num_hidden_layers": 1, "state_size": states, "conv_kernel": 2}
    model = transformers.MambaForCausalLM(transformers.MambaConfig(**sizes, time_step_rank=2, pad_token_id=None))
    net = check(model, torch.tensor([[3, 5, 4][:tokens]]), constants={"use_cache": False})
    known = read({"model_type": "mamba", **sizes, "time_step_rank": 2}, tokens=tokens)
    names = matched_tensors(*(arrange(one).network.layers.program for one in (known, net)))[0]
    assert names["1.scan.A"][0] == "backbone.layers.0.mixer.A_log"


def test_dimensions_are_those_of_layers() -> None:
    """The module is the network of layers, with the matrices of all heads in one."""
    inner = nn.MultiheadAttention(4, 2, batch_first=True, bias=False)
    net = check(Called(inner, lambda inner, x: inner(x, x, x)[0]), torch.randn(1, 3, 4))
    report, known = algatt.dimension(net), algatt.dimension(algatt.Network(Heads(2), tokens=3, width=4))
    assert (report.value, report.status) == (known.value, known.status)
    assert algatt.symmetries(net)


def test_weights_go_there_and_back() -> None:
    module = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).double()
    net, x = algatt.from_torch(module, torch.randn(2, 3).double()), torch.randn(2, 3).double()
    theta = algatt.weights_of(module)
    assert theta.names() == tuple(algatt.coordinates(net)) == tuple(module.state_dict())
    before = module(x).detach().numpy()
    moved = theta.replace(
        [
            -one if name in ("0.weight", "0.bias", "2.weight") else one
            for name, one in zip(theta.names(), theta.elements, strict=True)
        ]
    )
    assert algatt.same_function(net, theta, moved).equal
    algatt.load_into(module, moved)
    np.testing.assert_allclose(module(x).detach().numpy(), before, rtol=1e-12)
    assert algatt.weights_of(module) == moved
    assert algatt.weights_of(nn.Linear(2, 2).bfloat16()).field.precision == 8
    with pytest.raises(InvalidArgument, match="it should be weights of the network of the model"):
        algatt.load_into(nn.Linear(3, 4), theta)


def test_what_torch_exports_is_the_module(tmp_path: Any) -> None:
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, by which torch writes ONNX files")
    layer = nn.TransformerEncoderLayer(4, 2, 6, batch_first=True, activation="gelu").double().eval()
    for parameter in layer.parameters():
        nn.init.normal_(parameter)
    x, path = torch.randn(1, 3, 4).double(), tmp_path / "layer.onnx"
    torch.onnx.export(layer, (x,), path, dynamo=True)
    graph, theta = algatt.from_onnx(path), algatt.weights_of(path)
    net, given = algatt.from_torch(layer, x), algatt.weights_of(layer)
    assert compare_models(net, given, graph, theta).equal
    nn.init.normal_(layer.linear1.bias)
    assert compare_models(net, algatt.weights_of(layer), graph, theta).equal is False


class Crossed(nn.Module):
    """Tokens that read vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.inner = nn.Embedding(4, 3), nn.MultiheadAttention(3, 1, batch_first=True)

    def forward(self, x: Any, tokens: Any) -> Any:
        return self.inner(self.table(tokens), x, x)[0]


def test_vectors_and_tokens_are_read_together() -> None:
    """Also where there are as many tokens in all as vectors are wide, and as many tokens are read as vectors."""
    for columns in (4, 5):
        module = Crossed().double().eval()
        lift = nn.Linear(4, 3).double()
        both = Called(nn.ModuleList([module, lift]), None)
        both.forward = lambda x, tokens, m=module, w=lift: m(w(x), tokens)
        x, tokens = torch.randn(1, columns, 4).double(), torch.tensor([[1, 3, 0, 2]])
        net = algatt.from_torch(both, (x, tokens))
        assert (net.source, net.vocabulary, net.tokens) == ((4, columns), 4, columns + 4)
        value = algatt.evaluate(net, algatt.weights_of(both), (x[0].numpy().T, tokens.numpy().ravel()))
        np.testing.assert_allclose(value, both(x, tokens).detach().numpy()[0].T, rtol=1e-12)
