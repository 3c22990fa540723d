"""What each command does: parse, call, render."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import algatt
from algatt import dispatch
from algatt.cli.parser import integer_list
from algatt.errors import InvalidArgument
from algatt.fields import Field
from algatt.files import check_writable

__all__ = ["COMMANDS"]


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout."""
    print(json.dumps(value, indent=2))


def dimension(options: argparse.Namespace) -> int:
    """Run ``algatt dimension``; return 1 if a proof is required and there is none."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_dimension

    arch = algatt.Lightning(integer_list("dims", options.dims), integer_list("ranks", options.ranks), options.tokens)
    field: Field | None = algatt.Reals() if options.float else None
    if options.prime is not None:
        field = algatt.PrimeField(options.prime)
    if options.save is not None:
        if options.float:
            raise InvalidArgument("--save", "given with --float", "given without: floating point proves nothing")
        check_writable(options.save)  # now, not after hours of work
    with ProgressBar("rank") as progress:
        report = algatt.dimension(arch, seed=options.seed, field=field, error=options.error, progress=progress)
    if options.save is not None:  # before printing, which may fail
        algatt.certify(report).save(options.save)
    if options.json:
        print_json(report.to_dict())
    else:
        print_dimension(report, sys.stdout)
    return 1 if options.require_proof and report.status != "proven" else 0


def verify(options: argparse.Namespace) -> int:
    """Run ``algatt verify``; return 1 if the certificate is refuted."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_verification

    with ProgressBar("rows of the minor") as progress:
        report = algatt.verify(options.certificate, progress=progress)
    if options.json:
        print_json({"ok": report.ok, "reasons": list(report.reasons), "claim": report.claim})
    else:
        print_verification(report, sys.stdout)
    return 0 if report.ok else 1


def methods(options: argparse.Namespace) -> int:
    """Run ``algatt methods``."""
    from algatt.views.tables import print_methods

    verbs = {verb.name: verb for verb in dispatch.verbs()}
    if options.verb is None:
        if options.json:
            print_json({name: len(verb.table()) for name, verb in verbs.items()})
        else:
            sys.stdout.writelines(f"{name}\n" for name in verbs)
        return 0
    if options.verb not in verbs:
        raise InvalidArgument("verb", repr(options.verb), f"one of {', '.join(sorted(verbs))}")
    table = verbs[options.verb].table()
    if options.json:
        print_json([{"method": str(method), "location": method.location} for method in table])
    else:
        print_methods(table, sys.stdout)
    return 0


COMMANDS = {"dimension": dimension, "verify": verify, "methods": methods}
