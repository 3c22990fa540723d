"""Linear attention."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.arguments import instance, truth
from algatt.fields import Elements
from algatt.layers.activations import ELU, Activation, Power
from algatt.layers.scores import Unnormalized, Weighting

__all__ = ["FeatureMap"]


@dataclass(frozen=True, repr=False)
class FeatureMap(Weighting):
    r"""Linear attention: weights :math:`\phi(k_j)^T \phi(q) / \sum_l \phi(k_l)^T \phi(q)` (Katharopoulos et al., arXiv
    2006.16236).

    Parameters
    ----------
    features : Activation, optional
        The function phi of the entries of keys and queries; elu + 1, ``ELU(shift=1)``, unless given.
    normalized : bool, optional
        Whether the products are divided by their sum; true unless given.

    Raises
    ------
    InvalidArgument
        If the features are no activation.
    """

    features: Activation = field(default_factory=lambda: ELU(shift=1))
    normalized: bool = True

    def __post_init__(self) -> None:
        instance("features", self.features, Activation, "an activation, such as algatt.layers.ELU(shift=1)")
        object.__setattr__(self, "normalized", truth("normalized", self.normalized))


@verbs.attend.method
def attend_by_features(
    score: FeatureMap,
    keys: Elements,
    queries: Elements,
    values: Elements,
    *,
    mask: np.ndarray | None = None,
    bias: object = None,
) -> Elements:
    products = Power(1) if score.normalized else Unnormalized()
    phi_keys, phi_queries = (verbs.activate(score.features, one) for one in (keys, queries))
    mixed: Elements = verbs.attend(products, phi_keys, phi_queries, values, mask=mask, bias=bias)
    return mixed
