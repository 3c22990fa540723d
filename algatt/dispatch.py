"""Generic functions in the manner of Julia, on top of multipledispatch.

This is the one importer of multipledispatch. A `Verb` keeps a dispatcher of its own and repairs what the library leaves
open: a duplicate signature raises instead of overwriting, an ambiguity raises instead of warning, a call that no method
fits names the candidates, annotations may be postponed, a class may be an argument (``type[T]``, as Julia's
``Type{T}``), a type variable stands for its bound, and options are keyword-only and take no part in dispatch. The
methods of the package are imported when a verb first chooses among those for some types, or when one is added from
outside (`algatt.loading`): so nobody sees a part of them.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import operator
import re
import sys
import threading
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from multipledispatch.conflict import consistent, ordering, supercedes
from multipledispatch.dispatcher import Dispatcher

from algatt.display import Summary, html_of
from algatt.errors import NETWORK, AmbiguousMethodError, DuplicateMethodError, MethodError
from algatt.loading import HOMES, is_own, load_homes, load_methods

Function = TypeVar("Function", bound=Callable[..., Any])
Called = TypeVar("Called", bound=Callable[..., Any])

Signature = tuple[type, ...]


class AnyClass:
    """Stands for "some class" in a signature: the root of the mirror of the class hierarchy that `mirror` builds."""


MIRRORS: dict[type, type] = {object: AnyClass}
"""Classes and their mirrors."""

CHANGING = threading.RLock()
"""Held while a class is mirrored or a method added: no class has two mirrors because two threads came at once."""


def mirror(cls: type) -> type:
    """Return the dispatch type of the class `cls` itself, so that ``mirror(A)`` is below ``mirror(B)`` whenever A is
    below B.
    """
    if cls not in MIRRORS:
        with CHANGING:
            if cls not in MIRRORS:
                bases = tuple(mirror(base) for base in cls.__bases__)
                MIRRORS[cls] = type(f"type[{cls.__name__}]", bases, {HOMES: vars(cls).get(HOMES, ())})
    return MIRRORS[cls]


def dispatch_type(argument: object) -> type:
    """Return the type by which `argument` takes part in dispatch."""
    return mirror(argument) if isinstance(argument, type) else type(argument)


def noun_in(value: Any) -> Any:
    """Return the noun that a value stands for, by its ``__noun__`` (as numpy asks for ``__array__``), or the value."""
    return value.__noun__() if hasattr(type(value), "__noun__") else value


def alternatives(annotation: Any) -> tuple[type, ...]:
    """Return the types that an annotation admits, as dispatch types."""
    if annotation in (Any, inspect.Parameter.empty):
        return (object,)
    if annotation is None:
        return (type(None),)
    if annotation is type:
        return (AnyClass,)
    if isinstance(annotation, TypeVar):
        bounds = annotation.__constraints__ or (annotation.__bound__ or Any,)
        return tuple(itertools.chain.from_iterable(map(alternatives, bounds)))
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return tuple(itertools.chain.from_iterable(alternatives(member) for member in typing.get_args(annotation)))
    if origin is type:
        (argument,) = typing.get_args(annotation)
        return tuple(map(mirror, alternatives(argument)))
    if origin is not None:
        annotation = origin
    if not isinstance(annotation, type):
        raise TypeError(f"cannot dispatch on the annotation {annotation!r}; annotate with a class")
    return (annotation,)


@dataclass(frozen=True)
class Method:
    """One method of a verb: its signature, its function and where that is written."""

    verb: str
    signature: Signature
    function: Callable[..., Any]

    @property
    def location(self) -> str:
        """File and line of the method."""
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    def __str__(self) -> str:
        names = positional(inspect.signature(self.function))
        pairs = zip(names, self.signature, strict=True)
        return f"{self.verb}({', '.join(f'{name}: {kind.__name__}' for name, kind in pairs)})"


class MethodTable(tuple[Method, ...]):
    """The methods of one verb; prints as a table with file and line."""

    def __repr__(self) -> str:
        if not self:
            return "no methods"
        width = max(len(str(method)) for method in self)
        rows = [f"{method!s:<{width}}  {method.location}" for method in self]
        return "\n".join([f"{self.title()}:", *rows])

    def title(self) -> str:
        """Return how many methods of which verb these are."""
        return f"{len(self)} method{'s' if len(self) > 1 else ''} of {self[0].verb}" if self else "no methods"

    def _repr_html_(self) -> str:
        return html_of(Summary(self.title(), [(str(method), method.location) for method in self]))


def positional(signature: inspect.Signature) -> list[str]:
    """Return the names of the parameters that take part in dispatch."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, parameter in signature.parameters.items() if parameter.kind in kinds]


class WrittenAnnotation(str):
    """An annotation that is shown as it is written, without quotes."""

    __slots__ = ()

    __repr__ = str.__str__


def as_written(declaration: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a declaration, whose annotations are postponed."""
    signature = inspect.signature(declaration)

    def shown(annotation: Any) -> Any:
        return WrittenAnnotation(annotation) if isinstance(annotation, str) else annotation

    parameters = [one.replace(annotation=shown(one.annotation)) for one in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=shown(signature.return_annotation))


def options(signature: inspect.Signature) -> set[str]:
    """Return the names of the keyword-only parameters."""
    return {
        name for name, parameter in signature.parameters.items() if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


class Verb(Generic[Called]):
    """A generic function: declared once, with one method for each combination of types.

    Parameters
    ----------
    declaration : callable
        A function without a body. Its docstring is the verb's, its positional parameters are those that methods
        dispatch on, and its keyword-only parameters are the options that methods may take.
    homes : tuple of str, optional
        The modules with methods that stand in the module of no noun among their arguments.
    """

    registry: typing.ClassVar[list[Verb[Any]]] = []

    def __init__(self, declaration: Called, homes: Sequence[str] = ()) -> None:
        functools.update_wrapper(self, declaration)
        self.homes = tuple(homes)
        self.name = self.__name__ = declaration.__name__.lstrip("_")
        self.__signature__ = self._signature = as_written(declaration)
        self._arity = len(positional(self._signature))
        self._dispatcher = Dispatcher(self.name)
        self._resolved: dict[Signature, Callable[..., Any]] = {}
        self._options: dict[Callable[..., Any], set[str]] = {}
        Verb.registry.append(self)

    def method(self, function: Function) -> Function:
        """Register `function` as the method for the types in its annotations, and return it.

        Raises
        ------
        DuplicateMethodError
            If the verb has a method for the same types already.
        TypeError
            If the parameters are not those of the declaration, or an annotation is not a class.
        """
        signature = inspect.signature(function)
        names = positional(signature)
        if len(names) != self._arity:
            raise TypeError(
                f"a method of {self.name} takes {self._arity} positional arguments, not {len(names)}: {signature}"
            )
        undeclared = options(signature) - options(self._signature)
        if undeclared:
            raise TypeError(f"{self.name} declares no option {', '.join(sorted(undeclared))}")
        caller = sys._getframe(1)  # postponed annotations may name classes that are local to the caller
        kinds = [
            alternatives(resolve(signature.parameters[name].annotation, function, caller.f_locals)) for name in names
        ]
        combinations = list(itertools.product(*kinds))
        if not is_own(function.__module__):
            # else it could take the place of one that is not there yet, which would then be the duplicate
            load_homes(self.homes, tuple(itertools.chain.from_iterable(kinds)))
        with CHANGING:
            for combination in combinations:
                present = self._dispatcher.funcs.get(combination)
                if present is not None and not is_again(function, present):
                    before = Method(self.name, combination, present)
                    raise DuplicateMethodError(f"{before} is already defined at {before.location}")
            self._options[function] = options(signature)
            for combination in combinations:
                self._dispatcher.add(combination, function)
            self._resolved = {}
        return function

    def resolve(self, signature: Signature) -> Callable[..., Any]:
        """Return the most specific method for the dispatch types `signature`.

        Raises
        ------
        MethodError
            If no method fits.
        AmbiguousMethodError
            If several fit and none of them is more specific than all the others.
        """
        load_homes(self.homes, signature)
        funcs = self._dispatcher.funcs.copy()  # another thread may add methods meanwhile
        fitting = [
            candidate
            for candidate in funcs
            if len(candidate) == len(signature) and all(map(issubclass, signature, candidate))
        ]
        best = [one for one in fitting if all(supercedes(one, other) for other in fitting)]
        if best:
            return funcs[best[0]]
        if len(signature) < self._arity:
            raise MethodError(self._lacking(len(signature)))
        described = f"{self.name}({', '.join(kind.__name__ for kind in signature)})"
        if fitting:
            candidates = [Method(self.name, one, funcs[one]) for one in fitting]
            listed = "; ".join(f"{one} at {one.location}" for one in candidates)
            raise AmbiguousMethodError(f"{described} is ambiguous between {listed}")
        listed = "; ".join(str(method) for method in self.table()) or "none"
        raise MethodError(f"no method fits {described}{self._hint(signature)}; candidates: {listed}")

    def _hint(self, signature: Signature) -> str:
        """Say what an argument should be that no method takes, where methods take networks."""
        for place, parameter in zip(range(self._arity), self._signature.parameters.values(), strict=False):
            networks = str(parameter.annotation).endswith("NetworkLike")
            if networks and not any(issubclass(signature[place], one[place]) for one in self._dispatcher.funcs):
                return f": {parameter.name} was of type {signature[place].__name__}; it should be {NETWORK}"
        return ""

    def table(self) -> MethodTable:
        """Return the methods, the more specific ones first."""
        load_methods()
        funcs = self._dispatcher.funcs.copy()
        return MethodTable(Method(self.name, signature, funcs[signature]) for signature in ordering(funcs))

    def ambiguities(self) -> list[tuple[Method, Method]]:
        """Return the pairs of methods between which some call could not choose: no method is the most specific one
        below both.
        """
        pairs = []
        for one, two in itertools.combinations(self.table(), 2):
            if consistent(one.signature, two.signature):
                meet = tuple(a if issubclass(a, b) else b for a, b in zip(one.signature, two.signature, strict=True))
                try:
                    self.resolve(meet)
                except AmbiguousMethodError:
                    pairs.append((one, two))
        return pairs

    if typing.TYPE_CHECKING:
        __call__: Called
    else:

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            resolved = self._resolved  # once a method is added, nobody looks into this table again
            function = resolved.get(tuple(map(type, args)))  # which is the signature unless an argument is a class
            if function is None:
                signature = tuple(map(dispatch_type, args))
                function = resolved.get(signature)
                if function is None:
                    named = set(kwargs).intersection(positional(self._signature))
                    if named:
                        raise MethodError(f"{self.name} takes {', '.join(sorted(named))} by position")
                    try:
                        function = resolved[signature] = self.resolve(signature)
                    except MethodError:
                        nouns = tuple(map(noun_in, args))
                        if all(map(operator.is_, nouns, args)):
                            raise
                        return self(*nouns, **kwargs)
            if kwargs and not self._options[function].issuperset(kwargs):
                raise MethodError(self._refusal(tuple(map(dispatch_type, args)), function, set(kwargs)))
            return function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Verb[Called]:
        """Be a routine to `help`, which shows the signature of one; a verb in a class is bound to nothing."""
        return self

    def _lacking(self, given: int) -> str:
        """Say which arguments a call lacks, with the first words that the documentation has for each."""
        names = positional(self._signature)
        words = []
        for name in names[given:]:
            found = re.search(rf"^ *{name} : .*\n((?:[^.;]|\.(?=\w))*)", self.__doc__ or "", re.MULTILINE)
            words.append(f"{name} is not given" + (f": {' '.join(found[1].split()).replace('`', '')}" if found else ""))
        return f"{self.name} takes {', '.join(names)}; {'; '.join(words)}"

    def _refusal(self, signature: Signature, function: Callable[..., Any], given: set[str]) -> str:
        """Say which of the options that were given a method does not take, and which it takes."""
        taken = self._options[function]
        described = f"{self.name}({', '.join(kind.__name__ for kind in signature)})"
        return (
            f"{described} takes no option {', '.join(sorted(given - taken))}; its options: "
            f"{', '.join(sorted(taken)) or 'none'}"
        )

    def __reduce__(self) -> str:
        """Pickle as a reference to the module that declares the verb."""
        return self.name

    def __repr__(self) -> str:
        count = len(self.table())
        return f"<verb {self.name}{self._signature} with {count} method{'' if count == 1 else 's'}>"


def resolve(annotation: Any, function: Callable[..., Any], local: dict[str, Any]) -> Any:
    """Evaluate a postponed annotation among the function's globals and the caller's locals."""
    if isinstance(annotation, str):
        return eval(annotation, getattr(function, "__globals__", {}), local)
    return annotation


def is_again(function: Callable[..., Any], present: Callable[..., Any]) -> bool:
    """Return whether a function is one that is present, from a module whose import was interrupted and which is
    imported once more.
    """
    same_place = function.__code__.co_filename == present.__code__.co_filename and (
        function.__code__.co_firstlineno == present.__code__.co_firstlineno
    )
    return same_place and function.__globals__ is not present.__globals__


@typing.overload
def declare(declaration: Called, *, homes: Sequence[str] = ()) -> Verb[Called]: ...
@typing.overload
def declare(*, homes: Sequence[str]) -> Callable[[Called], Verb[Called]]: ...
def declare(declaration: Callable[..., Any] | None = None, *, homes: Sequence[str] = ()) -> Any:
    """Make a verb of a declaration: a function with parameters and a docstring, and no body.

    Parameters
    ----------
    declaration : callable
        The function.
    homes : sequence of str, optional
        The modules with methods that stand in the module of no noun among their arguments. Given alone, for a
        decorator.
    """
    if declaration is None:
        return functools.partial(Verb, homes=homes)
    return Verb(declaration, homes)


def methods(verb: Verb[Any] | Callable[..., Any]) -> MethodTable:
    """Return the method table of a verb, as Julia's ``methods`` does; it prints with file and line.

    Parameters
    ----------
    verb : Verb or function
        A generic function such as `algatt.evaluate`. A function such as `algatt.dimension` has one method: itself.

    Returns
    -------
    MethodTable
        A tuple of `Method`, the more specific ones first.

    Raises
    ------
    TypeError
        If `verb` is neither.
    """
    if isinstance(verb, types.FunctionType):
        return MethodTable([Method(verb.__name__, signature_of(verb), verb)])
    if not isinstance(verb, Verb):
        raise MethodError(f"methods() takes a verb such as algatt.evaluate, not {verb!r}")
    return verb.table()


def signature_of(function: types.FunctionType) -> Signature:
    """Return the types of the arguments of a function: `object` where an annotation admits several, beside what stands
    for another noun, or names a type that is imported for type checkers alone.
    """
    try:
        hints = typing.get_type_hints(function)
    except NameError:
        hints = {}
    names = positional(inspect.signature(function))
    admitted = [[one for one in alternatives(hints.get(name, Any)) if not hasattr(one, "__noun__")] for name in names]
    return tuple(one[0] if len(one) == 1 else object for one in admitted)


def check() -> None:
    """Check every declared verb for ambiguities.

    Raises
    ------
    AmbiguousMethodError
        Naming the first pair of methods between which some call could not choose.
    """
    for verb in verbs():
        for one, two in verb.ambiguities():
            raise AmbiguousMethodError(
                f"{one} at {one.location} and {two} at {two.location} fit the same calls; define the method for both"
            )


def verbs() -> Iterator[Verb[Any]]:
    """Iterate over the declared verbs: those of the package by their modules, then others, as they are declared."""
    load_methods()
    return iter(sorted(Verb.registry, key=lambda verb: verb.__module__ if is_own(verb.__module__) else "~"))
