"""Dimensions that are verified, and what is refused."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest

import algatt
from algatt.certificates.verifier.balls import RealBalls, Undecided, precision
from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.dimension import DimensionClaim, verify_dimension, wrong_ambient_space
from algatt.certificates.verifier.directions import AmbientFamily
from algatt.certificates.verifier.kinds import verify_document
from algatt.certificates.verifier.limits import MOST_ORDER, Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import hash_of, parse
from algatt.certificates.verifier.stream import odd_numbers, residues, words
from algatt.fields import Balls
from algatt.layers import Affine, Feedforward, Heads, Power, Residual, RMSNorm, Unnormalized
from certified import claims_of

flint = pytest.importorskip("flint")

NARROW = algatt.Lightning(dims=(3, 3, 1), ranks=(1, 2), tokens=2)
"""With directions that nothing reads, which a theorem finds."""


def test_a_dimension_of_the_paper_is_verified():
    """HMK Theorem 3.7 gives 33 for this network."""
    verdict = verify_dimension(claims_of(algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)))
    assert verdict.reasons == () == verdict.rests_on
    assert "52 parameters" in verdict.claim
    assert verdict.claim.endswith("a neuromanifold of dimension 33")


def test_what_rests_on_a_theorem_is_said():
    verdict = verify_dimension(claims_of(NARROW))
    assert verdict.reasons == ()
    assert len(verdict.rests_on) == 1


def test_a_dimension_too_small_is_not_proven_by_the_kernel_of_a_few_rows():
    """Five rows have a kernel of 47 directions at the point, which somebody calls a theorem."""
    arch = algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)
    claims = claims_of(arch)
    prime = algatt.PrimeField(claims["prime"])
    theta = algatt.sample(arch, algatt.Weights, field=prime, seed=claims["seed"])
    numbers = [0, 13, 26, 39, 52]
    J = []
    for number, output in (divmod(row, 12) for row in numbers):
        X = algatt.sample_inputs(arch, field=prime, seed=claims["seed"], start=number, count=1)
        J.append(algatt.jacobian(arch, theta, X)[output])
    matrix = flint.nmod_mat(5, 52, [int(entry) for row in J for entry in row], prime.p)
    kernel, rank = matrix.nullspace()
    assert rank == 47
    directions = [[int(kernel[i, k]) for i in range(52)] for k in range(47)]
    tangents = [[x for column, value in enumerate(one) if value for x in (column, value)] for one in directions]
    square = flint.nmod_mat(47, 52, [entry for one in directions for entry in one], prime.p)
    _, pivots = columns_of_rank(square)
    minor = flint.nmod_mat(47, 47, [one[j] for one in directions for j in pivots], prime.p)
    small, chosen = columns_of_rank(matrix)
    lower = flint.nmod_mat(5, 5, [int(matrix[i, j]) for i in range(5) for j in chosen], prime.p)
    assert small == 5
    claims |= {
        "dimension": 5,
        "lower_bound": {"value": 5, "determinant": int(lower.det()), "rows": numbers, "columns": chosen},
        "upper_bound": {
            "value": 5,
            "families": [
                {"name": "x", "removes": 47, "by": "theorem", "theorem": "terms that mix", "tangents": tangents}
            ],
            "determinant": int(minor.det()),
            "rows": list(range(47)),
            "columns": pivots,
        },
    }
    (reason,) = verify_dimension(claims).reasons
    assert reason.startswith("the value changes along a family that is claimed by a theorem")


def columns_of_rank(matrix: Any) -> tuple[int, list[int]]:
    """Return the rank, and columns of a minor of all rows."""
    reduced, rank = matrix.rref()
    return rank, [next(j for j in range(matrix.ncols()) if int(reduced[i, j])) for i in range(rank)]


def test_families_by_theorems_are_left_out_beside_real_minors():
    """Over balls the directions that nothing reads are not claimed, so that the dimension is bounded from both sides
    only.
    """
    arch = algatt.Normalized((2, 4, 1, 3), (1, 3, 2), 2, Affine(1, 0))
    assert algatt.dimension(arch, field=Balls()).status == "proven"
    certificate = algatt.certify(arch, field=Balls())
    assert certificate.status == "numerical"
    assert algatt.verify(certificate).ok
    with_theorems = claims_of(NARROW)["upper_bound"]["families"][-1]
    claims = copy.deepcopy(certificate.claims)
    claims["upper_bound"]["families"].append(with_theorems | {"removes": 0, "tangents": [[0, 1]]})
    assert verify_dimension(claims).reasons


def test_the_ambient_space_is_compared_with_values():
    """Seven squares of linear forms in three variables span the quadratic forms: 6 for each of 3 rows."""
    net = algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3)
    claims = claims_of(net)
    assert (claims["dimension"], claims["status"]) == (18, "proven")
    assert claims["upper_bound"]["families"][-1]["by"] == "ambient"
    verdict = verify_dimension(claims)
    assert verdict.reasons == ()
    assert "space in which all functions lie" in verdict.rests_on[0]
    family = claims["upper_bound"]["families"][-1]
    family["removes"] += 1
    claims["upper_bound"]["value"] -= 1
    claims["lower_bound"]["value"] -= 1
    claims["dimension"] -= 1
    for axis in ("rows", "columns"):
        del claims["lower_bound"][axis][-1]
    field = Residues(claims["prime"])
    assert field.p == claims["prime"]
    reasons = verify_dimension(claims).reasons
    assert any(
        "values at random weights span 18 dimensions, more than the ambient space of 17" in one for one in reasons
    )


def test_the_ambient_space_is_compared_with_values_beside_a_real_minor():
    claims = claims_of(algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3), field=Balls())
    assert claims["upper_bound"]["families"][-1]["by"] == "ambient"
    assert verify_dimension(claims).reasons == ()
    claims["upper_bound"]["families"][-1]["removes"] += 1
    claims["upper_bound"]["value"] -= 1
    claims["status"] = "numerical"
    reasons = verify_dimension(claims).reasons
    assert reasons == ("values at random weights span 18 dimensions, more than the ambient space of 17",)


def test_a_large_ambient_space_is_refused_at_once():
    network = Network(parse(["tensor W  : 3000 x 1000"]), "0" * 64, {"W": (3000, 1000)}, False)
    claim = DimensionClaim(network, [AmbientFamily("all", 1)], Residues(101), {"upper_bound": {"value": 2_999_999}})
    with pytest.raises(Refused, match="ambient space"):
        next(wrong_ambient_space(claim))


def test_the_ambient_space_comes_last():
    claims = claims_of(algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3))
    claims["upper_bound"]["families"].reverse()
    assert "the ambient space is not the last family" in verify_dimension(claims).reasons


def test_large_claims_are_refused_at_once():
    claims = claims_of(NARROW)
    claims["lower_bound"]["rows"] = list(range(MOST_ORDER + 1))
    with pytest.raises(Refused, match=f"at most {MOST_ORDER}"):
        verify_dimension(claims)
    lines = ["tensor W  : 1000 x 1000", "input  : 1000 x 1", "product %0 %1  : 1000 x 1"]
    large = claims | {"program": lines, "tensors": [["W", 1000, 1000]]}
    large["sha256"] = hash_of(lines)
    large["lower_bound"] = {"value": 0, "determinant": 1, "rows": list(range(2000)), "columns": []}
    large["upper_bound"] = {"value": 0, "determinant": 1, "rows": [], "columns": [], "families": []}
    with pytest.raises(Refused, match="steps"):
        verify_dimension(large)


def test_constants_whose_denominators_the_prime_divides_have_no_residues():
    with pytest.raises(Refused, match="denominator"):
        Residues(7).number(Fraction(1, 14))
    assert int(Residues(7).number(Fraction(-3, 2))) == 2


def test_balls_refuse_what_they_do_not_tell_apart():
    field = RealBalls()
    with precision(53):
        wide = flint.arb(0, 1)
        with pytest.raises(Undecided):
            field.gate(wide)
        with pytest.raises(Undecided):
            field.function("sqrt", wide)
        with pytest.raises(Refused):
            field.function("log", flint.arb(-1))
        with pytest.raises(Undecided):
            field.largest([flint.arb(1), flint.arb(1), flint.arb(0)], 1)
        assert field.largest([flint.arb(1), flint.arb(1), flint.arb(0)], 2) == [1, 1, 0]
        assert (field.gate(flint.arb(2)), field.gate(flint.arb(-2))) == (1, 0)


def test_the_precision_is_what_it_was_afterwards():
    before = flint.ctx.prec
    with precision(777):
        assert flint.ctx.prec == 777
    assert flint.ctx.prec == before


def test_the_stream_is_the_one_that_is_documented():
    """The residues of the page on the random stream; words that are too large are left out."""
    assert residues(0, "weights", 8, 31) == [20, 20, 19, 2, 11, 26, 20, 7]
    p = 2**63 - 25  # a word in two is too large
    drawn = [word % p for word in words(5, "x", 100) if word < p * (2**64 // p)]
    assert residues(5, "x", 20, p) == drawn[:20]
    odd = odd_numbers(5, "x", 50)
    assert all(number % 2 and abs(number) < 2**24 for number in odd)
    assert [number > 0 for number in odd] == [word >= 2**63 for word in words(5, "x", 50)]


def test_tensors_that_are_not_read_count_as_parameters_that_remove_themselves():
    claims = claims_of(algatt.Network(Residual(Heads(1, width=1, score=Unnormalized())), tokens=2, width=2))
    claims["tensors"].append(["nobody reads me", 1, 1])
    claims["parameters"] += 1
    assert verify_dimension(claims).reasons  # the upper bound is another one


def test_claims_of_another_network_are_not_those_of_this_one():
    one = claims_of(algatt.Network(Residual(RMSNorm() >> Feedforward(2)), tokens=2, width=2))
    other = claims_of(algatt.Network(Residual(RMSNorm(eps=0) >> Feedforward(2)), tokens=2, width=2))
    for name in ("program", "sha256"):
        one[name] = other[name]
    assert verify_dimension(one).reasons


def test_documents_of_other_kinds_are_refused():
    document = json.loads(algatt.certify(NARROW).to_json())
    for change in ({"format": "x"}, {"version": 3}, {"version": "2"}, {"stream": "x"}, {"more": 1}, {"claims": []}):
        with pytest.raises(Refused):
            verify_document({**document, **change})
