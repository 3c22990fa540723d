"""Certificates of normalised networks that somebody made who wants them to be believed."""

from __future__ import annotations

import copy
import json
from decimal import Decimal

import flint

import algatt
from algatt.certificates.version_1 import DimensionCertificate, recompute
from claims import RATIONAL, Claims, altered, reasons
from old_certificates import old_certificate


def network_of(claims: Claims) -> recompute.Network:
    arch = claims["architecture"]
    return recompute.Network(arch["dims"], arch["ranks"], arch["tokens"], recompute.score_of(arch["score"]))


def larger(claims: Claims) -> Claims:
    """Claim one more than the truth: with a true upper bound that is weaker by one, and a minor of the Jacobian that
    vanishes.
    """
    claims = copy.deepcopy(claims)
    network, lower, upper = network_of(claims), claims["lower_bound"], claims["upper_bound"]
    lower["rows"].append(network.outputs * claims["inputs"])
    lower["value"] += 1
    lower["columns"] = list(range(lower["value"]))
    claims.update(dimension=lower["value"], inputs=claims["inputs"] + 1)
    upper["rows"].pop()
    upper["value"] += 1
    upper["symmetries"][-1]["removes"] -= 1
    where = recompute.modular_point(network, claims["prime"], claims["seed"])
    families = [family["name"] for family in upper["symmetries"]]
    reduced, order = recompute.tangent_minor(where, families, upper["rows"], list(range(network.parameters))).rref()
    upper["columns"] = [next(j for j in range(network.parameters) if int(reduced[i, j])) for i in range(order)]
    upper["determinant"] = recompute.determinant(
        recompute.tangent_minor(where, families, upper["rows"], upper["columns"])
    )
    return claims


def test_a_larger_dimension_is_not_proven(softmax: Claims, rational: Claims) -> None:
    assert reasons(larger(softmax)) == "the minor of the lower bound is not told from zero with 4096 bits"
    claims = larger(rational)
    for determinant in (
        claims["lower_bound"]["determinant"],
        0,
    ):  # a forger may say what the minor is, which proves nothing
        assert (
            reasons(altered(claims, ("lower_bound", "determinant"), determinant))
            == "the minor of the lower bound vanishes"
        )


def test_a_weaker_real_certificate_claims_bounds_only(softmax: Claims) -> None:
    """A smaller minor is as true, and its status is no proof of the dimension."""
    claims = copy.deepcopy(softmax)
    lower, network = claims["lower_bound"], network_of(claims)
    lower["rows"].pop()
    lower["columns"].pop()
    lower["value"] -= 1
    claims.update(dimension=lower["value"], inputs=max(lower["rows"]) // network.outputs + 1)
    assert "do not make the dimension proven" in reasons(claims)
    where = recompute.real_point(network, 100, claims["seed"])
    value = recompute.enclosed_determinant(where, recompute.jacobian_minor(where, lower["rows"], lower["columns"]))
    lower["determinant"] = f"{Decimal(value.str(25, radius=False)):.9e}"
    assert "do not make the dimension probable" in reasons({**claims, "status": "probable"})
    report = algatt.verify(DimensionCertificate({**claims, "status": "numerical"}, ""))
    assert report.reasons == ()
    assert report.claim.endswith("has dimension at least 6 and at most 7")


def poles(claims: Claims, p: int, count: int) -> list[int]:
    """The inputs among the first ones at which a denominator vanishes."""
    where = recompute.modular_point(network_of(claims), p, claims["seed"])
    found = []
    for number in range(count):
        try:
            recompute.traces(where, number)
        except ZeroDivisionError:
            found.append(number)
    return found


def test_poles_are_left_out_by_the_maker_and_refuted_by_the_verifier() -> None:
    claims = json.loads(old_certificate(RATIONAL, field=algatt.PrimeField(31)).to_json())["claims"]
    found = poles(claims, claims["prime"], claims["inputs"])
    used = {row // 6 for row in claims["lower_bound"]["rows"]}
    assert found
    assert not used & set(found)
    rows = claims["lower_bound"]["rows"]
    rows[0] = found[0] * 6
    assert reasons(claims) == "a denominator vanishes at an input of the lower bound's minor"


def test_a_pole_over_the_reals_is_refuted() -> None:
    """A score whose denominator has a ball around zero: the balls that come of it contain everything."""
    x = flint.arb(0, 1)
    value, slope = recompute.score_of({"name": "Rational", "numerator": [1], "denominator": [0, 1]}).at(x)
    assert 0 in value
    assert 0 in slope
