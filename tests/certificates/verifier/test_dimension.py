"""Dimensions that are verified, and forgeries that are put together with care."""

from __future__ import annotations

import copy
import json
import re
from fractions import Fraction
from typing import Any

import pytest

import algatt
from algatt.certificates.verifier.balls import RealBalls, Undecided, precision
from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.degree import degree_of, prime_of_hash
from algatt.certificates.verifier.dimension import DimensionClaim, verify_dimension, wrong_ambient_space
from algatt.certificates.verifier.directions import AmbientFamily
from algatt.certificates.verifier.kinds import verify_document
from algatt.certificates.verifier.limits import MOST_ORDER, Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import hash_of, parse
from algatt.certificates.verifier.stream import odd_numbers, residues, words
from algatt.fields import Balls
from algatt.layers import Affine, Feedforward, Heads, Power, Residual, RMSNorm, Unnormalized

flint = pytest.importorskip("flint")

NARROW = algatt.Lightning(dims=(3, 3, 1), ranks=(1, 2), tokens=2)
"""With directions that nothing reads, which a theorem finds."""


def claims_of(network: Any, **options: Any) -> Any:
    return json.loads(algatt.certify(network, **options).to_json())["claims"]


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


def mended_reasons(claims: Any) -> tuple[str, ...]:
    """Return what is wrong with claims whose determinants are made right."""
    while True:
        reasons = verify_dimension(claims).reasons
        found = [re.fullmatch(r"the minor of the (lower|upper) bound is (\d+), not .*", reason) for reason in reasons]
        if not any(found):
            return reasons
        for match in filter(None, found):
            claims[f"{match[1]}_bound"]["determinant"] = int(match[2])


SMALL = algatt.Lightning(dims=(2, 2, 1), ranks=(1, 1), tokens=2)


def larger_than_its_minor(claims: Any) -> None:
    del claims["lower_bound"]["rows"][-1], claims["lower_bound"]["columns"][-1]


def smaller_than_what_families_leave(claims: Any) -> None:
    larger_than_its_minor(claims)
    claims["lower_bound"]["value"] -= 1
    claims["upper_bound"]["value"] -= 1
    claims["dimension"] -= 1


def without_a_row_of_the_tangents(claims: Any) -> None:
    del claims["upper_bound"]["rows"][-1], claims["upper_bound"]["columns"][-1]


def family_with_rows_of_another(claims: Any) -> None:
    first, second = claims["upper_bound"]["families"][1:3]
    first["removes"], second["removes"] = 2, 0


def not_square(claims: Any) -> None:
    del claims["lower_bound"]["columns"][-1]


def twice(claims: Any) -> None:
    claims["lower_bound"]["columns"][-1] = claims["lower_bound"]["columns"][0]


def beyond_the_parameters(claims: Any) -> None:
    claims["lower_bound"]["columns"][-1] = 14


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (larger_than_its_minor, "a minor of order 5 does not prove the lower bound 6"),
        (smaller_than_what_families_leave, "families that remove 8 do not make the upper bound 5"),
        (without_a_row_of_the_tangents, "a minor of order 7 does not show what the families remove"),
        (family_with_rows_of_another, "has 1 directions, not 2"),
        (not_square, "has 6 rows and 5 columns"),
        (twice, "has columns twice"),
        (beyond_the_parameters, "has columns outside 0..13"),
        (lambda claims: claims.update(status="probable"), "do not make the dimension 'probable'"),
        (lambda claims: claims.update(dimension=7), "the dimension 7 is not the lower bound 6"),
        (lambda claims: claims.update(parameters=15), "the network has 14 parameters, not 15"),
    ],
)
def test_forgeries_whose_determinants_are_right_are_refuted(change, why):
    claims = claims_of(SMALL)
    assert (claims["dimension"], claims["parameters"]) == (6, 14)
    change(claims)
    assert any(why in reason for reason in mended_reasons(claims))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda claims: claims.update(prime=8388593 * 3), "a prime below"),
        (lambda claims: claims.update(prime=2**89 - 1), "an integer from"),
        (lambda claims: claims["tensors"][0].reverse(), "a name that stands once"),
        (lambda claims: claims["tensors"].__setitem__(1, claims["tensors"][0]), "a name that stands once"),
        (lambda claims: claims["tensors"].__setitem__(0, ["Q_1", 2, 1]), "one of claims.tensors"),
        (lambda claims: claims["tensors"].__setitem__(0, ["q", 1, 2]), "one of claims.tensors"),
        (lambda claims: claims.update(reads="pictures"), "'vectors', 'tokens', or as"),
    ],
)
def test_claims_of_networks_that_are_none_are_refused(change, why):
    claims = claims_of(SMALL)
    change(claims)
    with pytest.raises(Refused, match=why):
        verify_dimension(claims)


def test_a_minor_that_vanishes_proves_nothing():
    """A tensor that nobody reads has a column of zeros; everything else is consistent."""
    claims = claims_of(SMALL)
    claims["tensors"].append(["nobody reads me", 1, 1])
    claims["parameters"], claims["status"] = 15, "probable"
    claims["upper_bound"]["value"] = 7
    claims["lower_bound"]["columns"][-1] = 14
    claims["lower_bound"]["determinant"] = 0
    assert verify_dimension(claims).reasons == ("the minor of the lower bound vanishes",)


def test_entries_that_are_seen_are_not_claimed_to_be_unseen():
    claims = claims_of(SMALL)
    claims["upper_bound"]["families"][-1] = {
        "name": "x",
        "removes": 1,
        "by": "unseen",
        "entries": {"V_2": [[0, 0]]},
    }
    (reason,) = mended_reasons(claims)
    assert reason.startswith("the family 'x'")


@pytest.mark.parametrize(
    ("tangent", "why"),
    [([0, 1, 0, 2], "each parameter once"), ([0], "numbers of parameters"), ([14, 1], "numbers of parameters")],
)
def test_directions_of_theorems_have_each_parameter_once(tangent, why):
    claims = claims_of(SMALL)
    family = {"name": "x", "removes": 1, "by": "theorem", "theorem": "terms that mix", "tangents": [tangent]}
    claims["upper_bound"]["families"][-1] = family
    with pytest.raises(Refused, match=why):
        verify_dimension(claims)


def small_prime_claims(by: Any) -> Any:
    """Modulo 2 x and x^2 are equal, so that two weights seem to count together."""
    program = [
        "tensor W  : 1 x 2",
        "input  : 1 x 1",
        "multiply %1 %1  : 1 x 1",
        "concatenate %1 %2 0  : 2 x 1",
        "product %0 %3  : 1 x 1",
    ]
    moving = [0] * (by["by"] == "theorem")
    return {
        "kind": "dimension",
        "program": program,
        "sha256": hash_of(program),
        "tensors": [["W", 1, 2]],
        "reads": "vectors",
        "dimension": 1,
        "status": "proven",
        "parameters": 2,
        "prime": 2,
        "seed": next(seed for seed in range(100) if residues(seed, "input/0", 1, 2) == [1]),
        "lower_bound": {"value": 1, "rows": [0], "columns": [0], "determinant": 1},
        "upper_bound": {
            "value": 1,
            "rows": moving,
            "columns": moving,
            "determinant": 1,
            "families": [{"name": "both", "removes": 1, **by}],
        },
    }


def test_theorems_are_not_tested_modulo_small_primes():
    claims = small_prime_claims({"by": "theorem", "theorem": "shifts", "tangents": [[0, 1, 1, 1]]})
    told = "families that are claimed by theorems are tested modulo primes of at least 1048576, not 2"
    assert verify_dimension(claims).reasons == (told,)


def test_ambient_spaces_are_tested_modulo_a_prime_that_nobody_chose():
    (reason,) = verify_dimension(small_prime_claims({"by": "ambient"})).reasons
    assert reason == "values at random weights span 2 dimensions, more than the ambient space of 1"


def test_theorems_are_not_tested_modulo_primes_below_the_degree():
    """x^8388593 and x have equal values modulo 8388593."""
    lines = ["tensor W  : 1 x 2", "input  : 1 x 1"]
    result, power = "%1", 1
    for bit in f"{8388593:b}"[1:]:
        lines.append(f"multiply {result} {result}  : 1 x 1")
        result, power = f"%{len(lines) - 1}", 2 * power
        if bit == "1":
            lines.append(f"multiply {result} %1  : 1 x 1")
            result, power = f"%{len(lines) - 1}", power + 1
    assert power == 8388593
    lines += [f"concatenate %1 {result} 0  : 2 x 1", f"product %0 %{len(lines)}  : 1 x 1"]
    claims = small_prime_claims({"by": "theorem", "theorem": "shifts", "tangents": [[0, 1, 1, 8388592]]})
    claims |= {"program": lines, "sha256": hash_of(lines), "prime": 8388593, "seed": 0}
    assert degree_of(parse(lines)) == 8388593 + 1
    (reason,) = verify_dimension(claims).reasons
    assert "modulo primes of at least 33554376" in reason


def test_degrees_by_hand():
    """x / (x + y z) has the degrees 2 and 2; a sum of three such with other denominators 6 and 6."""
    lines = ["input  : 3 x 1", "tensor A  : 3 x 1", "multiply %0 %1  : 3 x 1", "add %0 %2  : 3 x 1"]
    lines += ["reciprocal %3  : 3 x 1", "multiply %0 %4  : 3 x 1"]
    assert degree_of(parse(lines)) == 2
    lines += ["constant [1 1 1]  : 1 x 3", "product %6 %5  : 1 x 1"]
    assert degree_of(parse(lines)) == 6
    lines += ["exp %7  : 1 x 1", "multiply %8 %8  : 1 x 1"]
    assert degree_of(parse(lines)) == 6


def test_the_prime_of_a_hash_is_the_first_one_from_there_on():
    assert prime_of_hash("0" * 64) == 2**61 + 15
