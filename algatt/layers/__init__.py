"""Layers, of which networks are made: one file for each, with the paper that introduced it."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.activations import ELU as ELU
    from algatt.layers.activations import GELU as GELU
    from algatt.layers.activations import Activation as Activation
    from algatt.layers.activations import Affine as Affine
    from algatt.layers.activations import Exponential as Exponential
    from algatt.layers.activations import Power as Power
    from algatt.layers.activations import Rational as Rational
    from algatt.layers.activations import ReLU as ReLU
    from algatt.layers.activations import Score as Score
    from algatt.layers.activations import Sigmoid as Sigmoid
    from algatt.layers.activations import SiLU as SiLU
    from algatt.layers.activations import Softplus as Softplus
    from algatt.layers.activations import Tanh as Tanh
    from algatt.layers.activations import TanhGELU as TanhGELU
    from algatt.layers.base import Layer as Layer
    from algatt.layers.base import Tensors as Tensors
    from algatt.layers.class_token import ClassToken as ClassToken
    from algatt.layers.class_token import MaskToken as MaskToken
    from algatt.layers.combinators import Chain as Chain
    from algatt.layers.combinators import Concatenate as Concatenate
    from algatt.layers.combinators import EncoderDecoder as EncoderDecoder
    from algatt.layers.combinators import Named as Named
    from algatt.layers.combinators import Parallel as Parallel
    from algatt.layers.combinators import Product as Product
    from algatt.layers.combinators import Repeat as Repeat
    from algatt.layers.combinators import Residual as Residual
    from algatt.layers.combinators import Stack as Stack
    from algatt.layers.combinators import Tie as Tie
    from algatt.layers.convolution import Convolution as Convolution
    from algatt.layers.cross_heads import CrossHeads as CrossHeads
    from algatt.layers.depthwise_convolution import DepthwiseConvolution as DepthwiseConvolution
    from algatt.layers.description import describe as describe
    from algatt.layers.description import noun_of as noun_of
    from algatt.layers.differential_heads import DifferentialHeads as DifferentialHeads
    from algatt.layers.embedding import Embedding as Embedding
    from algatt.layers.entrywise import Entrywise as Entrywise
    from algatt.layers.experts import Experts as Experts
    from algatt.layers.feedforward import Feedforward as Feedforward
    from algatt.layers.heads import AcrossHeads as AcrossHeads
    from algatt.layers.heads import Heads as Heads
    from algatt.layers.latent_heads import LatentHeads as LatentHeads
    from algatt.layers.learned_position import LearnedPosition as LearnedPosition
    from algatt.layers.linear import Linear as Linear
    from algatt.layers.norms import LayerNorm as LayerNorm
    from algatt.layers.norms import LayerScale as LayerScale
    from algatt.layers.norms import RMSNorm as RMSNorm
    from algatt.layers.positions import ALiBi as ALiBi
    from algatt.layers.positions import RelativeBias as RelativeBias
    from algatt.layers.positions import Rotary as Rotary
    from algatt.layers.read_as import ReadAs as ReadAs
    from algatt.layers.readings import Capped as Capped
    from algatt.layers.readings import Logits as Logits
    from algatt.layers.readings import Probabilities as Probabilities
    from algatt.layers.readings import Reading as Reading
    from algatt.layers.routers import Router as Router
    from algatt.layers.routers import SigmoidRouter as SigmoidRouter
    from algatt.layers.routers import SoftmaxRouter as SoftmaxRouter
    from algatt.layers.scores import Causal as Causal
    from algatt.layers.scores import Mask as Mask
    from algatt.layers.scores import Pattern as Pattern
    from algatt.layers.scores import Position as Position
    from algatt.layers.scores import SoftCap as SoftCap
    from algatt.layers.scores import Unnormalized as Unnormalized
    from algatt.layers.scores import Weighting as Weighting
    from algatt.layers.scores import Window as Window
    from algatt.layers.select_tokens import MeanToken as MeanToken
    from algatt.layers.select_tokens import SelectTokens as SelectTokens
    from algatt.layers.selective_scan import SelectiveScan as SelectiveScan
    from algatt.layers.sinusoidal_position import SinusoidalPosition as SinusoidalPosition
    from algatt.layers.typed_embedding import TypedEmbedding as TypedEmbedding
    from algatt.layers.unembedding import Unembedding as Unembedding
    from algatt.layers.weightings import FeatureMap as FeatureMap
    from algatt.layers.weightings import Retention as Retention
    from algatt.layers.weightings import Sink as Sink
    from algatt.verbs import activate as activate
    from algatt.verbs import apply as apply
    from algatt.verbs import attention_weights as attention_weights
    from algatt.verbs import score_of_head as score_of_head
    from algatt.verbs import tensors as tensors

on_demand(__name__)
