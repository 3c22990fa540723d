"""The factors of the unrolled product: the words of the paper, the recursion in symbols, and counts."""

import networkx as nx
import pytest

import algatt
from algatt.trees import Factor, factor_at

WORDS = {
    1: "M_1",
    2: "M_1 M_1^T M_2 M_1",
    3: "M_1 M_1^T M_2 M_1 M_1^T M_2^T M_1 M_1^T M_3 M_1 M_1^T M_2 M_1",
}
"""Written out by hand from HMK Lemma 3.6."""


def gaps(i):
    """The factors between the leaves of P_i, by the recursion."""
    return [] if i == 0 else [*gaps(i - 1), f"M_{i}", *gaps(i - 1), f"M_{i}^T", *gaps(i - 1)]


def word(layers):
    return [symbol for k in range(layers, 0, -1) for symbol in (*gaps(k - 1), f"M_{k}")]


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_words_of_the_paper(layers):
    assert " ".join(map(str, algatt.factors(layers))) == WORDS[layers]


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6, 7])
def test_the_rule_is_the_recursion(layers):
    assert list(map(str, algatt.factors(layers))) == word(layers)


@pytest.mark.parametrize("kind", ["tree", "dag"])
@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6])
def test_the_rule_is_the_graph_read_from_the_left(layers, kind):
    assert algatt.factors(layers) == algatt.factors(algatt.unroll(layers, kind=kind))


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6, 12])
def test_counts(layers):
    factors = algatt.factors(layers)
    assert len(factors) == (3**layers - 1) // 2
    for k in range(1, layers + 1):
        straight = sum(factor.layer == k and not factor.transposed for factor in factors)
        transposed = sum(factor.layer == k and factor.transposed for factor in factors)
        assert straight + transposed == 3 ** (layers - k)
        assert straight - transposed == 1  # the pairs come from the powers, the one more from the root
    assert factors[-1] == Factor(1, False, len(factors))


@pytest.mark.parametrize("slot", [1, 2, 3, 6, 9, 13, 364, 10**6])
def test_digits_are_the_slot_to_base_three_and_end_in_the_rule(slot):
    factor = factor_at(slot)
    assert int(factor.digits, 3) == factor.slot == slot
    assert factor.digits.endswith(("2" if factor.transposed else "1") + "0" * (factor.layer - 1))


def test_the_factor_of_a_slot_does_not_depend_on_the_number_of_layers():
    longest = algatt.factors(7)
    for layers in range(1, 7):
        assert algatt.factors(layers) == longest[: (3**layers - 1) // 2]
    assert longest[99] == factor_at(100)


def test_a_network_has_the_factors_of_its_layers():
    assert algatt.factors(algatt.Lightning(dims=(2, 2, 2), ranks=(1, 1), tokens=1)) == algatt.factors(2)


def test_factors_are_values():
    one, two = algatt.factors(2)[:2]
    assert one == Factor(layer=1, transposed=False, slot=1)
    assert len({one, two, factor_at(1)}) == 2
    with pytest.raises(AttributeError):
        one.layer = 2


@pytest.mark.parametrize("layers", [0, -3, False])
def test_layers_are_counted_from_one(layers):
    with pytest.raises(algatt.errors.InvalidArgument, match="layers was"):
        algatt.factors(layers)


def test_lists_that_are_too_long_are_refused_with_their_length():
    with pytest.raises(
        algatt.errors.InvalidArgument, match="layers was 15, which has 7,174,453 factors; it should be at most 14"
    ):
        algatt.factors(15)
    with pytest.raises(algatt.errors.InvalidArgument, match="layers was 1000; it should be at most 14"):
        algatt.factors(algatt.unroll(1000, kind="dag"))


def test_slots_are_counted_from_one():
    with pytest.raises(algatt.errors.InvalidArgument, match="slot was 0"):
        factor_at(0)


def test_a_slot_without_digits_is_refused():
    with pytest.raises(algatt.errors.InvalidArgument, match="slot was -1; it should be an integer >= 1"):
        _ = Factor(1, False, -1).digits


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [("kind", "forest", "of kind 'forest'"), ("layers", "3", "layers.* was '3'; it should be")],
)
def test_graphs_with_foreign_attributes_are_refused(name, value, message):
    tree = algatt.unroll(3)
    tree.graph[name] = value
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        algatt.factors(tree)


def test_other_graphs_are_refused():
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match="without the attributes layers, kind, factors, root; it should be a graph made by unroll",
    ):
        algatt.factors(nx.DiGraph())
    tree = algatt.unroll(2)
    tree.remove_node("phi")
    with pytest.raises(algatt.errors.InvalidArgument, match="without its root 'phi'"):
        algatt.factors(tree)
