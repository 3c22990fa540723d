"""The commands ``equations``, ``degree``, ``hilbert-function`` and ``export``."""

from __future__ import annotations

from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main

SIZES = ["--dims", "2,1", "--ranks", "2", "--tokens", "2"]
ROOM = "the closure has codimension 1 in the space of the coordinates (proven)\n"


def test_the_equation_of_figure_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equations", *SIZES, "--degree", "4"]) == 0
    out = capsys.readouterr().out
    assert "c6 = coefficient of y_1_1: x_2_1^3\n" in out
    assert out.endswith("1 generator up to degree 4 (proven), 0 without a name\n" + ROOM)
    assert main(["equations", *SIZES]) == 0
    assert capsys.readouterr().out.endswith("\n0 generators up to degree 2 (proven), 0 without a name\n" + ROOM)


def test_the_degree_of_figure_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["degree", *SIZES]) == 0
    out = capsys.readouterr().out
    assert out.startswith("degree 4 (proven)\n")
    assert all(
        row in out.splitlines()[-4:] for row in ("  dimension   5, in a span of dimension 6", "  method      formula")
    )
    assert main(["degree", *SIZES, "--method", "monodromy", "--json"]) == 0
    assert '"degree": 4' in capsys.readouterr().out


@pytest.mark.sample(0)
def test_the_components_of_a_fibre(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ["--dims", "2,1", "--ranks", "1", "--tokens", "2"]
    assert main(["degree", *sizes, "--fiber"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 components of a generic fibre (numerical)\n")
    assert (
        "  degrees               3, 3\n  discrete symmetries   carry each component to 1 of 2, itself among them\n"
        in out
    )


def test_a_map_that_is_a_function_or_violates_an_equation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cubic of one layer, and one whose two tokens have different functions."""
    sizes = ["--dims", "1,1", "--ranks", "1", "--tokens", "2", "--coefficients", str(tmp_path / "map.txt")]
    cubic = "y_1_1: x_1_1^3 1/2\ny_1_1: x_1_1*x_1_2^2 1/2\ny_1_2: x_1_1^2*x_1_2 1/2\n\ny_1_2: x_1_2^3 1/2\n"
    (tmp_path / "map.txt").write_text(cubic)
    assert main(["identify", *sizes]) == 0
    out = capsys.readouterr().out
    assert out.startswith("rational weights have exactly these coefficients (proven)\nin the closure: yes\nQ_1 = [[")
    (tmp_path / "map.txt").write_text(cubic.replace("x_1_2^3 1/2", "x_1_2^3 1"))
    assert main(["identify", *sizes]) == 1
    assert "does not hold: [y_1_1: x_1_1^3] - [y_1_2: x_1_2^3] = -1/2 (proven)\n" in capsys.readouterr().out
    (tmp_path / "map.txt").write_text("x y")
    assert main(["identify", *sizes]) == 2
    assert "it should be one with monomials and numbers, such as" in capsys.readouterr().err


def test_a_hilbert_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hilbert-function", *SIZES]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == [
        ["0", "1", "0", "1"],
        ["1", "6", "0", "6"],
        ["2", "21", "0", "21"],
        ["3", "56", "0", "56"],
        ["proven"],
    ]


def test_a_file_for_a_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "figure_1.sing"
    assert main(["export", *SIZES, "--to", "singular", "--degree", "4", "-o", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert path.read_text() == algatt.export(algatt.Lightning((2, 1), (2,), 2), "singular", degree=4)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["equations", *SIZES, "--degree", "0"], "degree was 0; it should be an integer >= 1"),
        (["equations", *SIZES, "--score", "exp"], "it should be a network whose values are rational functions"),
        (
            ["degree", *SIZES, "--method", "guess"],
            "method was 'guess'; it should be one of auto, formula, equations, monodromy",
        ),
        (["export", *SIZES, "--to", "maple"], "to was 'maple'; it should be one of sympy"),
        (["export", *SIZES], "the following arguments are required: --to"),
        (["hilbert-function", *SIZES, "--seed", "1"], "unrecognized arguments: --seed"),
    ],
)
def test_bad_input(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1
