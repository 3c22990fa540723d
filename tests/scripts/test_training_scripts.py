"""The scripts that learn teachers from samples and that measure distances from singular points along training."""

from __future__ import annotations

import json

import numpy as np
import pytest

import algatt


def test_from_the_dimension_on_students_are_the_teacher(script, monkeypatch, capsys):
    samples = script("samples_threshold")
    monkeypatch.setattr(samples, "OFFSETS", (-1, 2))
    assert samples.main(["--only", "lightning 2, 1", "--seeds", "2", "--json"]) == 0
    below, above = json.loads(capsys.readouterr().out)
    assert (below["dimension"], below["parameters"], below["samples"]) == (5, 10, 4)
    assert below["fit"] > 0 == below["found"]
    assert above["found"] > 0


@pytest.mark.parametrize("kind", ["lightning", "softmax"])
def test_the_gradients_are_differences(script, kind):
    training = script("singular_points_in_training")
    generator = np.random.default_rng(0)
    weights = training.random_weights(generator, 1, 0.7)
    X = generator.standard_normal((1, 5, training.WIDTH, training.TOKENS))
    target = generator.standard_normal((1, 5, training.VALUES, training.TOKENS))

    def loss(moved):
        return ((training.forward(kind, moved, X)[0] - target) ** 2).sum(axis=(2, 3)).mean() / 2

    slopes, _ = training.gradients(kind, weights, X, target)
    for index in range(3):
        direction = generator.standard_normal(weights[index].shape)
        ahead, behind = (
            [w + step * direction if i == index else w for i, w in enumerate(weights)] for step in (1e-5, -1e-5)
        )
        assert (slopes[index] * direction).sum() == pytest.approx((loss(ahead) - loss(behind)) / 2e-5, rel=1e-6)


def test_distances_are_those_of_the_package(script):
    training = script("singular_points_in_training")
    arch = algatt.Lightning((training.WIDTH, training.VALUES), (training.RANK,), training.TOKENS)
    Q, K, V = (matrix[0] for matrix in training.random_weights(np.random.default_rng(3), 1, 1.0))
    A = K.T @ Q
    theta = algatt.AttentionMatrix.of([(A / np.linalg.norm(A), V / np.linalg.norm(V))])
    found = {name: values[0] for name, values in training.distances((Q[None], K[None], V[None])).items()}
    singular = min(found["crossings"], found["rank"], 1.0)
    assert algatt.geometry.singular_distance(arch, theta).value == pytest.approx(singular, rel=1e-9)
    assert algatt.geometry.boundary_distance(arch, theta).value == pytest.approx(min(found["boundary"], 1.0), rel=1e-9)


@pytest.mark.sample(0)
def test_a_short_run(script, tmp_path, capsys):
    training = script("singular_points_in_training")
    assert training.main(["--seeds", "3", "--steps", "20", "--json", "-o", str(tmp_path)]) == 0
    courses = json.loads(capsys.readouterr().out)
    assert [(course["kind"], course["start"]) for course in courses][:2] == [
        ("lightning", "small"),
        ("lightning", "large"),
    ]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", ["samples_threshold", "singular_points_in_training"])
def test_bad_arguments_are_told_in_one_line(script, name, capsys, tmp_path):
    with pytest.raises(SystemExit) as caught:
        script(name).main(["--colour"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert script(name).main(["-o", str(tmp_path / "missing")]) == 2
    assert "cannot write" in capsys.readouterr().err
