"""The options that several commands have, and what they stand for."""

from __future__ import annotations

import argparse
from typing import Any

import algatt
from algatt.architectures.attention_of_score import attention_of_score
from algatt.cli.networks import SOURCE, add_width, network_in
from algatt.cli.numbers import exact_number, integer_list
from algatt.cli.output import warnings_in_a_line
from algatt.cli.parser import Parser, UsageError
from algatt.cli.scores import add_score, inverse, score_of
from algatt.errors import GuardWarning, InvalidArgument
from algatt.fields import Field


def add_network(parser: Parser) -> None:
    """Add the options that name a network."""
    parser.option("network NETWORK", SOURCE, nargs="*")
    parser.option("--dims D0,...,DL", "widths of the layers, as 4,3,4")
    parser.option("--ranks A1,...,AL", "ranks of the attention matrices, as 2,2")
    parser.option("--tokens T", "number of tokens", int)
    add_width(parser)
    add_score(parser)


def add_seed(parser: Parser) -> None:
    """Add the seed of the random point."""
    parser.option("--seed N", "seed of the random point (default 0)", int, 0)


def network_of(options: argparse.Namespace) -> algatt.architectures.Architecture:
    """Return the network that the options of `add_network` name."""
    check_one(options.network)
    if options.network:
        for name in ("dims", "ranks", "score"):
            if getattr(options, name) is not None:
                raise InvalidArgument(
                    f"--{name}",
                    f"given with the network {options.network[0]!r} of a file",
                    "given without one; a list has commas and no spaces, as 4,3,4",
                )
        with warnings_in_a_line(GuardWarning):
            return network_in(options.network[0], options)
    missing = [f"--{name}" for name in ("dims", "ranks", "tokens") if getattr(options, name) is None]
    if missing:
        either = "" if options.dims or options.ranks else "NETWORK, or "
        raise UsageError(f"the following arguments are required: {either}{', '.join(missing)}")
    if options.width is not None:
        raise InvalidArgument("--width", "given with --dims", "given with a layer from a file only")
    return network(integer_list("dims", options.dims), integer_list("ranks", options.ranks), options)


def check_one(sources: list[str]) -> None:
    """Raise `UsageError` for several networks, and for numbers: they are left of a list that has spaces."""
    extra = sources if all(source.isdigit() for source in sources) else sources[1:]
    if extra:
        hint = "; a list has commas and no spaces, as 4,3,4" if extra is sources else ""
        raise UsageError(f"unrecognized arguments: {' '.join(extra)}{hint}")


def network(
    dims: tuple[int, ...], ranks: tuple[int, ...], options: argparse.Namespace
) -> algatt.architectures.AttentionNetwork:
    """Return a network with the score that the options name, or without one."""
    return attention_of_score(dims, ranks, options.tokens, None if options.score is None else score_of(options.score))


def add_exact_field(parser: Parser) -> Any:
    """Add the options that say where a dimension is computed, and return their group."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--prime",
        type=int,
        metavar="P",
        help="first prime to compute with (default 8388593; 8388587 with exponentials, roots or gates)",
    )
    where.add_argument(
        "--bits",
        type=int,
        metavar="B",
        help="prove with interval (ball) arithmetic, starting at B bits",
    )
    return where


def add_error(parser: Parser, missed: str) -> None:
    """Add how probable it may be that something was missed."""
    parser.option(
        "--error E", f"bound on the probability of {missed}, where there is no proof (default 1e-9)", float, 1e-9
    )


def exact_field_of(options: argparse.Namespace, arch: algatt.architectures.Architecture) -> Field | None:
    """Return the field that the options of `add_exact_field` name, or None."""
    if options.prime is not None:
        return (algatt.PrimeField if arch.algebraic else algatt.Elementary)(options.prime)
    return algatt.Balls(options.bits) if options.bits is not None else None


def add_architecture(parser: Parser) -> None:
    """Add the options that say of which architecture the parameters in a file are."""
    parser.option("--network NETWORK", SOURCE)
    parser.option("--tokens T", "number of tokens (default: that of the network)", int)
    add_width(parser)
    parser.option("--dims D0,...,DL", "widths; read off the file unless it holds virtual weights of several layers")
    parser.option("--ranks A1,...,AL", "ranks; read off the file if it holds weights, else the widths")
    add_score(parser)


def architecture_of(
    theta: algatt.parameters.Parameters, options: argparse.Namespace
) -> algatt.architectures.Architecture:
    """Return the architecture that the options of `add_architecture` name, or that can be read off the parameters."""
    if options.network is not None:
        for name in ("dims", "ranks", "score"):
            if getattr(options, name) is not None:
                raise InvalidArgument(f"--{name}", "given with --network", "given without it: a network has its own")
        return network_in(options.network, options)
    if options.tokens is None:
        raise UsageError("the following arguments are required: --tokens, or --network")
    if options.width is not None:
        raise InvalidArgument("--width", "given without --network", "given with a layer from a file only")
    if not hasattr(theta, "widths"):
        raise InvalidArgument("--network", "not given", "given: these are weights of a network of layers")
    dims = theta.widths if options.dims is None else integer_list("dims", options.dims)
    ranks = theta.ranks if options.ranks is None else integer_list("ranks", options.ranks)
    if dims is None:
        should = "given: virtual weights of several layers do not tell the widths between them"
        raise InvalidArgument("--dims", "not given", should)
    return network(dims, dims[:-1] if ranks is None else ranks, options)


def add_beta(parser: Parser, default: str) -> None:
    """Add the inverse temperature, and the temperature, by which others call it."""
    names = parser.add_mutually_exclusive_group()
    names.add_argument("--beta", type=float, metavar="B", help=f"inverse temperature (default {default})")
    names.add_argument("--temperature", metavar="T", help="temperature: 1 / beta")


def beta_of(options: argparse.Namespace) -> float | None:
    """Return the inverse temperature that the options of `add_beta` name, or None if they name none."""
    if options.temperature is None:
        beta: float | None = options.beta
        return beta
    try:
        return float(inverse("--temperature", exact_number(options.temperature)))
    except (ArithmeticError, ValueError):
        raise InvalidArgument("--temperature", repr(options.temperature), "a positive number") from None
