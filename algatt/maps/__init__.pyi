"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any, overload

import networkx as nx
import numpy as np

from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning
from algatt.architectures.network import Network
from algatt.architectures.normalized import Normalized
from algatt.dispatch import Verb
from algatt.fields.base import Elements
from algatt.fields.degree import Degree
from algatt.maps import gradient as gradient
from algatt.maps import quotients as quotients
from algatt.maps.existence import Existence
from algatt.maps.parametrization import NetworkFunction, Parametrization
from algatt.parameters.attention_matrix import AttentionMatrix
from algatt.parameters.base import Parameters
from algatt.parameters.virtual_weights import VirtualWeights
from algatt.parameters.weights import Weights
from algatt.programs.trace import Program
from algatt.trees.graph import DirectedGraph

__all__ = [
    "Existence",
    "NetworkFunction",
    "Parametrization",
    "degree",
    "evaluate",
    "gradient",
    "gradients",
    "has_function",
    "jacobian",
    "parametrization",
    "program",
    "program_graph",
    "pull_back",
    "quotients",
]

class _Degree(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> Degree: ...

degree: _Degree

class _Evaluate(Verb[..., Any]):
    @overload
    def __call__(
        self,
        tree: DirectedGraph,
        theta: VirtualWeights,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(self, tree: DirectedGraph, theta: VirtualWeights, inputs: Any, /) -> Any: ...
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: VirtualWeights,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: AttentionMatrix,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(self, arch: Lightning, theta: VirtualWeights, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(
        self,
        arch: Lightning,
        theta: AttentionMatrix,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(self, arch: Network, theta: Weights, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(self, arch: Architecture, theta: Weights, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, inputs: Any, /) -> Any: ...

evaluate: _Evaluate

class _Gradients(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        theta: Parameters,
        inputs: Elements,
        /,
        *,
        outputs: np.ndarray,
    ) -> Elements: ...

gradients: _Gradients

class _HasFunction(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        theta: Parameters,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
    ) -> Existence: ...

has_function: _HasFunction

class _Jacobian(Verb[..., Any]):
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, inputs: Any, /) -> Any: ...

jacobian: _Jacobian

class _Parametrization(Verb[..., Any]):
    def __call__(self, arch: Architecture, coordinates: type[Parameters], /) -> Parametrization: ...

parametrization: _Parametrization

class _Program(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> Program: ...

program: _Program

class _ProgramGraph(Verb[..., Any]):
    @overload
    def __call__(self, source: Program, /) -> nx.DiGraph: ...
    @overload
    def __call__(self, source: Architecture, /) -> nx.DiGraph: ...

program_graph: _ProgramGraph

class _PullBack(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        theta: Parameters,
        inputs: Elements,
        cotangents: Elements,
        /,
    ) -> Elements: ...

pull_back: _PullBack
