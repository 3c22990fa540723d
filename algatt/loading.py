"""Imports on demand: a name is imported when it is first used, and a method when its verb is first called for its
types.

A method stands in the module of a noun among its arguments, or in a home: a module that its verb or such a noun names.
So when a verb chooses, the modules of the types of its arguments are there already, and the homes are all that is left
to import: nobody sees a part of the methods that fit. No module of the package calls a verb while it is imported, and
imports between modules have no cycles: so threads do not wait for each other.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType

SUBPACKAGES = (
    "verbs",
    "fields",
    "programs",
    "linalg",
    "parameters",
    "layers",
    "architectures",
    "maps",
    "symmetry",
    "geometry",
    "trees",
    "dynamics",
    "spectra",
    "certificates",
    "published",
    "checkpoints",
    "sources",
    "views",
)
"""What declares verbs or adds methods to them. An import only goes up this list."""

LOADED: set[str] = set()
"""Those of which all methods are there."""

HOMES = "__homes__"
"""The attribute of a noun that names the modules of its methods which are not in its own."""

SIGNS = (b".method\n", b"@declare")
"""What the source of a module holds if it adds methods or declares verbs."""


def load_homes(homes: tuple[str, ...], types: tuple[type, ...] = ()) -> None:
    """Import the homes of a verb and of the types of its arguments.

    A home of methods that all have a noun among their arguments is that of a verb only for this: as in
    ``"algatt.symmetry.arranged for Network"``.
    """
    bases = [base for kind in types for base in kind.__mro__]
    names = {base.__name__ for base in bases}
    for home in homes:
        module, _, noun = home.partition(" for ")
        if not noun or noun in names:
            importlib.import_module(module)
    for base in bases:
        for home in vars(base).get(HOMES, ()):
            importlib.import_module(home)


def load_methods(subpackages: tuple[str, ...] = ()) -> None:
    """Import all that declares verbs or adds methods to them, in some subpackages or in all; what failed is tried
    again.
    """
    for name in subpackages or SUBPACKAGES:
        if name not in LOADED:
            for module in list(modules_of(importlib.import_module(f"{__package__}.{name}"))):
                importlib.import_module(module)
            LOADED.add(name)


def modules_of(package: ModuleType) -> Iterator[str]:
    """Iterate over the modules of a package that declare verbs or add methods to them; none is imported."""
    for finder, name, is_package in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if is_package:
            yield from modules_of(importlib.import_module(name))
        elif isinstance(spec := finder.find_spec(name, None), ModuleSpec) and spec.loader and has_methods(spec):
            yield name


def has_methods(spec: ModuleSpec) -> bool:
    """Return whether a module may add methods to verbs; one whose source cannot be read may."""
    if spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        return True
    return any(sign in spec.loader.get_data(spec.origin) for sign in SIGNS)


class Subject(ModuleType):
    """A package whose names are imported when they are first used.

    A name of the package may be that of one of its modules, as ``algatt.linalg.kernel``: it stays what it is when the
    module is imported.
    """

    def __getattr__(self, name: str) -> object:
        """Import what has a name: a public name, or else a module."""
        module, attribute = vars(self)["__names__"].get(name, (None, ""))
        if module is not None:
            value = attribute_of(module, attribute)
        elif not name.startswith("__") and importlib.util.find_spec(f"{self.__name__}.{name}") is not None:
            return importlib.import_module(f"{self.__name__}.{name}")
        else:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        vars(self)[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; a module that is imported does not take a public name."""
        if not (name in vars(self)["__names__"] and isinstance(value, ModuleType) and is_own(value.__name__)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """Return all names, also those that are not imported yet."""
        modules = (module.name for module in pkgutil.iter_modules(self.__path__))
        return sorted({*vars(self), *vars(self)["__names__"], *modules})


def attribute_of(module: str, attribute: str) -> object:
    """Return what a module has under a name, a value or a module."""
    value = getattr(importlib.import_module(module), attribute, None)
    return importlib.import_module(f"{module}.{attribute}") if value is None else value


def on_demand(package: str) -> None:
    """Have a package import its public names when they are first used.

    They are the lines of its source that type checkers read, such as ``from algatt.linalg.rank import rank as rank``,
    indented under ``TYPE_CHECKING``. A name that is another one's alias there is not in ``__all__``.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    """
    found: dict[str, tuple[str, str]] = {}
    for line in (pkgutil.get_data(package, "__init__.py") or b"").decode().splitlines():
        match line.split():
            case ["from", module, "import", attribute, "as", name] if module != package:
                found[name] = module, attribute
    subject = sys.modules[package]
    public = sorted(name for name, (_, attribute) in found.items() if name == attribute)
    vars(subject).update(__names__=found, __all__=public)
    subject.__class__ = Subject


def is_own(module: str | None) -> bool:
    """Return whether a module belongs to this package; code that is executed without one does not."""
    return module is not None and module.partition(".")[0] == __package__
