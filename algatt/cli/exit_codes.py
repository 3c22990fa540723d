"""The exit codes, each with what it means: ``algatt --help`` and the documentation print this table."""

from __future__ import annotations

import textwrap
from enum import IntEnum


class ExitCode(IntEnum):
    """What the program's exit code says."""

    def __new__(cls, code: int, meaning: str) -> ExitCode:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    meaning: str

    DONE = 0, "done; verified; one function"
    NO = 1, "the answer is no: refuted, two functions, no rank or proof where one is required, a flow that blows up"
    BAD_INPUT = 2, "bad input; a line on stderr says what was given and what it should be"
    NO_ROOM = 3, "no room: not enough memory, a certificate that is too large, or stdout cannot be written"
    BUG = 4, "a bug in the program, with its traceback on stderr"
    UNDECIDED = 5, "undecided: it is not known whether two functions are equal"
    INTERRUPTED = 130, "interrupted"


def exit_code_table() -> str:
    """Return the table as text for a terminal."""
    rows = [
        textwrap.fill(code.meaning, 79, initial_indent=f"  {code:<5}", subsequent_indent=7 * " ") for code in ExitCode
    ]
    return "\n".join(["exit codes:", *rows])
