"""Two checkpoints of which one was rewritten, rounded or padded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights, checkpoints, published
from algatt.cli.main import main
from algatt.geometry.equality.large.half_precision import rounded_to
from compared_checkpoints import GPT2, LLAMA, point, values_of, written


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


def dead(fields: dict[str, Any], theta: Weights, silent: bool) -> dict[str, np.ndarray]:
    """Return tensors in which nothing reads neuron 2, or it is zero at all inputs."""
    arrays = {n: W.raw.copy() for n, W in theta.tensors.items()}
    gone = ("up", "b_up") if silent else ("down",)
    for name in (f"1.feedforward.{each}" for each in gone if f"1.feedforward.{each}" in arrays):
        (arrays[name].T if name.endswith("down") else arrays[name])[2] = 0
    return arrays


@pytest.mark.sample(2)
@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize(("fields", "size"), [(GPT2, "n_inner"), (LLAMA, "intermediate_size")])
def test_neurons_without_effect_are_zero(fields: dict[str, Any], size: str, silent: bool, tmp_path: Path) -> None:
    """In a file that was moved they are other numbers, or are not there at all."""
    arrays = dead(fields, point(fields), silent)
    other = {n: W.copy() for n, W in arrays.items()}
    free = ("down",) if silent else ("up", "gate", "b_up")
    for name in (f"1.feedforward.{each}" for each in free if f"1.feedforward.{each}" in arrays):
        (other[name].T if name.endswith("down") else other[name])[2] += 3.0
    fewer = {
        n: np.delete(W, 2, axis=int(n.endswith("down"))) if "feedforward" in n and "b_down" not in n else W
        for n, W in arrays.items()
    }
    less = {**fields, size: arrays["1.feedforward.up"].shape[0] - 1}
    one = written(tmp_path / "one", fields, Weights.of(arrays))
    for name, its, tensors in (("other", fields, other), ("fewer", less, fewer)):
        moved = checkpoints.move(published.read(its), Weights.of(tensors), seed=3)
        assert algatt.compare(one, written(tmp_path / name, its, moved)).equal
        changed = {n: W.raw.copy() for n, W in moved.tensors.items()}
        changed["1.feedforward.down"][0, 0] += 0.125
        assert algatt.compare(one, written(tmp_path / f"{name}_changed", its, Weights.of(changed))).equal is False


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


def test_pages_and_json_have_the_names_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of a tensor is another, so that an element is looked for in which spaces have names."""
    theta = point(GPT2)
    arrays = {n: W.raw.copy() for n, W in theta.tensors.items()}
    arrays["1.feedforward.up"] += np.cos(np.arange(arrays["1.feedforward.up"].size)).reshape(-1, 8)
    one, two = written(tmp_path / "1", GPT2, theta), written(tmp_path / "2", GPT2, Weights.of(arrays))
    report = tmp_path / "report.html"
    assert main(["compare", one, two, "--json", "--report", str(report)]) == 1
    told = json.loads(capsys.readouterr().out)["comparison"]
    name = "transformer.h.0.mlp.c_fc.weight (1.feedforward.up)"
    assert name in told["broken"]
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


@pytest.mark.parametrize(("fields", "tensor"), [(GPT2, "up"), (LLAMA, "gate"), (LLAMA, "up")])
def test_a_row_of_a_matrix_is_measured_beside_itself(fields: dict[str, Any], tensor: str, tmp_path: Path) -> None:
    """Beside the largest entry of its matrix rounding would explain all of it."""
    arrays = {n: W.raw.copy() for n, W in point(fields).tensors.items()}
    row = arrays[f"1.feedforward.{tensor}"][2]
    row *= 1e-8
    one = written(tmp_path / "one", fields, Weights.of(arrays))
    theta, net = Weights.of({n: W.copy() for n, W in arrays.items()}), published.read(fields)
    row[:] = row[::-1]
    other = Weights.of(arrays)
    assert algatt.compare(one, written(tmp_path / "two", fields, other)).equal is not True
    if fields is LLAMA:  # no row is added to it, of which float32 would lose it
        same, changed = (checkpoints.move(net, each, seed=3) for each in (theta, other))
        assert algatt.compare(one, written(tmp_path / "same", fields, same)).equal
        assert algatt.compare(one, written(tmp_path / "changed", fields, changed)).equal is not True
