"""Spectra of attention and their limit laws: drawings, figures of several, and their files."""

from algatt.views.spectra.chain import chain_figure, write_chain
from algatt.views.spectra.convergence import convergence_figure
from algatt.views.spectra.laws import laws_figure
from algatt.views.spectra.layers import layers_figure
from algatt.views.spectra.matrices import check_panels, matrices_figure, write_matrices

__all__ = [
    "chain_figure",
    "check_panels",
    "convergence_figure",
    "laws_figure",
    "layers_figure",
    "matrices_figure",
    "write_chain",
    "write_matrices",
]
