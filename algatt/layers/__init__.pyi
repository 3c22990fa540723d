"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from algatt.architectures.parts import Watched
from algatt.dispatch import Verb
from algatt.fields.base import Elements
from algatt.layers.activations import (
    GELU,
    Activation,
    Affine,
    Exponential,
    Power,
    Rational,
    ReLU,
    Score,
    SiLU,
    Tanh,
    TanhGELU,
)
from algatt.layers.base import Layer, Noun, Tensors
from algatt.layers.combinators import Chain, Named, Parallel, Residual, Stack, Tie
from algatt.layers.combinators.base import Combinator
from algatt.layers.description import describe, noun_of
from algatt.layers.embedding import Embedding
from algatt.layers.experts import Experts
from algatt.layers.feedforward import Feedforward
from algatt.layers.heads import AcrossHeads, Heads
from algatt.layers.layer_norm import LayerNorm
from algatt.layers.layer_scale import LayerScale
from algatt.layers.learned_position import LearnedPosition
from algatt.layers.linear import Linear
from algatt.layers.masks import Causal, Mask, Pattern, Window
from algatt.layers.positions import ALiBi, Position, RelativeBias, Rotary
from algatt.layers.readings import Capped, Logits, Probabilities, Reading
from algatt.layers.rms_norm import RMSNorm
from algatt.layers.routers import Router, SigmoidRouter, SoftmaxRouter
from algatt.layers.scores import SoftCap, Unnormalized
from algatt.layers.unembedding import Unembedding
from algatt.symmetry.symbolic.smaller import Repeated

__all__ = [
    "GELU",
    "ALiBi",
    "AcrossHeads",
    "Activation",
    "Affine",
    "Capped",
    "Causal",
    "Chain",
    "Embedding",
    "Experts",
    "Exponential",
    "Feedforward",
    "Heads",
    "Layer",
    "LayerNorm",
    "LayerScale",
    "LearnedPosition",
    "Linear",
    "Logits",
    "Mask",
    "Named",
    "Parallel",
    "Pattern",
    "Position",
    "Power",
    "Probabilities",
    "RMSNorm",
    "Rational",
    "ReLU",
    "Reading",
    "RelativeBias",
    "Residual",
    "Rotary",
    "Router",
    "Score",
    "SiLU",
    "SigmoidRouter",
    "SoftCap",
    "SoftmaxRouter",
    "Stack",
    "Tanh",
    "TanhGELU",
    "Tensors",
    "Tie",
    "Unembedding",
    "Unnormalized",
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
    "tensors",
    "turn",
    "vocabulary",
]

class _Activate(Verb[..., Any]):
    @overload
    def __call__(self, activation: Tanh, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: SiLU, x: Elements, /) -> Elements: ...
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
    def __call__(self, activation: Activation, x: Elements, /) -> Elements: ...

activate: _Activate

class _Apply(Verb[..., Any]):
    @overload
    def __call__(self, layer: Watched, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Unembedding, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LearnedPosition, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LayerScale, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: LayerNorm, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Heads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: AcrossHeads, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: RMSNorm, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Experts, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Feedforward, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Embedding, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Tie, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Residual, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Parallel, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Named, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Chain, w: Tensors, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, layer: Linear, w: Tensors, X: Elements, /) -> Elements: ...
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

class _Tensors(Verb[..., Any]):
    @overload
    def __call__(self, layer: Watched, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Unembedding, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LearnedPosition, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LayerScale, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: LayerNorm, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Heads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: AcrossHeads, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: RMSNorm, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Experts, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Feedforward, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Embedding, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Linear, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Combinator, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Activation, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: RelativeBias, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Position, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: SigmoidRouter, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, layer: Router, shape: tuple, /) -> dict[str, tuple[int, ...]]: ...

tensors: _Tensors

class _Turn(Verb[..., Any]):
    @overload
    def __call__(self, position: Rotary, X: Elements, /) -> Elements: ...
    @overload
    def __call__(self, position: Position | None, X: Elements, /) -> Elements: ...

turn: _Turn

class _Vocabulary(Verb[..., Any]):
    @overload
    def __call__(self, layer: Embedding, /) -> int: ...
    @overload
    def __call__(self, layer: Combinator, /) -> int | None: ...
    @overload
    def __call__(self, layer: Layer, /) -> int | None: ...

vocabulary: _Vocabulary
