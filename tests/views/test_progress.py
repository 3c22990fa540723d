"""The progress bar keeps quiet for short work and speaks on stderr for long work."""

from __future__ import annotations

import time

import pytest

from algatt.views.progress import ProgressBar


def test_short_work_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar("rank") as progress:
        progress(1, 2)
    assert capsys.readouterr() == ("", "")


def test_long_work_prints_on_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then treats the captured stream as a terminal
    with ProgressBar("rank", patience=0.0) as progress:
        progress(17, 33)
        time.sleep(0.3)
    out, err = capsys.readouterr()
    assert out == ""
    assert "rank" in err
    assert "17/33" in err


def test_errors_pass_through() -> None:
    with pytest.raises(ZeroDivisionError), ProgressBar("rank"):
        raise ZeroDivisionError
