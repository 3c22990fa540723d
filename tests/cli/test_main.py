"""The command line: data on stdout, one line on stderr, exit codes 0, 1 and 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main

BOTTLENECK = ["dimension", "--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3"]
NO_PROOF = ["dimension", "--dims", "5,5,5", "--ranks", "1,3", "--tokens", "3"]


def test_dimension_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(BOTTLENECK) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "33 (proven)" in out
    assert "HMK Corollary 3.8 (Eq 14): agrees" in out


def test_dimension_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTTLENECK, "--json", "--seed", "4"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["architecture"] == {"name": "Lightning", "dims": [4, 3, 4], "ranks": [2, 2], "tokens": 3}
    assert (report["value"], report["status"], report["lower"], report["upper"]) == (33, "proven", 33, 33)
    assert {family["name"]: family["removes"] for family in report["symmetries"]} == {
        "key-query": 8,
        "interlayer": 9,
        "rescaling": 2,
    }
    assert (report["formula"], report["seed"], report["field"]) == (33, 4, "GF(8388593)")


def test_a_proof_can_be_required(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main([*BOTTLENECK, "--require-proof"]) == 0
    assert main([*NO_PROOF, "--require-proof"]) == 0
    symmetries = algatt.verbs.symmetries
    monkeypatch.setattr(algatt.verbs, "symmetries", lambda arch: symmetries(arch)[:3])  # as if less were known
    assert main(NO_PROOF) == 0
    assert main([*NO_PROOF, "--require-proof"]) == 1
    assert "47 (probable)" in capsys.readouterr().out


def test_float_and_prime(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTTLENECK, "--float"]) == 0
    assert "33 (numerical)" in capsys.readouterr().out
    assert main([*BOTTLENECK, "--prime", "2147483647"]) == 0
    assert "GF(2147483647)" in capsys.readouterr().out


@pytest.mark.parametrize("layers", [4, 7])
def test_an_undecided_float_rank_exits_with_1(layers: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Four layers leave no gap in float64; at seven the values overflow."""
    dims, ranks = ",".join("4" * (layers + 1)), ",".join("2" * layers)
    assert main(["dimension", "--dims", dims, "--ranks", ranks, "--tokens", "3", "--float"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "the float rank is undecided" in err


def test_save_verify_and_refute(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate.json"
    assert main([*BOTTLENECK, "--save", str(path)]) == 0
    capsys.readouterr()
    assert main(["verify", str(path)]) == 0
    told, rest = capsys.readouterr().out.splitlines()
    assert told.startswith("verified: The network with the program ")
    assert told.endswith("and reads 3 vectors of 4 numbers, has a neuromanifold of dimension 33")
    assert rest == "  assumptions: none"
    document = json.loads(path.read_text())
    line = next(line for line in document["claims"]["program"] if line.startswith("tensor V_1 "))
    document["claims"]["families"] = [{"name": "f", "free": [], "moves": {"V_1": [line]}}]
    document["claims"]["directions"] = [document["claims"]["columns"][0]]
    path.write_text(json.dumps(document))
    assert main(["verify", str(path)]) == 1
    assert "the family 'f': the value moves" in capsys.readouterr().out
    assert main(["verify", str(path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert [reason.startswith("the family 'f': the value moves") for reason in report["reasons"]] == [True]
    path.write_bytes(b" " * (2**23 + 1))
    assert main(["verify", str(path)]) in (2, 3)


def test_the_certificate_is_saved_before_anything_is_printed(tmp_path: Path) -> None:
    """A reader that has gone, or a full disk behind stdout, costs the table and not the certificate."""
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    path = tmp_path / "certificate.json"
    for options in ([], ["--json"]):
        command = [sys.executable, "-m", "algatt", *BOTTLENECK, "--save", str(path), *options]
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
        assert done.returncode == 3
        assert "No space left on device" in done.stderr
        assert "Traceback" not in done.stderr
        assert algatt.verify(path).ok
        path.unlink()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("options", "kind"),
    [(["--points", "copies:3"], "pieces"), (["--points", "random"], "dimension"), ([], "dimension")],
)
def test_the_certificate_is_that_of_the_points(tmp_path: Path, options: list[str], kind: str) -> None:
    sizes = ["--dims", "12,12,12", "--ranks", "6,6", "--tokens", "4"]
    assert main(["dimension", *sizes, "-o", str(tmp_path / "cert.json"), *options]) == 0
    certificate = algatt.certificates.Certificate.load(tmp_path / "cert.json")
    assert (certificate.kind, certificate.status) == (kind, "proven")


def test_the_certificate_of_a_large_network_is_one_by_pieces(tmp_path: Path) -> None:
    sizes = ["--dims", "96,96", "--ranks", "48", "--tokens", "4"]
    assert main(["dimension", *sizes, "-o", str(tmp_path / "cert.json")]) == 0
    assert algatt.certificates.Certificate.load(tmp_path / "cert.json").kind == "pieces"


def test_too_large_a_network_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dimension", "--dims", "2,2", "--ranks", "1", "--tokens", "2000000000"]) == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_a_hostile_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate.json"
    for depth, told in (
        (10**6 + 1, "one with 1000001 lists, names and entries"),
        (400, "no certificate"),
    ):
        path.write_text("[" * depth)
        assert main(["verify", str(path)]) == (3 if depth > 400 else 2)
        assert told in capsys.readouterr().err
    certificate = algatt.certify(algatt.Lightning((2, 1), (1,), 2))
    for name in ("[/x]", "[bold]Light"):
        document = certificate.document
        family = {"name": name, "free": [], "moves": {"V_1": ["tensor V_1  : 1 x 2"]}}
        document["claims"] = {**certificate.claims, "families": [family], "directions": [4]}
        path.write_text(json.dumps(document))
        assert main(["verify", str(path)]) == 1
        assert f"the family '{name}': the value moves" in capsys.readouterr().out


def test_methods(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "dimension"]) == 0
    out = capsys.readouterr().out
    assert "1 method of dimension:\ndimension(arch: Architecture) " in out
    assert "dimension.py:" in out
    assert main(["methods", "draw_array"]) == 0
    out = capsys.readouterr().out
    assert "methods of draw_array" in out
    assert "prime.py:" in out
    assert main(["methods", "convert", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["methods"]
    table = algatt.methods(algatt.convert)
    assert [row["location"] for row in listed] == [method.location for method in table]
    assert [tuple(row["signature"]) for row in listed] == [
        tuple(kind.__name__ for kind in method.signature) for method in table
    ]
    assert {row["verb"] for row in listed} == {"convert"}
    assert main(["methods"]) == 0
    assert {"dimension", "evaluate"} <= set(capsys.readouterr().out.split())
    assert main(["methods", "--json"]) == 0
    verbs = json.loads(capsys.readouterr().out)["verbs"]
    assert {"name": "dimension", "methods": 1} in verbs
    assert {"name": "convert", "methods": len(table)} in verbs


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dimension", "--dims", "4,3,4"], "required: --ranks, --tokens"),
        (
            ["dimension", "--dims", "4,x,4", "--ranks", "2,2", "--tokens", "3"],
            "dims was '4,x,4'; it should be integers separated by commas",
        ),
        (
            ["dimension", "--dims", "", "--ranks", "2,2", "--tokens", "3"],
            "dims was ''; it should be integers separated by commas",
        ),
        (
            ["dimension", "--dims", "4,0,4", "--ranks", "2,2", "--tokens", "3"],
            "dims[1] was 0; it should be an integer >= 1",
        ),
        (
            ["dimension", "--dims", "4,-3,4", "--ranks", "2,2", "--tokens", "3"],
            "dims[1] was -3; it should be an integer >= 1",
        ),
        (
            ["dimension", "--dims", "4,3,4", "--ranks", "2", "--tokens", "3"],
            "ranks was of length 1; it should be of length 2",
        ),
        (
            ["dimension", "--dims", "4", "--ranks", "2", "--tokens", "3"],
            "dims was of length 1; it should be of length at least 2",
        ),
        (["dimension", "--dims", "4,4", "--ranks", "2", "--tokens", "0"], "tokens was 0; it should be an integer >= 1"),
        (
            ["dimension", "--dims", "4,4", "--ranks", "2", "--tokens", "2.5"],
            "argument --tokens: invalid int value: '2.5'",
        ),
        (
            ["dimension", "--dims", "-4,1,4", "--ranks", "2,2", "--tokens", "3"],
            "dims[0] was -4; it should be an integer >= 1",
        ),
        (
            ["dimension", "--dims", "4,1,4", "--ranks", "-1,2", "--tokens", "3"],
            "ranks[0] was -1; it should be an integer >= 1",
        ),
        (
            ["dimension", "--dim", "4,1,4", "--ranks", "1,2", "--tok", "3"],
            "unrecognized arguments: --dim; did you mean --dims?",
        ),
        ([*BOTTLENECK, "--sed=1"], "unrecognized arguments: --sed; did you mean --seed?"),
        (["verify", "--quickly", "certificate.json"], "unrecognized arguments: --quickly\n"),
        (["compare", "1.npz", "2.npz", "3.npz", "--tokens", "3"], "unrecognized arguments: 3.npz\n"),
        (
            ["dimension", "--dims", "4", "3", "4", "--ranks", "2,2", "--tokens", "3"],
            "arguments: 3 4; a list has commas and no spaces, as 4,3,4",
        ),
        ([*BOTTLENECK, "--prime", "15"], "p was 15, which is not prime"),
        ([*BOTTLENECK, "--prime", str(2**63 + 29)], "which is too large; it should be a prime below 2^63"),
        ([*BOTTLENECK, "--prime", "31", "--float"], "not allowed with argument"),
        ([*BOTTLENECK, "--seed", "-1"], "seed was -1; it should be an integer >= 0"),
        ([*BOTTLENECK, "--error", "2"], "error was 2.0; it should be a probability between 0 and 1"),
        (
            [*BOTTLENECK, "--save", "missing/certificate.json"],
            "cannot write missing/certificate.json: No such file or directory",
        ),
        ([*BOTTLENECK, "--save", "certificate.json", "--float"], "floating point proves nothing"),
        (
            ["verify", "missing.json"],
            "certificate was 'missing.json', which cannot be read (No such file or directory)",
        ),
        (["methods", "dance"], "verb was 'dance'; it should be one that 'algatt methods' lists"),
    ],
)
def test_bad_input_is_one_line_and_2(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("algatt: ")
    assert list(tmp_path.iterdir()) == []


def test_the_process(tmp_path: Path) -> None:
    """The module runs as a program, and an interrupted pipe is no traceback."""
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-m", "algatt", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    assert done.stdout == f"algatt {algatt.__version__}\n"
    refused = subprocess.run(
        [sys.executable, "-m", "algatt", "dimension"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "algatt: the following arguments are required: NETWORK, or --dims, --ranks, --tokens\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Parameters of one network: a point, the same function in other weights and coordinates, other functions, other
    fields.
    """
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    moved = theta
    for family in algatt.symmetries(arch):
        moved = algatt.act(family.element(moved, 1), moved)
    points = {
        "theta": theta,
        "moved": moved,
        "virtual": algatt.convert(moved, algatt.VirtualWeights),
        "attention": algatt.convert(moved, algatt.AttentionMatrix),
        "other": algatt.sample(arch, algatt.Weights, seed=2),
        "real": algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0),
        "smaller": algatt.sample(algatt.Lightning((3, 2), (2,), 2), algatt.Weights, seed=0),
    }
    for name, point in points.items():
        point.save(tmp_path / f"{name}.npz")
    return {name: str(tmp_path / f"{name}.npz") for name in points}


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("second", "coordinates"), [("moved", "Weights"), ("attention", "AttentionMatrix"), ("virtual", "VirtualWeights")]
)
def test_compare_finds_one_function(
    files: dict[str, str], second: str, coordinates: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", files["theta"], files[second], "--tokens", "3"]) == 0
    out = capsys.readouterr().out
    assert "one function (proven)" in out
    assert coordinates in out
    assert (
        main(["compare", files[second], files["theta"], "--tokens", "3", "--dims", "4,3,4", "--ranks", "2,2", "--json"])
        == 0
    )
    answer = json.loads(capsys.readouterr().out)
    assert (answer["equal"], answer["status"], answer["coordinates"]) == (True, "proven", coordinates)
    assert {factor["family"] for factor in answer["element"]["factors"]} >= {"rescaling"}


def test_compare_writes_a_certificate_of_two_functions(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "different.json"
    assert main(["compare", files["theta"], files["other"], "--tokens", "3", "-o", str(path)]) == 1
    assert "two functions" in capsys.readouterr().out
    assert algatt.verify(path).ok
    assert main(["compare", files["theta"], files["other"], "--tokens", "3", "-o", "-"]) == 1
    assert capsys.readouterr().out == path.read_text()
    nothing = tmp_path / "nothing.json"
    assert main(["compare", files["theta"], files["moved"], "--tokens", "3", "--save", str(nothing)]) == 0
    assert "no certificate is written" in capsys.readouterr().err
    assert not nothing.exists()


def test_compare_tells_its_steps(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("algatt.views.progress.ProgressBar.__call__", lambda _, done, total: told.append((done, total)))
    assert main(["compare", files["theta"], files["other"], "--tokens", "3"]) == 1
    assert told == []  # the first input tells
    assert main(["compare", files["theta"], files["theta"], "--tokens", "3"]) == 0
    assert [done for done, _ in told] == list(range(1, len(told) + 1))


def test_compare_finds_two_functions(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", files["theta"], files["other"], "--tokens", "3", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    one, two = (algatt.parameters.load(files[name]) for name in ("theta", "other"))
    X = algatt.fields.Elements.of(one.field, answer["separating_input"]).public()
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    assert (algatt.evaluate(arch, one, X) != algatt.evaluate(arch, two, X)).any()
    assert main(["compare", files["theta"], files["other"], "--tokens", "3"]) == 1
    assert "two functions (proven)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["theta", "real"], "theta2 was over RR"),
        (["theta", "smaller"], "theta was Weights(dims=(3, 2)"),
        (["virtual", "virtual"], "--dims was not given"),
        (["theta", "moved", "--dims", "4,4,4"], "theta was"),
        (["theta", "moved", "--ranks", "2"], "ranks was"),
        (["theta", "moved", "--error", "2"], "error was 2.0"),
        (["theta", "missing"], "cannot be read"),
    ],
)
def test_compare_refuses_in_one_line(
    files: dict[str, str], arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [files.get(name, f"{name}.npz") for name in arguments[:2]]
    assert main(["compare", *paths, "--tokens", "3", *arguments[2:]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert len(err.splitlines()) == 1


def test_compare_cannot_always_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    field = algatt.PrimeField(2)
    ranked, units = [[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for name, M in (("one", [[1, 1, 0], *units[1:]]), ("two", [units[0], [1, 1, 0], units[2]])):
        algatt.VirtualWeights.of([ranked, M], units, field=field).save(tmp_path / f"{name}.npz")
    arguments = ["compare", str(tmp_path / "one.npz"), str(tmp_path / "two.npz"), "--tokens", "2", "--dims", "3,3,3"]
    assert main(arguments) == 5
    printed = capsys.readouterr().out
    assert printed.startswith("undecided\n")
    assert "no input that was tried separates the functions" in printed
    assert main([*arguments, "--json"]) == 5
    told = json.loads(capsys.readouterr().out)
    assert (told["equal"], told["status"], told["element"]) == (None, "undecided", None)
    assert "no input that was tried separates the functions" in told["reason"]


def test_fiber_tells_the_case(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fiber", files["theta"], "--tokens", "3"]) == 0
    out = capsys.readouterr().out
    assert "one orbit (proven)" in out
    assert "HMK Theorem 3.7 and Lemma 3.5" in out
    assert main(["fiber", files["attention"], "--tokens", "3", "--json"]) == 0
    fiber = json.loads(capsys.readouterr().out)
    assert (fiber["dimension"], fiber["components"], fiber["coordinates"]) == (11, 1, "AttentionMatrix")
    assert main(["fiber", files["theta"], "--tokens", "1"]) == 0
    out = capsys.readouterr().out
    assert "outside of the theorems' hypotheses (unknown)" in out
    assert "t >= 2" in out


def test_fiber_writes_a_member(files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "member.npz"
    assert main(["fiber", files["theta"], "--tokens", "3", "--sample", str(path), "--seed", "4"]) == 0
    assert main(["compare", files["theta"], str(path), "--tokens", "3"]) == 0
    assert algatt.parameters.load(path) != algatt.parameters.load(files["theta"])
    capsys.readouterr()
    assert main(["fiber", files["theta"], "--tokens", "3", "--sample", str(tmp_path / "no" / "member.npz")]) == 2
    assert "cannot write" in capsys.readouterr().err
