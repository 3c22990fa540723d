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
from algatt.layers import Embedding, EncoderDecoder, LearnedPosition, RelativeBias, Residual
from algatt.layers.lengths import longest
from compared_checkpoints import GPT2, LLAMA, dynamic, longrope, point, values_of, written
from configs import config


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


def test_what_was_loaded_is_compared_as_its_file_is(tmp_path: Path) -> None:
    """Of all lengths, though what was loaded has a network of one."""
    theta = point(dynamic(2.0))
    one, two = (written(tmp_path / f"{factor}", dynamic(factor), theta) for factor in (2.0, 4.0))
    same, other = (algatt.compare(algatt.load(one, tokens=2), algatt.load(path, tokens=2)) for path in (one, two))
    assert (same.equal, same.lengths) == (True, (1, None))
    assert (other.equal, other.lengths) == (False, (1, 6))
    assert algatt.align(*[algatt.load(one, tokens=2)] * 2).distance == 0


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
    assert "transformer.h.0.mlp.c_fc.weight (1.feedforward.up) would still differ" in found.reason
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
