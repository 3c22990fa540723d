"""What a notebook shows."""

from html.parser import HTMLParser

import numpy as np

import algatt
from algatt import PrimeField, VirtualWeights, Weights


class Table(HTMLParser):
    """Collects the text of the cells of a table, row by row, and checks that every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.open = [], []
        self.feed(text.replace("&times;", "by"))
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "tr" in self.open:
            self.rows[-1][-1] += data


def rows(theta):
    return Table(theta._repr_html_()).rows


def test_every_matrix_has_a_row_with_its_name_size_and_entries():
    theta = Weights.of([([[1, 20]], [[3, 4]], [[5, 6], [7, 8]])], field=PrimeField(31))
    assert rows(theta) == [["Q1", "1 by 2", " 1  20"], ["K1", "1 by 2", "3  4"], ["V1", "2 by 2", "5  6\n7  8"]]
    assert "<caption>Weights(dims=(2, 2), ranks=(1,), field=GF(31))</caption>" in theta._repr_html_()


def test_names_without_a_number_have_no_index():
    theta = VirtualWeights.of([[[0.5]]], [[1 / 3]])
    assert rows(theta) == [["M1", "1 by 1", "0.5"], ["L", "1 by 1", "0.3333"]]
    assert "M<sub>1</sub>" in theta._repr_html_()
    assert "<th>L</th>" in theta._repr_html_()


def test_large_matrices_are_shown_by_their_size_alone():
    theta = VirtualWeights.of([np.eye(9)], np.ones((1, 9)))
    assert rows(theta) == [["M1", "9 by 9", "…"], ["L", "1 by 9", "…"]]


def test_eight_rows_are_still_shown():
    assert rows(VirtualWeights.of([np.eye(8)], np.ones((1, 8))))[1] == ["L", "1 by 8", "  ".join("1" * 8)]


def test_residues_of_any_size_are_written_out():
    p = 2305843009213693951
    theta = algatt.VirtualWeights.of([[[p - 1]]], [[0]], field=PrimeField(p))
    assert rows(theta)[0] == ["M1", "1 by 1", "2305843009213693950"]
