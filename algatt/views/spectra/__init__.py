"""Spectra of attention and their limit laws: drawings, figures of several, and their files."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.spectra.chain import chain_figure as chain_figure
    from algatt.views.spectra.chain import write_chain as write_chain
    from algatt.views.spectra.convergence import convergence_figure as convergence_figure
    from algatt.views.spectra.laws import laws_figure as laws_figure
    from algatt.views.spectra.layers import layers_figure as layers_figure
    from algatt.views.spectra.matrices import check_panels as check_panels
    from algatt.views.spectra.matrices import matrices_figure as matrices_figure
    from algatt.views.spectra.matrices import write_matrices as write_matrices

on_demand(__name__)
