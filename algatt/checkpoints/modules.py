"""Small modules of torch as networks with weights."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.arguments import whole
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.errors import InvalidArgument, MissingExtra, in_words
from algatt.fields import Elements, Reals
from algatt.fields.arrays import public_array
from algatt.layers import (
    GELU,
    Activation,
    Entrywise,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    Linear,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
    Tanh,
    TanhGELU,
)
from algatt.parameters import Weights
from algatt.published import Stored
from algatt.verbs import from_torch

__all__ = ["from_torch"]

KNOWN = (
    "MultiheadAttention, Linear, LayerNorm, RMSNorm, TransformerEncoderLayer, or a TransformerEncoder or Sequential of "
    "these, of torch.nn, or a state dict"
)

SKIPPED = ("Dropout", "Identity")
"""What does nothing when a module is evaluated."""


class Described(NamedTuple):
    """What a module is: the layer, the width of its input, and where the tensors of the layer are stored."""

    layer: Layer
    width: int
    stored: list[Stored]


@from_torch.method
def from_module(module: object, *, heads: int | None = None, tokens: int = 2) -> Checkpoint:
    if isinstance(module, Mapping):
        described, state = of_state(module, heads), dict(module)
    else:
        if heads is not None:
            raise InvalidArgument("heads", repr(heads), "given with a state dict alone: a module has its own")
        described = of_module(module)
        state = module.state_dict()  # type: ignore[attr-defined]
    net = Network(described.layer, tokens=tokens, width=described.width)
    return Checkpoint(net, weights_of(net, described.stored, state))


def weights_of(net: Network, stored: list[Stored], state: dict[str, Any]) -> Weights:
    """Return the weights of a network, of a state dict."""
    shapes, found, field = dict(verbs.coordinates(net)), {}, Reals()
    for one in stored:
        if one.name not in state:
            raise InvalidArgument("module", f"without {one.name}", f"with all tensors of {net.layers!r}")
        array, precision = public_array(state.pop(one.name), one.name)
        field = field.known_to(precision)
        for piece, part in one.cut(array, shapes).items():
            found[piece] = np.array(verbs.encode(Reals(), part, argument=one.name))
    if state:
        raise InvalidArgument("module", f"with {', '.join(sorted(state))}", f"with the tensors of {net.layers!r} alone")
    return Weights(tuple(Elements(field, found[name]) for name in shapes), tuple(shapes))


def of_module(module: Any) -> Described:
    """Return what a module of torch is; a class of its own may compute something else, and is not known."""
    try:
        from torch import nn
    except ImportError as error:
        raise MissingExtra("torch", "torch") from error
    known: dict[type, Callable[[Any], Described]] = {
        nn.MultiheadAttention: of_attention,
        nn.Linear: of_linear,
        nn.LayerNorm: of_layer_norm,
        nn.RMSNorm: of_rms_norm,
        nn.TransformerEncoderLayer: of_encoder_layer,
        nn.TransformerEncoder: of_encoder,
        nn.Sequential: of_sequential,
    }
    if type(module) not in known:
        raise InvalidArgument("module", in_words(module), KNOWN)
    return known[type(module)](module)


def attention(heads: int, width: int, biases: bool) -> tuple[Heads, list[Stored]]:
    """Return heads whose queries, keys and values are stored in one piece."""
    letters = [f"{letter}_{number}" for letter in "QKV" for number in range(1, heads + 1)]
    stored = [
        Stored("in_proj_weight", tuple(f"heads.{name}" for name in letters)),
        Stored("out_proj.weight", tuple(f"heads.O_{number}" for number in range(1, heads + 1)), axis=1),
    ]
    if biases:
        stored.append(Stored("in_proj_bias", tuple(f"heads.b_{name}" for name in letters)))
        stored.append(Stored("out_proj.bias", ("heads.b_O",)))
    return Heads(heads, biases="QKVO" if biases else ""), stored


def of_attention(module: Any) -> Described:
    """Return what a MultiheadAttention is, whose queries, keys and values are read off the same tokens."""
    for name in ("kdim", "vdim"):
        if getattr(module, name) != module.embed_dim:
            raise InvalidArgument(name, repr(getattr(module, name)), f"embed_dim, which is {module.embed_dim}")
    for name in ("bias_k", "bias_v"):
        if getattr(module, name) is not None:
            raise InvalidArgument(name, "a tensor", "None: the layers have no keys that are no tokens")
    if module.add_zero_attn:
        raise InvalidArgument("add_zero_attn", "True", "False: the layers have no keys that are no tokens")
    width = module.embed_dim
    layer, stored = attention(module.num_heads, width, module.in_proj_bias is not None)
    return Described(layer, width, stored)


def of_linear(module: Any) -> Described:
    """Return what a Linear is."""
    return linear(module.in_features, module.out_features, module.bias is not None)


def linear(width: int, out: int, bias: bool) -> Described:
    """Return what a linear map is."""
    stored = [Stored("weight", ("linear.W",))]
    if bias:
        stored.append(Stored("bias", ("linear.b",)))
    return Described(Linear(out, bias=bias), width, stored)


def of_layer_norm(module: Any) -> Described:
    """Return what a LayerNorm is."""
    layer, stored = layer_norm(module, "", "norm")
    return Described(layer, module.normalized_shape[0], stored)


def layer_norm(module: Any, there: str, here: str) -> tuple[LayerNorm, list[Stored]]:
    """Return a norm, and where its tensors are stored."""
    check_one_axis(module)
    gain, bias = module.weight is not None, module.bias is not None
    present = [("weight", "g")] * gain + [("bias", "b")] * bias
    stored = [Stored(f"{there}{name}", (f"{here}.{ours}",)) for name, ours in present]
    return LayerNorm(module.eps, gain=gain, bias=bias), stored


def of_rms_norm(module: Any) -> Described:
    """Return what an RMSNorm is."""
    check_one_axis(module)
    if module.weight is None or module.eps is None:
        raise InvalidArgument("module", f"{module!r}", "with a gain, and eps as a number")
    return Described(RMSNorm(module.eps), module.normalized_shape[0], [Stored("weight", ("norm.g",))])


def check_one_axis(module: Any) -> None:
    """Raise `InvalidArgument` unless a norm is of the entries of a token."""
    if len(module.normalized_shape) != 1:
        raise InvalidArgument("normalized_shape", repr(tuple(module.normalized_shape)), "one number")


def of_encoder_layer(module: Any) -> Described:
    """Return what a TransformerEncoderLayer is, behind its norms or before them."""
    heads, width, inside = of_attention(module.self_attn)
    stored = [Stored(f"self_attn.{one.name}", one.pieces, one.axis) for one in inside]
    bias = module.linear1.bias is not None
    hidden = Feedforward(module.linear1.out_features, activation(module.activation), bias=bias)
    for name, ours in (("linear1", "up"), ("linear2", "down")):
        stored.append(Stored(f"{name}.weight", (f"feedforward.{ours}",)))
        if bias:
            stored.append(Stored(f"{name}.bias", (f"feedforward.b_{ours}",)))
    first, of_first = layer_norm(module.norm1, "norm1.", "norm_1")
    second, of_second = layer_norm(module.norm2, "norm2.", "norm_2")
    layer = (
        Residual(first >> heads) >> Residual(second >> hidden)
        if module.norm_first
        else Residual(heads) >> first >> Residual(hidden) >> second
    )
    return Described(layer, width, stored + of_first + of_second)


def of_encoder(module: Any) -> Described:
    """Return what a TransformerEncoder is: its layers, and perhaps a norm."""
    parts = [(f"layers.{name}.", of_module(layer)) for name, layer in module.layers.named_children()]
    return in_sequence([*parts, ("norm.", of_module(module.norm))] if module.norm is not None else parts)


def of_sequential(module: Any) -> Described:
    """Return what a Sequential is, of modules that are known and activations; what drops entries does nothing here."""
    from torch import nn

    skipped = tuple(getattr(nn, name) for name in SKIPPED)
    parts: list[tuple[str, Described]] = []
    for name, inner in module.named_children():
        if type(inner) in (nn.ReLU, nn.GELU, nn.SiLU, nn.Tanh):
            parts.append((f"{name}.", Described(Entrywise(activation(inner)), 0, [])))
        elif type(inner) is nn.MultiheadAttention:  # which asks for keys and values, too
            raise InvalidArgument("module", "a Sequential with a MultiheadAttention", "without: it takes three inputs")
        elif type(inner) not in skipped:
            parts.append((f"{name}.", of_module(inner)))
    return in_sequence(parts)


def in_sequence(parts: list[tuple[str, Described]]) -> Described:
    """Return modules one behind the other, each with what comes before the names of its tensors; an activation has the
    width 0, as it takes any.
    """
    if not any(described.width for _, described in parts):
        raise InvalidArgument("module", "a sequence without a layer of a known width", "one with a layer that has one")
    layer = functools.reduce(operator.rshift, (described.layer for _, described in parts))
    width = next(described.width for _, described in parts if described.width)
    names = iter(verbs.coordinates(Network(layer, tokens=2, width=width)))
    stored: list[Stored] = []
    for prefix, described in parts:
        if described.width:
            own = verbs.coordinates(Network(described.layer, tokens=2, width=described.width))
            renamed = dict(zip(own, names, strict=False))
            stored += [
                dataclasses.replace(one, name=prefix + one.name, pieces=tuple(renamed[piece] for piece in one.pieces))
                for one in described.stored
            ]
    return Described(layer, width, stored)


def activation(function: Any) -> Activation:
    """Return the activation that a function or a module of torch is."""
    from torch import nn
    from torch.nn import functional

    if type(function) is nn.GELU:
        return GELU() if function.approximate == "none" else TanhGELU()
    plain = (
        (ReLU(), nn.ReLU, functional.relu),
        (GELU(), None, functional.gelu),
        (SiLU(), nn.SiLU, functional.silu),
        (Tanh(), nn.Tanh, functional.tanh),
    )
    for ours, kind, theirs in plain:
        if function is theirs or type(function) is kind:
            return ours
    raise InvalidArgument("activation", in_words(function), "relu, gelu, silu or tanh")


def of_state(state: Mapping[str, Any], heads: int | None) -> Described:
    """Return which module has a state dict, where its names and shapes tell."""
    shapes = {name: tuple(np.shape(array)) for name, array in state.items()}
    if "in_proj_weight" in shapes and "out_proj.weight" in shapes:
        width = shapes["out_proj.weight"][0]
        if heads is None or width % whole("heads", heads):
            was = "not given" if heads is None else repr(heads)
            raise InvalidArgument("heads", was, f"a divisor of the width {width}, as a state dict does not tell it")
        layer, stored = attention(heads, width, "in_proj_bias" in shapes)
        return Described(layer, width, stored)
    if heads is not None:
        raise InvalidArgument("heads", repr(heads), "given with the state dict of a MultiheadAttention alone")
    if set(shapes) <= {"weight", "bias"} and len(shapes.get("weight", ())) == 2:
        out, width = shapes["weight"]
        return linear(width, out, "bias" in shapes)
    was = f"a state dict with {', '.join(map(str, list(shapes)[:3]))}"
    raise InvalidArgument("module", was, "that of a MultiheadAttention or a Linear; of others the module itself")
