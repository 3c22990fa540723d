"""Laws of functions hold at places modulo p, for values and for derivatives: what is 0 by a law is 0 there, and its
gradient too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Elementary, PrimeField, Weights, verbs
from algatt.fields import Elements, Erf, Log, Sigmoid
from algatt.layers import Tanh
from algatt.maps import program as program_of
from algatt.maps.elementary.drawing import DrawnValues
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.ties import tie_exponents
from algatt.maps.gradient import gradients_at_places
from given_residues import give_residues
from written_networks import written

FIELD = PrimeField(8388587)
SHAPES = {"A": (1, 2), "D": (1, 2)}


def places(function: Any, count: int = 5) -> tuple[Weights, DrawnValues]:
    """Draw places of a function of the tensors A and D of two columns, and two tokens."""
    net = written(SHAPES, function, width=2, tokens=2)
    theta = algatt.sample(net, Weights, field=FIELD, seed=3)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    reading = tie_exponents(read(program_of(net)), FIELD, {})
    return theta, DrawnValues(reading, FIELD, tensors, 3, np.arange(count), {})


def values_and_gradients(function: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the values at places, as integers of shape (places, rows, columns), and their gradients."""
    theta, drawing = places(function)
    assert drawing.alive.all()
    values = drawing.results[len(drawing.reading.program) - 1].astype(np.int64)
    which, outputs = (part.ravel() for part in np.indices((len(values), values[0].size)))
    rows = gradients_at_places(theta, drawing, which, outputs).raw.astype(np.int64)
    return values, rows.reshape(*values.shape, -1)


def positive(w: Any, X: Any) -> Any:
    u = w.D @ X
    return u * u + 1


def exp(u: Any, factor: Fraction | int = 1) -> Any:
    """Return the exponential of a multiple."""
    return (u * factor).exp()


LAWS = {
    "e^u e^-u = 1": lambda u, v: exp(u) * (-u).exp() - 1,
    "e^u e^(-1 u) = 1": lambda u, v: exp(u) * exp(u, -1) - 1,
    "(e^u)^2 = e^2u": lambda u, v: exp(u) * exp(u) - exp(u, 2),
    "e^-2u (e^u)^2 = 1": lambda u, v: exp(u, -2) * exp(u) * exp(u) - 1,
    "(e^(u/2))^2 = e^u": lambda u, v: exp(u, Fraction(1, 2)) ** 2 - exp(u),
    "(e^(2u/3))^3 = (e^(u/2))^4": lambda u, v: exp(u, Fraction(2, 3)) ** 3 - exp(u, Fraction(1, 2)) ** 4,
    "(e^4u)^3 = (e^6u)^2": lambda u, v: exp(u, 4) ** 3 - exp(u, 6) ** 2,
    "e^(2 (-3 u)) (e^2u)^3 = 1": lambda u, v: (2 * -(3 * u)).exp() * exp(u, 2) ** 3 - 1,
    "e^(v u) is that of v u": lambda u, v: (v * u).exp() * (-(v * u)).exp() - 1,
    "e^(u + v) = e^u e^v": lambda u, v: (u + v).exp() - exp(u) * exp(v),
    "e^u = e^v e^(u - v)": lambda u, v: exp(u) - exp(v) * (u - v).exp(),
    "e^(u/2 + v/2)^2 = e^u e^v": lambda u, v: exp(u * Fraction(1, 2) + v * Fraction(1, 2)) ** 2 - exp(u) * exp(v),
    "e^(u/2 - v/3)^6 e^2v = e^3u": lambda u, v: (
        exp(u * Fraction(1, 2) - v * Fraction(1, 3)) ** 6 * exp(v, 2) - exp(u, 3)
    ),
    "e^(3u + 3u) = (e^(2u))^3": lambda u, v: (3 * u + 3 * u).exp() - exp(u, 2) ** 3,
    "(e^-(u + v))^2 e^2u (e^v)^2 = 1": lambda u, v: (-(u + v)).exp() ** 2 * exp(u, 2) * exp(v) ** 2 - 1,
    "e^(u - u) = 1": lambda u, v: (u + v - u - v).exp() - 1,
    "e^-(u/3 + v) is that of tokens in another order": lambda u, v: (
        (-(u * Fraction(1, 3) + v)).exp()[:, [1, 0]] - (u[:, [1, 0]] * Fraction(-1, 3) - v[:, [1, 0]]).exp()
    ),
    "e^(v (u + 1)) = e^(u v) e^v": lambda u, v: (v * (u + 1)).exp() - (u * v).exp() * v.exp(),
    "(e^(3 u_1), e^(3 u_1)) = (e^u_1)^3": lambda u, v: (u[:, :1] * np.array([[3, 3]])).exp() - exp(u[:, :1]) ** 3,
    "exponentials of a transpose are transposed": lambda u, v: (
        (u.T @ v).T.exp() @ (u.T @ v).exp() - (v.T @ u).exp() @ (v.T @ u).exp().T
    )[:1],
    "s(u) + s(-u) = 1": lambda u, v: u.entrywise(Sigmoid()) + (-u).entrywise(Sigmoid()) - 1,
    "s(u) (1 + e^-u) = 1": lambda u, v: u.entrywise(Sigmoid()) * (1 + (-u).exp()) - 1,
    "s(2u) (1 + e^2u) = e^2u": lambda u, v: exp(u, 2).reciprocal() * (2 * u).entrywise(Sigmoid()) * (1 + exp(u, 2)) - 1,
    "tanh u (e^u + e^-u) = e^u - e^-u": lambda u, v: (
        verbs.activate(Tanh(), u) * (exp(u) + (-u).exp()) - exp(u) + (-u).exp()
    ),
    "sqrt(v)^2 = v": lambda u, v: v.sqrt() * v.sqrt() - v,
    "sqrt(e^u + v)^2 = e^u + v": lambda u, v: (exp(u) + v).sqrt() ** 2 - exp(u) - v,
    "sqrt(v + sqrt(v))^2 = v + sqrt(v)": lambda u, v: (v + v.sqrt()).sqrt() ** 2 - v - v.sqrt(),
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
def test_laws_hold_for_values_and_gradients(law):
    values, gradients = values_and_gradients(lambda w, X: law(w.A @ X, positive(w, X)))
    assert not values.any()
    assert not gradients.any()


def test_laws_that_do_not_hold_are_seen():
    values, gradients = values_and_gradients(lambda w, X: exp(w.A @ X) * exp(w.D @ X) - 1)
    assert values.all()
    assert gradients.any(axis=-1).all()


def above(first: Any, second: Any) -> Any:
    """Put two rows below each other."""
    return np.array([[1], [0]]) * first + np.array([[0], [1]]) * second


SLOPES = {
    "exp": (lambda v: v.exp(), lambda v, value, p: value),
    "exp of a multiple": (lambda v: (-3 * v).exp(), lambda v, value, p: -3 * value),
    "log": (lambda v: v.entrywise(Log()), lambda v, value, p: pow(v, -1, p)),
    "sqrt": (lambda v: v.sqrt(), lambda v, value, p: pow(2 * value, -1, p)),
    "sigmoid": (lambda v: v.entrywise(Sigmoid()), lambda v, value, p: value * (1 - value)),
}


@pytest.mark.parametrize(("function", "slope"), SLOPES.values(), ids=SLOPES.keys())
def test_gradients_are_slopes_times_those_of_the_argument(function, slope):
    values, gradients = values_and_gradients(lambda w, X: above(function(positive(w, X)), positive(w, X)))
    p = FIELD.p
    for value, gradient in zip(values.tolist(), gradients.tolist(), strict=True):
        for (f, v), (df, dv) in zip(np.transpose(value).tolist(), np.swapaxes(gradient, 0, 1).tolist(), strict=True):
            assert any(dv)
            assert [one % p for one in df] == [slope(v, f, p) * one % p for one in dv]


def test_the_slope_of_the_error_function_is_drawn_by_itself():
    values, gradients = values_and_gradients(lambda w, X: above((w.A @ X).entrywise(Erf()), w.A @ X))
    p, slopes = FIELD.p, []
    for gradient in gradients.tolist():
        for df, du in np.swapaxes(gradient, 0, 1).tolist():
            (slope,) = {a * pow(b, -1, p) % p for a, b in zip(df, du, strict=True) if b}
            slopes.append(slope)
    assert 0 not in slopes
    assert len(set(slopes)) == len(slopes)
    assert set(slopes).isdisjoint(values[:, 0].ravel().tolist())


@pytest.mark.parametrize(
    ("factors", "powers", "scale"),
    [
        ((1, -1), (1, -1), 1),
        ((2, 4), (1, 2), 2),
        ((2, -6), (1, -3), 2),
        ((Fraction(1, 2), Fraction(1, 3)), (3, 2), Fraction(1, 6)),
        ((Fraction(2, 3), Fraction(-4, 9)), (3, -2), Fraction(2, 9)),
        ((5,), (1,), 5),
        ((-5,), (-1,), 5),
    ],
)
def test_powers_are_as_small_as_can_be(factors, powers, scale):
    def function(w: Any, X: Any) -> Any:
        u = w.A @ X
        return sum((exp(u, factor) for factor in factors), 0 * u)

    exponents = read(program_of(written(SHAPES, function, width=2, tokens=2))).exponents
    assert len({one.base for one in exponents.values()}) == 1
    assert [one.power for _, one in sorted(exponents.items())] == list(powers)
    assert {one.scale for one in exponents.values()} == {scale}


@pytest.mark.parametrize(
    "other",
    [
        lambda u: u * np.array([[1, 2]]),  # another number for each entry
        lambda u: u + 1,
        lambda u: u[:, [1, 0]],
        lambda u: u * u,
        lambda u: u[:, :1] * np.array([[3, 3]]),  # of another shape
    ],
)
def test_what_is_no_multiple_has_a_base_of_its_own(other):
    def function(w: Any, X: Any) -> Any:
        u = w.A @ X
        v = other(u).exp()
        return u.exp() + (v.T if v.shape[0] == 2 else v)

    exponents = read(program_of(written(SHAPES, function, width=2, tokens=2))).exponents
    assert len({one.base for one in exponents.values()}) == 2
    assert [one.power for one in exponents.values()] == [1, 1]


def test_a_multiple_of_another_shape_has_a_base_of_its_own():
    def function(w: Any, X: Any) -> Any:
        u = X[:1, :1]
        return u.exp() + (u * np.array([[3, 3]])).exp()

    exponents = read(program_of(written(SHAPES, function, width=2, tokens=2))).exponents
    assert len({one.base for one in exponents.values()}) == 2


def test_residues_of_different_labels_are_different():
    # The values of two exponentials, of an error function, its density and a logarithm, at each of five inputs.
    def function(w: Any, X: Any) -> Any:
        u, v = w.A @ X, positive(w, X)
        return u.exp() + v.exp() + u.entrywise(Erf()) + v.entrywise(Log())

    _, drawing = places(function)
    drawing.functions()
    kinds = sorted(name.partition("/")[0] for name in drawing.drawn)
    assert kinds == ["density", "exp", "exp", "function", "function", "input"]
    drawn = np.concatenate([raw.ravel() for raw in drawing.drawn.values()])
    assert np.unique(drawn).size == drawn.size == 5 * (5 * 2 + 4)


def test_functions_of_the_field_have_labels_of_their_own():
    field = Elementary()
    x = Elements.of(field, np.array([[5, 6]]))
    slope = verbs.slope(field, Erf(), x.raw, x.raw)
    squares = (x * x).exp().raw
    raw = [x.exp().raw, x.entrywise(Log()).raw, x.entrywise(Erf()).raw, slope, squares]
    assert np.unique(np.concatenate(raw)).size == 10


def test_residues_of_functions_are_never_zero(monkeypatch):
    give_residues(monkeypatch, lambda label: 0)
    _, drawing = places(lambda w, X: (w.A @ X).exp() + positive(w, X).entrywise(Log()))
    assert all((raw == 1).all() for name, raw in drawing.drawn.items() if not name.startswith("input"))


@pytest.mark.parametrize(
    ("label", "number", "function"),
    [
        ("exp/", FIELD.p - 2, lambda w, X: (w.A @ X).entrywise(Sigmoid())),  # of e^u = -1
        ("input/", 0, lambda w, X: (w.A @ X).entrywise(Log())),  # of 0
        ("input/", 0, lambda w, X: 1 / (w.A @ X)),
        ("input/", 0, lambda w, X: (w.A @ X) ** 2 / (w.D @ X)),
    ],
)
def test_inputs_at_which_a_function_has_no_value_have_no_place(label, number, function, monkeypatch):
    give_residues(monkeypatch, lambda name: number if name.startswith(label) and name.endswith("/3") else None)
    _, drawing = places(function)
    assert drawing.alive.tolist() == [True, True, True, False, True]


def test_values_of_exponentials_are_never_zero(monkeypatch):
    monkeypatch.setattr(
        "algatt.fields.functions.random_residues", lambda seed, label, count, p: np.zeros(count, dtype=np.uint64)
    )
    assert (Elements.of(Elementary(), np.array([[5, 6]])).exp().raw == 1).all()


def test_tensors_that_are_not_read_have_no_derivatives():
    _, gradients = values_and_gradients(lambda w, X: (w.D @ X).exp())
    assert not gradients[..., :2].any()
    assert gradients[..., 2:].all()


def test_elements_of_another_block_have_their_own_places(monkeypatch):
    def function(w: Any, X: Any) -> Any:
        return above((w.A @ X).exp(), (w.D @ X).entrywise(Erf()))

    _, gradients = values_and_gradients(function)
    monkeypatch.setattr("algatt.maps.gradient.BLOCK", 12)  # 3 rows of 4 parameters
    assert (values_and_gradients(function)[1] == gradients).all()
    theta, drawing = places(function)
    rows = gradients_at_places(theta, drawing, np.array([3, 1]), np.array([2, 0])).raw.astype(np.int64)
    assert (rows == [gradients[3, 1, 0], gradients[1, 0, 0]]).all()
