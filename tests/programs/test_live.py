"""Tokens that nothing reads: they may be left out before a function of tokens or after it, and both are one text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.architectures.network import arrange
from algatt.fields import Elements, Reals, concatenate
from algatt.maps import program
from algatt.programs import Instruction, Program, Trace
from algatt.programs.interpret import interpret
from algatt.programs.live import MOST_PLACES, live
from algatt.programs.normal_form import normal_form
from pairs_of_texts import soft
from written_networks import written

TENSORS = {"A": (4, 4), "B": (4, 4), "g": (4, 1), "P": (4, 3)}
ANGLES = (0.5, 0.25)


def network(text: Any) -> algatt.Network:
    return written(TENSORS, text, width=4, tokens=3)


def form_of(text: Any) -> Program:
    return normal_form(program(network(text))).program


def digest_of(text: Any) -> str:
    return normal_form(program(network(text))).digest()


def recorded(text: Any) -> Program:
    """Return the program of a text as it is written, by no rule."""
    trace = Trace()
    w = SimpleNamespace(**{name: Elements(trace, trace.tensor(name, shape)) for name, shape in TENSORS.items()})
    return trace.program(text(w, Elements(trace, trace.input((4, 3)))).raw)


def turned(Y: Elements, positions: tuple[int, ...]) -> Elements:
    cosines, sines = (
        concatenate((Elements(Y.field, one),) * 2)
        for one in verbs.circle_points(Y.field, angles=ANGLES, positions=positions)
    )
    return Y * cosines + concatenate((-Y[2:], Y[:2])) * sines


def block(w: Any, Y: Elements) -> Elements:
    """A residual block, whose norm sees all that was before."""
    Z = (w.A @ Y).exp().centre() * w.g
    return Y + w.B @ (Z / ((Z * Z).sum(axis=0) + 1).sqrt())


BY_COLUMNS = {
    "product": lambda w, Y: w.A @ Y,
    "function": lambda w, Y: (w.A @ Y).exp(),
    "products of columns": lambda w, Y: (w.A @ Y).column_products(w.B @ Y),
    "norm": lambda w, Y: (w.A @ Y) / ((Y * Y).sum(axis=0) + 1).sqrt() * w.g,
    "centred": lambda w, Y: (w.A @ Y).exp().centre(),
    "largest": lambda w, Y: (w.A @ Y).largest(2) * (w.B @ Y),
    "joined rows": lambda w, Y: concatenate(((w.A @ Y).exp(), w.B @ Y)),
    "some rows": lambda w, Y: w.A[:, :2] @ (w.A @ Y).exp()[1:3],
    "rows of tokens": lambda w, Y: ((w.A @ Y).exp().T @ w.B).T,
    "a spread row": lambda w, Y: (w.A @ Y).exp() + (w.g.T @ Y).exp(),
    "two blocks": lambda w, Y: block(w, block(w, Y)),
    "a sum of two": lambda w, Y: (w.A @ Y).exp() + w.B @ Y + w.g,
}
"""Functions that see each token by itself."""

CHOICES = {"first": [0], "last": [2], "two": [0, 2]}


@pytest.mark.sample(36)
@pytest.mark.parametrize("columns", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize("name", BY_COLUMNS)
def test_tokens_are_taken_before_or_after(name: str, columns: list[int]) -> None:
    function = BY_COLUMNS[name]
    late, early = (lambda w, X: function(w, X)[:, columns]), (lambda w, X: function(w, X[:, columns]))
    assert digest_of(late) == digest_of(early)
    check_values(late)


BY_PLACES = {
    "turned by positions": (
        lambda w, X: turned(w.A @ X, (0, 1, 2)).exp()[:, 2:],
        lambda w, X: turned(w.A @ X[:, 2:], (2,)).exp(),
    ),
    "positions": (lambda w, X: (w.A @ X + w.P).exp()[:, 1:], lambda w, X: (w.A @ X[:, 1:] + w.P[:, 1:]).exp()),
    "joined columns": (
        lambda w, X: concatenate(((w.A @ X).exp(), (w.B @ X).exp()), axis=1)[:, [1, 5]],
        lambda w, X: concatenate(((w.A @ X[:, [1]]).exp(), (w.B @ X[:, [2]]).exp()), axis=1),
    ),
    "the second part alone": (
        lambda w, X: concatenate(((w.A @ X).exp(), (w.B @ X).exp()), axis=1)[:, [4]],
        lambda w, X: (w.B @ X[:, [1]]).exp(),
    ),
    "rows of tokens": (
        lambda w, X: ((w.A @ X).exp().T[1:] @ w.B).T,
        lambda w, X: w.B.T @ (w.A @ X[:, 1:]).exp(),
    ),
}


@pytest.mark.parametrize("name", BY_PLACES)
def test_places_of_tokens_stay_theirs(name: str) -> None:
    late, early = BY_PLACES[name]
    assert digest_of(late) == digest_of(early)
    check_values(late)


APART = {
    "another token": (lambda w, X: (w.A @ X).exp()[:, 2:], lambda w, X: (w.A @ X[:, 1:2]).exp()),
    "another position": (
        lambda w, X: turned(w.A @ X, (0, 1, 2)).exp()[:, 2:],
        lambda w, X: turned(w.A @ X[:, 2:], (1,)).exp(),
    ),
    "fewer keys": (
        lambda w, X: w.A @ X @ soft((w.B @ X).T @ (w.A @ X))[:, 2:],
        lambda w, X: w.A @ X[:, 1:] @ soft((w.B @ X[:, 1:]).T @ (w.A @ X[:, 2:])),
    ),
}


VALUES = {
    "two tokens apart": lambda w, X: (w.A @ X).exp()[:, :1] + (w.A @ X).exp()[:, 2:],
    "another order": lambda w, X: w.B @ (w.A @ X).exp().centre()[:, [2, 0]],
    "centred tokens": lambda w, X: (w.A @ X).exp().T.centre()[1:].T,
    "largest tokens": lambda w, X: ((w.A @ X).T.largest(1)[1:] * (w.B @ X).T[1:]).T,
    "products of tokens": lambda w, X: (w.A @ X).T.column_products((w.B @ X).T).T @ (w.B @ X)[:1, 1:],
    "queries": APART["fewer keys"][0],
}


@pytest.mark.parametrize("name", VALUES)
def test_values_stay(name: str) -> None:
    check_values(VALUES[name])


@pytest.mark.parametrize("name", APART)
def test_other_tokens_are_other_texts(name: str) -> None:
    one, other = (digest_of(text) for text in APART[name])
    assert one != other


def test_a_mean_of_tokens_reads_all_of_them() -> None:
    def text(w: Any, X: Elements) -> Elements:
        Y = (w.A @ X).exp() * w.g
        return Y @ np.ones((3, 1), dtype=int) + w.B @ Y[:, :1]

    check_values(text)
    assert "g" in form_of(text).tensors
    assert max(one.shape[-1] for one in form_of(text).instructions if one.operation == "exp") == 3


def test_nothing_is_computed_of_tokens_that_nothing_reads() -> None:
    found = form_of(lambda w, X: w.B @ (w.A @ X).exp()[:, 2:])
    assert {one.shape for one in found.instructions if one.operation in ("product", "exp")} == {(4, 1)}


def test_one_pass_reaches_what_the_first_block_is_made_of() -> None:
    found = live(recorded(lambda w, X: block(w, block(w, X))[:, 2:]))
    names = ("exp", "centre", "multiply", "sqrt", "reciprocal")
    assert {one.shape[-1] for one in found.instructions if one.operation in names and one.shape} == {1}


def test_rows_of_tokens_of_products_are_left_out() -> None:
    found = live(recorded(lambda w, X: ((w.A @ X).exp().T @ w.B).exp()[1:]))
    assert [one.shape for one in found.instructions if one.operation == "exp"] == [(4, 2), (4, 2)]


def test_programs_that_read_everything_stay_as_they_are() -> None:
    rows = lambda w, X: (w.A @ X).exp()[1:3]  # noqa: E731  # these are no tokens
    for text in (lambda w, X: (w.A @ X).exp(), lambda w, X: (w.A[:2] @ X).exp(), rows):
        given = recorded(text)
        assert live(given) is given


def test_many_tokens_are_left_as_they_are() -> None:
    """Their places are not listed, which would fill the memory."""
    count = MOST_PLACES + 1
    given = Program(
        (
            Instruction("input", (), None, (1, count)),
            Instruction("exp", (0,), None, (1, count)),
            Instruction("take", (1,), ((0,), (0,)), (1, 1)),
        )
    )
    assert live(given) is given


def check_values(text: Any) -> None:
    """Check that the normal form of a text has its values, and what it reads of its program by itself."""
    net = network(text)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    X = algatt.sample_inputs(net, seed=1, field=Reals())
    arrangement = arrange(net)
    found = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
    np.testing.assert_allclose(found, algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-11)
    given, tensors = recorded(text), dict(zip(TENSORS, theta.elements, strict=True))
    one, other = (
        interpret(each, Reals(), tensors, Elements(Reals(), np.asarray(X)[0])) for each in (given, live(given))
    )
    np.testing.assert_allclose(other.raw, one.raw, rtol=1e-9, atol=1e-11)
