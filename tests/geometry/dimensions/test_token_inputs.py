"""Rows of the Jacobian that are rare must not be missed: at tokens, of which there are finitely many, and
behind gates.
"""

import pytest

import algatt
from algatt.geometry.dimensions.bounds import all_inputs
from algatt.layers import Embedding, Feedforward, Power, ReLU, Tanh, Unembedding


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
    assert (report.status, report.error) == ("proven", None)


@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_of_a_table_is_the_change_of_its_basis(seed):
    net = table(20, 4, 2)
    kernel = algatt.unexplained_kernel(net, algatt.sample(net, algatt.Weights, seed=seed))
    assert (kernel.kernel, kernel.explained, kernel.inputs, kernel.status) == (2 * 2, 2 * 2, 20, "proven")


def squares(vocabulary: int, tokens: int) -> algatt.Network:
    """Two neurons that square one number: c_1 e^2 + c_2 e^2, which is one neuron; types see two tori and one number, 3
    parameters, and truth is 2 more. Of one token all is made of weights, and what the value sees of them is known.
    """
    return algatt.Network(Embedding(vocabulary, 1) >> Feedforward(2, Power(2), width=2), tokens=tokens)


def test_all_sequences_are_looked_at_where_the_bounds_do_not_meet():
    report = algatt.dimension(squares(9, 1))
    assert (report.value, report.status) == (9 + 2 - 1, "proven")
    report = algatt.dimension(squares(9, 2))
    assert (report.value, report.upper) == (9 + 2 - 1, 9 + 6 - 3)
    assert (report.status, report.error <= 1e-6) == ("probable", True)
    assert report.evidence.lower.complete


def test_each_sequence_is_there_once():
    net = algatt.Network(Embedding(3, 2) >> Unembedding(2), tokens=4)
    numbers = all_inputs(net, 5)
    assert len(numbers) == 3**4
    assert len({tuple(algatt.sample_inputs(net, seed=5, start=int(number))[0].tolist()) for number in numbers}) == 3**4


def test_where_sequences_are_too_many_only_the_witness_bounds_the_error(monkeypatch):
    net = squares(33, 2)
    assert all_inputs(net, 0) is None
    report = algatt.dimension(net)
    assert (report.value, report.witness.value, report.status) == (33 + 2 - 1, 33 + 2 - 1, "probable")
    assert report.error == report.witness.error < 1e-12
    monkeypatch.setattr("algatt.geometry.dimensions.witness.MOST_WORK", 0)
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
