"""Names that were in the package itself are in their subjects now: the old place works for one version, and says where
the new one is.
"""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import algatt
from algatt.dispatch import Verb
from algatt.moved import MOVED, REPLACED


@pytest.mark.parametrize("name", sorted(MOVED))
def test_an_old_name_works_and_names_its_new_place(name: str) -> None:
    place = f"{MOVED[name]}.{name}"
    with pytest.warns(
        DeprecationWarning, match=rf"^algatt\.{name} is {place} now; the old name goes in version 0\.4$"
    ) as told:
        found = getattr(algatt, name)
    assert [warning.filename for warning in told] == [__file__]  # the line to be changed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        subject = getattr(algatt, MOVED[name].removeprefix("algatt."))
        assert getattr(subject, name) is found
    assert name in subject.__all__


@pytest.mark.parametrize("name", sorted(REPLACED))
def test_a_replaced_name_works_and_says_what_replaces_it(name: str) -> None:
    module, _, short = name.rpartition(".")
    told = re.escape(f"{name} is {REPLACED[name]} now; the old name goes in version 0.4")
    with pytest.warns(DeprecationWarning, match=f"^{told}$") as warned:
        found = getattr(sys.modules[module], short)
    assert [warning.filename for warning in warned] == [__file__]
    assert found.__name__ == short


def test_old_names_are_not_offered() -> None:
    assert not set(MOVED) & {*algatt.__all__, *dir(algatt)}
    assert not {name for name in REPLACED for offered in SUBJECTS if is_offered(name, offered)}


SUBJECTS = ("algatt", "algatt.dynamics", "algatt.symmetry")


def is_offered(name: str, module: str) -> bool:
    """Return whether a module lists a name of its own."""
    home, _, short = name.rpartition(".")
    return home == module and short in {*sys.modules[module].__all__, *dir(sys.modules[module])}


def test_a_name_that_a_subject_never_had() -> None:
    with pytest.raises(AttributeError, match=r"module 'algatt\.dynamics' has no attribute 'LinearWeights'") as caught:
        algatt.dynamics.LinearWeights  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("LinearWeights", algatt.dynamics)


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


def test_programs_that_import_old_names_run() -> None:
    code = "from algatt import KeyQuery, InvalidArgument; print(KeyQuery.__module__, InvalidArgument.__name__)"
    command = [sys.executable, "-W", "default", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(algatt.__file__).parents[1], check=True)
    assert done.stdout == "algatt.symmetry.key_query InvalidArgument\n"
    told = [line for line in done.stderr.splitlines() if "DeprecationWarning" in line]
    assert sorted({line.split("DeprecationWarning: ")[1] for line in told}) == [
        "algatt.InvalidArgument is algatt.errors.InvalidArgument now; the old name goes in version 0.4",
        "algatt.KeyQuery is algatt.symmetry.KeyQuery now; the old name goes in version 0.4",
    ]


def test_all_names_of_version_0_2_are_there() -> None:
    """The list is that of the version before, less what stays; what is newer is not counted."""
    replaced = [name for name in REPLACED if name.count(".") == 1]
    newer = {"Elementary", "fit_formula", "sweep"}
    assert newer < set(algatt.__all__)
    assert len(MOVED) + len(replaced) + len(set(algatt.__all__) - newer) == 202


def test_the_old_name_of_replace_works_and_names_the_new_one() -> None:
    theta, *_ = algatt.Weights.examples()
    with pytest.warns(DeprecationWarning, match=r"^Parameters\.replaced is replace now; .* version 0\.4$") as told:
        assert theta.replaced(theta.elements) == theta
    assert [warning.filename for warning in told] == [__file__]
