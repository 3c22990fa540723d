"""The names of the package, and the subjects in which they are."""

from __future__ import annotations

import pytest

import algatt
from algatt.dispatch import Verb


def test_a_name_that_the_package_never_had() -> None:
    with pytest.raises(AttributeError, match="module 'algatt' has no attribute 'Transformer'") as caught:
        algatt.Transformer  # noqa: B018
    assert caught.value.name == "Transformer"


def test_names_of_everyday_use_are_those_of_their_subjects() -> None:
    for name, subject in algatt.HOMES.items():
        assert getattr(algatt, name) is getattr(getattr(algatt, subject), name)
        assert name in getattr(algatt, subject).__all__
    assert 30 <= len(algatt.__all__) <= 50


def test_a_verb_is_not_hidden_by_the_module_of_its_methods() -> None:
    """As ``algatt.linalg.kernel``: a module that is imported takes its name in its package, so it must not be imported
    late.
    """
    subjects = [getattr(algatt, name) for name in algatt.MODULES]
    for subject in subjects:
        for name in set(getattr(subject, "__all__", ())) & set(algatt.verbs.__all__) - {"concatenate"}:
            if (subject.__name__, name) not in FUNCTIONS:
                assert isinstance(getattr(subject, name), Verb), (subject, name)


FUNCTIONS = {("algatt.linalg", "multiply"), ("algatt.published", "read"), ("algatt.views", "symmetries")}
"""Functions and modules that have the name of a verb of another subject."""
