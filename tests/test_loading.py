"""What is imported when: a verb sees all methods that fit its arguments, whichever of its modules and threads asks
first.
"""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.dispatch import MIRRORS, Verb, mirror, verbs
from algatt.loading import HOMES, is_own

ROOT = Path(algatt.__file__).parents[1]

HEAVY = ("galois", "numba", "matplotlib", "rich", "networkx", "scipy")


def printed(code: str) -> str:
    """Return what a program prints in a new process, in which nothing is imported yet."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error::DeprecationWarning:__main__"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ----- what is imported


def test_the_package_imports_next_to_nothing() -> None:
    """Not even numpy: so its import is quicker than numpy's, whatever the machine."""
    code = "import sys; before = set(sys.modules); import algatt; print(*(set(sys.modules) - before))"
    loaded = set(printed(code).split())
    assert {name for name in loaded if name.partition(".")[0] == "algatt"} == {"algatt", "algatt.loading"}
    assert not {name.partition(".")[0] for name in loaded} - {"algatt"} - sys.stdlib_module_names


def test_all_methods_are_there_without_what_takes_long_to_import() -> None:
    code = f"import sys, algatt; algatt.dispatch.check(); print([name for name in {HEAVY!r} if name in sys.modules])"
    assert printed(code) == "[]"


def test_no_module_has_methods_that_are_not_loaded() -> None:
    code = """
import importlib, pkgutil, algatt
from algatt.dispatch import verbs
loaded = {verb.name: len(verb.table()) for verb in verbs()}
for module in pkgutil.walk_packages(algatt.__path__, "algatt."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(len(loaded) > 20, [verb.name for verb in verbs() if len(verb.table()) != loaded.get(verb.name)])
"""
    assert printed(code) == "True []"


@pytest.mark.sample(1)
@pytest.mark.parametrize("order", ["SUBPACKAGES", "reversed(SUBPACKAGES)"])
def test_no_module_calls_a_verb_while_it_is_imported(order: str) -> None:
    """It would choose among some of the methods, and threads could wait for each other without end."""
    code = f"""
from algatt.dispatch import Verb, check
from algatt.loading import SUBPACKAGES, load_methods

def refuse(self, signature):
    raise AssertionError("a verb chooses a method")

resolve, Verb.resolve = Verb.resolve, refuse
for name in {order}:
    load_methods((name,))
Verb.resolve = resolve
check()
print("done")
"""
    assert printed(code) == "done"


def implied(kind: type) -> set[str]:
    """Return the modules that are there, or are imported, when a verb is called with an instance of a class.

    Of a class with instances that are none by inheritance, as galois arrays are public arrays, no module is there.
    """
    if "__subclasshook__" in vars(kind):
        return set()
    cls = {mirror: cls for cls, mirror in MIRRORS.items()}.get(kind, kind)
    return {cls.__module__}.union(*(vars(base).get(HOMES, ()) for base in cls.__mro__))


def homes_of(verb: Verb[Any], signature: tuple[type, ...]) -> set[str]:
    """Return the homes of a verb that are imported when it is called with instances of classes."""
    homes = [home.partition(" for ") for home in verb.homes]
    names = {base.__name__ for kind in signature for base in kind.__mro__ if implied(kind)}
    return {module for module, _, noun in homes if not noun or noun in names}


def test_a_method_stands_beside_a_noun_among_its_arguments_or_in_a_home() -> None:
    """Else a verb that nobody has called yet would not see it, and choose a more general one."""
    found = [(verb, method) for verb in verbs() for method in verb.table()]
    own = [(verb, method) for verb, method in found if is_own(method.function.__module__)]
    assert len(own) > 700
    lost = {
        f"{method} in {method.function.__module__}"
        for verb, method in own
        if method.function.__module__ not in homes_of(verb, method.signature).union(*map(implied, method.signature))
    }
    assert not lost


def test_homes_have_methods_that_are_nowhere_else() -> None:
    for verb in verbs():
        if is_own(verb.__module__):
            table = [
                (method.function.__module__, set().union(*map(implied, method.signature))) for method in verb.table()
            ]
            needed = {module for module, known in table if module not in known}
            assert {home.partition(" for ")[0] for home in verb.homes} <= needed, verb.name


def test_homes_for_some_nouns_are_imported_for_them() -> None:
    code = """
import algatt
from algatt import verbs
from algatt.fields.virtual.forms import VirtualForm
from algatt.geometry.dimensions.question import Copies
from algatt.geometry.dimensions.question import Question
found = [
    algatt.symmetries.resolve((algatt.Network,)),
    verbs.measure_at.resolve((Copies, algatt.Network, Question)),
    verbs.negate.resolve((algatt.fields.Virtual, VirtualForm)),
]
print(*(function.__module__.removeprefix("algatt.") for function in found))
"""
    assert printed(code) == "symmetry.arranged geometry.dimensions.structure.dimension fields.virtual.arithmetic"


def test_a_family_of_models_that_is_registered_first_stays() -> None:
    code = """
from algatt.published import ModelFamily
from algatt.published.base import families, register
mine = ModelFamily(("llama",), layers=lambda fields, reading: None, sizes={})
register(mine)
print(families()["llama"] is mine, len(families()) > 10)
"""
    assert printed(code) == "True True"


def test_a_method_elsewhere_would_be_found() -> None:
    """The test of the tables sees methods that a first call does not."""
    assert "algatt.geometry.fibres.orbit" in algatt.symmetry.orbit_dimension.homes
    assert homes_of(algatt.symmetries, (algatt.Network,)) - homes_of(algatt.symmetries, (algatt.Lightning,))
    assert implied(algatt.Lightning) == {"algatt.architectures.lightning"}
    assert implied(mirror(algatt.Weights)) == {"algatt.parameters.base"}
    assert implied(algatt.fields.PublicArray) == set()
    assert "algatt.fields.virtual.arithmetic" in implied(algatt.fields.Virtual)


def test_each_verb_as_the_first_call() -> None:
    """In a process that has imported the types of the arguments and nothing else, each method is chosen."""
    chosen = [(name, verb.table()) for name in algatt.__all__ if isinstance(verb := getattr(algatt, name), Verb)]
    calls = [
        (name, [(kind.__module__, kind.__qualname__) for kind in method.signature], method.location)
        for name, table in chosen
        for method in table[:1]
        if is_own(method.function.__module__) and not any(kind in MIRRORS.values() for kind in method.signature)
    ]
    code = f"""
import importlib, os
import numpy
from algatt.dispatch import Method
import algatt
for name, kinds, location in {calls!r}:
    if os.fork() == 0:
        kinds = tuple(getattr(importlib.import_module(module), kind) for module, kind in kinds)
        function = getattr(algatt, name).resolve(kinds)
        os._exit(Method(name, kinds, function).location != location)
    assert os.wait()[1] == 0, name
print("done")
"""
    assert len(calls) > 10
    assert printed(code) == "done"


def test_the_modules_of_the_package_are_reached_without_an_import() -> None:
    modules = {module.name for module in pkgutil.iter_modules(algatt.__path__)}
    assert modules <= set(dir(algatt))
    code = "import algatt; print(algatt.geometry.DimensionReport.__name__, algatt.errors.InvalidArgument.__name__)"
    assert printed(code) == "DimensionReport InvalidArgument"


# ----- the names of the package


def test_public_names_are_listed_before_they_are_imported() -> None:
    code = "import algatt; print({*algatt.__all__, 'geometry'} <= set(dir(algatt)))"
    assert printed(code) == "True"


def test_star_imports() -> None:
    code = "from algatt import *; print(dimension(Lightning((4, 3, 4), (2, 2), 3)).value)"
    assert printed(code) == "33"


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="module 'algatt' has no attribute 'dimensions'") as caught:
        algatt.dimensions  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("dimensions", algatt)  # from which Python makes its suggestion


def test_pickles_are_read_where_nothing_is_imported() -> None:
    code = """
import json, pickle, subprocess, sys
import algatt
arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(8388593), seed=3)
content = pickle.dumps((algatt.expected_dimension, arch, theta))
reader = '''
import pickle, sys
verb, arch, theta = pickle.load(sys.stdin.buffer)
print([verb(arch), theta.field.p, *(int(x) for element in theta.elements for x in element.raw.ravel())])
'''
read = subprocess.run([sys.executable, "-c", reader], input=content, capture_output=True, check=True).stdout
print(json.loads(read) == [33, 8388593, *(int(x) for element in theta.elements for x in element.raw.ravel())])
"""
    assert printed(code) == "True"


# ----- methods that come late


def test_a_method_from_outside_that_comes_first_loses_to_a_more_specific_one_of_the_package() -> None:
    code = """
import algatt
from algatt.verbs import formulas  # without the module of its methods

@formulas.method
def general(arch: object) -> tuple:
    return (-1,)

print(*formulas(3), *{one.value for one in formulas(algatt.Lightning((4, 3, 4), (2, 2), 3))})
"""
    assert printed(code) == "-1 33"


def test_a_method_from_outside_that_comes_first_wins_over_a_general_one_of_the_package() -> None:
    code = """
import algatt
from algatt.verbs import discrete_symmetries  # without the module of its methods

@discrete_symmetries.method
def mine(arch: algatt.Normalized) -> tuple:
    return (-1,)

networks = algatt.Softmax((2, 2), (1,), 2), algatt.Lightning((2, 2), (1,), 2)
print(*map(discrete_symmetries, networks))
"""
    assert printed(code) == "(-1,) ()"


def test_a_duplicate_of_a_method_that_is_not_imported_yet_is_refused_where_it_is_written() -> None:
    code = """
import algatt
from algatt.architectures import Lightning
from algatt.verbs import formulas  # without the module of its methods

try:
    @formulas.method
    def mine(arch: Lightning) -> tuple[str, ...]:
        return ("mine",)
except algatt.errors.DuplicateMethodError as error:
    print("already defined" in str(error), "mine" in formulas(Lightning((4, 3, 4), (2, 2), 3)))
"""
    assert printed(code) == "True False"


def test_a_method_from_code_without_a_module() -> None:
    code = """
import algatt
program = "@verb.method\\ndef mine(arch: int) -> int:\\n    return -1"
exec(program, {"verb": algatt.geometry.formulas})
print(algatt.geometry.formulas(3))
"""
    assert printed(code) == "-1"


LATE = {
    "late_general": """
from typing import Any
from algatt.dispatch import declare

class Animal: pass
class Dog(Animal): pass

@declare(homes=HOMES)
def describe(thing: Any) -> Any:
    "Describe."

@describe.method
def animal(thing: Animal) -> str:
    return "animal"
""",
    "late_specific": """
from algatt.late_general import Dog, describe

@describe.method
def dog(thing: Dog) -> str:
    return "dog"
""",
    "late_interrupted": """
import algatt
from algatt.late_general import describe

@describe.method
def tuples(thing: tuple) -> str:
    return "tuple"

if not hasattr(algatt, "tried"):
    algatt.tried = True
    raise KeyboardInterrupt
""",
}
"""Modules that tests add to the package."""


def with_late(folder: Path, homes: tuple[str, ...], code: str) -> str:
    """Return what a program prints in a package with more modules, some of which are the homes of a verb."""
    for name, text in LATE.items():
        (folder / f"{name}.py").write_text(text.replace("HOMES", repr([f"algatt.{home}" for home in homes])))
    return printed(f"import algatt; algatt.__path__.append({str(folder)!r})\n{code}")


def test_a_call_decided_before_a_more_specific_method_is_loaded_is_decided_again(tmp_path: Path) -> None:
    code = """
from algatt.late_general import Dog, describe
before = describe(Dog())
import algatt.late_specific
print(before, describe(Dog()), describe._resolved)
"""
    said = with_late(tmp_path, (), code)
    assert said.startswith("animal dog ")
    assert "animal" not in said.removeprefix("animal")


def test_the_first_call_has_all_methods(tmp_path: Path) -> None:
    code = "from algatt.late_general import Dog, describe; print(describe(Dog()))"
    assert with_late(tmp_path, ("late_specific",), code) == "dog"


def test_a_call_that_is_interrupted_while_methods_are_loaded_can_be_made_again(tmp_path: Path) -> None:
    """The module was taken back, its methods were not: they are the same ones when it is imported again, and no
    duplicates.
    """
    code = """
from algatt.late_general import Dog, describe
try:
    describe(Dog())
except KeyboardInterrupt:
    print("interrupted", end=" ")
print(describe(Dog()), describe(()))
"""
    homes = ("late_interrupted", "late_specific")
    assert with_late(tmp_path, homes, code) == "interrupted dog tuple"


def test_first_calls_in_threads() -> None:
    """Threads that call, list and add methods, and import modules, all as the first."""
    code = """
import importlib, sys, threading
from concurrent.futures import ThreadPoolExecutor
import algatt
sys.setswitchinterval(1e-5)

def import_it(name):
    importlib.import_module(name)
    return algatt.rank([[1.0, 0.0], [0.0, 1.0]]).rank

def add(name):
    def added(arch: str) -> int:
        return 2
    algatt.geometry.formulas.method(added)
    return algatt.geometry.formulas("")

work = [
    lambda: algatt.geometry.formulas(algatt.Lightning((4, 3, 4), (2, 2), 3))[0].value - 31,
    lambda: min(2, len(algatt.methods(algatt.draw))),
    lambda: import_it("algatt.views"),
    lambda: import_it("algatt.geometry"),
    lambda: import_it("algatt.certificates"),
    lambda: import_it("algatt.spectra"),
    lambda: add("one"),
    lambda: algatt.rank([[1.0, 2.0], [3.0, 4.0]]).rank,
]
with ThreadPoolExecutor(len(work), initializer=threading.Barrier(len(work)).wait) as pool:
    print([future.result() for future in [pool.submit(one) for one in work]])
"""
    assert printed(code) == "[2, 2, 2, 2, 2, 2, 2, 2]"


def test_the_first_question_sees_all_families_and_in_one_order() -> None:
    """They are found among the classes below one, which know only those that are imported."""
    code = """
import algatt
{first}
from algatt.layers import Feedforward, Heads, Residual, RMSNorm
net = algatt.Network(Residual(RMSNorm() >> Heads(2)) >> Residual(RMSNorm() >> Feedforward(3)), tokens=2, width=4)
print([one.name for arch in (algatt.Softmax((4, 3, 4), (2, 2), 3), net) for one in algatt.symmetries(arch)])
from algatt.symmetry.base import Symmetry, families_below
print([family.__name__ for family in families_below(Symmetry)])
"""
    names = printed(code.format(first=""))
    assert all(name in names for name in ("interlayer", "key-query", "heads"))
    assert names == printed(code.format(first="algatt.dispatch.check()"))
    assert names == printed(code.format(first="algatt.symmetry.UnseenSymmetry, algatt.symmetry.Rescaling"))
