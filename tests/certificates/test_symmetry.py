"""Certificates of symmetries alone."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.certificates import Certificate
from algatt.fields import Elements
from algatt.layers import Feedforward, Heads, LayerNorm, Residual, RMSNorm, SiLU
from changed_documents import INFORMATIONAL, malformed, reasons, verdict

BLOCK = algatt.Network(
    Residual(RMSNorm() >> Heads(2)) >> Residual(Feedforward(2, SiLU(), gated=True)), tokens=2, width=4
)

LIGHTNING = algatt.Lightning((2, 2, 2), (1, 2), 3)


def certificate_of(arch: Any, name: str) -> Certificate:
    (family,) = [family for family in algatt.symmetries(arch) if family.name == name]
    found: Certificate = algatt.certify(family)
    return found


def forged(certificate: Certificate, change: Any) -> Certificate:
    """Families that were changed."""
    claims = copy.deepcopy(certificate.claims)
    change(claims["families"])
    return Certificate(claims, "test")


@pytest.mark.parametrize(
    "arch", [LIGHTNING, BLOCK, algatt.Softmax((2, 3), (2,), 2)], ids=["lightning", "block", "softmax"]
)
def test_families_are_certified(arch: Any) -> None:
    wordless = algatt.symmetry.QuadraticForm | algatt.symmetry.UnseenDirections
    families = [family for family in algatt.symmetries(arch) if not isinstance(family, wordless)]
    assert families
    for family in families:
        certificate = algatt.certify(family)
        report = algatt.verify(certificate)
        assert report.ok, (family.name, report.reasons)
        assert f"{len(certificate.claims['directions'])} independent directions" in certificate.claim
        assert certificate.kind == "symmetry"


def test_the_words_say_how_the_tensors_move() -> None:
    """d Q = S Q and d K = -S^T K leave Q^T K as it is, in each layer with matrices of its rank."""
    claim = algatt.verify(certificate_of(LIGHTNING, "key-query")).claim
    assert claim.startswith(
        "At almost all weights, and for almost all inputs, the value of the network with the program"
    )
    assert "the 1 direction of 'key-query 1' (d K_1 = K_1, d Q_1 = -Q_1)" in claim
    assert "4 directions of 'key-query 2' (d K_2 = S K_2, d Q_2 = -(S^T Q_2), for all 2 x 2 entries of S)" in claim


def test_a_shift_over_a_gain_is_certified() -> None:
    """Behind a norm with the gain g and the bias b all columns of W may move by v / g, one over each entry of g, if the
    bias behind W gives up v times the sum of b / g: the columns that a LayerNorm centres have the sum 0.
    """
    net = algatt.Network(LayerNorm() >> Residual(Feedforward(3, SiLU(), bias=True)), tokens=1, width=3)
    certificate = certificate_of(net, "columns of feedforward.up over norm.g")
    assert algatt.verify(certificate).ok
    assert "d feedforward.up = (S * 1) reciprocal(norm.g)^T" in algatt.verify(certificate).claim
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    tensors = {name: W.raw.copy() for name, W in theta.tensors.items()}
    v = np.array([[0.5], [-2.0], [1.0]])
    tensors["feedforward.up"] += v / tensors["norm.g"].T
    tensors["feedforward.b_up"] -= v * (tensors["norm.b"] / tensors["norm.g"]).sum()
    moved = theta.replace([Elements(algatt.Reals(), tensors[name]) for name in theta.names()])
    X = np.array([[0.3], [-1.2], [0.7]])
    before, after = (algatt.evaluate(net, one, X) for one in (theta, moved))
    assert np.allclose(before, after, atol=1e-12)


def turned(families: list[Any]) -> None:
    """K moves by S^T, as Q by S."""
    tensor = next(name for name in families[0]["moves"] if "K_" in name)
    lines = families[0]["moves"][tensor]
    shape = lines[-1].partition("  :")[2]
    families[0]["moves"][tensor] = [*lines, f"negate %{len(lines) - 1}  :{shape}"]


def alone(families: list[Any]) -> None:
    """Only one of the tensors moves."""
    name = next(iter(families[0]["moves"]))
    families[0]["moves"] = {name: families[0]["moves"][name]}


@pytest.mark.parametrize("change", [turned, alone])
@pytest.mark.parametrize(("arch", "name"), [(LIGHTNING, "key-query"), (BLOCK, "heads.score_1")])
def test_a_family_that_moves_the_value_is_refuted(arch: Any, name: str, change: Any) -> None:
    certificate = forged(certificate_of(arch, name), change)
    assert reasons(certificate).startswith("the family '")


def test_the_gain_of_a_norm_that_is_divided_out_has_to_be() -> None:
    """The gain of a norm is multiplied, and what reads its result divided: without one of the readers the value
    moves.
    """

    def without_a_reader(families: list[Any]) -> None:
        del families[0]["moves"]["heads.V_1"]

    assert reasons(forged(certificate_of(BLOCK, "norm.g"), without_a_reader)).startswith("the family 'norm.g'")


def test_families_without_words_are_refused() -> None:
    """Of one token the only score is a number over itself."""
    arch = algatt.Normalized((3, 2, 1), (1, 2), 1, algatt.layers.Affine(1, 1))
    (family,) = [one for one in algatt.symmetries(arch) if one.name == "entries of Q_1"]
    with pytest.raises(algatt.errors.MethodError, match="no words by which the function stays the same"):
        algatt.certify(family)


def test_keys_and_queries_that_meet_in_a_quadratic_form() -> None:
    """Two tokens of width two that are multiples of one vector: both skew matrices of size two."""
    arch = algatt.Lightning((2, 2, 2), (1, 2), 2)
    (family,) = [one for one in algatt.symmetries(arch) if isinstance(one, algatt.symmetry.QuadraticForm)]
    report = algatt.verify(algatt.certify(family))
    assert report.ok
    assert "does not change along the 1 direction of 'quadratic form of K_2 and Q_2 1'" in report.claim


def test_names_do_not_steer_a_terminal() -> None:
    certificate = forged(certificate_of(BLOCK, "heads.score_1"), lambda families: families[0].update(name="\x1b[2J\n"))
    report = algatt.verify(certificate)
    assert report.ok
    assert report.claim.isprintable()


def test_whatever_stands_there_is_refused() -> None:
    """In one line, whatever it is: nothing but `Refused` comes out of the verifier."""
    for place, value, document in malformed(certificate_of(BLOCK, "norm.g").document):
        free = place[0] in INFORMATIONAL or (place[-1] == "name" and isinstance(value, str))
        assert verdict(document) or free or (place[1:2] == ("directions",) and type(value) is int), (place, value)
