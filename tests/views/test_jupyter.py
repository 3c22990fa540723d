"""Notebooks that are executed without a window, by Jupyter's own kernel: what is kept in them as output."""

from __future__ import annotations

import base64
import struct
from pathlib import Path
from typing import Any

import pytest

import algatt

pytest.importorskip("nbclient", reason="notebooks are not executed: nbclient is not installed")
pytest.importorskip("ipykernel", reason="notebooks are not executed: ipykernel is not installed")

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

SETUP = """
import algatt
from algatt.dynamics import random_tokens
from algatt.spectra import chain_reports, spectrum_report
from algatt.views import flow_diagrams, flows, spectra, trees

tree = algatt.unroll(2)
flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)))
run = algatt.dynamics.integrate(flow, random_tokens(4, 3), until=0.5)
nine = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),) * 9)
many = algatt.dynamics.integrate(nine, random_tokens(4, 3), until=0.1)
jacobian = algatt.jacobian_spectrum(algatt.Softmax((3, 3), (2,), 2))
config = {"model_type": "gpt2", "n_embd": 4, "n_layer": 1, "n_head": 2, "n_positions": 3, "vocab_size": 9}
worth = algatt.published.parameters(config)
attention = algatt.spectra.AttentionEnsemble(20, 20, 20, beta=0.5)
"""

DRAWINGS = {
    "run_figure": "flows.run_figure(run)",
    "draw a tree": "algatt.draw(tree)",
    "draw a reflection": "algatt.draw(tree, window=1)",
    "draw a dag": "algatt.draw(algatt.unroll(3, kind='dag'))",
    "draw a run": "algatt.draw(run)",
    "draw a law": "algatt.draw(algatt.spectra.AttentionLaw(0.5))",
    "draw a spectrum": "algatt.draw(spectrum_report(attention, draws=1))",
    "plot_spectrum": "algatt.views.plot_spectrum(jacobian)",
    "plot_parameters": "algatt.views.plot_parameters(worth)",
    "draw_tokens": "flows.draw_tokens(run)",
    "draw_energies": "flows.draw_energies(run)",
    "draw_shadows": "flows.draw_shadows(run)",
    "draw_dominance": "flows.draw_dominance(run)",
    "draw_entropies": "flows.draw_entropies(run)",
    "draw_phase_diagram": "flow_diagrams.draw_phase_diagram(heads=(2, 3), betas=(0.5, 1.0))",
    "draw_clustering_times": "flow_diagrams.draw_clustering_times(tokens=(4, 8), dimensions=(16, 64))",
    "drawing": "trees.drawing(tree)",
    "chain_figure": "spectra.chain_figure(chain_reports(attention, draws=1))",
    "matrices_figure": "spectra.matrices_figure([spectrum_report(attention, draws=1)])",
    "laws_figure": "spectra.laws_figure((0.5,), (1.0,))",
    "convergence_figure": "spectra.convergence_figure([spectrum_report(attention, draws=1)])",
}
"""Every function that draws, without axes. The first returns a figure, while nothing has called for pyplot yet."""

OTHERS = {
    "a value that is not the last": "ax = algatt.draw(tree)\nNone",
    "two values": "algatt.draw(tree)\nalgatt.draw(run)",
    "axes that are given": "from matplotlib.figure import Figure\nalgatt.draw(tree, ax=Figure().subplots())",
}
"""Cells with one picture, two and none."""

REFUSED = {
    "slot": "algatt.draw(tree, window=9)",
    "heads": "flows.draw_energies(many)",
    "cosine": "flow_diagrams.draw_phase_diagram(cosine=2.0)",
    "end": "flow_diagrams.draw_clustering_times(end=0.001)",
}
"""Cells with an error, which should leave no empty picture."""


def executed(cells: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """Execute cells in a new kernel, which continues after errors, and return the outputs of each."""
    monkeypatch.setenv("PYTHONPATH", str(Path(algatt.__file__).parents[1]))
    monkeypatch.setenv("IPYTHONDIR", str(folder))
    monkeypatch.chdir(folder)
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells.values()])
    sockets = Config({"KernelManager": {"transport": "ipc"}})  # no port of the machine is used
    client = NotebookClient(notebook, kernel_name="python3", timeout=300, allow_errors=True, config=sockets)
    client.execute()
    return dict(zip(cells, (cell.outputs for cell in notebook.cells), strict=True))


def pictures(outputs: list[Any]) -> list[bytes]:
    """The pictures among the outputs of a cell."""
    return [base64.b64decode(output.data["image/png"]) for output in outputs if "image/png" in output.get("data", {})]


def complaints(outputs: list[Any]) -> list[str]:
    """The errors, warnings and prints among the outputs of a cell."""
    told = [output for output in outputs if output.output_type in ("error", "stream")]
    return [output.get("evalue", output.get("text", "")) for output in told]


@pytest.mark.sample(0)
def test_every_drawing_is_shown_once(tmp_path, monkeypatch):
    found = executed(
        {
            "setup": SETUP,
            **DRAWINGS,
            **OTHERS,
            **REFUSED,
            "left": "from matplotlib import pyplot\npyplot.get_fignums()",
        },
        tmp_path,
        monkeypatch,
    )
    for name in ("setup", *DRAWINGS, *OTHERS, "left"):
        assert complaints(found[name]) == [], name
    for name in DRAWINGS:
        (content,) = pictures(found[name])
        assert content.startswith(b"\x89PNG")
        assert min(struct.unpack(">II", content[16:24])) > 100
    assert [len(pictures(found[name])) for name in OTHERS] == [1, 2, 0]
    for name in REFUSED:
        (message,) = complaints(found[name])
        assert name in message
        assert "it should be" in message
        assert pictures(found[name]) == []
    assert found["left"][0].data["text/plain"] == "[]"
