"""Checkpoints with something wrong: one line on stderr that names it, and exit code 2, from every command that reads
them.
"""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from algatt.checkpoints import write_safetensors
from algatt.cli.main import main
from written_checkpoints import (
    GGUF_METADATA,
    GPT2,
    LLAMA,
    TIED,
    ctranslate2_bytes,
    gguf_bytes,
    gpt2,
    in_ctranslate2,
    in_gguf,
    llama,
    whisper,
)

NORM = "model.norm.weight"


class Code:
    """Code that a pickle would run: it ends the program."""

    def __reduce__(self) -> tuple[object, ...]:
        return exit, (0,)


def changed(name: str, array: np.ndarray | None) -> Callable[[Path], None]:
    """Return what writes tensors of Llama with one replaced, added or left out."""

    def write(folder: Path) -> None:
        state = {key: one for key, one in {**llama(), name: array}.items() if one is not None}
        write_safetensors(folder / "model.safetensors", state)

    return write


def truncated(folder: Path) -> None:
    write_safetensors(folder / "model.safetensors", llama())
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-50])


def truncated_ctranslate2(folder: Path) -> None:
    (folder / "model.bin").write_bytes(ctranslate2_bytes(in_ctranslate2(whisper()), TIED)[:-50])


def without_a_shard(folder: Path) -> None:
    index = {"weight_map": dict.fromkeys(llama(), "model-00001-of-00002.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def with_code(folder: Path) -> None:
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"a": Code()}, protocol=2))


def of_unknown_blocks(folder: Path) -> None:
    tensors = in_gguf(llama())
    (folder / "model.gguf").write_bytes(gguf_bytes(GGUF_METADATA, tensors, {next(iter(tensors)): 999}))


BAD: dict[str, tuple[Callable[[Path], None], str]] = {
    "a missing tensor": (changed(NORM, None), "without 'model.norm.weight'"),
    "an extra tensor": (changed("model.more.weight", np.ones(3, "f4")), "with 'model.more.weight'"),
    "a wrong shape": (
        changed(NORM, np.ones(7, "f4")),
        "model.norm.weight was of shape (7,); it should be of shape (8,)",
    ),
    "a vector": (
        changed("lm_head.weight", np.ones(7, "f4")),
        "lm_head.weight was of shape (7,); it should be of shape (10, 8)",
    ),
    "NaN": (changed(NORM, np.full(8, np.nan, "f4")), "model.norm.weight was with NaN or infinity"),
    "a truncated file": (truncated, "which is truncated"),
    "a truncated file of CTranslate2": (truncated_ctranslate2, "model.bin', which is truncated"),
    "a missing shard": (without_a_shard, "whose shard model-00001-of-00002.safetensors is not there"),
    "pickled code": (with_code, "pytorch_model.bin', w|torch is not installed"),
    "unknown blocks": (of_unknown_blocks, "of the unknown type 999|gguf is not installed"),
    "nothing": (lambda folder: None, "a folder without one"),
    "another family": (
        lambda folder: write_safetensors(folder / "model.safetensors", gpt2()),
        "transformer.wte.weight",
    ),
}

COMMANDS = {
    "invariants": ["invariants"],
    "drift": ["drift"],
    "compare": ["compare"],
    "align": ["align"],
    "attention-spectrum": ["attention-spectrum", "--unmasked", "--inputs", "1,2", "--model"],
    "flow": ["flow", "--model"],
    "canonical": ["canonical"],
    "move": ["move"],
    "transform": ["transform", "--by", "balance"],
}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    folder = tmp_path / "good"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA))
    write_safetensors(folder / "model.safetensors", llama())
    return folder


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_wrong_is_one_line(wrong: str, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA))
    write, message = BAD[wrong]
    write(folder)
    for name, command in COMMANDS.items():
        after = {
            "compare": [str(good)],
            "drift": [str(good)],
            "align": [str(good)],
            "transform": [str(tmp_path / "out")],
        }.get(name, [])
        after += ["-o", str(tmp_path / "out")] if name in ("canonical", "move") else []
        assert main([*command, str(folder), *after]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert any(one in err for one in message.split("|")), err
    assert not (tmp_path / "out").exists()


def test_two_families_are_not_compared(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "config.json").write_text(json.dumps(GPT2))
    write_safetensors(other / "model.safetensors", gpt2())
    for command in ("compare", "invariants"):
        assert main([command, str(good), str(other)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert "of another network: model_type is 'gpt2' and not 'llama'" in err


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"num_hidden_layers": 3}, "without 'model.layers.2.input_layernorm.weight'"),
        ({"num_hidden_layers": 1}, "with 'model.layers.1."),
        ({"vocab_size": 11}, "should be of shape (11, 8), as the config says"),
        ({"num_key_value_heads": 2}, "k_proj.weight was of shape"),
        ({"tie_word_embeddings": True}, "lm_head.weight was not equal to model.embed_tokens.weight"),
        ({"hidden_size": -8}, "hidden_size was -8"),
        ({"hidden_size": "8"}, "hidden_size was '8'"),
    ],
)
def test_a_config_that_contradicts_its_weights(
    fields: dict[str, object], message: str, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bad"
    shutil.copytree(good, folder)
    (folder / "config.json").write_text(json.dumps({**LLAMA, **fields}))
    for command in (["compare", str(good), str(folder)], ["align", str(folder), str(good)]):
        assert main(command) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert message in err


@pytest.mark.parametrize(
    ("tokens", "message"), [("4", "should be given at most 3"), ("0", "tokens was 0"), ("-1", "tokens was -1")]
)
def test_a_length_that_a_model_does_not_read(
    tokens: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    write_safetensors(tmp_path / "model.safetensors", gpt2())
    assert main(["compare", str(tmp_path), str(tmp_path), "--tokens", tokens]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err
