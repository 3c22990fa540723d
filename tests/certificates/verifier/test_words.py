"""Families of directions, true ones and false ones: what the verifier says of each, and what the gradient says."""

from __future__ import annotations

import pytest

from small_words import head, read, refutation
from word_families import FALSE, TRUE, reads
from words_oracle import moves

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them


@pytest.mark.parametrize("name", TRUE)
def test_true_families_are_accepted(name: str) -> None:
    program, claim = TRUE[name]
    claims = head(program, reads(name, program))
    assert refutation(claims, claim) == ""
    assert moves(*read(claims, claim)) is False


@pytest.mark.parametrize("name", FALSE)
def test_false_families_are_refused(name: str) -> None:
    program, claim = FALSE[name]
    claims = head(program, reads(name, program))
    assert refutation(claims, claim).startswith("the family 'f': ")
    assert moves(*read(claims, claim)) is True


def test_there_are_sixty_forgeries() -> None:
    assert len(FALSE) >= 60
