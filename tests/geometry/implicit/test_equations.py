"""The Hilbert function and the equations of the closure of a neuromanifold."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import flint
import pytest

import algatt
from algatt.errors import InvalidArgument, NotEnoughMemory
from algatt.geometry.implicit import substitution
from algatt.geometry.implicit.known_equations import names_of_equations
from algatt.layers import Feedforward, Linear, Power, Residual

FIGURE_1 = algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2)


def test_the_equation_of_figure_1_is_the_resultant() -> None:
    """HMK Figure 1: f and g are (a_1 x)(v x) and (a_2 x)(v x), so that Res(f, g) = 0; it is computed here by FLINT."""
    found = algatt.equations(FIGURE_1, 4)
    assert [one.degree for one in found.generators] == [4]
    assert (found.status, found.error) == ("proven", None)
    assert found.hilbert_function.values == (1, 6, 21, 56, 125)
    # y_1 is f at token 2 times x_1_1, plus g at token 2 times x_2_1; x_1_1^3 has the coefficient of x_1_1*x_1_2^2
    assert [str(one) for one in found.coordinates] == [
        "y_1_1: x_1_1^3",
        "y_1_1: x_1_1*x_1_2*x_2_2",
        "y_1_1: x_1_1*x_2_2^2",
        "y_1_1: x_1_2^2*x_2_1",
        "y_1_1: x_1_2*x_2_1*x_2_2",
        "y_1_1: x_2_1^3",
    ]
    ring = flint.fmpz_mpoly_ctx.get([*(f"c{k}" for k in range(1, 7)), "z"], "lex")
    *c, z = ring.gens()
    resultant = (c[0] * z**2 + c[1] * z + c[2]).resultant(c[3] * z**2 + c[4] * z + c[5], "z")
    (equation,) = found.generators
    ours = sum(value * math.prod(c[place - 1] for place in places) for places, value in equation.terms)
    assert ours in (resultant, -resultant)
    assert algatt.dimension(FIGURE_1).value == 5  # a hypersurface in the span of dimension 6


@pytest.mark.parametrize(("d", "r"), [(2, 1), (3, 1), (3, 2)])
def test_products_of_matrices_have_the_minors(d: int, r: int) -> None:
    """Matrices of rank at most r: the equations are the minors of order r + 1, which are independent."""
    arch = algatt.Network(Linear(r) >> Linear(d), tokens=1, width=d)
    found = algatt.equations(arch, r + 1)
    assert {one.degree for one in found.generators} == {r + 1}
    assert len(found.generators) == math.comb(d, r + 1) ** 2
    assert found.status == "proven"
    assert all(sorted(value for _, value in one.terms) == signs(r + 1) for one in found.generators)
    assert algatt.equations(arch, r).generators == ()


def signs(order: int) -> list[int]:
    """Return the signs of the terms of a determinant, sorted."""
    return [-1] * (math.factorial(order) // 2) + [1] * (math.factorial(order) // 2)


def test_the_veronese_surface() -> None:
    """One neuron with a square: (u x)^2 in three variables, with the Hilbert function of the Veronese surface, which is
    that of all forms of even degree, and its 6 quadrics.
    """
    arch = algatt.Network(Feedforward(1, Power(2), width=1), tokens=1, width=3)
    found = algatt.equations(arch, 3)
    assert found.hilbert_function.values == tuple(math.comb(2 * e + 2, 2) for e in range(4))
    assert [one.degree for one in found.generators] == [2] * 6
    assert found.hilbert_function.equations[:3] == (0, 0, 6)


def test_segre_and_veronese_for_one_layer_of_rank_one() -> None:
    """With a = 1 the functions are V x (k x)(q y). Forms of degree e in the coefficients are of degree e in V, in k and
    in q; only the symmetric product of a row of V and k is seen.
    """
    arch = algatt.Lightning(dims=(2, 1), ranks=(1,), tokens=2)
    found = algatt.hilbert_function(arch, 3)
    # Products of two linear forms in 2 variables are all quadrics: forms of degree e in them have dimension C(e + 2, 2)
    assert found.values == tuple(math.comb(e + 2, 2) * (e + 1) for e in range(4))
    assert (found.status, found.homogeneous) == ("probable", True)
    assert found.error is not None
    assert 0 < found.error < 1e-20


def test_a_closure_that_is_no_cone_has_equations_with_lower_terms() -> None:
    """x + A x with A of rank 1 in two variables: det(M - I) = 0."""
    arch = algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2)
    found = algatt.equations(arch, 2)
    assert not found.hilbert_function.homogeneous
    assert [str(one) for one in found.generators] == ["1 - c1 - c4 + c1*c4 - c2*c3"]
    assert found.hilbert_function.values == (1, 5, 14)


def test_generators_are_minimal_and_vanish_at_other_weights() -> None:
    """With d = d' = 2 and a = 2: 5 quadrics, and no cubic beyond their multiples. They vanish at weights modulo another
    prime than those that they were found with.
    """
    arch = algatt.Lightning(dims=(2, 2), ranks=(2,), tokens=2)
    found = algatt.equations(arch, 3)
    assert Counter(one.degree for one in found.generators) == {2: 5}
    field = algatt.PrimeField(1048583)
    at = algatt.coefficients(arch, algatt.sample(arch, algatt.Weights, field=field, seed=7))
    c = dict(zip(at.basis, map(int, at.vector), strict=True))
    for one in found.generators:
        value = sum(n * math.prod(c[found.coordinates[k - 1]] for k in places) for places, n in one.terms)
        assert value % field.p == 0


def test_substitution_at_integers_where_it_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(substitution, "MOST_PRODUCTS", 40)  # the span is still proven
    arch = algatt.Network(Linear(1) >> Linear(3), tokens=1, width=3)
    assert algatt.equations(arch, 2).status == "proven"
    monkeypatch.setattr(substitution, "MOST_PRODUCTS", 1)
    found = algatt.equations(arch, 2)
    assert (found.status, len(found.generators)) == ("probable", 9)
    assert {one.status for one in found.generators} == {"probable"}
    assert found.error is not None
    assert 0 < found.error < 1e-15


def test_bad_degrees_and_monomials_that_do_not_fit() -> None:
    for degree in (0, 1.5, "2"):
        with pytest.raises(InvalidArgument, match="degree was"):
            algatt.equations(FIGURE_1, degree)
    with pytest.raises(NotEnoughMemory, match="products of degree 90000 of 6 coordinates needs at least"):
        algatt.hilbert_function(algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2), 90000)


@pytest.mark.sample(1)
@pytest.mark.parametrize("d", [2, 3])
def test_ranks_of_blocks_are_those_of_all_products_at_once(d: int) -> None:
    """The sum over the blocks against one matrix, over Q, of products that FLINT multiplies out."""
    from algatt.geometry.implicit.coordinate_ring import coordinate_ring

    arch = algatt.Lightning(dims=(d, 1), ranks=(1,), tokens=2)
    polynomials = coordinate_ring(arch).expansion.polynomials
    products = [one * two for one, two in itertools.combinations_with_replacement(polynomials, 2)]
    monomials = {key: place for place, key in enumerate({key for one in products for key in one.to_dict()})}
    rows = [[0] * len(monomials) for _ in products]
    for row, one in zip(rows, products, strict=True):
        for key, value in one.to_dict().items():
            row[monomials[key]] = int(value.p)
    assert flint.fmpz_mat(rows).rank() == algatt.hilbert_function(arch, 2).values[2]


def test_names_of_equations() -> None:
    """Minors of a product, of catalecticants (the Veronese cubic: 27 quadrics), and the resultant of Figure 1."""
    product = algatt.Network(Linear(1) >> Linear(3), tokens=1, width=3)
    cubic = algatt.Network(Feedforward(1, Power(3), width=1), tokens=1, width=3)
    for arch, degree, name, count in [
        (product, 2, "minor of the flattening by rows of the value of order 2", 9),
        (cubic, 2, "minor of the flattening by token 1 of order 2", 27),
        (FIGURE_1, 4, "resultant of Figure 1", 1),
    ]:
        found = algatt.equations(arch, degree)
        assert [one.name for one in found.generators] == [name] * count
        assert found.unnamed == 0
    others = algatt.equations(algatt.Lightning((2, 2), (2,), 2), 4)  # two columns of A, two rows of V: 4 resultants
    assert Counter(one.name for one in others.generators)["resultant of Figure 1"] == 4
    residual = algatt.equations(algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2), 2)
    assert residual.unnamed == len(residual.generators) == 1  # det(M - 1), which is no minor of M
    scaled = ((1, 3), 4), ((2, 2), -2)  # not 4 c1 c3 - c2^2, though of its shape
    square = algatt.Network(Feedforward(1, Power(2), width=1), tokens=1, width=2)
    assert names_of_equations(square, algatt.equations(square, 2).coordinates, [scaled]) == (None,)
