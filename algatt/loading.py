"""Imports on demand: what adds methods to verbs is imported when a verb is first asked for one, and no sooner.

A method lives beside its nouns, so a verb cannot know where its methods are, and which of them is the most specific one
is known only when all of them are there. So all of them come at once. No module of the package may call a verb while it
is imported: then no method is chosen among some of them, and threads that meet here wait for each other at the locks of
the modules.
"""

from __future__ import annotations

import importlib

__all__ = ["SUBPACKAGES", "is_own", "load_below", "load_methods"]

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
    "views",
)
"""What declares verbs or adds methods to them, each with all of its modules that do. An import only goes up
this list.
"""


def load_methods() -> None:
    """Import all that adds methods to verbs; what is imported already costs nothing, and what failed is tried again."""
    for name in SUBPACKAGES:
        importlib.import_module(f"{__package__}.{name}")


def load_below(package: str) -> None:
    """Import what comes before a subpackage in the list, whole and in its order.

    A thread that imports a module of a subpackage before the subpackage waits for that while it holds the module;
    another thread that imports the subpackage waits for the module. So subpackages are whole before their modules are
    imported from elsewhere, and all threads wait in one order.
    """
    for name in SUBPACKAGES[: SUBPACKAGES.index(package.rpartition(".")[2])]:
        importlib.import_module(f"{__package__}.{name}")


def is_own(module: str | None) -> bool:
    """Return whether a module belongs to this package; code that is executed without one does not."""
    return module is not None and module.partition(".")[0] == __package__
