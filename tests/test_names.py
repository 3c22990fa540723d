"""The names of the package, and the subjects in which they are."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import algatt
from algatt.dispatch import Verb
from algatt.loading import load_methods


def test_a_name_that_the_package_never_had() -> None:
    with pytest.raises(AttributeError, match="module 'algatt' has no attribute 'Transformer'") as caught:
        algatt.Transformer  # noqa: B018
    assert caught.value.name == "Transformer"


def test_names_of_everyday_use_are_those_of_their_subjects() -> None:
    for name in set(algatt.__all__) - {"__version__"}:
        subject = importlib.import_module(vars(algatt)["__names__"][name][0])
        assert getattr(algatt, name) is getattr(subject, name)
        assert name in vars(subject).get("__all__", dir(subject))
    assert 30 <= len(algatt.__all__) <= 65


def test_a_verb_is_not_hidden_by_the_module_of_its_methods() -> None:
    """As ``algatt.linalg.kernel``: Python gives the name in a package to a module of it that is imported."""
    load_methods()
    subjects = [
        getattr(algatt, module.name) for module in pkgutil.iter_modules(algatt.__path__) if module.name != "__main__"
    ]
    for subject in subjects:
        for name in set(getattr(subject, "__all__", ())) & set(algatt.verbs.__all__) - {"concatenate"}:
            if (subject.__name__, name) not in FUNCTIONS:
                assert isinstance(getattr(subject, name), Verb), (subject, name)


FUNCTIONS = {("algatt.published", "read")}
"""Functions that have the name of a verb of another subject."""
