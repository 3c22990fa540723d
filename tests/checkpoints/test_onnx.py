"""Initialisers of ONNX files by the names of parameters."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.checkpoints import load, read_tensors
from algatt.errors import InvalidArgument, MissingExtra
from written_checkpoints import GPT2, LLAMA, gpt2, llama


def written(folder: Path, initialisers: dict[str, np.ndarray], nodes: list[tuple[str, str]]) -> Path:
    """Write a graph of products; each node has its name, and that of the matrix by which it multiplies."""
    onnx: Any = pytest.importorskip("onnx", reason="onnx is not installed; the extra onnx brings it")
    helper = onnx.helper
    made = [helper.make_node("MatMul", ["x", matrix], [f"y{i}"], name=name) for i, (name, matrix) in enumerate(nodes)]
    made = made or [helper.make_node("Identity", ["x"], ["y"])]
    stored = [onnx.numpy_helper.from_array(array, name) for name, array in initialisers.items()]
    value = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, None)
    path = folder / "model.onnx"
    onnx.save(helper.make_model(helper.make_graph(made, "graph", [value], [], stored)), path)
    return path


def test_names_that_are_kept_are_those_of_the_parameters(tmp_path: Path) -> None:
    found = load(written(tmp_path, gpt2(), []), GPT2)
    expected = algatt.published.weights(GPT2, gpt2())
    assert found.weights == expected
    assert found.precision == 24


def test_a_matrix_that_an_exporter_transposed_has_the_name_of_its_module(tmp_path: Path) -> None:
    """Torch writes x @ onnx::MatMul_7 in the node /model/layers.0/mlp/up_proj/MatMul."""
    initialisers, nodes = {}, []
    for number, (name, array) in enumerate(llama().items()):
        path = re.sub(r"\.(?!\d)", "/", name.removesuffix(".weight"))
        transposed = array.ndim == 2 and "embed" not in name
        stored = f"onnx::MatMul_{number}" if transposed else name
        initialisers[stored] = np.ascontiguousarray(array.T) if transposed else array
        nodes += [(f"/{path}/MatMul", stored)] * transposed
    assert len(nodes) == 15
    assert "/model/layers.0/mlp/up_proj/MatMul" in dict(nodes)
    found = load(written(tmp_path, initialisers, nodes), LLAMA)
    assert found.weights == algatt.published.weights(LLAMA, llama())


def test_integers_are_the_numbers_that_they_stand_for(tmp_path: Path) -> None:
    """As onnxruntime quantises matrices: r = (q - z) s; those of products have the names of their modules."""
    integers = {
        "a.weight": np.array([[0, 128, 255]], np.uint8),
        "onnx::MatMul_3": np.array([[-127, 5], [1, 0]], np.int8),
    }
    scales = {"a.weight": np.float32(0.5), "onnx::MatMul_3": np.float32(0.25)}
    initialisers = {f"{name}_quantized": array for name, array in integers.items()}
    initialisers |= {f"{name}_scale": np.array(scale) for name, scale in scales.items()}
    initialisers["a.weight_zero_point"] = np.array(128, np.uint8)
    initialisers["onnx::MatMul_3_zero_point"] = np.array(1, np.int8)
    found = read_tensors(written(tmp_path, initialisers, [("/b/c/MatMul_quant", "onnx::MatMul_3_quantized")]))
    assert set(found) == {"a.weight", "b.c.weight"}
    np.testing.assert_array_equal(found["a.weight"], [[-64, 0, 63.5]])
    np.testing.assert_array_equal(found["b.c.weight"], [[-32, 0], [1, -0.25]])
    assert found.precision == 8
    for wrong in (np.ones(2, np.float32), None):
        changed = {**initialisers, "a.weight_scale": wrong}
        changed = {name: array for name, array in changed.items() if array is not None}
        with pytest.raises(InvalidArgument, match=r"a.weight was of integers without one scale and one zero"):
            read_tensors(written(tmp_path, changed, []))


def test_types_and_files_that_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": np.arange(3), "b": np.ones(2, np.float32)}, [])
    found = read_tensors(path)
    assert found["b"].tolist() == [1, 1]
    with pytest.raises(InvalidArgument, match="a was of the type number 7 of ONNX; it should be of one of the types"):
        found["a"]
    (tmp_path / "cut.onnx").write_bytes(path.read_bytes()[:20])
    with pytest.raises(InvalidArgument, match=r"^path was"):
        read_tensors(tmp_path / "cut.onnx")
    (tmp_path / "text.onnx").write_bytes(b"no graph at all, but a text")
    with pytest.raises(InvalidArgument, match=r"^path was"):
        read_tensors(tmp_path / "text.onnx")


def test_without_onnx_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    (tmp_path / "a.onnx").write_bytes(b"\x08\x07")
    with pytest.raises(MissingExtra, match=r"onnx is not installed; python -m pip install '.\[onnx\]'"):
        read_tensors(tmp_path / "a.onnx")


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, llama(), [("/model/norm/MatMul", "model.norm.weight")])
    content = path.read_bytes()
    for name in (b"model.norm.weight", b"/model/norm/MatMul"):
        path.write_bytes(content.replace(name, b"\xff" + name[1:]))
        with pytest.raises(InvalidArgument, match="a name that is no text"):
            read_tensors(path)
