"""Places modulo p against what follows from the residues that they have, computed once more with integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import Network, PrimeField, Weights
from algatt.fields import Elements, Erf, Log
from algatt.fields.prime import squares
from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    RelativeBias,
    Residual,
    RMSNorm,
    SigmoidRouter,
    SiLU,
    SoftCap,
    Tanh,
    Tie,
)
from algatt.maps import program as program_of
from algatt.maps.elementary import reading as module
from algatt.maps.elementary.drawing import DrawnValues
from algatt.maps.elementary.ties import tie_exponents
from algatt.randomness import random_residues
from replayed_places import contradictions
from written_networks import written

P = 8388587


def drawn(net: Network, count: int = 24, seed: int = 0, p: int = P) -> DrawnValues:
    """Draw places of a network."""
    field = PrimeField(p)
    theta = algatt.sample(net, Weights, field=field, seed=seed)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    reading = tie_exponents(module.read(program_of(net)), field, {})
    return DrawnValues(reading, field, tensors, seed, np.arange(count), {})


def assert_true(drawing: DrawnValues, alive: float = 0.9) -> None:
    """Assert that nothing at a place contradicts its residues, and that most inputs have one."""
    assert drawing.alive.mean() >= alive
    for row in np.flatnonzero(drawing.alive):
        assert contradictions(drawing, row) == []


def interleaved(w: Any, X: Any) -> Any:
    """What is behind the second exponential, but not behind the first one, is computed between two roots of both."""
    first, second = (w.A @ X).exp(), (w.B @ X).exp()
    root = (second[:, 1:] + first[:, :1] + 1 + 0 * second[:, :1]).sqrt()
    between = second[:, 1:] + 2
    outer = (first[:, :1] + 3 + 0 * root + 0 * second[:, 1:]).sqrt()
    return w.C * outer * between * root


def left_behind(w: Any, X: Any) -> Any:
    """A root of the second exponential is behind one that depends on the first one alone."""
    first, second = (w.A @ X).exp(), (w.B @ X).exp()
    root = (second + 1).sqrt()
    return w.C * (first + 3 + 0 * root).sqrt() * root


def nested(w: Any, X: Any) -> Any:
    """Roots of roots of exponentials of roots."""
    root = ((w.A @ X) * (w.A @ X) + 2).sqrt()
    inner = ((w.B @ X * root).exp() + root).sqrt()
    return w.C * (inner + (inner * root).exp()).sqrt()


def mixing(w: Any, X: Any) -> Any:
    """A root depends on a transposed root, whose columns are rows."""
    root = ((w.A.T @ w.A @ X) * X + 1).sqrt()
    return w.C * w.B @ (root.T @ root + X.T @ X.exp()).sqrt()


def all_functions(w: Any, X: Any) -> Any:
    """Each function once."""
    u = w.A @ X
    root = (1 + u.exp() + (-u).exp()).sqrt()
    return w.C * (u.entrywise(Erf()) + root.entrywise(Log()) + (root + (w.B @ X).entrywise(Log())).sqrt())


SHAPES = {"A": (1, 2), "B": (1, 2), "C": (1, 1)}
WRITTEN = [interleaved, left_behind, nested, mixing, all_functions]


@pytest.mark.sample(2)
@pytest.mark.parametrize("function", WRITTEN, ids=lambda one: one.__name__)
@pytest.mark.parametrize("p", [P, 1048589, 2147483659])
def test_nothing_contradicts_the_residues(function, p):
    count = 40 if p < 2**31 else 3
    assert_true(drawn(written(SHAPES, function, width=2, tokens=2), count, p=p))


NETWORKS = [
    Residual(RMSNorm() >> Heads(2, mask=Causal(), width=2))
    >> Residual(RMSNorm() >> Feedforward(2, SiLU(), gated=True)),
    Residual(Heads(1, norm=RMSNorm(0), position=ALiBi())) >> LayerNorm(),
    Residual(Heads(2, key_heads=1, score=SoftCap(3), position=RelativeBias(4, 4), width=1)) >> RMSNorm(gain=False),
    Residual(Experts(2, Feedforward(1, Tanh()), SigmoidRouter(renormalize=True))) >> RMSNorm(),
    2 * Residual(LayerNorm(bias=True) >> Feedforward(2, GELU(), bias=True)),
    Tie(2 * (RMSNorm() >> Residual(Heads(1, width=2))), {"2": "1"}),
    Residual(RMSNorm() >> Tie(Heads(1, width=2), {"heads.K_1": "heads.Q_1"})) >> RMSNorm(),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("layers", NETWORKS, ids=str)
@pytest.mark.parametrize("tokens", [2, 3])
def test_layers_are_computed_as_their_programs_say(layers, tokens):
    assert_true(drawn(Network(layers, tokens=tokens, width=3), 6))


@st.composite
def random_functions(draw: Any) -> Any:
    """Draw a function of sums, products, exponentials and roots of what was made before."""
    steps = [
        (
            draw(st.sampled_from(["exp", "root", "sum", "product", "swap"])),
            draw(st.integers(0, 9)),
            draw(st.integers(0, 9)),
        )
        for _ in range(draw(st.integers(2, 9)))
    ]

    def function(w: Any, X: Any) -> Any:
        made = [w.A @ X, w.B @ X]
        for kind, i, j in steps:
            one, two = made[i % len(made)], made[j % len(made)]
            if kind == "exp":
                made.append((one * two).exp())
            elif kind == "root":
                made.append((one * two + one + 2).sqrt())
            elif kind == "sum":
                made.append(one + two)
            elif kind == "product":
                made.append(one * two)
            else:
                made.append(one[:, [1, 0]] + two)
        value = made[0]
        for one in made[1:]:
            value = value + one
        return w.C * value

    return function


@given(random_functions(), st.integers(0, 5))
def test_random_functions_are_computed_as_their_programs_say(function, seed):
    # Roots of squares and of what is no square with any residues are among them: then there are few places, or none.
    assert_true(drawn(written(SHAPES, function, width=2, tokens=2), 8, seed), alive=0)


def test_equal_inputs_have_equal_places_in_any_company():
    net = Network(NETWORKS[0], tokens=3, width=3)
    theta = algatt.sample(net, Weights, field=PrimeField(P), seed=0)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    reading = module.read(program_of(net))
    together, alone = (
        DrawnValues(reading, PrimeField(P), tensors, 0, np.array(rows), {}) for rows in ((3, 5, 8), (8,))
    )
    last = len(reading.program) - 1
    assert (together.results[last][2] == alone.results[last][0]).all()


EIGHT_ROOTS = Network(Residual(Heads(4, width=2, norm=RMSNorm(gain=False))), tokens=2, width=4)
"""The norms of a key and a query of each of four heads are behind one draw of a token."""


@pytest.mark.sample(0)
def test_eight_roots_behind_one_draw_are_found():
    assert_true(drawn(EIGHT_ROOTS, 12), alive=1)


def test_what_is_found_does_not_depend_on_the_company():
    theta = algatt.sample(EIGHT_ROOTS, Weights, field=PrimeField(P), seed=0)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    reading = module.read(program_of(EIGHT_ROOTS))
    together, alone = (
        DrawnValues(reading, PrimeField(P), tensors, 0, np.array(rows), {}) for rows in ((0, 3, 5, 8), (8,))
    )
    for number in reading.varying:
        assert (together.results[number][3] == alone.results[number][0]).all()


def test_salts_name_the_residues_of_each_column():
    net = Network(Residual(Heads(2, norm=RMSNorm(0), position=ALiBi())) >> LayerNorm(), tokens=2, width=2)
    drawing = drawn(net, 12)
    assert max(salts.max() for salts in drawing.salts.values()) > 2
    for name, residues in drawing.drawn.items():
        kind, _, key = name.partition("/")
        for row, number in enumerate(drawing.numbers.tolist()):
            for column, salt in enumerate(drawing.salts[int(key)][row].tolist()):
                label = f"input/{number}" if kind == "input" else f"{kind}/{key}/{number}"
                modulus, least = (P, 0) if kind == "input" else (P - 1, 1)
                shape = residues[row].shape
                again = random_residues(0, f"{label}/{salt}" if salt else label, int(np.prod(shape)), modulus)
                expected = (again.astype(np.int64) + least).reshape(shape)[..., column]
                assert (residues[row][..., column] == expected).all()


def test_inputs_without_roots_are_those_of_the_stream():
    net = Network(Residual(Heads(1, width=2)), tokens=2, width=2)
    drawing = drawn(net, 3, seed=4)
    inputs = algatt.sample_inputs(net, field=PrimeField(P), seed=4, count=3)
    assert (Elements.of(PrimeField(P), inputs).raw == drawing.results[drawing.reading.input]).all()


def test_characters_are_taken_before_roots_are():
    drawing = drawn(written(SHAPES, lambda w, X: w.C * ((w.A @ X) * (w.B @ X)).sqrt(), width=2, tokens=1), 200)
    (root,) = drawing.reading.roots
    found = drawing.characters[root]
    assert found.shape == (200, 1)
    assert 60 < (found == 1).sum() < 140  # of 200 fair coins, but for one case in 10^8
    assert ((found == 0) | (found == 1)).all()
    assert squares(PrimeField(P), drawing.results[drawing.reading.source(root)]).all()


def test_an_input_at_which_a_denominator_vanishes_has_no_place():
    drawing = drawn(written(SHAPES, lambda w, X: w.C * (w.A @ X).exp() / (X[:1] - X[:1]), width=2), 4)
    assert not drawing.alive.any()
    assert drawn(written(SHAPES, lambda w, X: w.C / (w.A @ X).exp(), width=2), 4).alive.all()
