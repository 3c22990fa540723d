"""Dimensions that are verified, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import algatt
from algatt.certificates.verifier.balls import RealBalls, Undecided, precision
from algatt.certificates.verifier.dimension import dimension_in_words, verify_dimension
from algatt.certificates.verifier.kinds import verify_document
from algatt.certificates.verifier.limits import MOST_ORDER, MOST_REAL_ORDER, Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import hash_of
from algatt.certificates.verifier.stream import odd_numbers, residues, words
from algatt.fields import Balls
from algatt.layers import Feedforward, Heads, Residual, RMSNorm, Unnormalized
from certified import claims_of

flint = pytest.importorskip("flint")

NARROW = algatt.Lightning(dims=(2, 2, 1), ranks=(1, 1), tokens=2)


def test_a_dimension_of_the_paper_is_verified():
    """HMK Theorem 3.7 gives 33 for this network."""
    verdict = verify_dimension(claims_of(algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)))
    assert verdict.reasons == () == verdict.rests_on
    assert "52 parameters" in verdict.claim
    assert verdict.claim.endswith("a neuromanifold of dimension 33")


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


def test_large_real_minors_are_refused_at_once():
    """Also where they are made, since the claims are read there."""
    claims = claims_of(NARROW, field=Balls())
    claims["lower_bound"]["rows"] = list(range(MOST_REAL_ORDER + 1))
    with pytest.raises(Refused, match=f"a real minor of order {MOST_REAL_ORDER + 1}"):
        dimension_in_words(claims)


def test_real_minors_of_long_programs_are_refused_at_once():
    """A row of 10^5 results takes 10^5 steps; over a hundred rows are too many for balls, not for residues."""
    lines = ["tensor W  : 1 x 1", "input  : 50000 x 1", "product %1 %0  : 50000 x 1"]
    claims = claims_of(NARROW, field=Balls())
    claims |= {"program": lines, "sha256": hash_of(lines), "tensors": [["W", 1, 1]], "scales": [0]}
    claims["lower_bound"] |= {"rows": list(range(120))}
    with pytest.raises(Refused, match="at most 10000000 steps"):
        dimension_in_words(claims)
    claims["lower_bound"]["determinant"] = 1
    del claims["scales"]
    claims["upper_bound"]["families"] = []
    assert dimension_in_words(claims)


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
