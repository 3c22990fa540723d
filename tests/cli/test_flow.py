"""``algatt flow``: files by their suffix, JSON, resumed runs, and bad input in one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.cli.main import main
from algatt.dynamics import distance_from_cluster, load_trajectory, random_tokens

SHORT = ["--heads", "1,0.5", "--tokens", "6", "--tolerance", "1e-6"]


def test_a_run_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", *SHORT, "--beta", "2"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "6 tokens in dimension 3, 2 heads (numerical)" in out
    assert "clustered at t = " in out


def test_json_has_the_numbers_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--beta", "2", "--seed", "3", "--dim", "4", "--until", "0.5", "--weights", "softmax"]
    assert main(["flow", *SHORT, *options, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)), algatt.layers.Exponential(), 2.0
    )
    run = algatt.dynamics.integrate(flow, random_tokens(6, 4, seed=3), until=0.5, tolerance=1e-10)
    assert (facts["flow"]["name"], facts["flow"]["weights"], facts["flow"]["beta"]) == (
        "SphereFlow",
        {"name": "Exponential", "temperature": 1},
        2.0,
    )
    assert (facts["ending"], facts["tokens"], facts["dimension"], facts["times"][-1]) == ("until", 6, 4, 0.5)
    assert facts["total_energies"][-1] == pytest.approx(run.total_energies[-1], rel=1e-5)
    assert facts["energies"][0] == pytest.approx(run.energies[0].tolist())
    assert facts["mean_entropies"][-1] == pytest.approx(run.entropies[-1].mean(), rel=1e-5)


@pytest.mark.sample(1)
@pytest.mark.parametrize("suffix", ["html", "svg", "pdf", "png", "npz"])
def test_each_suffix(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"run.{suffix}"
    assert main(["flow", *SHORT, "--until", "0.5", "-o", str(path), "--json"]) == 0
    assert path.stat().st_size > 1000


def test_orthogonal_heads_have_coordinates_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    assert main(["flow", *SHORT, "--orthogonal", "--dim", "5", "--until", "0.1", "-o", str(path)]) == 0
    one, two = (head.matrices(5)[0] for head in load_trajectory(path).flow.heads)
    assert np.array_equal(one, np.diag([1.0, 1, 0, 0, 0]))
    assert np.array_equal(two, np.diag([0.0, 0, 0.5, 0.5, 0]))


def test_a_run_stops_at_the_level_that_the_manual_names(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    for options, level in (([], 1e-6), (["--clustered", "1e-3"], 1e-3)):
        assert main(["flow", *SHORT, "--beta", "2", *options, "-o", str(path)]) == 0
        assert distance_from_cluster(load_trajectory(path).final) == pytest.approx(level, rel=1e-6)


def test_a_saved_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.npz"
    assert main(["flow", *SHORT, "--until", "0.5", "-o", str(path)]) == 0
    capsys.readouterr()
    assert main(["flow", "--resume", str(path), "--until", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["times"][-1] == 1.0


def test_lists_may_begin_with_a_negative_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", "--heads", "-1,0.5", "--tokens", "4", "--until", "0.2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["flow"]["heads"][0] == {"name": "ScalarHead", "strength": -1.0}


def test_a_flat_flow_blows_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", "--heads", "1", "--flat", "--until", "5"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("algatt: the flow cannot be followed beyond t = ")
    assert err.count("\n") == 1


def test_a_checkpoint_that_cannot_be_written_is_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", "--heads", "1", "--flat", "--until", "5", "--checkpoint", "/dev/full"]) == 1
    err = capsys.readouterr().err
    assert "cannot be followed beyond t = " in err
    assert err.endswith("; cannot write /dev/full: No space left on device\n")
    assert err.count("\n") == 1


def test_an_interrupted_run_says_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.npz"

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("algatt.views.progress.ProgressBar.__call__", interrupted)
        assert main(["flow", *SHORT, "--until", "0.5", "--checkpoint", str(path)]) == 130
        assert capsys.readouterr().err == f"algatt: interrupted; the run so far is in {path}\n"
        assert main(["flow", *SHORT, "--until", "0.5"]) == 130
        assert capsys.readouterr().err == "algatt: interrupted; with --checkpoint FILE the run so far would be kept\n"
    assert main(["flow", "--resume", str(path), "--until", "0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["times"][-1] == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--heads was not given"),
        (["--heads", "1,x"], "--heads was '1,x'; it should be numbers separated by commas, as 1,0.5"),
        (["--heads", "1,nan"], "strength was nan"),
        (["--heads", "1", "--beta", "0"], "beta was 0; it should be larger than 0"),
        (["--heads", "1", "--beta", "1000"], "beta was 1000, at which"),
        (["--heads", "1", "--tokens", "0"], "--tokens was 0; it should be an integer >= 1"),
        (["--heads", "1", "--dim", "0"], "--dim was 0; it should be an integer >= 1"),
        (["--heads", "1", "--seed", "-1"], "seed was -1"),
        (
            ["--heads", "1", "--samples", "1" + 20 * "0"],
            "samples was 1" + 20 * "0" + "; it should be an integer from 2 to",
        ),
        (["--heads", "1", "--until", "-1"], "until was -1"),
        (
            ["--heads", "1", "--weights", "linear"],
            "--weights was 'linear'; it should be one of exponential, softmax, relu",
        ),
        (
            ["--heads", "1,1", "--orthogonal", "--dim", "1"],
            "--dim was 1; it should be at least the number 2 of orthogonal heads",
        ),
        (["--heads", "1", "--flat", "--clustered", "0.1"], "clustered was 0.1, for a FlatFlow"),
        (
            ["--heads", "1", "-o", "run.avi"],
            "output was 'run.avi', with the suffix .avi; it should be a file that ends in .html, .svg",
        ),
        (["--heads", "1", "-o", "run"], "without a suffix"),
        (["--heads", "1", "-o", "missing/run.svg"], "cannot write missing/run.svg"),
        (
            ["--heads", "1,1,1,1,1,1,1,1,1", "-o", "run.svg"],
            "flow was of 9 heads; it should be of at most 8 heads for a picture",
        ),
        (
            ["--resume", "missing.npz"],
            "path was 'missing.npz', which cannot be read (No such file or directory); it should be",
        ),
        (
            ["--resume", "missing.npz", "--beta", "2"],
            "--beta was given with --resume; it should be left out: the file has it",
        ),
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
    assert main(["flow", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_tokens_that_no_memory_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", "--heads", "1", "--tokens", str(2**31 - 1), "--dim", str(2**31 - 1)]) == 3
    err = capsys.readouterr().err
    assert err.startswith("algatt: an array of tokens needs at least ")
    assert err.count("\n") == 1


def test_a_missing_matplotlib_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(algatt.dynamics, "integrate", None)
    assert main(["flow", *SHORT, "-o", str(tmp_path / "run.svg")]) == 2
    assert (
        capsys.readouterr().err
        == "algatt: matplotlib is not installed; python -m pip install '.[plot]' in the folder of the clone brings it\n"
    )


@pytest.mark.sample(0)
def test_a_stiff_run_says_who_took_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    stiff = ["--heads", "1", "--beta", "12", "--tokens", "8", "--until", "0.02", "--samples", "2"]
    assert main(["flow", *stiff]) == 0
    assert "method         DOP853, LSODA from t = 0.00" in capsys.readouterr().out
    assert main(["flow", *stiff, "--method", "BDF", "--tolerance", "1e-6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["methods"] == [[0.0, "BDF"]]


def test_masks_norms_and_noise_are_those_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    options = ["--window", "2", "--pre-norm", "--noise", "0.5", "--steps", "10", "--seed", "3", "--until", "0.5"]
    assert main(["flow", "--heads", "1", "--tokens", "6", *options, "-o", str(path)]) == 0
    run = load_trajectory(path)
    flow = algatt.dynamics.PreNormFlow((algatt.dynamics.ScalarHead(1.0),), mask=algatt.layers.Window(2))
    assert run.flow == flow
    again = algatt.dynamics.diffuse(flow, random_tokens(6, 3, seed=3), noise=0.5, until=0.5, steps=10, seed=3)
    assert np.array_equal(run.states, again.states)


def test_runs_with_noise_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half, whole = tmp_path / "half.npz", tmp_path / "whole.npz"
    command = ["flow", "--heads", "1", "--tokens", "4", "--noise", "0.5", "--seed", "2"]
    assert main([*command, "--steps", "4", "--until", "0.5", "-o", str(half)]) == 0
    assert main([*command, "--steps", "8", "--until", "1", "-o", str(whole)]) == 0
    assert main(["flow", "--resume", str(half), "--until", "1", "-o", str(half)]) == 0
    assert np.array_equal(load_trajectory(half).states, load_trajectory(whole).states)
    capsys.readouterr()
    for option in (["--noise", "1"], ["--steps", "3"]):
        assert main(["flow", "--resume", str(half), "--until", "2", *option]) == 2
        assert capsys.readouterr().err.startswith(f"algatt: {option[0]} was given with --resume; it should be left out")


@pytest.mark.sample(0)
def test_clusters_are_told_with_their_times(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--heads", "1", "--weights", "softmax", "--beta", "12", "--tokens", "6", "--dim", "2", "--until", "1e4"]
    assert main(["flow", *options, "--clusters", "0.2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)["clusters"]
    counts = [stair["count"] for stair in facts["stairs"]]
    assert counts == sorted(counts, reverse=True)
    assert all(sum(stair["sizes"]) == 6 and len(stair["sizes"]) == stair["count"] for stair in facts["stairs"])
    assert main(["flow", *options, "--clusters", "0.2"]) == 0
    out = capsys.readouterr().out
    assert "clusters of the angle 0.2" in out
    assert f"{facts['stairs'][-1]['start']:.6g}" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--flat", "--pre-norm"], "--pre-norm was given with --flat"),
        (["--steps", "5"], "--steps was given without --noise"),
        (["--noise", "0.1", "--clustered", "0.1"], "--clustered was given for a run with noise"),
        (["--noise", "-1"], "noise was -1"),
        (["--window", "0"], "--window was 0"),
        (["--unmasked"], "--unmasked was given without --model"),
        (["--theme", "dark"], "--theme was given without a film"),
        (["--clusters", "4"], "angle was 4"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", "--heads", "1", "--tokens", "4", "--until", "0.1", *options]) == 2
    assert capsys.readouterr().err.startswith(f"algatt: {message}")
