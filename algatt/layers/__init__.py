"""Layers, of which networks are made: one file for each, with the paper that introduced it."""

from algatt.loading import load_below

load_below(__name__)

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
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators import Chain, EncoderDecoder, Named, Parallel, Residual, Stack, Tie
from algatt.layers.convolution import Convolution
from algatt.layers.cross_heads import CrossHeads
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
from algatt.layers.sinusoidal_position import SinusoidalPosition
from algatt.layers.unembedding import Unembedding
from algatt.verbs import (
    activate,
    apply,
    attend,
    attention_weights,
    bias_scores,
    mask_matrix,
    normalize_heads,
    read,
    route,
    tensors,
    turn,
    vocabulary,
)

__all__ = [
    "GELU",
    "ALiBi",
    "AcrossHeads",
    "Activation",
    "Affine",
    "Capped",
    "Causal",
    "Chain",
    "Convolution",
    "CrossHeads",
    "Embedding",
    "EncoderDecoder",
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
    "SinusoidalPosition",
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
