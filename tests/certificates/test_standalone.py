"""The verifier in one file gives the verdicts of the package, and needs nothing of it."""

from __future__ import annotations

import ast
import builtins
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.certificates.standalone import standalone_verifier
from algatt.cli.main import main
from algatt.layers import Feedforward, Heads, Residual, RMSNorm, SiLU

BLOCK = algatt.Network(
    Residual(RMSNorm() >> Heads(1)) >> Residual(Feedforward(2, SiLU(), gated=True)), tokens=2, width=2
)

ALONE = """
import runpy, sys
for name in ("algatt", "numpy", "scipy", "galois", "numba", "networkx", "multipledispatch", "rich"):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Imports of these fail."""

COUNTED = """
import sys
from algatt.cli.main import main
assert main(sys.argv[1:]) == 0
loaded = {name for name in sys.modules if name.partition(".")[0] not in sys.stdlib_module_names}
print(*sorted(loaded - before))
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verifier") / "verify.py"
    assert main(["verify", "--write-verifier", str(path)]) == 0
    return path


def run_alone(verifier: Path, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-I", "-c", ALONE, str(verifier), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=verifier.parent)
    return done.returncode, done.stdout, done.stderr


def made() -> dict[str, Any]:
    lightning = algatt.Lightning((2, 2, 2), (1, 1), 2)
    one, two = (algatt.sample(lightning, algatt.Weights, seed=seed) for seed in (0, 1))
    return {
        "lightning": algatt.certify(lightning),
        "reals": algatt.certify(lightning, field=algatt.Balls()),
        "softmax": algatt.certify(algatt.Softmax((2, 2), (1,), 2)),
        "one token": algatt.certify(algatt.Lightning((2, 2), (1,), 1)),
        "block": algatt.certify(BLOCK),
        "family": algatt.certify(algatt.symmetries(BLOCK)[0]),
        "two functions": algatt.certify(algatt.same_function(lightning, one, two)),
    }


def test_the_verdicts_are_those_of_the_package(verifier: Path, tmp_path: Path) -> None:
    for name, certificate in made().items():
        path = tmp_path / f"{name}.json"
        certificate.save(path)
        report = algatt.verify(path)
        assert report.ok, (name, report.reasons)
        code, out, err = run_alone(verifier, str(path))
        assert (code, err) == (0, ""), (name, out)
        assert out.splitlines()[0] == f"verified: {report.claim}"
        assert out.splitlines()[1:] == ["  assumptions: none"]


def test_the_command_imports_little_but_the_verifier(tmp_path: Path) -> None:
    """No numpy, no rich and no architectures: a check takes as long as that of the file that stands alone."""
    path = tmp_path / "certificate.json"
    algatt.certify(algatt.Lightning((2, 2), (1,), 2)).save(path)
    code = f"import sys, flint, multipledispatch; before = set(sys.modules){COUNTED}"
    done = subprocess.run([sys.executable, "-c", code, "verify", str(path)], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert {name.partition(".")[0] for name in loaded} == {"algatt"}
    assert {".".join(name.split(".")[:2]) for name in loaded} <= {
        "algatt",
        *(f"algatt.{name}" for name in ("certificates", "cli", "verbs", "views")),
        *(f"algatt.{name}" for name in ("dispatch", "display", "errors", "fields", "files", "loading", "version")),
    }
    assert len(loaded) <= 40


def test_refuted_and_unreadable_files(verifier: Path, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    document = algatt.certify(algatt.Lightning((2, 2), (1,), 2)).document
    document["claims"]["rows"] = [0, 4, 8, 12, 16, 20]  # one output, of which the others are not seen
    path.write_text(json.dumps(document))
    report = algatt.verify(path)
    code, out, err = run_alone(verifier, str(path))
    assert (code, err) == (1, "")
    assert out.splitlines() == [f"refuted: {report.claim}", *(f"  {reason}" for reason in report.reasons)]
    for text in ("", "[]", "{}", '{"format": "algatt dimension certificate"}', json.dumps(document)[:-2], "\x1b[2J"):
        path.write_text(text)
        code, out, err = run_alone(verifier, str(path))
        assert (code, out, err.count("\n")) == (2, "", 1), text
        assert err.strip().isprintable()
    path.write_bytes(b" " * (2**23 + 1))
    assert run_alone(verifier, str(path))[0] == 3
    assert run_alone(verifier, str(tmp_path / "nothing.json"))[0] == 2
    assert run_alone(verifier)[0] == 2


def test_every_name_that_it_uses_is_defined_in_it() -> None:
    """Imports within the folder are left out, and what they brought has to be there."""
    tree = ast.parse(standalone_verifier())
    defined = {*dir(builtins), "__name__", "__file__"}
    used = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                defined.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                defined.add(name)
            case ast.alias(name=name, asname=other):
                defined.add(other or name)
            case _:
                pass
    assert used - defined == set()


def test_it_imports_the_standard_library_and_flint() -> None:
    for node in ast.walk(ast.parse(standalone_verifier())):
        if isinstance(node, ast.ImportFrom):
            assert not node.level
            assert node.module is not None
            assert node.module.partition(".")[0] in sys.stdlib_module_names, node.module
        elif isinstance(node, ast.Import):
            assert {name.name for name in node.names} <= {*sys.stdlib_module_names, "flint"}
