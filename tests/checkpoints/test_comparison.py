"""Two checkpoints, and the lengths of inputs of which they are one function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights, checkpoints, published
from algatt.cli.main import main
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.geometry.equality.large.half_precision import rounded_to
from algatt.layers import Embedding, EncoderDecoder, LearnedPosition, RelativeBias, Residual
from algatt.layers.lengths import longest
from configs import config

LLAMA = {
    "model_type": "llama",
    "hidden_size": 8,
    "intermediate_size": 6,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "vocab_size": 11,
    "max_position_embeddings": 6,
}
PHI = {**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 3}
GPT2 = {"model_type": "gpt2", "n_embd": 8, "n_layer": 1, "n_head": 2, "n_inner": 8, "vocab_size": 10, "n_positions": 16}


def dynamic(factor: float) -> dict[str, Any]:
    return {**LLAMA, "rope_scaling": {"type": "dynamic", "factor": factor}}


def longrope(*long: float) -> dict[str, Any]:
    return {**PHI, "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.0], "long_factor": list(long)}}


def point(fields: dict[str, Any]) -> Weights:
    """Return weights of a config that every length of inputs shares."""
    net = published.read(fields, tokens=2)
    found = algatt.sample(net, Weights, field=Reals(), seed=1)
    assert isinstance(found, Weights)
    return found


def written(folder: Path, fields: dict[str, Any], theta: Weights) -> str:
    """Write a checkpoint, and return its path."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(fields), encoding="utf-8")
    arrays = {n: W.astype("float32") for n, W in published.checkpoint_tensors(fields, theta).items()}
    checkpoints.write_safetensors(folder / "model.safetensors", arrays)
    return str(folder)


def values_of(fields: dict[str, Any], theta: Weights, X: Any) -> np.ndarray:
    """Return the values at an input of the network that reads as many tokens as it has."""
    return np.asarray(algatt.evaluate(published.read(fields, tokens=len(X)), theta, np.asarray(X)))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("first", "second", "tokens", "what"),
    [
        (dynamic(2.0), dynamic(4.0), 7, "rope_scaling.factor is 4.0 and not 2.0"),
        (dynamic(2.0), {**dynamic(2.0), "max_position_embeddings": 4}, 5, "max_position_embeddings is 4 and not 6"),
        (longrope(2.0, 3.0), longrope(2.0, 9.0), 4, "rope_scaling.long_factor is [2.0, 9.0] and not [2.0, 3.0]"),
    ],
)
def test_constants_that_only_long_inputs_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: Any, second: Any, tokens: int, what: str
) -> None:
    """The values of one more token than before differ, those of as many do not."""
    theta = point(first)
    one, two = written(tmp_path / "one", first, theta), written(tmp_path / "two", second, theta)
    X = [1, 2, 3, 4, 5, 6, 7][:tokens]
    assert np.abs(values_of(first, theta, X) - values_of(second, theta, X)).max() > 1e-3
    np.testing.assert_allclose(values_of(first, theta, X[1:]), values_of(second, theta, X[1:]), atol=1e-12)
    assert main(["compare", one, two, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["equal"], told["lengths"]) == (False, [1, tokens - 1])
    assert (
        told["comparison"]["hypothesis"] == f"of up to {tokens - 1} tokens they are one function, and for more {what}"
    )
    assert len(told["separating_input"]) == tokens
    assert main(["compare", one, two, "--tokens", f"{tokens - 1}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lengths"] == [1, tokens - 1]
    assert main(["compare", one, two, "--tokens", f"{tokens}"]) == 1
    assert what in capsys.readouterr().out
    assert main(["compare", one, one, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lengths"] == [1, None]


def test_inputs_that_are_too_long_to_compute_are_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theta = point(dynamic(2.0))
    one, two = (written(tmp_path / f"{factor}", dynamic(factor), theta) for factor in (2.0, 4.0))
    for name in ("MOST_SCORES", "MOST_PRODUCTS"):
        with monkeypatch.context() as patched:
            patched.setattr(f"algatt.checkpoints.comparison.{name}", 9)
            found = algatt.compare(one, two)
            assert (found.equal, found.status, found.lengths) == (None, "undecided", (1, 6))
            assert "of up to 6 tokens they are one function, and for more rope_" in found.reason
            with pytest.raises(EquivalenceUndecided, match="of up to 6 tokens"):
                bool(found)
    assert algatt.compare(one, one).status == "proven"
    assert main(["compare", one, two, "--tokens", "5"]) == 0


def test_another_base_of_angles_is_a_difference(tmp_path: Path) -> None:
    theta = point(LLAMA)
    other = {**LLAMA, "rope_theta": 500.0}
    one, two = written(tmp_path / "one", LLAMA, theta), written(tmp_path / "two", other, theta)
    found = algatt.compare(one, two)
    assert (found.equal, found.lengths) == (False, None)
    X = found.separating_input
    assert np.abs(values_of(LLAMA, theta, X) - values_of(other, theta, X)).max() > 1e-4


def test_the_verdict_names_its_lengths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A GPT-2 reads as many tokens as it has vectors of positions, and a Llama any number."""
    for name, fields, most, said in (("a", GPT2, 16, "all up to 16 tokens"), ("b", LLAMA, None, "all")):
        theta = point(fields)
        arrays = {n: W.raw for n, W in theta.tensors.items()}
        moved = Weights.of(
            arrays | {n: -W for n, W in arrays.items() if ".heads.V" in n or ".heads.O" in n or "b_V" in n}
        )
        one, two = written(tmp_path / f"{name}1", fields, theta), written(tmp_path / f"{name}2", fields, moved)
        found = algatt.compare(checkpoints.load(one), two)
        assert (found.equal, found.status, found.lengths) == (True, "numerical", (1, most))
        assert main(["compare", one, two]) == 0
        line = next(line for line in capsys.readouterr().out.splitlines() if "lengths" in line)
        assert line.split(maxsplit=1)[1].strip() == said


def test_the_library_tells_what_the_command_tells_of_positions(tmp_path: Path) -> None:
    """Two GPT-2s that differ in row 11 of their positions."""
    theta = point(GPT2)
    other = {n: W.raw.copy() for n, W in theta.tensors.items()}
    other["position.P"][11, 3] += 0.5
    one = written(tmp_path / "one", GPT2, theta)
    two = written(tmp_path / "two", GPT2, Weights.of(other))
    first, second = checkpoints.load(one), checkpoints.load(two)
    assert first.network.tokens == 16
    assert not algatt.same_function(first.network, first.weights, second.weights)
    assert not algatt.compare(first, second)
    X = list(range(10)) + [1, 2]
    apart = values_of(GPT2, first.weights, X) - values_of(GPT2, second.weights, X)
    assert np.abs(apart).max() > 1e-3
    assert np.abs(apart[:, :-1]).max() < 1e-12


@pytest.mark.sample(1)
@pytest.mark.parametrize(("one", "two", "most"), [(3, 5, 3), (3, None, 3), (None, 5, 5)])
def test_other_windows_are_seen_by_more_tokens_than_the_smaller_one_holds(
    tmp_path: Path, one: int | None, two: int | None, most: int
) -> None:
    """By the definition of a window; values of one more token differ."""
    fields = [
        {**LLAMA, "model_type": "mistral", "num_key_value_heads": 1, "sliding_window": size} for size in (one, two)
    ]
    theta = point(fields[0])
    first, second = (written(tmp_path / f"{place}", each, theta) for place, each in enumerate(fields))
    found = algatt.compare(first, second)
    assert (found.equal, found.lengths) == (False, (1, most))
    assert f"sliding_window is {two!r} and not {one!r}" in str(found.hypothesis)
    X = found.separating_input
    assert np.abs(values_of(fields[0], theta, X) - values_of(fields[1], theta, X)).max() > 1e-6
    found = algatt.compare(first, second, tokens=most)
    assert (found.equal, found.lengths) == (True, (1, most))


def test_tensors_have_the_names_of_the_file(tmp_path: Path) -> None:
    theta = point(GPT2)
    arrays = {n: W.raw.copy() for n, W in theta.tensors.items()}
    arrays["1.feedforward.up"][2, 3] += 0.5
    one, two = written(tmp_path / "1", GPT2, theta), written(tmp_path / "2", GPT2, Weights.of(arrays))
    found = algatt.compare(one, two)
    assert (found.equal, found.tensor) == (False, "transformer.h.0.mlp.c_fc.weight")
    assert "transformer.h.0.mlp.c_fc.weight (1.feedforward.up) cannot be reached" in found.reason
    told = {each["name"]: each["source"] for each in found.to_dict()["comparison"]["tensors"]}
    assert told["1.heads.V_2"] == "transformer.h.0.attn.c_attn.weight"
    assert found.distance > 1e-4
    assert "rounding to 24 bits makes" in found._repr_html_()


def test_lengths_that_a_checkpoint_does_not_read_are_refused(tmp_path: Path) -> None:
    one = written(tmp_path / "one", GPT2, point(GPT2))
    assert checkpoints.load(one).longest == 16
    assert checkpoints.load(written(tmp_path / "two", LLAMA, point(LLAMA))).longest is None
    with pytest.raises(InvalidArgument, match="was given 17 tokens; it should be given at most 16"):
        algatt.compare(one, one, tokens=17)


def test_points_of_a_network_are_compared_and_doubt_is_an_answer() -> None:
    net = published.read(GPT2, tokens=2)
    theta = point(GPT2)
    assert algatt.compare(net, theta, theta).status == "proven"
    for given, wrong in (((net, theta, theta), {"tokens": 2}), ((theta,), {}), ((net, theta), {"error": 0.1})):
        with pytest.raises(InvalidArgument):
            algatt.compare(*given, **wrong)  # type: ignore[call-overload]


def test_long_inputs_of_large_networks_are_compared_by_few_tokens_first() -> None:
    """Of 70 tokens, 2 are looked at, and 51 of them for the vector that differs."""
    fields = {**GPT2, "n_embd": 24, "n_positions": 70, "n_inner": 48}
    net = published.read(fields, tokens=70)
    assert net.parameters > 4096
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    arrays = {n: W.raw.copy() for n, W in theta.tensors.items()}
    arrays["position.P"][50, 3] += 0.5
    found = algatt.same_function(net, theta, Weights.of(arrays))
    assert (found.equal, len(found.separating_input)) == (False, 51)
    assert found.compared is not None
    assert found.compared.arch.tokens == 51


@pytest.mark.parametrize("fields", [dynamic(2.0), longrope(2.0, 3.0)])
def test_a_number_of_tokens_is_asked_for_where_angles_depend_on_it(tmp_path: Path, fields: dict[str, Any]) -> None:
    path = written(tmp_path / "one", fields, point(fields))
    with pytest.raises(
        InvalidArgument,
        match=r"tokens was not given; it should be given: the angles of rotary positions change from \d tokens on$",
    ):
        checkpoints.load(path)
    assert checkpoints.load(path, tokens=5).network.tokens == 5
    assert checkpoints.load(path, reach=False).network.tokens == 2


def test_a_network_reads_as_many_tokens_as_reach_all_of_it() -> None:
    assert longest(published.read(config("gpt2_xl")).layers) == 1024
    assert longest(published.read(config("opt_125m")).layers) == 2048
    assert longest(published.read(config("roberta_base")).layers) == 512
    assert longest(published.read(config("whisper_tiny")).layers) == 3000 + 448
    assert longest(published.read(config("llama_2_7b")).layers) is None
    assert longest((LearnedPosition(9), Residual(LearnedPosition(7, first=2)), RelativeBias(8, 5))) == 5
    pair = Embedding(5, 2) >> LearnedPosition(4)
    assert longest(EncoderDecoder(pair, pair)) == 8


def test_configs_that_no_layers_say_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theta = point(LLAMA)
    one = written(tmp_path / "one", LLAMA, theta)
    two = written(tmp_path / "two", LLAMA, theta)
    for key, value in (("is_causal", False), ("quantization_config", {"bits": 4}), ("mm_vision_tower", "clip")):
        (Path(two) / "config.json").write_text(json.dumps({**LLAMA, key: value}), encoding="utf-8")
        assert main(["compare", one, two]) == 2
        error = capsys.readouterr().err
        assert key in error
        assert len(error.splitlines()) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize(("precision", "name"), [(8, "bfloat16"), (11, "float16")])
def test_numbers_that_were_rounded_are_told_whatever_type_they_are_stored_in(
    tmp_path: Path, precision: int, name: str
) -> None:
    """Both files have float32. A few changed entries are no original of what was rounded."""
    fields = {**LLAMA, "hidden_size": 16, "intermediate_size": 24}
    theta = point(fields)
    rounded = {n: rounded_to(W.raw.astype("float32").astype(float), precision) for n, W in theta.tensors.items()}
    one, two = written(tmp_path / "one", fields, theta), written(tmp_path / "two", fields, Weights.of(rounded))
    for pair, said in (((one, two), "the second weights are the first"), ((two, one), "the first weights are the")):
        found = algatt.compare(*pair)
        assert found.equal
        assert found.comparison is not None
        assert found.comparison.precision == precision
        assert f"rounded to {name} ({precision} bits): " in found.reason
        assert found.reason.startswith(said)
    nearly = {n: W.copy() for n, W in rounded.items()}
    nearly["1.heads.V_1"][0, 0] *= 1 + 2.0 ** -(precision + 2)
    assert algatt.compare(two, written(tmp_path / "nearly", fields, Weights.of(nearly))).equal is False


def twins(arrays: dict[str, np.ndarray], share: float) -> dict[str, np.ndarray]:
    """Return tensors of a GPT-2 whose neurons 3 and 5 have the same inputs; the share of 3 in what they write."""
    new = {n: W.copy() for n, W in arrays.items()}
    for name in ("up", "b_up"):
        new[f"1.feedforward.{name}"][5] = new[f"1.feedforward.{name}"][3]
    both = new["1.feedforward.down"][:, 3] + new["1.feedforward.down"][:, 5]
    new["1.feedforward.down"][:, 3], new["1.feedforward.down"][:, 5] = share * both, (1 - share) * both
    return new


def test_neurons_with_the_same_inputs_are_merged(tmp_path: Path) -> None:
    """A sum of two equal numbers is the number times the sum of the weights, in a file with a neuron less, too."""
    arrays = {n: W.raw for n, W in point(GPT2).tensors.items()}
    first, second, whole = (Weights.of(twins(arrays, share)) for share in (0.25, -1.5, 1.0))
    fewer = {n: W.raw for n, W in whole.tensors.items()}
    for name, axis in (("up", 0), ("b_up", 0), ("down", 1)):
        fewer[f"1.feedforward.{name}"] = np.delete(fewer[f"1.feedforward.{name}"], 5, axis=axis)
    lost = {n: W.copy() for n, W in fewer.items()}
    lost["1.feedforward.down"][:, 3] *= 1.125
    less = {**GPT2, "n_inner": 7}
    one, two = written(tmp_path / "one", GPT2, first), written(tmp_path / "two", GPT2, second)
    three, four = (
        written(tmp_path / "three", less, Weights.of(fewer)),
        written(tmp_path / "four", less, Weights.of(lost)),
    )
    for other in (two, three):
        found = algatt.compare(one, other)
        assert (found.equal, found.lengths) == (True, (1, 16))
        assert "merged" in found.reason
    assert algatt.compare(one, four).equal is False


@pytest.mark.sample(0)
def test_a_stream_is_multiplied_with_the_root_of_its_epsilon(tmp_path: Path) -> None:
    """The norm of c x with c^2 eps is that of x with eps."""
    fields = {**LLAMA, "rms_norm_eps": 0.5, "tie_word_embeddings": False}
    theta = point(fields)
    writers = ("embedding.E", "1.heads.O_1", "1.heads.O_2", "1.feedforward.down")
    scaled = {n: W.raw * (4.0 if n in writers else 1.0) for n, W in theta.tensors.items()}
    one = written(tmp_path / "one", fields, theta)
    two = written(tmp_path / "two", {**fields, "rms_norm_eps": 8.0}, Weights.of(scaled))
    found = algatt.compare(one, two)
    assert (found.equal, found.lengths) == (True, (1, None))
    assert "the stream of the first is multiplied by 4" in found.reason
    three = written(tmp_path / "three", {**fields, "rms_norm_eps": 9.0}, Weights.of(scaled))
    assert algatt.compare(one, three).equal is False


def test_keys_that_two_tokens_do_not_tell_apart(tmp_path: Path) -> None:
    """Rows of keys that are orthogonal to all queries, as they are and turned by one token, are seen by a third."""
    fields = {**LLAMA, "hidden_size": 2, "num_attention_heads": 1, "head_dim": 6, "rope_theta": 9.0}
    theta = point(fields)
    Q, angles = theta["1.heads.Q_1"], 9.0 ** (-np.arange(3) / 3)
    c, s = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    seen = np.vstack([Q.T, Q.T @ np.block([[c, s], [-s, c]])])
    unseen = np.linalg.svd(seen)[2][4:].T
    arrays = {n: W.raw for n, W in theta.tensors.items()}
    other = Weights.of(arrays | {"1.heads.K_1": arrays["1.heads.K_1"] + 0.5 * unseen})
    np.testing.assert_allclose(values_of(fields, theta, [1, 2]), values_of(fields, other, [1, 2]), atol=1e-12)
    one, two = written(tmp_path / "1", fields, theta), written(tmp_path / "2", fields, other)
    found = algatt.compare(one, two)
    assert found.equal is False
    assert len(found.separating_input) > 2
    first, second = checkpoints.load(one), checkpoints.load(two)
    assert first.network.tokens == 7
    assert algatt.same_function(first.network, first.weights, second.weights).equal is False


def test_fewer_vectors_of_positions_are_compared(tmp_path: Path) -> None:
    longer = {**GPT2, "n_positions": 24}
    theta = point(longer)
    cut = Weights.of({n: W.raw[:16] if n == "position.P" else W.raw for n, W in theta.tensors.items()})
    one, two = written(tmp_path / "one", GPT2, cut), written(tmp_path / "two", longer, theta)
    for pair in ((one, two), (two, one)):
        found = algatt.compare(*pair)
        assert (found.equal, found.lengths) == (True, (1, 16))
        assert "16 vectors of positions are compared, which one of them has" in found.reason


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [2, 1])
def test_integers_of_moved_weights_are_another_function(seed: int) -> None:
    """No element fits, and equations for one overflow or lead astray: values far beyond rounding tell."""
    fields = {**LLAMA, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4}
    fields |= {"num_key_value_heads": 2, "vocab_size": 29}
    theta, net = point(fields), published.read(fields)
    arrays = {n: W.raw for n, W in checkpoints.move(net, theta, seed=seed).tensors.items()}
    scales = {n: np.abs(W).max(axis=1, keepdims=True) / 7 for n, W in arrays.items()}
    other = Weights.of({n: np.round(W / scales[n]) * scales[n] if W.shape[1] > 1 else W for n, W in arrays.items()})
    found = algatt.compare(*(checkpoints.Checkpoint(net, each, fields) for each in (theta, other)))
    assert found.equal is False
    X = found.separating_input
    assert np.abs(values_of(fields, theta, X) - values_of(fields, other, X)).max() > 0.1


def test_images_have_no_lengths(tmp_path: Path) -> None:
    fields = published.scaled(config("vit_base_patch16_224"))
    theta = algatt.sample(published.read(fields), Weights, field=Reals(), seed=1)
    assert isinstance(theta, Weights)
    one = checkpoints.Checkpoint(published.read(fields), theta, fields)
    found = algatt.compare(one, one)
    assert (found.equal, found.lengths) == (True, None)


def test_another_distance_of_positions_is_seen_by_longer_inputs() -> None:
    """Of few tokens all distances are in buckets of their own."""
    small = published.scaled(config("t5_small"))
    nets = [published.read({**small, "relative_attention_max_distance": most}) for most in (8, 12)]
    theta = algatt.sample(nets[0], Weights, field=Reals(), seed=1)
    assert isinstance(theta, Weights)
    fields = [{**small, "relative_attention_max_distance": most} for most in (8, 12)]
    found = algatt.compare(*(checkpoints.Checkpoint(net, theta, each) for net, each in zip(nets, fields, strict=True)))
    assert found.equal is False
    X = found.separating_input
    assert np.abs(values_of(fields[0], theta, X) - values_of(fields[1], theta, X)).max() > 1e-6
    assert found.hypothesis == "relative_attention_max_distance is 12 and not 8"


def test_pages_and_json_have_the_names_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theta = point(GPT2)
    arrays = {n: W.raw.copy() for n, W in theta.tensors.items()}
    arrays["1.feedforward.up"][2, 3] += 0.5
    one, two = written(tmp_path / "1", GPT2, theta), written(tmp_path / "2", GPT2, Weights.of(arrays))
    report = tmp_path / "report.html"
    assert main(["compare", one, two, "--json", "--report", str(report)]) == 1
    told = json.loads(capsys.readouterr().out)["comparison"]
    name = "transformer.h.0.mlp.c_fc.weight (1.feedforward.up)"
    assert told["broken"] == [name]
    assert any(name in space["tensors"] for space in told["spaces"])
    assert {space["name"].split()[2].split(".")[0] for space in told["spaces"]} == {"transformer"}
    assert name in report.read_text(encoding="utf-8")


def padded(fields: dict[str, Any], theta: Weights, more: int) -> tuple[dict[str, Any], Weights]:
    """Return a model with more tokens, as of padded vocabularies."""
    arrays = {n: W.raw for n, W in theta.tensors.items()}
    rows = {n: np.vstack([arrays[n], np.full((more, arrays[n].shape[1]), 0.25)]) for n in ("embedding.E",)}
    return {**fields, "vocab_size": fields["vocab_size"] + more}, Weights.of(arrays | rows)


def test_a_padded_vocabulary_is_compared_without_its_padding(tmp_path: Path) -> None:
    """Values of the tokens that both have are the same; one entry that is changed is seen."""
    theta = point(GPT2)
    fields, more = padded(GPT2, theta, 3)
    one, two = written(tmp_path / "one", GPT2, theta), written(tmp_path / "two", fields, more)
    X = [1, 2, 9]
    np.testing.assert_allclose(values_of(GPT2, theta, X), values_of(fields, more, X)[:10], atol=1e-12)
    for pair in ((one, two), (two, one)):
        found = algatt.compare(*pair)
        assert (found.equal, found.lengths) == (True, (1, 16))
        assert "the first 10 tokens and their values are compared, which both have" in found.reason
    arrays = {n: W.raw.copy() for n, W in more.tensors.items()}
    arrays["embedding.E"][4, 2] += 0.1
    assert algatt.compare(one, written(tmp_path / "three", fields, Weights.of(arrays))).equal is False


def test_checkpoints_of_other_families_are_told_apart_by_values(tmp_path: Path) -> None:
    fields = {**LLAMA, "vocab_size": 10}
    one, two = written(tmp_path / "one", GPT2, point(GPT2)), written(tmp_path / "two", fields, point(fields))
    found = algatt.compare(one, two)
    assert found.equal is False
    assert "the values differ at an input by" in found.reason
    assert "model_type is 'llama' and not 'gpt2'" in found.reason
    X = found.separating_input
    assert np.abs(values_of(GPT2, point(GPT2), X) - values_of(fields, point(fields), X)).max() > 0.01


@pytest.mark.sample(0)
def test_tied_and_untied_grouped_and_separate_keys_are_aligned(tmp_path: Path) -> None:
    """The second one is rewritten as the first, moved onto it, and written with the config of that."""
    tied = {**LLAMA, "num_key_value_heads": 1, "tie_word_embeddings": True}
    wide = {**LLAMA, "tie_word_embeddings": False}
    theta = point(tied)
    arrays = {n: W.raw for n, W in theta.tensors.items()}
    arrays |= {"unembedding.U": arrays["embedding.E"], "1.heads.K_2": arrays["1.heads.K_1"]}
    arrays |= {"1.heads.V_2": arrays["1.heads.V_1"]}
    net = published.read(wide)
    moved = checkpoints.move(net, Weights.of({n: arrays[n] for n in algatt.verbs.coordinates(net)}), seed=1)
    one, two = written(tmp_path / "one", wide, moved), written(tmp_path / "two", tied, theta)
    assert main(["align", one, two, "--starts", "2", "-o", str(tmp_path / "out")]) == 0
    found = algatt.align(one, two, starts=2)
    assert found.before > 1
    assert found.distance < 1e-5
    assert found.rewritten == ("the second is untied", "keys and values of the second are separated")
    assert algatt.compare(str(tmp_path / "out"), two).equal
    assert not checkpoints.load(tmp_path / "out").config["tie_word_embeddings"]
