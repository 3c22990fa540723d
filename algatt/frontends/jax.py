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
from algatt.frontends import functions
from algatt.frontends.arrays import Array
from algatt.frontends.functions import FUNCTIONS
from algatt.frontends.lowered import Lowered, Tokens, lowered_with, matrix_shape
from algatt.frontends.refusals import is_own, refused
from algatt.parameters import Weights

__all__ = ["from_jax", "weights_of_tree"]

Rule = Callable[..., Any]


def from_jax(function: Callable[..., Any], parameters: Any, example: Any, *, least: float | None = None) -> Network:
    """Return the network that a function of JAX is.

    Parameters
    ----------
    function : callable
        A function of parameters and an input, as `apply` of a module of flax, or ``lambda m, x: m(x)`` for one of
        equinox; its value is one array, or a tree whose first array is.
    parameters : tree of arrays
        The parameters; their paths, with dots between, are the names of the tensors. What is in the tree and no array
        of floats stays as it is.
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
    (value,) = Reading(jax, lowered).values(closed.jaxpr, closed.consts, given)
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

MOVES = (
    "broadcast_in_dim",
    "copy",
    "copy_p",
    "dynamic_slice",
    "expand_dims",
    "gather",
    "reshape",
    "rev",
    "slice",
    "split",
    "squeeze",
    "transpose",
)
"""Operations that move entries."""


class Reading:
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
        if not any(isinstance(one, Array | Tokens | Unknown) or callable(one) for one in operands):
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
            found = functions.circle(self.lowered.operations, np.asarray(operands[0]), name)
            if found is not None:
                return [found]
        results = equation.primitive.bind(*operands, **equation.params)
        return list(results) if equation.primitive.multiple_results else [results]

    def by_rule(self, equation: Any, name: str, operands: list[Any], options: Any) -> list[Any]:
        """Return the results of an operation on arrays."""
        if name == "gather" and isinstance(operands[1], Tokens):
            return [self.looked_up(operands, options)]
        if any(isinstance(one, Tokens | Unknown) for one in operands) and name not in (*MOVES, "concatenate"):
            return [self.of_tokens(name, operands)]
        if name in MOVES:
            return self.moved(equation, operands)
        rule = RULES.get(name)
        if rule is None:
            raise InvalidArgument("it", "which has no rule", "one of those of docs/your_own_model.md")
        given = [one if isinstance(one, Array | Tokens) else np.asarray(one) for one in operands]
        made = rule(self.lowered, *given, **options)
        return made if isinstance(made, list) else [made]

    def of_tokens(self, name: str, operands: list[Any]) -> Any:
        """Return the result of an operation on numbers of tokens: that they are not negative is known, and nothing
        else.
        """
        if name == "convert_element_type":
            return operands[0]
        if name == "lt" and not isinstance(operands[1], Tokens | Unknown) and not np.any(operands[1]):
            return np.zeros(operands[0].shape, dtype=bool)
        if name in ("add", "sub", "mul"):
            return Unknown()
        if name == "select_n" and not isinstance(operands[0], Tokens | Unknown):
            which = np.unique(np.asarray(operands[0]).astype(int))
            if len(which) == 1:
                return operands[1 + int(which[0])]
        raise InvalidArgument(
            "it", "computed of numbers of tokens", "given as a constant, as tokens are looked up alone"
        )

    def moved(self, equation: Any, operands: list[Any]) -> list[Any]:
        """Return the results of an operation that moves entries: as it moves their places."""
        first, *rest = operands
        if any(isinstance(one, Array | Tokens) for one in rest):
            raise InvalidArgument("it", "at places that depend on the input", "at constant ones")
        if not isinstance(first, Array | Tokens):
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
        return functions.embed(self.lowered.operations, table, self.lowered.units(table.shape[0]), columns)

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
        return functions.join(
            self.lowered.operations, [self.lowered.operations.results.lift(part)[None] for part in parts], 0
        )

    def place(self, equation: Any) -> str:
        """Return where an operation is in the user's code, as Python writes it, or what it is in."""
        trace = getattr(equation.source_info, "traceback", None)
        frames = trace.frames if trace is not None else ()
        inside = "\n".join(f'File "{one.file_name}", line {one.line_num}' for one in reversed(frames))
        return "\n".join([*self.around, inside]) if not is_own(inside) else inside


def taken(entries: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the entries at places that are counted row by row."""
    return entries.reshape(-1)[places]


def unary(name: str) -> Rule:
    """Return the rule of a function of one variable."""
    return lambda lowered, x, **options: lowered.operations.apply(FUNCTIONS[name], x)


def binary(name: str) -> Rule:
    """Return the rule of an operation on two arrays."""
    return lambda lowered, x, y, **options: getattr(lowered.operations, name)(x, y)


def dot_general(lowered: Lowered, x: Any, y: Any, *, dimension_numbers: Any, **options: Any) -> Array:
    ((one, two), (first, second)) = dimension_numbers
    return lowered.operations.contract(x, y, (first, one), (second, two))


def compared(swapped: bool, negated: bool) -> Rule:
    """Return the rule of a comparison, whose entries are 0 and 1."""

    def rule(lowered: Lowered, x: Any, y: Any, **options: Any) -> Array:
        one, other = (y, x) if swapped else (x, y)
        found = lowered.operations.apply(FUNCTIONS["positive"], lowered.operations.difference(one, other))
        return lowered.operations.subtract(1, found) if negated else found

    return rule


def maximum(lowered: Lowered, x: Any, y: Any) -> Array:
    for one, other in ((x, y), (y, x)):
        if not isinstance(one, Array) and (np.asarray(one) == -np.inf).all():
            return other.spread(np.broadcast_shapes(np.shape(one), other.shape))
    return functions.maximum(lowered.operations, x, y)


def minimum(lowered: Lowered, x: Any, y: Any) -> Array:
    operations = lowered.operations
    return operations.subtract(x, operations.apply(FUNCTIONS["relu"], operations.difference(x, y)))


def reduced(method: str) -> Rule:
    """Return the rule of an operation on axes that go."""

    def rule(lowered: Lowered, x: Array, *, axes: Any, **options: Any) -> Array:
        if method == "sum":
            return lowered.operations.sum(x, axes)
        for axis in sorted(axes, reverse=True):
            x = lowered.operations.maximum(x, axis)
        return x

    return rule


def padded(lowered: Lowered, x: Any, value: Any, *, padding_config: Any) -> Array:
    if any(inner for _, _, inner in padding_config):
        raise InvalidArgument("it", "between entries", "around arrays")
    return functions.pad(lowered.operations, x, [sides[:2] for sides in padding_config], float(value))


def convolution(lowered: Lowered, x: Any, kernel: Any, **options: Any) -> Array:
    numbers, lift = options["dimension_numbers"], lowered.operations.results.lift
    if options["batch_group_count"] != 1 or any(one != 1 for one in options["lhs_dilation"]):
        raise InvalidArgument("it", "transposed, or with groups of batches", "a plain convolution")
    made = functions.convolve(
        lowered.operations,
        lift(x).transpose(numbers.lhs_spec),
        lift(kernel).transpose(numbers.rhs_spec),
        stride=options["window_strides"],
        padding=options["padding"],
        dilation=options["rhs_dilation"],
        groups=options["feature_group_count"],
    )
    return made.transpose([int(place) for place in np.argsort(numbers.out_spec)])


def cumulative_sum(lowered: Lowered, x: Array, *, axis: int, reverse: bool) -> Array:
    ones = np.tri(x.shape[axis]).T if reverse else np.tri(x.shape[axis])
    made = lowered.operations.contract(x, ones, ((), (axis,)), ((), (1,)))
    return made.view(lambda entries: np.moveaxis(entries, -1, axis))


def chosen(lowered: Lowered, which: Any, *cases: Any) -> Array:
    if len(cases) != 2:
        raise InvalidArgument("it", f"between {len(cases)} arrays", "between two")
    return lowered.operations.where(which if isinstance(which, Array) else which.astype(bool), cases[1], cases[0])


def nowhere(lowered: Lowered, x: Array) -> np.ndarray:
    """Results are numbers, so none is infinite."""
    lowered.operations.refuse_hidden(x, "asked for")
    return np.zeros(x.shape, dtype=bool)


def same(lowered: Lowered, x: Any, **options: Any) -> Any:
    return x


RULES: dict[str, Rule] = {
    "abs": unary("abs"),
    "add": binary("add"),
    "add_any": binary("add"),
    "and": binary("multiply"),
    "clamp": lambda lowered, low, x, high: functions.between(lowered.operations, x, low, high),
    "concatenate": lambda lowered, *parts, dimension: functions.join(lowered.operations, parts, dimension),
    "conv_general_dilated": convolution,
    "convert_element_type": same,
    "cosh": unary("cosh"),
    "cumsum": cumulative_sum,
    "div": binary("divide"),
    "dot_general": dot_general,
    "erf": unary("erf"),
    "erfc": lambda lowered, x: lowered.operations.subtract(1, lowered.operations.apply(FUNCTIONS["erf"], x)),
    "exp": lambda lowered, x, **options: lowered.operations.exp(x),
    "exp2": unary("exp2"),
    "expm1": unary("expm1"),
    "ge": compared(True, True),
    "gt": compared(False, False),
    "integer_pow": lambda lowered, x, y: functions.power(lowered.operations, x, y),
    "is_finite": lambda lowered, x: ~nowhere(lowered, x),
    "le": compared(False, True),
    "log": unary("log"),
    "log1p": unary("log1p"),
    "logistic": unary("sigmoid"),
    "lt": compared(True, False),
    "max": maximum,
    "min": minimum,
    "mul": binary("multiply"),
    "neg": unary("neg"),
    "not": lambda lowered, x: lowered.operations.subtract(1, x),
    "pad": padded,
    "pow": lambda lowered, x, y: functions.power(lowered.operations, x, y),
    "reduce_max": reduced("maximum"),
    "reduce_precision": same,
    "reduce_sum": reduced("sum"),
    "rsqrt": unary("rsqrt"),
    "select_n": chosen,
    "sign": unary("sign"),
    "sinh": unary("sinh"),
    "sqrt": unary("sqrt"),
    "square": unary("square"),
    "stop_gradient": same,
    "sub": binary("subtract"),
    "tanh": unary("tanh"),
}
"""How each operation is written, by its name."""
