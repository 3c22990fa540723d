"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any, overload

import galois
import numpy as np

from algatt.dispatch import Verb
from algatt.fields.base import Elements, Field
from algatt.fields.prime import PrimeField
from algatt.fields.real import Reals
from algatt.fields.scalar import Rationals
from algatt.linalg import multiply as multiply
from algatt.linalg import rational as rational
from algatt.linalg import reduced as reduced
from algatt.linalg import roots as roots
from algatt.linalg.ball_rank import RankLowerBound
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto, Blas, Engine, Flint, Galois, Gpu
from algatt.linalg.generated import GeneratedMatrix
from algatt.linalg.rank import RankVerdict
from algatt.linalg.row_space import RowSpace
from algatt.linalg.tiled import Tiled, TiledRank, rank_on_workers
from algatt.symmetry.arranged import ArrangedElement
from algatt.symmetry.arrows.folded import FoldedElement
from algatt.symmetry.arrows.mixtures import MixtureElement
from algatt.symmetry.arrows.vector_element import Vector
from algatt.symmetry.base import InvertibleElement
from algatt.symmetry.group import Linear, ProductElement
from algatt.symmetry.swap import SwapElement
from algatt.symmetry.tensors_element import TensorsElement
from algatt.symmetry.translation import TranslationElement

__all__ = [
    "Auto",
    "Blas",
    "Echelon",
    "Engine",
    "Flint",
    "Galois",
    "GeneratedMatrix",
    "Gpu",
    "RankLowerBound",
    "RankVerdict",
    "RowSpace",
    "Tiled",
    "TiledRank",
    "determinant",
    "echelon",
    "exact_rank",
    "inverse",
    "is_invertible",
    "kernel",
    "multiply",
    "rank",
    "rank_on_workers",
    "rational",
    "reduced",
    "root",
    "roots",
    "row_reduce",
    "solve",
]

class _Determinant(Verb[..., Any]):
    def __call__(self, matrix: Any, /) -> Any: ...

determinant: _Determinant

class _Echelon(Verb[..., Any]):
    def __call__(self, matrix: Any, /, *, engine: Engine | None = None) -> Echelon: ...

echelon: _Echelon

class _ExactRank(Verb[..., Any]):
    @overload
    def __call__(self, engine: Tiled, field: PrimeField, raw: np.ndarray, /) -> int: ...
    @overload
    def __call__(self, engine: Flint, field: PrimeField, raw: np.ndarray, /) -> int: ...
    @overload
    def __call__(self, engine: Galois, field: PrimeField, raw: np.ndarray, /) -> int: ...
    @overload
    def __call__(self, engine: Gpu, field: PrimeField, raw: np.ndarray, /) -> int: ...
    @overload
    def __call__(self, engine: Blas, field: PrimeField, raw: np.ndarray, /) -> int: ...
    @overload
    def __call__(self, engine: Auto, field: PrimeField, raw: np.ndarray, /) -> int: ...
    @overload
    def __call__(self, engine: Engine, field: PrimeField, raw: np.ndarray, /) -> int: ...

exact_rank: _ExactRank

class _Inverse(Verb[..., Any]):
    @overload
    def __call__(self, matrix: Elements, /) -> Elements: ...
    @overload
    def __call__(self, matrix: ArrangedElement, /) -> ArrangedElement: ...
    @overload
    def __call__(self, matrix: Vector, /) -> Vector: ...
    @overload
    def __call__(self, matrix: MixtureElement, /) -> MixtureElement: ...
    @overload
    def __call__(self, matrix: FoldedElement, /) -> FoldedElement: ...
    @overload
    def __call__(self, matrix: SwapElement, /) -> SwapElement: ...
    @overload
    def __call__(self, matrix: ProductElement, /) -> ProductElement: ...
    @overload
    def __call__(self, matrix: TranslationElement, /) -> TranslationElement: ...
    @overload
    def __call__(self, matrix: Linear, /) -> Linear: ...
    @overload
    def __call__(self, matrix: TensorsElement, /) -> TensorsElement: ...
    @overload
    def __call__(self, matrix: InvertibleElement, /) -> InvertibleElement: ...
    @overload
    def __call__(self, matrix: Any, /) -> Any: ...

inverse: _Inverse

class _IsInvertible(Verb[..., Any]):
    def __call__(self, matrix: Any, /, *, gap: float | None = None) -> bool: ...

is_invertible: _IsInvertible

class _Kernel(Verb[..., Any]):
    @overload
    def __call__(
        self,
        matrix: Elements,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        matrix: Any,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> Any: ...

kernel: _Kernel

class _Rank(Verb[..., Any]):
    @overload
    def __call__(
        self,
        matrix: Elements,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int | RankVerdict | RankLowerBound: ...
    @overload
    def __call__(
        self,
        matrix: GeneratedMatrix,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int: ...
    @overload
    def __call__(
        self,
        matrix: galois.FieldArray,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int: ...
    @overload
    def __call__(
        self,
        matrix: np.ndarray[Any, np.dtype[np.number]],
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> RankVerdict: ...
    @overload
    def __call__(
        self,
        matrix: np.ndarray,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int | RankVerdict | RankLowerBound: ...

rank: _Rank

class _Root(Verb[..., Any]):
    @overload
    def __call__(self, field: Reals, raw: np.ndarray, degree: int, /) -> np.ndarray | None: ...
    @overload
    def __call__(self, field: Rationals, raw: np.ndarray, degree: int, /) -> np.ndarray | None: ...
    @overload
    def __call__(self, field: PrimeField, raw: np.ndarray, degree: int, /) -> np.ndarray | None: ...
    @overload
    def __call__(self, field: Field, raw: np.ndarray, degree: int, /) -> np.ndarray | None: ...

root: _Root

class _RowReduce(Verb[..., Any]):
    @overload
    def __call__(self, engine: Tiled, field: PrimeField, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Flint, field: PrimeField, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Galois, field: PrimeField, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Gpu, field: PrimeField, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Blas, field: PrimeField, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Auto, field: PrimeField, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Auto, field: Rationals, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Engine, field: Rationals, raw: np.ndarray, /) -> Echelon: ...
    @overload
    def __call__(self, engine: Engine, field: Field, raw: np.ndarray, /) -> Echelon: ...

row_reduce: _RowReduce

class _Solve(Verb[..., Any]):
    def __call__(self, matrix: Any, right: Any, /, *, engine: Engine | None = None) -> Any: ...

solve: _Solve
