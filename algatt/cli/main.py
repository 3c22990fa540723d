"""The command ``algatt``."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import algatt
from algatt.cli.commands import COMMANDS
from algatt.cli.parser import UsageError, build_parser
from algatt.errors import AlgattError, EquivalenceUndecided, IntegrationFailed, RankUndecided

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 refuted or unproven, 2 bad input, 3 no room or no reader, 4 a bug, 130 interrupted.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process unless given.
    """
    try:
        options = build_parser(algatt.__version__).parse_args(joined(sys.argv[1:] if arguments is None else arguments))
        code = COMMANDS[options.command](options)
        sys.stdout.flush()
        return code
    except (RankUndecided, EquivalenceUndecided, IntegrationFailed) as error:
        return fail(error, 1)
    except (AlgattError, UsageError) as error:
        return fail(error, 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of stdout has gone; nothing may fail at exit
        return 3
    except MemoryError:
        return fail(MemoryError("there is not enough memory for this"), 3)
    except OSError as error:
        return fail(error, 3)
    except Exception:
        traceback.print_exc()  # a bug, which must not look like an answer
        return 4
    except KeyboardInterrupt as error:
        error.args = ("interrupted",)  # its notes stay
        return fail(error, 130)


def joined(arguments: Sequence[str]) -> list[str]:
    """Write ``--dims -4,1`` as ``--dims=-4,1``: a list that begins with a negative number is no option, and is to be refused as what it is."""
    result: list[str] = []
    for argument in arguments:
        if result and result[-1] in ("--dims", "--ranks", "--heads") and argument[:1] == "-" and argument[1:2].isdigit():
            result[-1] += f"={argument}"
        else:
            result.append(argument)
    return result


def fail(error: BaseException, code: int) -> int:
    """Tell an error in one line on stderr and return the exit code."""
    message = " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())
    sys.stderr.write(f"algatt: {message}\n")
    return code
