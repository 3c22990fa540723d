"""Validation, shapes, sampling: what all architectures share."""

import dataclasses

import galois
import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights, verbs
from algatt.errors import InvalidArgument, MethodError

ARCH = Lightning((4, 3, 2), (2, 5), 3)


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens", "message"),
    [
        ((4, 0), (2,), 3, "dims[1] was 0; it should be an integer >= 1"),
        ((-4, 4), (2,), 3, "dims[0] was -4; it should be an integer >= 1"),
        ((4, 4.0), (2,), 3, "dims[1] was 4.0; it should be an integer >= 1"),
        ((4, True), (2,), 3, "dims[1] was True; it should be an integer >= 1"),
        ((4, "4"), (2,), 3, "dims[1] was '4'; it should be an integer >= 1"),
        ((4, None), (2,), 3, "dims[1] was None; it should be an integer >= 1"),
        ((4,), (), 3, "dims was of length 1; it should be of length at least 2: d_0, ..., d_l"),
        ((), (), 3, "dims was of length 0; it should be of length at least 2: d_0, ..., d_l"),
        (4, (2,), 3, "dims was 4; it should be a sequence of integers"),
        ("44", (2,), 3, "dims was '44'; it should be a sequence of integers"),
        ((4, 4), (0,), 3, "ranks[0] was 0; it should be an integer >= 1"),
        ((4, 4), (-1,), 3, "ranks[0] was -1; it should be an integer >= 1"),
        ((4, 4), (1.5,), 3, "ranks[0] was 1.5; it should be an integer >= 1"),
        ((4, 4), (False,), 3, "ranks[0] was False; it should be an integer >= 1"),
        ((4, 4), (2, 2), 3, "ranks was of length 2; it should be of length 1, one less than dims"),
        ((4, 4, 4), (2,), 3, "ranks was of length 1; it should be of length 2, one less than dims"),
        ((4, 4), 2, 3, "ranks was 2; it should be a sequence of integers"),
        ((4, 4), (2,), 0, "tokens was 0; it should be an integer >= 1"),
        ((4, 4), (2,), -3, "tokens was -3; it should be an integer >= 1"),
        ((4, 4), (2,), 2.5, "tokens was 2.5; it should be an integer >= 1"),
        ((4, 4), (2,), True, "tokens was True; it should be an integer >= 1"),
        ((4, 4), (2,), (3,), "tokens was (3,); it should be an integer >= 1"),
    ],
)
def test_what_is_no_architecture_is_refused(dims, ranks, tokens, message):
    with pytest.raises(InvalidArgument) as caught:
        Lightning(dims, ranks, tokens)
    assert str(caught.value) == message


def test_any_sequence_of_integers_makes_the_same_architecture():
    arch = Lightning(np.array([4, 3]), [np.int32(2)], np.int64(5))
    assert arch == Lightning((4, 3), (2,), 5)
    assert hash(arch) == hash(Lightning((4, 3), (2,), 5))
    assert repr(arch) == "Lightning(dims=(4, 3), ranks=(2,), tokens=5)"


def test_architectures_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ARCH.tokens = 4


def test_layers_and_parameters_are_counted():
    assert ARCH.layers == 2
    assert ARCH.parameters == 2 * (2 * 4) + 3 * 4 + 2 * (5 * 3) + 2 * 3


def test_the_shapes_are_those_of_the_paper():
    assert verbs.shapes(ARCH, Weights) == ((2, 4), (2, 4), (3, 4), (5, 3), (5, 3), (2, 3))
    assert verbs.shapes(ARCH, AttentionMatrix) == ((4, 4), (3, 4), (3, 3), (2, 3))
    assert verbs.shapes(ARCH, VirtualWeights) == ((4, 4), (4, 4), (2, 4))


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_samples_have_the_shapes_and_the_field(coordinates):
    theta = algatt.sample(ARCH, coordinates, field=PrimeField(31), seed=7)
    assert tuple(element.shape for element in theta.elements) == verbs.shapes(ARCH, coordinates)
    assert theta.field == PrimeField(31)
    assert algatt.sample(ARCH, coordinates).field == PrimeField(8388593)


def test_real_samples_have_variance_one_and_residues_are_spread():
    wide = Lightning((100, 100), (100,), 1)
    vector = algatt.flatten(algatt.sample(wide, Weights, field=Reals()))
    assert np.abs(vector).max() <= np.sqrt(3)
    # 30000 uniform numbers: the standard errors of mean and variance are 0.006 and 0.005.
    assert abs(vector.mean()) < 0.03
    assert abs(vector.var() - 1) < 0.03
    residues = np.array(algatt.flatten(algatt.sample(wide, Weights, field=PrimeField(3))))
    assert all(abs(np.mean(residues == residue) - 1 / 3) < 0.015 for residue in range(3))


@pytest.mark.parametrize("seed", [-1, 1.0, True, "0", None])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(InvalidArgument, match=r"seed was .*; it should be an integer >= 0"):
        algatt.sample(ARCH, Weights, seed=seed)


@pytest.mark.parametrize(("option", "value"), [("count", -1), ("count", 1.5), ("start", -1), ("start", True)])
def test_what_is_no_number_of_inputs_is_refused(option, value):
    with pytest.raises(InvalidArgument, match=f"{option} was {value}; it should be an integer >= 0"):
        algatt.sample_inputs(ARCH, **{option: value})


def test_sampling_in_something_that_is_no_coordinates_is_refused():
    with pytest.raises(MethodError, match=r"no method fits sample\(Lightning, type\[int\]\)"):
        algatt.sample(ARCH, int)


@pytest.mark.parametrize("shape", [(4,), (3, 4), (4, 4), (1, 3, 4), (1, 1, 4, 3), (2, 4, 3, 1)])
@pytest.mark.parametrize("verb", [algatt.evaluate, algatt.jacobian])
def test_inputs_of_another_shape_are_refused(verb, shape):
    with pytest.raises(InvalidArgument) as caught:
        verb(ARCH, algatt.sample(ARCH, Weights), np.ones(shape, dtype=int))
    assert str(caught.value) == f"inputs was of shape {shape}; it should be of shape (4, 3) or (batch, 4, 3)"


@pytest.mark.parametrize("verb", [algatt.evaluate, algatt.jacobian])
def test_inputs_of_another_field_are_refused(verb):
    theta = algatt.sample(ARCH, Weights, field=PrimeField(31))
    with pytest.raises(InvalidArgument, match=r"inputs was over GF\(7\); it should be over GF\(31\)"):
        verb(ARCH, theta, galois.GF(7).Zeros((4, 3)))
    with pytest.raises(
        InvalidArgument,
        match=r"inputs was an array of float64; it should be a galois array over GF\(31\), or integers 0\.\.30",
    ):
        verb(ARCH, theta, np.ones((4, 3)))
    with pytest.raises(
        InvalidArgument, match=r"inputs was with entries from 31 to 31; it should be with entries 0\.\.30"
    ):
        verb(ARCH, theta, np.full((4, 3), 31))
    with pytest.raises(InvalidArgument, match="inputs was with NaN or infinity"):
        verb(ARCH, algatt.sample(ARCH, Weights, field=Reals()), np.full((4, 3), np.nan))


@pytest.mark.parametrize("verb", [algatt.evaluate, algatt.jacobian])
@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_parameters_of_another_architecture_are_refused(verb, coordinates):
    other = Lightning((4, 2, 3), (2, 5), 3)
    theta = algatt.sample(other, coordinates)
    with pytest.raises(InvalidArgument) as caught:
        verb(ARCH, theta, algatt.sample_inputs(ARCH))
    was, should = (", with V_1 of shape (2, 4)", ", with V_1 of shape (3, 4)") if coordinates is Weights else ("", "")
    assert str(caught.value) == f"theta was {theta!r}{was}; it should be parameters of {ARCH!r}{should}"


def test_plain_lists_are_inputs_too():
    theta = algatt.sample(ARCH, Weights, field=PrimeField(31))
    X = [[1, 2, 3]] * 4
    assert np.array_equal(algatt.evaluate(ARCH, theta, X), algatt.evaluate(ARCH, theta, galois.GF(31)(X)))


@pytest.mark.parametrize("field", [PrimeField(), PrimeField(2305843009213693951), Reals()], ids=str)
@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_no_inputs_have_no_values(field, coordinates):
    theta = algatt.sample(ARCH, coordinates, field=field)
    inputs = algatt.sample_inputs(ARCH, field=field, count=0)
    assert inputs.shape == (0, 4, 3)
    assert algatt.evaluate(ARCH, theta, inputs).shape == (0, 2, 3)
    assert algatt.jacobian(ARCH, theta, inputs).shape == (0, algatt.flatten(theta).size)


def test_a_user_of_an_architecture_without_a_method_is_told_so():
    @dataclasses.dataclass(frozen=True)
    class Unknown(algatt.architectures.AttentionNetwork):
        pass

    arch = Unknown((2, 2), (1,), 2)
    with pytest.raises(MethodError, match=r"no method fits expression\(Unknown\)"):
        algatt.evaluate(arch, algatt.sample(arch, Weights), algatt.sample_inputs(arch))
