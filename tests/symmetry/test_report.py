"""All symmetries of a network at a glance."""

from __future__ import annotations

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Causal, Feedforward, Heads, Power, Residual
from algatt.symmetry import SymmetryReport

NETWORK = algatt.Network(
    Residual(Heads(2, width=1, mask=Causal())) >> Residual(Feedforward(3, Power(2))), tokens=3, width=4
)


def test_each_space_has_its_group_its_dimension_and_its_tensors() -> None:
    report = SymmetryReport.of(NETWORK)
    rows = {family.name: (family.group, family.dimension, family.tensors, family.basis) for family in report.families}
    for head in "12":  # K^T Q and O V, of rank one, count
        assert rows[f"heads.score_{head}"] == ("GL(1)", 1, (f"heads.Q_{head}", f"heads.K_{head}"), "typed")
        assert rows[f"heads.value_{head}"] == ("GL(1)", 1, (f"heads.V_{head}", f"heads.O_{head}"), "typed")
    assert rows["feedforward.hidden"] == ("T(3)", 3, ("feedforward.up", "feedforward.down"), "typed")
    assert len(rows) == 5
    assert (report.parameters, report.dimension) == (2 * 4 * 4 + 2 * 3 * 4, 7)


def test_families_that_do_not_say_their_group_have_none() -> None:
    """HMK Theorem 3.2 for one token: what is seen of A is its symmetric part."""
    report = SymmetryReport.of(algatt.Lightning((3, 2), (2,), 1))
    (parallel,) = (family for family in report.families if family.name == "quadratic form of K_1 and Q_1")
    assert (parallel.group, parallel.tensors, parallel.basis) == (None, ("Q_1", "K_1"), "arrow")


def test_the_dimension_of_all_is_at_most_the_sum() -> None:
    for arch in algatt.Lightning.examples():
        report = SymmetryReport.of(arch)
        assert report.dimension <= sum(family.dimension for family in report.families)
        assert report.dimension == algatt.symmetry.orbit_dimension(arch, algatt.sample(arch, algatt.Weights, seed=0))


def test_in_a_notebook_it_is_a_table() -> None:
    shown = SymmetryReport.of(NETWORK)._repr_html_()
    assert "GL(1), dimension 1: heads.Q_1, heads.K_1" in shown
    (family,) = (one for one in algatt.symmetries(NETWORK) if one.name == "feedforward.hidden")
    assert "feedforward.up, feedforward.down" in family._repr_html_()
    arch = algatt.Lightning((2, 2), (2,), 1)
    assert "typed" in algatt.symmetry.KeyQuery(arch)._repr_html_()
    assert "arrow" in algatt.symmetry.QuadraticForm(arch, "K_1", "Q_1")._repr_html_()


@pytest.mark.parametrize("arch", [Heads(2), None, algatt.Network])
def test_what_is_no_network_is_refused(arch: object) -> None:
    with pytest.raises(InvalidArgument, match=r"arch was .*; it should be a network"):
        SymmetryReport.of(arch)  # type: ignore[arg-type]


def test_a_seed_is_a_natural_number() -> None:
    with pytest.raises(InvalidArgument, match="seed"):
        SymmetryReport.of(NETWORK, seed=-1)
