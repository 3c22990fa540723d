"""Bounds of the pseudo-dimension."""

from __future__ import annotations

import math

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Linear
from training_networks import NETWORKS


def test_linear_functionals_have_their_dimension() -> None:
    """The pseudo-dimension of linear functionals on R^d is d (Anthony and Bartlett, Theorem 11.6)."""
    found = algatt.geometry.pseudo_dimension(algatt.Network(Linear(1), tokens=1, width=4))
    assert (found.lower, found.degree, found.parameters, found.status) == (4, 1, 4, "proven")
    assert found.upper == math.floor(8 * (3 + 1 / math.log(2)))  # log2 (8 e) = 3 + 1 / ln 2


def test_the_lower_bound_is_the_dimension_and_not_the_parameters() -> None:
    found = algatt.geometry.pseudo_dimension(NETWORKS["linear"])
    assert found.lower == 8  # matrices 2 x 4 of rank 2, in 18 parameters
    assert (found.parameters, found.degree) == (18, 2)
    assert found.to_dict()["lower"] == 8


def test_no_upper_bound_without_a_degree() -> None:
    found = algatt.geometry.pseudo_dimension(NETWORKS["softmax"])
    assert (found.upper, found.degree, found.lower) == (None, None, 17)  # HMK Theorem 3.9: 2 a d - a^2 + d^2
    assert "no bound is known" in found._repr_html_()


def test_bad_input() -> None:
    with pytest.raises(InvalidArgument, match="arch was None"):
        algatt.geometry.pseudo_dimension(None)
    with pytest.raises(InvalidArgument, match="seed was -1"):
        algatt.geometry.pseudo_dimension(NETWORKS["linear"], seed=-1)
