"""Functions of JAX as networks, by `jax.make_jaxpr`."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.errors import InvalidArgument, MissingExtra
from algatt.frontends.arrays import Array, Tokens
from algatt.frontends.axes import join
from algatt.frontends.choices import Places
from algatt.frontends.circles import circle
from algatt.frontends.jax_rules import CHOICES, MOVES, RULES
from algatt.frontends.lowered import Lowered, lowered_with, matrix_shape
from algatt.frontends.places import FROM_INPUT, by_places, by_readers, refuse_places
from algatt.frontends.products import embed
from algatt.frontends.refusals import is_own, of_tokens, refused, without_rule
from algatt.parameters import Weights


def from_jax(function: Callable[..., Any], parameters: Any, example: Any, *, least: float | None = None) -> Network:
    """Return the network that a function of JAX is.

    Parameters
    ----------
    function : callable
        A function of parameters and an input, as `apply` of a module of flax, or ``lambda m, x: m(x)`` for one of
        equinox; its value is one array, or a tree whose first array is.
    parameters : tree of arrays
        The parameters; their paths, with dots between, are the names of the tensors. Leaves that are not arrays of
        floats stay unchanged.
    example : array, or tree of arrays
        An input; its shape is that of the network. Floats are vectors, the last axis, of tokens, and integers are
        numbers of tokens, which are looked up in tables alone.
    least : float, optional
        As for `algatt.from_torch`.

    Returns
    -------
    Network
        With one layer, which computes what the program of the function says, and rounds nothing.

    Raises
    ------
    InvalidArgument
        If JAX cannot trace the function, or an operation has no rule; with the operation and its line.
    MissingExtra
        If JAX is not installed.

    Examples
    --------
    >>> import algatt, pytest
    >>> np = pytest.importorskip("jax.numpy")
    >>> def f(p, x):
    ...     return np.tanh(x @ p["in"] + p["bias"]) @ p["out"]
    >>> p = {"in": np.ones((3, 4)), "bias": np.ones(4), "out": np.ones((4, 2))}
    >>> net = algatt.from_jax(f, p, np.ones((5, 3)))
    >>> algatt.coordinates(net)
    {'bias': (4, 1), 'in': (3, 4), 'out': (4, 2)}
    >>> print(algatt.dimension(net))
    24 (proven)
    """
    jax = imported()
    names, arrays, rebuilt = parts_of(jax, parameters)
    inputs, tree = jax.tree_util.tree_flatten(example)
    try:
        closed = jax.make_jaxpr(
            lambda given, read: first_array(jax, function(rebuilt(given), jax.tree_util.tree_unflatten(tree, read)))
        )(arrays, inputs)
    except Exception as error:
        raise refused(error, frames_of(error.__traceback__), "which jax.make_jaxpr does not take") from error
    shapes = {name: tuple(one.shape) for name, one in zip(names, arrays, strict=True)}
    lowered = lowered_with(shapes, least)
    given: list[Any] = [lambda name=name: lowered.parameter(name) for name in names]
    for one in inputs:
        reads = lowered.read_numbers if np.asarray(one).dtype.kind == "f" else lowered.read_tokens
        given.append(reads(tuple(np.shape(one))))
    (value,) = JaxReading(jax, lowered).values(closed.jaxpr, closed.consts, given)
    return lowered.network(value() if callable(value) else value, f"{getattr(function, '__name__', 'function')} of JAX")


def weights_of_tree(parameters: Any) -> Weights:
    """Return a tree of arrays as weights."""
    names, arrays, _ = parts_of(imported(), parameters)
    named = {name: np.asarray(one) for name, one in zip(names, arrays, strict=True)}
    return Weights.of({name: one.reshape(matrix_shape(one.shape)) for name, one in named.items()})


def tree_with(parameters: Any, theta: Weights) -> Any:
    """Return a tree of arrays with weights in the place of its own, rounded to their types."""
    jax = imported()
    names, arrays, rebuilt = parts_of(jax, parameters)
    if tuple(names) != theta.names():
        raise InvalidArgument("theta", f"{theta!r}", "weights of the network of the function")
    moved = [
        jax.numpy.asarray(np.asarray(theta[name]).reshape(one.shape), dtype=one.dtype)
        for name, one in zip(names, arrays, strict=True)
    ]
    return rebuilt(moved)


def imported() -> Any:
    """Return JAX."""
    try:
        import jax
    except ImportError as error:
        raise MissingExtra("jax", "jax") from error
    return jax


def parts_of(jax: Any, parameters: Any) -> tuple[list[str], list[Any], Callable[[Any], Any]]:
    """Return the names and the arrays of floats in a tree, and the function that puts others in their place."""
    leaves, tree = jax.tree_util.tree_flatten_with_path(parameters)
    chosen = [place for place, (_, leaf) in enumerate(leaves) if is_floats(leaf)]
    if not chosen:
        raise InvalidArgument("parameters", "without arrays of floats", "a tree of arrays")
    names = [name_of(leaves[place][0]) for place in chosen]

    def rebuilt(arrays: Any) -> Any:
        given = [leaf for _, leaf in leaves]
        for place, one in zip(chosen, arrays, strict=True):
            given[place] = one
        return jax.tree_util.tree_unflatten(tree, given)

    return names, [leaves[place][1] for place in chosen], rebuilt


def is_floats(leaf: Any) -> bool:
    """Return whether a leaf is an array of floats."""
    return hasattr(leaf, "shape") and str(getattr(leaf, "dtype", "")).startswith(("float", "bfloat"))


def name_of(path: Sequence[Any]) -> str:
    """Return the name of a leaf: its path, with dots between."""
    words = [
        re.sub(r"\W+", "_", str(getattr(key, "key", getattr(key, "idx", getattr(key, "name", key))))) for key in path
    ]
    return ".".join(word.strip("_") or "_" for word in words) or "parameters"


def first_array(jax: Any, value: Any) -> Any:
    """Return the first array of a tree."""
    return jax.tree_util.tree_leaves(value)[0]


def frames_of(trace: Any) -> str:
    """Return a traceback as Python writes it."""
    import traceback

    return "".join(traceback.format_tb(trace))


class Unknown:
    """The result of arithmetic on numbers of tokens, which nothing may read."""


INSIDE = ("jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call", "remat2", "checkpoint")
"""Operations that compute what another program says."""


class JaxReading:
    """A program of JAX that is being written as one of this package."""

    def __init__(self, jax: Any, lowered: Lowered) -> None:
        self.jax, self.lowered = jax, lowered
        self.around: list[str] = []

    def values(self, jaxpr: Any, constants: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        """Return the values of a program."""
        known: dict[Any, Any] = {}
        known.update(zip(jaxpr.constvars, constants, strict=True))
        known.update(zip(jaxpr.invars, given, strict=True))

        def value_of(atom: Any) -> Any:
            return atom.val if hasattr(atom, "val") else known[atom]

        for equation in jaxpr.eqns:
            results = self.results(equation, [value_of(atom) for atom in equation.invars])
            known.update(zip(equation.outvars, results, strict=True))
        return [value_of(atom) for atom in jaxpr.outvars]

    def results(self, equation: Any, operands: list[Any]) -> list[Any]:
        """Return the results of an operation; of constants they are computed by JAX."""
        name, options = equation.primitive.name, equation.params
        if name in INSIDE:
            inner = next(options[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in options)
            plain = getattr(inner, "jaxpr", inner)
            self.around.append(self.place(equation))
            found = self.values(plain, getattr(inner, "consts", ()), operands)
            self.around.pop()
            return found
        if name == "scan":
            return self.scanned(options, operands)
        if not any(isinstance(one, (*FROM_INPUT, Unknown)) or callable(one) for one in operands):
            return self.constants(equation, operands)
        operands = [one() if callable(one) else one for one in operands]
        try:
            return self.by_rule(equation, name, operands, options)
        except InvalidArgument as error:
            raise refused(error, self.place(equation), f"with the operation {name}") from error

    def constants(self, equation: Any, operands: list[Any]) -> list[Any]:
        """Return the results of an operation on constants."""
        name = equation.primitive.name
        if name in ("cos", "sin"):
            found = circle(self.lowered.operations, np.asarray(operands[0]), name)
            if found is not None:
                return [found]
        results = equation.primitive.bind(*operands, **equation.params)
        return list(results) if equation.primitive.multiple_results else [results]

    def by_rule(self, equation: Any, name: str, operands: list[Any], options: Any) -> list[Any]:
        """Return the results of an operation on arrays."""
        if name == "gather" and isinstance(operands[1], Tokens):
            return [self.looked_up(operands, options)]
        if name == "gather" and isinstance(operands[1], Places):
            return [self.at_places(operands, options)]
        whole = any(isinstance(one, Tokens | Unknown) for one in operands)
        whole = whole or (isinstance(operands[0], Places) and name in ("add", "convert_element_type", "lt", "sub"))
        if whole and name not in (*MOVES, "concatenate"):
            return [self.of_tokens(name, operands)]
        if name in MOVES:
            return self.moved(equation, operands)
        plain = [one if isinstance(one, FROM_INPUT) else np.asarray(one) for one in operands]
        found, given = by_readers(self.lowered.operations, CHOICES, name, plain, options)
        if found is not None:
            return found if isinstance(found, list) else [found]
        refuse_places(given)
        rule = RULES.get(name)
        if rule is None:
            raise without_rule()
        if name in ("div", "integer_pow") and equation.outvars[0].aval.dtype.kind in "iu":
            raise InvalidArgument("it", "on integers", "on floats")
        made = rule(self.lowered.operations, *given, **options)
        return made if isinstance(made, list) else [made]

    def of_tokens(self, name: str, operands: list[Any]) -> Any:
        """Return the result of an operation on numbers of tokens, or on places of largest entries: that they are not
        negative is known, and nothing else.
        """
        if name == "convert_element_type":
            return operands[0]
        is_unknown = any(isinstance(one, Unknown) for one in operands)
        if name == "lt" and not is_unknown and not isinstance(operands[1], Tokens) and not np.any(operands[1]):
            return np.zeros(operands[0].shape, dtype=bool)
        if name in ("add", "sub", "mul"):
            return Unknown()
        if name == "select_n" and not isinstance(operands[0], Tokens | Unknown):
            which = np.unique(np.asarray(operands[0]).astype(int))
            if len(which) == 1:
                return operands[1 + int(which[0])]
        raise of_tokens()

    def moved(self, equation: Any, operands: list[Any]) -> list[Any]:
        """Return the results of an operation that moves entries: as it moves their places."""
        first, *rest = operands
        if any(isinstance(one, Unknown) for one in operands):
            raise of_tokens()
        if any(isinstance(one, FROM_INPUT) for one in rest):
            raise InvalidArgument("it", "at places that depend on the input", "at constant ones")
        if not isinstance(first, FROM_INPUT):
            first = self.lowered.operations.results.lift(np.asarray(first))
        shape = first.shape
        places = self.jax.numpy.arange(math.prod(shape), dtype=np.int32).reshape(shape)
        found = equation.primitive.bind(places, *rest, **equation.params)
        listed = [np.asarray(one) for one in (found if equation.primitive.multiple_results else [found])]
        return [first.view(functools.partial(taken, places=one)) for one in listed]

    def looked_up(self, operands: list[Any], options: Any) -> Array:
        """Return the rows of a table."""
        table, tokens = self.lowered.operations.results.lift(operands[0]), operands[1]
        numbers = options["dimension_numbers"]
        rows = tuple(options["slice_sizes"]) == (1, *table.shape[1:])
        if numbers.start_index_map != (0,) or numbers.collapsed_slice_dims != (0,) or not rows:
            raise InvalidArgument("it", "of parts of a table", "of rows of a table")
        columns = tokens.columns[..., 0]
        if numbers.offset_dims != tuple(range(columns.ndim, columns.ndim + table.ndim - 1)):
            raise InvalidArgument("it", "with rows that do not come last", "with rows as the last axis")
        return embed(self.lowered.operations, table, self.lowered.units(table.shape[0]), columns)

    def at_places(self, operands: list[Any], options: Any) -> Any:
        """Return the entries of an array at places along its last axis, as `take_along_axis` looks them up."""
        numbers, (x, places) = options["dimension_numbers"], operands
        last = len(np.shape(x)) - 1
        if numbers.start_index_map != (last,) or numbers.operand_batching_dims != tuple(range(last)):
            raise InvalidArgument("it", "at places that depend on the input", "along the last axis, of all entries")
        places = places.view(lambda entries: entries[..., 0])
        return by_places(self.lowered.operations, "gather", (x, last, places), {})

    def scanned(self, options: Any, operands: list[Any]) -> list[Any]:
        """Return the results of a loop of a known length, step by step."""
        constants, carried = options["num_consts"], options["num_carry"]
        operands = [one() if callable(one) else one for one in operands]
        state, rows = operands[constants : constants + carried], operands[constants + carried :]
        inner, steps = options["jaxpr"], range(options["length"])
        found: list[list[Any]] = []
        for step in reversed(steps) if options["reverse"] else steps:
            given = [*operands[:constants], *state, *(one[step] for one in rows)]
            results = self.values(inner.jaxpr, inner.consts, given)
            state = results[:carried]
            found.append(results[carried:])
        if options["reverse"]:
            found.reverse()
        stacked = [self.stack([row[place] for row in found]) for place in range(len(found[0]))]
        return [*state, *stacked]

    def stack(self, parts: list[Any]) -> Any:
        """Return arrays with a new axis before the others."""
        if not any(isinstance(part, Array) for part in parts):
            return np.stack([np.asarray(part) for part in parts])
        return join(self.lowered.operations, [self.lowered.operations.results.lift(part)[None] for part in parts], 0)

    def place(self, equation: Any) -> str:
        """Return where an operation is in the user's code, as Python writes it, or what it is in."""
        trace = getattr(equation.source_info, "traceback", None)
        frames = trace.frames if trace is not None else ()
        inside = "\n".join(f'File "{one.file_name}", line {one.line_num}' for one in reversed(frames))
        return "\n".join([*self.around, inside]) if not is_own(inside) else inside


def taken(entries: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the entries at places that are counted row by row."""
    return entries.reshape(-1)[places]
