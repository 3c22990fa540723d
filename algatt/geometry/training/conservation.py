"""The quantities that the gradient flow of every loss keeps, and whether they are all of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.architectures.network import arrangement_of
from algatt.arguments import truth
from algatt.display import Rows, Summary, Worth
from algatt.errors import ConditionFailed
from algatt.fields import Balls, Elements, Field, FloatBalls, PrimeField
from algatt.geometry.training.brackets.gradient_algebra import GradientAlgebra, gradient_algebra
from algatt.geometry.training.brackets.gradient_fields import fields_of
from algatt.geometry.training.brackets.real_fields import RealFields
from algatt.geometry.training.law import ConservationLaw, flat
from algatt.geometry.training.naming import laws_of
from algatt.parameters import Weights
from algatt.plain import written
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized


@dataclass(frozen=True, eq=False)
class ConservationLaws(Summarized):
    """The conservation laws of a network; `algatt.conservation_laws` makes them.

    Parameters
    ----------
    architecture : Architecture
        The network.
    laws : tuple of ConservationLaw
        The laws, linearly independent polynomials. Each is proven: it is a symmetry that the program of the network
        shows.
    parameters : int
        The number of parameters.
    independent : int
        The number of laws that are functionally independent: the rank of their differentials at random weights modulo a
        prime, a lower bound of that at almost all real weights.
    rank : int or None
        A lower bound of the dimension of the Lie algebra that the gradients generate, at almost all weights, or with
        gates near those of the seed, whose gates are taken; None if it was not computed.
    depth : int or None
        The number of gradients in the longest brackets that were needed for it.
    field : Field or None
        Where the rank was proven: modulo a prime, or by balls at a real point.
    reason : str or None
        Why there is no rank.
    seed : int
        Names the random weights and inputs.
    """

    architecture: Architecture
    laws: tuple[ConservationLaw, ...]
    parameters: int
    independent: int
    rank: int | None
    depth: int | None
    field: Field | None
    reason: str | None
    seed: int

    @property
    def missing(self) -> int | None:
        """Maximum number of further independent quantities, of any form: parameters less `independent` and `rank`."""
        return None if self.rank is None else self.parameters - self.independent - self.rank

    @property
    def status(self) -> str:
        """``proven`` if there are no further quantities, otherwise ``probable``: that the laws are all there are is not
        proven, and they are proven all the same.
        """
        return "proven" if self.missing == 0 else "probable"

    @property
    def quantities(self) -> dict[str, int]:
        """The quantities by name, each with the number of its entries that are laws."""
        return {name: len(list(laws)) for name, laws in groupby(self.laws, lambda law: law.quantity)}

    @property
    def latex(self) -> str:
        """The quantities in LaTeX, one a line."""
        return "\n".join(dict.fromkeys(law.latex for law in self.laws))

    def values(self, theta: Weights) -> Any:
        """Return the values of all laws at weights, over the field of these: one entry for each law.

        Raises
        ------
        InvalidArgument
            If they are not weights of the network.
        """
        column = flat(self.architecture, theta)
        raw = [law.value(column).raw[0] for law in self.laws]
        empty = verbs.encode(theta.field, np.zeros((0,), dtype=np.int64))
        return Elements(theta.field, np.concatenate(raw) if raw else empty).public()

    def __len__(self) -> int:
        return len(self.laws)

    def __repr__(self) -> str:
        missing = "?" if self.missing is None else self.missing
        return f"ConservationLaws({len(self)} laws, {self.independent} independent, {missing} missing, {self.status})"

    def to_dict(self) -> dict[str, Any]:
        """Return the laws as plain values for JSON."""
        names = "parameters independent rank depth missing status reason laws seed"
        field = None if self.field is None else str(self.field)
        return {"architecture": self.architecture.description(), **written(self, names), "field": field}


def conservation_laws(arch: NetworkLike, *, seed: int = 0, complete: bool = True) -> ConservationLaws:
    r"""Return the quantities that the gradient flow of every loss keeps, read off the symmetries of a network.

    A symmetry that moves weights by :math:`\delta \theta = A \theta + c` with a symmetric matrix A keeps
    :math:`\theta^T A \theta / 2 + c^T \theta` along :math:`\theta' = -\nabla L(\theta)`, whatever the loss L of the
    function is: this velocity is a gradient, and orthogonal to that of L. Rotations keep nothing. The gradient is that
    of the inner product in which all entries of tensors are orthonormal; layers that are tied are one tensor.

    All quantities are at most as many as the parameters less the dimension of the Lie algebra that the gradients of
    the values generate (S. Marcotte, R. Gribonval, G. Peyré, arXiv:2307.00144), which is bounded from below by brackets
    at random weights modulo a prime, or at a real point by balls, as for networks that read tokens and have
    exponentials. Where the laws are as many, they are all: `status` is ``proven``.

    Cost: the equations of motions of the program; then about as many gradients as parameters, and for n dimensions of
    symmetries that keep nothing some 2 n products of Hessian matrices with vectors.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the random weights and inputs.
    complete : bool, optional
        Whether the Lie algebra is looked at. Without it, `missing` is not known.

    Returns
    -------
    ConservationLaws

    Raises
    ------
    InvalidArgument
        If it is no network, or the seed no integer >= 0.
    MethodError
        If an operation of the network has no rule for motions.

    Examples
    --------
    >>> import algatt
    >>> laws = algatt.conservation_laws(algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=2))
    >>> laws
    ConservationLaws(4 laws, 4 independent, 0 missing, proven)
    >>> laws.quantities
    {'Q_1 Q_1^T - K_1 K_1^T': 3, '|K_1|^2 - |V_1|^2': 1}
    """
    arch = as_architecture(arch)
    check_seed(seed)
    truth("complete", complete)
    laws = laws_of(arch)
    independent = rank_of_differentials(arch, laws, seed)
    found: Found = None, None, "the Lie algebra was not looked at"
    if complete:
        arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
        base = arch if arrangement is None else arrangement.network  # the same weights in another order
        found = algebra_of(base, arch.parameters - independent, seed)
    algebra, field, reason = found
    rank, depth = (None, None) if algebra is None else (algebra.rank, algebra.depth)
    return ConservationLaws(arch, laws, arch.parameters, independent, rank, depth, field, reason, seed)


Found = tuple[GradientAlgebra | None, Field | None, str | None]
"""What is known of a Lie algebra, over which field, and why nothing is known."""


def algebra_of(arch: Architecture, target: int, seed: int) -> Found:
    """Return the Lie algebra of gradients modulo a prime, or at a real point where nothing is known modulo a prime: by
    balls in float64, or by those of Arb where floats see a rank that they do not prove.
    """
    try:
        modular = fields_of(arch, seed)
        return gradient_algebra(modular, target), modular.field, None
    except ConditionFailed as error:
        reason = str(error)
    try:
        for balls in (FloatBalls(), Balls()):
            real = RealFields(arch, seed, balls)
            algebra = gradient_algebra(real, target)
            if algebra.rank == real.found.seen:
                break
        return algebra, real.field, None
    except ConditionFailed as error:
        return None, None, f"{reason}; {error}"


def rank_of_differentials(arch: Architecture, laws: tuple[ConservationLaw, ...], seed: int) -> int:
    """Return the rank of the differentials of laws at random weights modulo a prime."""
    if not laws:
        return 0
    field = PrimeField()
    theta = flat(arch, verbs.sample(arch, Weights, field=field, seed=seed))
    return int(verbs.rank(Elements(field, np.concatenate([law.gradient(theta).raw.T for law in laws]))))


@verbs.summarize.method
def summary_of_laws(found: ConservationLaws) -> Summary:
    title = f"{found.independent} conserved quantities of {found.parameters} parameters"
    rows: Rows = [(f"  {name}", entries_in_words(found, name)) for name in found.quantities]
    if found.rank is None:
        rows.append(("further quantities", f"not known: {found.reason}"))
    else:
        brackets = "gradients" if found.depth == 1 else f"gradients and brackets of at most {found.depth}"
        further = "none" if found.missing == 0 else f"at most {found.missing}"
        rows += [
            ("further quantities", further),
            ("Lie algebra", f"rank {found.rank}, by {brackets}, over {found.field}"),
        ]
    rows.append(("point", f"seed {found.seed}"))
    return Summary(title, rows, Worth(found.status))


def entries_in_words(found: ConservationLaws, quantity: str) -> str:
    """Return which entries of a quantity are laws."""
    entries = [law.entry for law in found.laws if law.quantity == quantity]
    count = len(entries)
    if entries == [None]:
        return "a number"
    if any(entry is None for entry in entries):
        return f"{count} numbers"
    if all(entry is not None and len(entry) == 2 and entry[0] == entry[1] for entry in entries):
        return f"its diagonal, {count}"
    return f"{count} entries"
