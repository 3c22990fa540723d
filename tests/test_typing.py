"""Type checkers and editors see what the public functions return: mypy reads programs of users."""

from __future__ import annotations

import ast
import configparser
import importlib
import os
import pkgutil
import pydoc
import re
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

import algatt

ROOT = Path(algatt.__file__).parents[1]

PROGRAM = """\
from pathlib import Path

import galois
import numpy as np

import algatt

arch = algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)
softmax = algatt.Softmax((2, 2), (1,), 2)
some: algatt.architectures.AttentionNetwork = arch
theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(31), seed=1)
virtual = algatt.convert(theta, algatt.VirtualWeights)
loaded = algatt.parameters.load("theta.npz")
family = algatt.symmetries(arch)[0]
rescaling = algatt.symmetry.identity(algatt.symmetry.Rescaling(arch), theta.field)
GF = galois.GF(31)
tree = algatt.unroll(arch)
"""

TYPES = {
    # reports
    "algatt.dimension(arch)": "DimensionReport",
    "algatt.dimension(some, seed=1, field=algatt.Balls(64))": "DimensionReport",
    "algatt.dimension(arch).value": "int",
    "algatt.dimension(arch).lower": "int | None",
    "algatt.certify(arch)": "Certificate",
    "algatt.load('gpt2')": "Loaded",
    "algatt.load('gpt2').network": "Architecture",
    "algatt.load('gpt2').network.parameters": "int",
    "algatt.load('theta.npz').weights": "Parameters",
    "algatt.dimension(algatt.load('net.json'))": "DimensionReport",
    "algatt.symmetries(algatt.load('net.json'))": "tuple[Symmetry, ...]",
    "algatt.certify(algatt.dimension(arch))": "Certificate",
    "algatt.verify('certificate.json')": "VerificationReport",
    "algatt.verify(Path('certificate.json')).ok": "bool",
    "algatt.same_function(arch, theta, theta)": "Equivalence",
    "algatt.same_function(some, loaded, theta).element": "GroupElement | None",
    "algatt.fiber(arch, theta)": "Fiber",
    "algatt.expected_dimension(arch)": "int | None",
    "algatt.geometry.formulas(softmax)": "tuple[Formula, ...]",
    "algatt.symmetries(arch)": "tuple[Symmetry, ...]",
    "algatt.symmetry.orbit_dimension(arch, virtual)": "int",
    "algatt.is_singular(arch, theta)": "bool",
    # parameters are of the kind that is asked for, and stay of their kind
    "theta": "Weights",
    "virtual": "VirtualWeights",
    "algatt.sample(some, algatt.AttentionMatrix)": "AttentionMatrix",
    "algatt.convert(theta, algatt.AttentionMatrix)": "AttentionMatrix",
    "algatt.convert(loaded, algatt.VirtualWeights)": "VirtualWeights",
    "algatt.unflatten(arch, algatt.Weights, algatt.flatten(theta))": "Weights",
    "algatt.Weights.of([(GF([[1]]), GF([[2]]), GF([[3]]))])": "Weights",
    "algatt.canonical(arch, virtual)": "VirtualWeights",
    "algatt.canonical(some, theta)": "Weights",
    "family.element(theta, 0)": "GroupElement",
    "algatt.act(family.element(theta, 0), theta)": "Weights",
    "algatt.act(rescaling, virtual)": "VirtualWeights",
    "algatt.act(rescaling, loaded)": "Parameters",
    "rescaling": "SpacesElement",
    "algatt.linalg.inverse(rescaling)": "SpacesElement",
    # arrays
    "algatt.jacobian(arch, theta, algatt.sample_inputs(arch))": "Any",
    "algatt.evaluate(arch, theta, [[1, 2, 3]] * 4)": "Any",
    "algatt.evaluate(arch, theta, algatt.fields.Elements.of(theta.field, [[1, 2, 3]] * 4))": "Elements",
    "algatt.rank(GF([[1, 2], [3, 4]]))": "int",
    "algatt.rank(np.eye(3))": "RankVerdict",
    "algatt.rank(theta.layers[0].Q)": "Any",
    "algatt.rank(np.zeros_like(theta.layers[0].Q))": "Any",
    "algatt.linalg.determinant(GF([[1, 2], [3, 4]]))": "Any",
    "algatt.parametrization(arch, algatt.Weights)": "Parametrization",
    # graphs, laws, flows
    "algatt.factors(tree)": "tuple[Factor, ...]",
    "algatt.factors(3)": "tuple[Factor, ...]",
    "algatt.spectra.edge(algatt.spectra.MarchenkoPastur(1.0))": "float",
    "algatt.spectra.limit_law(algatt.spectra.AttentionEnsemble(9, 9, 9, 0.1))": "Law",
    "algatt.spectra.sample_matrix(algatt.spectra.LinearEnsemble(9, 9, 9, 0.1), seed=1).ndim": "int",
    "algatt.dynamics.integrate(algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),)), np.eye(2), "
    "until=1.0)": "Trajectory",
    # verbs are still verbs
    "algatt.methods(algatt.evaluate)": "MethodTable",
    "algatt.evaluate.name": "str",
}
"""Expressions and the types that a type checker has to know, with the last parts of their names."""

REFUSED = (
    "algatt.dimension('4,3,4')",
    "algatt.dimension(arch, sead=1)",
    "algatt.evaluate(arch=arch)",
    "algatt.sample(arch, 'Weights')",
    "algatt.sample(arch, algatt.Reals)",
    "algatt.canonical(arch, 3)",
    "algatt.no_such_verb(arch)",
)
"""Calls that no method fits, and a function that there is none of."""


@dataclass(frozen=True)
class Checker:
    """The type checker, and what it remembers of the packages that it read.

    Parameters
    ----------
    cache : Path
        A folder.
    """

    cache: Path

    def read(self, folder: Path, program: str) -> list[tuple[int, str]]:
        """Return what mypy says about a program of a user, with the numbers of the lines."""
        (folder / "program.py").write_text(program)
        installed = ROOT.is_relative_to(sysconfig.get_path("purelib"))
        environment = {**os.environ, "MYPYPATH": str(folder) if installed else f"{folder}{os.pathsep}{ROOT}"}
        options = ["--strict", "--follow-imports=silent", "--config-file=", f"--cache-dir={self.cache}"]
        command = [sys.executable, "-m", "mypy", *options, "program.py"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
        assert not done.stderr, done.stderr
        found = (re.fullmatch(r"program\.py:(\d+): (\w+: .*)", line) for line in done.stdout.splitlines())
        return [(int(match[1]), match[2]) for match in found if match]


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    return Checker(tmp_path_factory.mktemp("cache"))


def revealed(message: str) -> str:
    """Return a revealed type with the last parts of its names."""
    match = re.fullmatch(r'note: Revealed type is "(.*)"', message)
    assert match is not None, message
    return re.sub(r"[\w.]+\.(\w+)", r"\1", match[1])


@pytest.fixture(scope="module")
def messages(checker: Checker, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what mypy says about every expression, all of them in one program."""
    expressions = [*TYPES, *REFUSED]
    lines = [*(f"reveal_type({expression})" for expression in TYPES), *REFUSED]
    said: dict[str, list[str]] = {expression: [] for expression in expressions}
    first = PROGRAM.count("\n") + 1
    for number, message in checker.read(tmp_path_factory.mktemp("program"), PROGRAM + "\n".join(lines) + "\n"):
        assert number >= first, message
        said[expressions[number - first]].append(message)
    return said


@pytest.mark.parametrize("expression", TYPES)
def test_results_have_types(messages: dict[str, list[str]], expression: str) -> None:
    assert list(map(revealed, messages[expression])) == [TYPES[expression]]


@pytest.mark.parametrize("expression", REFUSED)
def test_calls_that_no_method_fits_are_refused(messages: dict[str, list[str]], expression: str) -> None:
    assert any(message.startswith("error: ") for message in messages[expression])


SCRIPT = """\
import algatt

found = algatt.load("gpt2", tokens=3)
print(found.network.parameters, found.lengths[0])
report = algatt.dimension(found)
print(report.value, report.upper, report.status)
for family in algatt.symmetries(found):
    print(family.name, family.dimension)
theta = algatt.sample(found, algatt.Weights, field=algatt.Reals(), seed=0)
moved = algatt.checkpoints.move(found, theta, seed=1)
print(algatt.compare(found, theta, moved).equal)
X = algatt.sample_inputs(found, field=algatt.Reals())
print(algatt.evaluate(found, theta, X).shape)
algatt.draw(found)
print(algatt.verify(algatt.load("cert.json")).ok)
"""


def test_a_right_script_of_fifteen_lines_passes(checker: Checker, tmp_path: Path) -> None:
    assert checker.read(tmp_path, SCRIPT) == []


def test_graphs_may_have_types(checker: Checker, tmp_path: Path) -> None:
    """As with the stubs of networkx that mypy recommends: what unroll returns is a graph, and taken as one."""
    stubs = tmp_path / "networkx"
    stubs.mkdir()
    attributes = "    graph: dict[str, object]\n    @property\n    def nodes(self) -> object: ...\n"
    (stubs / "__init__.pyi").write_text(f"class Graph: ...\nclass DiGraph(Graph):\n{attributes}")
    lines = ["reveal_type(tree)", "reveal_type(algatt.factors(tree)[0].layer)", "algatt.trees.monomial('tree', (1, 1))"]
    graph, layer, refused = checker.read(tmp_path, "\n".join(["import algatt; tree = algatt.unroll(3)", *lines, ""]))
    assert (graph[0], revealed(graph[1])) == (2, "DiGraph")
    assert (layer[0], revealed(layer[1])) == (3, "int")
    assert refused[0] == 4
    assert refused[1].startswith("error: ")


def test_the_marker_is_installed() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert "py.typed" in setup["options.package_data"]["algatt"].split(", ")


def test_help_says_what_a_verb_takes_and_returns() -> None:
    text = pydoc.render_doc(algatt.certify, renderer=pydoc.plaintext)
    assert "certify(source: Equivalence | DimensionReport | Symmetry | NetworkLike, /, *, seed: int = 0" in text
    assert "-> Certificate" in text


def imports_of_type_checkers(path: Path) -> set[tuple[str, str]]:
    """Return the public names of a package for type checkers, each with the module that it is imported from."""
    blocks = [one for one in ast.parse(path.read_text()).body if isinstance(one, ast.If)]
    imports = [one for block in blocks for one in block.body if isinstance(one, ast.ImportFrom)]
    return {(f"{one.module}.{name.name}", name.asname or name.name) for one in imports for name in one.names}


PACKAGES = sorted(
    path for path in Path(algatt.__file__).parent.rglob("__init__.py") if "on_demand(" in path.read_text()
)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_type_checkers_see_the_names_that_are_imported_on_demand(path: Path) -> None:
    package = importlib.import_module(".".join(path.parent.relative_to(ROOT).parts))
    names = {(f"{module}.{attribute}", name) for name, (module, attribute) in vars(package)["__names__"].items()}
    modules = {(f"algatt.{one.name}", one.name) for one in pkgutil.iter_modules(algatt.__path__)}
    found = imports_of_type_checkers(path)
    assert found - modules == names
    assert all(getattr(package, name) is not None for name in package.__all__)
