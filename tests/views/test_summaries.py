"""What notebooks show of reports: the numbers of the report, what they are worth, and nothing that is read as html."""

from __future__ import annotations

import dataclasses
import importlib
import io
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.display import Worth, html_of_rows, pieces, plain_text
from algatt.dynamics import random_tokens
from algatt.geometry.dimensions.evidence import FamilyRank
from algatt.spectra import matrix_report, spectrum_report
from algatt.views import tables

pytestmark = pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")  # matrices are small here

F = algatt.PrimeField()
ONE = algatt.Lightning((2, 2), (1,), 2)
BOTTLENECK = algatt.Lightning((2, 2, 2), (2, 2), 2)
HEADS = algatt.Network(algatt.layers.Heads(2), tokens=2, width=4)
PAIR = algatt.Lightning((2, 1), (2,), 2)
WIDE = algatt.Lightning((3, 4, 3), (2, 2), 2)


def weights(arch=ONE, field=F, seed=0):
    return algatt.sample(arch, algatt.Weights, field=field, seed=seed)


def identified():
    theta = algatt.sample(ONE, algatt.AttentionMatrix, field=F, seed=0)
    return algatt.identify(lambda X: algatt.evaluate(ONE, theta, X), ONE, field=F)


def trajectory():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)))
    return algatt.dynamics.integrate(flow, random_tokens(4, 3), until=0.5)


MADE = {
    "dimension": lambda: algatt.dimension(BOTTLENECK),
    "dimension over balls": lambda: algatt.dimension(algatt.Softmax((2, 2), (1,), 2)),
    "dimension in floats": lambda: algatt.dimension(ONE, field=algatt.Reals()),
    "one function": lambda: algatt.same_function(ONE, weights(), weights()),
    "two functions": lambda: algatt.same_function(ONE, weights(), weights(seed=1)),
    "two real functions": lambda: algatt.same_function(
        ONE, *(weights(field=algatt.Reals(), seed=seed) for seed in (0, 1))
    ),
    "orbit": lambda: algatt.fiber(ONE, weights()),
    "fibre of zero": lambda: algatt.fiber(ONE, algatt.Weights.of([([[0, 0]], [[0, 0]], [[0, 0], [0, 0]])], field=F)),
    "unknown fibre": lambda: algatt.fiber(WIDE, weights(WIDE)),
    "spectrum": lambda: spectrum_report(algatt.spectra.AttentionEnsemble(20, 20, 20, beta=0.5), draws=2),
    "spectrum of a matrix": lambda: matrix_report(np.full((20, 20), 0.04) + 0.2 * np.eye(20), key_dim=20, beta=0.5),
    "spectrum of a Jacobian": lambda: algatt.jacobian_spectrum(algatt.Softmax((2, 2), (1,), 2), prove=True),
    "conserved quantities": lambda: algatt.conservation_laws(ONE),
    "drift": lambda: algatt.geometry.drift(ONE, [weights(field=algatt.Reals(), seed=seed) for seed in (0, 1)]),
    "drift of checkpoints": lambda: algatt.checkpoints.drift(
        *(algatt.checkpoints.Checkpoint(HEADS, weights(HEADS, field=algatt.Reals(), seed=seed)) for seed in (0, 1))
    ),
    "samples": lambda: algatt.geometry.samples(ONE),
    "pseudo-dimension": lambda: algatt.geometry.pseudo_dimension(ONE),
    "run": trajectory,
    "clusters": lambda: algatt.dynamics.clusters(trajectory()),
    "identification": identified,
    "unexplained kernel": lambda: algatt.unexplained_kernel(BOTTLENECK, weights(BOTTLENECK)),
    "certificate": lambda: algatt.certify(ONE),
    "symmetries": lambda: algatt.symmetry.SymmetryReport.of(HEADS),
    "parameters": lambda: algatt.published.parameters("gpt2"),
    "equations": lambda: algatt.equations(PAIR, 4),
    "Hilbert function": lambda: algatt.hilbert_function(PAIR, 4),
    "degree": lambda: algatt.degree_of_closure(PAIR),
    "components": lambda: algatt.geometry.fiber_components(algatt.Lightning((2, 1), (1,), 2)),
    "invariants": lambda: algatt.checkpoints.invariants(HEADS, weights(HEADS, field=algatt.Reals())),
    "alignment": lambda: algatt.align(HEADS, *[weights(HEADS, field=algatt.Reals())] * 2),
    "verification": lambda: algatt.verify(algatt.certify(ONE)),
    "program": lambda: algatt.maps.program(HEADS),
}
"""Reports by their names."""


@cache
def report(name):
    return MADE[name]()


def said(text):
    """A text without its tones, as the terminal has it."""
    return "".join(map(plain_text, pieces(text)))


def in_notebooks(text):
    """A text without its tones, as a notebook has it, where verdicts have no brackets."""
    return "".join(piece.status if isinstance(piece, Worth) else plain_text(piece) for piece in pieces(text))


@pytest.mark.parametrize("name", MADE)
def test_a_notebook_shows_all_of_the_summary(name, shown):
    summary = verbs.summarize(report(name))
    found = shown(report(name)._repr_html_())
    assert found.caption == summary.title + (f" {summary.worth.status}" if summary.worth else "")
    assert found.rows == [[row.lstrip(" -"), in_notebooks(text)] for row, text in summary.rows]


def test_the_last_cell_of_a_short_row_is_as_wide_as_the_table():
    table = html_of_rows("", [("<th>one</th>", "2", "3", "4"), ("<th>note</th>", "long")])
    assert "<td>2</td><td>3</td><td>4</td></tr>" in table
    assert '<th>note</th><td colspan="3">long</td>' in table


def test_every_result_that_json_has_is_shown_in_notebooks():
    parts = {"ConservationLaw", "Comparison", "FloatSpectrum", "ScaledProof", "Witness"}  # of results that are shown
    root = Path(algatt.__file__).parent
    for path in root.rglob("*.py"):
        if "def to_dict" in path.read_text():
            module = importlib.import_module(".".join(("algatt", *path.relative_to(root).with_suffix("").parts)))
            kinds = [one for one in vars(module).values() if isinstance(one, type) and "to_dict" in vars(one)]
            assert all(one.__name__ in parts or hasattr(one, "_repr_html_") for one in kinds), kinds


@pytest.mark.parametrize("name", MADE)
def test_a_shell_shows_ten_lines(name):
    lines = repr(report(name)).splitlines()
    assert len(lines) <= 10
    assert max(map(len, lines)) <= 160


PRINTED = (
    "dimension",
    "dimension over balls",
    "dimension in floats",
    "one function",
    "two functions",
    "two real functions",
    "orbit",
    "unknown fibre",
    "spectrum of a Jacobian",
    "conserved quantities",
    "run",
)


@pytest.mark.parametrize("name", PRINTED)
def test_the_terminal_says_the_same(name):
    stream = io.StringIO()
    tables.print_summary(report(name), stream)
    summary = verbs.summarize(report(name))
    worth = [] if summary.worth is None else [said((summary.worth,))]
    words = " ".join([summary.title, *worth, *(f"{row} {said(text)}" for row, text in summary.rows)]).split()
    assert stream.getvalue().split() == words


CELLS = {
    "dimension": {"dimension": "10 proven", "parameters": "24"},  # HMK Eq 14: 2 (2 (4 - 2) + 4) - 4 - 2
    "dimension over balls": {"dimension": "7 proven"},  # HMK Theorem 3.9: 3 + 4
    "dimension in floats": {"dimension": "6 numerical"},  # HMK Eq 7: 3 + 4 - 1
    "orbit": {"dimension": "2", "components": "1"},  # scales of K and Q, and of A and V
    "verification": {},
    "run": {"head 1": None, "head 2": None, "least margin": None},
}


@pytest.mark.parametrize("name", CELLS)
def test_the_numbers_are_those_of_the_report(name, shown):
    rows = dict(shown(report(name)._repr_html_()).rows)
    for row, text in CELLS[name].items():
        assert row in rows
        assert text in (None, rows[row])


WORTHS = {
    "good": (
        "dimension",
        "dimension over balls",
        "one function",
        "two functions",
        "two real functions",  # balls around their values are disjoint
        "orbit",
        "fibre of zero",
        "unexplained kernel",
        "verification",
        "conserved quantities",
    ),
    "doubtful": (
        "dimension in floats",
        "unknown fibre",
        "spectrum",
        "spectrum of a matrix",
        "drift",
        "run",
        "identification",
    ),
}


def test_worths_are_those_of_the_report(shown):
    for tone, names in WORTHS.items():
        assert {name: shown(report(name)._repr_html_()).verdicts for name in names} == {name: [tone] for name in names}


def test_a_claim_is_worth_nothing_before_it_is_verified(shown):
    assert report("certificate").status == "proven"
    assert shown(report("certificate")._repr_html_()).verdicts == []


def hostile_reports(text):
    """Reports in which each text that anybody else chose is a given one."""
    replace = dataclasses.replace
    unknown = report("unknown fibre")
    return {
        "family": replace(report("dimension"), symmetries=(FamilyRank(text, 1),)),
        "formula": replace(report("dimension"), formulas=(algatt.geometry.Formula(1, text, theorem=False),)),
        "evidence": replace(report("two functions"), reason=text),
        "hypothesis": replace(unknown, failing_hypotheses=(text,)),
        "refusal": replace(report("spectrum of a Jacobian"), verdict=None, refusal=text),
        "ending": replace(report("run"), ending=text),
        "box": replace(report("identification"), reason=text, theta=None),
        "direction": replace(report("unexplained kernel"), dimension=1, basis=({text: np.eye(1)},)),
        "claim": algatt.certificates.Certificate({text: text, "dimension": {text: [text]}, "rows": [text] * 100}, text),
        "reason": algatt.certificates.VerificationReport(False, (text,), text),
    }


TEXTS = ["family", "formula", "evidence", "hypothesis", "refusal", "ending", "box", "direction", "claim", "reason"]


@pytest.mark.parametrize("name", TEXTS)
def test_no_name_is_read_as_html(name, shown, hostile):
    found = shown(hostile_reports(hostile)[name]._repr_html_())
    assert hostile in " ".join([found.caption, *(cell for row in found.rows for cell in row)])


def test_the_name_of_an_architecture_is_not_read_as_html(shown, hostile):
    class Named:
        def __str__(self):
            return hostile

    assert shown(dataclasses.replace(report("dimension"), architecture=Named())._repr_html_()).caption == hostile


@pytest.mark.parametrize("name", ["family", "evidence", "hypothesis", "refusal", "ending"])
def test_no_name_is_read_as_markup_on_the_terminal(name, hostile):
    stream = io.StringIO()
    tables.print_summary(hostile_reports(hostile)[name], stream)
    assert "".join(hostile.split()) in "".join(stream.getvalue().split())


def test_long_lists_are_told_by_their_lengths(shown):
    kernel = dataclasses.replace(report("unexplained kernel"), dimension=40, basis=({"V_1": np.eye(1)},) * 40)
    assert shown(kernel._repr_html_()).rows[-2] == ["others", "28"]
    refuted = algatt.certificates.VerificationReport(False, ("wrong",) * 1000, "a claim")
    assert shown(refuted._repr_html_()).rows[-1] == ["others", "988"]
    claims = {"rows": list(range(10**5)), "text": "x" * 10**6, "object": {"a": "b" * 10**6}}
    certificate = algatt.certificates.Certificate(claims, "algatt")
    assert len(certificate._repr_html_()) < 5000
    assert ["rows", "100000 entries"] in shown(certificate._repr_html_()).rows


def test_a_refuted_certificate_is_not_called_good(shown):
    found = shown(algatt.certificates.VerificationReport(False, ("the rank is 5",), "the dimension is 6")._repr_html_())
    assert found.verdicts == ["wrong"]
    assert found.caption == "the dimension is 6 refuted"
    assert found.rows == [["reason", "the rank is 5"]]


def test_every_report_that_has_a_summary_shows_it():
    kinds = [method.signature[0] for method in algatt.methods(verbs.summarize)]
    assert len(kinds) >= 10
    assert all(hasattr(kind, "_repr_html_") for kind in kinds)


def test_showing_a_report_loads_nothing_heavy():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r}); import algatt; "
        "arch = algatt.Lightning((2, 2), (1,), 2); theta = algatt.sample(arch, algatt.Weights); "
        "algatt.same_function(arch, theta, theta)._repr_html_(); "
        "print([m for m in ('matplotlib', 'rich', 'IPython', 'networkx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
