"""Dimensions say for each family of their upper bound on what it rests."""

from __future__ import annotations

import algatt
from algatt.geometry.dimensions.evidence import FamilyRank
from algatt.layers import Feedforward, Heads, LayerNorm, Linear, Power, Residual, RMSNorm


def test_the_spaces_of_a_network_are_typed() -> None:
    report = algatt.dimension(algatt.Network(Residual(Feedforward(3, Power(2))), tokens=2, width=3))
    assert [(family.name, family.removes, family.basis) for family in report.symmetries] == [
        ("feedforward.hidden", 3, "equivariant")  # of each neuron s^2 (U x)^2 = (s U x)^2
    ]


def test_what_the_program_does_not_see_is_an_quotient() -> None:
    for arch in (algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=1), algatt.Softmax((2, 3, 1), (1, 1), 1)):
        basis = {family.name: family.basis for family in algatt.symmetries(arch)}
        assert set(basis.values()) == {"equivariant", "quotient"}
        assert {kind for name, kind in basis.items() if name.startswith(("quadratic", "unseen", "entries"))} == {
            "quotient"
        }


def test_what_was_written_before_there_was_a_basis_is_declared() -> None:
    assert FamilyRank("key-query", 4) == FamilyRank("key-query", 4, "declared")


def test_the_basis_is_in_json_and_in_the_table() -> None:
    report = algatt.dimension(algatt.Network(Linear(2) >> Linear(2), tokens=1, width=2))
    assert [family["basis"] for family in report.to_dict()["symmetries"]] == ["equivariant"]
    assert ", proven by the code" in report._repr_html_()


def test_a_gain_that_is_folded_is_an_quotient() -> None:
    net = algatt.Network(
        Residual(RMSNorm() >> Heads(1, width=1, biases="K")) >> LayerNorm() >> Linear(2), tokens=2, width=2
    )
    basis = {family.name: family.basis for family in algatt.symmetries(net)}
    assert basis["norm_1.g"] == "quotient"
    assert {kind for name, kind in basis.items() if "heads.value" in name} == {"equivariant"}
    (gain,) = (family for family in algatt.symmetries(net) if family.name == "norm_1.g")
    part = gain.tangent_parts(algatt.sample(net, algatt.Weights, seed=0))[0]
    assert {name for name, _ in gain.sides} == set(part)
