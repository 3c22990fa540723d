"""Determinants in certificates over the reals: their digits, each of which counts."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import flint
import pytest

import algatt
from algatt.certificates.version_1 import DimensionCertificate, recompute
from claims import Claims, altered, reasons, refuted
from old_certificates import old_certificate


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
    certificate = old_certificate(algatt.Lightning((3, 2), (2,), 2), field=algatt.Balls())
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
    claims = json.loads(old_certificate(arch, field=algatt.Balls()).to_json())["claims"]
    rows = claims["lower_bound"]["rows"]
    rows[:2] = 0, 1
    claims["inputs"] = max(rows) // 4 + 1
    for digits in ("1.000000000e0", "1.000000000e-40", "1.000000000e-99999"):
        (reason,) = algatt.verify(
            DimensionCertificate(altered(claims, ("lower_bound", "determinant"), digits), "")
        ).reasons
        assert re.fullmatch(
            r"the minor of the lower bound is (\[\+/- .*\], not .*|not told from zero with 4096 bits)", reason
        ), reason
