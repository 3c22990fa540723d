"""Check the proofs of the verifier's rules with Coq: all files compile, and no statement in them rests on an axiom."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = ("derivations", "identities", "turns", "programs", "normal_form", "leibniz", "examples", "indices")
"""Files in the order of their imports."""

OPTIONS = ("-q", "-w", "-notation-overridden,-ambiguous-paths", "-Q", ".", "Formal")

STATEMENT = re.compile(r"^(?:Lemma|Theorem|Corollary) (\w+)", re.MULTILINE)

CLOSED = "Closed under the global context"


def statements(folder: Path) -> list[str]:
    """Return the qualified names of all statements."""
    return [f"{file}.{name}" for file in FILES for name in STATEMENT.findall((folder / f"{file}.v").read_text())]


def compiled(folder: Path, file: str) -> str:
    """Compile a file and return what Coq prints; leave with an error if it does not compile."""
    command = ["coqc", *OPTIONS, f"{file}.v"]
    found = subprocess.run(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if found.returncode:
        sys.exit(f"{file}.v does not compile:\n{found.stdout}")
    return found.stdout


def main() -> None:
    """Compile a copy of the files, and print how many statements there are."""
    if shutil.which("coqc") is None:
        sys.exit("coqc is not there; Debian has it in the packages coq and libcoq-mathcomp")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in FILES:
            shutil.copy(Path(__file__).parent / f"{file}.v", folder)
            compiled(folder, file)
        names = statements(folder)
        every = ", ".join(f"@{name}" for name in names)
        (folder / "assumptions.v").write_text(
            f"From Formal Require {' '.join(FILES)}.\nDefinition every := ({every}).\nPrint Assumptions every.\n"
        )
        printed = compiled(folder, "assumptions")
    if printed.strip() != CLOSED:
        sys.exit(f"a statement rests on an axiom:\n{printed}")
    print(f"{len(names)} statements are proven, without axioms")


if __name__ == "__main__":
    main()
