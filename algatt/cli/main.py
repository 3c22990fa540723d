"""The command ``algatt``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import algatt
from algatt.cli.commands import COMMANDS
from algatt.cli.parser import UsageError, build_parser
from algatt.errors import AlgattError, RankUndecided

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 refuted or unproven, 2 bad input.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process unless given.
    """
    try:
        options = build_parser(algatt.__version__).parse_args(arguments)
        return COMMANDS[options.command](options)
    except RankUndecided as error:
        return fail(error, 1)
    except (AlgattError, UsageError) as error:
        return fail(error, 2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of stdout has gone; there is nobody to tell
        return 1
    except KeyboardInterrupt:
        return fail(KeyboardInterrupt("interrupted"), 130)


def fail(error: BaseException, code: int) -> int:
    """Tell an error in one line on stderr and return the exit code."""
    message = " ".join(str(error).split())
    sys.stderr.write(f"algatt: {message}\n")
    return code
