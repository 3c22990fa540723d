"""The exceptions: what they say, what they are, and that they survive a process boundary."""

from __future__ import annotations

from multiprocessing.reduction import ForkingPickler

import pytest

from algatt import errors


def instances() -> list[errors.AlgattError]:
    return [
        errors.InvalidArgument("tokens", "0", "at least 1"),
        errors.CertificateError("cert.json", "truncated", "a certificate"),
        errors.CertificateTooLarge("cert.json", "of 2,000,000 parameters", "a certificate of at most 1,000,000"),
        errors.OutputError("out/cert.json", "No such file or directory"),
        errors.MethodError("no method fits f(int)"),
        errors.MissingPart("a config without weights"),
        errors.AmbiguousMethodError("f(int, int) is ambiguous"),
        errors.DuplicateMethodError("f(x: int) is already defined"),
        errors.SingularMatrix("a 2 x 2 matrix is singular"),
        errors.NoValue("the network has no value"),
        errors.DomainError("a gate is at zero"),
        errors.WidthError("Linear(3)", "of width 2", "of width 3"),
        errors.DivisionByZero("a denominator is zero"),
        errors.UndefinedFunction("theta", "a point with no function", "one with a value at some input"),
        errors.ScoreOverflow("the scores are too large"),
        errors.SymmetryError("the symmetry changes the function"),
        errors.MissingExtra("matplotlib", "plot"),
        errors.MissingProgram("Singular", "singular"),
        errors.NoSolution("the system has no solution"),
        errors.ConditionFailed("4 of 8 exponents depend on the others"),
        errors.NoFormula("no polynomial of degree 3 gives the values"),
        errors.NoNormalForm("no normal form is known for the space stream"),
        errors.NotEnoughMemory("the elimination", 3e11, 2e10),
        errors.WorkersLost("workers ended again and again"),
        errors.EquivalenceUndecided("the field is too small"),
        errors.RankUndecided([1.0, 0.25], 4.0, 1e3, "no gap"),
        errors.DegreeUndecided("the trace test does not hold", 4, 0.5),
        errors.IntegrationFailed(0.5, "the step size collapsed", None),
    ]


def test_every_public_exception_is_an_instance_here_and_an_algatt_error() -> None:
    classes = {type(error) for error in instances()} | {errors.AlgattError}
    public = {one for one in vars(errors).values() if isinstance(one, type) and one.__module__ == errors.__name__}
    assert classes == {one for one in public if not issubclass(one, Warning)}
    assert all(issubclass(cls, errors.AlgattError) for cls in classes)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.InvalidArgument, ValueError),
        (errors.CertificateError, ValueError),
        (errors.OutputError, OSError),
        (errors.MissingExtra, ImportError),
        (errors.MissingProgram, RuntimeError),
        (errors.NotEnoughMemory, MemoryError),
        (errors.WorkersLost, RuntimeError),
        (errors.DivisionByZero, ZeroDivisionError),
        (errors.UndefinedFunction, ZeroDivisionError),
        (errors.UndefinedFunction, ValueError),
        (errors.ScoreOverflow, OverflowError),
        (errors.MethodError, TypeError),
        (errors.MissingPart, AttributeError),
        (errors.AmbiguousMethodError, TypeError),
        (errors.DuplicateMethodError, TypeError),
        (errors.SingularMatrix, ArithmeticError),
        (errors.RankUndecided, ArithmeticError),
    ],
)
def test_code_that_knows_only_the_builtin_exceptions_catches_them(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)


def test_an_invalid_argument_says_what_it_was_and_what_it_should_be() -> None:
    assert str(errors.InvalidArgument("tokens", "0", "at least 1")) == "tokens was 0; it should be at least 1"


def test_an_output_error_names_the_path_and_the_reason() -> None:
    assert (
        str(errors.OutputError("out/cert.json", "it is a directory")) == "cannot write out/cert.json: it is a directory"
    )


@pytest.mark.parametrize(
    ("needed", "text"),
    [(314e9, "314 GB"), (1.234e9, "1.23 GB"), (3788e9, "3,788 GB"), (9.6e14, "960,000 GB"), (3.2e26, "3.2e+17 GB")],
)
def test_missing_memory_is_told_in_gigabytes(needed: float, text: str) -> None:
    assert str(errors.NotEnoughMemory("the elimination", needed, 23.5e9)) == (
        f"the elimination needs at least {text} of memory, and 23.5 GB are available"
    )


def test_an_undecided_rank_shows_the_spectrum_and_the_way_out() -> None:
    text = str(errors.RankUndecided([1.0, 0.125, 2.5e-7], 8.0, 1e3, "the reason"))
    for part in ("the reason", "widest gap 8", "required 1e+03", "1, 0.125, 2.5e-07", "compute over a PrimeField"):
        assert part in text
    assert (
        str(errors.RankUndecided([], 1.0, 1e3, "the reason"))
        == "the float rank is undecided: the reason; compute over a PrimeField or Balls() instead"
    )


@pytest.mark.parametrize("error", instances(), ids=lambda error: type(error).__name__)
def test_pickling_keeps_class_message_and_attributes(error: errors.AlgattError) -> None:
    copy = ForkingPickler.loads(ForkingPickler.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
