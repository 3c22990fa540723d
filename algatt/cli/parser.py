"""The options of the command line."""

from __future__ import annotations

import argparse
import difflib
import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NoReturn

from algatt.architectures import Affine, Exponential, Power, Rational, Score
from algatt.errors import InvalidArgument
from algatt.geometry.spectrum import DRAWS

__all__ = ["UsageError", "build_parser", "integer_list", "number_list", "score_of"]


class UsageError(Exception):
    """The command line cannot be understood."""


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing its usage: bad input is told in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`."""
        spaced = re.search(r"unrecognized arguments: [\d. ]+$", message)  # --dims 4 3 4
        raise UsageError(f"{message}; a list has commas and no spaces, as 4,3,4" if spaced else message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the options of a command, after those that there are not are refused: else a misspelt option is told as a missing one."""
        if args is not None and self._subparsers is None:
            self.check_names(args)
        return super().parse_known_args(args, namespace)

    def check_names(self, arguments: Sequence[str]) -> None:
        """Raise `UsageError` at the first option that there is not, with the one that it may stand for."""
        known = self._option_string_actions
        for argument in arguments:
            name = argument.partition("=")[0]
            if name == "--":
                return
            if name.startswith("--") and name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                raise UsageError(f"unrecognized arguments: {name}{''.join(f'; did you mean {other}?' for other in near)}")


def integer_list(argument: str, text: str) -> tuple[int, ...]:
    """Return the integers of a text such as ``4,3,4``."""
    try:
        return tuple(int(entry) for entry in text.split(","))
    except ValueError:
        raise InvalidArgument(argument, repr(text), "integers separated by commas, as 4,3,4") from None


def number_list(argument: str, text: str) -> tuple[float, ...]:
    """Return the numbers of a text such as ``1,0.5``."""
    try:
        return tuple(float(entry) for entry in text.split(","))
    except ValueError:
        raise InvalidArgument(argument, repr(text), "numbers separated by commas, as 1,0.5") from None


SCORES = "exp or exp:TEMPERATURE for softmax, affine:A,B, power:K or rational:N0,N1,.../M0,M1,..."
"""How a score is written."""


def score_of(text: str) -> Score:
    """Return the score of a text such as ``exp``, ``exp:0.5``, ``affine:1,1``, ``power:3`` or ``rational:1/2,1``."""
    name, _, values = text.partition(":")
    try:
        if name == "exp":
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
    """Return a number that is written as 0.5 or 1/2, exactly if it can be a temperature; 1e999999999 would take all memory."""
    if "/" not in text:
        rounded = float(text)
        return Fraction(text) if 0 < rounded < math.inf else rounded
    exact = Fraction(text)
    return exact if exact > 0 else float(exact)


def add_network(parser: argparse.ArgumentParser) -> None:
    """Add the options that name an architecture and a random point."""
    parser.add_argument("--dims", required=True, metavar="D0,...,DL", help="widths of the layers, as 4,3,4")
    parser.add_argument("--ranks", required=True, metavar="A1,...,AL", help="ranks of the attention matrices, as 2,2")
    parser.add_argument("--tokens", required=True, type=int, metavar="T", help="number of tokens")
    add_score(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="names the random point (default 0)")


def add_score(parser: argparse.ArgumentParser) -> None:
    """Add the option that makes a network one with normalised scores."""
    parser.add_argument("--score", metavar="S", help=f"normalised attention with a score: {SCORES}; without it, lightning attention")


def add_architecture(parser: argparse.ArgumentParser) -> None:
    """Add the options that say of which architecture the parameters in a file are."""
    parser.add_argument("--tokens", required=True, type=int, metavar="T", help="number of tokens")
    parser.add_argument("--dims", metavar="D0,...,DL", help="widths; read off the file unless it holds virtual weights of several layers")
    parser.add_argument("--ranks", metavar="A1,...,AL", help="ranks; read off the file if it holds weights, else the widths")
    add_score(parser)


def add_attention_spectrum(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command ``attention-spectrum``."""
    spectrum = commands.add_parser(
        "attention-spectrum",
        allow_abbrev=False,
        help="the singular values of random attention matrices, or of your own, and their limit law",
        description="Draw random attention matrices and the models that lead to a linear one, or read given matrices, and compare their spectra with "
        "the limit law.",
    )
    spectrum.add_argument("--tokens", type=int, metavar="L", help="number of tokens, at most the width")
    spectrum.add_argument("--width", type=int, metavar="D", help="width of a token (default: the number of tokens); no result depends on it")
    spectrum.add_argument("--key-dim", type=int, metavar="K", help="width of queries and keys (default: the number of tokens)")
    spectrum.add_argument("--beta", type=float, metavar="B", help="inverse temperature (default 1; with --matrix, estimated from it)")
    spectrum.add_argument("--draws", type=int, metavar="N", help="random matrices of each model (default 10)")
    spectrum.add_argument("--degree", type=int, metavar="N", help="degree of the polynomial model (default 10)")
    spectrum.add_argument("--seed", type=int, metavar="N", help="names the first draw (default 0)")
    spectrum.add_argument(
        "--matrix", metavar="FILE", help="instead of random matrices, one of shape (L, L) or several of shape (heads, L, L) in an .npy file"
    )
    spectrum.add_argument("-o", "--output", metavar="FILE", help="draw the spectra: svg, pdf or png, by its suffix")
    spectrum.add_argument("--json", action="store_true", help="print JSON")


def build_parser(version: str) -> argparse.ArgumentParser:
    """Return the parser of the command ``algatt``."""
    parser = Parser(prog="algatt", description="Exact questions about attention networks.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"algatt {version}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)

    dimension = commands.add_parser(
        "dimension",
        allow_abbrev=False,
        help="how many independent directions the functions of an architecture have",
        description="Compute the dimension of the neuromanifold of an attention network, with a proof where the bounds meet.",
    )
    add_network(dimension)
    where = dimension.add_mutually_exclusive_group()
    where.add_argument("--prime", type=int, metavar="P", help="compute modulo this prime first (default 8388593)")
    where.add_argument("--bits", type=int, metavar="B", help="prove with real balls of at first so many bits (default for exp: 128)")
    where.add_argument("--float", action="store_true", help="compute in floating point: no proof, and refused without a gap")
    dimension.add_argument(
        "--error",
        type=float,
        default=1e-6,
        metavar="E",
        help="without a proof, try points until the probability of a missed rank is at most this (default 1e-6)",
    )
    dimension.add_argument("--save", metavar="FILE", help="write a certificate that 'algatt verify' checks")
    dimension.add_argument("--require-proof", action="store_true", help="exit with 1 unless the dimension is proven")
    dimension.add_argument("--json", action="store_true", help="print JSON")

    spectrum = commands.add_parser(
        "jacobian-spectrum",
        allow_abbrev=False,
        help="what floating point says about the dimension, and whether to trust it",
        description="Compute the singular values of the Jacobian at a random point in float64 and float32, and draw them.",
    )
    add_network(spectrum)
    spectrum.add_argument("--inputs", type=int, metavar="N", help="number of inputs (default: as many as the rank can be, which is enough)")
    spectrum.add_argument("--draw", choices=DRAWS, default="uniform", help="distribution of weights and inputs (default uniform)")
    spectrum.add_argument("--weight-scale", type=float, default=1.0, metavar="C", help="factor of the weights (default 1)")
    spectrum.add_argument("--input-scale", type=float, default=1.0, metavar="C", help="factor of the inputs (default 1)")
    spectrum.add_argument("--gap", type=float, default=1e3, metavar="G", help="ratio of neighbouring singular values that decides (default 1e3)")
    spectrum.add_argument("--prove", action="store_true", help="compute the dimension with its proof too")
    spectrum.add_argument("-o", "--output", metavar="FILE", help="draw the spectrum: svg, pdf or png, by its suffix")
    spectrum.add_argument("--json", action="store_true", help="print JSON, with all singular values")

    verify = commands.add_parser(
        "verify",
        allow_abbrev=False,
        help="check a certificate",
        description="Check every claim of a certificate, with code of its own. Exit code 0: verified; 1: refuted; 2: no certificate.",
    )
    verify.add_argument("certificate", metavar="FILE", help="what 'algatt dimension --save' wrote")
    verify.add_argument("--json", action="store_true", help="print JSON")

    compare = commands.add_parser(
        "compare",
        allow_abbrev=False,
        help="whether two sets of weights are one function",
        description="Decide whether two files of parameters define one function. Exit code 0: they do; 1: they do not, or it cannot be told.",
    )
    compare.add_argument("first", metavar="FILE", help="parameters that Parameters.save wrote, as algatt.Weights.of([(Q, K, V), ...]).save(FILE)")
    compare.add_argument("second", metavar="FILE", help="parameters to compare with, over the same field, in any coordinates")
    add_architecture(compare)
    compare.add_argument("--seed", type=int, default=0, metavar="N", help="names the random inputs (default 0)")
    compare.add_argument("--error", type=float, default=1e-9, metavar="E", help="bound on the probability of a missed difference (default 1e-9)")
    tolerance = "relative, for floating point (default 1e-8, or what the precision of the weights allows)"
    compare.add_argument("--tolerance", type=float, metavar="E", help=tolerance)
    compare.add_argument("--json", action="store_true", help="print JSON, with the group element or the separating input")

    fiber = commands.add_parser(
        "fiber",
        allow_abbrev=False,
        help="all parameters of the function of a file of weights",
        description="Describe the fibre of the parametrization through a point: its case, dimension, components, or the hypotheses that fail.",
    )
    fiber.add_argument("parameters", metavar="FILE", help="parameters that Parameters.save wrote, as algatt.Weights.of([(Q, K, V), ...]).save(FILE)")
    add_architecture(fiber)
    fiber.add_argument("--seed", type=int, default=0, metavar="N", help="names the random point of --sample (default 0)")
    fiber.add_argument("--sample", metavar="FILE", help="write a random point of the fibre")
    fiber.add_argument("--json", action="store_true", help="print JSON")

    tree = commands.add_parser(
        "tree",
        allow_abbrev=False,
        help="the recursion of a deep network as a tree",
        description="Draw the unrolled recursion of a network, or write it as a file for other programs; without -o it is printed as text.",
    )
    tree.add_argument("--layers", required=True, type=int, metavar="L", help="number of layers")
    tree.add_argument("--dag", action="store_true", help="have equal subtrees once: a graph of 3 L + 2 nodes")
    tree.add_argument("--slot", type=int, metavar="M", help="show the reflection at this factor of the product, counted from 1")
    tree.add_argument("-o", "--output", metavar="FILE", help="svg, pdf, png, html, tex, txt, dot, graphml or json, by its suffix")

    add_attention_spectrum(commands)

    flow = commands.add_parser(
        "flow",
        allow_abbrev=False,
        help="attention as a flow of tokens on the sphere",
        description="Follow random tokens under the attention of several heads, and print, draw or save the run.",
    )
    flow.add_argument("--heads", metavar="L1,...,LH", help="strengths of the heads, as 1,0.5; scalar heads unless --orthogonal is given")
    flow.add_argument("--orthogonal", action="store_true", help="each head is a projector on coordinates of its own")
    flow.add_argument("--beta", type=float, metavar="B", help="inverse temperature (default 1)")
    flow.add_argument("--weights", choices=("exponential", "softmax", "relu"), help="what scores become (default exponential)")
    flow.add_argument("--tokens", type=int, metavar="N", help="number of tokens (default 64)")
    flow.add_argument("--dim", type=int, metavar="D", help="their dimension (default 3)")
    flow.add_argument("--flat", action="store_true", help="let the tokens leave the sphere")
    flow.add_argument("--seed", type=int, metavar="N", help="names the random tokens (default 0)")
    flow.add_argument("--until", type=float, metavar="T", help="time to stop at (default 100, or 1 with --flat)")
    flow.add_argument("--samples", type=int, metavar="N", help="states to record, evenly spaced (default: four in each step)")
    flow.add_argument("--tolerance", type=float, default=1e-10, metavar="E", help="of the steps (default 1e-10)")
    flow.add_argument("--clustered", type=float, metavar="E", help="stop when all cosines with the mean are 1 - E (default 1e-6; not with --flat)")
    flow.add_argument("--stationary", type=float, default=1e-6, metavar="V", help="stop when no token is faster (default 1e-6)")
    flow.add_argument(
        "--resume", metavar="FILE", help="go on with a run that -o run.npz or a checkpoint saved, up to --until, counted from its start"
    )
    flow.add_argument("--checkpoint", metavar="FILE", help="save the run so far once a minute, and if it is interrupted, for --resume")
    flow.add_argument("-o", "--output", metavar="FILE", help="html, svg, pdf, png or npz, by its suffix")
    flow.add_argument("--json", action="store_true", help="print JSON")

    methods = commands.add_parser(
        "methods", allow_abbrev=False, help="the methods of a verb", description="Print the methods of a verb, with file and line."
    )
    methods.add_argument("verb", nargs="?", metavar="VERB", help="such as dimension; all verbs are listed if there is none")
    methods.add_argument("--json", action="store_true", help="print JSON")
    return parser
