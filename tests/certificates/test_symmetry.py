"""Certificates of symmetries alone."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.certificates import Certificate
from algatt.certificates.verifier.kinds import claim_in_words
from algatt.certificates.verifier.program import hash_of
from algatt.certificates.verifier.symmetry import hash_of_families
from algatt.fields import Elements
from algatt.layers import Feedforward, Heads, LayerNorm, Residual, RMSNorm, SiLU
from changed_documents import INFORMATIONAL, changed, malformed, reasons, told_anew, verdict
from shifted_programs import assembled

BLOCK = algatt.Network(
    Residual(RMSNorm() >> Heads(2)) >> Residual(Feedforward(2, SiLU(), gated=True)), tokens=2, width=4
)

LIGHTNING = algatt.Lightning((2, 2, 2), (1, 2), 3)


def certificate_of(arch: Any, name: str) -> Certificate:
    (family,) = [family for family in algatt.symmetries(arch) if family.name == name]
    found: Certificate = algatt.certify(family)
    return found


def forged(certificate: Certificate, change: Any) -> Certificate:
    """Families that were changed, with all hashes and words that belong to them."""
    claims = copy.deepcopy(certificate.claims)
    change(claims["families"])
    claims["families_sha256"] = hash_of_families(claims["tensors"], claims["families"])
    return told_anew(certificate, claims)


@pytest.mark.parametrize(
    "arch", [LIGHTNING, BLOCK, algatt.Softmax((2, 3), (2,), 2)], ids=["lightning", "block", "softmax"]
)
def test_families_are_certified(arch: Any) -> None:
    typed = [family for family in algatt.symmetries(arch) if family.basis != "declared"]
    assert typed
    for family in typed:
        certificate = algatt.certify(family)
        report = algatt.verify(certificate)
        assert report.ok, (family.name, report.reasons)
        assert report.rests_on == ()
        assert report.claim == certificate.claim
        assert certificate.kind == "symmetry"


def test_the_words_say_how_the_tensors_move() -> None:
    """d Q = S Q and d K = -S^T K leave Q^T K as it is, in each layer with matrices of its rank."""
    claim = certificate_of(LIGHTNING, "key-query").claim
    assert claim.startswith("For all weights and inputs the value of the network with the program")
    assert "the 1 direction of 'key-query 1' (d K_1 = S K_1, d Q_1 = -S Q_1, for every matrix S, 1 x 1)" in claim
    assert "the 4 directions of 'key-query 2' (d K_2 = S K_2, d Q_2 = -S^T Q_2, for every matrix S, 2 x 2)" in claim


def test_a_shift_over_a_gain_is_certified() -> None:
    """Behind a norm with the gain g and the bias b all columns of W may move by v / g, one over each entry of g, if the
    bias behind W gives up v times the sum of b / g: the columns that a LayerNorm centres have the sum 0.
    """
    net = algatt.Network(LayerNorm() >> Residual(Feedforward(3, SiLU(), bias=True)), tokens=1, width=3)
    certificate = certificate_of(net, "columns of feedforward.up over norm.g")
    assert algatt.verify(certificate).ok
    moves = (
        "each column of feedforward.up by one vector divided by its entry of norm.g, each column of feedforward.b_up"
    )
    assert moves in certificate.claim
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    tensors = {name: W.raw.copy() for name, W in theta.tensors.items()}
    v = np.array([[0.5], [-2.0], [1.0]])
    tensors["feedforward.up"] += v / tensors["norm.g"].T
    tensors["feedforward.b_up"] -= v * (tensors["norm.b"] / tensors["norm.g"]).sum()
    moved = theta.replace([Elements(algatt.Reals(), tensors[name]) for name in theta.names()])
    X = np.array([[0.3], [-1.2], [0.7]])
    before, after = (algatt.evaluate(net, one, X) for one in (theta, moved))
    assert np.allclose(before, after, atol=1e-12)


def test_words_name_gains_and_constants() -> None:
    """A gain that is folded, and b + C, which is multiplied with K."""
    net = algatt.Network(Residual(LayerNorm() >> Heads(1, width=2)), tokens=2, width=3)
    assert (
        "by one vector, after 1 of the gains are folded into tensors"
        in certificate_of(net, "columns of heads.K_1").claim
    )
    lines, _ = assembled(
        "K: tensor 2 x 2; b: tensor 2 x 2; o: constant 2 x 2 [1 2 3 4]; X: input 2 x 2; Y: product K X; y: add b o; "
        "Z: add Y y; i: constant 1 x 2 [1 1]; t: product i Z; n: reciprocal t; A: multiply Z n"
    )
    axes = {name: [["rows", 0, 1, False, []]] for name in "Kb"}
    family = {"name": "numbers", "by": "constants", "spaces": [1], "basis": [[0, 0, 0, 1]], "images": {}}
    families = [family | {"axes": axes, "offsets": {"b": [1, 2, 3, 4]}}]
    claims = {"kind": "symmetry", "program": lines, "sha256": hash_of(lines), "reads": "vectors"}
    claims |= {"tensors": [["K", 2, 2], ["b", 2, 2]], "families": families}
    claims["families_sha256"] = hash_of_families(claims["tensors"], families)
    certificate = Certificate(claims, claim_in_words(claims), "test")
    assert algatt.verify(certificate).ok
    assert (
        "(d K = S K, d b = S (b + C), for 1 choice of S, 1 x 1, with a constant C for each tensor)" in certificate.claim
    )


@pytest.mark.parametrize(
    ("arch", "name"),
    [(LIGHTNING, "interlayer"), (LIGHTNING, "rescaling"), (BLOCK, "norm.g"), (BLOCK, "heads.score_1")],
)
def test_every_leaf_that_is_changed_is_refuted(arch: Any, name: str) -> None:
    document = certificate_of(arch, name).document
    assert verdict(document) == ""
    count = 0
    for place, value, other in changed(document):
        assert verdict(other), (place, value)
        count += 1
    assert count > 200


def turned(families: list[Any]) -> None:
    """K moves by S^T, as Q by S."""
    tensor = next(name for name in families[0]["axes"] if "K_" in name)
    families[0]["axes"][tensor][0][2] *= -1


def alone(families: list[Any]) -> None:
    """Only one of the tensors moves."""
    name = next(iter(families[0]["axes"]))
    families[0]["axes"] = {name: families[0]["axes"][name]}


@pytest.mark.parametrize("change", [turned, alone])
@pytest.mark.parametrize(("arch", "name"), [(LIGHTNING, "key-query"), (BLOCK, "heads.score_1")])
def test_a_family_that_moves_the_value_is_refuted(arch: Any, name: str, change: Any) -> None:
    """However the hash and the words are."""
    certificate = forged(certificate_of(arch, name), change)
    assert "the claim in words" not in reasons(certificate)
    assert reasons(certificate).startswith("the family '")


def test_the_gain_of_a_norm_that_is_divided_out_has_to_be() -> None:
    """The gain of a norm is multiplied, and what reads its result divided: without one of the readers the value
    moves.
    """

    def without_a_reader(families: list[Any]) -> None:
        del families[0]["axes"]["heads.V_1"]

    assert reasons(forged(certificate_of(BLOCK, "norm.g"), without_a_reader)).startswith("the family 'norm.g'")


def test_families_that_hold_by_a_theorem_are_refused() -> None:
    """Two tokens of width two: for a network of two layers no types see the family of parallel tokens."""
    arch = algatt.Lightning((2, 2, 2), (1, 2), 2)
    (family,) = [one for one in algatt.symmetries(arch) if one.name == "parallel tokens"]
    with pytest.raises(algatt.errors.MethodError, match="no rule by which the function stays the same"):
        algatt.certify(family)
    claims = copy.deepcopy(certificate_of(LIGHTNING, "rescaling").claims)
    for by in ("theorem", "ambient"):
        claims["families"] = [{"name": "x", "by": by, "theorem": "trust me", "tangents": []}]
        with pytest.raises(algatt.errors.CertificateError, match="which is not checked"):
            algatt.verify(Certificate(claims, "", "test"))


def test_names_do_not_steer_a_terminal() -> None:
    certificate = forged(certificate_of(BLOCK, "heads.score_1"), lambda families: families[0].update(name="\x1b[2J\n"))
    report = algatt.verify(certificate)
    assert report.ok
    assert report.claim.isprintable()


def test_whatever_stands_there_is_refused() -> None:
    """In one line, whatever it is: nothing but `Refused` comes out of the verifier."""
    for place, value, document in malformed(certificate_of(BLOCK, "norm.g").document):
        assert verdict(document) or place[0] in INFORMATIONAL, (place, value)
