"""The table of conversions and families in the reference is that of the script."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "checkpoints.md"


def test_rows_of_the_page_are_what_the_script_prints(script, capsys):
    assert script("conversions_of_families").main(["gptj"]) == 0
    heading, line, row = capsys.readouterr().out.splitlines()
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert page[page.index(heading) + 1] == line
    assert row in page
    assert row.count("yes") >= 4


def test_model_types_that_are_not_known(script, capsys):
    assert script("conversions_of_families").main(["gpt5"]) == 2
    assert "gpt5 is none of albert, bert" in capsys.readouterr().err
