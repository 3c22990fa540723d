"""The names that weights of flows had until version 0.2: in programs, files and pickles they are the new nouns.

The files were written by the code before flows took the scores of networks: `integrate` from ``random_tokens(4, 3,
seed=7)`` up to t = 0.5, three states, heads of all kinds, beta 1.5.
"""

import json
import pickle
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import algatt
from algatt.dynamics import (
    FlatFlow,
    MatrixHead,
    ProjectorHead,
    ScalarHead,
    SphereFlow,
    load_trajectory,
    random_tokens,
    statements,
)
from algatt.dynamics import attention as old
from algatt.layers import Exponential, ReLU, Unnormalized

FILES = Path(__file__).parent / "old_files"

NOUNS = {
    "ExponentialWeights": Unnormalized(Exponential()),
    "SoftmaxWeights": Exponential(),
    "ReLUWeights": Unnormalized(ReLU()),
}

SAID = {
    "ExponentialWeights": "algatt.layers.Unnormalized(algatt.layers.Exponential())",
    "SoftmaxWeights": "algatt.layers.Exponential()",
    "ReLUWeights": "algatt.layers.Unnormalized(algatt.layers.ReLU())",
}

X = random_tokens(4, 3, seed=7)


@pytest.mark.parametrize("name", NOUNS)
@pytest.mark.parametrize("module", [algatt, algatt.dynamics], ids=["algatt", "dynamics"])
def test_an_old_name_makes_the_new_noun(module, name):
    message = f"^{module.__name__}.{name} is {re.escape(SAID[name])} now; the old name goes in version 0.4$"
    with pytest.warns(DeprecationWarning, match=message) as told:
        made = getattr(module, name)()
    assert len(told) == 1
    assert told[0].filename == __file__
    assert made == NOUNS[name]
    one, two = (SphereFlow((ScalarHead(1.0), ScalarHead(0.5)), weights, 2.0) for weights in (made, NOUNS[name]))
    assert one == two
    np.testing.assert_array_equal(algatt.dynamics.velocity(one, X), algatt.dynamics.velocity(two, X))


def test_an_old_name_is_the_class_of_what_it_makes():
    for name, noun in NOUNS.items():
        for other in NOUNS:
            assert isinstance(noun, getattr(old, other)) == (name == other)
        assert isinstance(noun, old.AttentionWeights)
        assert not isinstance(name, getattr(old, name))


@pytest.mark.parametrize(
    ("file", "name"), [("exponential", "ExponentialWeights"), ("softmax", "SoftmaxWeights"), ("relu", "ReLUWeights")]
)
def test_an_old_file_is_read_and_has_the_numbers_of_today(file, name, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = load_trajectory(FILES / f"{file}.npz")
    M = np.array([[1.0, 0.5, 0.0], [0.5, -1.0, 0.25], [0.0, 0.25, 0.5]])
    heads = (ScalarHead(1.0), ProjectorHead(np.eye(3)[:, :2], 0.5), MatrixHead(M + np.triu(M), M @ M))
    assert run.flow == SphereFlow(heads, NOUNS[name], 1.5)
    for state, energies, shadows, margins, entropies in zip(
        run.states, run.energies, run.shadows, run.margins, run.entropies, strict=True
    ):
        tokens = algatt.dynamics.normalised(state)
        assert np.allclose(algatt.dynamics.energy(run.flow, tokens), energies, rtol=1e-13)
        assert np.allclose(algatt.dynamics.radial_shadow(run.flow, tokens), shadows, rtol=1e-11, atol=1e-13)
        assert np.allclose(algatt.dynamics.radial_dominance(run.flow, tokens), margins, rtol=1e-11, atol=1e-13)
        assert np.allclose(algatt.dynamics.entropy(run.flow, tokens), entropies, rtol=1e-13)
    again = algatt.dynamics.integrate(run.flow, X, until=0.5, samples=3)
    assert np.allclose(again.states, run.states, atol=1e-9)
    assert json.loads(json.dumps(run.to_dict()))["flow"]["weights"] == {"name": name}
    # what is written today can be read by the versions that wrote the old file
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as new, np.load(FILES / f"{file}.npz") as before:
        assert set(new) - {"method_names", "method_times"} == set(before)  # which are new
        for key in before:
            assert new[key].dtype == before[key].dtype
            np.testing.assert_array_equal(new[key], before[key])


@pytest.mark.parametrize("name", NOUNS)
def test_an_old_pickle_is_read(name):
    assert pickle.loads(b"\x80\x02calgatt.dynamics.attention\n" + name.encode() + b"\nq\x00)\x81q\x01.") == NOUNS[name]


# ----- weights of one's own, as they were made until version 0.2


@dataclass(frozen=True)
class SquareWeights(old.AttentionWeights):
    """The weights (beta s)^2."""


@dataclass(frozen=True)
class ShiftedSoftmax(old.AttentionWeights):
    """Softmax, which does not see the shift."""

    normalised: ClassVar[bool] = True


@algatt.dynamics.weigh.method
def weigh_by_squares(weights: SquareWeights, scores: np.ndarray) -> float:
    np.square(scores, out=scores)
    return 1.0


@algatt.dynamics.potential.method
def potential_of_squares(weights: SquareWeights, scores: np.ndarray) -> np.ndarray:
    return (scores**3 / 3).sum(axis=1)


@algatt.dynamics.weigh.method
def weigh_by_shifted_softmax(weights: ShiftedSoftmax, scores: np.ndarray) -> np.ndarray:
    np.exp(scores - 1, out=scores)
    return 1.0 / scores.sum(axis=1)


@algatt.dynamics.potential.method
def potential_of_shifted_softmax(weights: ShiftedSoftmax, scores: np.ndarray) -> np.ndarray:
    return np.exp(scores).sum(axis=1)


def test_weights_of_ones_own_go_on_working(tmp_path):
    flow = SphereFlow((ScalarHead(1.0), ScalarHead(0.5)), SquareWeights(), 0.8)
    assert statements.check_energy_rate(flow, X).verdict == "holds"
    assert statements.check_total_energy_rate(flow, X).verdict == "holds"
    run = algatt.dynamics.integrate(flow, X, until=0.1)
    run.save(tmp_path / "run.npz")
    assert load_trajectory(tmp_path / "run.npz").flow == flow
    assert run.to_dict()["flow"]["weights"] == {"name": "SquareWeights"}


def test_normalised_weights_of_ones_own_are_softmax_in_the_energy():
    head = MatrixHead.examples()[1]
    own, softmax = (FlatFlow((head,), weights, 0.8) for weights in (ShiftedSoftmax(), Exponential()))
    for verb in (algatt.dynamics.velocity, algatt.dynamics.energy_gradient, algatt.dynamics.entropy_rate):
        assert np.allclose(verb(own, X), verb(softmax, X), rtol=1e-12)
