"""All affine vector fields that leave the function of a small network unchanged."""

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import Lightning, Network, Normalized, PrimeField, Weights, verbs
from algatt.errors import ConditionFailed, InvalidArgument, SymmetryError
from algatt.fields import Elements
from algatt.geometry.fibres.affine_fields import affine_field
from algatt.geometry.fibres.discovery import PRIMES, reconstruct
from algatt.layers import (
    Affine,
    ALiBi,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Tanh,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import discover
from algatt.symmetry.quotients.members import quotients_of

LINEAR = Unnormalized()


def grouped(width=2, d=3):
    return Network(Heads(2, key_heads=1, width=width, score=LINEAR, mask=Causal()), tokens=3, width=d)


def velocity(field, theta):
    """Return the velocity of weights along a field, by its terms."""
    moved = {name: np.zeros(array.shape, dtype=object) for name, array in theta.items()}
    for term in field.terms:
        matrix = term.matrix
        source = None if term.source is None else theta[term.source]
        if term.kind == "constant":
            moved[term.target] += matrix
        elif term.kind == "left":
            moved[term.target] += matrix @ source
        elif term.kind == "right":
            moved[term.target] += source @ matrix
        else:
            moved[term.target] += (matrix @ source.ravel()).reshape(moved[term.target].shape)
    return np.concatenate([part.ravel() for part in moved.values()])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("arch", "dimension"),
    [
        (Lightning((3, 2), (2,), 2), 4 + 1),  # HMK Lemma 3.1 and the rescaling of Lemma 3.5
        (Lightning((2, 2, 2), (2, 2), 3), 4 + 4 + 4 + 1 + 1),
        (Normalized((2, 2), (2,), 3, score=Affine(1, 1)), 4),
        (Network(Feedforward(4, Power(2), width=2), tokens=1, width=2), 4),  # not what its ambient space hides
        (Network(Heads(2, width=2, score=LINEAR, mask=Causal()), tokens=3, width=2), 2 * (4 + 4 + 1)),
    ],
    ids=str,
)
def test_the_declared_and_typed_symmetries_are_all_affine_ones(arch, dimension):
    found = discover(arch)
    assert (found.dimension, found.explained, found.fields) == (dimension, dimension, ())
    assert found.status == "probable"
    assert 0 < found.error < 1e-12


@pytest.fixture
def without_mixtures(monkeypatch):
    """Nobody knows that terms of a sum mix."""
    monkeypatch.setattr("algatt.symmetry.quotients.members.find_mixtures", lambda program: ())
    quotients_of.cache_clear()
    yield
    quotients_of.cache_clear()


@pytest.mark.usefixtures("without_mixtures")
def test_heads_of_a_group_mix_if_scores_are_not_normalised():
    """GL(h / k) mixes the queries of a group, and the outputs against it (math of networks): 8 by types, truth 10."""
    net = grouped(width=1, d=2)
    found = discover(net)
    assert found.dimension - found.explained == 2
    assert {field.tensors for field in found.fields} == {("heads.Q_1", "heads.O_2"), ("heads.Q_2", "heads.O_1")}
    text = str(found.fields[0])
    assert "L heads.Q_2" in text
    assert "heads.O_1" in text


def test_that_heads_of_a_group_mix_is_known():
    found = discover(grouped(width=1, d=2))
    assert (found.dimension, found.explained, found.fields) == (6, 6, ())


@pytest.mark.sample(1)
@pytest.mark.usefixtures("without_mixtures")
@pytest.mark.parametrize("net", [grouped(width=1, d=2), grouped()], ids=str)
def test_fields_are_in_the_kernel_of_the_jacobian_over_a_third_field(net):
    F = PrimeField(1048583)
    theta = algatt.sample(net, Weights, field=F, seed=77)
    X = Elements(F, algatt.sample_inputs(net, field=F, count=6, seed=5).view(np.ndarray).astype(np.float64))
    arrays = {name: element.raw.astype(object).astype(int).astype(object) for name, element in theta.tensors.items()}
    jacobian = verbs.jacobian(net, theta, X).raw.astype(object)
    for field in discover(net).fields:
        assert not ((jacobian @ velocity(field, arrays)) % F.p).any()


def test_biases_of_values_go_into_that_of_the_output():
    """Columns of normalised weights sum to one: b_V + c, b_O - O c."""
    found = discover(Network(Heads(1, width=2, score=Affine(1, 1), biases="VO"), tokens=3, width=2))
    assert found.dimension == 2 * 4 + 2


def test_terms_add_up_to_the_field():
    shapes = {"A": (2, 3), "B": (2, 3), "c": (2, 1)}
    generator = np.random.default_rng(0)
    n = 14
    linear, constant = generator.integers(-2, 3, (n, n)).astype(object), generator.integers(-2, 3, n).astype(object)
    left, right = generator.integers(-2, 3, (2, 2)), generator.integers(-2, 3, (3, 3))
    linear[:6, 6:12] = np.kron(left, np.eye(3, dtype=int)) + np.kron(np.eye(2, dtype=int), right.T)
    linear[:6, :6] = 0
    field = affine_field(shapes, constant, linear)
    theta = {name: generator.integers(-3, 4, shape).astype(object) for name, shape in shapes.items()}
    whole = np.concatenate([array.ravel() for array in theta.values()])
    assert (velocity(field, theta) == linear @ whole + constant).all()
    kinds = {(term.target, term.source): term.kind for term in field.terms if (term.target, term.source) == ("A", "B")}
    assert kinds == {("A", "B"): "right"}  # the last of its two terms
    assert ("A", "A") not in {(term.target, term.source) for term in field.terms}


def test_rational_numbers_come_back_from_residues():
    values = [Fraction(0), Fraction(3), Fraction(-7, 12), Fraction(1000, 999)]
    residues = [np.array([one.numerator * pow(one.denominator, -1, p) % p for one in values]) for p in PRIMES]
    assert reconstruct(*residues).tolist() == values
    for wrong in (np.array([0, 0, 0, 1]), np.array([1, 0, 0, 0])):
        with pytest.raises(SymmetryError, match="no small rational numbers"):
            reconstruct(residues[0], residues[1] + wrong)


@pytest.mark.parametrize(
    ("net", "was"),
    [
        (Network(Linear(9), tokens=1, width=8), "72 weights"),
        (Network(Embedding(3, 2) >> Unembedding(3), tokens=2), "reads tokens"),
    ],
)
def test_networks_that_are_too_large_or_read_tokens_are_refused(net, was):
    with pytest.raises(InvalidArgument, match=was):
        discover(net)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("net", "fields"),
    [
        (Network(Linear(3) >> Tanh() >> Linear(1), tokens=1, width=2), 0),  # neurons of tanh have signs only
        (Network(Linear(2) >> ReLU() >> Linear(2), tokens=1, width=2), 2),  # a scaling for each rectifier
        (Network(RMSNorm() >> Linear(1), tokens=1, width=2), 2),  # the gain, into what reads it
        # one scaling between keys and queries, one between values and outputs; and of the key bias, which nothing sees,
        # any affine function of the 9 weights: 1 + 1 + 10
        (Network(Residual(Heads(1, width=1, biases="K")), tokens=2, width=2), 12),
    ],
    ids=str,
)
def test_networks_with_exponentials_roots_and_gates_have_the_fields_that_are_known_of_them(net, fields):
    found = discover(net)
    assert (found.dimension, found.explained, found.fields) == (fields, fields, ())


def test_a_network_whose_exponents_differ_by_numbers_is_refused():
    heads = Tie(Heads(2, width=1, position=ALiBi()), {"heads.K_2": "heads.K_1", "heads.Q_2": "heads.Q_1"})
    with pytest.raises(ConditionFailed, match="exponents depend"):
        discover(Network(Residual(heads), tokens=2, width=2))
