"""Verbs of parametrization maps: values and derivatives of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from algatt.dispatch import declare

if TYPE_CHECKING:
    import networkx as nx

    from algatt.architectures.base import NetworkLike
    from algatt.fields.base import Elements, Field
    from algatt.maps.existence import Existence
    from algatt.parameters.base import Parameters
    from algatt.programs.interpret import Program
    from algatt.trees.graph import DirectedGraph


@overload
def _evaluate(arch: DirectedGraph | NetworkLike, theta: Parameters, inputs: Elements, /) -> Elements: ...
@overload
def _evaluate(arch: DirectedGraph | NetworkLike, theta: Parameters, inputs: Any, /) -> Any: ...
def _evaluate(
    arch: DirectedGraph | NetworkLike,
    theta: Parameters,
    inputs: Any,
    /,
) -> Any:
    """Evaluate the network at inputs whose tokens are columns.

    Parameters
    ----------
    arch : Architecture or networkx.DiGraph
        The network; or a graph made by `unroll`, with `theta` in `VirtualWeights`: then each node is multiplied out
        once, children before parents, so that a dag takes 6 l - 2 matrix products, and a tree (3^{l+1} - 1) / 2.
    theta : Parameters
        In any coordinate system. Of a point in a quotient only the shapes are checked, not whether it is the image of
        weights of this architecture.
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
    DivisionByZero
        If a denominator vanishes at an input.
    UndefinedFunction
        If it vanishes at every input.
    """


evaluate = declare(_evaluate, homes=["algatt.trees.fold"])


@declare(homes=["algatt.maps.existence"])
def has_function(arch: NetworkLike, theta: Parameters, /, *, seed: int = 0, error: float = 1e-09) -> Existence:
    r"""Decide whether parameters have a function, that is whether the network has a value at some input.

    The function of a point over a field K is what the network's divisions and ring operations make of an input of d_0 t
    variables: a matrix of rational functions over K; over the reals of analytic functions, if a score is not algebraic.
    There is none if a denominator is zero as a polynomial. One that only vanishes at all inputs over a small field
    K = GF(p) is not zero: the inputs over the fields GF(p^n) count, too. Two points that both have functions have
    values at a common input, as a product of polynomials that are not zero is not zero.

    Any input with a value proves that there is a function. That there is none is proven for layers whose scores are all
    S(0), or whose tokens are all equal (see the page on points without a function). Otherwise it is probable, by the
    Schwartz-Zippel lemma at random inputs over GF(p^n), or over the rational numbers, to which floats belong. Beside
    exponentials, roots and gates only denominators are looked at that are made of rational functions and of roots of
    zero; a value is shown by balls, or with more than 2^17 parameters by floats. Cost: nothing for lightning and where
    t S(0) is not zero; otherwise about one evaluation.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Parameters
        In any coordinate system.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        For an answer without a proof: the probability with which a function may be missed.

    Returns
    -------
    Existence
        True if there is a function; with `status`, and the `input`.

    Raises
    ------
    InvalidArgument
        If the point does not fit the architecture, or its field has no values of the score.
    """


@overload
def _jacobian(arch: NetworkLike, theta: Parameters, inputs: Elements, /) -> Elements: ...
@overload
def _jacobian(arch: NetworkLike, theta: Parameters, inputs: Any, /) -> Any: ...
def _jacobian(arch: NetworkLike, theta: Parameters, inputs: Any, /) -> Any:
    """Return the Jacobian of the values at `inputs` by the parameters, by dual numbers.

    Returns
    -------
    array
        Shape (batch * d_l * t, number of parameters); rows ordered (input, output row, token), columns as in `flatten`.
        In the coordinates `AttentionMatrix` the columns are all entries of the A_i, whatever their rank. Exact over
        GF(p).

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit.
    """


jacobian = declare(_jacobian, homes=["algatt.maps.gradient"])


@declare(homes=["algatt.maps.program_graph"])
def program_graph(source: Program | NetworkLike, /) -> nx.DiGraph:
    """Return the straight-line program of a network as a graph: operations, with edges to those that use their results.

    Node ids are strings, the numbers of the instructions in their order, so that the graph has no cycles. Every node
    has the attributes `operation` ("input", "tensor", "constant", "product", "add", "exp", ...), `shape` of its result,
    as "4 x 3" and empty for a number, `tensor`, the name of the tensor that is read, else empty, and `argument`, what
    else the operation takes, as text. Every edge has `places`, the positions of the operand among those of the
    operation, counted from 0 and separated by commas; the graph has `value`, the node of the network's value. All are
    strings, so that the writers of networkx take them.

    Parameters
    ----------
    source : Architecture or Program
        A network, or what `algatt.maps.program` returns.

    Returns
    -------
    networkx.DiGraph

    Examples
    --------
    >>> import algatt
    >>> graph = algatt.maps.program_graph(algatt.Lightning((2, 2), (1,), 2))
    >>> graph.nodes[graph.graph["value"]]
    {'operation': 'product', 'argument': '', 'tensor': '', 'shape': '2 x 2'}
    >>> [name for _, name in graph.nodes(data="tensor") if name]
    ['Q_1', 'K_1', 'V_1']
    """


@declare(homes=["algatt.maps.existence"])
def wide_field(field: Field, /) -> Any:
    """Return an exact field that contains the numbers of another one, with many elements to draw from, or None."""
