"""Modules of torch as networks: the values are those of torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.frontends.comparison import compare_models
from algatt.frontends.matching import matched_tensors
from algatt.layers import Heads
from algatt.maps import program
from algatt.programs.normal_form import normal_form
from algatt.published import read

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


def check(module: Any, example: Any, **options: Any) -> algatt.Network:
    """Compare the values of a module with those of its network, and return it."""
    module = module.double().eval()
    example = example.double() if example.is_floating_point() else example
    net = algatt.from_torch(module, example, **options)
    theta = algatt.weights_of(module)
    with torch.no_grad():
        expected = module(example, **options.get("constants", {}))
    expected = getattr(expected, "logits", expected)
    expected = (expected[0] if isinstance(expected, tuple) else expected).numpy()
    expected = expected.reshape(-1, expected.shape[-1]).T
    inputs = example.numpy()
    inputs = inputs.ravel() if net.vocabulary else inputs.reshape(-1, inputs.shape[-1]).T
    value = algatt.evaluate(net, theta, inputs)
    assert value.shape == expected.shape
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.ptp(expected) > 0.1
    return net


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


class Rotated(nn.Module):
    """Attention with rotary positions, whose tables are stored, or computed."""

    def __init__(self, tables: str) -> None:
        super().__init__()
        self.inner, self.tables = nn.Linear(4, 12, bias=False), tables
        angles = torch.outer(torch.arange(8.0), torch.tensor([0.5, 0.01])).double()
        self.register_buffer("angles", angles)
        self.register_buffer("joined", torch.cat([angles.sin(), angles.cos()], -1))
        self.register_buffer("sines", torch.cat([angles.sin()] * 2, -1))
        self.register_buffer("cosines", torch.cat([angles.cos()] * 2, -1))

    def turned(self, x: Any) -> Any:
        count = x.shape[1]
        if self.tables == "joined":
            sines, cosines = (torch.cat([one] * 2, -1) for one in self.joined[torch.arange(count)].split(2, -1))
        elif self.tables == "two":
            sines, cosines = self.sines[:count], self.cosines[:count]
        else:
            sines, cosines = (torch.cat([wave(self.angles[:count])] * 2, -1) for wave in (torch.sin, torch.cos))
        return x * cosines + torch.cat([-x[..., 2:], x[..., :2]], -1) * sines

    def forward(self, x: Any) -> Any:
        q, k, v = self.inner(x).chunk(3, -1)
        return (self.turned(q) @ self.turned(k).mT).softmax(-1) @ v


@pytest.mark.parametrize("tables", ["joined", "two"])
def test_stored_tables_of_rotations_are_those_that_are_computed(tables: str) -> None:
    """As far as their numbers are rounded."""
    x = torch.randn(1, 3, 4).double()
    stored, computed = (program(check(Rotated(one), x)) for one in (tables, "none"))
    assert "rotate" in {one.operation for one in stored.instructions}
    assert matched_tensors(stored, computed) is not None


def test_sines_that_are_added_are_numbers() -> None:
    table = torch.cat([torch.outer(torch.arange(4.0), torch.tensor([0.5, 0.01])).sin()] * 2, -1).double()
    net = algatt.from_torch(
        Called(nn.Linear(4, 4).double(), lambda inner, x: inner(x + table)), torch.randn(4, 4).double()
    )
    assert "rotate" not in {one.operation for one in program(net).instructions}


class Called(nn.Module):
    """A module that is called by a function."""

    def __init__(self, inner: Any, function: Any) -> None:
        super().__init__()
        self.inner, self.function = inner, function

    def forward(self, x: Any) -> Any:
        return self.function(self.inner, x)


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


REFUSED = {
    "branches": (lambda y: y if y.sum() > 0 else -y, "control flow that depends on the input"),
    "dropout": (lambda y: F.dropout(y, 0.5, training=True), "dropout"),
    "noise": (lambda y: y + torch.randn_like(y), "without randomness"),
    "complex": (lambda y: torch.view_as_real(torch.complex(y, y)).sum(-1), "of real numbers"),
    "sorted": (lambda y: torch.sort(y).values, r"aten.sort.default \(which has no rule\)"),
    "rounding": (lambda y: y.long().double(), "with numbers in the place of truth values"),
    "numbers as truth values": (lambda y: torch.logical_and(y, y > 0) * 1.0, "with numbers in the place of truth"),
    "sums of truth values": (lambda y: ((y > 0) + (y > 1)) * 1.0, "on two arrays of truth values"),
    "arithmetic with places": (lambda y: y * torch.topk(y, 2).indices.sum(), "of places of largest entries"),
    "smallest entries": (lambda y: torch.topk(y, 2, largest=False).values, "it should be of largest ones"),
    "places of largest entries": (lambda y: y.max(-1).values, "torch.amax"),
    "rounded quotients": (lambda y: torch.div(y, 2, rounding_mode="floor"), "it should be not rounded"),
    "sine": (torch.sin, r"aten.sin.default \(which has no rule\)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_operation_and_the_line(name: str) -> None:
    function, message = REFUSED[name]
    module = Called(nn.Linear(3, 3), lambda inner, x: function(inner(x))).eval()
    with pytest.raises(InvalidArgument, match=message) as caught:
        algatt.from_torch(module, torch.randn(2, 3))
    assert "\n" not in str(caught.value)
    assert f"{__file__}:" in str(caught.value)


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


def test_arithmetic_on_numbers_of_tokens_names_the_line() -> None:
    module = Called(nn.Embedding(5, 3), lambda inner, tokens: inner((tokens + 1) % 5)).eval()
    with pytest.raises(
        InvalidArgument, match=r"aten\.add\.Tensor \(computed of numbers of tokens\), at .*: ?\d+;"
    ) as caught:
        algatt.from_torch(module, torch.tensor([[1, 2]]))
    assert f"{__file__}:" in str(caught.value)


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"module was of type function; it should be a torch.nn.Module"):
        algatt.from_torch(check, torch.randn(2))
    with pytest.raises(InvalidArgument, match=r"in training, with dropout in 1; it should be module.eval\(\)"):
        algatt.from_torch(nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)), torch.randn(2, 3))
