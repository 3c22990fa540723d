"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any, overload

import numpy as np

from algatt.checkpoints.checkpoint import Checkpoint
from algatt.dispatch import Verb
from algatt.layers.activations.base import Activation
from algatt.layers.scores import SoftCap, Unnormalized
from algatt.parameters.weights import Weights
from algatt.spectra import distances as distances
from algatt.spectra.draws import bulk_matrix
from algatt.spectra.ensembles import (
    AttentionEnsemble,
    Ensemble,
    EntrywiseEnsemble,
    ExponentialEnsemble,
    FiniteSizeWarning,
    LinearEnsemble,
    LinearPolynomialEnsemble,
    PolynomialEnsemble,
    chain,
    needed_tokens,
)
from algatt.spectra.free_probability import (
    cumulants_of_moments,
    free_additive_convolution,
    free_multiplicative_convolution,
    moments_of_cumulants,
    moments_of_r_diagonal,
)
from algatt.spectra.fuss_catalan import FussCatalan
from algatt.spectra.laws import Law
from algatt.spectra.layers import (
    AttentionLayer,
    CausalEnsemble,
    CausalLaw,
    CompoundPoissonLaw,
    ExpressionLaw,
    GaussianExpression,
    LayerEnsemble,
    Skip,
    Stack,
    SumOfHeads,
    TiedValues,
    Values,
    causal_bulk_matrix,
    estimated_causal_beta,
    gaussian_expression,
    heads_law,
    identity_expression,
    linear_attention,
    sample_expression,
)
from algatt.spectra.linear_law import AttentionLaw, LinearLaw, SignalPlusNoise, moment_polynomials
from algatt.spectra.marchenko_pastur import MarchenkoPastur
from algatt.spectra.matrix_reports import estimated_beta, matrix_report
from algatt.spectra.numerical_law import NumericalLaw
from algatt.spectra.outliers import (
    median_largest_entry,
    outlier_threshold,
    predicted_outlier,
    tokens_without_outliers,
)
from algatt.spectra.polynomials import IntegerPolynomial
from algatt.spectra.reports import (
    SpectrumReport,
    chain_distances,
    chain_reports,
    predicted_top_singular_value,
    spectrum_report,
)
from algatt.spectra.softmax_rows import expected_power_sum

__all__ = [
    "AttentionEnsemble",
    "AttentionLaw",
    "AttentionLayer",
    "CausalEnsemble",
    "CausalLaw",
    "CompoundPoissonLaw",
    "Ensemble",
    "EntrywiseEnsemble",
    "ExponentialEnsemble",
    "ExpressionLaw",
    "FiniteSizeWarning",
    "FussCatalan",
    "GaussianExpression",
    "IntegerPolynomial",
    "Law",
    "LayerEnsemble",
    "LinearEnsemble",
    "LinearLaw",
    "LinearPolynomialEnsemble",
    "MarchenkoPastur",
    "PolynomialEnsemble",
    "Skip",
    "SpectrumReport",
    "Stack",
    "SumOfHeads",
    "TiedValues",
    "Values",
    "attention_matrix",
    "bulk_matrix",
    "causal_bulk_matrix",
    "cdf",
    "chain",
    "chain_distances",
    "chain_reports",
    "cumulants_of_moments",
    "density",
    "distances",
    "edge",
    "estimated_beta",
    "estimated_causal_beta",
    "expected_power_sum",
    "finite_law",
    "free_additive_convolution",
    "free_cumulants",
    "free_multiplicative_convolution",
    "gaussian_expression",
    "heads_law",
    "identity_expression",
    "kolmogorov_distance",
    "limit_law",
    "linear_attention",
    "matrix_report",
    "median_largest_entry",
    "moment_polynomials",
    "moments",
    "moments_of_cumulants",
    "moments_of_r_diagonal",
    "needed_tokens",
    "outlier_threshold",
    "predicted_outlier",
    "predicted_top_singular_value",
    "quantile",
    "sample_expression",
    "sample_matrix",
    "spectrum_report",
    "squared_singular_values",
    "stieltjes",
    "support",
    "tokens_without_outliers",
    "wasserstein_distance",
]

class _AttentionMatrix(Verb[..., Any]):
    @overload
    def __call__(
        self,
        theta: Checkpoint,
        inputs: Any,
        /,
        *,
        layer: int = 1,
        head: int | None = None,
        masked: bool = True,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        theta: Weights,
        inputs: Any,
        /,
        *,
        layer: int = 1,
        beta: float = 1.0,
        score: Activation | Unnormalized | SoftCap | None = None,
    ) -> np.ndarray: ...

attention_matrix: _AttentionMatrix

class _Cdf(Verb[..., Any]):
    @overload
    def __call__(self, law: SignalPlusNoise, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: FussCatalan, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: NumericalLaw, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: MarchenkoPastur, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, points: Any, /) -> Any: ...

cdf: _Cdf

class _Density(Verb[..., Any]):
    @overload
    def __call__(self, law: SignalPlusNoise, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: FussCatalan, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: NumericalLaw, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: MarchenkoPastur, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, points: Any, /) -> Any: ...

density: _Density

class _Edge(Verb[..., Any]):
    def __call__(self, law: Law, /) -> float: ...

edge: _Edge

class _FiniteLaw(Verb[..., Any]):
    @overload
    def __call__(self, ensemble: CausalEnsemble, /) -> Law: ...
    @overload
    def __call__(self, ensemble: LayerEnsemble, /) -> Law: ...
    @overload
    def __call__(self, ensemble: AttentionEnsemble, /) -> Law: ...
    @overload
    def __call__(self, ensemble: Ensemble, /) -> Law: ...

finite_law: _FiniteLaw

class _FreeCumulants(Verb[..., Any]):
    @overload
    def __call__(self, law: MarchenkoPastur, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: FussCatalan, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: SignalPlusNoise, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(
        self,
        law: CompoundPoissonLaw,
        count: int | np.integer,
        /,
    ) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: NumericalLaw, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: Law, count: int | np.integer, /) -> tuple[float, ...]: ...

free_cumulants: _FreeCumulants

class _KolmogorovDistance(Verb[..., Any]):
    @overload
    def __call__(self, one: Law, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Law, two: Any, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Any, /) -> float: ...

kolmogorov_distance: _KolmogorovDistance

class _LimitLaw(Verb[..., Any]):
    @overload
    def __call__(self, ensemble: LayerEnsemble, /) -> ExpressionLaw: ...
    @overload
    def __call__(self, ensemble: CausalEnsemble, /) -> CausalLaw: ...
    @overload
    def __call__(self, ensemble: PolynomialEnsemble | LinearPolynomialEnsemble, /) -> Law: ...
    @overload
    def __call__(self, ensemble: Ensemble, /) -> Law: ...

limit_law: _LimitLaw

class _Moments(Verb[..., Any]):
    @overload
    def __call__(self, law: NumericalLaw, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: FussCatalan, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: Law, count: int | np.integer, /) -> tuple[float, ...]: ...

moments: _Moments

class _Quantile(Verb[..., Any]):
    @overload
    def __call__(self, law: FussCatalan, probabilities: Any, /) -> Any: ...
    @overload
    def __call__(self, law: NumericalLaw, probabilities: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, probabilities: Any, /) -> Any: ...

quantile: _Quantile

class _SampleMatrix(Verb[..., Any]):
    @overload
    def __call__(self, ensemble: LayerEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: CausalEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: LinearEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: LinearPolynomialEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: PolynomialEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: EntrywiseEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: ExponentialEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: AttentionEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: Ensemble, /, *, seed: int = 0) -> np.ndarray: ...

sample_matrix: _SampleMatrix

class _SquaredSingularValues(Verb[..., Any]):
    @overload
    def __call__(
        self,
        source: Ensemble,
        /,
        *,
        seed: int = 0,
        drop: int | None = None,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, source: Any, /, *, drop: int | None = None) -> np.ndarray: ...

squared_singular_values: _SquaredSingularValues

class _Stieltjes(Verb[..., Any]):
    @overload
    def __call__(self, law: SignalPlusNoise, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: FussCatalan, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: NumericalLaw, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: MarchenkoPastur, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, points: Any, /) -> Any: ...

stieltjes: _Stieltjes

class _Support(Verb[..., Any]):
    @overload
    def __call__(self, law: MarchenkoPastur, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: NumericalLaw, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: FussCatalan, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: SignalPlusNoise, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: Law, /) -> tuple[tuple[float, float], ...]: ...

support: _Support

class _WassersteinDistance(Verb[..., Any]):
    @overload
    def __call__(self, one: Law, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Law, two: Any, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Any, /) -> float: ...

wasserstein_distance: _WassersteinDistance
