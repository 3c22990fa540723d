"""What would take too much time or memory is refused before it is tried."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from algatt.certificates.verifier.claims import Network, check_count_of_families
from algatt.certificates.verifier.families import read_family
from algatt.certificates.verifier.limits import MOST_BITS, Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.offsets import NotAbsorbed, without_constants
from algatt.certificates.verifier.places import Places
from algatt.certificates.verifier.program import parse
from algatt.certificates.verifier.shifts import Shift, tangents_of_shift
from algatt.certificates.verifier.types import check_types
from moved_programs import claim_of, reason


def test_means_of_long_columns_are_not_written_as_a_matrix() -> None:
    """It would have 10^10 entries."""
    claim = claim_of([10**5], {"W": [["rows", 0, 1, False, []]]}, [[0, 0, 0, 1]])
    with pytest.raises(Refused, match="steps"):
        reason(["tensor W  : 100000 x 1", "centre %0  : 100000 x 1"], claim)


def test_many_long_vectors_are_not_computed() -> None:
    network = Network(parse(["tensor W  : 2 x 1"]), "", {"W": (2, 1)}, False)
    shift = Shift((), 10**7, tuple(range(100)), ())
    with pytest.raises(Refused, match="size 10000000"):
        list(tangents_of_shift(network, shift, Residues(101), {}, set(range(100))))


def test_vectors_are_not_made_longer_than_can_be_computed() -> None:
    program = parse(["tensor W  : 1000000 x 1", "tensor V  : 100 x 1"])
    network = Network(program, "", {"W": (10**6, 1), "V": (100, 1)}, False)
    moves = (("W", "columns", [[1, [["place", 0, 10**6]]]]),)
    with pytest.raises(Refused, match="size 1000000"):
        list(tangents_of_shift(network, Shift((), 100, tuple(range(100)), moves), Residues(101), {}, set(range(100))))


def test_constants_that_are_a_part_of_a_tensor_stay_short() -> None:
    """Each multiplication adds 1000 bits."""
    factor = f"constant [{2**1000 + 1}]  : 1 x 1"
    for count, long in ((1, False), (3, True)):
        products = [f"multiply %{n + 1 if n else 0} %1  : 1 x 1" for n in range(count)]
        lines = ["tensor W  : 1 x 1", factor, *products]
        if long:
            with pytest.raises(NotAbsorbed, match=str(MOST_BITS)):
                without_constants(parse(lines), {"W": [[Fraction(1)]]})
        else:
            assert without_constants(parse(lines), {"W": [[Fraction(1)]]}) == list(parse(lines))


def test_columns_with_salts_of_their_own_are_few() -> None:
    places: Any = SimpleNamespace(seed=0, p=101)
    assert len(Places.drawn(places, "input", 1, 0, 100, tuple(range(100)))) == 100
    with pytest.raises(Refused, match="10000 salts"):
        Places.drawn(places, "input", 1, 0, 10**4, tuple(range(10**4)))


def test_families_of_a_large_network_are_few() -> None:
    network = Network(parse(["tensor W  : 1000 x 1000"]), "", {"W": (1000, 1000)}, False)
    check_count_of_families(network, 100)
    with pytest.raises(Refused, match="1000 families"):
        check_count_of_families(network, 1000)


def test_steps_of_all_families_are_counted_together() -> None:
    program = parse(
        ["tensor U  : 2 x 2", "tensor M  : 2 x 2", "input  : 2 x 3", "product %1 %2  : 2 x 3", "product %0 %3  : 2 x 3"]
    )
    claim = claim_of([2], {"M": [["rows", 0, 1, False, []]], "U": [["columns", 0, -1, False, []]]})
    family = read_family(claim, program, {"U": (2, 2), "M": (2, 2)})
    budget = [100]
    assert check_types(program, family, budget) is None
    assert 0 < budget[0] < 80
    with pytest.raises(Refused, match="families by types"):
        check_types(program, family, [1])
