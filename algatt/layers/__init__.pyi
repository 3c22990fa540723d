"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from algatt.architectures.arrangement import Computed
from algatt.architectures.parts import Watched
from algatt.checkpoints.attention import LastHeads
from algatt.dispatch import Verb
from algatt.fields.base import Elements
from algatt.layers.activations import (
    ELU,
    GELU,
    Activation,
    Affine,
    Exponential,
    Power,
    Rational,
    ReLU,
    Score,
    Sigmoid,
    SiLU,
    Softplus,
    Tanh,
    TanhGELU,
)
from algatt.layers.base import Layer, Noun, Tensors
from algatt.layers.class_token import ClassToken, MaskToken
from algatt.layers.combinators import (
    Chain,
    Concatenate,
    EncoderDecoder,
    Named,
    Parallel,
    Product,
    Repeat,
    Residual,
    Stack,
    Tie,
)
from algatt.layers.combinators.base import Combinator
from algatt.layers.convolution import Convolution
from algatt.layers.cross_heads import CrossHeads
from algatt.layers.depthwise_convolution import DepthwiseConvolution
from algatt.layers.description import describe, noun_of
from algatt.layers.differential_heads import DifferentialHeads
from algatt.layers.embedding import Embedding
from algatt.layers.entrywise import Entrywise
from algatt.layers.experts import Experts
from algatt.layers.feedforward import Feedforward
from algatt.layers.heads import AcrossHeads, Heads
from algatt.layers.latent_heads import LatentHeads
from algatt.layers.layer_norm import LayerNorm
from algatt.layers.layer_scale import LayerScale
from algatt.layers.learned_position import LearnedPosition
from algatt.layers.linear import Linear
from algatt.layers.masks import Causal, Mask, Pattern, Window
from algatt.layers.positions import ALiBi, Position, RelativeBias, Rotary
from algatt.layers.read_as import ReadAs
from algatt.layers.readings import Capped, Logits, Probabilities, Reading
from algatt.layers.rms_norm import RMSNorm
from algatt.layers.routers import Router, SigmoidRouter, SoftmaxRouter
from algatt.layers.scores import SoftCap, Unnormalized, Weighting
from algatt.layers.select_tokens import MeanToken, SelectTokens
from algatt.layers.selective_scan import SelectiveScan
from algatt.layers.sinusoidal_position import SinusoidalPosition
from algatt.layers.typed_embedding import TypedEmbedding
from algatt.layers.unembedding import Unembedding
from algatt.layers.weightings import FeatureMap, Retention, Sink
from algatt.layers.weightings.sink import SinkOfHead
from algatt.symmetry.symbolic.smaller.repeated import Repeated

__all__ = [
    "ELU",
    "GELU",
    "ALiBi",
    "AcrossHeads",
    "Activation",
    "Affine",
    "Capped",
    "Causal",
    "Chain",
    "ClassToken",
    "Concatenate",
    "Convolution",
    "CrossHeads",
    "DepthwiseConvolution",
    "DifferentialHeads",
    "Embedding",
    "EncoderDecoder",
    "Entrywise",
    "Experts",
    "Exponential",
    "FeatureMap",
    "Feedforward",
    "Heads",
    "LatentHeads",
    "Layer",
    "LayerNorm",
    "LayerScale",
    "LearnedPosition",
    "Linear",
    "Logits",
    "Mask",
    "MaskToken",
    "MeanToken",
    "Named",
    "Parallel",
    "Pattern",
    "Position",
    "Power",
    "Probabilities",
    "Product",
    "RMSNorm",
    "Rational",
    "ReLU",
    "ReadAs",
    "Reading",
    "RelativeBias",
    "Repeat",
    "Residual",
    "Retention",
    "Rotary",
    "Router",
    "Score",
    "SelectTokens",
    "SelectiveScan",
    "SiLU",
    "Sigmoid",
    "SigmoidRouter",
    "Sink",
    "SinusoidalPosition",
    "SoftCap",
    "SoftmaxRouter",
    "Softplus",
    "Stack",
    "Tanh",
    "TanhGELU",
    "Tensors",
    "Tie",
    "TypedEmbedding",
    "Unembedding",
    "Unnormalized",
    "Weighting",
    "Window",
    "activate",
    "apply",
    "attend",
    "attention_weights",
    "bias_scores",
    "describe",
    "mask_matrix",
    "normalize_heads",
    "noun_of",
    "read",
    "route",
    "score_of_head",
    "source",
    "tensors",
    "turn",
    "vocabulary",
]

class _Activate(Verb[..., Any]):
    @overload
    def __call__(self, activation: Tanh, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: Softplus, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: SiLU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: Sigmoid, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Rational, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Power, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Affine, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Exponential, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: ReLU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: TanhGELU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: GELU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: ELU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: Activation, x: Elements, /) -> Elements: ...

activate: _Activate

class _Apply(Verb[..., Any]):
    @overload
    def __call__(self, layer: LastHeads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Computed, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Watched, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Unembedding, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: TypedEmbedding, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: SinusoidalPosition, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: SelectiveScan, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: MeanToken, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: SelectTokens, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: ReadAs, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LearnedPosition, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LayerScale, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LayerNorm, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LatentHeads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Experts, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Feedforward, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Entrywise, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: DifferentialHeads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: DepthwiseConvolution, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: CrossHeads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Heads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: AcrossHeads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: RMSNorm, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Embedding, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Convolution, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Tie, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Residual, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Repeat, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Product, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Parallel, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Named, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: EncoderDecoder, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Concatenate, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Chain, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Linear, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: MaskToken, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: ClassToken, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Activation, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Repeated, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Stack, w: Tensors, X: Elements, /) -> Elements: ...

apply: _Apply

class _Attend(Verb[..., Any]):
    @overload
    def __call__(
        self,
        score: FeatureMap,
        keys: Elements,
        queries: Elements,
        values: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
        bias: object = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Unnormalized,
        keys: Elements,
        queries: Elements,
        values: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
        bias: Any = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: object,
        keys: Elements,
        queries: Elements,
        values: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
        bias: Any = None,
    ) -> Elements: ...

attend: _Attend

class _AttentionWeights(Verb[..., Any]):
    @overload
    def __call__(
        self,
        score: SinkOfHead,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Retention,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: SoftCap,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Unnormalized,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Exponential,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Activation,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Noun,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...

attention_weights: _AttentionWeights

class _BiasScores(Verb[..., Any]):
    @overload
    def __call__(
        self,
        position: RelativeBias,
        w: Any,
        head: int,
        heads: int,
        tokens: int,
        /,
    ) -> Any: ...
    @overload
    def __call__(
        self,
        position: ALiBi,
        w: object,
        head: int,
        heads: int,
        tokens: int,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        position: Position | None,
        w: object,
        head: int,
        heads: int,
        tokens: int,
        /,
    ) -> Any: ...

bias_scores: _BiasScores

class _MaskMatrix(Verb[..., Any]):
    @overload
    def __call__(self, mask: Pattern, tokens: int, /) -> np.ndarray: ...
    @overload
    def __call__(self, mask: Window, tokens: int, /) -> np.ndarray: ...
    @overload
    def __call__(self, mask: Causal, tokens: int, /) -> np.ndarray: ...
    @overload
    def __call__(self, mask: Mask, tokens: int, /) -> np.ndarray: ...

mask_matrix: _MaskMatrix

class _NormalizeHeads(Verb[..., Any]):
    @overload
    def __call__(self, norm: AcrossHeads, run: Callable, heads: Sequence, /) -> list[Elements]: ...
    @overload
    def __call__(self, norm: Layer, run: Callable, heads: Sequence, /) -> list[Elements]: ...

normalize_heads: _NormalizeHeads

class _Read(Verb[..., Any]):
    @overload
    def __call__(self, reading: Capped, logits: Elements, /) -> Elements: ...
    @overload
    def __call__(self, reading: Probabilities, logits: Elements, /) -> Elements: ...
    @overload
    def __call__(self, reading: Logits, logits: Elements, /) -> Elements: ...
    @overload
    def __call__(self, reading: Reading, logits: Elements, /) -> Elements: ...

read: _Read

class _Route(Verb[..., Any]):
    @overload
    def __call__(self, router: SigmoidRouter, w: Any, numbers: Elements, /) -> Elements: ...
    @overload
    def __call__(self, router: SoftmaxRouter, w: object, numbers: Elements, /) -> Elements: ...
    @overload
    def __call__(self, router: Router, w: Any, numbers: Elements, /) -> Elements: ...

route: _Route

class _ScoreOfHead(Verb[..., Any]):
    @overload
    def __call__(self, score: Sink, w: Any, head: int, heads: int, /) -> SinkOfHead: ...
    @overload
    def __call__(self, score: Retention, w: Any, head: int, heads: int, /) -> Retention: ...
    @overload
    def __call__(self, score: object, w: object, head: int, heads: int, /) -> Any: ...

score_of_head: _ScoreOfHead

class _Source(Verb[..., Any]):
    @overload
    def __call__(self, layer: EncoderDecoder, tokens: int, /) -> tuple[int, int] | None: ...
    @overload
    def __call__(self, layer: Combinator, tokens: int, /) -> tuple[int, int] | None: ...
    @overload
    def __call__(self, layer: Layer, tokens: int, /) -> tuple[int, int] | None: ...

source: _Source

class _Tensors(Verb[..., Any]):
    @overload
    def __call__(self, layer: LastHeads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Computed, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Watched, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Unembedding, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: TypedEmbedding, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(
        self,
        layer: SinusoidalPosition,
        shape: tuple,
        /,
    ) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: SelectiveScan, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: MeanToken, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: SelectTokens, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: ReadAs, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LearnedPosition, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LayerScale, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LayerNorm, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LatentHeads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Experts, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Feedforward, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Entrywise, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: DifferentialHeads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(
        self,
        layer: DepthwiseConvolution,
        shape: tuple,
        /,
    ) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: CrossHeads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Heads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: AcrossHeads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: RMSNorm, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Embedding, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Convolution, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Linear, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Combinator, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: MaskToken, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: ClassToken, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Activation, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: SigmoidRouter, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Router, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Sink, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Weighting, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: RelativeBias, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Position, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...

tensors: _Tensors

class _Turn(Verb[..., Any]):
    @overload
    def __call__(self, position: Rotary, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, position: Position | None, X: Elements, /) -> Elements: ...

turn: _Turn

class _Vocabulary(Verb[..., Any]):
    @overload
    def __call__(self, layer: Computed, /) -> int | None: ...
    @overload
    def __call__(self, layer: TypedEmbedding, /) -> int: ...
    @overload
    def __call__(self, layer: Embedding, /) -> int: ...
    @overload
    def __call__(self, layer: EncoderDecoder, /) -> int | None: ...
    @overload
    def __call__(self, layer: Combinator, /) -> int | None: ...
    @overload
    def __call__(self, layer: Layer, /) -> int | None: ...

vocabulary: _Vocabulary
