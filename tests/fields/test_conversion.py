"""Arrays that are written into arrays of other types, some at a time and on several cores."""

from __future__ import annotations

import numpy as np
import pytest

from algatt import PrimeField, verbs
from algatt.fields import arrays as conversion

FIELD = PrimeField(8388593)


@pytest.fixture(autouse=True)
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "IN_CACHE", 24)


@pytest.mark.parametrize("large", [1, 2**20])
@pytest.mark.parametrize("shape", [(0,), (1,), (25,), (7, 5), (0, 3), (3, 0), (1, 100), (5, 3, 4)])
def test_residues_go_out_and_in_as_they_are(
    large: int, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversion, "LARGE", large)
    residues = np.random.default_rng(0).integers(0, FIELD.p, shape)
    residues.flat[:2] = [0, FIELD.p - 1][: residues.size]
    public = verbs.decode(FIELD, residues.astype(float))
    assert type(public) is FIELD.galois
    assert public.dtype == np.int64
    assert np.array_equal(public.view(np.ndarray), residues)
    assert np.array_equal(verbs.decode(FIELD, residues.T.astype(float)).view(np.ndarray), residues.T)
    raw = verbs.encode(FIELD, public)
    assert raw.dtype == np.float64
    assert np.array_equal(raw, residues)


@pytest.mark.parametrize("large", [1, 2**20])
@pytest.mark.parametrize("wrong", [-1, 8388593, 2**40])
@pytest.mark.parametrize("place", [0, 30, 99])
def test_what_is_no_residue_does_not_go_out(
    large: int, wrong: int, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversion, "LARGE", large)
    raw = np.zeros((20, 5))
    raw.flat[place] = wrong
    with pytest.raises(ValueError, match=f"not .{wrong}"):
        verbs.decode(FIELD, raw)
