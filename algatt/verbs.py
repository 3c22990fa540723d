"""The vocabulary: every generic function of the package, declared once and without a body.

Each verb chooses its method by the types of all its positional arguments; the methods are written beside the nouns that they are about.
``algatt.methods(verb)`` lists them. Keyword-only parameters are options and take no part in the choice. Where a verb is exact over one field and
numerical over another, its docstring says so.
"""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

# ---------------------------------------------------------------------------------------------------------------------------------------------
# Arithmetic: the field is a parent, as in AbstractAlgebra.jl, and the arrays are its raw representation.


@declare
def encode(field: Any, array: Any, *, argument: str = "array") -> Any:
    """Turn a public array (galois array, numpy array, integers) into the raw representation of `field`.

    Raises
    ------
    InvalidArgument
        Naming `argument`, if entries are not in the field.
    """


@declare
def embed(field: Any, constants: Any) -> Any:
    """Turn constants of an architecture into the raw representation of `field`: integers by the homomorphism from Z, other arrays by `encode`."""


@declare
def decode(field: Any, raw: Any) -> Any:
    """Turn a raw representation into the public array: a galois array over GF(p), a numpy array over the reals."""


@declare
def draw_array(field: Any, *, shape: tuple[int, ...], seed: int, label: str) -> Any:
    """Return a raw array of random elements of `field`, drawn from the stream (seed, label) of `algatt.randomness`."""


@declare
def add(field: Any, left: Any, right: Any) -> Any:
    """Add two raw arrays entry by entry, with broadcasting."""


@declare
def negate(field: Any, raw: Any) -> Any:
    """Negate a raw array."""


@declare
def multiply(field: Any, left: Any, right: Any) -> Any:
    """Multiply two raw arrays entry by entry, with broadcasting."""


@declare
def transpose(field: Any, raw: Any) -> Any:
    """Exchange the last two axes of a raw array."""


@declare
def product(field: Any, left: Any, right: Any) -> Any:
    r"""Multiply raw matrices, :math:`C_{ij} = \sum_k A_{ik} B_{kj}`, batched over all axes but the last two.

    Exact over GF(p); rounded over the reals. Cost: one matrix product per shared batch index; batch axes of only one factor are folded
    into its rows or columns.
    """


@declare
def reciprocal(field: Any, raw: Any) -> Any:
    """Return the reciprocals of the entries of a raw array: exact over GF(p), enclosed over balls, rounded over the reals.

    Raises
    ------
    DivisionByZero
        If an entry is zero, or a ball contains it.
    ScoreOverflow
        If an entry is no longer finite in floating point.
    """


@declare
def exp(field: Any, raw: Any) -> Any:
    r"""Return :math:`e^x` for the entries x of a raw array: enclosed over balls, rounded over the reals; prime fields have no exponential."""


@declare
def column_maximum(field: Any, raw: Any) -> Any:
    """Return constants about as large as the largest entry of each column of raw matrices: shape (..., 1, columns), without derivatives.

    Raises
    ------
    ScoreOverflow
        If an entry is no longer finite.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Linear algebra


@declare
def inverse(matrix: Any) -> Any:
    """Return the inverse of a square matrix, or of a group element; exact over GF(p), rounded over the reals.

    Cost: an elimination of n x 2n.

    Raises
    ------
    SingularMatrix
        If there is none.
    """


@declare
def exact_rank(engine: Any, field: Any, raw: Any) -> Any:
    """Return the rank of a raw matrix over GF(p). Exact. Cost: O(rows * columns * rank)."""


@declare
def row_reduce(engine: Any, field: Any, raw: Any) -> Any:
    """Return the reduced row echelon form of a raw matrix over GF(p), as an `Echelon`.

    The form is unique, so every engine returns the same. Exact. Cost: O(rows * columns * rank).
    """


@declare
def rank(matrix: Any, *, engine: Any = None, gap: float = 1e3) -> Any:
    """Return the rank of a matrix.

    Parameters
    ----------
    matrix : galois.FieldArray or numpy.ndarray
        Shape (rows, columns). An array of `flint.arb` is a matrix of balls.
    engine : Engine, optional
        The exact algorithm: `Auto` (default), `Blas`, `Galois` or `Flint`. Not used for floats.
    gap : float, optional
        For floats: the ratio between neighbouring singular values that decides.

    Returns
    -------
    int, RankVerdict or RankLowerBound
        An exact int over GF(p); for floats a `RankVerdict(rank, gap)`; for balls a proven `RankLowerBound(rank, rows, columns)`, with a minor that
        does not vanish for any matrix inside.

    Raises
    ------
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


@declare
def echelon(matrix: Any, *, engine: Any = None) -> Any:
    """Return the reduced row echelon form of a matrix over GF(p) as an `Echelon`: its rows that are not zero, and its pivots.

    Exact. Cost: O(rows * columns * rank).

    Raises
    ------
    InvalidArgument
        If `matrix` is no galois matrix.
    """


@declare
def determinant(matrix: Any) -> Any:
    """Return the determinant of a square galois matrix, an int in 0..p-1. Exact. Cost: an elimination.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square, or not a galois matrix.
    """


@declare
def is_invertible(matrix: Any, *, gap: float = 1e3) -> Any:
    """Say whether a square matrix is invertible: exact over GF(p); for floats under the same condition on the gap as `rank`.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square.
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


@declare
def solve(matrix: Any, right: Any, *, engine: Any = None) -> Any:
    """Return a solution X of ``matrix @ X == right`` over GF(p), with zeros where it may be chosen freely.

    All solutions are X plus combinations of the columns of ``kernel(matrix)``. Exact. Cost: one elimination.

    Parameters
    ----------
    matrix : galois.FieldArray
        Shape (rows, columns).
    right : galois.FieldArray
        Shape (rows,) or (rows, sides).

    Raises
    ------
    InvalidArgument
        If the arrays are no galois arrays over one field, or their shapes do not fit.
    NoSolution
        If there is no solution.
    """


@declare
def kernel(matrix: Any, *, engine: Any = None, gap: float = 1e3) -> Any:
    """Return a basis of the right null space as columns: N of shape (columns, columns - rank) with ``matrix @ N == 0``.

    Exact over GF(p); for floats an orthonormal basis, under the same condition on the gap as `rank`.

    Raises
    ------
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Parameters


@declare
def sample(arch: Any, coordinates: Any, *, field: Any = None, seed: int = 0) -> Any:
    """Draw random parameters of an architecture.

    Parameters
    ----------
    arch : Architecture
        The network.
    coordinates : type
        `Weights`, `AttentionMatrix` or `VirtualWeights`; the latter two are the images of the weights of the same seed.
    field : Field, optional
        ``PrimeField()`` unless given: uniform residues. Over the reals: uniform on [-sqrt 3, sqrt 3), of variance 1.
    seed : int, optional
        Names the point; the same on every platform.

    Raises
    ------
    InvalidArgument
        If the seed is not an integer >= 0.
    """


@declare
def sample_inputs(arch: Any, *, field: Any = None, seed: int = 0, count: int = 1, start: int = 0) -> Any:
    """Draw the random inputs number `start` to `start + count - 1` of a seed, as a public array of shape (count, d_0, t)."""


@declare
def shapes(arch: Any, coordinates: Any) -> Any:
    """Return the shapes of the parameter arrays of an architecture in one coordinate system, in the order of `flatten`."""


@declare
def flatten(theta: Any) -> Any:
    """Return all parameters as one public vector: the arrays in the order of the layers, each row by row."""


@declare
def unflatten(arch: Any, coordinates: Any, vector: Any, *, field: Any = None) -> Any:
    """Return the parameters that `flatten` to `vector`.

    Raises
    ------
    InvalidArgument
        If the vector does not have the number of parameters of the architecture, or its entries are not in the field.
    """


@declare
def convert(theta: Any, coordinates: Any) -> Any:
    r"""Carry parameters along the quotient arrows Weights -> AttentionMatrix -> VirtualWeights.

    :math:`A_i = K_i^T Q_i` (HMK Eq 3), then :math:`M_i = L_{i-1}^T A_i L_{i-1}`, :math:`L_i = V_i \cdots V_1` (HMK Eq 8). Exact over GF(p).
    Cost: a few matrix products for each layer.

    Raises
    ------
    MethodError
        Against an arrow: a quotient forgets.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Maps


@declare
def evaluate(arch: Any, theta: Any, inputs: Any) -> Any:
    """Evaluate the network at inputs whose tokens are columns.

    Parameters
    ----------
    arch : Architecture or networkx.DiGraph
        The network; or a graph made by `unroll`, with `theta` in `VirtualWeights`: then each node is multiplied out once, children before parents,
        so that a dag takes 6 l - 2 matrix products, and a tree (3^{l+1} - 1) / 2.
    theta : Parameters
        In any coordinate system. Of a point in a quotient only the shapes are checked, not whether it is the image of weights of this architecture.
    inputs : array
        Shape (d_0, t) or (batch, d_0, t), over the field of `theta`.

    Returns
    -------
    array
        Shape (d_l, t) or (batch, d_l, t). Exact over GF(p). Cost: linear in the number of tokens.

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit.
    """


@declare
def score_values(score: Any, products: Any) -> Any:
    r"""Return :math:`S(x)` for every entry x of an array of `Elements`; a score of one's own says this in ring operations, ``/`` and ``.exp()``.

    Exact over GF(p) where the score is a rational function; enclosed over balls; rounded over the reals. Derivatives come with it.

    Raises
    ------
    DivisionByZero
        At a pole of the score.
    """


@declare
def attention_weights(score: Any, products: Any) -> Any:
    r"""Return :math:`W_{ji} = S(p_{ji}) / \sum_k S(p_{ki})`, scores normalised over the key index, for matrices p of `Elements` (HMK Eq 15).

    The columns of W add up to one. Cost: linear in the entries.

    Raises
    ------
    DivisionByZero
        Where a sum vanishes.
    ScoreOverflow
        If the scores are too large for floating point.
    """


@declare
def parametrization(arch: Any, coordinates: Any) -> Any:
    """Return the map phi from parameters to functions: ``phi(theta)`` is callable and ``phi(theta)(X)`` its value (HMK Eq 5)."""


@declare
def jacobian(arch: Any, theta: Any, inputs: Any) -> Any:
    """Return the Jacobian of the values at `inputs` by the parameters, by dual numbers.

    Returns
    -------
    array
        Shape (batch * d_l * t, number of parameters); rows ordered (input, output row, token), columns as in `flatten`. In the coordinates
        `AttentionMatrix` the columns are all entries of the A_i, whatever their rank. Exact over GF(p).

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit.
    """


@declare
def gradients(arch: Any, theta: Any, inputs: Any, *, outputs: Any) -> Any:
    """Return one row of the Jacobian for each input: row k is the derivative of entry ``outputs[k]`` of the value at input k.

    Entries are numbered row by row, so this is row ``k * d_l * t + outputs[k]`` of `jacobian`. It takes and returns `Elements`. Exact over GF(p).
    Cost: a few evaluations for each row, where `jacobian` takes a few evaluations for each parameter and gives all rows of an input.

    Raises
    ------
    InvalidArgument
        If there is not one entry of the value for each input.
    """


@declare
def degree(arch: Any) -> Any:
    """Return bounds `Degree` of the degrees of the network's values in the weights and in the inputs, read off the architecture itself."""


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Symmetry


@declare
def members(family: Any, arch: Any) -> Any:
    """Return the tuple of symmetries of the class `family` that leave the functions of `arch` unchanged; empty if there are none."""


@declare
def symmetries(arch: Any) -> Any:
    """Return the symmetry families of an architecture: each with `name`, `dimension`, `element(theta, seed)` and `tangents(theta)`."""


@declare
def act(element: Any, theta: Any) -> Any:
    """Apply a group element to parameters; the function they define stays the same, exactly."""


@declare
def compose(left: Any, right: Any) -> Any:
    """Return the product of two group elements: ``act(compose(g, h), theta) == act(g, act(h, theta))``.

    Elements of one family give one of that family, others a `ProductElement`. Exact over GF(p). Cost: a matrix product for each factor.

    Raises
    ------
    InvalidArgument
        If elements of one family differ in field or sizes.
    """


@declare
def identity(family: Any, field: Any) -> Any:
    """Return the identity of the group of a symmetry family over a field."""


@declare
def exponential(family: Any, tangent: Any) -> Any:
    r"""Return the group element :math:`\exp(c)` over the reals.

    Parameters
    ----------
    family : Symmetry
        A family of linear groups: `KeyQuery`, `Interlayer`, `Rescaling` or `ParallelTokens`.
    tangent : sequence of array
        Square matrices c_i of the Lie algebra, one for each matrix of a group element (numbers for `Rescaling`).

    Raises
    ------
    InvalidArgument
        If the sizes do not fit, or the matrices are not in the Lie algebra.
    """


@declare
def orbit_dimension(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Return the dimension of the orbit of `theta` under all symmetries: the rank of their tangents there, in the coordinates of `theta`.

    Exact over GF(p). Cost: an elimination of as many rows as the groups have dimensions.

    Raises
    ------
    RankUndecided
        Over the reals, if the singular values have no gap.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Geometry


@declare
def expected_dimension(arch: Any) -> Any:
    """Return the dimension of the neuromanifold by the theorem that covers `arch` (HMK Cor 3.3 or Cor 3.8), or None where no hypothesis holds."""


@declare
def formulas(arch: Any) -> Any:
    """Return the closed formulas for the dimension of `arch`: each a `Formula` with its value, its source and whether it is a theorem."""


@declare
def dimension(arch: Any, *, seed: int = 0, field: Any = None, error: float = 1e-6, gap: float = 1e3, progress: Any = None) -> Any:
    """Compute the dimension of the neuromanifold: the generic rank of the Jacobian of theta -> phi_theta (HMK Eq 5).

    The rank of the Jacobian at any point over GF(p) is a lower bound over Q, the number of parameters less the rank of the symmetries' tangents is an
    upper bound. Where they meet the dimension is `proven`; otherwise it is `probable` and the report has an error bound. For scores that have no
    values over GF(p), such as softmax, the lower bound is a minor of the Jacobian at a real point whose enclosure by balls excludes zero; where it
    falls short with the highest precision, 2048 bits, the answer is `numerical`, between two proven bounds.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the first point; further ones take the seeds after it.
    field : Field, optional
        The first field, ``PrimeField()`` unless given; other primes follow if it falls short. ``Balls()`` is taken for scores that have no values
        over GF(p), and may be given for others; its precision is the first, doubled while it falls short. ``Reals()`` gives a `numerical` answer.
    error : float, optional
        Where there is no proof: points are tried until the probability that all of them missed a larger rank modulo their primes is at most this, or
        twelve were tried. The report has the probability that was reached.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides.
    progress : callable, optional
        Called as ``progress(rank, upper)`` while the rank grows; over balls with the number of rows that are enclosed at the present precision.

    Returns
    -------
    DimensionReport

    Raises
    ------
    InvalidArgument
        If `seed` or `error` is out of range, or the architecture has no values over `field`.
    SymmetryError
        If a symmetry that the architecture declares changes its function.
    RankUndecided
        Over the reals, if the singular values have no gap, or one that is not where the symmetries or the rank over a prime field say.
    DivisionByZero
        If a denominator vanishes at all of many random inputs over a small field.
    """


@declare
def fiber_dimensions(arch: Any, *, seed: int = 0) -> Any:
    """Return what each arrow of the tower Weights -> AttentionMatrix -> VirtualWeights -> function forgets, as a tuple of three `Arrow`.

    Each is measured by itself, as the difference of the ranks of two derivatives at random weights over GF(p), beside the value of its theorem
    (HMK Lemma 3.1, Lemma 3.5, Theorem 3.2 or 3.7). Cost: a few eliminations of as many columns as there are parameters.
    """


@declare
def same_function(arch: Any, theta1: Any, theta2: Any, *, seed: int = 0, error: float = 1e-9, tolerance: float = 1e-8) -> Any:
    """Decide whether two sets of parameters, in any coordinate systems, define one function.

    Exact over GF(p): a difference is an input, a common orbit a group element that is checked entry by entry. Over the reals the same with a
    tolerance; for normalised scores balls enclose the values, so that a difference is proven. Cost: a few evaluations and small eliminations for
    each layer.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta1, theta2 : Parameters
        Over one field.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        Without a common orbit: enough inputs are tried that two different functions agree at all of them with at most this probability.
    tolerance : float, optional
        Over the reals: the relative difference up to which parameters, or values, count as equal.

    Returns
    -------
    Equivalence
        True if they are equal; with the group element or the input.

    Raises
    ------
    InvalidArgument
        If the points do not fit the architecture or each other.
    EquivalenceUndecided
        If the field is too small to tell, or floats are too coarse.
    """


@declare
def normal_form_map(arch: Any, theta: Any) -> Any:
    """Return the group element g with ``act(g, theta) == canonical(arch, theta)``.

    Raises
    ------
    InvalidArgument
        If some virtual weight M_i is zero, for lightning and homogeneous scores: the zero function has no normal form.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def canonical(arch: Any, theta: Any) -> Any:
    """Return the normal form of parameters under the gauges, the rescalings and the translations by what no input reaches.

    Idempotent, constant on orbits, of the same function, and compatible with `convert`; exact over GF(p), rounded over the reals. Two points of
    one coordinate system over GF(p) have one normal form if and only if they are in one orbit of these groups.

    - For lightning and for homogeneous scores, each M_i has 1 as its first entry that is not zero (over the reals: Frobenius norm 1, and its largest
      entry positive).
    - Each L_i = V_i ... V_1, 0 < i < l, is in reduced row echelon form (over the reals: the identity in the columns that column pivoting takes).
    - Columns that no input reaches are zero.
    - On `Weights`, K_i is in that form too, and the rows of Q_i that K_i^T Q_i does not see are reduced.

    Raises
    ------
    InvalidArgument
        If some virtual weight M_i is zero, for lightning and homogeneous scores: the zero function has no normal form.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def fiber(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Return the fibre of the parametrization through `theta`: all parameters, in the same coordinates, of the same function.

    For one layer it is given by the three cases of HMK Theorem 3.2, for several by Theorem 3.7 with Lemmas 3.5 and 3.1 under their hypotheses,
    which are checked at this point; where one fails, the fibre says which, and gives bounds instead of a dimension. For normalised scores it is
    given by Theorem 3.9, and for several layers by what is derived for Conjecture 3.10.

    Returns
    -------
    Fiber
        With `case`, `dimension`, `components`, ``contains(theta2)``, ``sample(seed)``.

    Raises
    ------
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def unexplained_kernel(arch: Any, theta: Any, *, seed: int = 0) -> Any:
    """Return the directions in which the function does not change to first order although no symmetry known here explains it.

    The kernel of the Jacobian at `theta`, over enough random inputs that one more adds no row, modulo the tangents of all symmetries. Over GF(p);
    for normalised scores also over the reals, where balls prove that it is empty, or the answer is refused.
    Cost: one elimination with as many columns as there are parameters.

    Returns
    -------
    UnexplainedKernel
        With `dimension` and a `basis` whose vectors name the matrices that they move.
    """


@declare
def is_singular(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Say whether the function of one layer is a singular point of the neuromanifold: rk A * rk V <= 1, or rk A < a < d_0.

    The first condition is HMK Theorem 3.4, the second is derived (see the page on the theorem): there the curves through the point have tangents
    that span more than the dimension. Exact over GF(p), where it is the algebraic condition. Cost: two small eliminations.

    Parameters
    ----------
    arch : Lightning
        One layer.
    theta : Parameters
        A point in any coordinate system.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides a rank.

    Raises
    ------
    InvalidArgument
        If the hypotheses fail: one layer, t >= 2, d_0 >= 2, and a > 1 or d_1 > 1; or if the rank of A is larger than a.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def is_boundary(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Say whether the function of one layer is in the relative boundary of the neuromanifold: A = u q^T, V = v u^T (HMK Theorem 3.4).

    Here u, q and v may be zero. Exact over GF(p), where it is the algebraic condition. Takes and raises what `is_singular` does.
    """


@declare
def is_critical(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Say whether the differential of (A, V) -> phi has more in its kernel than the rescaling, for one layer.

    By HMK Lemma A.3 this is so exactly over the boundary, and that is what is decided; `tangent_space` computes the kernel. Exact over GF(p). Takes
    and raises what `is_singular` does.
    """


@declare
def tangent_space(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Return the image and the kernel of the differential of the parametrization of one layer at a point, as a `TangentSpace`.

    Computed from the coefficients of HMK Proposition A.5, so without sampling; exact over GF(p).
    Cost: an elimination with d_0^2 d_1 (d_0 + 1) / 2 columns and a row for each parameter.

    Parameters
    ----------
    arch : Lightning
        One layer, with at least two tokens.
    theta : Parameters
        A point in any coordinate system, whose entries are moved.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides the rank.

    Returns
    -------
    TangentSpace

    Raises
    ------
    InvalidArgument
        If there are several layers or one token, or the point does not fit the architecture.
    RankUndecided
        Over the reals, if the singular values have no gap, as where A and V are of very different sizes.
    """


@declare
def singular_distance(arch: Any, theta: Any) -> Any:
    """Return the distance of (A, V) over the reals, in Frobenius norm, to the nearest point of a singular function, as a `Distance` with that point.

    By best approximations of lower rank (Eckart and Young). It is a distance between parameters: ``(s A, V / s)`` is the same function at another
    distance. Numerical. Cost: two small singular value decompositions.

    Raises
    ------
    InvalidArgument
        If the hypotheses of `is_singular` fail, or over GF(p), where there is no distance.
    """


@declare
def boundary_distance(arch: Any, theta: Any) -> Any:
    """Return the distance of (A, V) over the reals, in Frobenius norm, to the nearest point of a function in the boundary, as a `Distance`.

    The nearest A = u q^T, V = v u^T has for u the leading left singular vector of [A, V^T]. A distance between parameters; raises what
    `singular_distance` does.
    """


@declare
def quadratic_forms(arch: Any, source: Any) -> Any:
    r"""Return the quadratic forms :math:`(a_k \cdot x)(v_m \cdot x)`, a tuple that is linearly isomorphic to a function of one layer (HMK Prop A.5).

    Parameters
    ----------
    arch : Lightning
        One layer, with at least two tokens.
    source : Parameters or callable
        A point in any coordinate system, or a function of inputs of shape (batch, d_0, t), of which only d_0 (d_0 (d_0 + 1) / 2 + 1) values are used.
        Its field is that of an `Oracle` or of a network's function, and ``PrimeField()`` for others.

    Returns
    -------
    QuadraticForms
        Callable: the function back from the forms. Exact over GF(p), p = 2 included. That a callable is the function of a layer, or in their span,
        is not checked.

    Raises
    ------
    InvalidArgument
        If the architecture has several layers or one token, or the values do not have its shape or field.
    """


@declare
def identify(oracle: Any, arch: Any, *, field: Any = None, seed: int = 0, error: float = 1e-9, tolerance: float = 1e-8) -> Any:
    """Recover the parameters of a function of one or two lightning layers from its values, or show that it is none.

    The proofs of HMK Theorem 3.2 and, where rk M_1 >= 2, Theorem 3.7 as algorithms. Exact over GF(p); over the reals by least squares. Cost: for one
    layer the values of `quadratic_forms`; for two 10 d_0 (d_0 + 1) values, then an elimination with u = d_0^2 (d_0 + 1) / 2 columns and u / t values.

    Parameters
    ----------
    oracle : callable
        Takes inputs of shape (batch, d_0, t) as a public array over `field`, returns values of shape (batch, d_l, t).
    arch : Lightning
        The widths, ranks and tokens that are asked for.
    field : Field, optional
        That of an `Oracle` or of a network's function, ``PrimeField()`` for others, unless given.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        Over GF(p): so many fresh inputs are compared that another polynomial of degree 3^l agrees at all of them with at most this probability.
    tolerance : float, optional
        Over the reals: the relative difference up to which values count as equal.

    Returns
    -------
    Identification
        With `theta` or None, the number of evaluations, and what the answer is worth.

    Raises
    ------
    InvalidArgument
        For more than two layers, one token, a field with p <= 3^l, or values of another shape or field.
    """


@declare
def jacobian_spectrum(
    arch: Any,
    *,
    seed: int = 0,
    inputs: Any = None,
    weight_scale: float = 1.0,
    input_scale: float = 1.0,
    draw: str = "uniform",
    gap: float = 1e3,
    prove: bool = False,
    progress: Any = None,
) -> Any:
    r"""Compute the singular values of the Jacobian at a random point in float64 and in float32, and what they tell about the dimension.

    The verdict of float64 is a rank with a gap of at least `gap` after it, and no second one, that is equal to the upper bound which the symmetries
    prove. Anything else is refused. Beside it is what `matrix_rank` of numpy and torch would have said, which never refuses.
    Cost: one Jacobian and one singular value decomposition in each precision.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the point.
    inputs : int, optional
        The number of inputs. Unless given it is that upper bound, and generically enough: as long as rows are missing, each input adds one.
    weight_scale, input_scale : float, optional
        Factors of the random weights and inputs. At 1 and 1 the gap of softmax networks is nearly the widest (`scripts/spectrum_scales.py`).
    draw : {"uniform", "normal"}, optional
        ``uniform``: entries on (-2, 2), those of a matrix with d columns times a power of two next to :math:`1 / \sqrt{d}`, so that tokens keep
        their size. ``normal``: standard normal, as in HMK Figure 3; tokens grow from layer to layer. Both are rounded to float32.
    gap : float, optional
        The ratio between neighbouring singular values that decides.
    prove : bool, optional
        Whether to compute the dimension with its proof too, by `dimension`.
    progress : callable, optional
        For this proof, as in `dimension`.

    Returns
    -------
    JacobianSpectrum

    Raises
    ------
    InvalidArgument
        If an option is out of range.
    ScoreOverflow
        If the numbers are too large for float64.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Trees


@declare
def unroll(source: Any, *, kind: str = "tree") -> Any:
    r"""Unroll a lightning network into the graph of its recursion, a `networkx.DiGraph` (HMK Lemma 3.6 and Figure 2).

    The root is :math:`\varphi(X) = L P_{l-1} M_l P_{l-2} M_{l-1} \cdots P_0 M_1 X` (Eq 11), its children are these factors in their order; those of
    :math:`P_i` are :math:`P_{i-1}, M_i, P_{i-1}, M_i^T, P_{i-1}` (Eq 10), and :math:`P_0 = X X^T` has none. Read from left to right, the matrices M
    are :math:`F_1, \dots, F_N`, :math:`N = (3^l - 1) / 2`, of Eq 12.

    Node ids are strings. Every node has the attributes `kind` ("function", "output", "power", "leaf", "factor" or "input"), `layer`, `transposed`,
    `slot` (m of F_m in a tree, else 0) and `symbol`; every edge has `places`, the positions of the child among its parent's children, counted from 0
    and separated by commas; the graph has `layers`, `kind`, `factors` (N) and `root`. All are strings, integers or booleans, so that the writers of
    networkx take them; `algatt.trees.children` returns the ordered children of a node.

    Parameters
    ----------
    source : Lightning or int
        A network, or its number l of layers.
    kind : {"tree", "dag"}, optional
        A tree with about :math:`\tfrac{5}{4} 3^l` nodes, or a graph of 3 l + 2 nodes that has equal subtrees once.

    Returns
    -------
    networkx.DiGraph

    Raises
    ------
    InvalidArgument
        If the number of layers is less than 1, or so large that the tree would have more than 100,000 nodes.
    """


@declare
def factors(source: Any) -> Any:
    r"""Return the factors :math:`F_1, \dots, F_N` of the unrolled product :math:`L \prod_m (X X^T F_m) X`, as a tuple of `Factor` (HMK Eq 12).

    :math:`F_m` is :math:`M_k` if the last base-3 digit of m that is not zero is 1, and :math:`M_k^T` if it is 2; :math:`k - 1` zeros follow it.
    Cost: linear in :math:`N = (3^l - 1) / 2`.

    Parameters
    ----------
    source : int, Lightning or networkx.DiGraph
        The number l of layers or a network, to which the rule is applied; or a graph made by `unroll`, which is read from left to right.

    Raises
    ------
    InvalidArgument
        If the number of layers is not from 1 to 14, or the graph was not made by `unroll`.
    """


@declare
def monomial(tree: Any, indices: Any) -> Any:
    r"""Return the term :math:`L x_{j_1} \prod_{m=1}^{N} x_{j_m}^T F_m x_{j_{m+1}}` of the expanded network, as a `Monomial` (HMK Eq 12).

    Column i of the network's value is the sum of the terms whose last index is i.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `unroll`, of either kind.
    indices : sequence of int
        The tokens :math:`(j_1, \dots, j_N, i)`, columns of X counted from 0.

    Raises
    ------
    InvalidArgument
        If there are not N + 1 integers >= 0.
    """


@declare
def reflect(tree: Any, indices: Any, slot: Any) -> Any:
    r"""Return the token indices reflected at a slot (HMK Figure 4): :math:`j_{m-p}` and :math:`j_{m+1+p}` change places for :math:`0 \le p < r`.

    Here :math:`F_m` is :math:`M_k` or :math:`M_k^T` and :math:`r = 3^{k-1}`. An involution. If the ends of the window agree,
    :math:`j_{m-r+1} = j_{m+r}`, the monomial of the new indices is that of the old ones with :math:`F_m` transposed and nothing else changed.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `unroll`, of either kind.
    indices : sequence of int
        The tokens :math:`(j_1, \dots, j_N, i)`.
    slot : int
        The slot m, counted from 1, with :math:`m + r \le N + 1`. This leaves out one slot for each k > 1: that of the factor M_k which is a child of
        the root, with too few indices at its right.

    Returns
    -------
    tuple of int

    Raises
    ------
    InvalidArgument
        If the indices or the slot are out of range.
    """


@declare
def cancelling_pairs(tree: Any, slot: Any, tokens: Any) -> Any:
    r"""Iterate over the pairs of monomials that differ in the transposition of one factor :math:`F_m`, and so cancel if it is skew-symmetric.

    The indices of a pair are reflections of each other at the slot, and the ends of the window agree. Each of the :math:`t^N` tuples of indices with
    such ends is in one pair. A tuple that is its own reflection is paired with itself: it has the factor :math:`x^T F_m x`, so its monomial is zero
    by itself if :math:`F_m` is skew-symmetric and 2 is not zero.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `unroll`, of either kind.
    slot : int
        The slot m, as in `reflect`.
    tokens : int
        The number t of tokens.

    Returns
    -------
    iterator of pair of tuple of int
        Made one by one, in increasing order of their first members.

    Raises
    ------
    InvalidArgument
        If the slot or the number of tokens is out of range.
    """


@declare
def draw(tree: Any, *, ax: Any = None, window: Any = None, colours: Any = None) -> Any:
    """Draw the graph of a recursion, the tokens of a run of a flow, the density of a law, or a spectrum beside its laws, with matplotlib.

    Parameters
    ----------
    tree : networkx.DiGraph, Trajectory, Law or SpectrumReport
        A graph made by `unroll`; or what is drawn with no other option than `ax`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.
    window : int, optional
        The slot whose reflection is highlighted, as in HMK Figure 4.
    colours : sequence, optional
        One colour for each layer.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidArgument
        For a tree of more than six layers, whose leaves cannot be told apart, or a slot without a reflection.
    MissingExtra
        If matplotlib is not installed: it comes with ``algatt[plot]``.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Certificates


@declare
def certify(source: Any, *, seed: int = 0, field: Any = None, error: float = 1e-6, progress: Any = None) -> Any:
    """Return a `Certificate` of a dimension: everything that is needed to check both bounds elsewhere.

    Parameters
    ----------
    source : Architecture or DimensionReport
        A network, whose dimension is computed first with the other options, or the report of `dimension`, which takes no options.

    Raises
    ------
    MethodError
        If there are no certificates for the architecture: there are for `Lightning` and for `Normalized`, but not for scores of one's own.
    InvalidArgument
        If the report is over `Reals`, since floating point proves nothing, or the network too large for `verify`.
    """


@declare
def verify(source: Any, *, progress: Any = None) -> Any:
    """Check a certificate with code that shares nothing with the code that made it: Python integers and FLINT.

    Parameters
    ----------
    source : path or Certificate
        What `Certificate.save` wrote, or the certificate itself.
    progress : callable, optional
        Called as ``progress(rows, all_rows)`` while the minor is recomputed.

    Returns
    -------
    VerificationReport
        `ok`, and the reasons if not.

    Raises
    ------
    CertificateError
        If it is not a certificate that this version can read.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Spectra of attention matrices


@declare
def sample_matrix(ensemble: Any, *, seed: int = 0) -> Any:
    r"""Draw a random matrix.

    Parameters
    ----------
    ensemble : Ensemble
        `AttentionEnsemble`, or a model that approximates it.
    seed : int, optional
        Names the draw. Ensembles that differ in nothing but their class, degree or beta share their Gaussian matrices.

    Returns
    -------
    numpy.ndarray
        Shape (tokens, tokens): the attention matrix A itself, or the model of :math:`\sqrt l A_\perp`. Numerical: the Gaussian entries are the same
        on every platform up to rounding. Cost: one product of (tokens, key_dim) by (key_dim, tokens).
    """


@declare
def squared_singular_values(source: Any, *, seed: int = 0, drop: Any = None) -> Any:
    r"""Return the squared singular values of a matrix, or of a random one, in decreasing order.

    Parameters
    ----------
    source : Ensemble or numpy.ndarray
        A model, or a matrix of shape (rows, columns); for the spectrum of an attention matrix A, the matrix ``bulk_matrix(A)``. Of an
        `AttentionEnsemble` it is the spectrum of :math:`\sqrt l A_\perp`, not of A.
    seed : int, optional
        Names the draw of an ensemble.
    drop : int, optional
        How many of the largest are left out: 3 for an ensemble, as in HCK's figures, and 0 for a matrix unless given.

    Returns
    -------
    numpy.ndarray
        min(rows, columns) - drop numbers >= 0. Numerical: the eigenvalues of a Gram matrix, with an error of about 1e-15 times the largest one. Cost:
        one product of matrices and the eigenvalues of a symmetric one.

    Raises
    ------
    InvalidArgument
        If the matrix is not real and finite, its squares overflow, or so many values are dropped that none is left.
    """


@declare
def limit_law(ensemble: Any) -> Any:
    r"""Return the law to which the squared singular values of an ensemble converge (HCK).

    The limit is that of many tokens l with l / key_dim and beta fixed; it depends on these two numbers only.

    Parameters
    ----------
    ensemble : Ensemble
        `AttentionEnsemble`, or a model that approximates it.

    Returns
    -------
    AttentionLaw or LinearLaw

    Raises
    ------
    InvalidArgument
        If beta is 0: the limit is the point mass at zero, which has no density.
    """


@declare
def attention_matrix(theta: Any, inputs: Any, *, layer: int = 1, beta: float = 1.0) -> Any:
    r"""Return the softmax attention matrix of one layer's queries and keys.

    :math:`A = \mathrm{softmax}(\beta S)` row by row, :math:`S = (Q X)^T K X / \sqrt a`, so that row i says where token i looks. The parameters are
    those of the core; lightning attention, which has no softmax, is not evaluated.

    Parameters
    ----------
    theta : Weights
        Over the reals; Q and K of shape (a, d).
    inputs : numpy.ndarray
        The input X of that layer, of shape (d, t), its tokens as columns. The limit law is about orthonormal tokens, X^T X = 1.
    layer : int, optional
        Counted from 1.
    beta : float, optional
        The inverse temperature, >= 0.

    Returns
    -------
    numpy.ndarray
        Shape (t, t), of rows that sum to 1. Numerical.

    Raises
    ------
    InvalidArgument
        If the field is not that of the reals, or a shape or a number does not fit.
    ScoreOverflow
        If scores are too large for float64.
    """


@declare
def density(law: Any, points: Any) -> Any:
    """Return the density of a law at real points, without its mass at zero; 0 outside of the support.

    Numerical: relative errors of about 1e-13, or 1e-16 c for the upper interval of the support if l / d_qk tends to c > 1000; they grow like
    1e-16 / distance at the ends of the support. Cost: about 4 microseconds a point.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    points : number or array
        Where; any shape.

    Returns
    -------
    float or numpy.ndarray
        Of the shape of the points.

    Raises
    ------
    InvalidArgument
        If points are NaN or no numbers.
    """


@declare
def cdf(law: Any, points: Any) -> Any:
    """Return the distribution function of a law at real points, the mass at zero included from zero on.

    In closed form, of the Cauchy transform. Numerical: absolute errors of about 1e-14. Cost: about 4 microseconds a point.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    points : number or array
        Where; any shape.

    Returns
    -------
    float or numpy.ndarray
        Of the shape of the points.

    Raises
    ------
    InvalidArgument
        If points are NaN or no numbers.
    """


@declare
def quantile(law: Any, probabilities: Any) -> Any:
    """Return the smallest points at which the distribution function of a law reaches given probabilities.

    Numerical, by Newton's method: square roots of points are resolved to 1e-14 of that of the edge; points of `FussCatalan`, most of which are much
    smaller, to about 1e-12 of themselves.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    probabilities : number or array
        In [0, 1]; any shape.

    Returns
    -------
    float or numpy.ndarray
        Of the same shape.

    Raises
    ------
    InvalidArgument
        If a probability is not in [0, 1].
    """


@declare
def stieltjes(law: Any, points: Any) -> Any:
    r"""Return the Stieltjes transform :math:`m(z) = \int \frac{d\nu(x)}{x - z}` of a law at complex points; on the support its limit from above.

    Numerical. Its imaginary part there is pi times the density. It is infinite at zero if the support begins there.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    points : number or array
        Real or complex; any shape.

    Returns
    -------
    complex or numpy.ndarray
        Of the shape of the points.

    Raises
    ------
    InvalidArgument
        If points are NaN, infinite or no numbers.
    """


@declare
def support(law: Any) -> Any:
    """Return the intervals of the support of a law's density, as increasing pairs (low, high). Numerical, to the last digits.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    """


@declare
def edge(law: Any) -> Any:
    """Return the right end of the support of a law. Numerical, to the last digits.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    """


@declare
def moments(law: Any, count: Any) -> Any:
    """Return the moments of orders 1, ..., count of a law, as floats: sums of positive terms, right to a few units of the last place.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    count : int
        How many, at least 1.

    Returns
    -------
    tuple of float

    Raises
    ------
    InvalidArgument
        If the count is not an integer >= 1, or so large that floats overflow.
    """


@declare
def free_cumulants(law: Any, count: Any) -> Any:
    """Return the free cumulants of orders 1, ..., count of a law, as floats.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur` or `FussCatalan`.
    count : int
        How many, at least 1.

    Returns
    -------
    tuple of float

    Raises
    ------
    InvalidArgument
        If the count is not an integer >= 1, or so large that floats overflow.
    """


@declare
def wasserstein_distance(one: Any, two: Any) -> Any:
    r"""Return the Wasserstein-1 distance :math:`\int |F_1(x) - F_2(x)| dx` of two samples, a sample and a law, or two laws.

    Numerical: exact up to rounding for samples, to about 1e-7 with a law. Cost: for a sample and a law about 0.2 milliseconds a value.

    Parameters
    ----------
    one, two : numpy.ndarray or Law
        A sample is an array of numbers of any shape.

    Raises
    ------
    InvalidArgument
        If a sample is empty, or not finite.
    """


@declare
def kolmogorov_distance(one: Any, two: Any) -> Any:
    r"""Return the Kolmogorov distance :math:`\sup_x |F_1(x) - F_2(x)|` of two samples, a sample and a law, or two laws.

    Numerical; for two laws over a grid of about 10^4 points, a lower bound.

    Parameters
    ----------
    one, two : numpy.ndarray or Law
        A sample is an array of numbers of any shape.

    Raises
    ------
    InvalidArgument
        If a sample is empty, or not finite.
    """


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Dynamics: multi-head attention as a flow of tokens. P is Pendharkar, arXiv 2605.04279; what is called derived is worked out in
# docs/theory and is no statement of the paper. Tokens are the columns of an array of shape (d, n). All answers are numerical: float64.


@declare
def head_outputs(flow: Any, tokens: Any) -> Any:
    r"""Return the outputs of all heads, :math:`f_i^h = \sum_j w(\beta \langle x_i, M_h x_j \rangle)\, V_h x_j` (P).

    Parameters
    ----------
    flow : Flow
        The heads, the weights w and beta.
    tokens : numpy.ndarray
        Shape (d, n): the tokens as columns; unit vectors for a `SphereFlow`.

    Returns
    -------
    numpy.ndarray
        Shape (H, d, n). Exponential and ReLU weights come without the 1/n, softmax weights are divided by their sum over j. Numerical.
        Cost: for each head two products of n x n with d and n^2 exponentials, in blocks of about 2^18 scores.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit, are no unit vectors on the sphere, or exp(beta s) overflows where the weights are not normalised.
    """


@declare
def velocity(flow: Any, tokens: Any) -> Any:
    r"""Return the right side of the flow (P): :math:`x_i' = v_i` on the flat space, :math:`x_i' = (I - x_i x_i^T) v_i` on the sphere.

    Here :math:`v_i = \frac{1}{n} \sum_h f_i^h`, without the 1/n for softmax weights, with the outputs f of `head_outputs`.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        An `EquiangularFlow` gives the derivative of the common cosine g of all pairs of tokens (derived).
    tokens : numpy.ndarray or float
        Shape (d, n); for an `EquiangularFlow` the cosine, a number or an array.

    Returns
    -------
    numpy.ndarray or float
        The shape of `tokens`. Numerical. Cost: that of `head_outputs`, without an array for each head.

    Raises
    ------
    InvalidArgument
        As `head_outputs`; for an `EquiangularFlow` if the cosine is not from -1/(n - 1) to 1.
    """


@declare
def energy(flow: Any, tokens: Any) -> Any:
    r"""Return the energy of each head, :math:`E_h = \frac{1}{2 \beta n^2} \sum_{ij} \Phi(\beta \langle x_i, M_h x_j \rangle)`.

    The total energy is their sum. :math:`\Phi = \exp` for exponential weights (P); for softmax weights it is the same energy; for ReLU weights
    :math:`\Phi(u) = \max(u, 0)^2 / 2`, whose derivative the weights are (derived).

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H,). Numerical. Cost: one product of n x n with d and n^2 exponentials for each head.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit, or exp(beta s) overflows.
    """


@declare
def energy_gradient(flow: Any, tokens: Any) -> Any:
    r"""Return the gradient of each head's energy by the tokens in the flat space (derived).

    :math:`\nabla_i E_h = \frac{1}{2 n^2} \sum_j \left[ \Phi'(\beta s_{ij}) M_h x_j + \Phi'(\beta s_{ji}) M_h^T x_j \right]` with
    :math:`s_{ij} = \langle x_i, M_h x_j \rangle`, for any matrices. Under score symmetry, value alignment and weights that are not normalised the sum
    over the heads is 1/n times the velocity of the flat flow.

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n).

    Returns
    -------
    numpy.ndarray
        Shape (H, d, n). Numerical. Cost: that of `head_outputs`, twice it for matrices that are not symmetric.

    Raises
    ------
    InvalidArgument
        As `energy`.
    """


@declare
def energy_rate(flow: Any, tokens: Any) -> Any:
    r"""Return the derivative of each head's energy along the flow, :math:`dE_h/dt = \sum_i \langle \nabla_i E_h, x_i' \rangle`.

    This is the chain rule, for any heads and weights. Under score symmetry and value alignment, with exponential or ReLU weights, the rates sum up to
    :math:`\frac{1}{n} \sum_i |x_i'|^2 \ge 0` (P for exponential weights, the rate derived; derived for ReLU).

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n).

    Returns
    -------
    numpy.ndarray
        Shape (H,). Numerical. Cost: `energy_gradient` and `velocity`.

    Raises
    ------
    InvalidArgument
        As `energy`.
    """


@declare
def radial_shadow(flow: Any, tokens: Any) -> Any:
    r"""Return the radial shadows :math:`s_i^h = \langle x_i, f_i^h \rangle` of all heads at all tokens (P).

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`, whose tokens are alike. Numerical. Cost: that of `head_outputs`.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """


@declare
def radial_dominance(flow: Any, tokens: Any) -> Any:
    r"""Return the margin of radial dominance, :math:`|P_{x_i} f_i^h|^2 - |s_i^h| \sum_{h' \ne h} |s_i^{h'}|`, at each token for each head.

    Where all margins of a head are >= 0, the energy of this head does not decrease on the sphere, if the heads are orthogonal, symmetric and aligned
    and the weights exponential (P; this form is derived). The condition is sufficient, not necessary.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical. Cost: that of `head_outputs`.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """


@declare
def entropy(flow: Any, tokens: Any) -> Any:
    r"""Return the entropy of attention, :math:`S_i^h = -\sum_j p_{ij} \ln p_{ij}`.

    Here :math:`p_i = \mathrm{softmax}_j(\beta \langle x_i, M_h x_j \rangle)`, whatever weights the flow has (P). Natural
    logarithms; between 0 and ln n.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical; no exponential overflows. Cost: one product of n x n with d and n^2 exponentials
        for each head.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit.
    """


@declare
def entropy_rate(flow: Any, tokens: Any) -> Any:
    r"""Return the derivative of the entropy along the flow (derived).

    :math:`dS_i/dt = -\beta^2 \operatorname{Cov}_{p_i}(s_{i\cdot}, ds_{i\cdot}/dt)`, where :math:`s_{ij} = \langle x_i, M_h x_j \rangle`. The identity
    holds for any heads and weights; the covariance has no sign in general.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical. Cost: `velocity`, and three products and n^2 exponentials for each head.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """


@declare
def integrate(
    flow: Any,
    tokens: Any,
    *,
    until: float,
    samples: Any = None,
    tolerance: float = 1e-10,
    clustered: float | None = None,
    stationary: float | None = None,
    method: str = "DOP853",
    normalise: bool = False,
    checkpoint: Any = None,
    progress: Any = None,
) -> Any:
    """Follow the flow from given tokens, with the steppers of scipy's solve_ivp.

    On the sphere each step is followed by a projection, so that all states have unit columns to 10^-15.

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n): the state at time 0.
    until : float
        The time at which to stop, unless an event comes first.
    samples : int or sequence of float, optional
        How many states to record, evenly spaced in time, or their times; by default four in each step. The last state is always recorded.
    tolerance : float, optional
        Relative and absolute tolerance of the steps.
    clustered : float, optional
        Stop when the cosine of every token with the mean direction is at least ``1 - clustered``.
    stationary : float, optional
        Stop when no token is faster than this.
    method : {"DOP853", "RK45", "RK23"}, optional
        The explicit Runge-Kutta method of scipy.
    normalise : bool, optional
        Whether to divide tokens by their lengths first; they are refused otherwise unless they are unit vectors.
    checkpoint : path, optional
        A file to which the trajectory so far is written once a minute, and when the run fails or is interrupted. Its last state is that after the
        last step, whether or not `samples` asks for it.
    progress : callable, optional
        Called as ``progress(done, total)`` after each step.

    Returns
    -------
    Trajectory
        With the energies, shadows, margins and entropies at its states. Numerical. Cost: about 16 velocities for each step, 3 for each sample.

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or exp(beta s) overflows at the start.
    IntegrationFailed
        If the step size collapses; with the trajectory up to there.
    """


@declare
def resume(
    trajectory: Any,
    *,
    until: float,
    samples: Any = None,
    tolerance: float = 1e-10,
    clustered: float | None = None,
    stationary: float | None = None,
    method: str = "DOP853",
    checkpoint: Any = None,
    progress: Any = None,
) -> Any:
    """Follow a flow from the last state of a trajectory, and return the two parts as one `Trajectory`.

    Parameters
    ----------
    trajectory : Trajectory
        What `integrate` returned or `load_trajectory` read.
    until : float
        The time at which to stop, counted from the start of the whole; the other options are those of `integrate`.

    Raises
    ------
    InvalidArgument
        If `until` is not later than the last state, or another argument is out of range.
    IntegrationFailed
        If the step size collapses.
    """


@declare
def score_factors(head: Any, tokens: Any) -> Any:
    """Return queries and keys, arrays of shape (k, n), linear in the tokens, with the scores <x_i, M x_j> as the products of their columns."""


@declare
def head_values(head: Any, tokens: Any) -> Any:
    """Return values of shape (m, n), linear in the tokens, from which `lift` makes the columns V x_j."""


@declare
def lift(head: Any, sums: Any) -> Any:
    """Return combinations of the values, or of the keys, of a head as vectors of shape (d, n)."""


@declare
def backward_sums(head: Any, weights: Any, tokens: Any, *, beta: float) -> Any:
    r"""Return :math:`\sum_j w(\beta \langle x_j, M x_i \rangle) M^T x_j` for a matrix that is not symmetric, or None if M is symmetric."""


@declare
def weigh(weights: Any, scores: Any) -> Any:
    """Turn a block of scores beta <x_i, M x_j>, a row for each i, into weights in place; return what each row is still to be multiplied by."""


@declare
def potential(weights: Any, scores: Any) -> Any:
    """Return the sum of Phi over each row of a block of scores, which may be overwritten: Phi' are the weights, before a normalisation."""


@declare
def equiangular_weights(weights: Any, exponents: Any, cosine: Any, *, tokens: int) -> Any:
    """Return the weights of a token on itself and on each other one, where their scores times beta are ``exponents`` and ``exponents * cosine``."""
