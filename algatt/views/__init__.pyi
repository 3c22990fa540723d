"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from collections.abc import Sequence
from typing import Any, overload

from matplotlib.axes import Axes

from algatt.architectures.base import Architecture
from algatt.certificates.certificate import Certificate
from algatt.certificates.report import VerificationReport
from algatt.dispatch import Verb
from algatt.display import Summary
from algatt.dynamics.trajectory import Trajectory
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.dimensions.spectrum import JacobianSpectrum
from algatt.geometry.equality.equivalence import Equivalence
from algatt.geometry.fibres.fiber import Fiber
from algatt.geometry.fibres.unexplained import UnexplainedKernel
from algatt.geometry.identification.identification import Identification
from algatt.programs.trace import Program
from algatt.published.worth import ParameterReport
from algatt.spectra.laws import Law
from algatt.spectra.reports import SpectrumReport
from algatt.symmetry.base import Symmetry
from algatt.symmetry.report import SymmetryReport
from algatt.trees.graph import DirectedGraph
from algatt.views import flows as flows
from algatt.views import networks as networks
from algatt.views import notebook as notebook
from algatt.views import programs as programs
from algatt.views import spectra as spectra
from algatt.views import summaries as summaries
from algatt.views import sweeps as sweeps
from algatt.views import symmetries as symmetries
from algatt.views import trees as trees
from algatt.views.flows import diagrams as flow_diagrams
from algatt.views.flows import files as flow_files
from algatt.views.networks import files as network_files
from algatt.views.parameter_bars import plot_parameters
from algatt.views.programs import files as program_files
from algatt.views.spectrum import plot_spectrum
from algatt.views.symmetries import files as symmetry_files
from algatt.views.trees import files as tree_files

__all__ = [
    "draw",
    "flow_diagrams",
    "flow_files",
    "flows",
    "network_files",
    "networks",
    "notebook",
    "plot_parameters",
    "plot_spectrum",
    "program_files",
    "programs",
    "spectra",
    "summaries",
    "summarize",
    "sweeps",
    "symmetries",
    "symmetry_files",
    "tree_files",
    "trees",
]

class _Draw(Verb[..., Any]):
    @overload
    def __call__(self, report: SymmetryReport, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(self, report: SpectrumReport, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(self, law: Law, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(self, program: Program, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(
        self,
        tree: DirectedGraph,
        /,
        *,
        ax: Axes | None = None,
        window: int | None = None,
        colours: Sequence[Any] | None = None,
    ) -> Axes: ...
    @overload
    def __call__(self, arch: Architecture, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(self, trajectory: Trajectory, /, *, ax: Axes | None = None) -> Axes: ...

draw: _Draw

class _Summarize(Verb[..., Any]):
    @overload
    def __call__(self, report: VerificationReport, /) -> Summary: ...
    @overload
    def __call__(self, certificate: Certificate, /) -> Summary: ...
    @overload
    def __call__(self, trajectory: Trajectory, /) -> Summary: ...
    @overload
    def __call__(self, report: SpectrumReport, /) -> Summary: ...
    @overload
    def __call__(self, answer: UnexplainedKernel, /) -> Summary: ...
    @overload
    def __call__(self, answer: Identification, /) -> Summary: ...
    @overload
    def __call__(self, answer: Fiber, /) -> Summary: ...
    @overload
    def __call__(self, answer: Equivalence, /) -> Summary: ...
    @overload
    def __call__(self, spectrum: JacobianSpectrum, /) -> Summary: ...
    @overload
    def __call__(self, report: ParameterReport, /) -> Summary: ...
    @overload
    def __call__(self, report: SymmetryReport, /) -> Summary: ...
    @overload
    def __call__(self, family: Symmetry, /) -> Summary: ...
    @overload
    def __call__(self, report: DimensionReport, /) -> Summary: ...

summarize: _Summarize
