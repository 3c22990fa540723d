"""The degree of the closure of a neuromanifold, against degrees of classical varieties."""

from __future__ import annotations

import dataclasses
import math
import shutil
from fractions import Fraction

import pytest

import algatt
from algatt.errors import DegreeUndecided, InvalidArgument, MissingProgram
from algatt.layers import Feedforward, Linear, Power, Residual

FIGURE_1 = algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2)


def matrices(rows: int, columns: int, r: int) -> algatt.Network:
    """Two linear layers: the matrices of rank at most r."""
    return algatt.Network(Linear(r) >> Linear(rows), tokens=1, width=columns)


def perceptron(width: int, hidden: int, power: int) -> algatt.Network:
    """One output: the sums of `hidden` powers of linear forms."""
    return algatt.Network(Feedforward(hidden, Power(power), width=1), tokens=1, width=width)


def test_the_resultant_of_figure_1_has_degree_4() -> None:
    """HMK Figure 1: the resultant of two quadrics is of degree 2 in each."""
    found = algatt.degree_of_closure(FIGURE_1)
    assert (found.value, found.status, found.dimension, found.ambient) == (4, "proven", 5, 6)
    proof = algatt.degree_of_closure(FIGURE_1, method="equations")
    assert (proof.value, proof.status, proof.dimension, proof.ambient) == (4, "proven", 5, 6)
    numerical = algatt.degree_of_closure(FIGURE_1, method="monodromy", seed=1)
    assert (numerical.value, numerical.status) == (4, "numerical")
    assert numerical.residual is not None
    assert numerical.residual < 1e-7


@pytest.mark.sample(2)
@pytest.mark.parametrize(("m", "n", "r"), [(2, 2, 1), (2, 3, 1), (3, 3, 1), (3, 3, 2), (4, 4, 2), (3, 4, 1), (3, 4, 2)])
def test_matrices_of_bounded_rank_have_the_degree_of_giambelli(m: int, n: int, r: int) -> None:
    """Giambelli; Harris, Algebraic Geometry, Example 19.10: those of rank 1 are Segre varieties."""
    degree = math.prod(Fraction(math.comb(m + i, r), math.comb(r + i, r)) for i in range(n - r))
    assert algatt.degree_of_closure(matrices(m, n, r), method="monodromy").value == degree


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("width", "hidden", "power", "degree"),
    [
        (2, 1, 2, 2),  # Veronese: power^(width - 1)
        (2, 1, 3, 3),
        (3, 1, 2, 4),
        (3, 1, 3, 9),
        (2, 1, 5, 5),
        (3, 2, 2, 3),  # symmetric matrices of order 3 with determinant 0
        (3, 2, 3, 15),  # secants of the cubic Veronese surface: (81 - 10 * 9 + 12 * 3 + 3 * 1) / 2 by double points
        (2, 2, 4, 3),  # the Hankel determinant of binary quartics
        (2, 2, 5, 6),  # secants of the rational normal curve of degree 5: binomial(4, 2)
    ],
)
def test_sums_of_powers_are_secants_of_veronese_varieties(width: int, hidden: int, power: int, degree: int) -> None:
    assert algatt.degree_of_closure(perceptron(width, hidden, power)).value == degree


@pytest.mark.skipif(shutil.which("Singular") is None, reason="Singular is not installed")
@pytest.mark.parametrize(
    ("arch", "degree"),
    [
        (FIGURE_1, 4),  # the resultant
        (matrices(3, 3, 1), 6),  # Segre: binomial(4, 2)
        (matrices(3, 4, 2), 6),  # Giambelli
        (perceptron(3, 1, 3), 9),  # Veronese
        (perceptron(3, 2, 3), 15),  # secants of the Veronese surface, with two neurons that can be exchanged
        (perceptron(3, 3, 3), 4),  # Aronhold's invariant
        (algatt.Lightning((2, 1), (1,), 2), 3),  # the formula; two points in each fibre
        (algatt.Lightning((3, 1), (3,), 2), 45),
        (algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2), 2),
    ],
)
def test_sections_modulo_a_prime_have_as_many_points(arch: algatt.Network, degree: int) -> None:
    found = algatt.degree_of_closure(arch, method="singular")
    assert (found.value, found.status, found.method) == (degree, "probable", "singular")


def test_without_singular_there_is_no_groebner_basis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(MissingProgram, match="Singular is not installed; apt-get install singular"):
        algatt.degree_of_closure(FIGURE_1, method="singular")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("d", "rows", "a", "degree"),
    [
        (2, 1, 1, 3),
        (2, 1, 2, 4),
        (2, 2, 1, 20),
        (2, 3, 1, 42),
        (2, 3, 2, 56),
        (3, 1, 1, 45),
        (3, 1, 3, 45),
        (2, 2, 2, 20),
    ],
)
def test_one_lightning_layer_has_the_degree_of_the_formula(d: int, rows: int, a: int, degree: int) -> None:
    """The formula against monodromy, which knows nothing of it."""
    arch = algatt.Lightning((d, rows), (a,), 2)
    found, counted = algatt.degree_of_closure(arch), algatt.degree_of_closure(arch, method="monodromy")
    assert (found.value, found.status, found.method) == (degree, "proven", "formula")
    assert (counted.value, counted.dimension, counted.ambient) == (degree, found.dimension, found.ambient)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("d", "rows", "a", "degree"),
    [
        (1, 1, 1, 1),
        (1, 3, 1, 1),  # all of its span
        (3, 2, 2, 2376),  # binomial(12, 5) times the cubic determinant
        (3, 2, 3, 1287),
        (3, 3, 1, 2970),  # binomial(12, 4) times the Segre variety of degree 6
        (3, 3, 3, 12870),  # binomial(16, 8)
        (3, 3, 7, 12870),
    ],
)
def test_the_formula_in_closed_form(d: int, rows: int, a: int, degree: int) -> None:
    found = algatt.degree_of_closure(algatt.Lightning((d, rows), (a,), 3))
    assert (found.value, found.dimension) == (degree, algatt.expected_dimension(found.arch))
    assert found.ambient == algatt.span(found.arch).dimension


def test_what_fills_its_span_has_degree_1() -> None:
    """Sylvester: binary cubics are sums of two cubes."""
    found = algatt.degree_of_closure(perceptron(2, 2, 3))
    assert (found.value, found.status, found.method, found.dimension) == (1, "proven", "span", 4)


def test_a_closure_that_is_no_cone() -> None:
    """The functions x + Ax with A of rank one are the matrices M with det(M - 1) = 0, a quadric."""
    found = algatt.degree_of_closure(algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2))
    assert (found.value, found.status) == (2, "proven")


def test_a_dimension_that_is_not_proven_has_no_section(monkeypatch: pytest.MonkeyPatch) -> None:
    true = algatt.dimension(FIGURE_1)
    unknown = dataclasses.replace(true, status="probable", lower=4, value=4)
    monkeypatch.setattr("algatt.geometry.degrees.degree.dimension_of", lambda *_, **__: unknown)
    for count in (algatt.degree_of_closure, algatt.geometry.fiber_components):
        with pytest.raises(DegreeUndecided, match="the dimension is between 4 and 5"):
            count(algatt.Network(Linear(1) >> Linear(2), tokens=1, width=2))


def test_what_is_not_decided_is_not_answered() -> None:
    with pytest.raises(DegreeUndecided, match=r"more than 5 points"):
        algatt.degree_of_closure(matrices(3, 3, 1), points=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arch": algatt.Softmax(dims=(2, 2), ranks=(1,), tokens=2)}, "algatt.dimension, symmetries, fiber"),
        ({"arch": matrices(3, 3, 1), "method": "equations"}, "unless the codimension is 1"),
        ({"arch": matrices(3, 3, 1), "method": "formula"}, "unless the network is one lightning layer"),
        ({"arch": FIGURE_1, "method": "guess"}, "one of auto, formula, equations, monodromy, singular"),
        ({"arch": FIGURE_1, "points": 0}, "an integer >= 1"),
        ({"arch": FIGURE_1, "seed": -1}, "an integer >= 0"),
    ],
)
def test_bad_input(arguments: dict, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        algatt.degree_of_closure(**arguments)
