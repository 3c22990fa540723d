"""How values look: summaries as html, in which nothing is cut, nothing hidden, and no name is read as html."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.display import COLOURS, Said, Summary, Worth, html_of, plain_text
from contrast import contrast, luminance


def test_a_summary_is_a_table(shown):
    summary = Summary(
        "two functions",
        [("evidence", "an input"), ("  - part", (Said("7", "strong"), " ", Worth("probable")))],
        Worth("proven"),
    )
    found = shown(html_of(summary))
    assert found.caption == "two functions proven"
    assert found.rows == [["evidence", "an input"], ["part", "7 probable"]]
    assert found.verdicts == ["good", "doubtful"]


PLACES = ("title", "worth", "name", "part", "text", "wrong", "strong")


@pytest.mark.parametrize("place", PLACES)
def test_no_text_is_read_as_html(place, shown, hostile):
    texts = dict.fromkeys(PLACES, "plain") | {place: hostile}
    rows = [
        (texts["name"], texts["text"]),
        (f"  - {texts['part']}", (Said(texts["wrong"], "wrong"), Said(texts["strong"], "strong"))),
    ]
    found = shown(html_of(Summary(texts["title"], rows, Worth(texts["worth"]))))
    assert found.caption == f"{texts['title']} {texts['worth']}"
    assert found.rows == [[texts["name"], texts["text"]], [texts["part"], texts["wrong"] + texts["strong"]]]


@given(st.text(), st.text().filter(lambda name: not name.startswith((" ", "-"))), st.text())
def test_what_goes_in_comes_out(shown, title, name, text):
    found = shown(html_of(Summary(title, [(name, text)])))
    assert [found.caption, *found.rows[0]] == [title, name, text]


def test_only_what_is_proven_or_verified_is_good():
    statuses = ("proven", "verified", "probable", "numerical", "undecided", "unknown", "refuted", "Proven?")
    tones = {status: Worth(status).tone for status in statuses}
    assert [status for status, tone in tones.items() if tone == "good"] == ["proven", "verified"]
    assert [status for status, tone in tones.items() if tone == "wrong"] == ["refuted"]
    assert plain_text(Worth("proven")) == "(proven)"


def contrast_of(one, two):
    """The contrast of two colours #rrggbb."""
    return contrast(
        *(luminance([int(text[start : start + 2], 16) / 255 for start in (1, 3, 5)]) for text in (one, two))
    )


@pytest.mark.parametrize("tone", COLOURS)
def test_verdicts_can_be_read_and_are_seen_on_light_and_dark(tone):
    assert contrast_of("#ffffff", COLOURS[tone]) >= 4.5  # for text
    for page in ("#ffffff", "#111111", "#1e1e1e"):  # the grounds of Jupyter's themes and of VS Code's dark one
        assert contrast_of(page, COLOURS[tone]) > 2.2


def test_other_text_takes_the_colour_of_the_notebook():
    text = html_of(Summary("title", [("name", "text")]))
    style = text[text.index("<style>") : text.index("</style>")]
    assert style.count("color: #") == 1  # of verdicts
    assert style.count("background") == len(COLOURS) + style.count("background: none")


def test_methods_are_a_table(shown):
    table = algatt.methods(algatt.draw)
    found = shown(table._repr_html_())
    assert found.caption == f"{len(table)} methods of draw"
    assert [name for name, _ in found.rows] == [str(method) for method in table]
    assert shown(type(table)()._repr_html_()).caption == "no methods"


def test_results_are_tables(shown):
    """Each with its repr of at most ten lines."""
    arch = algatt.Lightning(dims=(2, 1), ranks=(1,), tokens=2)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    real = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    deep = algatt.Network(algatt.layers.Heads(8), tokens=2, width=8)
    results = [
        algatt.rank(np.eye(3)),
        algatt.degree(arch),
        algatt.span(arch),
        algatt.coefficients(arch, theta),
        algatt.extremal(arch, real),
        algatt.learning_coefficient(arch, real),
        algatt.geometry.formulas(arch)[0],
        algatt.conservation_laws(arch).laws[0],
        algatt.jacobian_spectrum(arch).double,
        algatt.maps.has_function(arch, theta),
        algatt.parametrization(arch, algatt.Weights),
        *(family.element(theta, 0) for family in algatt.symmetries(arch)),
        *algatt.symmetry.discrete_symmetries(deep),
        algatt.checkpoints.move(deep, algatt.sample(deep, algatt.Weights, field=algatt.Reals(), seed=0)),
        *algatt.factors(2),
    ]
    for result in results:
        assert shown(result._repr_html_()).caption
        assert len(repr(result).split("\n")) <= 10
    assert shown(results[0]._repr_html_()).rows == [["rank", "3"], ["gap", repr(results[0].gap)]]


def test_names_of_exchanges_are_short_on_the_screen():
    net = algatt.Network(algatt.layers.Heads(8), tokens=2, width=8)
    exchange = algatt.symmetry.discrete_symmetries(net)[-1]
    assert len(exchange.name.split()) == 8
    assert repr(exchange) == "TensorExchange(heads.Q_7, heads.O_7, heads.V_7, ..., heads.Q_8 (8))"
