"""The JSON of every command: strict, with its schema, with the names of Python's attributes, and as the documentation
says.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.cli.main import main
from algatt.layers import Feedforward, Heads, Power, Residual
from algatt.spectra import chain_reports, matrix_report
from algatt.views import network_files
from configs import config

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json.md"

HEAD = ["format", "version", "made_with"]

SIZES = ["--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3"]

COMMANDS = {
    "dimension": [
        ["dimension", *SIZES],
        ["dimension", *SIZES, "--score", "exp"],
        ["dimension", *SIZES, "--float"],
        ["dimension", *SIZES, "--points", "copies:1"],
        ["dimension", *SIZES, "-o", "cert.json"],
    ],
    "symmetries": [["symmetries", *SIZES], ["symmetries", "net.json"]],
    "conservation-laws": [["conservation-laws", *SIZES], ["conservation-laws", "net.json", "--laws-only"]],
    "equations": [["equations", "--dims", "2,1", "--ranks", "2", "--tokens", "2", "--degree", "4"]],
    "degree": [
        ["degree", "--dims", "2,1", "--ranks", "2", "--tokens", "2"],
        ["degree", "--dims", "2,1", "--ranks", "1", "--tokens", "2", "--fiber"],
    ],
    "identify": [
        ["identify", "--dims", "2,1", "--ranks", "1", "--tokens", "2", "--coefficients", "map.txt"],
        ["identify", "--dims", "2,1", "--ranks", "2", "--tokens", "2", "--coefficients", "none.txt"],
    ],
    "hilbert-function": [["hilbert-function", "--dims", "2,1", "--ranks", "2", "--tokens", "2"]],
    "parameters": [["parameters", "config.json"]],
    "jacobian-spectrum": [
        ["jacobian-spectrum", *SIZES, "--prove"],
        ["jacobian-spectrum", "--dims", "4,4,4,4,4", "--ranks", "2,2,2,2", "--tokens", "3"],
        ["jacobian-spectrum", "--dims", "1,1", "--ranks", "1", "--tokens", "1"],
    ],
    "verify": [["verify", "certificate.json"]],
    "compare": [
        ["compare", "theta.npz", "moved.npz", "--tokens", "3"],
        ["compare", "theta.npz", "other.npz", "--tokens", "3"],
    ],
    "invariants": [["invariants", "one", "one"]],
    "drift": [["drift", "one", "one"]],
    "fiber": [["fiber", "theta.npz", "--tokens", "3"], ["fiber", "theta.npz", "--tokens", "1"]],
    "flow": [
        ["flow", "--heads", "1,0.5", "--tokens", "6", "--until", "0.1"],
        ["flow", "--heads", "1", "--weights", "softmax", "--beta", "2000", "--tokens", "6", "--until", "0.01"],
        ["flow", "--heads", "1", "--tokens", "6", "--until", "0.1", "--clusters", "0.5", "--causal"],
    ],
    "attention-spectrum": [
        ["attention-spectrum", "--tokens", "60", "--beta", "0.5", "--draws", "2"],
        ["attention-spectrum", "--matrix", "head.npy", "--key-dim", "60"],
        ["attention-spectrum", "--tokens", "40", "--beta", "0.3", "--kind", "values", "--draws", "1"],
    ],
    "program": [["program", "net.json"]],
    "align": [["align", "one", "one"]],
    "sweep": [["sweep", "plan.toml"]],
    "report": [["report", "plan.sqlite"]],
    "table": [["table", "plan.sqlite"]],
    "transform": [["transform", "one", "balanced", "--by", "balance"]],
    "fit-formula": [["fit-formula", "plan.sqlite"]],
    "layers": [["layers"]],
    "methods": [["methods", "convert"], ["methods"]],
    "canonical": [["canonical", "theta.npz", "--tokens", "3", "-o", "form.npz"]],
    "certify": [["certify", *SIZES]],
    "draw": [["draw", "net.json"], ["draw", "net.json", "--symmetries"]],
    "export": [["export", "--dims", "2,1", "--ranks", "1", "--tokens", "2", "--to", "sympy"]],
    "move": [["move", "one", "-o", "elsewhere"]],
    "tree": [["tree", "--layers", "2"]],
}
"""Calls of each command that together show all of its keys."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that commands read."""
    monkeypatch.chdir(tmp_path)
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    algatt.certify(arch).save("certificate.json")
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    theta.save("theta.npz")
    Path("config.json").write_text(json.dumps(algatt.published.scaled(config("gemma_2b"))), encoding="utf-8")
    fields = algatt.published.scaled(config("smollm2_135m"))
    net = algatt.published.read(fields)
    point = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
    algatt.checkpoints.save("one", algatt.checkpoints.Checkpoint(net, point, fields))
    block = Residual(Heads(1)) >> Residual(Feedforward(2, Power(2)))
    network_files.write(algatt.Network(block, tokens=2, width=2), "net.json")
    algatt.act(algatt.symmetry.Rescaling(arch).element(theta, 1), theta).save("moved.npz")
    algatt.sample(arch, algatt.Weights, seed=1).save("other.npz")
    Path("map.txt").write_text("")
    Path("none.txt").write_text("y_1_1: x_1_1^2 3")
    Path("plan.toml").write_text('[[family]]\nnetwork = "Lightning((d, 2), (1,), 2)"\nsizes = {d = "1..20"}')
    algatt.sweep(algatt.sweeps.read_plan("plan.toml"), "plan.sqlite")
    np.save("head.npy", algatt.spectra.sample_matrix(algatt.spectra.AttentionEnsemble(60, 60, 60, 0.5), seed=0))
    return tmp_path


def documented() -> dict[str, list[str]]:
    """Return the keys in the tables of the page, by the command."""
    sections = re.split(r"^## algatt (.*)$", PAGE.read_text(), flags=re.MULTILINE)
    rows = {
        name: re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
        for name, text in zip(sections[1::2], sections[2::2], strict=True)
    }
    return {name: re.findall(r"`(.*?)`", " ".join(lines)) for name, lines in rows.items()}


def paths(value: Any, prefix: str = "") -> Iterator[str]:
    """Iterate over the keys of an object, with those of the objects in it."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield f"{prefix}{key}"
            yield from paths(entry, f"{prefix}{key}.")
    elif isinstance(value, list):
        for entry in value:
            yield from paths(entry, f"{prefix.removesuffix('.')}[].")


def strict(text: str) -> dict[str, Any]:
    """Read JSON, and none of what Python adds to it."""

    def refuse(name: str) -> None:
        raise AssertionError(f"JSON has no {name}")

    parsed: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return parsed


@pytest.mark.sample(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_keys_are_those_of_the_documentation(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = documented()[command]
    seen: set[str] = set()
    for call in COMMANDS[command]:
        main([*call, "--json"])
        printed = strict(capsys.readouterr().out)
        assert list(printed)[:3] == HEAD
        assert (printed["format"], printed["version"], printed["made_with"]) == (
            f"algatt {command}",
            1,
            f"algatt {algatt.__version__}",
        )
        seen.update(paths({key: value for key, value in printed.items() if key not in (*HEAD, "written")}))
    inside = tuple(
        f"{key}{end}"
        for key in keys
        if not any(other.startswith((f"{key}.", f"{key}[]")) for other in keys)
        for end in (".", "[]")
    )
    assert {path for path in seen if not path.startswith(inside)} == set(
        keys
    )  # below what has no rows of its own, a noun may have any fields


def test_every_command_prints_json_and_is_documented() -> None:
    from algatt.cli.commands import COMMANDS as ALL

    assert set(COMMANDS) == set(documented()) == set(ALL)


WRITING = {
    "form.npz": ["canonical", "theta.npz", "--tokens", "3"],
    "cert.json": ["certify", *SIZES],
    "net.svg": ["draw", "net.json"],
    "net.html": ["draw", "net.json", "--symmetries"],
    "map.m2": ["export", "--dims", "2,1", "--ranks", "1", "--tokens", "2", "--to", "macaulay2"],
    "tree.dot": ["tree", "--layers", "2"],
    "proof.json": ["dimension", *SIZES],
    "program.txt": ["program", "net.json"],
    "table.csv": ["table", "plan.sqlite"],
    "moved": ["move", "one"],
    "aligned": ["align", "one", "one"],
    "balanced": ["canonical", "one"],
}
"""Calls by what they write."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", WRITING)
def test_what_is_written_is_listed(path: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WRITING[path], "-o", path, "--json"]) == 0
    written = strict(capsys.readouterr().out)["written"]
    files = sorted(Path(path).iterdir()) if Path(path).is_dir() else [Path(path)]
    assert [one["path"] for one in written] == list(map(str, files))
    for one, file in zip(written, files, strict=True):
        content = file.read_bytes()
        assert (one["bytes"], one["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())


def test_a_certificate_that_claims_less_than_the_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Vectors by which values of both heads are shifted are h k - d + 1 = 5, as tests/symmetry/quotients/shifts has it;
    two of them shift one head, and words of certificates have these two alone.
    """
    heads = "Residual(LayerNorm() >> Heads(2, width=4, biases='V'))"
    code = f"from algatt.layers import *\nlayer = {heads} >> LayerNorm()\n"
    Path("wide.py").write_text(code)
    call = ["dimension", "wide.py:layer", "--tokens", "2", "--width", "4", "-o", "cert.json"]
    assert main(call) == 0
    out = capsys.readouterr().out
    assert "dimension                                53 (proven)" in out
    assert "The certificate claims less than this report: a dimension of at least 53 and at most 56." in out
    assert main([*call, "--json"]) == 0
    printed = strict(capsys.readouterr().out)
    assert (printed["claims_less"], printed["claim"]) == (True, algatt.load("cert.json").certificate.claim)


def test_a_tree_in_a_file(folder: Path) -> None:
    import networkx as nx

    assert main(["tree", "--layers", "2", "-o", "tree.json"]) == 0
    data = strict(Path("tree.json").read_text())
    assert list(data) == [*HEAD, *documented()["tree"]]
    assert (data["format"], data["version"], data["made_with"]) == ("algatt tree", 1, f"algatt {algatt.__version__}")
    tree = algatt.unroll(2)
    again = nx.node_link_graph(data, edges="edges")
    assert (again.graph, dict(again.nodes(data=True))) == (tree.graph, dict(tree.nodes(data=True)))


def test_the_description_of_a_network_in_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("described.py").write_text("import algatt\nnet = algatt.Network(algatt.layers.Heads(2), tokens=3, width=4)\n")
    assert main(["draw", "described.py:net", "-o", "net.json"]) == 0
    described = strict(Path("net.json").read_text())
    assert described == algatt.Network(Heads(2), tokens=3, width=4).description()
    assert main(["draw", "net.json", "--json"]) == 0
    assert strict(capsys.readouterr().out)["architecture"] == described


def reports() -> Iterator[Any]:
    """Iterate over one of everything that has a JSON form."""
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    yield algatt.dimension(arch)
    yield algatt.conservation_laws(arch)
    yield algatt.jacobian_spectrum(arch)
    yield algatt.jacobian_spectrum(arch).double
    yield algatt.same_function(arch, theta, theta)
    yield algatt.fiber(arch, theta)
    yield algatt.dynamics.integrate(
        algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),)), np.eye(3), until=0.1
    )
    yield from chain_reports(algatt.spectra.AttentionEnsemble(60, 60, 60, 0.5), draws=1)
    yield matrix_report(np.eye(60), key_dim=60, beta=0.4)


@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")
def test_keys_are_attributes() -> None:
    for report in reports():
        for key, value in report.to_dict().items():
            attribute = getattr(report, key)
            if isinstance(attribute, bool | int | float | str | None):
                assert value == attribute or (key == "seconds" and value == round(attribute, 3))
