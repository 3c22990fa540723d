"""The command ``algatt parameters``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from algatt.cli.main import main
from algatt.published import ScaledProof, worth
from configs import FOLDER, config


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config("tinyllama_1_1b")), encoding="utf-8")
    return tmp_path


def test_a_row_for_each_component(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parameters", "config.json"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert f"the stream {2048 * 2047 // 2:,}" in printed
    assert "parameters 1,100,048,384" in printed
    assert "dimension 1,097,370,112 (proven)" in printed
    assert main(["parameters", "."]) == 0
    assert " ".join(capsys.readouterr().out.split()) == printed


def test_json_has_what_the_report_has(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / "tinyllama_1_1b.json")
    assert main(["parameters", path, "--probabilities", "--eps", "0.0", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["reading"], printed["eps"]) == ("probabilities", 0)
    assert printed["model"] == "TinyLlama/TinyLlama-1.1B-Chat-v1.0"
    assert printed["parameters"] - printed["redundant"] == printed["dimension"]
    assert sum(one["redundant"] for one in printed["components"]) == printed["redundant"]


@pytest.mark.sample(0)
def test_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parameters", "config.json", "-o", "bars.svg"]) == 0
    assert Path("bars.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert main(["parameters", "config.json", "-o", "-", "--format", "svg"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("</svg>")


@pytest.mark.parametrize(("lower", "code"), [(127, 0), (126, 1)])
def test_what_is_not_proven_has_another_exit_code(
    lower: int, code: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prove(values: Any, *, model: str, sizes: Any, **options: Any) -> ScaledProof:
        return ScaledProof(model, "llama", sizes, "logits", None, 160, lower, 127, 127, 0, "0", "")

    monkeypatch.setattr(worth, "prove_scaled", prove)
    assert main(["parameters", "config.json", "--prove"]) == code
    told = "dimension 127 (proven)" if code == 0 else "dimension 126 to 127, and 127 by symbols"
    assert told in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        ('{"model_type": "rwkv"}', [], "model_type was 'rwkv'; it should be one of albert, bert, d"),
        ('{"_class_name": "UNet2DConditionModel"}', [], "model_type was missing from the config; it should be one of"),
        ("{", [], "which is not JSON; it should be the config.json of a published model"),
        ("[1]", [], "which is JSON of a list"),
        ('{"model_type": "llama"}', [], "missing from the config, whose model_type is 'llama'"),
        (None, ["--eps", "1e-5"], "--eps was '1e-5'; it should be 0"),
        (None, ["--eps", "small"], "--eps was 'small'"),
        (None, ["-o", "bars.txt"], "with the suffix .txt"),
        (None, ["more"], "unrecognized arguments: more"),
    ],
)
def test_bad_input_is_told_in_a_line(
    content: str | None, arguments: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (folder / "config.json").write_text(content, encoding="utf-8")
    assert main(["parameters", "config.json", *arguments]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert told in printed.err


def test_a_config_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parameters", "absent.json"]) == 2
    assert "'absent.json', which cannot be read" in capsys.readouterr().err
