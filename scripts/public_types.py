"""Write algatt/__init__.pyi and those of the subjects, in which type checkers and editors find the types of the public
names.

A verb is declared below the nouns, without types: what it takes and returns is written at its methods. So the stub is
made of the tables of methods. A verb has an overload for each method, the more specific ones first, and one for
arguments of which only the base class is known. It is in the stub of its subject; that of the package has its name.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import functools
import inspect
import json
import re
import sys
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import algatt
from algatt import verbs
from algatt.dispatch import MIRRORS, Method, Verb, positional
from algatt.fields import PublicArray
from algatt.files import write_atomically
from algatt.loading import load_methods

load_methods()

FOLDER = Path(algatt.__file__).parent

SOURCES = sorted(
    path for path in FOLDER.glob("*/__init__.py") if "from algatt.verbs import" in path.read_text(encoding="utf-8")
)
"""The subjects that have verbs."""

HEAD = '''"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""
'''

LINE = 100
"""The length of a line: the formatter leaves shorter ones alone, and lists whose last entry ends in a comma."""

CLASSES = {mirror: cls for cls, mirror in MIRRORS.items()}
"""The classes that are arguments themselves, by their dispatch types."""


@functools.cache
def bindings(module: str) -> dict[str, ast.stmt]:
    """Return for every name of a module the statement from which a type checker knows it."""
    found: dict[str, ast.stmt] = {}
    statements = ast.parse(inspect.getsource(sys.modules[module])).body
    while statements:
        statement = statements.pop(0)
        match statement:
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                statements = statement.body + statements
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update({name.asname or name.name: statement for name in names})
            case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                found[name] = statement
    return found


@dataclass
class Names:
    """What the annotations of a stub need, beside what the subject itself imports.

    Parameters
    ----------
    subject : str
        Whose stub it is.
    modules : set of str
        Imported as they are, or as ``numpy as np``.
    members : dict
        The names that are imported from a module.
    variables : dict
        Type variables, each with the arguments that make it.
    """

    subject: str
    modules: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    def add(self, module: str, name: str) -> None:
        """Import a name, unless the subject does."""
        present = vars(sys.modules[self.subject]).get(name)
        if present is None or name not in sys.modules[self.subject].__all__:
            self.members.setdefault(module, set()).add(name)
        elif present is not getattr(sys.modules[module], name):
            raise NameError(f"{name} of {module} has the name of something else in {self.subject}")

    def written(self, annotation: str, module: str) -> str:
        """Return an annotation of a module as the stub has it: aliases are written out, other names are imported."""
        return ast.unparse(Writing(self, module).visit(ast.parse(annotation, mode="eval").body))

    def written_class(self, cls: type) -> str:
        """Return a class, or the class of a class, as the stub has it."""
        if cls in CLASSES:
            return f"type[{self.written_class(CLASSES[cls])}]"
        return self.written(cls.__name__, cls.__module__)

    def variable(self, bound: type | None) -> str:
        """Return a type variable for what is below a class, or for anything."""
        written = "" if bound is None else self.written_class(bound)
        name = f"_Some{written}"
        self.add("typing", "TypeVar")
        self.variables[name] = json.dumps(name) if bound is None else f"{json.dumps(name)}, bound={written}"
        return name


@dataclass
class Writing(ast.NodeTransformer):
    """Write an annotation of one module."""

    names: Names
    module: str

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Return what a name stands for."""
        match bindings(self.module).get(node.id):
            case None if hasattr(builtins, node.id):
                pass
            case ast.Import(names=names):
                imported = (ast.unparse(name) for name in names if node.id == (name.asname or name.name))
                self.names.modules.update(imported)
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("algatt."):
                (original,) = (name.name for name in names if node.id == (name.asname or name.name))
                return typing.cast(ast.AST, Writing(self.names, module).visit(ast.Name(original)))
            case ast.ImportFrom(module=str(module)):
                self.names.add(module, node.id)
            case ast.ClassDef() | ast.Assign(value=ast.Call(func=ast.Name("TypeVar"))):
                self.names.add(self.module, node.id)
            case ast.Assign(value=alias) | ast.AnnAssign(annotation=ast.Name("TypeAlias"), value=ast.expr() as alias):
                return typing.cast(ast.AST, self.visit(alias))
            case _:
                raise NameError(f"{node.id} of {self.module} is nothing that a stub can import")
        return node


@dataclass(frozen=True)
class Overload:
    """A signature.

    Parameters
    ----------
    arguments : dict
        The types of the positional parameters, by their names.
    options : dict
        The types of the options by their names, with their defaults.
    result : str
        The type of the result.
    """

    arguments: dict[str, str]
    options: dict[str, str]
    result: str

    def lines(self) -> list[str]:
        """Write it as a method: in one line, or with a parameter on each."""
        parameters = ["self", *(f"{name}: {kind}" for name, kind in self.arguments.items()), "/"]
        if self.options:
            parameters += ["*", *(f"{name}: {kind}" for name, kind in self.options.items())]
        line = f"    def __call__({', '.join(parameters)}) -> {self.result}: ..."
        if len(line) <= LINE:
            return [line]
        return ["    def __call__(", *(f"        {one}," for one in parameters), f"    ) -> {self.result}: ..."]


def overload(function: Callable[..., Any], names: Names) -> Overload:
    """Return the signature of a method, or of one of its own overloads."""
    signature = inspect.signature(function)
    arguments, parameters = positional(signature), signature.parameters
    types = {name: names.written(one.annotation, function.__module__) for name, one in parameters.items()}
    return Overload(
        {name: types[name] for name in arguments},
        {name: types[name] + default(one) for name, one in parameters.items() if name not in arguments},
        names.written(signature.return_annotation, function.__module__),
    )


def default(parameter: inspect.Parameter) -> str:
    """Return the default of an option as the stub has it, if there is one."""
    match parameter.default:
        case inspect.Parameter.empty:
            return ""
        case str(text):
            return f" = {json.dumps(text)}"
        case bool() | int() | float() | None:
            return f" = {parameter.default!r}"
    return " = ..."


def overload_of_bases(verb: Verb[..., Any], overloads: Sequence[Overload], names: Names) -> Overload | None:
    """Return a signature for arguments of which only the base class is known, or None if there are none such.

    Which method is called is seen when the program runs. So the result is what all methods return, or of the type of
    the argument of which all of them return the type, or anything.
    """
    classes = list(zip(*(method.signature for method in methods_of(verb)), strict=True))
    bases = list(map(common_base, classes))
    if all(base is None or base in at for base, at in zip(bases, classes, strict=True)):
        return None
    arguments: dict[str, str] = {}
    results = {one.result for one in overloads}
    result = results.pop() if len(results) == 1 else "Any"
    for place, (name, base) in enumerate(zip(overloads[0].arguments, bases, strict=True)):
        types = [list(one.arguments.values())[place] for one in overloads]
        if len(set(classes[place])) == 1:
            arguments[name] = types[0]
        elif result == "Any" and types == [one.result for one in overloads]:
            arguments[name] = result = names.variable(base)
        elif result == "Any" and types == [f"type[{one.result}]" for one in overloads]:
            result = names.variable(None if base is None else CLASSES[base])
            arguments[name] = f"type[{result}]"
        else:
            arguments[name] = union(types) if base is None else names.written_class(base)
    options = {name: kind for one in reversed(overloads) for name, kind in one.options.items()}
    return Overload(arguments, options, result)


def union(types: Sequence[str]) -> str:
    """Return the union of types, each once; what is anything leaves out the others."""
    parts = dict.fromkeys(part for kind in types for part in ([kind] if "[" in kind else kind.split(" | ")))
    return "object" if "object" in parts else " | ".join(parts)


def common_base(classes: Sequence[type]) -> type | None:
    """Return the nearest class of the package above all these, or None if there is none."""
    for base in classes[0].__mro__:
        ours = CLASSES.get(base, base).__module__.startswith("algatt.")
        if ours and all(issubclass(cls, base) for cls in classes):
            return base
    return None


def methods_of(verb: Verb[..., Any]) -> list[Method]:
    """Return the methods that the package has for a verb, the more specific ones first."""
    return [method for method in verb.table() if method.function.__module__.startswith("algatt.")]


def overloads_of(verb: Verb[..., Any], names: Names) -> list[Overload]:
    """Return the signatures of a verb: those of its methods, or of their own overloads, and that of base classes."""
    functions: list[Callable[..., Any]] = []
    # what a PublicArray is, a type checker does not know: to it, anything
    methods = sorted(methods_of(verb), key=lambda method: PublicArray in method.signature)
    # a method for several types comes after what is more specific than one of them
    for function in reversed(dict.fromkeys(method.function for method in reversed(methods))):
        place = len(functions)
        if names.written(inspect.signature(function).return_annotation, function.__module__) == "Any":
            while place and not meet(verb, functions[place - 1], function):
                place -= 1  # pyright takes the first result for an argument of which it knows nothing
        functions.insert(place, function)
    found = [overload(one, names) for function in functions for one in typing.get_overloads(function) or [function]]
    last = overload_of_bases(verb, found, names)
    found += [] if last is None else [last]
    return [one for number, one in enumerate(found) if one not in found[:number]]


def meet(verb: Verb[..., Any], one: Callable[..., Any], two: Callable[..., Any]) -> bool:
    """Return whether some arguments fit both of two methods."""
    ones, twos = ([m.signature for m in methods_of(verb) if m.function is function] for function in (one, two))
    pairs = (zip(first, second, strict=True) for first in ones for second in twos)
    return any(all(PublicArray in (a, b) or issubclass(a, b) or issubclass(b, a) for a, b in pair) for pair in pairs)


def class_of(name: str, overloads: Sequence[Overload]) -> list[str]:
    """Return the class of a verb, and the verb, line by line."""
    kind = f"_{name.title().replace('_', '')}"
    decorator = ["    @overload"] if len(overloads) > 1 else []
    lines = [line for one in overloads for line in (*decorator, *one.lines())]
    return ["", f"class {kind}(Verb[..., Any]):", *lines, "", f"{name}: {kind}"]


def stubs() -> dict[Path, str]:
    """Return all stubs by their files: that of the package, and those of the subjects that have verbs."""
    homes: dict[str, str] = {}
    written = {source.with_suffix(".pyi"): stub_of_subject(source, homes) for source in SOURCES}
    return {FOLDER / "__init__.pyi": stub_of_package(), **written}


def stub_of_package() -> str:
    """Return the stub of the package: its modules and the names of everyday use."""
    names = Names("algatt", members={"algatt.version": {"__version__"}})
    names.members["algatt"] = {f"{module} as {module}" for module in algatt.MODULES}
    for name, subject in algatt.HOMES.items():
        names.members.setdefault(f"algatt.{subject}", set()).add(f"{name} as {name}")
    return text_of([*imports(names), *public_names("algatt")])


def stub_of_subject(source: Path, homes: dict[str, str]) -> str:
    """Return the stub of a subject: what it imports, and a class for each verb; a verb that has a home already is
    imported from there.
    """
    subject = f"algatt.{source.parent.name}"
    names = Names(subject, members={"typing": {"Any"}, "algatt.dispatch": {"Verb"}})
    classes: list[str] = []
    for statement in ast.parse(source.read_text(encoding="utf-8")).body:
        match statement:
            case ast.ImportFrom(module="algatt.verbs", names=imported):
                for name in (one.name for one in imported):
                    if homes.setdefault(name, subject) == subject:
                        classes += class_of(name, overloads_of(getattr(verbs, name), names))
                    else:
                        names.members.setdefault(homes[name], set()).add(name)
            case ast.ImportFrom(module=str(module), names=imported) if module == subject:
                modules = {
                    one.name for one in imported if not isinstance(getattr(sys.modules[subject], one.name), Verb)
                }
                names.members.update({module: {f"{name} as {name}" for name in modules}} if modules else {})
            case ast.ImportFrom(module=str(module), names=imported) if module != "algatt.loading":
                names.members.setdefault(module, set()).update(map(ast.unparse, imported))
    if any("@overload" in line for line in classes):  # not where each verb has one method
        names.add("typing", "overload")
    variables = [f"{name} = TypeVar({arguments})" for name, arguments in sorted(names.variables.items())]
    return text_of([*imports(names), *public_names(subject), "", *variables, *classes])


def text_of(lines: Sequence[str]) -> str:
    """Return the text of a stub: its head and its lines, of which no two in a row are empty."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join([HEAD, *lines])).rstrip() + "\n"


def public_names(module: str) -> list[str]:
    """Return the list of the names that a module exports, line by line."""
    return ["__all__ = [", *(f"    {json.dumps(name)}," for name in sys.modules[module].__all__), "]"]


def imports(names: Names) -> Iterator[str]:
    """Write the imports in three groups: of Python, of others, and of the package."""
    for group in range(3):
        yield from (f"import {module}" for module in sorted(names.modules) if group_of(module) == group)
        for module in sorted(names.members):
            if group_of(module) == group:
                yield from import_of(module, sorted(names.members[module], key=by_case))
        yield ""


def group_of(module: str) -> int:
    """Return 0 for a module of Python, 2 for one of the package, and 1 for others."""
    top = module.partition(" ")[0].partition(".")[0]
    return 0 if top in sys.stdlib_module_names else 2 if top == "algatt" else 1


def import_of(module: str, members: Sequence[str]) -> Iterator[str]:
    """Write what is imported from a module: in one line, or with a name on each."""
    line = f"from {module} import {', '.join(members)}"
    if any(" as " in name for name in members):
        yield from (f"from {module} import {name}" for name in members)
    elif len(line) <= LINE:
        yield line
    else:
        yield from [f"from {module} import (", *(f"    {name}," for name in members), ")"]


def by_case(name: str) -> tuple[int, str, str]:
    """Sort constants before classes, and these before functions, each as in a dictionary."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name.lower(), name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the stubs, or say which are not as they should be; return the exit code."""
    parser = argparse.ArgumentParser(prog="public_types", description="Write the types of the public names.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the stub is out of date")
    check = parser.parse_args(arguments).check
    stale = {
        path: text for path, text in stubs().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if check:
            told = path.relative_to(FOLDER.parent).as_posix()
            print(f"{told} is out of date: run python scripts/public_types.py", file=sys.stderr)
        else:
            write_atomically(path, text.encode())
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
