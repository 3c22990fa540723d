"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from algatt.dispatch import Verb
from algatt.dynamics import shadow as shadow
from algatt.dynamics import statements as statements
from algatt.dynamics.dense import states_at
from algatt.dynamics.equiangular import (
    EquiangularFlow,
    clustering_time,
    cosine_at,
    linearised_clustering_time,
)
from algatt.dynamics.flow import FlatFlow, Flow, PreNormFlow, SphereFlow
from algatt.dynamics.heads import Head, MatrixHead, ProjectorHead, ScalarHead
from algatt.dynamics.integrate import distance_from_cluster
from algatt.dynamics.low_rank_head import LowRankHead
from algatt.dynamics.metastability import Clusters, Stair, clusters
from algatt.dynamics.motion import velocity_errors
from algatt.dynamics.noise import diffuse
from algatt.dynamics.thresholds import (
    entropy_growth_cosine,
    fastest_softmax_temperature,
    goldilocks_zone,
    radial_dominance_threshold,
    relu_crossover,
    softmax_inflection,
    unit_shadow_bound,
)
from algatt.dynamics.tokens import equiangular_tokens, normalised, random_tokens
from algatt.dynamics.trajectory import Trajectory, load_trajectory
from algatt.layers.activations.base import Activation
from algatt.layers.activations.relu import ReLU
from algatt.layers.activations.score import Exponential
from algatt.layers.base import Noun
from algatt.layers.scores import Unnormalized

__all__ = [
    "Clusters",
    "EquiangularFlow",
    "FlatFlow",
    "Flow",
    "Head",
    "LowRankHead",
    "MatrixHead",
    "PreNormFlow",
    "ProjectorHead",
    "ScalarHead",
    "SphereFlow",
    "Stair",
    "Trajectory",
    "activate_in_place",
    "activation_slopes",
    "backward_sums",
    "clustering_time",
    "clusters",
    "cosine_at",
    "diffuse",
    "distance_from_cluster",
    "energy",
    "energy_gradient",
    "energy_rate",
    "entropy",
    "entropy_growth_cosine",
    "entropy_rate",
    "equiangular_tokens",
    "equiangular_weights",
    "fastest_softmax_temperature",
    "goldilocks_zone",
    "head_outputs",
    "head_values",
    "integrate",
    "is_normalised",
    "lift",
    "lift_keys",
    "linearised_clustering_time",
    "load_trajectory",
    "normalised",
    "potential",
    "radial_dominance",
    "radial_dominance_threshold",
    "radial_shadow",
    "random_tokens",
    "relu_crossover",
    "resume",
    "score_factors",
    "shadow",
    "softmax_inflection",
    "statements",
    "states_at",
    "temperature",
    "unit_shadow_bound",
    "velocity",
    "velocity_errors",
    "weigh",
]

class _ActivateInPlace(Verb[..., Any]):
    @overload
    def __call__(self, activation: ReLU, scores: np.ndarray, /) -> None: ...
    @overload
    def __call__(self, activation: Exponential, scores: np.ndarray, /) -> None: ...
    @overload
    def __call__(self, activation: Activation, scores: np.ndarray, /) -> None: ...

activate_in_place: _ActivateInPlace

class _ActivationSlopes(Verb[..., Any]):
    @overload
    def __call__(self, activation: ReLU, scores: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, activation: Exponential, scores: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, activation: Activation, scores: np.ndarray, /) -> np.ndarray: ...

activation_slopes: _ActivationSlopes

class _BackwardSums(Verb[..., Any]):
    @overload
    def __call__(
        self,
        head: ScalarHead | ProjectorHead,
        weights: Any,
        tokens: np.ndarray,
        /,
        *,
        beta: float,
    ) -> None: ...
    @overload
    def __call__(
        self,
        head: LowRankHead,
        weights: Any,
        tokens: np.ndarray,
        /,
        *,
        beta: float,
    ) -> np.ndarray | None: ...
    @overload
    def __call__(
        self,
        head: Head,
        weights: Any,
        tokens: np.ndarray,
        /,
        *,
        beta: float,
    ) -> np.ndarray | None: ...

backward_sums: _BackwardSums

class _Energy(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

energy: _Energy

class _EnergyGradient(Verb[..., Any]):
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

energy_gradient: _EnergyGradient

class _EnergyRate(Verb[..., Any]):
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

energy_rate: _EnergyRate

class _Entropy(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

entropy: _Entropy

class _EntropyRate(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

entropy_rate: _EntropyRate

class _EquiangularWeights(Verb[..., Any]):
    @overload
    def __call__(
        self,
        weights: Unnormalized,
        exponents: np.ndarray,
        cosine: np.ndarray,
        /,
        *,
        tokens: int,
    ) -> tuple[Any, Any]: ...
    @overload
    def __call__(
        self,
        weights: Exponential,
        exponents: np.ndarray,
        cosine: np.ndarray,
        /,
        *,
        tokens: int,
    ) -> tuple[Any, Any]: ...
    @overload
    def __call__(
        self,
        weights: Noun,
        exponents: np.ndarray,
        cosine: np.ndarray,
        /,
        *,
        tokens: int,
    ) -> tuple[Any, Any]: ...

equiangular_weights: _EquiangularWeights

class _HeadOutputs(Verb[..., Any]):
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

head_outputs: _HeadOutputs

class _HeadValues(Verb[..., Any]):
    @overload
    def __call__(self, head: LowRankHead, tokens: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, head: ScalarHead | ProjectorHead, tokens: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, head: Head, tokens: np.ndarray, /) -> np.ndarray: ...

head_values: _HeadValues

class _Integrate(Verb[..., Any]):
    def __call__(
        self,
        flow: Flow,
        tokens: Any,
        /,
        *,
        until: float,
        samples: int | Sequence[float] | np.ndarray | None = None,
        tolerance: float = 1e-10,
        clustered: float | None = None,
        stationary: float | None = None,
        method: str = "auto",
        normalise: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Trajectory: ...

integrate: _Integrate

class _IsNormalised(Verb[..., Any]):
    @overload
    def __call__(self, weights: Unnormalized, /) -> bool: ...
    @overload
    def __call__(self, weights: Activation, /) -> bool: ...
    @overload
    def __call__(self, weights: Noun, /) -> bool: ...

is_normalised: _IsNormalised

class _Lift(Verb[..., Any]):
    @overload
    def __call__(self, head: LowRankHead, sums: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, head: ProjectorHead, sums: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, head: Head, sums: np.ndarray, /) -> np.ndarray: ...

lift: _Lift

class _LiftKeys(Verb[..., Any]):
    @overload
    def __call__(self, head: LowRankHead, sums: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, head: Head, sums: np.ndarray, /) -> np.ndarray: ...

lift_keys: _LiftKeys

class _Potential(Verb[..., Any]):
    @overload
    def __call__(self, weights: Unnormalized, scores: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, weights: ReLU, scores: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, weights: Exponential, scores: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, weights: Noun, scores: np.ndarray, /) -> np.ndarray: ...

potential: _Potential

class _RadialDominance(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

radial_dominance: _RadialDominance

class _RadialShadow(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

radial_shadow: _RadialShadow

class _Resume(Verb[..., Any]):
    def __call__(
        self,
        trajectory: Trajectory,
        /,
        *,
        until: float,
        samples: int | Sequence[float] | np.ndarray | None = None,
        tolerance: float = 1e-10,
        clustered: float | None = None,
        stationary: float | None = None,
        method: str = "auto",
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Trajectory: ...

resume: _Resume

class _ScoreFactors(Verb[..., Any]):
    @overload
    def __call__(
        self,
        head: LowRankHead,
        tokens: np.ndarray,
        /,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def __call__(
        self,
        head: ProjectorHead,
        tokens: np.ndarray,
        /,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def __call__(
        self,
        head: ScalarHead,
        tokens: np.ndarray,
        /,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def __call__(self, head: Head, tokens: np.ndarray, /) -> tuple[np.ndarray, np.ndarray]: ...

score_factors: _ScoreFactors

class _Temperature(Verb[..., Any]):
    @overload
    def __call__(self, weights: Unnormalized, /) -> float: ...
    @overload
    def __call__(self, weights: Exponential, /) -> float: ...
    @overload
    def __call__(self, weights: Activation, /) -> float: ...
    @overload
    def __call__(self, weights: Noun, /) -> float: ...

temperature: _Temperature

class _Velocity(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> Any: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

velocity: _Velocity

class _Weigh(Verb[..., Any]):
    @overload
    def __call__(self, weights: Unnormalized, scores: np.ndarray, /) -> float: ...
    @overload
    def __call__(self, weights: Exponential, scores: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, weights: Noun, scores: np.ndarray, /) -> Any: ...

weigh: _Weigh
