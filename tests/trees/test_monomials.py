"""The expansion: monomials add up to the network, and the reflection of HMK Figure 4 transposes one factor."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.trees import linear_term, window

WORDS = {
    1: [(1, False)],
    2: [(1, False), (1, True), (2, False), (1, False)],
    3: [
        (k, bool(t))
        for k, t in zip([1, 1, 2, 1, 1, 2, 1, 1, 3, 1, 1, 2, 1], [0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0], strict=True)
    ],
}
"""Written out from HMK Lemma 3.6: (k, transposed) of each factor."""

REFLECTED = {2: [1, 2, 4], 3: [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13]}
"""The slots at which 3^(k-1) indices lie on either side: all but those of M_2, ..., M_l in the root's own chain."""


def point(plain, layers, seed=0, width=3):
    """Random M_1, ..., M_l and L in plain integers, and as virtual weights."""
    M = list(plain.random((layers, width, width), seed))
    L = plain.random((2, width), seed + 1)
    return M, L, algatt.VirtualWeights.of(M, L, field=algatt.PrimeField(plain.p))


def matrices(M, word):
    return [M[k - 1].T if transposed else M[k - 1] for k, transposed in word]


def integers(array):
    return np.array(array.tolist(), dtype=np.int64)


@pytest.mark.parametrize(("layers", "tokens"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3)])
def test_the_monomials_add_up_to_the_network(plain, layers, tokens):
    M, L, theta = point(plain, layers)
    X = plain.random((3, tokens), 7)
    tree = algatt.unroll(layers)
    total = np.zeros((2, tokens), dtype=np.int64)
    for indices in itertools.product(range(tokens), repeat=tree.graph["factors"] + 1):
        total[:, indices[-1]] += integers(algatt.trees.monomial(tree, indices).value(theta, X))
    assert np.array_equal(total % plain.p, plain.function(M, L, X))
    assert np.array_equal(total % plain.p, integers(algatt.evaluate(tree, theta, X)))


@given(data=st.data())
def test_the_value_is_the_product_as_it_is_written(plain, data):
    layers = data.draw(st.integers(1, 3))
    tokens = data.draw(st.integers(1, 4))
    word = WORDS[layers]
    indices = tuple(data.draw(st.lists(st.integers(0, tokens - 1), min_size=len(word) + 1, max_size=len(word) + 1)))
    M, L, theta = point(plain, layers, seed=data.draw(st.integers(0, 100)))
    X = plain.random((3, tokens), 5)
    value = algatt.trees.monomial(algatt.unroll(layers, kind="dag"), indices).value(theta, X)
    assert np.array_equal(integers(value), plain.monomial(matrices(M, word), L, X, indices))


def test_the_value_over_the_reals_is_a_numpy_vector():
    theta = algatt.VirtualWeights.of([[[2.0, 1.0], [0.0, 1.0]]], [[1.0, 1.0]], field=algatt.Reals())
    value = algatt.trees.monomial(algatt.unroll(1), (0, 1)).value(theta, [[1.0, 0.0], [0.0, 3.0]])
    assert value.tolist() == [3.0]  # L e_1 = 1, and e_1^T M_1 (3 e_2) = 3


@pytest.mark.parametrize("p", [2, 3, 2**61 - 1])
def test_other_primes(p):
    M = [[[1, 2], [3, 5]], [[7, 1], [4, 1]]]
    theta = algatt.VirtualWeights.of([np.array(matrix) % p for matrix in M], [[1, 1]], field=algatt.PrimeField(p))
    X = np.array([[1, 2], [4, 5]])
    factors = [np.array(M[0]), np.array(M[0]).T, np.array(M[1]), np.array(M[0])]
    indices = (0, 1, 1, 0, 1)
    expected = int(X[:, 0].sum())
    for factor, left, right in zip(factors, indices, indices[1:], strict=False):
        expected *= int(X[:, left] @ factor @ X[:, right])
    value = algatt.trees.monomial(algatt.unroll(2), indices).value(theta, X % p)
    assert value.tolist() == [expected % p]


def test_the_text_of_a_monomial():
    term = algatt.trees.monomial(algatt.unroll(2), [0, 1, 1, 0, 2])
    assert str(term) == "L x_0 (x_0^T M_1 x_1) (x_1^T M_1^T x_1) (x_1^T M_2 x_0) (x_0^T M_1 x_2)"
    assert term == algatt.trees.Monomial(2, (0, 1, 1, 0, 2))
    assert len({term, algatt.trees.Monomial(2, (0, 1, 1, 0, 2)), algatt.trees.Monomial(2, (0,) * 5)}) == 2


# Degrees


@pytest.mark.parametrize("indices", [(0, 0, 0, 0, 0), (0, 1, 1, 0, 2), (2, 1, 0, 1, 2), (0, 0, 0, 0, 1)])
def test_scaling_one_token_scales_the_value_by_its_degree(plain, indices):
    _, _, theta = point(plain, 2)
    X = plain.random((3, 3), 3)
    term = algatt.trees.monomial(algatt.unroll(2), indices)
    value = integers(term.value(theta, X))
    assert sum(term.multidegree.values()) == 9
    assert set(term.multidegree) == set(indices)
    for token, degree in term.multidegree.items():
        scaled = X.copy()
        scaled[:, token] = 5 * X[:, token] % plain.p
        assert np.array_equal(integers(term.value(theta, scaled)), value * pow(5, degree, plain.p) % plain.p)


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5])
def test_the_degrees_add_up_to_a_power_of_three(layers):
    tree = algatt.unroll(layers, kind="dag")
    indices = tuple(m * m % 5 for m in range(tree.graph["factors"] + 1))
    assert sum(algatt.trees.monomial(tree, indices).multidegree.values()) == 3**layers


# The reflection


@st.composite
def reflections(draw):
    layers = draw(st.sampled_from([2, 3]))
    indices = tuple(draw(st.lists(st.integers(0, 3), min_size=len(WORDS[layers]) + 1, max_size=len(WORDS[layers]) + 1)))
    return layers, indices, draw(st.sampled_from(REFLECTED[layers]))


@given(case=reflections())
def test_the_reflection_is_an_involution_that_swaps_across_the_slot(case):
    layers, indices, slot = case
    tree = algatt.unroll(layers, kind="dag")
    moved = algatt.reflect(tree, indices, slot)
    reach = 3 ** (WORDS[layers][slot - 1][0] - 1)
    expected = list(indices)
    for p in range(reach):  # j_{m-p} and j_{m+1+p}, counted from 1
        expected[slot - p - 1], expected[slot + p] = indices[slot + p], indices[slot - p - 1]
    assert moved == tuple(expected)
    assert algatt.reflect(tree, moved, slot) == indices


@given(case=reflections(), seed=st.integers(0, 1000))
def test_if_the_ends_of_the_window_agree_one_factor_is_transposed(plain, case, seed):
    layers, indices, slot = case
    places = window(layers, slot)
    indices = (*indices[: places[-1] - 1], indices[places[0] - 1], *indices[places[-1] :])
    M, L, theta = point(plain, layers, seed=seed)
    X = plain.random((3, 4), seed + 2)
    word = list(WORDS[layers])
    word[slot - 1] = (word[slot - 1][0], not word[slot - 1][1])
    moved = algatt.reflect(algatt.unroll(layers, kind="dag"), indices, slot)
    expected = plain.monomial(matrices(M, word), L, X, indices)
    assert np.array_equal(plain.monomial(matrices(M, WORDS[layers]), L, X, moved), expected)
    assert np.array_equal(integers(algatt.trees.Monomial(layers, moved).value(theta, X)), expected)


def test_if_the_ends_do_not_agree_more_is_changed(plain):
    M, L, _ = point(plain, 2)
    X = plain.random((3, 2), 4)
    moved = algatt.reflect(algatt.unroll(2), (0, 0, 1, 0, 0), 2)
    assert moved == (0, 1, 0, 0, 0)
    transposed = [WORDS[2][0], (1, False), *WORDS[2][2:]]
    one = plain.monomial(matrices(M, WORDS[2]), L, X, moved)
    two = plain.monomial(matrices(M, transposed), L, X, (0, 0, 1, 0, 0))
    assert not np.array_equal(one, two)


def test_windows():
    assert window(2, 1) == range(1, 3)
    assert window(3, 3) == range(1, 7)
    assert window(3, 6) == range(4, 10)
    assert window(4, 18) == range(10, 28)


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5])
def test_all_windows_fit_but_those_of_the_chain(layers):
    """In the chain of the root there are (3^(k-1) + 1) / 2 indices to the right of M_k, fewer than 3^(k-1) unless k =
    1.
    """
    last = (3**layers - 1) // 2
    chain = {sum(3 ** (k - 1) for k in range(low, layers + 1)) for low in range(2, layers + 1)}
    for slot in range(1, last + 1):
        if slot in chain:
            with pytest.raises(algatt.errors.InvalidArgument, match="would be reflected"):
                window(layers, slot)
        else:
            assert 1 <= window(layers, slot)[0] < slot + 1 <= window(layers, slot)[-1] <= last + 1


# Cancellation


@pytest.mark.parametrize(
    ("layers", "slot", "tokens"), [(1, 1, 2), (2, 1, 2), (2, 2, 3), (2, 4, 2), (3, 3, 2), (3, 6, 2)]
)
def test_pairs_are_all_indices_with_agreeing_ends_each_once(layers, slot, tokens):
    tree = algatt.unroll(layers)
    found = list(algatt.trees.cancelling_pairs(tree, slot, tokens))
    members = [indices for pair in found for indices in set(pair)]
    start, stop = window(layers, slot)[0] - 1, window(layers, slot)[-1] - 1
    expected = [
        indices
        for indices in itertools.product(range(tokens), repeat=len(WORDS[layers]) + 1)
        if indices[start] == indices[stop]
    ]
    assert sorted(members) == expected
    assert len(expected) == tokens ** len(WORDS[layers])
    assert all(algatt.reflect(tree, one, slot) == two for one, two in found)
    assert found == sorted(found)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("layers", "slot"), [(2, 2), (3, 3), (3, 6), (3, 8)])
def test_pairs_cancel_for_a_skew_symmetric_matrix(plain, layers, slot):
    M, L, _ = point(plain, layers)
    k = WORDS[layers][slot - 1][0]
    M[k - 1] = (M[k - 1] - M[k - 1].T) % plain.p
    theta = algatt.VirtualWeights.of(M, L, field=algatt.PrimeField(plain.p))
    X = plain.random((3, 2), 4)
    tree = algatt.unroll(layers)
    nonzero = 0
    for one, two in itertools.islice(algatt.trees.cancelling_pairs(tree, slot, 2), 0, None, 41 if layers == 3 else 1):
        values = [integers(algatt.trees.monomial(tree, indices).value(theta, X)) for indices in (one, two)]
        assert not (sum(values) % plain.p).any()
        assert one != two or not values[0].any()
        nonzero += bool(values[0].any())
    assert (nonzero > 0) == (
        k > 1
    )  # for k = 1 the window has two indices, and each pair is a monomial with a factor x^T F x = 0


def test_pairs_are_made_one_by_one():
    pairs = algatt.trees.cancelling_pairs(algatt.unroll(7, kind="dag"), 3, 10)
    assert next(pairs) == ((0,) * 1094, (0,) * 1094)


# The term that is linear in one token


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_linear_term_is_the_monomial_with_the_other_token_last(plain, layers):
    _, _, theta = point(plain, layers)
    X = plain.random((3, 2), 9)
    tree = algatt.unroll(layers)
    (term,) = [
        algatt.trees.monomial(tree, indices)
        for indices in itertools.product(range(2), repeat=tree.graph["factors"] + 1)
        if algatt.trees.monomial(tree, indices).multidegree == {0: 3**layers - 1, 1: 1}
    ]
    assert term.indices == (0,) * tree.graph["factors"] + (1,)
    assert linear_term(theta, X[:, 0], X[:, 1]).tolist() == term.value(theta, X).tolist()


def test_the_linear_term_over_the_reals():
    theta = algatt.VirtualWeights.of([[[2.0]], [[3.0]], [[5.0]]], [[7.0]], field=algatt.Reals())
    assert linear_term(theta, [1.0], [1.0]).tolist() == [7 * 2**9 * 3**3 * 5]
    assert linear_term(theta, [1.0], [4.0]).tolist() == [4 * 7 * 2**9 * 3**3 * 5]


# Bad input


@pytest.mark.parametrize(
    "indices", [(0,) * 4, (0,) * 6, (), "00000", 5, (0, 0, 0, 0, -1), (0, 0, 0, 0, 0.5), (0, 0, True, 0, 0)]
)
def test_indices_are_checked(indices):
    tree = algatt.unroll(2)
    for call in (lambda: algatt.trees.monomial(tree, indices), lambda: algatt.reflect(tree, indices, 1)):
        with pytest.raises(algatt.errors.InvalidArgument, match="indices"):
            call()


@pytest.mark.parametrize("slot", [0, -1, 5, 1.0, "1"])
def test_slots_are_checked(slot):
    tree = algatt.unroll(2)
    for call in (
        lambda: algatt.reflect(tree, (0,) * 5, slot),
        lambda: algatt.trees.cancelling_pairs(tree, slot, 2),
        lambda: window(2, slot),
    ):
        with pytest.raises(algatt.errors.InvalidArgument, match="slot was"):
            call()


def test_a_window_that_does_not_fit_is_named():
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=r"slot was 3, that of M_2, at which the indices 1, \.\.\., 6 would be reflected",
    ):
        algatt.reflect(algatt.unroll(2), (0,) * 5, 3)


def test_tokens_are_checked():
    with pytest.raises(algatt.errors.InvalidArgument, match="tokens was 0"):
        algatt.trees.cancelling_pairs(algatt.unroll(2), 1, 0)


def test_arguments_of_a_value_are_checked(plain):
    _, _, theta = point(plain, 2)
    term = algatt.trees.monomial(algatt.unroll(2), (0, 1, 1, 0, 2))
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"inputs was of shape \(3, 2\); it should be with at least 3 columns"
    ):
        term.value(theta, plain.random((3, 2), 0))
    with pytest.raises(algatt.errors.InvalidArgument, match="inputs was of shape"):
        term.value(theta, plain.random((1, 3, 3), 0))
    with pytest.raises(algatt.errors.InvalidArgument, match="virtual weights of 1 layer,"):
        algatt.trees.monomial(algatt.unroll(1), (0, 0)).value(theta, plain.random((3, 3), 0))
    with pytest.raises(algatt.errors.InvalidArgument, match=r"b was of shape \(2,\); it should be of shape \(3,\)"):
        linear_term(theta, [1, 2, 3], [1, 2])
    weights = algatt.sample(algatt.Lightning((3, 3, 3), (2, 2), 3), algatt.Weights, field=theta.field)
    for value in (
        lambda: term.value(weights, plain.random((3, 3), 0)),
        lambda: linear_term(weights, [1, 2, 3], [1, 2, 3]),
    ):
        with pytest.raises(
            algatt.errors.InvalidArgument, match="theta was of type Weights; it should be VirtualWeights"
        ):
            value()


@pytest.mark.parametrize("layers", [0, "a", 2.5])
def test_the_layers_of_a_window_are_checked(layers):
    with pytest.raises(algatt.errors.InvalidArgument, match="layers was"):
        window(layers, 1)


def test_monomials_of_too_many_layers_are_refused():
    with pytest.raises(algatt.errors.InvalidArgument, match="layers was 15"):
        algatt.trees.Monomial(15, (0,))
