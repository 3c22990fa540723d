"""The verifier shares no code with the maker, and agrees with it."""

from __future__ import annotations

import re
from pathlib import Path

import algatt
from algatt import precision
from algatt.certificates.version_1 import recompute


def test_the_verifier_imports_no_numeric_code_of_the_maker() -> None:
    """What recomputes is plain Python and FLINT, with the lock around FLINT's precision, of which there is but one."""
    allowed = {"__future__", "abc", "hashlib", "re", "collections.abc", "dataclasses", "fractions", "functools"}
    allowed |= {"itertools", "threading", "typing"}
    sources = [*Path(recompute.__file__).parent.glob("*.py"), Path(precision.__file__)]
    assert len(sources) == 6
    for source in sources:
        imported = re.findall(r"^\s*(?:from|import) +([\w.]+)", source.read_text(), flags=re.MULTILINE)
        for name in set(imported) - {"flint", "algatt.precision"} - allowed:
            assert name.startswith("algatt.certificates.version_1.recompute."), source


def test_the_two_streams_agree() -> None:
    """The stream of the package, in numpy, against that of the verifier, in Python integers."""
    for p in (
        2,
        3,
        8388593,
        2305843009213693951,
        6148914691236517223,
        9223372036854775783,
    ):  # of the last but one a third of all words is skipped
        expected = recompute.stream(7, "input/3", 50, p)
        field = algatt.PrimeField(p)
        assert [int(x) for x in algatt.verbs.draw_array(field, shape=(50,), seed=7, label="input/3")] == expected
