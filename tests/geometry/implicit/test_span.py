"""The linear span of a neuromanifold."""

from __future__ import annotations

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Feedforward, Linear, Power, Residual


@pytest.mark.parametrize(("d", "out", "a"), [(2, 1, 2), (2, 3, 1), (3, 2, 2), (4, 1, 2)])
def test_one_lightning_layer_spans_products_of_quadrics_and_linear_forms(d: int, out: int, a: int) -> None:
    """HMK Proposition A.5: the functions are tuples of (a_k x)(v_m x), so the span is Sym^2 times d times d'."""
    found = algatt.span(algatt.Lightning(dims=(d, out), ranks=(a,), tokens=2))
    assert (found.dimension, found.status, found.error) == (out * d * d * (d + 1) // 2, "proven", None)
    assert len(found.coordinates) == found.dimension


@pytest.mark.parametrize(("hidden", "power", "dimension"), [(7, 2, 18), (2, 3, 30)])
def test_perceptrons_span_all_forms(hidden: int, power: int, dimension: int) -> None:
    """Powers of linear forms in 3 variables span all forms of that degree: 6 quadrics or 10 cubics, for 3 outputs."""
    arch = algatt.Network(Feedforward(hidden, Power(power)), tokens=1, width=3)
    assert algatt.span(arch).dimension == dimension


def test_what_does_not_depend_on_the_weights_is_one_direction() -> None:
    """The functions (I + A) x with A a matrix of rank 1 span all matrices; x + a x^2 spans two directions."""
    assert algatt.span(algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2)).dimension == 4
    arch = algatt.Network(Residual(Feedforward(1, Power(2))), tokens=1, width=1)
    found = algatt.span(arch)
    assert [str(one) for one in found.coordinates] == ["y_1_1: x_1_1", "y_1_1: x_1_1^2"]


def test_networks_without_a_span() -> None:
    with pytest.raises(InvalidArgument, match="products of terms; it should be a smaller one"):
        algatt.span(algatt.Network(Feedforward(1, Power(8)), tokens=1, width=50))
