"""Conserved quantities of checkpoints: those of matrices and numbers, at any size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import checkpoints
from algatt.architectures.base import draw_inputs
from algatt.checkpoints import Checkpoint
from algatt.cli.main import main
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.geometry.training.large import large_quantities
from algatt.maps import pull_back
from algatt.published.known import CONFIGS
from training_networks import NETWORKS
from written_checkpoints import GPT2, LLAMA, gpt2, llama

R = Reals()

MODELS = sorted(path.stem for path in CONFIGS.glob("*.json"))


def scaled(model: str) -> algatt.Network:
    config = json.loads((CONFIGS / f"{model}.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.read(algatt.published.scaled(config))


@pytest.mark.parametrize("name", ["one head", "two heads", "relu", "gated", "block", "layer norm", "llama", "gpt2"])
def test_each_matrix_holds_the_laws_of_its_name(name: str) -> None:
    """The laws come from the equations of motions, entry by entry, and are proven."""
    configs = {"llama": LLAMA, "gpt2": GPT2}
    net = algatt.published.read(configs[name]) if name in configs else NETWORKS[name]
    theta = algatt.sample(net, algatt.Weights, field=R, seed=1)
    tensors = {key: one.raw for key, one in theta.tensors.items()}
    found = {one.name: one for one in large_quantities(net)}
    laws = algatt.conservation_laws(net, complete=False).laws
    compared = 0
    for law in laws:
        if law.quantity in found and law.entry is not None:
            value, traces = found[law.quantity].value(tensors), found[law.quantity].parts
            place: Any = law.entry if found[law.quantity].whole else law.entry[0]
            place = traces.index(law.entry) if traces else place
            assert law(theta) == pytest.approx(float(value[place]), rel=1e-12, abs=1e-12)
            compared += 1
    assert compared == sum(
        len(one.parts or ()) or (lambda n: n * (n + 1) // 2 if one.whole else n)(len(one.value(tensors)))
        for one in found.values()
    )


@pytest.mark.sample(8)
@pytest.mark.parametrize("model", MODELS)
def test_gradients_do_not_move_them(model: str) -> None:
    """All published models at small sizes: the derivatives along the gradient of a random loss. They are of degree
    two, so that a central difference is the derivative.
    """
    net = scaled(model)
    theta = algatt.sample(net, algatt.Weights, field=R, seed=2)
    X = Elements(R, draw_inputs(net, R, 0, 0, 3))
    slopes = Elements(R, np.random.default_rng(0).normal(size=(3, *net.output_shape)))
    x, g = algatt.flatten(theta), pull_back(net, theta, X, slopes).raw.sum(axis=0)
    g *= np.linalg.norm(x) / np.linalg.norm(g)
    ends = [
        {name: one.raw for name, one in algatt.unflatten(net, algatt.Weights, x + sign * g).tensors.items()}
        for sign in (1, -1)
    ]
    found = large_quantities(net)
    assert found
    for one in found:
        ahead, behind = (one.value(tensors) for tensors in ends)
        assert np.linalg.norm(ahead - behind) <= 1e-9 * (one.size(ends[0]) + one.size(ends[1])), one.name


def trained(net: algatt.Network, theta: algatt.Weights, rate: float, steps: int) -> algatt.Weights:
    """Steps of gradient descent to values that are zero."""
    X = Elements(R, draw_inputs(net, R, 0, 0, 4))
    for _ in range(steps):
        g = pull_back(net, theta, X, algatt.verbs.evaluate(net, theta, X)).raw.sum(axis=0)
        theta = algatt.unflatten(net, algatt.Weights, algatt.flatten(theta) - rate * g / np.linalg.norm(g))
    return theta


def test_a_run_and_another_run() -> None:
    net = algatt.published.read(LLAMA)
    start, other = (algatt.sample(net, algatt.Weights, field=R, seed=seed) for seed in (0, 1))
    one, two, three = (Checkpoint(net, theta) for theta in (start, trained(net, start, 0.05, 20), other))
    along, apart = checkpoints.drift(one, two), checkpoints.drift(one, two, three)
    assert along.moved[1] > 0.01
    assert along.largest < 0.1 * along.moved[1]
    assert apart.largest > 0.3
    assert [len(changes) for changes in apart.quantities.values()] == [3] * 11
    assert apart.kinds["*.heads.V_* *.heads.V_*^T - *.heads.O_*^T *.heads.O_* - *.heads.O_*^T *.heads.O_*"][0] == 2
    assert apart.to_dict()["moved"][1] == along.moved[1]


def write(folder: Path, config: dict[str, Any], tensors: dict[str, np.ndarray]) -> str:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    checkpoints.write_safetensors(folder / "model.safetensors", tensors)
    return str(folder)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (write(tmp_path / f"{seed}", LLAMA, llama(seed)) for seed in (0, 1))
    assert main(["drift", one, one, other, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["moved"][:2] == [0, 0]
    assert found["moved"][2] == pytest.approx(2**0.5, rel=0.1)  # two random vectors of one length
    assert found["largest"] > 0.5
    assert len(found["quantities"]) == 11
    assert main(["drift", one, other]) == 0
    printed = capsys.readouterr().out
    assert "largest relative change of a conserved quantity" in printed
    assert "(numerical)" in printed


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = write(tmp_path / "one", LLAMA, llama()), write(tmp_path / "other", GPT2, gpt2())
    for arguments, told in (
        ([one, other], "checkpoints[1] was a checkpoint of another network: model_type is 'gpt2' and not 'llama'"),
        ([one, str(tmp_path / "absent")], "absent"),
        ([one], "required: OTHER"),
    ):
        assert main(["drift", *arguments]) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert told in err
    with pytest.raises(InvalidArgument, match="checkpoints was 1 of them; it should be at least two"):
        checkpoints.drift(one)
