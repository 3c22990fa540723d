"""Layers, of which networks are made: one file for each, with the paper that introduced it."""

from algatt.loading import load_below

load_below(__name__)

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
from algatt.layers.base import Layer, Tensors
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
    score_of_head,
    source,
    tensors,
    turn,
    vocabulary,
)

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
