"""Arrays as users give them, with the precision of their numbers, and arrays that are written into others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument, in_words

DOUBLE = 53
"""The significant bits of a float64."""


def public_array(array: Any, argument: str = "array") -> tuple[np.ndarray, int]:
    """Return what a user gives as an array as one of numpy or galois, and how many bits of its numbers are known.

    Raises
    ------
    InvalidArgument
        Naming `argument`, if numpy makes no array of it. An array of objects is one.
    """
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise InvalidArgument(argument, "with masked entries", "with all entries")
    if isinstance(array, np.ndarray):
        return as_known_floats(array if is_galois_class(type(array)) else np.asarray(array))
    if any(map(is_galois_class, kinds_in(array))):  # numpy would take their entries for integers
        raise InvalidArgument(argument, "a list of galois arrays", "one galois array, as galois.GF(p)(rows) makes it")
    try:
        readable, known = of_tensor(array)
        values, precision = as_known_floats(np.asarray(readable))
    except InvalidArgument as error:  # ours, of parameters
        raise InvalidArgument(argument, in_words(array), error.should) from error
    except Exception as error:  # whatever the __array__ of another package raises
        if isinstance(array, list | tuple) and isinstance(error, ValueError):
            raise InvalidArgument(argument, "a list of rows of different lengths", "an array") from error
        why = (str(error).splitlines() or [type(error).__name__])[0]
        was = f"{in_words(array)}, of which numpy makes no array ({why})"
        raise InvalidArgument(argument, was, "an array") from error
    return values, min(precision, known)


def precision_of_source(array: Any) -> int:
    """Return how many bits of the numbers of an array are known, if it is one."""
    return DOUBLE if kinds_in(array) <= {bool, int, float} else public_array(array)[1]


def as_known_floats(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Return an array with its precision; floats that are not numpy's own, as bfloat16 of ml_dtypes, become float64."""
    dtype = values.dtype
    if dtype.kind == "f":
        return values, min(np.finfo(dtype).nmant + 1, DOUBLE)
    if dtype.kind == "V" and dtype.names is None and np.can_cast(dtype, np.float64):
        numbers = 1 + 0.5 ** np.arange(1, DOUBLE)
        kept = numbers.astype(dtype).astype(np.float64) == numbers
        return values.astype(np.float64), int(kept.sum()) + 1
    return values, DOUBLE


def is_galois_class(cls: type) -> bool:
    """Return whether `cls` is a galois field class, without importing galois for it."""
    base = getattr(sys.modules.get("galois"), "FieldArray", None)  # no names are there while another thread imports it
    return base is not None and issubclass(cls, base)


def kinds_in(array: Any) -> set[type]:
    """Return the types of what is in a list, and in lists in it; that of the thing itself if it is none."""
    if not isinstance(array, list | tuple):
        return {type(array)}
    kinds = set(map(type, array))
    lists = {kind for kind in kinds if issubclass(kind, list | tuple)}
    if not lists:
        return kinds
    return (kinds - lists).union(*(kinds_in(entry) for entry in array if type(entry) in lists))


def of_tensor(array: Any) -> tuple[Any, int]:
    """Return a tensor of torch as one that numpy reads, with its precision; other things as they are.

    It is cut off from the computation that it may be part of, in main memory, and of floats that numpy has. Torch is
    not imported for it.
    """
    torch: Any = sys.modules.get("torch")
    if not hasattr(torch, "Tensor") or not isinstance(array, torch.Tensor):
        return array, DOUBLE
    tensor = array.detach().cpu()
    if not tensor.is_floating_point() or tensor.dtype == torch.float64:
        return tensor, DOUBLE
    precision = 1 - round(float(np.log2(torch.finfo(tensor.dtype).eps)))
    return (tensor if tensor.dtype in (torch.float16, torch.float32) else tensor.to(torch.float64)), precision


def kind_in_words(array: Any, values: np.ndarray) -> str:
    """Return what was given, and read as these values by numpy, for an exception that refuses it."""
    is_array = isinstance(array, list | tuple) or (hasattr(array, "__array__") and not isinstance(array, type))
    return f"an array of {values.dtype}" if is_array or values.dtype.kind not in "OSUV" else in_words(array)


IN_CACHE = 2**16
"""About so many numbers are written at a time."""

LARGE = 2**21
"""From so many numbers on, all cores write: what is slow is memory that is touched for the first time."""


def convert(source: np.ndarray, target: np.ndarray, check: Callable[[np.ndarray], Any] | None = None) -> None:
    """Write the numbers of an array, which has an axis at least, into one of its shape and of another type.

    What is written is handed to `check`, some at a time, while it is in the cache.
    """
    step = max(1, IN_CACHE // max(1, source[:1].size))

    def convert_rows(start: int, stop: int) -> None:
        for first in range(start, stop, step):
            some = target[first : min(first + step, stop)]
            some[...] = source[first : min(first + step, stop)]
            if check is not None:
                check(some)

    if source.size < LARGE:
        convert_rows(0, len(source))
        return
    from concurrent.futures import ThreadPoolExecutor

    cores = os.cpu_count() or 1
    bounds = [len(source) * core // cores for core in range(cores + 1)]
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(convert_rows, bounds[:-1], bounds[1:]))
