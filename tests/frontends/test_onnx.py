"""Graphs of ONNX as networks: the values are those of the reference of onnx."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument

onnx = pytest.importorskip("onnx", reason="onnx is not installed; the extra onnx brings it")


def written(path: Path, text: str, **initialisers: Any) -> Path:
    """Write a graph, with random initialisers of some shapes, or given arrays."""
    generator = np.random.default_rng(0)
    model = onnx.parser.parse_model(
        text if text.startswith("<") else f'<ir_version: 10, opset_import: ["": 23]>\n{text}'
    )
    for name, value in initialisers.items():
        array = generator.standard_normal(value) / 2 if isinstance(value, tuple) else np.asarray(value)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    onnx.save(model, path)
    return path


def check(path: Path, example: np.ndarray, **options: Any) -> algatt.Network:
    """Compare the values of a graph with those of its network, and return it."""
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(str(path))
    net = algatt.from_onnx(path, **options)
    given = {evaluator.input_names[0]: example, **options.get("constants", {})}
    expected = evaluator.run(None, given)[0]
    expected = expected.reshape(-1, expected.shape[-1]).T
    inputs = example.ravel() if net.vocabulary else example.reshape(-1, example.shape[-1]).T
    theta = algatt.weights_of(path)
    value = algatt.evaluate(net, algatt.Weights.of({name: theta[name] for name in algatt.coordinates(net)}), inputs)
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.ptp(expected) > 0.01
    return net


LARGEST = """
largest (double[4, 4] x) => (double[4, 4] y)
{
  q = MatMul (x, Q)
  k = MatMul (x, K)
  kt = Transpose <perm = [1, 0]> (k)
  scores = MatMul (q, kt)
  two = Constant <value_ints = [2]> ()
  values, places = TopK (scores, two)
  start = Constant <value_ints = [1]> ()
  axis = Constant <value_ints = [1]> ()
  least = Slice (values, start, two, axis)
  below = Less (scores, least)
  shown = Where (below, hidden, scores)
  weights = Softmax <axis = -1> (shown)
  v = MatMul (x, V)
  mixed = MatMul (weights, v)
  attended = MatMul (mixed, O)
  y = Add (x, attended)
}
"""

ROUTER = """
router (double[3, 4] x) => (double[3, 3] y)
{
  scores = MatMul (x, W)
  two = Constant <value_ints = [2]> ()
  values, places = TopK <axis = -1> (scores, two)
  shares = Softmax <axis = -1> (values)
  least = GatherElements <axis = 1> (scores, places)
  doubled = Add (shares, least)
  zeros = Constant <value = double[3, 3] {0, 0, 0, 0, 0, 0, 0, 0, 0}> ()
  kept = ScatterElements <axis = 1> (zeros, places, shares)
  best = ArgMax <axis = 1, keepdims = 1> (scores)
  one = Constant <value = int64[1] {1}> ()
  first = Equal (best, one)
  number = Cast <to = 11> (first)
  sum = ReduceSum <keepdims = 1> (doubled, axis)
  beside = Add (kept, number)
  y = Add (beside, sum)
}
"""

BLOCK = """
block (double[1, tokens, 4] x) => (double[1, tokens, 4] y)
{
  norm = LayerNormalization <axis = -1, epsilon = 0.001> (x, gain, bias)
  fused = MatMul (norm, qkv)
  q, k, v = Split <axis = -1, num_outputs = 3> (fused)
  shape = Constant <value_ints = [1, 3, 2, 2]> ()
  q4 = Reshape (q, shape)
  k4 = Reshape (k, shape)
  v4 = Reshape (v, shape)
  qh = Transpose <perm = [0, 2, 1, 3]> (q4)
  kt = Transpose <perm = [0, 2, 3, 1]> (k4)
  vh = Transpose <perm = [0, 2, 1, 3]> (v4)
  products = MatMul (qh, kt)
  scaled = Mul (products, scale)
  hidden = Where (mask, scaled, least)
  weights = Softmax <axis = -1> (hidden)
  mixed = MatMul (weights, vh)
  beside = Transpose <perm = [0, 2, 1, 3]> (mixed)
  flat = Constant <value_ints = [0, 0, -1]> ()
  joined = Reshape (beside, flat)
  attended = MatMul (joined, out)
  y = Add (x, attended)
}
"""


def test_swish(tmp_path: Path) -> None:
    """It is of opset 24, and has a factor in the exponent."""
    graph = "swish (double[2, 3] x) => (double[2, 3] y) { h = MatMul (x, W) y = Swish <alpha = 1.5> (h) }"
    text = f'<ir_version: 12, opset_import: ["": 24]> {graph}'
    try:
        path = written(tmp_path / "swish.onnx", text, W=(3, 3))
        check(path, np.random.default_rng(1).standard_normal((2, 3)))
    except onnx.checker.ValidationError:
        pytest.skip("this onnx does not know opset 24")


def test_attention(tmp_path: Path) -> None:
    mask = np.tri(3, dtype=bool)[None, None]
    path = written(
        tmp_path / "block.onnx",
        BLOCK,
        gain=(4,),
        bias=(4,),
        qkv=(4, 12),
        out=(4, 4),
        scale=0.5**0.5,
        mask=mask,
        least=-1e30,
    )
    net = check(path, np.random.default_rng(1).standard_normal((1, 3, 4)), sizes={"tokens": 3})
    assert set(algatt.coordinates(net)) == {"gain", "bias", "qkv", "out"}
    report = algatt.dimension(net)
    block = algatt.layers.LayerNorm(1e-3) >> algatt.layers.Heads(2, mask=algatt.layers.Causal())
    known = algatt.dimension(algatt.Network(algatt.layers.Residual(block), tokens=3, width=4))
    assert (report.value, report.status) == (known.value, known.status)


GRAPHS: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "windows": (
        "double[1, 1, 4, 4]",
        "double[2, 3]",
        "h = Conv <pads = [1, 1, 1, 1]> (x, W)\n"
        " m = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (h)\n"
        " a = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (h)\n"
        " s = Add (m, a)\n f = Flatten <axis = 2> (s)\n y = MatMul (f, U)",
        {"W": (2, 1, 3, 3), "U": (4, 3)},
    ),
    "perceptron": (
        "double[2, 3]",
        "double[2, 2]",
        "h = Gemm <transB = 1> (x, W, b)\n a = Softplus (h)\n y = MatMul (a, U)",
        {"W": (4, 3), "b": (4,), "U": (4, 2)},
    ),
    "swiglu": (
        "double[2, 3]",
        "double[2, 3]",
        "h = MatMul (x, W)\n u, v = Split <num_outputs = 2, axis = 1> (h)\n s = Sigmoid (u)\n m = Mul (u, s)\n"
        'n = Mul (m, v)\n o = Einsum <equation = "ij,jk->ik"> (n, U)\n y = Sum (o, x, x)',
        {"W": (3, 8), "U": (4, 3)},
    ),
    "convolution": (
        "double[1, 2, 5]",
        "double[1, 3, 5]",
        "c = Conv <pads = [1, 1]> (x, K, b)\n d = Conv <group = 3, pads = [2, 0]> (c, D)\n y = Elu (d)",
        {"K": (3, 2, 3), "b": (3,), "D": (3, 1, 3)},
    ),
    "norms": (
        "double[2, 4]",
        "double[2, 4]",
        "h = RMSNormalization (x, g)\n m = ReduceMean <keepdims = 1> (h, one)\n c = Sub (h, m)\n"
        "q = Clip (c, low, high)\n z = MatMul (q, W)\n r = ReduceMax (z, one)\n y = Add (z, r)",
        {"g": (4,), "W": (4, 4), "one": np.array([1]), "low": np.array(-0.5), "high": np.array(0.75)},
    ),
    "tokens": (
        "int64[1, 3]",
        "double[1, 3, 5]",
        "e = Gather (E, x)\n p = Add (e, P)\n t = Transpose (E)\n y = MatMul (p, t)",
        {"E": (5, 3), "P": (3, 3)},
    ),
    "norms of groups": (
        "double[2, 4, 3]",
        "double[2, 4, 3]",
        "h = MatMul (x, W)\n y = GroupNormalization <num_groups = 2, epsilon = 0.01, stash_type = 11> (h, g, b)",
        {"W": (3, 3), "g": (4,), "b": (4,)},
    ),
    "triangles and lengths": (
        "double[3, 3]",
        "double[3, 3]",
        "h = MatMul (x, W)\n u = Trilu <upper = 1> (h, one)\n l = Trilu <upper = 0> (h)\n"
        " d = ReduceL2 <keepdims = 1> (h, axis)\n q = Div (u, d)\n y = Sub (q, l)",
        {"W": (3, 3), "one": np.array(1), "axis": np.array([1])},
    ),
    "hard functions": (
        "double[4, 3]",
        "double[4, 3]",
        "h = MatMul (x, W)\n f = Mul (h, five)\n a = HardSigmoid (f)\n"
        " b = HardSigmoid <alpha = 0.25, beta = 0.75> (f)\n y = Sub (a, b)",
        {"W": (3, 3), "five": np.array(5.0)},
    ),
    "gates": (
        "double[2, 3]",
        "double[2, 3]",
        "h = MatMul (x, W)\n c = Greater (h, zero)\n t = Tanh (h)\n s = Softsign (h)\n w = Where (c, t, s)\n"
        "l = LeakyRelu (w)\n m = Max (l, half)\n y = CumSum (m, one)",
        {"W": (3, 3), "zero": np.array(0.0), "half": np.array(-0.25), "one": np.array(1)},
    ),
    "attention": (
        "double[1, 3, 4]",
        "double[1, 3, 4]",
        "q = MatMul (x, Q)\n k = MatMul (x, K)\n v = MatMul (x, V)\n"
        "y = Attention <q_num_heads = 2, kv_num_heads = 1, is_causal = 1> (q, k, v)",
        {"Q": (4, 4), "K": (4, 2), "V": (4, 2)},
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_values_are_those_of_onnx(name: str, tmp_path: Path) -> None:
    read, value, nodes, initialisers = GRAPHS[name]
    path = written(tmp_path / "g.onnx", f"g ({read} x) => ({value} y) {{ {nodes} }}", **initialisers)
    shape = [int(size) for size in re.findall(r"\d+", read.partition("[")[2])]
    drawn = np.random.default_rng(1).standard_normal(shape)
    check(path, np.array([[4, 0, 2]]) if name == "tokens" else drawn)


def test_constants_are_given(tmp_path: Path) -> None:
    text = (
        "g (double[2, 3] x, double[3] s) => (double[2, 2] y) { h = Mul (x, s) \n i = Add (h, t) \n y = MatMul (i, W) }"
    )
    path = written(tmp_path / "g.onnx", text, t=(3,), W=(3, 2))
    net = check(path, np.random.default_rng(1).standard_normal((2, 3)), constants={"s": np.arange(3.0)}, fixed=["t"])
    assert list(algatt.coordinates(net)) == ["W"]


def test_initialisers_with_minus_infinity_are_masks(tmp_path: Path) -> None:
    nodes = "h = MatMul (x, W)\n m = Add (h, mask)\n s = Softmax (m)\n n = IsNaN (s)\n y = Where (n, mask, s)"
    mask = np.where(np.tri(3, dtype=bool), 0.0, -np.inf)
    path = written(tmp_path / "g.onnx", f"g (double[3, 3] x) => (double[3, 3] y) {{ {nodes} }}", mask=mask, W=(3, 3))
    assert list(algatt.coordinates(check(path, np.random.default_rng(1).standard_normal((3, 3))))) == ["W"]


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = written(
        tmp_path / "g.onnx", "g (double[n, 3] x) => (double[n, 3] y) { h = MatMul (x, W) \n y = Sin (h) }", W=(3, 3)
    )
    with pytest.raises(InvalidArgument, match="without 'n' of the input x; it should be with all sizes"):
        algatt.from_onnx(path)
    with pytest.raises(InvalidArgument, match='the operation Sin of the node "Sin"'):
        algatt.from_onnx(path, sizes={"n": 2})
    for node, message in (
        ("y = RandomNormalLike (h)", "RandomNormalLike .*without randomness"),
        ("y = Dropout (h, r, t)", "Dropout .*with dropout.*training_mode false"),
    ):
        given = "r = Constant <value = float {0.5}> () \n t = Constant <value = bool {1}> ()"
        nodes = f"h = MatMul (x, W) \n {given} \n {node}"
        path = written(tmp_path / "g.onnx", f"g (double[2, 3] x) => (double[2, 3] y) {{ {nodes} }}", W=(3, 3))
        with pytest.raises(InvalidArgument, match=message):
            algatt.from_onnx(path)
    for kind in (7, 9):
        nodes = f"h = MatMul (x, W) \n i = Cast <to = {kind}> (h) \n y = Cast <to = 11> (i)"
        path = written(tmp_path / "g.onnx", f"g (double[2, 3] x) => (double[2, 3] y) {{ {nodes} }}", W=(3, 3))
        with pytest.raises(InvalidArgument, match="with numbers in the place of truth values"):
            algatt.from_onnx(path)
    old = written(
        tmp_path / "o.onnx",
        '<ir_version: 7, opset_import: ["": 12]>\ng (double[2] x) => (double[2] y) { y = Relu (x) }',
    )
    with pytest.raises(InvalidArgument, match="of opset 12; it should be of opset 13 or newer"):
        algatt.from_onnx(old)
    (tmp_path / "n.onnx").write_bytes(b"nothing")
    with pytest.raises(InvalidArgument, match="which onnx does not read"):
        algatt.from_onnx(tmp_path / "n.onnx")


def test_attention_to_the_largest_scores_has_the_dimension_of_attention(tmp_path: Path) -> None:
    """8 numbers of each of four matrices, less the gauges of queries and keys and of values."""
    shapes = dict.fromkeys("QKV", (4, 2)) | {"O": (2, 4), "hidden": np.array(-np.inf)}
    net = check(written(tmp_path / "largest.onnx", LARGEST, **shapes), np.random.default_rng(1).standard_normal((4, 4)))
    report = algatt.dimension(net)
    assert (report.value, report.status) == (32 - 4 - 4, "proven")


@pytest.mark.parametrize("seed", range(3))
def test_places_of_the_largest_are_looked_up_written_and_compared(tmp_path: Path, seed: int) -> None:
    path = written(tmp_path / "router.onnx", ROUTER, W=(4, 3), axis=np.array([1]))
    check(path, np.random.default_rng(seed).standard_normal((3, 4)))
