"""Files of CTranslate2: what is in them, and the models of Whisper that they hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algatt.checkpoints import load, read_tensors, write_safetensors
from algatt.errors import InvalidArgument
from written_checkpoints import TIED, WHISPER, ctranslate2_bytes, in_ctranslate2, whisper


def written(folder: Path, content: bytes) -> Path:
    path = folder / "model.bin"
    path.write_bytes(content)
    return path


def test_variables_of_a_file(tmp_path: Path) -> None:
    arrays = {
        "a/weight": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([0.5], dtype=np.float16),
        "heads": np.array(7, dtype=np.int16),
    }
    found = read_tensors(written(tmp_path, ctranslate2_bytes(arrays, {"c/weight": "a/weight"}, "AnySpec")))
    assert list(found) == ["a/weight", "b", "c/weight"]
    for name in ("a/weight", "b"):
        np.testing.assert_array_equal(found[name], arrays[name])
        assert found[name].dtype == arrays[name].dtype
    np.testing.assert_array_equal(found["c/weight"], arrays["a/weight"])
    assert found.metadata == {"heads": 7, "ctranslate2.specification": "AnySpec", "ctranslate2.revision": 3}
    assert found.precision == 11


def test_bfloat16_is_the_upper_half_of_float32(tmp_path: Path) -> None:
    content = ctranslate2_bytes({"a": np.array([0x3FC0, 0xC000], dtype=np.uint16).view(np.float16)})
    kind = content.index(b"a\0") + 2 + 1 + 4  # behind the name, how many axes, and the length of the one
    found = read_tensors(written(tmp_path, content[:kind] + b"\5" + content[kind + 1 :]))
    assert found["a"].tolist() == [1.5, -2.0]
    assert found.precision == 8


def test_integers_are_divided_by_their_scales(tmp_path: Path) -> None:
    kernels = np.arange(-12, 12, dtype=np.int8).reshape(2, 4, 3)
    arrays = {
        "rows/weight": np.array([[127, -64], [1, 2]], np.int8),
        "rows/weight_scale": np.array([127, 4], np.float32),
        "all/weight": np.array([[1024, -512]], np.int16),
        "all/weight_scale": np.array(256, np.float32),
        "kernels/weight": kernels,
        "kernels/weight_scale": np.array([2, 8], np.float32),
    }
    aliases = {"tied/weight": "rows/weight", "tied/weight_scale": "rows/weight_scale"}
    found = read_tensors(written(tmp_path, ctranslate2_bytes(arrays, aliases)))
    assert set(found) == {"rows/weight", "all/weight", "kernels/weight", "tied/weight"}
    np.testing.assert_allclose(found["tied/weight"], [[1, -64 / 127], [0.25, 0.5]], rtol=1e-7)
    np.testing.assert_array_equal(found["all/weight"], [[4, -2]])
    np.testing.assert_array_equal(found["kernels/weight"], np.stack([kernels[0] / 2, kernels[1] / 8]))
    assert {name: member.precision for name, member in found.members.items()} == {
        "rows/weight": 8,
        "all/weight": 11,
        "kernels/weight": 8,
        "tied/weight": 8,
    }


def test_a_model_of_whisper_is_that_of_the_names_of_transformers(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model.safetensors", whisper())
    expected = load(tmp_path / "model.safetensors", WHISPER)
    folder = tmp_path / "converted"
    folder.mkdir()
    (folder / "config.json").write_text('{"suppress_ids": [1]}')  # that library has a config of its own
    written(folder, ctranslate2_bytes(in_ctranslate2(whisper()), TIED))
    found = load(folder)
    assert found.config == WHISPER
    assert found.network == expected.network
    assert found.weights == expected.weights


def test_a_projection_of_its_own_is_not_tied(tmp_path: Path) -> None:
    own = np.arange(28, dtype=np.float32).reshape(7, 4)
    found = load(written(tmp_path, ctranslate2_bytes(in_ctranslate2(whisper()) | {"decoder/projection/weight": own})))
    assert found.config["tie_word_embeddings"] is False
    np.testing.assert_array_equal(found.weights["unembedding.U"], own)


def whisper_with(**changes: Any) -> bytes:
    arrays = in_ctranslate2(whisper())
    for name, array in changes.items():
        arrays.pop(name) if array is None else arrays.update({name: array})
    return ctranslate2_bytes(arrays, TIED)


HALF = np.zeros((2, 2), np.float32)

BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "truncated": (lambda: whisper_with()[:-9], "which is truncated"),
    "truncated in the header": (lambda: whisper_with()[:20], "which is truncated"),
    "longer": (lambda: whisper_with() + b"123", "with 3 bytes behind its end"),
    "another version": (lambda: ctranslate2_bytes({}, version=3), "of version 3"),
    "an unknown type": (lambda: ctranslate2_bytes({"a": np.zeros(2, np.complex64)}), "a is of the unknown type 9"),
    "no scales": (lambda: ctranslate2_bytes({"a": np.zeros((2, 2), np.int8)}), "a of integers has no scales"),
    "a scale for each column": (
        lambda: ctranslate2_bytes({"a": np.zeros((2, 3), np.int8), "a_scale": np.ones(3, np.float32)}),
        "scales of the type F32 and the shape (3,)",
    ),
    "a name of nothing": (lambda: ctranslate2_bytes({"a": HALF}, {"b": "c"}), "b is another name of c"),
    "wrong sizes": (lambda: ctranslate2_bytes({"a": HALF}).replace(b"\2\0\0\0", b"\3\0\0\0", 1), "has 16 bytes"),
    "another model": (lambda: ctranslate2_bytes({"a": HALF}, specification="MarianSpec"), "was 'MarianSpec'"),
    "another activation": (lambda: whisper_with(**{"decoder/activation": np.array(0, np.int8)}), "decoder/activation"),
    "something else": (lambda: whisper_with(**{"decoder/more": np.array(2, np.int8)}), "decoder/more was 2"),
    "no number": (lambda: whisper_with(**{"encoder/num_heads": None}), "without the number 'encoder/num_heads'"),
    "no embedding": (lambda: ctranslate2_bytes({"a": HALF}), "without 'decoder/embeddings/weight'"),
    "packed integers": (
        lambda: whisper_with(**{"encoder/layer_0/ffn/linear_1/weight": np.zeros((4, 5), np.int32)}),
        "encoder/layer_0/ffn/linear_1/weight was of the type I32",
    ),
    "a missing tensor": (lambda: whisper_with(**{"encoder/conv1/bias": None}), "without 'model.encoder.conv1.bias'"),
    "an extra tensor": (lambda: whisper_with(**{"decoder/more/weight": HALF}), "with 'decoder/more/weight'"),
    "a wrong shape": (lambda: whisper_with(**{"encoder/conv1/bias": np.ones(5, np.float32)}), "of shape (5,)"),
    "NaN": (lambda: whisper_with(**{"encoder/conv1/bias": np.full(4, np.nan, np.float32)}), "with NaN or infinity"),
    "a bias of keys": (
        lambda: whisper_with(**{"encoder/layer_0/self_attention/linear_0/bias": np.ones(12, np.float32)}),
        "with a bias of keys that is not zero",
    ),
    "other positions": (
        lambda: whisper_with(**{"encoder/position_encodings/encodings": np.zeros((3, 4), np.float32)}),
        "was other positions, by up to 1",
    ),
}


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_wrong_is_named_in_one_line(wrong: str, tmp_path: Path) -> None:
    content, message = BAD[wrong]
    with pytest.raises(InvalidArgument) as raised:
        load(written(tmp_path, content()))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
