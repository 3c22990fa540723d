"""Programs that Singular runs, where it is installed."""

from __future__ import annotations

import shutil
import subprocess

from algatt.errors import MissingProgram


def run_singular(text: str) -> str:
    """Return what Singular prints for a program, with its complaints.

    Raises
    ------
    MissingProgram
        If Singular is not installed.
    """
    program = shutil.which("Singular")
    if program is None:
        raise MissingProgram("Singular", "singular")
    done = subprocess.run(  # noqa: S603  # the program is found by its name, and the text is ours
        [program, "-q", "--no-rc"], input=f"{text}quit;\n", capture_output=True, text=True, check=False
    )
    return f"{done.stdout}{done.stderr}".strip()
