"""Rows of the Jacobian that are rare must not be missed: at tokens, of which there are finitely many, and
behind gates.
"""

import pytest

import algatt
from algatt.geometry.dimensions.token_inputs import all_inputs
from algatt.layers import Embedding, Feedforward, ReLU, Tanh, Unembedding


def table(vocabulary: int, outputs: int, width: int) -> algatt.Network:
    """One token in, numbers for each of several out: the function is a matrix of this rank, all of whose entries are
    values.
    """
    return algatt.Network(Embedding(vocabulary, width) >> Unembedding(outputs), tokens=1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("vocabulary", "outputs", "width"), [(6, 4, 2), (12, 8, 2), (100, 3, 2), (40, 5, 3)])
def test_tables_have_the_dimension_of_matrices_of_their_rank(vocabulary, outputs, width, seed):
    report = algatt.dimension(table(vocabulary, outputs, width), seed=seed)
    assert report.value == width * (vocabulary + outputs - width)
    assert (report.status, report.error <= 1e-6) == ("probable", True)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_unexplained_in_a_table_is_the_change_of_its_basis(seed):
    net = table(20, 4, 2)
    kernel = algatt.unexplained_kernel(net, algatt.sample(net, algatt.Weights, seed=seed))
    assert (kernel.dimension, kernel.inputs, kernel.error) == (2 * 2, 20, 0.0)


def test_each_sequence_is_there_once():
    net = algatt.Network(Embedding(3, 2) >> Unembedding(2), tokens=4)
    numbers = all_inputs(net, 5)
    assert len(numbers) == 3**4
    assert len({tuple(algatt.sample_inputs(net, seed=5, start=int(number))[0].tolist()) for number in numbers}) == 3**4


def test_where_sequences_are_too_many_no_bound_is_claimed():
    net = algatt.Network(Embedding(33, 1) >> Unembedding(2), tokens=2)
    assert all_inputs(net, 0) is None
    report = algatt.dimension(net)
    assert (report.value, report.status, report.error) == (33 + 2 - 1, "probable", 1.0)
    assert algatt.unexplained_kernel(net, algatt.sample(net, algatt.Weights, seed=0)).error == 1.0


def test_networks_of_vectors_have_no_list_of_inputs():
    assert all_inputs(algatt.Lightning((2, 1), (1,), 1), 0) is None


@pytest.mark.parametrize("seed", range(3))
def test_neurons_that_seldom_fire_count(seed):
    # Each neuron can be scaled in `up` and `b_up`, and back in `down`; no more is redundant (Phuong and Lampert, 2020).
    net = algatt.Network(Feedforward(4, ReLU(), width=2, bias=True), tokens=1, width=3)
    assert algatt.dimension(net, seed=seed).lower == net.parameters - 4


def test_no_parameter_of_a_perceptron_with_tanh_is_redundant():
    # Sussmann 1992: signs and permutations of neurons are all that leave the function as it is.
    net = algatt.Network(Feedforward(7, Tanh(), bias=True), tokens=1, width=3)
    report = algatt.dimension(net)
    assert (report.value, report.status) == (net.parameters, "proven")
