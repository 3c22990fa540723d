"""The script that compares moved and changed weights of published models."""

from __future__ import annotations

import pytest


def test_none_is_taken_for_another(script, capsys):
    assert script("compare_moved").main(["--count", "4", "gemma_2b", "tinyllama_1_1b"]) == 0
    out = capsys.readouterr().out
    assert "moved, equal: 4\n" in out
    assert "changed, different: 4\n" in out
    assert "named: 4\n" in out


def test_a_record_is_gone_on_with(script, capsys, tmp_path):
    record = tmp_path / "pairs"
    for count, said, not_said in ((1, "gemma_2b 0: ", "gemma_2b 1: "), (2, "gemma_2b 1: ", "gemma_2b 0: ")):
        assert script("compare_moved").main(["gemma_2b", "--record", str(record), "--count", str(count)]) == 0
        out = capsys.readouterr().out
        assert said in out
        assert not_said not in out
        assert f"moved, equal: {count}\n" in out
        assert len(record.read_text().splitlines()) == count


@pytest.mark.parametrize("arguments", [["--count", "0"], ["nothing"], ["--seed", "x"]])
def test_bad_arguments(script, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        script("compare_moved").main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
