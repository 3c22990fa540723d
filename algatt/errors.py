"""The exceptions of the package; every one of them is an `AlgattError`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LONGEST = 200
"""Of what was given an exception shows so many characters at most."""

NETWORK = "a network: algatt.Network(layers, tokens=3), or what algatt.load makes of a name, a file or a torch module"
"""What functions about networks take."""

PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, type(None))
"""Values whose repr is what a user wrote."""


class AlgattError(Exception):
    """Base of every exception that this package raises on purpose."""


def in_words(value: object) -> str:
    """Return what was given for an exception, in one line: plain values as they were written, others by their type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    try:
        written = repr(value) if isinstance(value, PLAIN) else ""
    except ValueError:  # Python writes no integers of thousands of digits
        written = ""
    return written if written and "\n" not in written else f"of type {type(value).__name__}"


class InvalidArgument(AlgattError, ValueError):
    """A value that a user gave is not what the mathematics asks for.

    Parameters
    ----------
    argument : str
        Name of the argument.
    was : str
        What was given, in words.
    should : str
        What it should be, in words.
    """

    def __init__(self, argument: str, was: str, should: str) -> None:
        super().__init__(argument, was, should)
        self.argument = argument
        self.was = was
        self.should = should

    def __str__(self) -> str:
        was = self.was
        if "\n" in was:  # the repr of an array or a module has many lines
            was = " ".join(was.split())
        if len(was) > LONGEST:
            was = f"{was[:LONGEST]}..."
        return f"{self.argument} was {was}; it should be {self.should}"


class WidthError(InvalidArgument):
    """Layers do not fit together.

    Parameters
    ----------
    layer : Layer
        The layer whose input or value does not fit.
    was : str
        What was given.
    should : str
        What it should be.
    before : Layer, optional
        The layer that comes before.
    """

    def __init__(self, layer: Any, was: str, should: str, before: Any = None) -> None:
        argument = f"{layer!r}" if before is None else f"{layer!r} after {before!r}"
        super().__init__(argument, was, should)
        self.layer = layer
        self.before = before

    def after(self, before: Any) -> WidthError:
        """Return the error with the name of the layer that comes before, unless it has one."""
        return WidthError(self.layer, self.was, self.should, before) if self.before is None else self


class CertificateError(InvalidArgument):
    """A file is not a certificate that this version can read."""


class CertificateTooLarge(CertificateError):
    """A certificate is larger than what is verified."""


class OutputError(AlgattError, OSError):
    """An output path cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"cannot write {self.path}: {self.reason}"


class MissingExtra(AlgattError, ImportError):
    """A package that only some functions need is not installed.

    Parameters
    ----------
    package : str
        Its name.
    extra : str
        The extra of this package that brings it.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return (
            f"{self.package} is not installed; python -m pip install '.[{self.extra}]' in the folder of the clone "
            f"brings it"
        )


class MissingProgram(AlgattError, RuntimeError):
    """A program that only some functions start is not installed.

    Parameters
    ----------
    program : str
        Its name.
    package : str
        The package of Debian that brings it.
    """

    def __init__(self, program: str, package: str) -> None:
        super().__init__(program, package)
        self.program = program
        self.package = package

    def __str__(self) -> str:
        return f"{self.program} is not installed; apt-get install {self.package} brings it on Debian and Ubuntu"


class MethodError(AlgattError, TypeError):
    """No method of a verb fits the types of the arguments."""


class MissingPart(AlgattError, AttributeError):
    """What `algatt.load` read has no such part, as a config has no weights."""


class AmbiguousMethodError(AlgattError, TypeError):
    """Several methods of a verb fit equally well."""


class DuplicateMethodError(AlgattError, TypeError):
    """A verb already has a method for this signature."""


class SingularMatrix(AlgattError, ArithmeticError):
    """A matrix that has to be inverted is singular."""


class NoValue(AlgattError, ArithmeticError):
    """A network has no value at an input, or its value cannot be told in this arithmetic."""


class DivisionByZero(NoValue, ZeroDivisionError):
    """A denominator vanishes, or a ball that encloses it contains zero: a network with normalised scores is not defined
    there.
    """


class DomainError(NoValue):
    """A function is applied outside of its domain, or where balls do not tell whether it is inside."""


class UndefinedFunction(InvalidArgument, DivisionByZero):
    """Parameters have no function: a denominator of the network vanishes at every input (see
    `algatt.maps.has_function`).
    """


class ScoreOverflow(NoValue, OverflowError):
    """Scores are too large for floating point."""


class NotEnoughMemory(AlgattError, MemoryError):
    """A computation needs more memory than there is; it has not begun.

    Parameters
    ----------
    purpose : str
        What needs it.
    needed, available : float
        Bytes.
    """

    def __init__(self, purpose: str, needed: float, available: float) -> None:
        super().__init__(purpose, needed, available)
        self.purpose = purpose
        self.needed = needed
        self.available = available

    def __str__(self) -> str:
        return (
            f"{self.purpose} needs at least {gigabytes(self.needed)} of memory, and {gigabytes(self.available)} "
            f"are "
            f"available"
        )


class WorkersLost(AlgattError, RuntimeError):
    """Workers of a scheduler ended again and again, or all of them did, and their work is not done.

    Parameters
    ----------
    reason : str
        What happened.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason}: they were killed, or did not have enough memory"


def gigabytes(size: float) -> str:
    """Write a number of bytes."""
    return (
        f"{size / 1e9:,.3g} GB" if size < 1e12 else f"{size / 1e9:,.0f} GB" if size < 1e15 else f"{size / 1e9:.2g} GB"
    )


class ConditionFailed(AlgattError, ArithmeticError):
    """Raised where residues cannot stand for exponentials, roots or gates, since a condition was not found to hold."""


class NoSolution(AlgattError, ArithmeticError):
    """A linear system has no solution."""


class NoFormula(AlgattError):
    """No polynomial of the shapes that are tried gives the values of a family."""


class NoNormalForm(AlgattError, ArithmeticError):
    """No normal form of the weights of a network is known, at these weights or for a space of it, which is named."""


class SymmetryError(AlgattError):
    """A symmetry that an architecture declares changes its function."""


class NoRuleWarning(UserWarning):
    """An architecture has an operation without a rule for types: no symmetries are read off it, and bounds that rest on
    symmetries are larger than they could be.
    """


class GuardWarning(UserWarning):
    """A model has a least length, such as 1e-12, that keeps it from dividing by zero, and is read without: what is said
    of it, proofs too, is about the function without it, which differs where lengths are below it.
    """


class EquivalenceUndecided(AlgattError, ArithmeticError):
    """It cannot be told whether two functions are equal: the field is too small, or floating point too coarse.

    Parameters
    ----------
    reason : str
        Why.
    comparison : Comparison, optional
        Of large networks over the reals, what was found space by space and tensor by tensor.
    """

    def __init__(self, reason: str, comparison: Any = None) -> None:
        super().__init__(reason)
        self.comparison = comparison


class RankUndecided(AlgattError, ArithmeticError):
    """Floating point cannot tell the rank: no gap in the singular values is wide enough.

    Parameters
    ----------
    singular_values : sequence of float
        The singular values around the widest gap, in decreasing order.
    gap : float
        The widest ratio between two neighbours that was seen.
    required : float
        The ratio that was asked for.
    reason : str
        Why the spectrum does not decide.
    """

    def __init__(self, singular_values: Sequence[float], gap: float, required: float, reason: str) -> None:
        super().__init__(tuple(singular_values), gap, required, reason)
        self.singular_values = tuple(singular_values)
        self.gap = gap
        self.required = required
        self.reason = reason

    def __str__(self) -> str:
        if self.singular_values:
            around = ", ".join(f"{value:.3g}" for value in self.singular_values)
            seen = f" (widest gap {self.gap:.3g}, required {self.required:.3g}; singular values around it: {around})"
            seen += "; give another gap=, or"
        else:
            seen = ";"
        return f"the float rank is undecided: {self.reason}{seen} compute over a PrimeField or Balls() instead"


class DegreeUndecided(AlgattError, ArithmeticError):
    """Floating point cannot count the points of a section or of a fibre.

    Parameters
    ----------
    reason : str
        Why.
    found : int
        Number of points that were found.
    residual : float
        Residual of the trace test.
    """

    def __init__(self, reason: str, found: int, residual: float) -> None:
        super().__init__(reason, found, residual)
        self.reason = reason
        self.found = found
        self.residual = residual

    def __str__(self) -> str:
        return f"the count is undecided: {self.reason} ({self.found} points found, residual {self.residual:.2g})"


class IntegrationFailed(AlgattError, ArithmeticError):
    """A flow cannot be followed further: the step size collapsed.

    Parameters
    ----------
    time : float
        How far it came.
    reason : str
        What the stepper says.
    trajectory : Trajectory
        The part up to there.
    """

    def __init__(self, time: float, reason: str, trajectory: Any) -> None:
        super().__init__(time, reason, trajectory)
        self.time = time
        self.reason = reason
        self.trajectory = trajectory

    def __str__(self) -> str:
        reason = self.reason.strip().rstrip(".")
        blow_up = (
            "; it may blow up there" if getattr(getattr(self.trajectory, "flow", None), "may_blow_up", True) else ""
        )
        return f"the flow cannot be followed beyond t = {self.time:.6g}: {reason}{blow_up}"
