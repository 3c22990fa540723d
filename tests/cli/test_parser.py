"""Reading the command line: help, suggestions, nothing said twice, and the names that users know from elsewhere."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import algatt
from algatt.cli.commands import COMMANDS, GROUPS
from algatt.cli.exit_codes import ExitCode
from algatt.cli.main import BEGIN, build_parser, main
from algatt.cli.parser import suggestion

SIZES = ["--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3"]

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command_line.md"


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    bare = capsys.readouterr()
    assert main(["--help"]) == 0
    assert capsys.readouterr() == bare
    assert bare.err == ""
    assert bare.out.startswith("usage: algatt ")
    assert all(re.search(rf"^  {command}\b", bare.out, re.MULTILINE) for command in COMMANDS)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_a_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"usage: algatt {command} ")


@pytest.mark.sample(30)
@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_help_ends_with_two_examples_that_are_understood(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    examples = capsys.readouterr().out.partition("\nexamples:\n")[2].splitlines()
    assert len(examples) == 2
    for example in examples:
        name, *arguments = shlex.split(example)
        assert (name, arguments[0]) == ("algatt", command)
        options = build_parser(arguments).parse_args(arguments)
        if hasattr(options, "dims") and not hasattr(options, "parameters") and command != "compare":
            assert options.network or options.dims or getattr(options, "layers", None)


def test_the_exit_codes_are_in_the_help_and_in_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    _, _, epilog = capsys.readouterr().out.partition("exit codes:\n")
    told = {
        int(code): " ".join(meaning.split())
        for code, meaning in re.findall(r"^  (\d+) +((?:.|\n {3,})*)$", epilog, re.MULTILINE)
    }
    assert max(len(line) for line in epilog.splitlines()) < 80
    table = PAGE.read_text().partition("| exit code | meaning |\n|---|---|\n")[2].partition("\n\n")[0]
    documented = {int(code): meaning for code, meaning in re.findall(r"^\| (\d+) \| (.*) \|$", table, re.MULTILINE)}
    assert told == documented == {int(code): code.meaning for code in ExitCode}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dimensions"], "there is no command 'dimensions'; did you mean dimension?"),
        (["dim"], "there is no command 'dim'; did you mean dimension?"),
        (["dimenson", *SIZES], "there is no command 'dimenson'; did you mean dimension?"),
        (["spectrum"], "there is no command 'spectrum'; did you mean jacobian-spectrum?"),
        (["help"], "there is no command 'help'; did you mean --help?"),
        (["dance"], "there is no command 'dance'; algatt --help lists them"),
        (["--versoin"], "unrecognized arguments: --versoin; did you mean --version?"),
        (["dimension", *SIZES, "--sed", "1"], "unrecognized arguments: --sed; did you mean --seed?"),
        (["dimension", *SIZES, "--require"], "unrecognized arguments: --require; did you mean --require-proof?"),
        (["dimension", *SIZES, "-seed", "1"], "unrecognized arguments: -seed; did you mean --seed?"),
        (["dimension", *SIZES, "-output", "x.json"], "unrecognized arguments: -output; did you mean --output?"),
        (["dimension", *SIZES, "-x"], "unrecognized arguments: -x"),
        (
            ["jacobian-spectrum", *SIZES, "--draw", "nromal"],
            "--draw was 'nromal'; it should be one of uniform, normal; did you mean normal?",
        ),
        (
            ["flow", "--heads", "1", "--weights", "sofmax"],
            "--weights was 'sofmax'; it should be one of exponential, softmax, relu; did you mean softmax?",
        ),
        (
            ["tree", "--layers", "2", "-o", "-", "--format", "svgz"],
            "--format was 'svgz'; it should be one of svg, pdf, ",
        ),
        (
            ["methods", "evalaute"],
            "verb was 'evalaute'; it should be one that 'algatt methods' lists; did you mean evaluate?",
        ),
    ],
)
def test_what_there_is_not_is_told_with_what_it_may_stand_for(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"algatt: {message}")
    assert err.count("\n") == 1


def test_suggestions() -> None:
    assert suggestion("tre", ["tree", "verify"]) == "; did you mean tree?"
    assert suggestion("fi", ["fiber", "fields", "flow"]) == "; did you mean fiber or fields?"
    assert suggestion("--", ["--tokens", "--dims"]) == ""
    assert suggestion("dance", ["tree"]) == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dimension", *SIZES, "--seed", "1", "--seed", "1"], "--seed was given twice"),
        (["dimension", *SIZES, "--seed=1", "--seed", "2"], "--seed was given twice"),
        (["dimension", *SIZES, "--tokens", "4"], "--tokens was given twice"),
        (["dimension", *SIZES, "--json", "--json"], "--json was given twice"),
        (
            ["dimension", *SIZES, "-o", "a.json", "--save", "b.json"],
            "--save was given after -o, which is the same option",
        ),
        (
            ["tree", "--layers", "2", "-oa.svg", "--output=b.svg"],
            "--output was given after -o, which is the same option",
        ),
        (["flow", "--heads", "1", "--heads", "-1,2"], "--heads was given twice"),
        (["--version", "--version"], "--version was given twice"),
    ],
)
def test_nothing_is_given_twice(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"algatt: {message}; it should be given once\n")
    assert list(tmp_path.iterdir()) == []


def test_what_follows_a_double_dash_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--", "--seed"]) == 2
    assert "certificate was '--seed', which cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--gap", "--weight-scale", "--input-scale"])
def test_negative_numbers_are_refused_as_what_they_are(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number in ("-1", "-.5", "-1e5"):
        assert main(["jacobian-spectrum", *SIZES, option, number]) == 2
        assert f"was {float(number)}; it should be" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("score", "temperature"),
    [
        ("softmax", "1"),
        ("softmax:2", "2"),
        ("softmax:1/2", "1/2"),
        ("softmax:temperature=0.5", "1/2"),
        ("exp:temperature=3", "3"),
        ("softmax:beta=2", "1/2"),
        ("exp:beta=0.1", "10"),
        ("exp:beta=2/3", "3/2"),
    ],
)
def test_softmax_has_a_temperature_or_its_inverse(
    score: str, temperature: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dimension", "--dims", "2,1", "--ranks", "1", "--tokens", "2", "--score", score, "--json"]) == 0
    network = json.loads(capsys.readouterr().out)["architecture"]
    assert network["score"] == {"name": "Exponential", "temperature": temperature}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["dimension", *SIZES, "--temperature", "2"],
            "unrecognized arguments: --temperature; it belongs to the score: --score softmax:TEMPERATURE",
        ),
        (
            ["dimension", *SIZES, "--beta", "2"],
            "unrecognized arguments: --beta; it belongs to the score: --score softmax:beta=BETA",
        ),
        (
            ["compare", "1.npz", "2.npz", "--tokens", "3", "--beta=2"],
            "unrecognized arguments: --beta; it belongs to the score",
        ),
        (
            ["dimension", *SIZES, "--score", "softmax:beta=0"],
            "--score softmax:beta=0: beta was 0.0; it should be a positive number",
        ),
        (
            ["dimension", *SIZES, "--score", "softmax:beta=-1"],
            "--score softmax:beta=-1: beta was -1.0; it should be a positive number",
        ),
        (
            ["dimension", *SIZES, "--score", "softmax:beta=1e999"],
            "--score softmax:beta=1e999: beta was inf; it should be a positive number",
        ),
        (
            ["dimension", *SIZES, "--score", "softmax:beta="],
            "--score was 'softmax:beta='; it should be softmax, softmax:TEMPERATURE",
        ),
        (["dimension", *SIZES, "--score", "softmax:=2"], "--score was 'softmax:=2'"),
        (["dimension", *SIZES, "--score", "softmax:tau=2"], "--score was 'softmax:tau=2'"),
        (["flow", "--heads", "1", "--temperature", "0"], "--temperature was '0'; it should be a positive number"),
        (["flow", "--heads", "1", "--temperature", "-2"], "--temperature was '-2'; it should be a positive number"),
        (["flow", "--heads", "1", "--temperature", "warm"], "--temperature was 'warm'; it should be a positive number"),
        (["flow", "--heads", "1", "--temperature", "1/0"], "--temperature was '1/0'; it should be a positive number"),
        (
            ["flow", "--heads", "1", "--temperature", "1", "--beta", "1"],
            "argument --beta: not allowed with argument --temperature",
        ),
        (["flow", "--resume", "run.npz", "--temperature", "1"], "--temperature was given with --resume"),
    ],
)
def test_temperatures_that_are_none(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"algatt: {message}")
    assert err.count("\n") == 1


def test_a_flow_and_a_spectrum_have_a_temperature(capsys: pytest.CaptureFixture[str]) -> None:
    flow = ["flow", "--heads", "1", "--tokens", "4", "--until", "0.1", "--json"]
    assert main([*flow, "--beta", "0.5"]) == 0
    by_beta = capsys.readouterr().out
    assert main([*flow, "--temperature", "2"]) == 0
    assert capsys.readouterr().out == by_beta
    assert main(["attention-spectrum", "--tokens", "60", "--temperature", "5/2", "--draws", "1", "--json"]) == 0
    assert {report["ensemble"]["beta"] for report in json.loads(capsys.readouterr().out)["reports"]} == {0.4}


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"algatt {algatt.__version__}\n", "")


def test_every_file_of_a_command_is_listed() -> None:
    files = Path(algatt.__file__).parent.joinpath("cli", "commands").glob("[a-z]*.py")
    assert {file.stem.replace("_", "-") for file in files} == set(COMMANDS)
    assert build_parser().format_help().isascii()


def test_commands_are_listed_by_the_kind_of_question(capsys: pytest.CaptureFixture[str]) -> None:
    """Each once, and the ones to begin with are commands that work."""
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert [title for title in GROUPS if f"\n{title}:\n" in printed] == list(GROUPS)
    for command in COMMANDS:
        assert len(re.findall(rf"^  {command} ", printed, re.MULTILINE)) == 1
    assert max(map(len, printed.splitlines())) < 80
    for line in BEGIN.splitlines()[1:-1]:
        assert main(line.split()[1:]) == 0
