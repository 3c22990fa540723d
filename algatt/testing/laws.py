"""What the conformance kits share: stating a law, comparing, drawing."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dispatch import Verb
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Elements, Field
from algatt.fields.ball import holds_balls
from algatt.fields.functions import no_derivatives, no_values
from algatt.loading import load_methods

ROUNDING = 1e-6
"""Floats agree if they differ by at most this part of the largest of them: gauge matrices and deep networks cost some
of the sixteen digits.
"""


def examples(kind: Any) -> list[Any]:
    """Return the examples of all concrete classes of a kind of noun.

    Parameters
    ----------
    kind : type
        `Field`, `Parameters` or `Architecture`; its subclasses tell their own ``examples()``.
    """
    load_methods()  # and with them all classes
    return [example for cls in subclasses(kind) if "examples" in vars(cls) for example in cls.examples()]


def networks() -> list[Any]:
    """Return the examples of all architectures, and a network of each example of a layer that has tensors."""
    from algatt.architectures import Architecture, Network
    from algatt.layers import Layer

    found: list[Any] = list(examples(Architecture))
    for layer, (width, tokens) in examples(Layer):
        with contextlib.suppress(InvalidArgument):  # without tensors it is no network
            found.append(Network(layer, tokens=tokens, width=width))
    return found


def subclasses(kind: Any) -> Iterator[Any]:
    """Iterate over all classes below a class."""
    for cls in kind.__subclasses__():
        yield cls
        yield from subclasses(cls)


def require(holds: bool, law: str, instance: object, detail: object = "") -> None:
    """Raise an `AssertionError` that names the law and the instance unless the law holds."""
    if not holds:
        raise AssertionError(f"{law}: this fails for {instance}" + (f" ({detail})" if detail else ""))


def has_method(verb: Verb[Any], *kinds: type) -> bool:
    """Return whether a verb has a method for these types that does not say that there is none."""
    try:
        method = verb.resolve(kinds)
    except MethodError:
        return False
    return method not in (no_values, no_derivatives)


def agree(one: Any, two: Any) -> bool:
    """Compare public values: floats up to rounding, balls by whether they overlap, everything else exactly."""
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        if holds_balls(one) or holds_balls(two):
            return one.shape == two.shape and all(
                (left - right).contains(0) for left, right in zip(one.flat, two.flat, strict=True)
            )
        if one.dtype.kind != "f" or one.shape != two.shape:
            return bool(np.array_equal(one, two))
        scale = max(np.abs(one).max(initial=0.0), np.abs(two).max(initial=0.0))
        return bool(np.all(np.abs(one - two) <= ROUNDING * scale))
    return bool(one == two)


def check_value(noun: Any) -> None:
    """Check that a noun is a value: equal to its copies, hashable, printable."""
    twin = copy.deepcopy(noun)
    require(twin == noun, "a copy is equal to the original", noun)
    require(hash(twin) == hash(noun), "equal values have equal hashes", noun)
    require(type(noun).__name__ in repr(noun), "the repr names the class", noun)


def draw(field: Field, shape: tuple[int, ...], label: str) -> Elements:
    """Return random elements; constants where the field draws none."""
    if has_method(verbs.draw_array, type(field)):
        return Elements(field, verbs.draw_array(field, shape=shape, seed=0, label=label))
    return Elements.of(field, np.ones(shape, dtype=np.int64))
