"""Importing the package is nearly free, and the names of the design are there."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import algatt
from algatt.symmetry.base import FAMILIES, Symmetry, final_below

HEAVY = ("galois", "numba", "flint", "matplotlib", "rich", "networkx", "scipy")


def test_heavy_imports_are_lazy() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r}); import algatt; print([m for m "
        f"in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_adds_methods_imports_nothing_heavy() -> None:
    """All of it comes at once, when a verb is first asked for a method."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r}); import algatt.views; print([m for "
        f"m in {(*HEAVY, 'asyncio', 'algatt.sweeps')!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_has_a_docstring() -> None:
    undocumented = [
        name for name in algatt.__all__ if name != "__version__" and not (getattr(algatt, name).__doc__ or "").strip()
    ]
    assert undocumented == []


def test_public_names_are_listed_once_and_sorted() -> None:
    assert list(algatt.__all__) == sorted(set(algatt.__all__))


def test_small_eliminations_load_no_compiler() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r}); import algatt, numpy as np; "
        "space = algatt.linalg.RowSpace(algatt.PrimeField(), 200); "
        "space.add(np.random.default_rng(0).integers(0, 8388593, (200, 200))); print(space.rank, 'numba' in "
        "sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["200", "False"]


def modules_after(*arguments: str) -> set[str]:
    """Return what is imported when ``algatt`` has run with these arguments."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r})\n"
        "from algatt.cli.main import main\n"
        f"main({list(arguments)!r}); print('MODULES', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("MODULES ")[2].split())


def test_the_help_imports_neither_commands_nor_numpy() -> None:
    for arguments in ((), ("--help",), ("--version",)):
        modules = modules_after(*arguments)
        assert not {"numpy", *HEAVY} & modules
        ours = {name for name in modules if name.startswith("algatt.") and not name.startswith("algatt.cli")}
        assert ours <= {f"algatt.{name}" for name in ("dispatch", "display", "errors", "loading", "version")}
        assert not [name for name in modules if name.startswith("algatt.cli.commands.")]


def test_a_command_imports_no_other() -> None:
    modules = modules_after("tree", "--help")
    assert [name for name in modules if name.startswith("algatt.cli.commands.")] == ["algatt.cli.commands.tree"]


def test_a_dimension_imports_what_it_asks_alone() -> None:
    """Nothing that takes long, and no module of other questions, fields and pictures."""
    modules = modules_after("dimension", "--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3")
    assert not {*HEAVY, "concurrent.futures", "tempfile"} - {"rich"} & modules
    ours = {name for name in modules if name.startswith("algatt.")}
    others = ("certificates", "checkpoints", "dynamics", "published", "spectra", "sweeps", "fields.virtual")
    others += ("geometry.equality", "geometry.dimensions.elementary", "geometry.dimensions.ball_bounds")
    others += ("symmetry.arranged", "symmetry.discrete", "symmetry.symbolic", "programs.normal_form")
    assert not [name for name in ours if name.removeprefix("algatt.").startswith(others)]
    assert len(ours) <= 230


def test_all_families_of_the_package_have_a_place() -> None:
    """Else it would depend on what is imported whether a network has them, and in which order."""
    for module in pkgutil.walk_packages(algatt.symmetry.__path__, "algatt.symmetry."):
        importlib.import_module(module.name)
    own = {family.__module__ for family in final_below(Symmetry) if family.__module__.startswith("algatt.")}
    others = {"algatt.symmetry.arranged"}  # made by the method for networks
    assert own - others == {f"algatt.symmetry.{name}" for name in FAMILIES}
