"""The script that writes the table of published models, and the table."""

from __future__ import annotations

import pytest

from algatt.published import parameters


@pytest.fixture
def table(script):
    return script("published_parameters")


@pytest.fixture
def rows(table):
    return table.rows_in(table.PAGE.read_text(encoding="utf-8"))


def test_every_model_has_a_row_with_its_published_total(table, rows):
    """The totals of the files are those of the transformers library."""
    assert set(rows) == {model.cell for model in table.models()}
    for model in table.models():
        assert table.number_in(rows[model.cell][table.PARAMETERS]) == model.described["parameters"]


def test_rows_add_up_and_are_sorted(table, rows):
    shares = []
    for row in rows.values():
        total, redundant = (table.number_in(row[place]) for place in (table.PARAMETERS, table.REDUNDANT))
        assert table.number_in(row[table.DIMENSION]) == total - redundant
        assert not row[table.OF_PROBABILITIES] or table.number_in(row[table.OF_PROBABILITIES]) >= redundant
        assert row[table.REDUNDANT + 1] == f"{100 * redundant / total:.3f} %"
        shares.append(redundant / total)
    assert shares == sorted(shares, reverse=True)


@pytest.mark.sample(0)
def test_rows_of_some_models_are_counted_again(table, tmp_path):
    """By hand: 22 blocks of 4 pairs of keys and values of width 64, 5632 gates, two gains; O(2048), the last gain."""
    by_hand = 22 * (4 * (64 + 64**2) + 5632 + 2 * 2048) + 2048 * 2047 // 2 + 2048
    page = tmp_path / "page.md"
    page.write_text(f"before\n{table.BEGIN}{table.END}\nbehind\n")
    assert table.main(["--models", "tinyllama_1_1b", "--page", str(page)]) == 0
    (row,) = table.rows_in(page.read_text()).values()
    assert table.number_in(row[table.REDUNDANT]) == by_hand
    assert table.number_in(row[table.OF_PROBABILITIES]) == by_hand + 2048
    assert page.read_text().startswith("before\n")
    assert page.read_text().endswith("behind\n")
    assert table.main(["--models", "tinyllama_1_1b", "--page", str(page), "--check"]) == 0


def test_a_page_that_is_not_as_it_should_be(table, tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    report = parameters(table.FOLDER / "tinyllama_1_1b.json")
    monkeypatch.setattr(table.algatt.published, "parameters", lambda config, **options: report)
    page.write_text("no table")
    assert table.main(["--models", "tinyllama_1_1b", "--page", str(page)]) == 2
    assert "without the comments around its table" in capsys.readouterr().err
    page.write_text(f"{table.BEGIN}{table.END}")
    assert table.main(["--models", "tinyllama_1_1b", "--page", str(page), "--check"]) == 1
    assert "TinyLlama" in capsys.readouterr().out
    assert page.read_text() == f"{table.BEGIN}{table.END}"
    assert table.main(["--models", "llama_2_7b", "--page", str(page)]) == 1
    assert "are not the published ones" in capsys.readouterr().out


def test_bad_arguments_are_told_in_one_line(table, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        table.main(["--models", "mamba"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert table.main(["--page", str(tmp_path / "absent.md")]) == 2
