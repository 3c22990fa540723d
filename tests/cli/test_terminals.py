"""What is printed where not every sign can be, and names that would steer a terminal, a table or a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from algatt.cli.main import main
from algatt.views.graph_files import graphml

NAME = "=1+1 \x1b]0;title\x07\x1b[31m \u202eevil\u2069 | <b>` [/] \\ \n\r second \u00fc\u4e2d"

ESCAPED = r"=1+1 \x1b]0;title\x07\x1b[31m \u202eevil\u2069 | <b>` [/] \ \n\r second " + "\u00fc\u4e2d"

PLAN = """
[[family]]
name = {name}
network = "Lightning((d, d), (a,), 2)"
sizes = {{d = "1..2", a = "1..2"}}
"""

CLASS = "A\x1b[31m\u202e"

SOURCE = f"""
import algatt
from algatt.layers import Linear
Own = type({CLASS!r}, (Linear,), {{}})
net = algatt.Network(Own(2), tokens=1, width=2)
"""

COMMANDS = (
    ["table", "plan.sqlite"],
    ["table", "plan.sqlite", "-o", "-", "--format", "md"],
    ["report", "plan.sqlite"],
    ["dimension", "net.py:net"],
    ["symmetries", "net.py:net"],
    ["draw", "net.py:net"],
    ["program", "net.py:net"],
    ["tree", "--layers", "2"],
    ["layers"],
    ["methods"],
    ["methods", "dimension"],
    ["flow", "--help"],
    ["dimension", "net.py:\u00fc"],
)


def toml(text: str) -> str:
    return '"' + "".join(f"\\U{ord(sign):08x}" for sign in text) + '"'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("names")
    (made / "plan.toml").write_text(PLAN.format(name=toml(NAME)), encoding="utf-8")
    (made / "net.py").write_text(SOURCE, encoding="utf-8")
    assert main(["sweep", str(made / "plan.toml"), "--json"]) == 0
    return made


def steers(text: str) -> list[str]:
    return sorted({sign for sign in text if not sign.isprintable() and sign != "\n"})


def test_names_steer_no_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    for command in (*COMMANDS, ["report", "plan.sqlite", "--failed"], ["fit-formula", "plan.sqlite"]):
        main([*command])
        printed = capsys.readouterr()
        assert not steers(printed.out + printed.err), command
        assert printed.out or printed.err
    main(["table", "plan.sqlite"])
    assert ESCAPED in capsys.readouterr().out
    main(["draw", "net.py:net"])
    assert r"A\x1b[31m\u202e" in capsys.readouterr().out
    main(["table", "plan.sqlite", "--family", NAME[:-1]])
    assert ESCAPED[6:20] in capsys.readouterr().err


def test_names_are_no_formulas_of_a_spreadsheet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(folder / "plan.sqlite"), "-o", "-", "--format", "csv"]) == 0
    text = capsys.readouterr().out
    assert not steers(text)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["family"] for row in rows} == {f"'{ESCAPED}"}
    assert [row["value"] for row in rows] == ["1", "1", "6", "7"]


@pytest.mark.parametrize("name", ["+1", "-1", "@SUM(A1)", " =1", "\uff1d1"])
def test_whatever_begins_a_formula_gets_an_apostrophe(name: str) -> None:
    from algatt.views.sweeps.tables import table_of

    text = table_of([{"family": name, "value": -3}], "csv").decode()
    assert text == f"family,value\n'{name},-3\n"


def test_names_end_no_cell_of_markdown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(folder / "plan.sqlite"), "-o", "-", "--format", "md"]) == 0
    head, rule, *rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 4
    for row in rows:
        plain = row.replace("\\\\", "")
        assert plain.count("|") - plain.count("\\|") == head.count("|") == rule.count("|")
        assert r"\<b>\`" in plain
        assert r"\[31m" in plain


@pytest.mark.parametrize("ending", ["svg", "pdf", "html"])
def test_a_class_of_any_name_leaves_files_well_formed(
    ending: str, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(folder)
    target = tmp_path / f"net.{ending}"
    assert main(["draw", "net.py:net", "-o", str(target)]) == 0
    if ending == "svg":
        text = target.read_text(encoding="utf-8")
        ET.fromstring(text)
        assert r"A\x1b[31m\u202e" in text
    assert ending == "pdf" or b"\x1b" not in target.read_bytes()


def test_names_in_graphml_leave_it_well_formed() -> None:
    graph = nx.DiGraph()
    graph.add_edge("one\x1b", "two\nthree", label="\x00\u202e")
    text = graphml(graph)
    ET.fromstring(text)
    assert not steers(text)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "setting",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["ascii", "C"],
)
def test_what_cannot_be_shown_is_replaced(setting: dict[str, str], folder: Path) -> None:
    """All in one process, whose streams are those of a real one."""
    script = (
        "import io, sys\n"
        "from algatt.cli import main as module\n"
        f"for command in {[*COMMANDS]!r}:\n"
        "    sys.argv = ['algatt', *command]\n"
        "    code = module.program()\n"
        "    assert code in (0, 1, 2), (command, code)\n"
    ).encode("ascii", "backslashreplace")
    (folder / "script.py").write_bytes(script)
    environment = {**os.environ, **setting}
    found = subprocess.run([sys.executable, "script.py"], cwd=folder, env=environment, capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode("ascii", "replace")[-2000:]
    text = (found.stdout + found.stderr).decode("ascii")
    assert "Traceback" not in text
    assert "?" in text
