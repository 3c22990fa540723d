# PYTHON_ARGCOMPLETE_OK
"""The command ``algatt``."""

from __future__ import annotations

import argparse
import io
import os
import sys
import textwrap
import traceback
from collections.abc import Callable, Sequence

from algatt.cli.commands import COMMANDS, GROUPS, command_of
from algatt.cli.completion import asked_line, complete, is_asked
from algatt.cli.exit_codes import ExitCode, exit_code_table
from algatt.cli.parser import Parser, UsageError
from algatt.cli.process import run_watched
from algatt.display import printable
from algatt.errors import (
    AlgattError,
    CertificateTooLarge,
    DegreeUndecided,
    EquivalenceUndecided,
    IntegrationFailed,
    NoFormula,
    NotEnoughMemory,
    RankUndecided,
)
from algatt.version import __version__

BEGIN = """begin with one of
  algatt parameters gpt2
  algatt dimension --dims 4,3,4 --ranks 2,2 --tokens 3
  algatt COMMAND --help      for the options of a command"""
"""Commands to try first."""

COLUMN, WIDTH = 22, 79
"""Column in which summaries of commands begin, and that in which lines end."""


def build_parser(arguments: Sequence[str] | None = None) -> Parser:
    """Return the parser of the command ``algatt``.

    Parameters
    ----------
    arguments : sequence of str, optional
        What is to be parsed: only commands that are named there are imported and have their options; all unless given.
        If it begins with a command there are no parsers for others.
    """
    parser = Parser(
        prog="algatt",
        usage="algatt [-h] [--version] COMMAND ...",
        description=f"Exact questions about attention networks.\n\n{command_table()}",
        epilog=f"{BEGIN}\n\n{exit_code_table()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"algatt {__version__}")
    commands = parser.add_subparsers(prog="algatt", metavar="COMMAND", help=argparse.SUPPRESS, parser_class=Parser)
    alone = {name: COMMANDS[name] for name in (arguments or ())[:1] if name in COMMANDS and not is_asked()}
    for name, summary in (alone or COMMANDS).items():
        options = commands.add_parser(name, help=summary)
        if arguments is None or name in arguments:
            command = command_of(name)
            options.description = " ".join((command.__doc__ or "").split())
            options.epilog = "examples:" + "".join(f"\n  algatt {name} {one}".rstrip() for one in command.EXAMPLES)
            command.add_options(options)
            options.flag("--json", "print the answer as JSON, with the files that were written")
            options.set_defaults(command=command, name=name)
    return parser


def command_table() -> str:
    """Return the names of all commands with their summaries, by the kind of question."""
    lines = []
    for title, group in GROUPS.items():
        lines.append(f"{title}:")
        for name, summary in group.items():
            first, *rest = textwrap.wrap(summary, WIDTH - COLUMN)
            lines += [f"  {name:{COLUMN - 2}}{first}", *(" " * COLUMN + line for line in rest)]
        lines.append("")
    return "\n".join(lines).rstrip()


def program() -> int:
    """Run the command that the process was started with; Ctrl-C ends it, wherever it is."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what a terminal cannot show becomes a question mark
    code = main(sys.argv[1:], around=run_watched, lines=True)
    if code == ExitCode.INTERRUPTED:
        os._exit(code)  # at once: what Python tidies up at its end may take longer than a user waits
    return code


def main(
    arguments: Sequence[str],
    *,
    around: Callable[[Callable[[], int]], int] = lambda work: work(),
    lines: bool = False,
) -> int:
    """Run a command and return its exit code, one of `ExitCode`; without a command, print the help.

    Parameters
    ----------
    arguments : sequence of str
        What follows ``algatt``.
    around : callable, optional
        Calls the work of the command, when all that is quick is done.
    lines : bool, optional
        Whether lines of progress are written to a stderr that is no terminal.
    """
    try:
        named = [name for name in COMMANDS if name in asked_line()] if is_asked() else arguments
        code = run(build_parser(named), arguments, around, lines)
        sys.stdout.flush()
        return code
    except EquivalenceUndecided as error:
        return fail(error, ExitCode.UNDECIDED)
    except (RankUndecided, DegreeUndecided, IntegrationFailed, NoFormula) as error:
        return fail(error, ExitCode.NO)
    except (NotEnoughMemory, CertificateTooLarge) as error:
        return fail(error, ExitCode.NO_ROOM)
    except (AlgattError, UsageError) as error:
        return fail(error, ExitCode.BAD_INPUT)
    except BrokenPipeError:  # the reader of stdout has gone
        leave_stdout()
        return ExitCode.NO_ROOM
    except MemoryError:
        return fail(MemoryError("there is not enough memory for this"), ExitCode.NO_ROOM)
    except OSError as error:
        leave_stdout()
        return fail(error, ExitCode.NO_ROOM)
    except Exception:
        traceback.print_exc()  # a bug, which must not look like an answer
        return ExitCode.BUG
    except KeyboardInterrupt as error:
        error.args = ("interrupted",)  # its notes stay
        return fail(error, ExitCode.INTERRUPTED)


def run(parser: Parser, arguments: Sequence[str], around: Callable[[Callable[[], int]], int], lines: bool) -> int:
    """Parse and run; the help that is asked for, or that no command asks for, is an answer as any other."""
    complete(parser)
    try:
        options = parser.parse_args(arguments)
    except SystemExit:  # after --help or --version
        return ExitCode.DONE
    if not hasattr(options, "command"):
        parser.print_help()
        return ExitCode.DONE
    from algatt.cli.command import run_command

    return around(lambda: run_command(options.command, options.name, options, lines=lines))


def leave_stdout() -> None:
    """Have nothing fail at exit: what stdout holds and cannot write is dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(error: BaseException, code: int) -> int:
    """Tell an error in one line on stderr and return the exit code."""
    message = printable(" ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split()))
    sys.stderr.write(f"algatt: {message}\n")
    return code
