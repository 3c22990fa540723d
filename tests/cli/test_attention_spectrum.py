"""``algatt attention-spectrum``: a table, JSON, a picture by its suffix, and bad input in one line."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.cli.main import main
from algatt.spectra import chain_reports, matrix_report

SMALL = ["attention-spectrum", "--tokens", "60", "--key-dim", "40", "--beta", "0.5", "--draws", "2"]


def test_the_table_has_a_row_for_each_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SMALL) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "60 tokens, 40 key dimensions, beta 0.5, 2 draws (numerical)" in out
    names = ["Attention", "Exponential", "Entrywise", "Polynomial", "LinearPolynomial", "Linear"]
    first_words = [(line.split() or [""])[0] for line in out.splitlines()]
    assert [word for word in first_words if word in names] == names
    assert f"edge {algatt.spectra.edge(algatt.spectra.AttentionLaw(0.5, 1.5)):.6g}" in out


def test_json_is_that_of_the_reports(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--seed", "3", "--degree", "4", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["reports"]
    reports = chain_reports(algatt.spectra.AttentionEnsemble(60, 60, 40, 0.5), draws=2, seed=3, degree=4)
    expected = [
        {
            **report.to_dict(),
            "wasserstein_attention": algatt.spectra.wasserstein_distance(report.values, reports[0].values),
        }
        for report in reports
    ]
    for one in (*printed, *expected):
        del one["seconds"]
    assert printed == expected


@pytest.mark.sample(0)
@pytest.mark.parametrize("suffix", ["svg", "pdf"])  # png is that of given matrices
def test_each_suffix(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"figure.{suffix}"
    assert main([*SMALL, "-o", str(path)]) == 0
    assert capsys.readouterr().err == ""
    assert path.stat().st_size > 5000
    if suffix == "svg":
        ElementTree.parse(path)


def test_too_few_tokens_are_warned_of_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention-spectrum", "--tokens", "30", "--beta", "1.5", "--draws", "1"]) == 0
    out, err = capsys.readouterr()
    assert "Attention" in out
    assert (
        err
        == "algatt: warning: beta 1.5 is large for 30 tokens: about exp(4 beta^2) = 8,104 are needed before the limit "
        "law is near, and often more\n"
    )


def test_a_spectrum_that_is_far_from_the_law_is_warned_of_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention-spectrum", "--tokens", "55", "--beta", "1", "--draws", "2"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("algatt: warning: beta 1 is large for 55 tokens: the spectrum is at the Wasserstein distance")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--tokens was not given; it should be given, or --matrix FILE"),
        (["--tokens", "0"], "tokens was 0; it should be an integer >= 1"),
        (["--tokens", "20", "--width", "10"], "tokens was 20, more than the width 10; it should be at most the width"),
        (["--tokens", "20", "--key-dim", "0"], "key_dim was 0"),
        (["--tokens", "20", "--beta", "-1"], "beta was -1.0; it should be a finite number >= 0"),
        (["--tokens", "20", "--beta", "0"], "beta was 0, for which the limit is the point mass at 0"),
        (["--tokens", "20", "--beta", "30"], "beta was 30; it should be at most 18"),
        (["--tokens", "20", "--draws", "0"], "draws was 0"),
        (["--tokens", "20", "--beta", "0.1", "--seed", "-1"], "seed was -1"),
        (["--tokens", "20", "--degree", "0"], "degree was 0"),
        (
            ["--tokens", "20", "-o", "figure.xyz"],
            "output was 'figure.xyz', with the suffix .xyz; it should be a file that ends in .svg, .pdf, .png",
        ),
        (["--tokens", "20", "-o", "missing/figure.svg"], "cannot write missing/figure.svg"),
    ],
)
def test_bad_input(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["attention-spectrum", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len([line for line in err.splitlines() if "warning" not in line]) == 1
    assert not list(tmp_path.iterdir())


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    """Write three heads as a trained model's would be written: in float32."""
    matrices = [
        algatt.spectra.sample_matrix(algatt.spectra.AttentionEnsemble(150, 150, 60, beta), seed=3)
        for beta in (0.3, 0.6, 0.8)
    ]
    np.save(tmp_path / "heads.npy", np.array(matrices, dtype=np.float32))
    return tmp_path / "heads.npy"


@pytest.mark.sample(0)
def test_given_matrices_are_compared(heads: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["attention-spectrum", "--matrix", str(heads), "--key-dim", "60"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert "3 attention matrices of 150 tokens, 60 key dimensions (numerical)" in out
    assert err == ""
    betas = [float(line.split()[1]) for line in out.splitlines() if line[:9].strip() in {"1", "2", "3"}]
    assert betas == pytest.approx([0.3, 0.6, 0.8], abs=0.03)
    assert main([*command, "--beta", "0.6", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["reports"]
    assert [report["ensemble"]["beta"] for report in printed] == [0.6] * 3
    assert [report["seed"] for report in printed] == [None] * 3
    expected = matrix_report(np.load(heads)[1], key_dim=60, beta=0.6)
    assert printed[1]["wasserstein"] == expected.wasserstein
    assert printed[1]["wasserstein"] < printed[0]["wasserstein"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("panels", "suffix"), [(1, "png"), (3, "svg")])
def test_given_matrices_are_drawn(
    panels: int, suffix: str, heads: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(heads, np.load(heads)[:panels] if panels > 1 else np.load(heads)[0])
    path = tmp_path / f"figure.{suffix}"
    assert main(["attention-spectrum", "--matrix", str(heads), "--key-dim", "60", "-o", str(path)]) == 0
    assert capsys.readouterr().err == ""
    assert path.stat().st_size > 5000
    if suffix == "svg":
        ElementTree.parse(path)


def test_the_warning_of_a_given_matrix_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "identity.npy", np.eye(40))
    assert main(["attention-spectrum", "--matrix", str(tmp_path / "identity.npy"), "--key-dim", "60"]) == 0
    assert capsys.readouterr().err.startswith("algatt: warning: beta 1.92065 is large for 40 tokens")


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (np.eye(3), [], "--key-dim was not given; it should be given with --matrix"),
        (np.eye(3), ["--key-dim", "2", "--draws", "3"], "--draws was given with --matrix; it should be left out"),
        (np.eye(3), ["--key-dim", "2", "--seed", "0"], "--seed was given with --matrix; it should be left out"),
        (np.eye(3), ["--key-dim", "0"], "key_dim was 0"),
        (np.eye(3), ["--key-dim", "2", "--beta", "0"], "beta was 0"),
        (np.eye(3), ["--key-dim", "2", "-o", "figure.xyz"], "output was 'figure.xyz'"),
        (
            np.array([np.eye(3)] * 17),
            ["--key-dim", "2", "-o", "figure.svg"],
            "reports was of 17 matrices; it should be of at most 16 for a picture",
        ),
        (
            np.array([np.eye(3), 2 * np.eye(3)]),
            ["--key-dim", "2"],
            "matrix 2 of given.npy was a matrix with a row that sums to 2",
        ),
        (np.full((3, 3), 1 / 3), ["--key-dim", "2"], "matrix 1 of given.npy was a matrix of equal entries"),
        (np.ones(3), ["--key-dim", "2"], "--matrix was 'given.npy' with shape (3,); it should be an .npy file"),
        (np.ones((0, 3, 3)), ["--key-dim", "2"], "--matrix was 'given.npy' with shape (0, 3, 3)"),
        (np.array([["a", "b"], ["c", "d"]]), ["--key-dim", "2"], "matrix 1 of given.npy was"),
        (np.full((3, 3), np.nan), ["--key-dim", "2"], "matrix 1 of given.npy was"),
        (b"no array", ["--key-dim", "2"], "--matrix was 'given.npy', which holds no array of numbers"),
        (b"", ["--key-dim", "2"], "--matrix was 'given.npy', which holds no array of numbers"),
        (None, ["--key-dim", "2"], "--matrix was 'given.npy', which cannot be read (No such file or directory)"),
    ],
)
def test_bad_matrices(
    content: np.ndarray | bytes | None,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if isinstance(content, bytes):
        Path("given.npy").write_bytes(content)
    elif content is not None:
        np.save("given.npy", content)
    assert main(["attention-spectrum", "--matrix", "given.npy", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len([line for line in err.splitlines() if "warning" not in line]) == 1
    assert {path.name for path in tmp_path.iterdir()} <= {"given.npy"}


def test_sizes_beyond_any_memory_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention-spectrum", "--tokens", "20", "--key-dim", str(2 * 10**9), "--beta", "0.1"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("algatt: an attention matrix needs at least 640 GB of memory, and ")
    assert err.count("\n") == 1


def test_a_missing_matplotlib_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["attention-spectrum", "--tokens", "5000", "-o", str(tmp_path / "figure.svg")]) == 2
    assert (
        capsys.readouterr().err
        == "algatt: matplotlib is not installed; python -m pip install '.[plot]' in the folder of the clone brings it\n"
    )


KIND = ["attention-spectrum", "--tokens", "40", "--beta", "0.3", "--draws", "1", "--kind"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("arguments", "layer"),
    [
        (["tied", "--json"], algatt.spectra.TiedValues()),
        (["stack", "--count", "1", "--strength", "0.5"], algatt.spectra.ProductOfLayers(1, 0.5)),
    ],
)
def test_a_whole_layer(capsys: pytest.CaptureFixture[str], arguments: list[str], layer: object) -> None:
    ensemble = algatt.spectra.LayerEnsemble(40, 40, 40, 0.3, layer)
    report = algatt.spectra.spectrum_report(ensemble, draws=1)
    assert main([*KIND, *arguments]) == 0
    out = capsys.readouterr().out
    if "--json" in arguments:
        (written,) = json.loads(out)["reports"]
        del written["seconds"]
        assert written == {key: value for key, value in report.to_dict().items() if key != "seconds"}
        return
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert rows[0].startswith(f"{layer}: 40 tokens, 40 key dimensions, beta 0.3, 1 draw (numerical)")
    (limit,) = (row for row in rows if row.startswith("law"))
    assert limit.split()[1:3] == [f"{report.wasserstein:.4g}", f"{report.kolmogorov:.4g}"]
    (finite,) = (row for row in rows if row.startswith("of so many tokens"))
    distance = algatt.spectra.wasserstein_distance(report.values, algatt.spectra.finite_law(ensemble))
    assert finite.split()[4] == f"{distance:.4g}"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["tied", "--count", "2"], "--count was given with --kind tied; it should be given with --kind heads or stack"),
        (["values", "--strength", "2"], "--strength was given with --kind values; it should be given with --kind skip"),
        (["heads", "--degree", "2"], "--degree was given with --kind"),
        (["heads", "--count", "99"], "heads was 99; it should be at most 12"),
    ],
)
def test_bad_layers_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], error: str) -> None:
    assert main([*KIND, *arguments]) == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"algatt: {error}")
