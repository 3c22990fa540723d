"""Certificates of normalised networks: modulo a prime, and with a real minor; what is false in them is refuted."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest

import algatt
from algatt.certificates import recompute
from algatt.cli.main import main

SOFTMAX = algatt.Softmax((2, 2), (1,), 2, Fraction(3, 2))
RATIONAL = algatt.Normalized((2, 3, 2), (2, 1), 3, algatt.layers.Rational((1, 3), (2, 1)))
"""A multiple of the numerator would make another certificate that is as true: the network does not change."""

SCORES = [
    algatt.layers.Affine(-2, 3),
    algatt.layers.Affine(1, 0),
    algatt.layers.Power(2),
    algatt.layers.Power(3),
    algatt.layers.Rational((1,), (2, 1)),
    algatt.layers.Rational((0, 0, 1), (0, 1)),
    algatt.layers.Rational((1, 1, 1), (3, 0, 1)),
]

SHAPES = [
    ((3, 2), (2,), 2),
    ((3, 3, 3), (1, 2), 3),
    ((1, 3, 4), (2, 3), 2),
    ((2, 4, 1, 3), (1, 3, 2), 2),
    ((4, 4, 1), (1, 1), 2),
    ((3, 2), (2,), 1),
]

Claims = dict[str, Any]


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), SHAPES)
def test_what_is_made_is_verified(dims: tuple[int, ...], ranks: tuple[int, ...], tokens: int, score: Any) -> None:
    """Modulo the default prime, a small one with many poles, and over the reals."""
    arch = algatt.Normalized(dims, ranks, tokens, score)
    for field in (algatt.PrimeField(), algatt.PrimeField(101), algatt.Balls(64)):
        certificate = algatt.certify(arch, seed=3, field=field)
        assert algatt.verify(certificate).reasons == ()
        assert isinstance(certificate.claims["lower_bound"]["determinant"], str) == isinstance(field, algatt.Balls)


@pytest.mark.parametrize("temperature", [1, Fraction(1, 2), 3, 0.1])
@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"), [*SHAPES, ((4, 3, 4), (2, 2), 3), ((3, 3, 3, 3, 3), (2, 2, 2, 2), 3)]
)
def test_softmax_is_verified(dims: tuple[int, ...], ranks: tuple[int, ...], tokens: int, temperature: Any) -> None:
    certificate = algatt.certify(algatt.Softmax(dims, ranks, tokens, temperature), seed=1)
    assert algatt.verify(certificate).reasons == ()
    assert certificate.status == "proven"


def test_a_precision_that_just_suffices_is_verified() -> None:
    """Whatever the precision at first, it is enough for the ten digits that are written in the end."""
    arch = algatt.Normalized((3, 3, 3), (1, 2), 3, algatt.layers.Power(3))
    for bits in range(24, 40):
        certificate = algatt.certify(arch, field=algatt.Balls(bits))
        assert algatt.verify(certificate).reasons == ()
        assert certificate.status == "proven"


def test_a_precision_that_never_suffices_is_verified() -> None:
    """At the lowest temperatures values and scores differ so much that the highest precision tells a part of the rank
    only (of 11, by Eq 16).
    """
    for temperature in (Fraction(1, 10**300), Fraction(1, 10**400)):
        certificate = algatt.certify(algatt.Softmax((2, 3, 2), (1, 2), 2, temperature))
        report = algatt.verify(certificate)
        assert report.reasons == ()
        assert certificate.status == "numerical"
        assert report.claim.endswith(f"has dimension at least {certificate.dimension} and at most 11")


def test_lightning_over_the_reals_is_verified() -> None:
    certificate = algatt.certify(algatt.Lightning((3, 2, 3), (2, 1), 2), field=algatt.Balls())
    assert algatt.verify(certificate).ok
    assert certificate.dimension == 17


def test_a_larger_network_is_verified() -> None:
    certificate = algatt.certify(algatt.Softmax((10, 10, 10), (2, 2), 3))
    report = algatt.verify(certificate)
    assert report.ok
    assert report.claim.endswith("score=Exponential(temperature=1)) has dimension 172")


def test_the_file_says_how_the_point_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    algatt.certify(SOFTMAX).save(path)
    document = json.loads(path.read_text())
    assert document["version"] == 2
    assert "(2 * floor(w / 2^40) + 1 - 2^24) / 2^23" in document["stream"]
    assert document["claims"]["architecture"]["score"] == {"name": "Exponential", "temperature": "3/2"}
    assert document["claims"]["prime"] == algatt.PrimeField().p
    assert "log2" not in json.loads(algatt.certify(RATIONAL).to_json())["stream"]
    assert algatt.verify(path).ok


def test_the_command_line_verifies_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate.json"
    algatt.certify(SOFTMAX).save(path)
    assert main(["verify", str(path)]) == 0
    assert "score=Exponential(temperature=3/2)) has dimension 7" in " ".join(capsys.readouterr().out.split())
    path.write_text(path.read_text().replace('"3/2"', '"2/3"'))
    assert main(["verify", str(path)]) == 1


@pytest.fixture(scope="module")
def softmax() -> Claims:
    return json.loads(algatt.certify(SOFTMAX).to_json())["claims"]


@pytest.fixture(scope="module")
def rational() -> Claims:
    return json.loads(algatt.certify(RATIONAL).to_json())["claims"]


def refuted(claims: Claims) -> bool:
    """Return whether `verify` finds the claims false, or no claims at all."""
    try:
        report = algatt.verify(algatt.certificates.Certificate(claims, "test"))
    except algatt.errors.CertificateError:
        return True
    assert report.ok == (not report.reasons)
    return not report.ok


def reasons(claims: Claims) -> str:
    return "; ".join(algatt.verify(algatt.certificates.Certificate(claims, "test")).reasons)


def paths(value: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves of nested lists and dicts, and of these themselves."""
    if prefix:
        yield prefix
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(entry, (*prefix, key))


def altered(claims: Claims, path: tuple[Any, ...], entry: Any) -> Claims:
    claims = copy.deepcopy(claims)
    at: Any = claims
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = entry
    return claims


def test_the_claims_are_true(softmax: Claims, rational: Claims) -> None:
    """So that the refutations below are refutations of what was changed."""
    assert not refuted(softmax)
    assert not refuted(rational)


@pytest.mark.parametrize(
    "entry",
    [0, -1, 10**30, 10**2000, 1.5, True, None, "", "x", "nan", [], [1, 1], {}, {"name": "Exponential"}],
    ids=lambda entry: repr(entry)[:20],
)
@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_everything_replaced_is_refuted(which: str, entry: Any, request: pytest.FixtureRequest) -> None:
    claims = request.getfixturevalue(which)
    for path in paths(claims):
        changed = altered(claims, path, entry)
        assert changed == claims or refuted(changed), path


@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_every_changed_number_is_refuted(which: str, request: pytest.FixtureRequest) -> None:
    """Each by one more, and one less; the digits of a real determinant have a test of their own."""
    claims = request.getfixturevalue(which)
    changed = 0
    for path in paths(claims):
        at: Any = claims
        for key in path:
            at = at[key]
        if type(at) is int:
            assert refuted(altered(claims, path, at + 1)), path
            assert refuted(altered(claims, path, at - 1)), path
            changed += 1
    assert changed > 25


@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_missing_and_additional_claims_are_refused(which: str, request: pytest.FixtureRequest) -> None:
    claims = request.getfixturevalue(which)
    for path in paths(claims):
        if isinstance(path[-1], str):
            without = copy.deepcopy(claims)
            at: Any = without
            for key in path[:-1]:
                at = at[key]
            at["another"] = 1
            with pytest.raises(algatt.errors.CertificateError):
                algatt.verify(algatt.certificates.Certificate(without, ""))
            del at["another"], at[path[-1]]
            assert refuted(without), path


def test_every_digit_of_a_real_determinant(softmax: Claims) -> None:
    """Each by one more and one less, and those of the exponent; and the sign."""
    text = softmax["lower_bound"]["determinant"]
    changed = 0
    for match in re.finditer(r"[0-9]", text):
        for step in (1, 9):
            other = f"{text[: match.start()]}{(int(match[0]) + step) % 10}{text[match.end() :]}"
            assert refuted(altered(softmax, ("lower_bound", "determinant"), other)), other
            changed += 1
    assert changed >= 22
    negated = text.removeprefix("-") if text.startswith("-") else f"-{text}"
    assert "the minor of the lower bound is [" in reasons(altered(softmax, ("lower_bound", "determinant"), negated))


def test_a_real_determinant_is_written_in_one_way(softmax: Claims) -> None:
    text = softmax["lower_bound"]["determinant"]
    digits, exponent = text.split("e")
    others = [
        f"{digits}0e{exponent}",
        f"{digits[:-1]}e{exponent}",
        f"{digits}E{exponent}",
        f"{digits}e+{exponent}",
        f"{digits}e0{exponent}",
        f" {text}",
    ]
    others += [f"[{text} +/- 1e-30]", f"{text} ", f"{text}\n", f"+{text}", f"{digits.replace('.', ',')}e{exponent}"]
    for other in others:
        assert "is not a number of ten digits" in reasons(altered(softmax, ("lower_bound", "determinant"), other)), (
            other
        )


def test_real_determinants_are_those_of_exact_arithmetic() -> None:
    """Over the rationals, by the formulas of the verifier: of a lightning network all numbers are dyadic."""
    certificate = algatt.certify(algatt.Lightning((3, 2), (2,), 2), field=algatt.Balls())
    claims = certificate.claims
    arch, lower = claims["architecture"], claims["lower_bound"]
    where = recompute.real_point(recompute.Network(arch["dims"], arch["ranks"], arch["tokens"]), 10**4, claims["seed"])
    minor = recompute.jacobian_minor(where, lower["rows"], lower["columns"])
    exact = flint.fmpq_mat(*[minor.nrows()] * 2, [fraction_of(entry) for entry in minor.entries()]).det()
    assert f"{Decimal(int(exact.p)) / Decimal(int(exact.q)):.9e}".replace("e+", "e") == lower["determinant"]


def fraction_of(exact: flint.arb) -> flint.fmpq:
    """The rational number that an exact ball is."""
    mantissa, exponent = exact.man_exp()
    return flint.fmpq(mantissa) * flint.fmpq(2) ** int(exponent)


FALSE_DIGITS = [
    *(
        "",
        "0",
        "1",
        "-1",
        "[0 +/- 1]",
        "[0.25 +/- 0.01]",
        "[+/- inf]",
        "nan",
        "inf",
        "1e999999999",
        "1e-999999999",
        "1.5",
        "1.000000000",
        "pi",
    ),
    *(
        "0.000000000e0",
        "0.123456789e0",
        "1.000000000e0",
        "-1.000000000e0",
        "1.000000000e9999999999",
        "1.000000000e-9999999999",
        "9.999999999e99999999999",
    ),
    *(
        "1.000000000e00",
        "1.000000000e-0",
        "1.00000000\u0661e0",
        "1.000000000e1\n",
        "1" * 4000,
        "9" * 10**6,
        f"1.{'0' * 10**6}e0",
        "[[[[",
    ),
]


@pytest.mark.parametrize("text", FALSE_DIGITS, ids=lambda text: text[:24])
def test_false_determinants(text: str, softmax: Claims) -> None:
    assert refuted(altered(softmax, ("lower_bound", "determinant"), text))


def test_a_minor_that_vanishes_has_no_digits() -> None:
    """Two equal rows of a network all of whose tokens are equal: zero is enclosed at every precision."""
    arch = algatt.Normalized((3, 3, 2), (1, 2), 2, algatt.layers.Power(3))
    claims = json.loads(algatt.certify(arch, field=algatt.Balls()).to_json())["claims"]
    rows = claims["lower_bound"]["rows"]
    rows[:2] = 0, 1
    claims["inputs"] = max(rows) // 4 + 1
    for digits in ("1.000000000e0", "1.000000000e-40", "1.000000000e-99999"):
        (reason,) = algatt.verify(
            algatt.certificates.Certificate(altered(claims, ("lower_bound", "determinant"), digits), "")
        ).reasons
        assert re.fullmatch(
            r"the minor of the lower bound is (\[\+/- .*\], not .*|not told from zero with 4096 bits)", reason
        ), reason


FALSE_TEMPERATURES = [
    *(
        "0",
        "-1",
        "1/0",
        "0/1",
        "-1/2",
        "inf",
        "nan",
        "1.5",
        "1e5",
        "",
        "1/2/3",
        " 1",
        "01",
        "x",
        "\u0663/2",
        "2",
        "3/4",
    ),
    *("1" * 5000, f"1/{'9' * 3000}", f"{'9' * 3000}"),
]

FALSE_QUOTIENTS: list[tuple[Any, Any]] = [
    *[([], [1]), ([1], []), ([0], [1]), ([1], [0]), ([1, 2], [2, 4]), ([1], [1])],
    *[([1, 1], [0, 1]), ([1] * 10**6, [1]), ([10**1000, 1], [1, 3]), ([1.5], [1, 2]), (1, [1, 1])],
]

FALSE_SCORES = [
    *({"name": "Exponential", "temperature": text} for text in FALSE_TEMPERATURES),
    *({"name": "Exponential", "temperature": value} for value in (1, 1.5, None, ["1"])),
    {"name": "Exponential"},
    {"name": "Exponential", "temperature": "3/2", "base": 2},
    *({"name": name} for name in ("Sine", "", "exponential", "Score", "x" * 10**5, "[/x]")),
    *({"name": name} for name in (None, 1, ["Affine"], {"name": "Affine"})),
    *(
        {"name": "Affine", "a": a, "b": b}
        for a, b in [(0, 1), (1, 1), (2**5000, 1), (10**1000, 10**1000), (1.5, 1), ("1", 1), (True, 1)]
    ),
    *({"name": "Power", "k": k} for k in (0, -1, 1, 3, 10**6, 10**6 + 1, 10**30, 10**1000, 1.5, "2")),
    *({"name": "Rational", "numerator": n, "denominator": m} for n, m in FALSE_QUOTIENTS),
    *(None, 1, "Exponential", [], {}),
]


@pytest.mark.parametrize("score", FALSE_SCORES, ids=lambda score: repr(score)[:50])
@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_other_scores(which: str, score: Any, request: pytest.FixtureRequest) -> None:
    """Unknown, impossible or absurd ones, and such whose minors are others."""
    claims = request.getfixturevalue(which)
    assert refuted(altered(claims, ("architecture", "score"), score))


def test_an_exponential_has_no_residues(rational: Claims) -> None:
    score = {"name": "Exponential", "temperature": "1"}
    assert (
        reasons(altered(rational, ("architecture", "score"), score))
        == "the score Exponential has no values modulo a prime"
    )


def test_a_certificate_of_another_architecture(softmax: Claims, rational: Claims) -> None:
    for claims in (softmax, rational):
        arch = {key: entry for key, entry in claims["architecture"].items() if key != "score"}
        assert refuted({**claims, "architecture": {**arch, "name": "Lightning"}})
        assert refuted({**claims, "architecture": {**arch, "name": "Normalized"}})
        assert refuted({**claims, "architecture": {**claims["architecture"], "name": "Lightning"}})
        assert refuted({**claims, "architecture": {**claims["architecture"], "name": "Softmax"}})


def test_residues_are_no_balls(softmax: Claims, rational: Claims) -> None:
    """Neither kind of lower bound passes for the other."""
    lower = softmax["lower_bound"]
    assert refuted({**softmax, "lower_bound": {**lower, "determinant": 5}})
    assert refuted({**softmax, "lower_bound": {**lower, "bits": 128}})
    residue = rational["lower_bound"]["determinant"]
    for text in (str(residue), f"{residue:.9e}".replace("e+0", "e"), "5.000000000e0"):
        assert refuted({**rational, "lower_bound": {**rational["lower_bound"], "determinant": text}})


def test_swapped_rows_change_the_sign(softmax: Claims) -> None:
    claims = copy.deepcopy(softmax)
    rows = claims["lower_bound"]["rows"]
    rows[0], rows[1] = rows[1], rows[0]
    assert "the minor of the lower bound is [" in reasons(claims)


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
    report = algatt.verify(algatt.certificates.Certificate({**claims, "status": "numerical"}, ""))
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
    claims = json.loads(algatt.certify(RATIONAL, field=algatt.PrimeField(31)).to_json())["claims"]
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


def test_scores_that_would_take_forever_are_refused_at_once(softmax: Claims) -> None:
    """Claims that agree with each other, of ten thousand tokens."""
    arch = {**softmax["architecture"], "tokens": 10**4}
    claims = {**softmax, "architecture": arch, "inputs": 1}
    assert reasons(claims).endswith("cannot be verified here")


def test_what_cannot_be_verified_is_not_made() -> None:
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"no certificate can be made of \(a minor enclosed with 5000 bits"
    ):
        algatt.certify(SOFTMAX, field=algatt.Balls(5000))
    with pytest.raises(algatt.errors.InvalidArgument, match=r"no certificate can be made of \(there is no score Power"):
        algatt.certify(algatt.Normalized((2, 2), (2,), 2, algatt.layers.Power(10**6 + 1)))


@dataclass(frozen=True)
class Shifted(algatt.layers.Affine):
    """A score of one's own that calls itself by the name of another."""

    def description(self) -> dict[str, Any]:
        return {"name": "Affine", "a": self.a, "b": self.b}


@dataclass(frozen=True)
class Mine(algatt.architectures.AttentionNetwork):
    """An architecture of one's own."""


def test_scores_and_architectures_of_ones_own_have_no_certificates() -> None:
    with pytest.raises(
        algatt.errors.MethodError, match="for the scores Affine, Exponential, Power, Rational, not for Shifted"
    ):
        algatt.certify(algatt.Normalized((3, 2), (2,), 2, Shifted(2, 1)))
    with pytest.raises(algatt.errors.MethodError, match="not for Shifted"):
        algatt.certify(algatt.dimension(algatt.Normalized((3, 2), (2,), 2, Shifted(2, 1))))
    with pytest.raises(
        algatt.errors.MethodError, match="there are certificates for Lightning and Normalized, not for Mine"
    ):
        algatt.certify(Mine((3, 2), (2,), 2))


def test_a_numerical_report_has_no_certificate() -> None:
    with pytest.raises(
        algatt.errors.InvalidArgument, match="report was numerical; it should be a report over a PrimeField or Balls"
    ):
        algatt.certify(algatt.dimension(SOFTMAX, field=algatt.Reals()))


@pytest.mark.parametrize("field", [None, algatt.Balls(100), algatt.Reals()], ids=str)
@pytest.mark.parametrize(
    "arch", [SOFTMAX, RATIONAL, algatt.Normalized((3, 3, 3), (2, 2), 3, algatt.layers.Power(2))], ids=str
)
def test_reports_are_plain_values(arch: Any, field: Any) -> None:
    """Strict JSON, without the numbers that only Python writes, and the same when it is read again."""
    report = algatt.dimension(arch, field=field, seed=2)
    values = report.to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["architecture"]["score"] == arch.score.description()
    assert values["field"] == str(report.field)
    assert (values["lower"], values["upper"]) == (report.lower, report.upper)
    assert (values["lower"] is None) == isinstance(field, algatt.Reals)
