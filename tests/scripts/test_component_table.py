"""The script that holds counts of transformers' parts against proven ranks."""

import pytest


def cells_of(out):
    """Return the cells of the rows of the table."""
    lines = [line for line in out.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bias of keys, rotary", 6),
        ("parallel parts", 12),
        ("LayerNorm, readers with biases", 26),
        ("bilinear gates", 6),
    ],
)
def test_counts_are_found_and_proven(script, capsys, name, count):
    """The counts are those of tables of transformers, by hand."""
    assert script("component_table").main([name]) == 0
    ((_, _, _, *numbers, agree),) = cells_of(capsys.readouterr().out)
    assert numbers == [str(count)] * 3
    assert agree == "yes"


def test_what_differs_is_said(script, capsys):
    """A gain behind a head of width 2 in 4 dimensions: 4 less 3 of its entries are not seen, by no known symmetry."""
    assert script("component_table").main(["narrow"]) == 0
    out = capsys.readouterr().out
    assert cells_of(out)[0][3:] == ["9", "8", "9", "no"]
    assert "RMSNorm" in out.splitlines()[-1]


def test_rows_have_names_of_their_own_and_are_small(script):
    rows = list(script("component_table").rows())
    assert len({row.name for row in rows}) == len(rows)
    assert all(row.net.parameters < 150 for row in rows)


def test_a_name_that_no_row_has(script, capsys):
    with pytest.raises(SystemExit) as stop:
        script("component_table").main(["convolution"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
