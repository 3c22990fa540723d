"""The state space of Mamba."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import whole
from algatt.fields import Elements, concatenate
from algatt.layers.activations import Softplus
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class SelectiveScan(Layer):
    r"""The layer :math:`x_t \mapsto H_t C x_t + D * x_t` with a state :math:`H_t = e^{-\Delta_t e^A} * H_{t-1} +
    (\Delta_t * x_t) (B x_t)^T` (Gu and Dao, arXiv 2312.00752).

    The step :math:`\Delta_t` is softplus of :math:`U L x_t + b`. Row c of H is the state of row c of X, and
    :math:`\Delta_t e^A` has the row :math:`\Delta_{tc} e^{A_c}`.

    Parameters
    ----------
    states : int
        The number N of columns of the state.
    rank : int
        The rank of U L.

    Raises
    ------
    InvalidArgument
        If a number is no integer >= 1.

    Notes
    -----
    The tensors are ``A`` (d, N), ``B`` (N, d), ``C`` (N, d), ``D`` (d, 1), L, ``low`` (rank, d), U, ``up`` (d, rank),
    and ``b`` (d, 1). The entries of A are the logarithms of how fast states decay, as checkpoints have them. In a
    network it is called ``scan``.
    """

    states: int
    rank: int

    def __post_init__(self) -> None:
        for name in ("states", "rank"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))

    @property
    def name(self) -> str:
        return "scan"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(2, 1), (2, 2)),)


@verbs.tensors.method
def tensors_of_selective_scan(layer: SelectiveScan, shape: tuple) -> dict[str, TensorShape]:
    d, N, r = shape[0], layer.states, layer.rank
    return {"A": (d, N), "B": (N, d), "C": (N, d), "D": (d, 1), "low": (r, d), "up": (d, r), "b": (d, 1)}


@verbs.apply.method
def apply_selective_scan(layer: SelectiveScan, w: Tensors, X: Elements) -> Elements:
    steps = verbs.activate(Softplus(), w.up @ (w.low @ X) + w.b)
    written, read, decay = w.B @ X, w.C @ X, w.A.exp()

    def new(token: int) -> Elements:
        return steps[:, [token]] * written[:, [token]].T * X[:, [token]]

    H = new(0)
    values = [H @ read[:, [0]]]
    for token in range(1, X.shape[-1]):
        H = (-(steps[:, [token]] * decay)).exp() * H + new(token)
        values.append(H @ read[:, [token]])
    return concatenate(values, axis=1) + w.D * X
