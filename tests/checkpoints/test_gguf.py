"""GGUF files: what is in them, and the models of Llama type that they hold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.checkpoints import load, read_tensors
from algatt.errors import InvalidArgument, MissingExtra
from plain_llama import logits
from written_checkpoints import GGUF_METADATA, LLAMA, gguf_bytes, in_gguf, llama

TOKENS = [3, 1, 4, 1]


def written(folder: Path, content: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return path


def test_tensors_and_metadata_of_a_file(tmp_path: Path) -> None:
    arrays = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([0.5], dtype=np.float16),
        "c": np.array([[np.pi]]),
    }
    metadata = {"general.architecture": "none", "words": ["one", "two"], "numbers": [1, 2, 3], "eps": 0.5, "after": 7}
    found = read_tensors(written(tmp_path, gguf_bytes(metadata, arrays)))
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
    given = {"words": "an array of 2", "numbers": "an array of 3"}
    assert found.metadata == {**metadata, **given}
    assert found.precision == 11


def test_values_are_those_of_llama_in_plain_numpy(tmp_path: Path) -> None:
    arrays = in_gguf(llama())
    found = load(written(tmp_path, gguf_bytes(GGUF_METADATA, arrays)), tokens=4)
    expected = logits(arrays, TOKENS, layers=2, heads=2, key_heads=1, eps=1e-5, base=500.0)
    value = algatt.evaluate(found.network, found.weights, TOKENS).T
    assert np.ptp(expected) > 1
    np.testing.assert_allclose(value, expected, rtol=0, atol=1e-11)
    assert found.precision == 24
    assert found.config | LLAMA == found.config


def test_without_an_output_matrix_the_model_is_tied(tmp_path: Path) -> None:
    arrays = in_gguf(llama())
    del arrays["output.weight"]
    found = load(written(tmp_path, gguf_bytes(GGUF_METADATA, arrays)), tokens=4)
    expected = logits(arrays, TOKENS, layers=2, heads=2, key_heads=1, eps=1e-5, base=500.0)
    np.testing.assert_allclose(algatt.evaluate(found.network, found.weights, TOKENS).T, expected, rtol=0, atol=1e-11)
    assert found.config["tie_word_embeddings"] is True


def test_the_package_gguf_writes_what_is_read_and_its_blocks_are_the_same_numbers(tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf", reason="gguf is not installed; the extra gguf brings it")
    generator = np.random.default_rng(0)
    path = tmp_path / "blocks.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("llama.block_count", 1)
    writer.add_array("tokenizer.ggml.tokens", ["a", "b"])
    arrays = {
        name: generator.standard_normal((4, 64)).astype(np.float32) for name in ("Q8_0", "Q4_0", "Q5_1", "F32", "BF16")
    }
    for name, array in arrays.items():
        kind = gguf.GGMLQuantizationType[name]
        writer.add_tensor(name, gguf.quants.quantize(array, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found = read_tensors(path)
    for one in gguf.GGUFReader(path).tensors:
        np.testing.assert_array_equal(found[one.name], gguf.quants.dequantize(one.data, one.tensor_type))
        assert found[one.name].shape == (4, 64)
    assert {name: member.precision for name, member in found.members.items()} == {
        "Q8_0": 8,
        "Q4_0": 4,
        "Q5_1": 5,
        "F32": 24,
        "BF16": 8,
    }
    assert found.precision == 4


def test_blocks_of_unknown_types_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="gguf is not installed; the extra gguf brings it")
    array = {"a": np.zeros((2, 32), dtype=np.float32)}
    with pytest.raises(InvalidArgument, match="where a is of blocks of the unknown type 999"):
        read_tensors(written(tmp_path, gguf_bytes({}, array, {"a": 999})))
    with pytest.raises(InvalidArgument, match=r"where a of the shape \(2, 31\) is of blocks of 32"):
        read_tensors(written(tmp_path, gguf_bytes({}, {"a": np.zeros((2, 31), np.float32)}, {"a": 8})))
    found = read_tensors(written(tmp_path, gguf_bytes({}, array, {"a": 24})))
    with pytest.raises(InvalidArgument, match="a was of the type I8; it should be of one that the package gguf"):
        found["a"]


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gguf", None)
    monkeypatch.setitem(sys.modules, "gguf.constants", None)
    with pytest.raises(MissingExtra, match=r"gguf is not installed; python -m pip install '.\[gguf\]'"):
        read_tensors(written(tmp_path, gguf_bytes({}, {"a": np.zeros((2, 32), np.float32)}, {"a": 8})))
    assert len(read_tensors(written(tmp_path, gguf_bytes({}, {"a": np.zeros(2, np.float32)})))) == 1


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    metadata = {"general.architecture": "llama", "words": ["one", "two"], "numbers": [1, 2, 3]}
    content = gguf_bytes(metadata, {"a": np.arange(8, dtype=np.float32)})
    assert len(read_tensors(written(tmp_path, content))) == 1
    for length in range(len(content)):
        with pytest.raises(InvalidArgument, match=r"^path was") as caught:
            read_tensors(written(tmp_path, content[:length]))
        assert "\n" not in str(caught.value)


def test_a_file_with_changed_bytes_is_read_or_refused(tmp_path: Path) -> None:
    """Lengths may say anything: no loop is longer than the file, and nothing else is raised."""
    metadata = {"general.architecture": "llama", "words": ["one", "two"], "numbers": [1, 2, 3]}
    content = gguf_bytes(metadata, {"a": np.arange(8, dtype=np.float32)})
    generator = np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        changed = bytearray(content)
        for place in generator.integers(0, len(content) - 32, size=2):
            changed[place] = generator.choice([0, 1, 8, 9, 127, 255])
        try:
            read_tensors(written(tmp_path, bytes(changed)))
        except (InvalidArgument, MissingExtra) as error:
            refused += "\n" not in str(error)
    assert refused > 100


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"general.architecture": "mamba"},
            "general.architecture was 'mamba'; it should be one of llama",
        ),
        ({"llama.expert_count": 8}, "llama.expert_count was 8; it should be not in the file"),
        ({"llama.rope.scaling.type": "linear"}, "rope_scaling.factor was missing from the config"),
        ({"llama.rope.dimension_count": 2}, "llama.rope.dimension_count was 2; it should be 4, the width of a head"),
        ({"llama.attention.head_count": 3}, "num_attention_heads was 3|it should be"),
        ({"llama.block_count": 3}, "tensors was without 'model.layers.2.input_layernorm.weight'"),
        ({"llama.block_count": 1}, "tensors was with 'model.layers.1.input_layernorm.weight'"),
        ({"llama.attention.head_count": [2, 2]}, "num_attention_heads was 'an array of 2'"),
    ],
)
def test_what_the_metadata_say_is_checked(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        load(written(tmp_path, gguf_bytes({**GGUF_METADATA, **changes}, in_gguf(llama()))))
    assert "\n" not in str(caught.value)


def test_frequencies_that_are_scaled_are_refused(tmp_path: Path) -> None:
    arrays = {**in_gguf(llama()), "rope_freqs.weight": np.ones(2, np.float32)}
    with pytest.raises(InvalidArgument, match=r"tensors was with 'rope_freqs.weight'; it should be without what"):
        load(written(tmp_path, gguf_bytes(GGUF_METADATA, arrays)))
