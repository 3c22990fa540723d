"""What all coordinate systems share: equality, hashing, copying, storage."""

import copy
import pickle
import zipfile
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument, OutputError
from algatt.fields import Dual, DualArray, Elements
from forged_files import write_anew

COORDINATES = [Weights, AttentionMatrix, VirtualWeights]
FIELDS = [PrimeField(2), PrimeField(), PrimeField(2305843009213693951), Reals()]
ARCH = Lightning((3, 2, 4), (2, 1), 3)


@pytest.fixture(params=COORDINATES, ids=lambda cls: cls.__name__)
def coordinates(request):
    return request.param


@pytest.fixture(params=FIELDS, ids=str)
def field(request):
    return request.param


def point(coordinates, field, seed=0):
    return algatt.sample(ARCH, coordinates, field=field, seed=seed)


def test_equal_entries_make_equal_parameters(coordinates, field):
    one, two = point(coordinates, field), point(coordinates, field)
    assert one is not two
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two}) == 1
    assert one != point(coordinates, field, seed=1)


def test_parameters_of_other_kinds_or_fields_are_not_equal():
    eye = np.eye(2, dtype=int)
    weights = Weights.of([(eye, eye, eye)], field=PrimeField(31))
    assert weights != Weights.of([(eye, eye, eye)], field=PrimeField(3191))
    assert weights != Weights.of([(eye, eye, eye)])
    assert weights != AttentionMatrix.of([(eye, eye)], field=PrimeField(31))
    assert weights != "weights"
    # Both list the same twelve numbers, as matrices of other shapes.
    assert VirtualWeights.of([np.eye(2)] * 2, np.eye(2)) != VirtualWeights.of([np.eye(2)], np.vstack([np.eye(2)] * 2))


def test_a_worker_process_receives_the_same_parameters(coordinates, field):
    theta = point(coordinates, field)
    received = ForkingPickler.loads(ForkingPickler.dumps(theta))
    assert received == theta
    assert hash(received) == hash(theta)
    assert received.field == field


def test_flatten_lists_the_arrays_of_the_layers_row_by_row():
    Q, K, V = [[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10]]
    theta = Weights.of([(Q, K, V)], field=PrimeField(31))
    assert algatt.flatten(theta).tolist() == list(range(1, 11))
    assert algatt.flatten(AttentionMatrix.of([(Q, V)], field=Reals())).tolist() == [1, 2, 3, 4, 9, 10]
    assert algatt.flatten(VirtualWeights.of([Q, K], V, field=Reals())).tolist() == list(range(1, 11))


@pytest.mark.parametrize("coordinates", COORDINATES, ids=lambda cls: cls.__name__)
def test_flat_vectors_and_parameters_are_the_same_thing(coordinates, field):
    theta = point(coordinates, field)
    assert algatt.unflatten(ARCH, coordinates, algatt.flatten(theta)) == theta


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ([1.0] * 31, "vector was of shape (31,); it should be of shape (30,), the parameters of " + repr(ARCH)),
        (np.ones((30, 1)), "vector was of shape (30, 1); it should be of shape (30,), the parameters of " + repr(ARCH)),
        ([np.nan] * 30, "vector was with NaN or infinity; it should be with finite entries"),
    ],
)
def test_a_vector_that_is_no_parameters_is_refused(vector, message):
    with pytest.raises(InvalidArgument) as caught:
        algatt.unflatten(ARCH, Weights, vector)
    assert str(caught.value) == message


def test_what_is_saved_is_loaded(coordinates, field, tmp_path):
    theta = point(coordinates, field)
    theta.save(tmp_path / "theta.npz")
    loaded = algatt.parameters.load(str(tmp_path / "theta.npz"))
    assert type(loaded) is coordinates
    assert loaded.field == field
    assert loaded == theta


def test_the_file_holds_named_arrays_that_numpy_reads(tmp_path):
    layers = [([[1, 2]], [[3, 2305843009213693950]], [[5, 6]])]
    Weights.of(layers, field=PrimeField(2305843009213693951)).save(tmp_path / "theta.npz")
    with np.load(tmp_path / "theta.npz") as stored:
        assert {name: stored[name].tolist() for name in stored} == {
            "kind": "Weights",
            "prime": 2305843009213693951,
            "count": 3,
            "Q_1": [[1, 2]],
            "K_1": [[3, 2305843009213693950]],
            "V_1": [[5, 6]],
        }


def test_a_file_with_fewer_arrays_than_it_says_is_refused(tmp_path):
    eye = np.eye(2, dtype=int)
    for count in (2, 4, 6):
        np.savez(
            tmp_path / "theta.npz",
            kind=np.array("Weights"),
            prime=np.array(31),
            count=np.array(count),
            Q_1=eye,
            K_1=eye,
            V_1=eye,
        )
        with pytest.raises(InvalidArgument, match="which holds no parameters"):
            algatt.parameters.load(tmp_path / "theta.npz")


def test_nothing_is_lost_where_a_path_cannot_be_written(tmp_path):
    theta = point(Weights, Reals())
    with pytest.raises(OutputError, match="No such file or directory"):
        theta.save(tmp_path / "missing" / "theta.npz")
    with pytest.raises(OutputError, match="it is a directory"):
        theta.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_numbers_of_a_field_are_saved(tmp_path):
    dual = Dual(Reals())
    theta = Weights(tuple(Elements(dual, DualArray(element.raw)) for element in point(Weights, Reals()).elements))
    with pytest.raises(InvalidArgument, match="it should be over a PrimeField or Reals to be saved"):
        theta.save(tmp_path / "theta.npz")


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "theta.npz"
    point(Weights, PrimeField()).save(path)
    return path


@pytest.mark.parametrize("length", [0, 1, 30, 500])
def test_a_truncated_file_is_refused(stored, length):
    stored.write_bytes(stored.read_bytes()[:length])
    with pytest.raises(InvalidArgument, match="which cannot be read"):
        algatt.parameters.load(stored)


def test_a_file_with_a_changed_digit_is_refused(stored):
    content = bytearray(stored.read_bytes())
    entries = np.ascontiguousarray(algatt.sample(ARCH, Weights).layers[0].Q.view(np.ndarray), dtype=np.int64).tobytes()
    content[content.index(entries)] ^= 1
    stored.write_bytes(content)
    with pytest.raises(InvalidArgument, match="which cannot be read"):
        algatt.parameters.load(stored)


@pytest.mark.parametrize("field_of_header", [4, 6, 8])
def test_a_file_with_a_changed_header_is_refused(stored, field_of_header):
    # Version, flags and compression method of the first entry of the zip file's directory.
    content = bytearray(stored.read_bytes())
    directory = content.index(b"PK\x01\x02")
    content[directory + field_of_header + 2] ^= 0x41
    stored.write_bytes(content)
    with pytest.raises(InvalidArgument, match="which cannot be read"):
        algatt.parameters.load(stored)


def test_a_changed_byte_is_refused_or_changes_no_number(stored):
    # The zip format has a checksum for each array, but none for their number.
    content = stored.read_bytes()
    listed = algatt.flatten(algatt.parameters.load(stored)).tolist()
    for position in range(0, len(content), 3):
        write_anew(stored, content[:position] + bytes([content[position] ^ 0x41]) + content[position + 1 :])
        try:
            read = algatt.flatten(algatt.parameters.load(stored)).tolist()
        except InvalidArgument:
            continue
        assert read == listed[: len(read)]


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text.npz").write_text("these are no parameters")
    np.save(tmp_path / "array.npy", np.eye(2))
    np.savez(tmp_path / "arrays.npz", Q_1=np.eye(2))
    with zipfile.ZipFile(tmp_path / "zip.npz", "w") as archive:
        archive.writestr("kind", "Weights")
    for name in ("text.npz", "array.npy", "arrays.npz", "zip.npz", "missing.npz", "."):
        with pytest.raises(
            InvalidArgument,
            match=r"it should be an .npz file with AttentionMatrix, VirtualWeights, Weights, as algatt\.Weights\.of\(",
        ):
            algatt.parameters.load(tmp_path / name)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prime": np.array(15)}, "p was 15, which is not prime"),
        ({"prime": np.array([2, 3])}, "it should be an .npz file with"),
        ({"prime": np.array(3)}, "Q_1 was with entries from 5 to 5; it should be with entries 0..2 of GF.3."),
        ({"kind": np.array("Biases")}, "which holds no parameters"),
        ({"V_1": np.eye(3, dtype=int)}, "V_1 was of shape .3, 3."),
        ({"Q_1": np.array([5, 5])}, "Q_1 was of shape .2,."),
    ],
)
def test_a_file_with_contradictions_is_refused(tmp_path, changes, message):
    eye = np.array([[5, 5], [5, 5]])
    np.savez(
        tmp_path / "theta.npz",
        **{
            "kind": np.array("Weights"),
            "prime": np.array(31),
            "count": np.array(3),
            "Q_1": eye,
            "K_1": eye,
            "V_1": eye,
            **changes,
        },
    )
    with pytest.raises(InvalidArgument, match=message):
        algatt.parameters.load(tmp_path / "theta.npz")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("V_1", "Q_1", "K_1"), "with the tensors V_1, Q_1, K_1; it should be with them in the order Q_1, K_1, V_1"),
        (("Q_1", "K_1", "W_1"), "without V_1"),
    ],
)
def test_weights_with_other_names_or_in_another_order_are_those_of_another_network(tmp_path, names, message):
    arrays = {name: np.full((2, 2), number) for number, name in enumerate(names)}
    np.savez(tmp_path / "theta.npz", kind=np.array("Weights"), prime=np.array(31), count=np.array(3), **arrays)
    theta = algatt.parameters.load(tmp_path / "theta.npz")
    assert theta.names() == names
    for question in (algatt.evaluate, algatt.jacobian):
        with pytest.raises(InvalidArgument, match=message):
            question(algatt.Lightning((2, 2), (2,), 2), theta, np.eye(2, dtype=int))
    with pytest.raises(InvalidArgument, match=r"weights Q_1, K_1, V_1, \.\.\. of attention layers"):
        _ = theta.layers


def test_a_quotient_in_a_file_has_its_own_names(tmp_path):
    arrays = {name: np.full((2, 2), number) for number, name in enumerate(("V_1", "A_1"))}
    np.savez(tmp_path / "theta.npz", kind=np.array("AttentionMatrix"), prime=np.array(31), count=np.array(2), **arrays)
    with pytest.raises(InvalidArgument, match="with the arrays A_1, V_1"):
        algatt.parameters.load(tmp_path / "theta.npz")


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 201, "\x1b[2J"])
def test_names_of_tensors_are_plain(name):
    with pytest.raises(
        InvalidArgument, match=r"labels was with the name .*; it should be with names of letters, digits, _ and dots"
    ):
        Weights.of({name: [[1.0]]})


def test_a_point_with_arrays_over_two_fields_is_refused():
    one, two = point(Weights, PrimeField(2)), point(Weights, PrimeField())
    with pytest.raises(InvalidArgument, match="elements was over 2 fields; it should be over one field"):
        Weights((*one.elements[:-1], two.elements[-1]))
    with pytest.raises(InvalidArgument, match="elements was over 0 fields; it should be over one field"):
        Weights(())


def test_parameters_are_frozen(coordinates, field):
    theta = point(coordinates, field)
    with pytest.raises(AttributeError):
        theta.elements = ()
    before = algatt.flatten(theta).tolist()
    for element in theta.elements:
        public = element.public()
        if public.flags.writeable:
            public[0, 0] = public[0, 0] + public.__class__(1) if field != Reals() else 7.0
    assert algatt.flatten(theta).tolist() == before


def test_later_changes_of_the_arrays_given_do_not_reach_the_parameters():
    Q = np.eye(2)
    theta = Weights.of([(Q, Q, Q)])
    Q[0, 0] = 5
    assert algatt.flatten(theta).tolist() == [1, 0, 0, 1] * 3


def test_copies_are_frozen_too_and_the_originals_are_not():
    for field in (Reals(), PrimeField(2305843009213693951)):
        theta = point(Weights, field)
        for copied in (pickle.loads(pickle.dumps(theta)), copy.deepcopy(theta), copy.copy(theta)):
            assert copied == theta
            for element in copied.elements:
                assert not element.raw.flags.writeable
    mine = np.eye(2)
    AttentionMatrix((Elements(Reals(), mine), Elements(Reals(), mine)))
    mine[0, 0] = 5.0


def test_a_point_keeps_the_precision_of_its_source(tmp_path):
    theta = Weights.of(
        [tuple(element.raw.astype(np.float32) for element in layer) for layer in point(Weights, Reals()).layer_elements]
    )
    assert theta.field.precision == 24
    theta.save(tmp_path / "theta.npz")
    derived = [
        algatt.parameters.load(tmp_path / "theta.npz"),
        pickle.loads(pickle.dumps(theta)),
        copy.deepcopy(theta),
        algatt.convert(theta, AttentionMatrix),
        algatt.convert(theta, VirtualWeights),
        algatt.canonical(ARCH, theta),
        algatt.act(algatt.symmetry.KeyQuery(ARCH).element(theta, 1), theta),
        algatt.act(algatt.symmetry.KeyQuery(ARCH).of([np.eye(2), np.eye(1)]), theta),
        algatt.fiber(ARCH, theta).sample(1),
        algatt.unflatten(ARCH, Weights, algatt.flatten(theta), field=theta.field),
        algatt.unflatten(ARCH, Weights, algatt.flatten(theta).astype(np.float32)),
    ]
    for other in derived:
        assert other.field.precision == 24
    assert derived[:3] == [theta] * 3
    assert repr(theta) == "Weights(dims=(3, 2, 4), ranks=(2, 1), field=RR (float64, 24 bits known))"


def test_the_least_precise_array_counts_and_a_field_that_is_given_is_an_upper_bound():
    fine, coarse = np.eye(2), np.eye(2, dtype=np.float16)
    assert AttentionMatrix.of([(fine, coarse)]).field.precision == 11
    assert AttentionMatrix.of([(fine, coarse)], field=Reals()).field.precision == 11
    assert AttentionMatrix.of([(fine, coarse)], field=Reals(precision=8)).field.precision == 8
    assert AttentionMatrix.of([(fine, fine)]).field.precision == 53
    mixed = AttentionMatrix((Elements(Reals(), fine), Elements(Reals(precision=8), fine)))
    assert mixed.field.precision == 8
    assert mixed == AttentionMatrix.of([(fine, fine)])


def test_the_precision_is_in_the_file_where_it_is_less_than_full(tmp_path):
    for field, stored in ((Reals(), False), (Reals(precision=8), True), (PrimeField(31), False)):
        Weights.of([(np.eye(2, dtype=int),) * 3], field=field).save(tmp_path / "theta.npz")
        with np.load(tmp_path / "theta.npz") as arrays:
            assert ("precision" in arrays) is stored
    for precision in (np.array(1), np.array(54), np.array(8.0), np.array([8])):
        arrays = dict.fromkeys(("Q_1", "K_1", "V_1"), np.eye(2))
        np.savez(
            tmp_path / "theta.npz",
            kind=np.array("Weights"),
            prime=np.array(0),
            count=np.array(3),
            precision=precision,
            **arrays,
        )
        with pytest.raises(InvalidArgument, match=r"holds no parameters|precision was"):
            algatt.parameters.load(tmp_path / "theta.npz")


@pytest.mark.parametrize("read", [np.asarray, np.array, np.shape, lambda theta: np.eye(2) @ theta.__array__()])
def test_a_point_is_no_array_and_says_what_to_use(coordinates, read):
    with pytest.raises(InvalidArgument) as caught:
        read(point(coordinates, Reals()))
    assert "which is several matrices; it should be algatt.flatten(theta)" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_arrays_and_points_are_compared_without_making_arrays_of_points(coordinates):
    theta = point(coordinates, Reals())
    assert (np.eye(2) == theta) is False
    assert (theta == np.eye(2)) is False
    assert np.float64(1.0) != theta
