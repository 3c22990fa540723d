"""``--score``, ``--bits`` and ``algatt jacobian-spectrum``."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.cli.scores import score_of
from written_networks import written

SIZES = ["--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3"]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("exp", algatt.layers.Exponential()),
        ("exp:0.1", algatt.layers.Exponential(Fraction(1, 10))),
        ("exp:1/2", algatt.layers.Exponential(Fraction(1, 2))),
        ("exp:2", algatt.layers.Exponential(2)),
        ("affine:1,1", algatt.layers.Affine(1, 1)),
        ("affine:-2,0", algatt.layers.Affine(-2, 0)),
        ("power:3", algatt.layers.Power(3)),
        ("rational:1/2,1", algatt.layers.Rational((1,), (2, 1))),
        ("rational:1,1,1/3,0,1", algatt.layers.Rational((1, 1, 1), (3, 0, 1))),
    ],
)
def test_scores(text: str, score: algatt.layers.Score) -> None:
    assert score_of(text) == score


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exp:0", "--score exp:0: temperature was 0.0; it should be a positive number"),
        ("exp:-0.5", "--score exp:-0.5: temperature was -0.5; it should be a positive number"),
        (
            "exp:1/0",
            "--score was 'exp:1/0'; it should be softmax, softmax:TEMPERATURE, softmax:beta=BETA (exp is the same), "
            "affine:A,B",
        ),
        ("exp:1e999", "--score exp:1e999: temperature was inf; it should be a positive number"),
        ("exp:1e999999999", "--score exp:1e999999999: temperature was inf"),
        ("exp:1e-999999999", "--score exp:1e-999999999: temperature was 0.0"),
        ("exp:nan", "--score exp:nan: temperature was nan; it should be a positive number"),
        ("exp:-1/2", "--score exp:-1/2: temperature was -0.5"),
        ("exp:abc", "--score was 'exp:abc'"),
        ("exp:", "--score was 'exp:'"),
        ("", "--score was ''"),
        ("softmax:", "--score was 'softmax:'"),
        ("affine:1", "--score was 'affine:1'"),
        ("affine:1,1,1", "--score was 'affine:1,1,1'"),
        ("affine:0.5,1", "--score was 'affine:0.5,1'"),
        ("affine:0,1", "--score affine:0,1: a was 0"),
        ("power:0", "--score power:0: k was 0; it should be an integer >= 1"),
        ("power", "--score was 'power'"),
        ("rational:1", "--score was 'rational:1'"),
        ("rational:1/2/3", "--score was 'rational:1/2/3'"),
        ("rational:2/4", "--score rational:2/4: numerator was (2,)"),
    ],
)
@pytest.mark.parametrize("command", ["dimension", "jacobian-spectrum"])
def test_a_score_that_is_none_is_one_line_and_2(
    command: str, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, *SIZES, "--score", text]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"algatt: {message}")
    assert err.count("\n") == 1


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("score", "dimension", "field"),
    [
        ("exp", 35, "GF(8388587) with exp"),  # Eq 16
        ("exp:0.5", 35, "GF(8388587) with exp"),
        ("affine:1,1", 35, "GF(8388593)"),
        ("power:3", 33, "GF(8388593)"),  # less two rescalings
        ("rational:1/2,1", 35, "GF(8388593)"),
    ],
)
def test_dimension_with_a_score(score: str, dimension: int, field: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dimension", *SIZES, "--score", score, "--json", "--require-proof"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["architecture"]["name"], report["value"], report["status"], report["field"]) == (
        "Normalized",
        dimension,
        "proven",
        field,
    )
    assert main(["dimension", *SIZES, "--score", score]) == 0
    assert f"{dimension}, HMK Conjecture 3.10 (Eq 16)" in capsys.readouterr().out


def test_bits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dimension", *SIZES, "--score", "exp", "--bits", "64"]) == 0
    assert "seed 0 over RR (balls of 64 bits)" in capsys.readouterr().out
    assert main(["dimension", *SIZES, "--bits", "64"]) == 0
    assert "33 (proven)" in capsys.readouterr().out
    for options, message in (
        (["--bits", "1"], "bits was 1; it should be an integer from 2 to 2^20"),
        (["--bits", "64", "--float"], "not allowed with argument"),
        (["--bits", "64", "--prime", "31"], "not allowed with argument"),
        (["--prime", "31"], "p was 31; it should be a prime of at least 2^20"),
    ):
        assert main(["dimension", *SIZES, "--score", "exp", *options]) == 2
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1


def test_conditions_and_reasons_are_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """There are 9 scores of 3 tokens in each of two layers."""
    assert main(["dimension", *SIZES, "--score", "exp"]) == 0
    assert "conditions       18 exponents of an input are independent over Q" in capsys.readouterr().out
    assert main(["dimension", *SIZES, "--score", "exp", "--prime", "2147483647", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["field"], found["reason"]) == ("GF(2147483647) with exp", None)
    assert found["conditions"] == "18 exponents of an input are independent over Q"
    dependent = written({"A": (1, 1)}, lambda w, X: (w.A * X).exp() * (w.A * X + 1).exp(), width=1, tokens=1)
    monkeypatch.setattr("algatt.geometry.dimensions.at_real_points.dimension_in_floats", lambda question: None)
    report = algatt.dimension(dependent)
    assert report.conditions is None
    rows = dict(algatt.verbs.summarize(report).rows)
    assert "exponents depend" in rows["reason"]


def test_bounds_that_do_not_meet_over_balls_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the interlayer gauge were not known: Eq 16 says 7, and 10 parameters less the two key-query
    gauges are 8.
    """
    monkeypatch.setattr(algatt.verbs, "symmetries", lambda arch: (algatt.symmetry.KeyQuery(arch),))
    monkeypatch.setattr("algatt.geometry.dimensions.real_point.MOST_BITS", 256)
    assert (
        main(
            ["dimension", "--dims", "2,1,2", "--ranks", "1,1", "--tokens", "2", "--score", "exp"]
            + ["--bits", "128", "--require-proof"]
        )
        == 1
    )
    assert (
        "between 7 and 8, proven; balls of the highest precision do not tell more from zero" in capsys.readouterr().out
    )


def test_a_theorem_between_the_bounds_does_not_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """Theorem 3.9: 14, of which balls of 2048 bits tell a part at this temperature. Nothing but the report
    is printed.
    """
    sizes = ["--dims", "3,2", "--ranks", "2", "--tokens", "2"]
    assert main(["dimension", *sizes, "--score", f"exp:1/{10**700}", "--bits", "128"]) == 0
    out, err = capsys.readouterr()
    assert "14, HMK Theorem 3.9: is between the bounds" in out
    assert "(Eq 16): is between the bounds" in out
    assert err == ""


def test_compare_with_a_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arch = algatt.Normalized((3, 2), (2,), 3, algatt.layers.Affine(1, 1))
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    theta.save(tmp_path / "one.npz")
    algatt.act(algatt.symmetry.KeyQuery(arch).element(theta, 1), theta).save(tmp_path / "two.npz")
    algatt.act(algatt.symmetry.Rescaling(algatt.Lightning((3, 2), (2,), 3)).element(theta, 1), theta).save(
        tmp_path / "three.npz"
    )
    command = ["compare", str(tmp_path / "one.npz"), "--tokens", "3"]
    assert main([*command, str(tmp_path / "two.npz"), "--score", "affine:1,1"]) == 0
    assert (
        main([*command, str(tmp_path / "three.npz"), "--score", "affine:1,1"]) == 1
    )  # the rescaling is a symmetry of lightning alone
    assert main([*command, str(tmp_path / "three.npz")]) == 0
    assert "two functions" in capsys.readouterr().out


def test_a_spectrum_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jacobian-spectrum", *SIZES, "--score", "exp", "--prove"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = {line[:28].strip(): line[28:].strip() for line in out.splitlines()}
    assert rows["float64, by the gap"] == "35 (numerical)"
    assert rows["float64, default tolerance"] == rows["float32, default tolerance"] == "35"
    assert rows["dimension"] == "35 (proven)"
    assert rows["jacobian"] == "420 x 52, 35 inputs"


def test_a_refusal_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "jacobian-spectrum",
                "--dims",
                "1,1,2,1",
                "--ranks",
                "1,1,1",
                "--tokens",
                "3",
                "--score",
                "exp",
                "--seed",
                "3",
            ]
        )
        == 0
    )
    assert "refused: the gap is after 3, but the symmetries leave 4" in capsys.readouterr().out
    assert main(["jacobian-spectrum", "--dims", "4,4,4,4,4", "--ranks", "2,2,2,2", "--tokens", "3"]) == 0
    out = capsys.readouterr().out
    assert "refused: no gap" in out
    assert "overflow" in out


def test_a_spectrum_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--score",
        "exp:2",
        "--draw",
        "normal",
        "--seed",
        "2",
        "--inputs",
        "20",
        "--weight-scale",
        "0.5",
        "--input-scale",
        "2",
    ]
    assert main(["jacobian-spectrum", *SIZES, *options, "--json"]) == 0
    arch = algatt.Softmax((4, 3, 4), (2, 2), 3, temperature=2)
    expected = algatt.jacobian_spectrum(arch, seed=2, draw="normal", inputs=20, weight_scale=0.5, input_scale=2)
    printed = json.loads(capsys.readouterr().out)
    assert {name: printed[name] for name in expected.to_dict()} == expected.to_dict()


@pytest.mark.sample(1)
@pytest.mark.parametrize("suffix", ["svg", "SVG", "pdf", "png"])
def test_a_spectrum_is_drawn(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"spectrum.{suffix}"
    assert main(["jacobian-spectrum", *SIZES, "--score", "exp", "-o", str(path)]) == 0
    assert "35 (numerical)" in capsys.readouterr().out
    if suffix == "svg":
        ElementTree.parse(path)
    assert path.stat().st_size > 3000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-o", "spectrum.txt"],
            "output was 'spectrum.txt', with the suffix .txt; it should be a file that ends in .svg, .pdf, .png",
        ),
        (["-o", "missing/spectrum.svg"], "cannot write missing/spectrum.svg"),
        (["--inputs", "0"], "inputs was 0"),
        (["--seed", "-1"], "seed was -1"),
        (["--weight-scale", "-1"], "weight_scale was -1.0; it should be a positive number"),
        (["--input-scale", "inf"], "input_scale was inf"),
        (["--weight-scale", "1e30", "--score", "power:9"], "smaller"),
        (["--draw", "cauchy"], "--draw was 'cauchy'; it should be one of uniform, normal"),
        (["--gap", "1"], "gap was 1.0"),
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
    assert main(["jacobian-spectrum", *SIZES, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
