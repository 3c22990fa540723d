"""Functions of JAX as networks: the values are those of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.maps import program

jax = pytest.importorskip("jax", reason="jax is not installed; the extra jax brings it")
jnp = jax.numpy
lax = jax.lax


@pytest.fixture(autouse=True)
def doubles() -> Any:
    with jax.enable_x64(True):
        yield


def parameters(**shapes: tuple[int, ...]) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    return {name: jnp.asarray(generator.standard_normal(shape) / 2) for name, shape in shapes.items()}


def check(function: Callable[..., Any], given: Any, example: Any) -> algatt.Network:
    """Compare the values of a function with those of its network, and return it."""
    net = algatt.from_jax(function, given, example)
    theta = algatt.weights_of(given)
    expected = np.asarray(function(given, example))
    expected = expected.reshape(-1, expected.shape[-1]).T
    inputs = np.asarray(example)
    inputs = inputs.ravel() if net.vocabulary else inputs.reshape(-1, inputs.shape[-1]).T
    value = algatt.evaluate(net, theta, inputs)
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.ptp(expected) > 0.01
    return net


def heads(x: Any) -> Any:
    return x.reshape(x.shape[0], 2, -1).transpose(1, 0, 2)


def attention(p: Any, x: Any) -> Any:
    """Attention in the manner of GPT-2, with a norm by its variance."""
    y = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * p["g"] + p["b"]
    q, k, v = map(heads, jnp.split(y @ p["qkv"], 3, -1))
    scores = jnp.einsum("hta,hsa->hts", q, k) / 2**0.5
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[1:], bool)), scores, -1e30)
    z = jax.nn.softmax(scores) @ v
    x = x + z.transpose(1, 0, 2).reshape(x.shape) @ p["out"]
    return x + jax.nn.gelu(x @ p["up"]) @ p["down"]


def rotary(p: Any, x: Any) -> Any:
    y = x @ p["W"]
    angles = jnp.arange(x.shape[0])[:, None] * jnp.array([1.0, 0.1])
    one, two = jnp.split(y, 2, -1)
    turned = jnp.concatenate(
        [one * jnp.cos(angles) - two * jnp.sin(angles), two * jnp.cos(angles) + one * jnp.sin(angles)], -1
    )
    return jnp.exp(turned @ turned.T) @ x


def recurrent(p: Any, x: Any) -> Any:
    def step(state: Any, row: Any) -> Any:
        state = jnp.tanh(state @ p["U"] + row @ p["W"])
        return state, state

    return lax.scan(step, jnp.zeros(2), x)[1]


def looked_up(p: Any, tokens: Any) -> Any:
    x = p["table"][tokens] + p["positions"][jnp.arange(tokens.shape[0])]
    return jax.nn.log_softmax(x @ p["table"].T)


def convolved(p: Any, x: Any) -> Any:
    numbers = ("NWC", "WIO", "NWC")
    y = lax.conv_general_dilated(x[None], p["kernel"], (1,), [(2, 0)], dimension_numbers=numbers)
    return jax.nn.silu(y)[0]


def mixture(p: Any, x: Any) -> Any:
    gates = jax.nn.softmax(x @ p["router"])
    hidden = jax.nn.leaky_relu(jnp.einsum("td,edm->tem", x, p["up"]))
    return jnp.einsum("te,tem,emd->td", gates, hidden, p["down"])


def largest(p: Any, x: Any) -> Any:
    """Attention of each query to its two largest scores."""
    scores = x @ p["Q"] @ (x @ p["K"]).T
    least = lax.top_k(scores, 2)[0][:, -1:]
    return x + jax.nn.softmax(jnp.where(scores < least, -jnp.inf, scores)) @ (x @ p["V"]) @ p["O"]


def causal(p: Any, x: Any) -> Any:
    """The same among the tokens that are seen, of which there may be less than two."""
    scores = jnp.where(jnp.tril(jnp.ones((4, 4), bool)), x @ p["Q"] @ (x @ p["K"]).T, -jnp.inf)
    return x + jax.nn.softmax(jnp.where(scores < lax.top_k(scores, 2)[0][:, -1:], -jnp.inf, scores)) @ (x @ p["V"])


def with_shares(shares: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a mixture of three experts."""

    def text(p: Any, x: Any) -> Any:
        hidden = jax.nn.silu(jnp.einsum("td,edm->tem", x, p["up"]))
        return jnp.einsum("te,tem,emd->td", shares(x @ p["router"]), hidden, p["down"])

    return text


def by_one_hot(scores: Any) -> Any:
    values, places = lax.top_k(scores, 2)
    return (jax.nn.softmax(values)[..., None] * jax.nn.one_hot(places, 3)).sum(1)


def by_look_up(scores: Any) -> Any:
    shares = jax.nn.softmax(scores)
    places = lax.top_k(scores, 2)[1]
    kept = jnp.take_along_axis(shares, places, axis=-1)
    return (kept[..., None] * jax.nn.one_hot(places, 3)).sum(1) / kept.sum(-1, keepdims=True)


def by_heads(p: Any, x: Any) -> Any:
    """Attention with an axis of heads in each matrix, as flax has it."""
    q, k, v = (jnp.einsum("td,dhe->hte", x, p[name]) for name in "QKV")
    shares = jax.nn.softmax(jnp.einsum("hte,hse->hts", q, k) / 2**0.5)
    return jnp.einsum("hts,hse,hed->td", shares, v, p["O"])


HEADS = {**dict.fromkeys("QKV", (4, 2, 2)), "O": (2, 2, 4)}
BLOCK = {"g": (4,), "b": (4,), "qkv": (4, 12), "out": (4, 4), "up": (4, 5), "down": (5, 4)}
ATTENTION = {"Q": (4, 2), "K": (4, 2), "V": (4, 4), "O": (4, 4)}
MIXTURE = {"router": (4, 3), "up": (3, 4, 2), "down": (3, 2, 4)}
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, tuple[int, ...]], Any]] = {
    "attention": (attention, BLOCK, (3, 4)),
    "heads": (by_heads, HEADS, (3, 4)),
    "rotary": (rotary, {"W": (4, 4)}, (3, 4)),
    "recurrent": (recurrent, {"U": (2, 2), "W": (3, 2)}, (4, 3)),
    "tokens": (looked_up, {"table": (5, 3), "positions": (4, 3)}, np.array([1, 3, 0])),
    "convolution": (convolved, {"kernel": (3, 2, 3)}, (5, 2)),
    "experts": (mixture, {"router": (3, 2), "up": (2, 3, 4), "down": (2, 4, 3)}, (3, 3)),
    "largest scores": (largest, ATTENTION, (4, 4)),
    "largest scores that are seen": (causal, ATTENTION, (4, 4)),
    "experts with the largest scores": (with_shares(by_one_hot), MIXTURE, (3, 4)),
    "shares of these, looked up": (with_shares(by_look_up), MIXTURE, (3, 4)),
    "the largest": (lambda p, x: jax.nn.one_hot(jnp.argmax(x @ p["W"], -1), 3) * (x @ p["W"]), {"W": (3, 3)}, (4, 3)),
    "hard gates": (lambda p, x: jnp.clip(jnp.minimum(x @ p["W"], 0.5), -1, 1), {"W": (3, 3)}, (4, 3)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_are_those_of_jax(name: str) -> None:
    function, shapes, example = FUNCTIONS[name]
    if isinstance(example, tuple):
        example = np.random.default_rng(1).standard_normal(example)
    check(function, parameters(**shapes), jnp.asarray(example))


def test_attention_to_the_largest_scores_has_the_dimension_of_attention() -> None:
    """8 numbers of each of Q, K, and 16 of V and O, less the gauges: of queries and keys, and of values and outputs."""
    report = algatt.dimension(algatt.from_jax(largest, parameters(**ATTENTION), jnp.ones((4, 4))))
    assert (report.value, report.status) == (2 * 8 - 4 + 2 * 16 - 16, "proven")


def test_heads_that_are_an_axis_are_heads() -> None:
    """Of each head keys and queries, and values and outputs, have a gauge."""
    report = algatt.dimension(algatt.from_jax(by_heads, parameters(**HEADS), jnp.ones((3, 4))))
    assert (report.value, report.status) == (64 - 4 * 4, "proven")


def test_a_mixture_of_two_of_three_has_the_dimension_of_the_mixture() -> None:
    """What is added to all scores is not seen."""
    report = algatt.dimension(algatt.from_jax(with_shares(by_look_up), parameters(**MIXTURE), jnp.ones((3, 4))))
    assert (report.value, report.status) == (12 + 24 + 24 - 4, "proven")


def test_rotations_are_found() -> None:
    net = algatt.from_jax(rotary, parameters(W=(4, 4)), jnp.ones((3, 4)))
    turns = [one.argument for one in program(net).instructions if one.operation == "rotate"]
    assert turns == [((1.0, 0.1), (0, 1, 2))] or turns == [((0.1, 1.0), (0, 1, 2))]


def test_a_matrix_of_queries_and_keys_has_the_dimension_of_layers() -> None:
    """HMK, Lemma 4.1: the dimension of one head of lightning attention."""

    def head(p: Any, x: Any) -> Any:
        return ((x @ p["Q"].T) @ (x @ p["K"].T).T) @ (x @ p["V"].T)

    net = algatt.from_jax(head, parameters(Q=(2, 4), K=(2, 4), V=(3, 4)), jnp.ones((3, 4)))
    report, known = algatt.dimension(net), algatt.dimension(algatt.Lightning(dims=(4, 3), ranks=(2,), tokens=3))
    assert (report.value, report.status) == (known.value, "proven")


def with_drawn(given: Any) -> Any:
    """Return a tree with other arrays, so that no gain is one and no bias zero."""
    generator = np.random.default_rng(0)
    return jax.tree.map(lambda one: jnp.asarray(generator.standard_normal(one.shape) / 2), given)


def test_modules_of_flax_are_functions_of_their_parameters() -> None:
    linen = pytest.importorskip("flax.linen", reason="flax is not installed")

    class Block(linen.Module):  # type: ignore[misc]  # flax has no types where it is not installed
        @linen.compact
        def __call__(self, x: Any) -> Any:
            y = linen.LayerNorm()(x)
            x = x + linen.MultiHeadDotProductAttention(num_heads=2)(y, y)
            return x + linen.Dense(4)(linen.gelu(linen.Dense(3)(x)))

    module, x = Block(), jnp.asarray(np.random.default_rng(1).standard_normal((1, 3, 4)))
    given = with_drawn(module.init(jax.random.key(0), x))
    assert "params.Dense_0.kernel" in algatt.coordinates(check(module.apply, given, x))


def test_modules_of_equinox_are_functions_of_their_arrays() -> None:
    equinox = pytest.importorskip("equinox", reason="equinox is not installed")
    inner = equinox.nn.MultiheadAttention(2, 4, use_query_bias=True, key=jax.random.key(0))
    arrays, rest = equinox.partition(inner, equinox.is_inexact_array)

    def attend(p: Any, x: Any) -> Any:
        return equinox.combine(p, rest)(x, x, x)

    net = check(attend, with_drawn(arrays), jnp.asarray(np.random.default_rng(1).standard_normal((3, 4))))
    assert algatt.coordinates(net)["query_proj.weight"] == (4, 4)


def test_weights_go_there_and_back() -> None:
    given = {"layers": [parameters(W=(2, 3)), parameters(W=(3, 2))], "count": 3}
    net = algatt.from_jax(lambda p, x: jnp.tanh(x @ p["layers"][0]["W"]) @ p["layers"][1]["W"], given, jnp.ones((2, 2)))
    theta = algatt.weights_of(given)
    assert theta.names() == tuple(algatt.coordinates(net)) == ("layers.0.W", "layers.1.W")
    moved = algatt.load_into(given, theta.replace([-one for one in theta.elements]))
    assert moved["count"] == 3
    np.testing.assert_array_equal(moved["layers"][1]["W"], -given["layers"][1]["W"])
    assert algatt.same_function(net, theta, algatt.weights_of(moved)).equal
    with pytest.raises(InvalidArgument, match="it should be weights of the network of the function"):
        algatt.load_into(given["layers"][0], theta)


REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "branches": (lambda y: y if y.sum() > 0 else -y, "control flow that depends on the input"),
    "loops": (lambda y: lax.while_loop(lambda z: z.sum() > 0, lambda z: z - 1, y), "while .*control flow that depends"),
    "choices": (lambda y: lax.cond(y.sum() > 0, jnp.sin, jnp.cos, y), "cond .*control flow that depends"),
    "numbers of Python": (lambda y: y * float(y.max()), "control flow that depends"),
    "sorted": (jnp.sort, "the operation sort"),
    "arithmetic with places": (lambda y: y * lax.top_k(y, 1)[1], "of places of largest entries"),
    "weights at places": (lambda y: jnp.ones((3, 3))[jnp.argmax(y, -1)] * y, "at places that depend on the input"),
    "rounding": (lambda y: y.astype(int) * y, "with numbers in the place of truth values"),
    "quotients of integers": (lambda y: lax.div((y > 0).astype(int), 2) * y, "the operation div .on integers"),
    "transforms of Fourier": (lambda y: jnp.fft.fft(y).real, "write real and imaginary parts"),
    "sine": (jnp.sin, "the operation sin"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_operation_and_the_line(name: str) -> None:
    function, message = REFUSED[name]
    with pytest.raises(InvalidArgument, match=message) as caught:
        algatt.from_jax(lambda p, x: function(x @ p["W"]), parameters(W=(3, 3)), jnp.ones((2, 3)))
    assert "\n" not in str(caught.value)
    assert f"{__file__}:" in str(caught.value)


def test_arithmetic_on_numbers_of_tokens_names_the_line() -> None:
    given = parameters(table=(5, 3), positions=(6, 3))
    with pytest.raises(InvalidArgument, match="computed of numbers of tokens") as caught:
        algatt.from_jax(lambda p, t: p["table"][t] + p["positions"][t + 1], given, jnp.array([1, 3]))
    assert f"{__file__}:" in str(caught.value)
