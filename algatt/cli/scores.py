"""The option ``--score``: how a score is written."""

from __future__ import annotations

from fractions import Fraction

from algatt.architectures import Affine, Exponential, Power, Rational, Score
from algatt.cli.numbers import exact_number, integer_list
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument

SCORES = (
    "softmax, softmax:TEMPERATURE, softmax:beta=BETA (exp is the same), affine:A,B, power:K or "
    "rational:N0,N1,.../M0,M1,..."
)
"""How a score is written."""

ELSEWHERE = {
    "--temperature": "it belongs to the score: --score softmax:TEMPERATURE",
    "--beta": "it belongs to the score: --score softmax:beta=BETA",
}
"""Users know these from commands that have no ``--score``."""


def add_score(parser: Parser) -> None:
    """Add the option that makes a network one with normalised scores."""
    parser.option("--score S", f"normalised attention with a score: {SCORES}; without it, lightning attention")
    parser.elsewhere.update(ELSEWHERE)


def score_of(text: str) -> Score:
    """Return the score of a text such as ``softmax``, ``exp:0.5``, ``softmax:beta=2``, ``affine:1,1``, ``power:3`` or
    ``rational:1/2,1``.
    """
    name, _, values = text.partition(":")
    try:
        if name in ("exp", "softmax"):
            return Exponential(temperature_of(values) if ":" in text else 1)
        if name == "affine":
            a, b = integer_list("--score", values)
            return Affine(a, b)
        if name == "power":
            (k,) = integer_list("--score", values)
            return Power(k)
        if name == "rational" and "/" in values:
            numerator, denominator = values.split("/")
            return Rational(integer_list("--score", numerator), integer_list("--score", denominator))
    except InvalidArgument as error:
        if error.argument != "--score":  # the numbers can be read, but make no score
            raise InvalidArgument(f"--score {text}: {error.argument}", error.was, error.should) from None
    except (ArithmeticError, ValueError):  # too many numbers or too few, 1/0, or what is no float
        pass
    raise InvalidArgument("--score", repr(text), SCORES)


def temperature_of(text: str) -> Fraction | float:
    """Return the temperature of ``0.5``, ``1/2``, ``temperature=0.5``, or of the inverse temperature ``beta=2``."""
    name, sign, value = text.rpartition("=")
    if sign and name not in ("temperature", "beta"):
        raise ValueError(name)
    number = exact_number(value)
    return inverse("beta", number) if name == "beta" else number


def inverse(argument: str, number: Fraction | float) -> Fraction:
    """Return the temperature of an inverse temperature, or the other way round."""
    if not isinstance(number, Fraction):
        raise InvalidArgument(argument, repr(number), "a positive number")
    return 1 / number
