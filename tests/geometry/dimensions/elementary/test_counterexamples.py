"""Networks for which residues cannot stand for the functions: the check says so, and without it ranks are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import algatt
from algatt import Balls, Elementary, verbs
from algatt.architectures.network import program as program_of
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Erf, Log
from algatt.geometry.dimensions import ball_bounds
from algatt.geometry.dimensions.elementary import dimension as module
from algatt.geometry.dimensions.elementary import dimension as places
from algatt.layers import Embedding, Feedforward, LayerNorm, ReLU, Residual, RMSNorm, Unembedding
from algatt.maps.elementary.conditions import Conditions
from written_networks import written


def squares_and_one(u: Any) -> Any:
    """Return positive functions."""
    return u * u + 1


def opposite_exponents(w: Any, X: Any) -> Any:
    """(B + C) (e^u + 1), with e^-u = 1 / e^u found by other code."""
    left, right = (w.A @ X).exp(), (-w.A @ X).exp()
    return w.B * left * (1 + right) + w.C * (left + 1)


def double_exponent(w: Any, X: Any) -> Any:
    """(B + C) e^2u."""
    left, right = (w.A @ X).exp(), ((2 * w.A) @ X).exp()
    return w.B * left * left + w.C * right


def same_exponent_twice(w: Any, X: Any) -> Any:
    """(B + C) e^u."""
    return w.B * (w.A @ X).exp() + w.C * (X.T @ w.A.T).T.exp()


def sum_of_exponents(w: Any, X: Any) -> Any:
    """(B + C) e^(u + v), where only A + D is seen."""
    u, v = w.A @ X, w.D @ X
    return w.B * u.exp() * v.exp() + w.C * ((w.A + w.D) @ X).exp()


def half_of_an_exponent(w: Any, X: Any) -> Any:
    """(B + C) e^u."""
    half = ((w.A @ X) * Fraction(1, 2)).exp()
    return w.B * half * half + w.C * (X.T @ w.A.T).T.exp()


def multiples_of_an_exponent(w: Any, X: Any) -> Any:
    """(B + C) e^9u."""
    u = w.A @ X
    return w.B * (3 * u).exp() * (6 * u).exp() + w.C * (X.T @ w.A.T).T.exp() ** 9


def exponent_of_a_shift(w: Any, X: Any) -> Any:
    """(B e^D + C) e^u."""
    u = w.A @ X
    return w.B * (u + w.D).exp() + w.C * u.exp()


def root_of_a_square(w: Any, X: Any) -> Any:
    """(B + C) v."""
    v = squares_and_one(w.A @ X)
    return w.B * v + w.C * (v * v).sqrt()


def roots_of_a_product(w: Any, X: Any) -> Any:
    """(B + C) v sqrt(u), with sqrt(u v^2) = v sqrt(u)."""
    u, v = squares_and_one(w.A @ X), squares_and_one(w.D @ X)
    return w.B * u.sqrt() * v + w.C * (u * v * v).sqrt()


def root_of_a_product_of_others(w: Any, X: Any) -> Any:
    """(B + C) sqrt(u) sqrt(v)."""
    u, v = squares_and_one(w.A @ X), squares_and_one(w.D @ X)
    return w.B * u.sqrt() * v.sqrt() + w.C * (u * v).sqrt()


def root_of_an_exponential(w: Any, X: Any) -> Any:
    """(B + C) e^u."""
    u = w.A @ X
    return w.B * (u + u).exp().sqrt() + w.C * u.exp()


def root_of_a_weight_times_a_square(w: Any, X: Any) -> Any:
    """(B + C) sqrt(D^2 + 1) v."""
    v = squares_and_one(w.A @ X)
    return (w.B + w.C) * (squares_and_one(w.D) * v * v).sqrt()


def exponential_of_a_logarithm(w: Any, X: Any) -> Any:
    """(B + C) v^2."""
    v = squares_and_one(w.A @ X)
    return w.B * (v.entrywise(Log()) * 2).exp() + w.C * v * v


def logarithm_of_a_root(w: Any, X: Any) -> Any:
    """(B + C / 2) log v."""
    v = squares_and_one(w.A @ X)
    return w.B * v.entrywise(Log()) + w.C * v.sqrt().entrywise(Log())


def logarithm_of_an_exponential(w: Any, X: Any) -> Any:
    """(B + C) u + sqrt(1 + e^u)."""
    u = w.A @ X
    e = u.exp()
    return w.B * e.entrywise(Log()) + w.C * u + (1 + e).sqrt()


def logarithm_of_a_product(w: Any, X: Any) -> Any:
    """(B + C) (log u + log v)."""
    u, v = squares_and_one(w.A @ X), squares_and_one(w.D @ X)
    return w.B * (u.entrywise(Log()) + v.entrywise(Log())) + w.C * (u * v).entrywise(Log())


def error_function_is_odd(w: Any, X: Any) -> Any:
    """(B - C) erf(u)."""
    return w.B * (w.A @ X).entrywise(Erf()) + w.C * (-w.A @ X).entrywise(Erf())


@dataclass(frozen=True)
class Counterexample:
    """A network whose function depends on fewer numbers than the rank says where nothing is checked."""

    function: Callable[..., Any]
    dimension: int  # by hand, from the docstrings
    reason: str

    @property
    def network(self) -> algatt.Network:
        return self.with_tokens(2)

    def with_tokens(self, tokens: int) -> algatt.Network:
        reads = "D" in self.function.__code__.co_names
        shapes = {"A": (1, 2), **({"D": (1, 2)} if reads else {}), "B": (1, 1), "C": (1, 1)}
        if self.function is exponent_of_a_shift:
            shapes["D"] = (1, 1)
        return written(shapes, self.function, width=2, tokens=tokens)


COUNTEREXAMPLES = [
    Counterexample(opposite_exponents, 3, "exponents depend"),
    Counterexample(double_exponent, 3, "exponents depend"),
    Counterexample(same_exponent_twice, 3, "exponents depend"),
    Counterexample(sum_of_exponents, 3, "exponents depend"),
    Counterexample(half_of_an_exponent, 3, "exponents depend"),
    Counterexample(multiples_of_an_exponent, 3, "exponents depend"),
    Counterexample(exponent_of_a_shift, 3, "exponents depend"),
    Counterexample(root_of_a_square, 3, "arguments of sqrt"),
    Counterexample(roots_of_a_product, 5, "arguments of sqrt"),
    Counterexample(root_of_a_product_of_others, 5, "arguments of sqrt"),
    Counterexample(root_of_an_exponential, 3, "arguments of sqrt|exponents depend"),
    Counterexample(exponential_of_a_logarithm, 3, "exponents depend"),
    Counterexample(logarithm_of_a_root, 3, "arguments of log"),
    Counterexample(logarithm_of_an_exponential, 3, "arguments of log"),
    Counterexample(logarithm_of_a_product, 5, "arguments of log"),
    Counterexample(error_function_is_odd, 3, "exponents depend"),
]


def name_of(one: Counterexample) -> str:
    return one.function.__name__


@pytest.fixture
def untied(monkeypatch):
    """Take exponents as they are written: none is known to be a combination of others."""
    monkeypatch.setattr("algatt.architectures.network.rewritten", lambda program: program)
    monkeypatch.setattr("algatt.architectures.network.arrangement_of", lambda arch: None)
    monkeypatch.setattr(places, "tie_exponents", lambda reading, *_: reading)
    places.reading_of.cache_clear()
    program_of.cache_clear()
    yield
    places.reading_of.cache_clear()
    program_of.cache_clear()


@pytest.mark.usefixtures("untied")
@pytest.mark.parametrize("one", COUNTEREXAMPLES, ids=name_of)
@pytest.mark.parametrize("tokens", [1, 2])  # a single relation, or one for each token
def test_the_condition_fails(one, tokens):
    with pytest.raises(ConditionFailed, match=one.reason):
        algatt.dimension(one.with_tokens(tokens), field=Elementary())


@pytest.mark.sample(7)
@pytest.mark.usefixtures("untied")
@pytest.mark.parametrize("one", COUNTEREXAMPLES, ids=name_of)
def test_without_the_check_the_rank_is_wrong(one, monkeypatch):
    monkeypatch.setattr(module, "conditions_of", lambda *_: Conditions())
    report = algatt.dimension(one.network, field=Elementary())
    assert report.lower > one.dimension


@pytest.mark.sample(1)
@pytest.mark.parametrize("one", COUNTEREXAMPLES, ids=name_of)
def test_the_answer_is_right_over_residues_with_ties_or_over_balls_with_a_reason(one):
    report = algatt.dimension(one.network)
    assert report.lower == one.dimension
    if isinstance(report.field, Balls):
        assert report.reason.startswith("over balls, since ")
        assert report.conditions is None
    else:
        assert one.reason == "exponents depend"
        assert report.reason is None
        assert report.conditions.exponents in (2, 4)  # of two tokens: u, or u and v


@pytest.mark.sample(1)
@pytest.mark.parametrize("one", [one for one in COUNTEREXAMPLES if "sqrt" in one.reason], ids=name_of)
def test_roots_are_not_tied(one):
    assert isinstance(algatt.dimension(one.network).field, Balls)


def test_a_function_of_the_weights_times_a_square_under_a_root():
    net = written({"A": (1, 2), "B": (1, 1), "C": (1, 1), "D": (1, 1)}, root_of_a_weight_times_a_square, width=2)
    with pytest.raises(ConditionFailed, match=r"arguments of sqrt|root does not exist"):
        algatt.dimension(net, field=Elementary())


@pytest.mark.parametrize(
    "layer",
    [
        RMSNorm(0, gain=False) >> RMSNorm(0),  # the second one has the root of 1
        Residual(LayerNorm(0)),  # of width 2: the root of (x_1 - x_2)^2 / 4
    ],
)
def test_norms_whose_roots_are_rational(layer):
    net = algatt.Network(layer, tokens=2, width=2)
    with pytest.raises(ConditionFailed, match="arguments of sqrt"):
        algatt.dimension(net, field=Elementary())


@pytest.mark.sample(0)
@pytest.mark.parametrize("seed", range(3))
def test_each_token_has_its_own_gates(seed):
    # The logits of a token are columns of a 12 x 12 matrix of rank 2, of which there are 2 (24 - 2) = 44 dimensions.
    net = algatt.Network(Embedding(12, 2) >> Feedforward(4, ReLU(), width=2) >> Unembedding(12), tokens=2)
    report = algatt.dimension(net, field=Elementary(), seed=seed)
    assert 30 < report.lower <= 44
    assert str(report.conditions) == f"gates are those of {report.samples} real inputs"


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_gates_are_those_of_inputs_with_a_value(seed):
    # Where sqrt(x) is real the gate of -x is closed: only B is seen.
    def function(w: Any, X: Any) -> Any:
        return w.A * verbs.activate(ReLU(), -X) + w.B * X.sqrt()

    report = algatt.dimension(written({"A": (1, 1), "B": (1, 1)}, function, width=1, tokens=1), seed=seed)
    assert report.lower == 1


@pytest.mark.sample(0)
def test_roots_of_what_is_never_positive(monkeypatch):
    monkeypatch.setattr(ball_bounds, "MOST_POLES", 40)

    def function(w: Any, X: Any) -> Any:
        u = w.A @ X
        return w.B @ (-u * u - 1).sqrt()

    net = written({"A": (2, 2), "B": (1, 2)}, function, width=2)
    with pytest.raises(ConditionFailed, match="none of 8 real inputs has a value"):
        algatt.dimension(net, field=Elementary())
    with pytest.raises(NoValue, match="no value at any of 40 random inputs"):
        algatt.dimension(net)
