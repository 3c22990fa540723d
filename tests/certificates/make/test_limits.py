"""Networks whose certificates the verifier finds too large are refused before their dimension is computed."""

from __future__ import annotations

import pytest

import algatt
from algatt.certificates.make import dimension
from algatt.errors import InvalidArgument


def test_a_network_of_tokens_with_more_rows_than_a_real_minor_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two blocks of GPT-2: 1,768 parameters and 402 dimensions of families, some of whose directions are the same, so
    1,366 rows or more, where 600 are allowed.
    """
    config = algatt.published.scaled("gpt2", layers=2, head_width=4, hidden=24, vocabulary=32)
    for name in ("families_of", "dimension"):
        monkeypatch.setattr(dimension, name, lambda *_, **__: pytest.fail("work before limits"))
    with pytest.raises(InvalidArgument, match=r"too large: claims.rows was 1366 rows, .* at most 600 rows"):
        algatt.certify(algatt.published.read(config, tokens=2))
