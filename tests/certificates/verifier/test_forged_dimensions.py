"""Forgeries of dimensions that are put together with care."""

from __future__ import annotations

import re
from typing import Any

import pytest

import algatt
from algatt.certificates.verifier.dimension import verify_dimension
from algatt.certificates.verifier.limits import Refused
from certified import claims_of


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
