"""The numbers of a certificate, computed a second time: plain Python integers and FLINT, the chain rule by hand, no
numpy and no dual numbers.

Nothing here may import the code whose results it checks.
"""

from algatt.certificates.version_1.recompute.gradients import (
    determinant,
    enclosed_determinant,
    gradient,
    jacobian_minor,
    rank_of_exponents,
    traces,
    value,
)
from algatt.certificates.version_1.recompute.points import (
    ModularPoint,
    Network,
    RealPoint,
    integers,
    modular_point,
    real_point,
    root_exponent,
    stream,
)
from algatt.certificates.version_1.recompute.scores import SCORES, Score, score_of
from algatt.certificates.version_1.recompute.tangents import FAMILIES, families_of, tangent_minor, tangent_rows

__all__ = [
    "FAMILIES",
    "SCORES",
    "ModularPoint",
    "Network",
    "RealPoint",
    "Score",
    "determinant",
    "enclosed_determinant",
    "families_of",
    "gradient",
    "integers",
    "jacobian_minor",
    "modular_point",
    "rank_of_exponents",
    "real_point",
    "root_exponent",
    "score_of",
    "stream",
    "tangent_minor",
    "tangent_rows",
    "traces",
    "value",
]
