"""The token mixing of MLP-Mixer: a new layer in one file."""

from dataclasses import dataclass, field

from algatt import verbs
from algatt.fields import Elements
from algatt.layers import GELU, Activation, Layer, Tensors


@dataclass(frozen=True, repr=False)
class TokenMixing(Layer):
    r"""The layer :math:`X \mapsto (D\, S(U X^T))^T`, the same for each row of X (Tolstikhin et al., arXiv
    2105.01601).
    """

    hidden: int
    activation: Activation = field(default_factory=GELU)


@verbs.tensors.method
def tensors_of_token_mixing(layer: TokenMixing, shape: tuple) -> dict[str, tuple[int, ...]]:
    _, tokens = shape
    return {"U": (layer.hidden, tokens), "D": (tokens, layer.hidden)}


@verbs.apply.method
def apply_token_mixing(layer: TokenMixing, w: Tensors, X: Elements) -> Elements:
    return (w.D @ verbs.activate(layer.activation, w.U @ X.T)).T
