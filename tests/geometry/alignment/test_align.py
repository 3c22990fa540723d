"""The nearest point of an orbit: planted elements are found, functions stay, and distances never rise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import checkpoints
from algatt.cli.main import main
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.geometry.alignment import points, search
from algatt.geometry.alignment.problem import OrbitPoint, Problem
from algatt.geometry.alignment.refinement import OrbitTangents, elements_of
from algatt.geometry.alignment.search import descend
from algatt.geometry.alignment.unknowns import blocks_of
from algatt.geometry.equality.large.balanced_form import matrices_of
from algatt.layers import LayerNorm, Linear, Residual
from algatt.layers.lengths import tokens_to_reach
from algatt.published.known import CONFIGS

MODELS = CONFIGS


def config(name: str) -> dict[str, Any]:
    fields = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.scaled(fields)


def network(name: str) -> algatt.Network:
    return algatt.published.read(config(name), tokens=None if name.startswith("vit") else 2)


def drawn(net: Any, seed: int = 1) -> algatt.Weights:
    return algatt.sample(net, algatt.Weights, field=Reals(), seed=seed)


def with_noise(theta: algatt.Weights, share: float) -> algatt.Weights:
    draw = np.random.default_rng(0)
    return theta.replace(
        [
            Elements(one.field, one.raw + share * np.sqrt(np.mean(one.raw**2)) * draw.normal(size=one.raw.shape))
            for one in theta.elements
        ]
    )


def values(net: Any, theta: algatt.Weights) -> np.ndarray:
    inputs = algatt.sample_inputs(net, field=Reals(), seed=7, count=2)
    found: np.ndarray = np.asarray(algatt.evaluate(net, theta, inputs))
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["gpt2", "llama_3_1_8b", "vit_base_patch16_224", "qwen2_0_5b"])
def test_a_copy_that_was_moved_is_brought_back(name: str) -> None:
    net = network(name)
    theta = drawn(net)
    found = algatt.align(net, theta, checkpoints.move(net, theta, seed=2), starts=2)
    assert found.distance < 1e-9 < 1 < found.before
    assert found.change < 1e-9


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["bert_base_uncased", "deepseek_v2", "mamba_130m", "smollm2_135m"])
def test_a_noisy_copy_comes_as_near_as_from_the_planted_element(name: str) -> None:
    net = network(name)
    theta = drawn(net)
    noisy = with_noise(theta, 0.01)
    moved = checkpoints.move(net, noisy, seed=3)
    problem = Problem(net, theta, tokens_to_reach(net.layers) <= net.tokens)
    planted = descend(OrbitPoint(problem, noisy))
    found = algatt.align(net, theta, moved, starts=2)
    assert planted.distance < problem.distance(noisy)
    assert found.distance <= planted.distance * (1 + 1e-6)
    before, after = values(net, moved), values(net, found.weights)
    np.testing.assert_allclose(after, before, atol=1e-9 * np.abs(before).max())
    acted = algatt.act(found.element, moved)
    for one, other in zip(acted.elements, found.weights.elements, strict=True):
        np.testing.assert_allclose(one.raw, other.raw, atol=1e-9)


def test_lightning_attention() -> None:
    arch = algatt.Lightning((3, 3, 3), (2, 2), 3)
    theta = drawn(arch)
    moved = theta
    for number, family in enumerate(algatt.symmetries(arch)):
        moved = algatt.act(family.element(moved, number), moved)
    found = algatt.align(arch, theta, moved)
    assert found.distance < 1e-9 * found.before


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_distance_of_other_functions_falls(seed: int) -> None:
    net = network("gemma_2b")
    first, second = drawn(net, seed), drawn(net, seed + 10)
    found = algatt.align(net, first, second, starts=3)
    pairs = zip(first.elements, second.elements, strict=True)
    assert found.before == pytest.approx(np.sqrt(sum(np.sum((a.raw - b.raw) ** 2) for a, b in pairs)))
    assert found.distance < found.before
    assert found.distance == pytest.approx(np.sqrt(sum(one**2 for one in found.distances.values())))
    assert found.distance <= min(found.starts.values()) + 1e-12
    assert found.change < 1e-9


def test_a_point_that_is_the_target_stays() -> None:
    net = network("gemma_2b")
    theta = drawn(net)
    found = algatt.align(net, theta, theta)
    assert found.before == found.distance == 0
    assert found.weights == theta


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["gpt2", "smollm2_135m", "vit_base_patch16_224"])
def test_tangents_are_derivatives_of_the_elements(name: str) -> None:
    net = network(name)
    theta = drawn(net)
    position = OrbitPoint(Problem(net, drawn(net, 2), True), theta)
    blocks = [block for block in blocks_of(position, position.problem.frame(theta)) if block.size]
    step = 1e-6
    for number, block in enumerate(blocks):
        tangents = OrbitTangents([block], matrices_of(theta))
        p = np.random.default_rng(number).normal(size=block.size)
        ends = [matrices_of(position.moved(elements_of(position, [block], [s * step * p])).theta) for s in (1, -1)]
        slopes = np.concatenate([((ends[0][one] - ends[1][one]) / (2 * step)).ravel() for one in ends[0]])
        expected = tangents.forward(p / tangents.scales[0])
        np.testing.assert_allclose(slopes, expected, atol=1e-7 * max(1.0, np.abs(expected).max()))
        vector = np.random.default_rng(number).normal(size=len(slopes))
        assert vector @ tangents.forward(p) == pytest.approx(tangents.adjoint(vector) @ p)


def test_a_large_network_is_solved_without_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("smollm2_135m")
    theta = drawn(net)
    noisy = with_noise(theta, 0.01)
    problem = Problem(net, theta, True)
    expected = descend(OrbitPoint(problem, noisy)).distance
    monkeypatch.setattr("algatt.geometry.alignment.refinement.DENSE", 0)
    assert descend(OrbitPoint(problem, noisy)).distance == pytest.approx(expected, rel=1e-7)


def without_a_gain(theta: algatt.Weights) -> tuple[algatt.Weights, float]:
    """Return weights with one entry of each gain zero, and how far they are from those with all."""
    arrays = {name: one.raw.copy() for name, one in theta.tensors.items()}
    gains = [name for name in arrays if name.endswith(".g")]
    distance = float(np.sqrt(sum(arrays[name].ravel()[1] ** 2 for name in gains)))
    for name in gains:
        arrays[name][1] = 0.0
    return theta.replace([Elements(Reals(), raw) for raw in arrays.values()]), distance


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["gpt2", "smollm2_135m", "vit_base_patch16_224"])
def test_zeros_in_gains_are_brought_back_with_all_else(name: str) -> None:
    """The point before it was moved is as far away as the entries that became zero."""
    net = network(name)
    theta = drawn(net)
    pruned, distance = without_a_gain(theta)
    whole, moved = (checkpoints.move(net, one, seed=2) for one in (theta, pruned))
    assert algatt.same_function(net, pruned, moved).equal
    assert not algatt.same_function(net, theta, moved).equal
    for target, point, planted in ((theta, moved, distance), (pruned, whole, distance), (pruned, moved, 0.0)):
        found = algatt.align(net, target, point, starts=2)
        assert found.distance <= planted * (1 + 1e-9) + 1e-9 < 2.2 < found.before
        assert found.change < 1e-9
        assert not found.refused
        before, after = values(net, point), values(net, found.weights)
        np.testing.assert_allclose(after, before, atol=1e-9 * np.abs(before).max())


def test_a_gain_of_zeros_hides_all_that_reads_it() -> None:
    net = network("smollm2_135m")
    theta = drawn(net)
    gain = next(name for name in theta.tensors if name.endswith(".g"))
    zero = theta.replace([Elements(one.field, 0 * one.raw) if n == gain else one for n, one in theta.tensors.items()])
    found = algatt.align(net, theta, checkpoints.move(net, zero, seed=1), starts=2)
    assert found.distance <= np.linalg.norm(theta[gain]) * (1 + 1e-9)
    assert not found.left


def test_zeros_that_no_shift_makes_1_leave_the_point_as_it_is() -> None:
    """The bias beside the gain is seen: nothing else is added where the product is."""
    net = algatt.Network(Residual(LayerNorm() >> Linear(3, bias=False)), tokens=2, width=3)
    theta = drawn(net)
    pruned, _ = without_a_gain(theta)
    found = algatt.align(net, theta, pruned, starts=4)
    assert found.distance <= found.before
    assert found.change < 1e-9


def test_what_cannot_be_aligned() -> None:
    net = network("gemma_2b")
    theta = drawn(net)
    nan = theta.replace([Elements(one.field, np.nan * one.raw) for one in theta.elements])
    for second, message in (
        (drawn(network("qwen2_0_5b")), "theta"),
        (algatt.sample(net, algatt.Weights, seed=1), "over"),
        (nan, "finite"),
        (3, "Weights"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            algatt.align(net, theta, second)  # type: ignore[call-overload]
    with pytest.raises(InvalidArgument, match="starts"):
        algatt.align(net, theta, theta, starts=0)
    with pytest.raises(InvalidArgument, match="two checkpoints"):
        algatt.align(net)  # type: ignore[call-overload]


def test_what_changes_the_function_is_not_taken_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("gemma_2b")
    theta, other = drawn(net), drawn(net, 2)
    best = algatt.align(net, theta, other, starts=2).distance

    def wrong(position: OrbitPoint) -> OrbitPoint:
        return OrbitPoint(position.problem, with_noise(theta, 1e-4), position.elements)

    monkeypatch.setattr(search, "matched", wrong)
    found = algatt.align(net, theta, other, starts=3)
    assert found.refused["the element of a comparison"] > 1e-6
    assert list(found.starts) == ["the weights as they are", "balanced forms"]
    assert found.distance < found.before
    assert found.change < 1e-9
    assert "not taken" in str(found)
    assert "the element of a comparison" in str(found)
    assert found.to_dict()["refused"] == [{"name": name, "change": change} for name, change in found.refused.items()]
    monkeypatch.setattr(points, "descend", lambda position, *_: wrong(position))
    found = algatt.align(net, theta, other, starts=2)
    assert best < found.distance == found.before
    assert found.weights == other
    assert set(found.refused) == {"the weights as they are", "the element of a comparison", "the last steps"}


@pytest.mark.sample(0)
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = config("smollm2_135m")
    net = algatt.published.read(fields)
    theta = drawn(net)
    moved = checkpoints.move(net, theta, seed=1)
    for name, point in (("one", theta), ("two", moved)):
        checkpoints.save(tmp_path / name, checkpoints.Checkpoint(net, point, fields))
    paths = [str(tmp_path / name) for name in ("one", "two", "three")]
    assert main(["align", *paths[:2], "-o", paths[2], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["distance"] < 1e-4 * printed["before"]
    told = {one["name"]: one for one in printed["tensors"]}["embedding.E"]
    assert told["source"] == "model.embed_tokens.weight"
    assert told["size"] == pytest.approx(np.linalg.norm(theta["embedding.E"]), rel=1e-6)
    assert main(["align", *paths[:2], "--starts", "1"]) == 0
    assert "% of the size of model." in capsys.readouterr().out
    assert algatt.align(paths[0], paths[2], starts=1).before < 1e-4 * printed["before"]
    pruned, distance = without_a_gain(theta)
    checkpoints.save(tmp_path / "pruned", checkpoints.Checkpoint(net, checkpoints.move(net, pruned, seed=3), fields))
    assert main(["align", paths[0], str(tmp_path / "pruned"), "-o", str(tmp_path / "back"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["distance"] < distance * (1 + 1e-3)
    assert printed["refused"] == []
    assert algatt.compare(tmp_path / "pruned", tmp_path / "back").equal
    other = tmp_path / "other"
    fields = config("gemma_2b")
    net = algatt.published.read(fields)
    checkpoints.save(other, checkpoints.Checkpoint(net, drawn(net), fields))
    assert main(["align", paths[0], str(other)]) == 2
    assert "another network" in capsys.readouterr().err


def test_what_takes_too_long_is_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPT-2 has 124,439,808 parameters; no point of it is made here."""
    fields = json.loads((MODELS / "gpt2.json").read_text(encoding="utf-8"))["config"]
    with pytest.raises(InvalidArgument, match=r"of 124,439,808 parameters: 4 starts take up to [\d,]+ hours and 13"):
        points.check_work(algatt.published.read(fields), 4)
    points.check_work(network("gpt2"), 4)
    monkeypatch.setattr(points, "MOST_HOURS", 0)
    with pytest.raises(InvalidArgument, match="fewer starts"):
        algatt.align(network("gpt2"), drawn(network("gpt2")), drawn(network("gpt2")))
