"""The differential of the parametrization of one lightning layer at a point, by coefficients of quadratic forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements, Reals
from algatt.fields.real import precision_of
from algatt.geometry.equality.rounding import absolute
from algatt.geometry.fibres.arrows import jacobian_of_arrow
from algatt.geometry.singularities.singular import attention_and_values, check_one_layer
from algatt.linalg.rank import float_rank
from algatt.linalg.row_form import row_form
from algatt.parameters import AttentionMatrix, Parameters, Weights
from algatt.parameters.attention_matrix import AttentionMatrixLayer
from algatt.verbs.views import Tabled


@dataclass(frozen=True, eq=False)
class TangentSpace(Tabled):
    r"""The image and the kernel of the differential of the parametrization of one layer at a point.

    The function is given by the coefficients of the forms :math:`(a_k \cdot x)(v_m \cdot x)` (HMK Prop A.5), those of
    :math:`x_i x_j` with :math:`i \le j`, in the order of (k, m, i, j).

    Parameters
    ----------
    dimension : int
        The rank of the differential.
    image : array
        Shape (coefficients, dimension): a basis of the image as columns; orthonormal over the reals, over GF(p) the
        same for all differentials with this image.
    kernel : array
        Shape (parameters, parameters - dimension): a basis of the kernel as columns, with entries in the order of
        `flatten`; orthonormal over the reals.
    coordinates : type
        The coordinate system whose entries are moved: all of them, so in `AttentionMatrix` and `VirtualWeights` all
        entries of A, whatever the rank of the architecture is.
    status : str
        ``proven`` over GF(p), for this point over GF(p); ``numerical`` over the reals.
    """

    dimension: int
    image: Any
    kernel: Any
    coordinates: type[Parameters]
    status: str

    def __repr__(self) -> str:
        return (
            f"TangentSpace(dimension={self.dimension}, kernel={self.kernel.shape[1]}, {self.coordinates.__name__}, "
            f"{self.status})"
        )


def pairs(width: int) -> np.ndarray:
    """Return the symmetric matrix of the positions of the monomials x_i x_j, i <= j, in lexicographic order."""
    positions = np.zeros((width, width), dtype=np.intp)
    above = np.triu_indices(width)
    positions[above] = positions.T[above] = np.arange(len(above[0]))
    return positions


def differential_in_matrices(layer: AttentionMatrixLayer) -> Elements:
    """Return the differential by the entries of A and V, row by row.

    The derivative of (a_k . x)(v_m . x) by entry i of a_k is x_i (v_m . x), that by entry j of v_m is (a_k . x) x_j. So
    each entry of this matrix is zero or an entry of A or V, and no symmetric matrix is needed, which would hide the
    products x_i x_j in characteristic 2.
    """
    A, V = (element.raw for element in layer)
    outputs, width = V.shape
    position = pairs(width)
    matrix = np.zeros((width, outputs, width * (width + 1) // 2, A.size + V.size), dtype=V.dtype)
    for i in range(width):
        for k in range(width):
            matrix[k, :, position[i], i * width + k] = V.T
    for j in range(width):
        for m in range(outputs):
            matrix[:, m, position[:, j], A.size + m * width + j] = A.T
    return Elements(layer.V.field, matrix.reshape(-1, A.size + V.size))


def differential(arch: Lightning, theta: Parameters) -> Elements:
    """Return the differential of the coefficients of the forms by the entries of the parameters, as `flatten` lists
    them.
    """
    matrix = differential_in_matrices(attention_and_values(arch, theta))
    return matrix @ jacobian_of_arrow(theta, AttentionMatrix) if isinstance(theta, Weights) else matrix


def image_and_kernel(matrix: Elements, gap: float | None, size: float) -> tuple[Elements, Elements]:
    """Return bases of the image and of the kernel of a matrix, as columns, from one decision about its rank."""
    field, (height, width) = matrix.field, matrix.shape
    if field.exact:
        form = row_form(matrix.T)
        combinations = Elements(field, form.transform.raw[form.rank :])  # of the columns of the matrix to zero
        return form.form.T, combinations.T
    left, singular_values, right = np.linalg.svd(matrix.raw, full_matrices=height < width)
    rank = float_rank(singular_values, matrix.shape, gap, size, precision_of(field)).rank
    return Elements(field, left[:, :rank]), Elements(field, right[rank:].T)


@verbs.tangent_space.method
def tangent_space_of_one_layer(arch: Lightning, theta: Parameters, *, gap: float | None = None) -> TangentSpace:
    check_one_layer(arch)
    bound = (
        differential(arch, absolute(theta)).raw if isinstance(theta.field, Reals) else np.zeros(1)
    )  # of the sums that are rounded
    image, kernel = image_and_kernel(differential(arch, theta), gap, float(np.linalg.norm(bound)))
    return TangentSpace(image.shape[1], image.public(), kernel.public(), type(theta), theta.field.status)
