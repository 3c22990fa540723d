"""Networks from files on the command line: dimension, jacobian-spectrum and program."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import algatt
from algatt.certificates.make import network as programs
from algatt.cli.main import main
from networks_in_files import NETWORK, report


@pytest.mark.parametrize("source", ["net.py:net", "net:net", "net.json"])
def test_the_dimension_of_a_network(source: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = report(capsys, "dimension", source)
    assert printed["architecture"] == NETWORK.description()
    computed = algatt.dimension(NETWORK)
    assert (printed["value"], printed["lower"], printed["upper"]) == (computed.value, computed.lower, computed.upper)


def test_what_a_module_prints_goes_to_stderr(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dimension", "net.py:net", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["format"] == "algatt dimension"
    assert err == "this is printed while it is imported\n"


def test_a_layer_becomes_a_network(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = report(capsys, "dimension", "net.py:block", "--tokens", "2", "--width", "2")
    assert printed["architecture"] == NETWORK.description()
    assert report(capsys, "dimension", "net.py:reader", "--tokens", "2")["architecture"]["tokens"] == 2
    # three squares of linear forms in three variables span all quadratic forms, of which there are six
    for source in ("net.py:Zoo.perceptron", "block.json"):
        assert report(capsys, "dimension", source, "--tokens", "1", "--width", "3")["value"] == 6


def test_a_config_of_a_published_model_is_its_layers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = {"model_type": "gpt2", "n_embd": 2, "n_layer": 1, "n_head": 1, "vocab_size": 3, "n_positions": 2}
    Path("model").mkdir()
    Path("model/config.json").write_text(json.dumps(small))
    net = algatt.published.read(small)
    for source in ("model/config.json", "model"):
        described = report(capsys, "symmetries", source, "--tokens", "2")["architecture"]
        assert described == json.loads(json.dumps(net.description()))
    assert main(["dimension", "model/config.json"]) == 2
    assert "--tokens was not given" in capsys.readouterr().err
    assert main(["dimension", "."]) == 2
    assert "which cannot be read (No such file or directory)" in capsys.readouterr().err


def test_an_architecture_with_theorems_keeps_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = report(capsys, "dimension", "net.py:lightning")
    assert (printed["value"], printed["status"], printed["formula"]) == (33, "proven", 33)  # HMK Corollary 3.8
    assert main(["dimension", "net.py:lightning", "-o", "certificate.json", "--require-proof"]) == 0
    assert algatt.verify("certificate.json").ok


def test_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(capsys, "dimension", "net.json", "--prime", "2147483647", "--seed", "4")["field"] == "GF(2147483647)"
    assert report(capsys, "dimension", "net.json", "--bits", "128")["value"] == algatt.dimension(NETWORK).value
    spectrum = report(capsys, "jacobian-spectrum", "net.json", "--inputs", "9")
    assert (spectrum["architecture"], spectrum["inputs"]) == (NETWORK.description(), 9)
    proven = algatt.dimension(NETWORK).status == "proven"
    assert main(["dimension", "net.json", "--require-proof"]) == (0 if proven else 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["net.py:nett"],
            "and there is no nett in net.py; it should be the name of a network in it; did you mean net?",
        ),
        (["net.py:"], "network was 'net.py:'; it should be net.py:NAME, package.module:NAME, net.json or model.onnx,"),
        (["gpt3"], "net.json or model.onnx, or a name as gpt2; did you mean gpt2?"),
        (
            ["missing.py:net"],
            "network was 'missing.py:net', and there is no file missing.py; it should be net.py:NAME, ",
        ),
        (
            ["missing.module:net"],
            "'missing.module:net', whose module cannot be imported (ModuleNotFoundError: No module named 'missing')",
        ),
        (
            ["broken.py:net"],
            "whose module cannot be imported (ZeroDivisionError: division by zero, line 1); it should be a module",
        ),
        (["ends.py:net"], "whose module cannot be imported (SystemExit: 7, line 1)"),
        (["wrong.py:net"], "whose module cannot be imported (SyntaxError: "),
        (
            ["net.py:number"],
            "'net.py:number', which is of type int; it should be a network, or a layer with --tokens and --width",
        ),
        (["net.py:Zoo"], "which is the class Zoo; it should be a network"),
        (
            ["net.py:block"],
            "--tokens was not given; it should be the number of tokens, such as --tokens 3: net.py:block takes any",
        ),
        (["net.py:block", "--tokens", "2"], "width was not given; it should be the width of an input"),
        (["net.py:block", "--tokens", "0", "--width", "2"], "tokens was 0; it should be an integer >= 1"),
        (["net.py:net", "--tokens", "2"], "--tokens was given with a network; it should be given with a layer only"),
        (["net.py:net", "--width", "2"], "--width was given with a network; it should be given with a layer only"),
        (
            ["net.py:net", "--dims", "2,2"],
            "--dims was given with the network 'net.py:net' of a file; it should be given without one; a list has "
            "commas and no spaces, as 4,3,4",
        ),
        (
            ["net.py:net", "--score", "softmax"],
            "--score was given with the network 'net.py:net' of a file; it should be given without one; a list has "
            "commas and no spaces, as 4,3,4",
        ),
        (
            ["missing.json"],
            "'missing.json', which cannot be read (No such file or directory); it should be a JSON description",
        ),
        (["unknown.json"], "network.layers.name was 'Hedas'; did you mean Heads?; it should be the name of a layer"),
        (["cut.json"], "network was 'cut.json', which is not JSON; it should be a JSON description of a network"),
        (["deep.json"], "network was 'deep.json', which has more than 200 lists"),
        (["list.json"], "network was 'list.json', which is of type tuple; it should be a network"),
        (
            ["--tokens", "2", "--dims", "2,2", "--ranks", "1", "--width", "2"],
            "--width was given with --dims; it should be given with a layer",
        ),
        (["net.json", "net.json"], "unrecognized arguments: net.json\n"),
        (["net.json", "--dims", "2", "2", "--ranks", "1"], "unrecognized arguments: 2; a list has commas"),
    ],
)
def test_bad_input(arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.iterdir())
    assert main(["dimension", *arguments]) == 2
    out, err = capsys.readouterr()
    err = err.removeprefix("this is printed while it is imported\n")
    assert out == ""
    assert err.startswith("algatt: ")
    assert message in err
    assert err.count("\n") == 1
    assert [path for path in sorted(folder.iterdir()) if path.name != "__pycache__"] == before


@pytest.mark.parametrize("command", [["dimension", "net.json"], ["certify", "net.json"]])
def test_a_certificate_is_refused_before_the_work(
    command: list[str], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of programs with an operation that the verifier does not have."""
    monkeypatch.setattr(programs, "KNOWN", programs.KNOWN - {"transpose"})
    monkeypatch.setattr(algatt, "dimension", None)  # it is not called
    monkeypatch.setattr("algatt.certificates.make.dimension.dimension", None)
    assert main([*command, "-o", "certificate.json"]) == 2
    assert capsys.readouterr().err.startswith("algatt: there are no certificates of networks with transpose; write it")
    assert not Path("certificate.json").exists()


def test_a_network_of_a_file_is_certified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "net.json", "-o", "certificate.json", "--seed", "3"]) == 0
    (claimed,) = capsys.readouterr().out.splitlines()
    certificate = algatt.certificates.Certificate.load("certificate.json")
    assert claimed == f"claimed: {certificate.claim}"
    assert certificate.network == str(NETWORK)
    assert certificate.claims.get("point", {"seed": 3})["seed"] == 3
    assert certificate.claims["program"] == list(algatt.maps.program(NETWORK).lines)
    assert main(["verify", "certificate.json"]) == 0
    assert capsys.readouterr().out.startswith("verified: ")


def test_a_certificate_over_balls_and_one_on_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "net.py:block", "--tokens", "2", "--width", "2", "--bits", "100"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document["claims"]["point"]) == {"seed", "scales"}


def test_a_family_is_certified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "net.json", "--family", "heads.score_1", "-o", "family.json"]) == 0
    assert "independent directions" in capsys.readouterr().out
    assert main(["verify", "family.json"]) == 0
    assert "d heads.Q_1 = S heads.Q_1, d heads.K_1 = -(S^T heads.K_1)" in capsys.readouterr().out
    assert main(["certify", "net.json", "--family", "heads.nothing"]) == 2
    assert "--family was 'heads.nothing'; it should be one of heads.score_1" in capsys.readouterr().err


def test_the_verifier_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--write-verifier", "verify.py"]) == 0
    assert capsys.readouterr().out == ""
    compile(Path("verify.py").read_text(), "verify.py", "exec")
    assert main(["verify"]) == 2
    assert "required: FILE, or --write-verifier" in capsys.readouterr().err
    assert main(["verify", "--write-verifier", "nowhere/verify.py"]) == 2


def test_the_program_of_a_network(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hash is that of the lines, computed here another time."""
    program = algatt.maps.program(NETWORK)
    assert main(["program", "net.json"]) == 0
    *lines, empty, last = capsys.readouterr().out.splitlines()
    assert (empty, last) == ("", f"SHA-256 {program.sha256}")
    texts = [line.partition(" = ")[2] for line in lines]
    assert hashlib.sha256("\n".join(texts).encode()).hexdigest() == program.sha256
    assert [int(line.partition(" = ")[0]) for line in lines] == list(range(len(program)))
    assert main(["program", "net.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["program"] == texts
    for suffix, start in (
        ("svg", "<?xml"),
        ("dot", "digraph"),
        ("graphml", "<?xml"),
        ("txt", "   0 = "),
        ("json", "{"),
    ):
        assert main(["program", "net.json", "-o", f"program.{suffix}"]) == 0
        assert Path(f"program.{suffix}").read_text().startswith(start)
    assert json.loads(Path("program.json").read_text())["sha256"] == program.sha256
    assert main(["program", "net.json", "-o", "program.doc"]) == 2


def test_a_module_of_a_name_that_is_taken(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file called like a module that is loaded is itself, and that module stays."""
    Path("json.py").write_text("from algatt import Lightning\nnet = Lightning((2, 1), (1,), 2)\n")
    assert report(capsys, "dimension", "json.py:net")["architecture"]["name"] == "Lightning"
    assert sys.modules["json"] is json


def test_the_folder_of_a_file_is_forgotten(folder: Path) -> None:
    before = list(sys.path)
    for source in ("net.py:net", "broken.py:net"):
        main(["draw", source])
        assert sys.path == before


@pytest.mark.sample(0)
def test_a_layer_of_a_users_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A module that defines a layer, with annotations that are postponed, as a program in a process of its own."""
    Path("own.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "import algatt\n"
        "from algatt.layers import Layer, Tensors, apply, tensors\n"
        "@dataclass(frozen=True, repr=False)\n"
        "class Square(Layer):\n"
        '    """x -> W (x * x) (Nobody et al., arXiv 2401.00001)."""\n'
        "@tensors.method\n"
        "def tensors_of_square(layer: Square, shape: tuple) -> dict[str, tuple[int, ...]]:\n"
        "    return {'W': (1, shape[0])}\n"
        "@apply.method\n"
        "def apply_square(layer: Square, w: Tensors, X: algatt.fields.Elements) -> algatt.fields.Elements:\n"
        "    return w.W @ (X * X)\n"
        "net = algatt.Network(Square(), tokens=1, width=5)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "algatt", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    assert json.loads(run("dimension", "own.py:net", "--json"))["value"] == 5
    assert run("draw", "own.py:net") == "5 parameters, input 5 x 1\n\nSquare()    1 x 1\n  square.W  1 x 5\n"
    page = run("draw", "own.py:net", "-o", "-", "--format", "html")
    assert '"arxiv":["2401.00001"]' in page
    assert "arXiv 2401.00001" not in page  # the number is among the papers
