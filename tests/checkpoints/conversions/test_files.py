"""What the conversions write: untied decoders, adapters, folders, and what the command prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights, checkpoints
from algatt.checkpoints import (
    Checkpoint,
    MergeLoRA,
    RotaryLayout,
    SeparateKeys,
    Untie,
    transform,
    write_safetensors,
)
from algatt.cli.main import main
from algatt.errors import InvalidArgument, OutputError
from converted_checkpoints import checkpoint_of, converted, values

MASKED = {
    "bert_base_uncased": ("BertForMaskedLM", "cls.predictions"),
    "roberta_base": ("RobertaForMaskedLM", "lm_head"),
    "albert_base_v2": ("AlbertForMaskedLM", "predictions"),
}
"""Masked language models, their classes in transformers, and what stands before the two names of their bias."""


@pytest.mark.parametrize("name", MASKED)
def test_untied_masked_language_models_have_the_bias_of_the_decoder(name: str, tmp_path: Path) -> None:
    one, there = checkpoint_of(name), MASKED[name][1]
    after = converted(Untie(), one)
    for folder, checkpoint in (("tied", one), ("untied", after)):
        checkpoints.save(tmp_path / folder, checkpoint)
    found = checkpoints.read_tensors(tmp_path / "untied")
    np.testing.assert_array_equal(found[f"{there}.decoder.bias"], found[f"{there}.bias"])
    assert (found[f"{there}.bias"] != 0).all()
    assert f"{there}.decoder.bias" not in checkpoints.read_tensors(tmp_path / "tied")
    again = checkpoints.load(tmp_path / "untied", tokens=3)
    assert (again.network, again.weights) == (after.network, after.weights)
    for left in (f"{there}.bias", f"{there}.decoder.bias"):  # of which older files have one
        few = found.replace({key: found.members[key] for key in found if key != left})
        assert checkpoints.load(few, after.config, tokens=3).weights == after.weights
    arrays = {key: np.array(found[key]) for key in found}
    arrays[f"{there}.decoder.bias"][2] += 1
    write_safetensors(tmp_path / "two.safetensors", arrays)
    with pytest.raises(InvalidArgument, match=rf"{there}.decoder.bias was not equal to {there}.bias"):
        checkpoints.load(tmp_path / "two.safetensors", after.config)


@pytest.mark.parametrize("name", MASKED)
def test_transformers_reads_untied_masked_language_models(name: str, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch", reason="torch is not installed")
    one = checkpoint_of(name)
    checkpoints.save(tmp_path / "untied", transform(Untie(), one))
    model = getattr(transformers, MASKED[name][0]).from_pretrained(tmp_path / "untied").double().eval()
    with torch.no_grad():
        logits = model(torch.tensor([[2, 3, 4]])).logits[0].numpy()
    expected = np.asarray(algatt.evaluate(one.network, one.weights, [2, 3, 4])).T
    np.testing.assert_allclose(logits, expected, atol=1e-5 * np.abs(expected).max())


def adapter(folder: Path, tensors: dict[str, np.ndarray], **described: Any) -> Path:
    """Write an adapter as the peft library does."""
    folder.mkdir()
    fields = {"peft_type": "LORA", "r": 2, "lora_alpha": 6, "bias": "none", **described}
    (folder / "adapter_config.json").write_text(json.dumps(fields))
    write_safetensors(folder / "adapter_model.safetensors", tensors)
    return folder


def test_adapters_are_added(tmp_path: Path) -> None:
    one = checkpoint_of("llama_3_1_8b")
    generator = np.random.default_rng(0)
    A, B = generator.standard_normal((2, 8)), generator.standard_normal((4, 2))
    path = "base_model.model.model.layers.1.self_attn.v_proj"
    tensors = {f"{path}.lora_A.weight": A, f"{path}.lora_B.weight": B}
    after = transform(MergeLoRA(adapter(tmp_path / "a", tensors)), one)
    np.testing.assert_allclose(after.weights["2.heads.V_2"], one.weights["2.heads.V_2"] + 3 * B[2:] @ A, atol=1e-14)
    assert sum(not np.array_equal(after.weights[key], one.weights[key]) for key in one.weights.names()) == 2
    root = transform(MergeLoRA(adapter(tmp_path / "b", tensors, use_rslora=True)), one)
    expected = one.weights["2.heads.V_1"] + 6 / np.sqrt(2) * B[:2] @ A
    np.testing.assert_allclose(root.weights["2.heads.V_1"], expected, atol=1e-14)
    for bad, described, message in (
        (tensors, {"use_dora": True}, "use_dora was True"),
        (tensors, {"layer_replication": [[0, 1], [0, 2]]}, r"layer_replication was .*; it should be None"),
        (tensors, {"kasa_config": {"beta": 1}}, "kasa_config was .*; it should be not in the config"),
        (tensors, {"init_lora_weights": "pissa"}, "init_lora_weights was 'pissa'"),
        (tensors, {"r": 3}, "r was 3; it should be 2"),
        (tensors | {"x.lora_A.weight": A, "x.lora_B.weight": B}, {}, "with x, which is no matrix"),
        (tensors | {"x.bias": A}, {}, "with 'x.bias'"),
        ({f"{path}.lora_A.weight": A}, {}, "with factors of"),
        ({f"{path}.lora_A.weight": A, f"{path}.lora_B.weight": B[:3]}, {}, r"of shape \(3, 8\)"),
    ):
        folder = adapter(tmp_path / message[:9].replace("/", ""), bad, **described)
        with pytest.raises(InvalidArgument, match=message):
            transform(MergeLoRA(folder), one)


def test_adapters_of_transposed_matrices(tmp_path: Path) -> None:
    one = checkpoint_of("gpt2")
    A, B = np.ones((2, 4)), np.arange(24.0).reshape(12, 2)
    path = "base_model.model.transformer.h.0.attn.c_attn"
    tensors = {f"{path}.lora_A.weight": A, f"{path}.lora_B.weight": B}
    after = transform(MergeLoRA(adapter(tmp_path / "a", tensors, fan_in_fan_out=True)), one)
    np.testing.assert_allclose(after.weights["1.heads.K_1"], one.weights["1.heads.K_1"] + 3 * B[4:6] @ A, atol=1e-14)


def test_a_folder_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = checkpoint_of("gpt2")
    checkpoints.save(tmp_path / "out", one)
    again = checkpoints.load(tmp_path / "out", tokens=3)
    assert (again.network, again.weights) == (one.network, one.weights)
    with pytest.raises(OutputError, match="no empty folder"):
        checkpoints.save(tmp_path / "out", one)
    other = Checkpoint(one.network, one.weights, {**one.config, "layer_norm_epsilon": 0.5})
    with pytest.raises(InvalidArgument, match="a network that no config of the type 'gpt2' says"):
        checkpoints.save(tmp_path / "other", other)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_command_writes_what_it_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = checkpoint_of("smollm2_135m", tokens=2)
    before, after = tmp_path / "in", tmp_path / "out"
    checkpoints.save(before, one)
    assert main(["transform", "--by", "rotate", "--seed", "2", str(before), str(after)]) == 0
    printed = capsys.readouterr().out
    assert "values at random inputs differ by" in printed
    found = checkpoints.load(after, tokens=2)
    assert not found.config["tie_word_embeddings"]
    np.testing.assert_allclose(values(found), values(one), atol=1e-10 * np.abs(values(one)).max())
    assert main(["transform", "--by", "centre", str(before), str(tmp_path / "no")]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "without a LayerNorm" in error
    assert main(["transform", "--by", "fold-norms", str(before), str(tmp_path / "folded")]) == 0
    assert "gains that nothing can take up: norm.g" in capsys.readouterr().out
    assert main(["transform", "--by", "fold-norms", str(before), str(after)]) == 2
    assert main(["transform", "--by", "centre", "--adapter", "x", str(before), str(tmp_path / "no")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folded", "in", "out"]


TRANSFORMED = {
    "untie": "smollm2_135m",
    "rotate": "smollm2_135m",
    "separate-keys": "llama_3_1_8b",
    "interleaved": "llama_3_1_8b",
    "halves": "gpt_j_6b",
    "fold-norms": "llama_3_1_8b",
    "centre": "pythia_160m",
    "fold-value-biases": "gpt2",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("by", TRANSFORMED)
def test_what_transform_writes_is_compared(by: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = checkpoint_of(TRANSFORMED[by], tokens=2, head_width=4)  # of two pairs of rows, which tell layouts apart
    before, after, broken = (str(tmp_path / part) for part in ("in", "out", "broken"))
    checkpoints.save(before, one)
    assert main(["transform", "--by", by, before, after]) == 0
    for paths in ((before, after), (after, before)):
        assert main(["compare", *paths]) == 0
        assert "one function" in capsys.readouterr().out
    found = checkpoints.load(after, tokens=2)
    arrays = {key: np.array(found.weights[key]) for key in found.weights.names()}
    arrays["2.feedforward.down"][1, 0] += 1.0
    other = Checkpoint(found.network, Weights.of(arrays), found.config)
    assert np.abs(values(other) - values(one)).max() > 1e-4
    checkpoints.save(broken, other)
    assert main(["compare", before, broken]) == 1
    assert "two functions" in capsys.readouterr().out


def test_copies_in_another_layout_are_proven_and_the_words_say_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = checkpoint_of("smollm2_135m", tokens=2, head_width=4)
    checkpoints.save(tmp_path / "in", one)
    after = transform(RotaryLayout("interleaved"), transform(SeparateKeys(), transform(Untie(), one)))
    checkpoints.save(tmp_path / "out", after)
    assert main(["compare", str(tmp_path / "in"), str(tmp_path / "out")]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("one function (proven)")
    assert "the first is untied" in printed
    assert "keys and values of the first are separated" in printed
    assert "rotary positions of the second are laid out in halves" in printed


def test_rows_that_stayed_in_the_other_layout_are_two_functions(tmp_path: Path) -> None:
    one = checkpoint_of("llama_3_1_8b", tokens=2, head_width=4)
    other = transform(RotaryLayout("interleaved"), one)
    checkpoints.save(tmp_path / "in", one)
    checkpoints.save(tmp_path / "out", Checkpoint(other.network, one.weights, other.config))
    assert main(["compare", str(tmp_path / "in"), str(tmp_path / "out")]) == 1
