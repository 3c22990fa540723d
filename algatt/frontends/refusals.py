"""What is said of models that cannot be written as programs."""

from __future__ import annotations

import re

from algatt.errors import InvalidArgument

LINE = re.compile(r'File "([^"]+)", line (\d+)')
"""How Python writes where something is."""

PACKAGES = ("/torch/", "/jax/", "/flax/", "/equinox/", "/algatt/frontends/", "<")
"""Folders of frameworks, whose lines are not the user's."""

CHOOSE = "without control flow that depends on the input: write both branches and choose"

HINTS = {
    **dict.fromkeys(("data-dependent", "TracerBool", "Could not guard", "Concretization"), CHOOSE),
    **dict.fromkeys(("operation while", "operation cond", "operation If", "operation Loop"), CHOOSE),
    "_local_scalar_dense": "without numbers that are taken out of arrays, as by item()",
    "bernoulli": "in evaluation, module.eval(), without dropout",
    "dropout": "in evaluation, module.eval(), without dropout",
    "aten.rand": "without randomness",
    "Random": "without randomness",
    "_fft_": "of real numbers, real and imaginary parts being apart",
    "complex": "of real numbers, real and imaginary parts being apart",
}
"""What to do, by words in what was found."""

SHOULD = "one of the operations of docs/your_own_model.md; or write it with these"


def refused(error: BaseException | None, trace: str | None, was: str) -> InvalidArgument:
    """Return the error for a model, in one line: the operation, its place in the user's code, and what to do.

    Parameters
    ----------
    error : exception or None
        What was found.
    trace : str or None
        The lines of code that led there, as Python writes them.
    was : str
        What the model is.
    """
    told = ""
    should = next((hint for word, hint in HINTS.items() if word in f"{was} {error}"), SHOULD)
    if isinstance(error, InvalidArgument):
        should, told = (should if error.should == SHOULD else error.should), f" ({error.was})"
    elif error is not None:
        told = f" ({type(error).__name__}: {first_line(str(error))[:60]})"
    return InvalidArgument("module", f"{was}{told}{place_in(trace or str(error or ''))}", should)


def without_rule() -> InvalidArgument:
    """Return the error for an operation that has no rule."""
    return InvalidArgument("it", "which has no rule", SHOULD)


def of_tokens() -> InvalidArgument:
    """Return the error for an operation on numbers of tokens."""
    return InvalidArgument("it", "computed of numbers of tokens", "given as a constant, as tokens are looked up alone")


def own_lines(trace: str) -> list[tuple[str, str]]:
    """Return the files and lines of the user's code in a trace."""
    return [one for one in LINE.findall(trace) if not any(folder in one[0] for folder in PACKAGES)]


def is_own(trace: str) -> bool:
    """Return whether a trace has lines of the user's code."""
    return bool(own_lines(trace))


def first_line(text: str) -> str:
    """Return the first line of a text that says something."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def place_in(trace: str) -> str:
    """Return the last line of the user's code in a trace, in words."""
    own = own_lines(trace) or LINE.findall(trace)
    return f", at {own[-1][0]}:{own[-1][1]}" if own else ""
