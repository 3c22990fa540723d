"""Conversions of checkpoints: values stay, each does what it says, and what would change a function is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights, checkpoints, published
from algatt.checkpoints import (
    Balance,
    Centre,
    Checkpoint,
    Conversion,
    FoldNorms,
    FoldValueBiases,
    MergeLoRA,
    RotaryLayout,
    Rotate,
    SeparateKeys,
    Untie,
    transform,
    write_safetensors,
)
from algatt.cli.main import main
from algatt.errors import InvalidArgument, OutputError
from algatt.layers import GELU, Entrywise, Feedforward, Heads, Layer, LayerNorm, Linear, Residual, RMSNorm
from configs import config


def checkpoint_of(name: str, *, tokens: int = 3, seed: int = 1, head_width: int = 2, **changes: Any) -> Checkpoint:
    """Return a small model of the same architecture with random weights."""
    fields = published.scaled(config(name), layers=2, head_width=head_width) | changes
    net = published.read(fields, tokens=None if "image_size" in fields else tokens)
    return Checkpoint(net, algatt.sample(net, Weights, field=algatt.Reals(), seed=seed), fields)


def values(one: Checkpoint) -> np.ndarray:
    """Return values at a few inputs."""
    net = one.network
    generator = np.random.default_rng(7)
    if net.vocabulary is None:
        inputs: Any = generator.standard_normal((3, *net.input_shape))
    else:
        inputs = generator.integers(net.vocabulary, size=(3, net.tokens))
    return np.asarray(algatt.evaluate(net, one.weights, inputs))


def converted(conversion: Conversion, one: Checkpoint) -> Checkpoint:
    """Return a checkpoint after a conversion, when its values are the same."""
    after = transform(conversion, one, check=False)
    expected = values(one)
    assert np.ptp(expected) > 0.1
    assert np.abs(values(after) - expected).max() <= 1e-10 * np.abs(expected).max()
    return after


FOLDED = ("llama_3_1_8b", "phi_2", "mamba_130m", "mixtral_8x7b_v0_1", "deepseek_v2", "dinov2_small_imagenet1k")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FOLDED)
def test_folded_gains_are_ones(name: str) -> None:
    one = checkpoint_of(name)
    one = transform(Untie(), one) if name == "mamba_130m" else one
    after = converted(FoldNorms(), one).weights
    gains = [key for key in after.names() if "norm" in key and key.endswith(".g") and "heads" not in key]
    assert len(gains) >= 3
    for key in gains:
        np.testing.assert_array_equal(after[key], 1)
    assert any((one.weights[key] != 1).any() for key in gains)


def test_biases_of_norms_are_folded_where_readers_have_some() -> None:
    after = converted(FoldNorms(), checkpoint_of("gpt2")).weights
    np.testing.assert_array_equal(after["1.norm_1.b"], 0)
    np.testing.assert_array_equal(after["2.norm_2.b"], 0)
    assert (after["norm.b"] != 0).all()  # the unembedding has no bias


def test_the_last_gain_stays_where_embeddings_are_tied_and_is_folded_when_they_are_not() -> None:
    one = checkpoint_of("smollm2_135m")
    assert (converted(FoldNorms(), one).weights["norm.g"] != 1).any()
    np.testing.assert_allclose(converted(FoldNorms(), transform(Untie(), one)).weights["norm.g"], 1, atol=1e-14)


def test_gains_with_a_zero_and_gains_behind_layers_are_refused() -> None:
    one = checkpoint_of("llama_2_7b")
    arrays = {name: np.array(one.weights[name]) for name in one.weights.names()}
    arrays["1.norm_2.g"][2] = 0
    with pytest.raises(InvalidArgument, match=r"1.norm_2.g was with a zero"):
        transform(FoldNorms(), Checkpoint(one.network, Weights.of(arrays), one.config))
    with pytest.raises(InvalidArgument, match="no gain that a matrix can take up"):
        transform(FoldNorms(), checkpoint_of("minilm_l6_v2"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["pythia_160m", "phi_2", "gpt_j_6b"])
def test_what_writes_to_a_stream_of_layer_norms_has_no_mean(name: str) -> None:
    after = converted(Centre(), checkpoint_of(name)).weights
    np.testing.assert_allclose(after["embedding.E"].sum(axis=1), 0, atol=1e-12)
    for key in ("1.heads.O_2", "2.feedforward.down", "2.feedforward.b_down"):
        np.testing.assert_allclose(after[key].sum(axis=0), 0, atol=1e-12)


def test_tied_embeddings_are_centred_when_they_are_untied() -> None:
    one = checkpoint_of("gpt2")
    with pytest.raises(InvalidArgument, match=r"mean of the rows of embedding.E, as the unembedding is .* untie first"):
        transform(Centre(), one)
    after = converted(Centre(), converted(Untie(), one)).weights
    for key in ("embedding.E", "position.P"):
        np.testing.assert_allclose(after[key].sum(axis=1), 0, atol=1e-12)


def test_streams_of_rms_norms_are_not_centred() -> None:
    with pytest.raises(InvalidArgument, match="without a LayerNorm, so that its function sees means"):
        transform(Centre(), checkpoint_of("smollm2_135m"))


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


ROTATED = ("smollm2_135m", "qwen2_0_5b", "gemma_2b", "mixtral_8x7b_v0_1", "deepseek_v2_lite", "mamba_130m", "gpt2")


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*ROTATED, "pythia_160m"])
def test_a_rotated_stream_has_other_embeddings(name: str) -> None:
    one = checkpoint_of(name)
    after = converted(Rotate(seed=3), one)
    E, moved = one.weights["embedding.E"], after.weights["embedding.E"]
    np.testing.assert_allclose(moved @ moved.T, E @ E.T, atol=1e-12)
    assert np.abs(moved - E).max() > 0.1
    assert not after.config.get("tie_word_embeddings", False)
    if name == "gpt2":  # the ones are fixed
        np.testing.assert_allclose(moved.sum(axis=1), E.sum(axis=1), atol=1e-12)


def of_layers(norm: Layer, last: Layer) -> Checkpoint:
    """Return a network of layers of no family, of an input of width 4 and a stream of width 6."""
    block = Residual(norm >> Heads(2, width=3)) >> Residual(norm >> Feedforward(5, GELU()))
    net = algatt.Network(Linear(6) >> block >> last >> Linear(3), tokens=3, width=4)
    return Checkpoint(net, algatt.sample(net, Weights, field=algatt.Reals(), seed=1))


@pytest.mark.parametrize("norm", [RMSNorm(), RMSNorm(gain=False), LayerNorm()])
def test_streams_of_any_layers_are_rotated(norm: Layer) -> None:
    one = of_layers(norm, norm)
    W, moved = (each.weights["linear_1.W"] for each in (one, converted(Rotate(seed=3), one)))
    np.testing.assert_allclose(moved.T @ moved, W.T @ W, atol=1e-12)
    assert np.abs(moved - W).max() > 0.1
    with pytest.raises(InvalidArgument, match="one whose stream no rotation leaves alone; it should be"):
        transform(Rotate(), of_layers(RMSNorm(gain=False), Entrywise(GELU())))


def test_streams_of_any_layers_are_centred_where_nothing_sees_their_means() -> None:
    after = converted(Centre(), of_layers(LayerNorm(), LayerNorm()))
    for name in ("linear_1.W", "heads.O_2", "feedforward.down"):
        np.testing.assert_allclose(after.weights[name].sum(axis=0), 0, atol=1e-12)
    with pytest.raises(InvalidArgument, match=r"sees the mean of the columns of linear_1\.W"):
        transform(Centre(), of_layers(LayerNorm(), RMSNorm()))


def test_rotations_are_given_or_made_of_signs() -> None:
    one = checkpoint_of("llama_3_1_8b")
    E = one.weights["embedding.E"]
    moved = converted(Rotate("hadamard"), one).weights["embedding.E"]
    R = np.linalg.lstsq(E, moved, rcond=None)[0]
    np.testing.assert_allclose(np.abs(R), 1 / np.sqrt(8), atol=1e-12)
    given = np.eye(8)[::-1]
    np.testing.assert_allclose(converted(Rotate(given), one).weights["embedding.E"], E[:, ::-1], atol=1e-15)
    with pytest.raises(InvalidArgument, match="orthogonal, of shape"):
        transform(Rotate(2 * given), one)
    with pytest.raises(InvalidArgument, match="one that fixes the vector of ones"):
        transform(Rotate("hadamard"), checkpoint_of("pythia_160m"))
    with pytest.raises(InvalidArgument, match="random, hadamard"):
        Rotate("hadamar")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["gemma_2_2b", "olmo_2_7b", "bert_base_uncased", "albert_base_v2"])
def test_rotations_are_refused_beside_gains_of_norms_behind_layers(name: str) -> None:
    with pytest.raises(InvalidArgument, match=r"no rotation leaves alone, with the gains .*norm"):
        transform(Rotate(), checkpoint_of(name))


def test_biases_of_values_are_moved_to_the_output() -> None:
    one = checkpoint_of("gpt2")
    after = converted(FoldValueBiases(), one).weights
    np.testing.assert_array_equal(after["2.heads.b_V_1"], 0)
    expected = one.weights["2.heads.b_O"] + sum(
        one.weights[f"2.heads.O_{n}"] @ one.weights[f"2.heads.b_V_{n}"] for n in (1, 2)
    )
    np.testing.assert_allclose(after["2.heads.b_O"], expected, atol=1e-12)
    with pytest.raises(InvalidArgument, match=r"nothing can take up 1.heads.b_V_1"):
        transform(FoldValueBiases(), checkpoint_of("qwen2_0_5b"))


@pytest.mark.parametrize("name", ["gpt2", "llama_3_1_8b", "phi_2", "gpt_j_6b"])
def test_balanced_keys_and_queries_have_equal_norms(name: str) -> None:
    one = checkpoint_of(name)
    after = converted(Balance(), one)
    shapes = algatt.coordinates(one.network)
    for letter in ("Q", "K"):
        assert any(np.abs(after.weights[key] - one.weights[key]).max() > 0.01 for key in shapes if f".{letter}_" in key)
    count = {letter: sum(f"1.heads.{letter}_" in key for key in shapes) for letter in "QK"}
    share = count["Q"] // count["K"]
    sums = {
        letter: sum((after.weights[f"1.heads.{prefix}{letter}_{n}"] ** 2).sum() for prefix in prefixes for n in numbers)
        for letter, numbers in (("Q", range(1, share + 1)), ("K", [1]))
        for prefixes in [[prefix for prefix in ("", "b_") if f"1.heads.{prefix}{letter}_1" in shapes]]
    }
    assert sums["Q"] == pytest.approx(sums["K"], rel=1e-12)
    again = transform(Balance(), after).weights
    for key in shapes:
        np.testing.assert_allclose(again[key], after.weights[key], rtol=1e-12)


def test_keys_that_are_read_off_latent_vectors_are_balanced() -> None:
    one = checkpoint_of("deepseek_v2")
    after = converted(Balance(), one).weights
    own = [(after[f"1.heads.{letter}_2"] ** 2).sum(axis=1) for letter in "QK"]
    np.testing.assert_allclose(*own, rtol=1e-12)
    heads = sum("1.heads.R_" in name for name in after.names()) - 1
    shared = (after["1.heads.R_K"] ** 2).sum(axis=1)
    queries = sum((after[f"1.heads.R_{n}"] ** 2).sum(axis=1) for n in range(1, heads + 1))
    np.testing.assert_allclose(*(one[::2] + one[1::2] for one in (shared, queries)), rtol=1e-12)
    assert np.abs(after["1.heads.R_K"] - one.weights["1.heads.R_K"]).max() > 0.01


def test_normalised_keys_are_not_balanced() -> None:
    with pytest.raises(InvalidArgument, match=r"with 1.heads.key_norm"):
        transform(Balance(), checkpoint_of("qwen3_0_6b"))


OTHER_LAYOUTS = {
    "llama_3_1_8b": ("interleaved", {"model_type": "llama:interleaved"}),
    "phi_2": ("interleaved", {"model_type": "phi:interleaved"}),
    "qwen3_0_6b": ("interleaved", {"model_type": "qwen3:interleaved"}),
    "olmoe_1b_7b": ("interleaved", {"model_type": "olmoe:interleaved"}),
    "gpt_j_6b": ("halves", {"model_type": "gptj:halves"}),
    "deepseek_v2": ("halves", {"model_type": "deepseek_v2:halves"}),
    "deepseek_v3": ("halves", {"model_type": "deepseek_v3", "rope_interleave": False}),
}
"""The layouts that models do not have, and what configs say of them."""

PAIRS = {"qk_rope_head_dim": 4}
"""Of one pair both layouts are the same."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", OTHER_LAYOUTS)
def test_rotary_layouts_are_isomorphic(name: str, tmp_path: Path) -> None:
    one = checkpoint_of(name, **PAIRS) if "deepseek" in name else checkpoint_of(name)
    layout, fields = OTHER_LAYOUTS[name]
    usual = "halves" if layout == "interleaved" else "interleaved"
    other = converted(RotaryLayout(layout), one)
    assert other.network != one.network
    assert other.config.items() >= fields.items()
    checkpoints.save(tmp_path / "other", other)
    read = checkpoints.load(tmp_path / "other", tokens=3)
    assert (read.network, read.weights) == (other.network, other.weights)
    back = converted(RotaryLayout(usual), read)
    assert (back.network, back.weights) == (one.network, one.weights)
    assert back.config["model_type"] == one.config["model_type"]
    with pytest.raises(InvalidArgument, match=f"without heads whose rotary positions are {layout}"):
        transform(RotaryLayout(usual), one)


def test_rows_in_another_layout_are_another_function() -> None:
    one = checkpoint_of("deepseek_v3", **PAIRS)
    other = transform(RotaryLayout("halves"), one)
    assert np.abs(values(Checkpoint(one.network, other.weights)) - values(one)).max() > 1e-3


@pytest.mark.parametrize("kind", ["llama:rows", "llama:", ":halves", "lama:halves"])
def test_other_words_behind_a_model_type_are_refused(kind: str) -> None:
    with pytest.raises(InvalidArgument, match=f"model_type was '{kind}'"):
        published.read({**config("llama_2_7b"), "model_type": kind})


def test_shared_keys_become_those_of_each_head() -> None:
    one = checkpoint_of("llama_3_1_8b")
    after = converted(SeparateKeys(), one)
    assert after.config["num_key_value_heads"] == 4
    assert after.network == published.read(after.config, tokens=3)
    np.testing.assert_array_equal(after.weights["1.heads.K_4"], one.weights["1.heads.K_2"])
    with pytest.raises(InvalidArgument, match="with keys and values for each head"):
        transform(SeparateKeys(), after)
    with pytest.raises(InvalidArgument, match=r"heads that read latent vectors; .* R_K, which all share"):
        transform(SeparateKeys(), checkpoint_of("deepseek_v2"))


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
