"""The generic functions of the package."""

from __future__ import annotations

import importlib
import pickle
import pkgutil

import algatt
import algatt.verbs
from algatt.dispatch import check, methods, verbs


def package_modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(algatt.__path__, "algatt.")]
    return [name for name in found if not name.endswith("__main__")]


def test_no_verb_of_the_package_is_ambiguous() -> None:
    for name in package_modules():
        importlib.import_module(name)
    declared = list(verbs())
    assert len({verb.name for verb in declared}) == len(declared) > 20
    check()


def test_every_verb_of_the_package_is_documented_and_its_table_points_into_the_package() -> None:
    own_verbs = [verb for verb in verbs() if verb in vars(algatt.verbs).values()]  # not those of examples in the docs
    assert len(own_verbs) > 100
    for verb in own_verbs:
        assert verb.__doc__
        own = [method for method in methods(verb) if method.function.__module__.startswith("algatt.")]
        assert own, verb
        for method in own:
            path, line = method.location.rsplit(":", 1)
            assert path.startswith(algatt.__path__[0])
            assert int(line) > 0


def test_verbs_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(algatt.evaluate)) is algatt.evaluate
