"""Texts that look like those of a rule, and compute something else: no rule may rewrite them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.architectures.network import arrange, arrangement_of, recorded
from algatt.errors import DomainError, InvalidArgument
from algatt.fields import Elements, PrimeField, Reals, concatenate
from algatt.maps import program as program_of
from algatt.programs.digest import digest
from algatt.programs.normal_form import NormalForm, normal_form
from pairs_of_texts import ANGLES, PLACES, rectified, sigmoid, soft, tanh_of_two
from written_networks import written

TENSORS = {"A": (4, 4), "B": (4, 4), "g": (4, 1)}
LARGE = -(10**9)
CENTRING = np.array([[Fraction(int(i == j)) - Fraction(1, 3) for j in range(4)] for i in range(3)], dtype=object)
MINUS = np.array([[-1], [1], [1], [1]])
CAUSAL = np.triu(np.ones((3, 3), dtype=np.int64))


def network(text, tensors=None) -> algatt.Network:
    return written(tensors or TENSORS, text, width=4, tokens=3)


def form_of(text) -> NormalForm:
    return normal_form(program_of(network(text)))


def scores(w, X: Elements) -> Elements:
    return (w.A @ X).T @ (w.B @ X)


def gate(x: Elements) -> Elements:
    return x.entrywise(algatt.fields.Positive())


def tables(X: Elements, angles=ANGLES, positions=PLACES) -> tuple[Elements, Elements]:
    points = verbs.circle_points(X.field, angles=angles, positions=positions)
    return tuple(concatenate((Elements(X.field, one),) * 2) for one in points)


def half(X: Elements) -> Elements:
    return concatenate((-X[2:], X[:2]))


def turn(X: Elements, cosines: Elements, sines: Elements) -> Elements:
    return X * cosines + half(X) * sines


def rounded(X: Elements) -> Elements:
    """The tables are rounded, so that they are no points of the circle."""
    angles = np.outer(ANGLES, PLACES)
    return X * np.vstack([np.cos(angles)] * 2) + half(X) * np.vstack([np.sin(angles)] * 2)


def stacked(*rows: Elements) -> Elements:
    """Return rows of a table, for both rows of each pair."""
    return concatenate(rows * 2)


def check_values(text) -> None:
    """Check that the normal form of a text has its values, where it has any."""
    net = network(text)
    arrangement = arrange(net)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    X = algatt.sample_inputs(net, seed=1, field=Reals())
    try:
        value = algatt.evaluate(net, theta, X)
    except DomainError:
        return
    found = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
    np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-11)


def squares(X: Elements) -> Elements:
    return X * X


def spread(w, X: Elements, share: Fraction) -> Elements:
    mean = X.sum(axis=0) * Fraction(1, 4)
    return X / ((X * X).sum(axis=0) * share - mean**2 + 1).sqrt()


NO_ROTATION = {
    "rounded tables": lambda w, X: rounded(w.A @ X),
    "both signs are plus": lambda w, X: (
        w.A @ X * tables(X)[0] + concatenate(((w.A @ X)[2:], (w.A @ X)[:2])) * tables(X)[1]
    ),
    "both signs are minus": lambda w, X: (
        w.A @ X * tables(X)[0] - concatenate(((w.A @ X)[2:], (w.A @ X)[:2])) * tables(X)[1]
    ),
    "both signs are plus in one pair, and a row of it in another": lambda w, X: (
        w.A @ X * tables(X, ANGLES[:1] * 2)[0]
        + concatenate(((w.A @ X)[[2, 3, 0]], (w.A @ X)[:1])) * tables(X, ANGLES[:1] * 2)[1]
    ),
    "cosines are minus": lambda w, X: half(w.A @ X) * tables(X)[1] - w.A @ X * tables(X)[0],
    "cosines of one row are minus": lambda w, X: turn(w.A @ X, MINUS * tables(X)[0], tables(X)[1]),
    "cosines of other angles": lambda w, X: turn(w.A @ X, tables(X, ANGLES[::-1])[0], tables(X)[1]),
    "sines of other positions": lambda w, X: turn(w.A @ X, tables(X)[0], tables(X, positions=(0, 2, 1))[1]),
    "rows of another pair": lambda w, X: (
        w.A @ X * tables(X)[0] + concatenate((-(w.A @ X)[[3, 2]], (w.A @ X)[:2])) * tables(X)[1]
    ),
    "sines twice": lambda w, X: turn(w.A @ X, tables(X)[0], 2 * tables(X)[1]),
    "sines of one pair twice": lambda w, X: turn(
        w.A @ X, tables(X)[0], stacked(2 * tables(X)[1][:1], tables(X)[1][1:2])
    ),
    "cosines of one pair twice": lambda w, X: turn(
        w.A @ X, stacked(2 * tables(X)[0][:1], tables(X)[0][1:2]), tables(X)[1]
    ),
    "rows of the input": lambda w, X: w.A @ X * tables(X)[0] + half(X) * tables(X)[1],
    "rows twice": lambda w, X: turn(concatenate(((w.A @ X)[:2], (w.A @ X)[:2])), *tables(X)),
    "rows of another result": lambda w, X: w.A @ X * tables(X)[0] + half(w.B @ X) * tables(X)[1],
    "an angle for each row": lambda w, X: turn(
        w.A @ X,
        *(
            Elements(X.field, one)
            for one in verbs.circle_points(X.field, angles=(1.0, 0.5, 2.0, 0.25), positions=PLACES)
        ),
    ),
}


@pytest.mark.parametrize("text", NO_ROTATION.values(), ids=NO_ROTATION)
def test_what_is_no_rotation_is_none(text):
    check_values(text)
    program = form_of(text).program
    turned = [number for number, one in enumerate(program.instructions) if one.operation == "rotate"]
    assert all(
        program.instructions[program.instructions[number].operands[0]].operation == "constant" for number in turned
    )


NEARLY = {
    "an exponential less two over itself and one": lambda w, X: ((w.A @ X).exp() - 2) / ((w.A @ X).exp() + 1),
    "products of two columns less a squared mean": lambda w, X: (
        (w.A @ X).column_products(w.B @ X) - (np.ones((1, 4), dtype=int) @ (w.A @ X)) ** 2 * Fraction(1, 4)
    ),
    "exponentials of what is side by side": lambda w, X: concatenate((w.A @ X, w.B @ X), axis=1).exp(),
}


@pytest.mark.parametrize("text", NEARLY.values(), ids=NEARLY)
def test_what_is_nearly_the_text_of_a_rule_keeps_its_values(text):
    check_values(text)


def test_pairs_with_positions_of_their_own_are_rotations_of_their_own():
    """Rows 1 and 3 are turned by positions 0, 1, 2, and rows 2 and 4 by 0, 2, 1."""

    def text(w, X: Elements) -> Elements:
        both = zip(tables(X), tables(X, positions=(0, 2, 1)), strict=True)
        return turn(w.A @ X, *(stacked(first[:1], second[1:2]) for first, second in both))

    check_values(text)
    positions = {one.argument[1] for one in form_of(text).program.instructions if one.operation == "rotate"}
    assert positions == {PLACES, (0, 2, 1)}


def test_a_rotation_by_tables_is_one():
    form = form_of(lambda w, X: turn(w.A @ X, *tables(X)))
    assert sum(one.operation == "rotate" for one in form.program.instructions) == 1
    other = network(lambda w, X: (w.A @ X)[[0, 2, 1, 3]].rotate(ANGLES, PLACES)[[0, 2, 1, 3]])
    assert form.digest() == normal_form(program_of(other)).digest()
    theta, X = algatt.sample(other, algatt.Weights, seed=1), algatt.sample_inputs(other, seed=1)
    net = network(lambda w, X: turn(w.A @ X, *tables(X)))
    assert np.array_equal(algatt.evaluate(net, theta, X), algatt.evaluate(other, theta, X))  # modulo p


DIFFERENT = {
    "a shift by a column": (
        lambda w, X: X @ soft(scores(w, X) - (scores(w, X) * 2).sum(axis=1)),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "a shift above alone": (
        lambda w, X: X @ ((scores(w, X) - X[:1]).exp() / scores(w, X).exp().sum(axis=0)),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "other sums below": (
        lambda w, X: X @ (scores(w, X).exp() / (2 * scores(w, X)).exp().sum(axis=0)),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "a row that may have no value": (
        lambda w, X: X @ soft(scores(w, X) + X[:1].reciprocal()),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "a row of lengths that may be zero": (
        lambda w, X: X @ soft(scores(w, X) + (w.g.T @ X) / squares(X).sum(axis=0).sqrt()),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "a row of the root of what may be negative": (
        lambda w, X: X @ soft(scores(w, X) + (squares(X).sum(axis=0) - 1).sqrt()),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "zero times a reciprocal": (lambda w, X: X + 0 * (w.A @ X).reciprocal(), lambda w, X: X),
    "twice the sums below": (
        lambda w, X: X @ ((scores(w, X) + 1).exp() / (np.full((1, 3), 2) @ (scores(w, X) + 1).exp())),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "twice the sums below values": (
        lambda w, X: (X @ scores(w, X).exp()) / (np.full((1, 3), 2) @ scores(w, X).exp()),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "sums of rows below": (
        lambda w, X: X @ (scores(w, X).exp() / scores(w, X).exp().sum(axis=1)),
        lambda w, X: X @ soft(scores(w, X)),
    ),
    "a mask of other numbers": (
        lambda w, X: X @ ((scores(w, X) * (2 * CAUSAL)).exp() * (2 * CAUSAL)),
        lambda w, X: X @ (scores(w, X).exp() * (2 * CAUSAL)),
    ),
    "another mask after": (
        lambda w, X: X @ ((scores(w, X) * CAUSAL).exp() * CAUSAL.T),
        lambda w, X: X @ (scores(w, X).exp() * CAUSAL.T),
    ),
    "a large number added": (
        lambda w, X: X @ soft(scores(w, X) + LARGE * (1 - CAUSAL)),
        lambda w, X: X @ (scores(w, X).exp() * CAUSAL / (scores(w, X).exp() * CAUSAL).sum(axis=0)),
    ),
    "a mean of more": (lambda w, X: X - X.sum(axis=0) * Fraction(1, 5), lambda w, X: X.centre()),
    "a mean of another": (lambda w, X: X - (w.A @ X).sum(axis=0) * Fraction(1, 4), lambda w, X: X.centre()),
    "a row that is no mean": (lambda w, X: X - w.g.T @ X, lambda w, X: X.centre()),
    "a matrix that centres three of four": (
        lambda w, X: w.A[:, [0, 1, 2]] @ (CENTRING @ X),
        lambda w, X: w.A[:, [0, 1, 2]] @ X[:3].centre(),
    ),
    "squares of other shares": (
        lambda w, X: spread(w, X, Fraction(1, 3)),
        lambda w, X: X / (X.centre().column_products(X.centre()) * Fraction(1, 4) + 1).sqrt(),
    ),
    "lengths of one centred": (
        lambda w, X: X.column_products((w.A @ X).centre()),
        lambda w, X: X.centre().column_products((w.A @ X).centre() * 2),
    ),
    "a gate of another": (lambda w, X: gate(X * gate(w.A @ X)), lambda w, X: gate(w.A @ X)),
    "two gates": (lambda w, X: X * gate(X) * gate(w.A @ X), lambda w, X: X * gate(X)),
    "a gate of minus": (lambda w, X: gate(-X), lambda w, X: gate(X)),
    "a gate added": (lambda w, X: X * gate(X) + gate(X), lambda w, X: X * gate(X)),
    "two in the place of one": (lambda w, X: 1 / (2 + (-X).exp()), lambda w, X: sigmoid(X)),
    "another exponent": (lambda w, X: X.exp() / (1 + (2 * X).exp()), lambda w, X: sigmoid(X)),
    "tanh of another": (
        lambda w, X: (X.exp() - (-X).exp()) / (X.exp() + (-2 * X).exp()),
        lambda w, X: tanh_of_two(X),
    ),
    "tanh of two others": (
        lambda w, X: (X.exp() - (-2 * X).exp()) / (X.exp() + (-2 * X).exp()),
        lambda w, X: tanh_of_two(X),
    ),
    "tanh the other way": (
        lambda w, X: ((-X).exp() - X.exp()) / (X.exp() + (-X).exp()),
        lambda w, X: tanh_of_two(X),
    ),
    "a root of two": (lambda w, X: (2 * squares(X) + 2).sqrt(), lambda w, X: 2 * (squares(X) + 1).sqrt()),
    "a root of minus": (lambda w, X: (-4 * squares(X)).sqrt(), lambda w, X: 2 * squares(X).sqrt()),
    "rows in another order": (
        lambda w, X: X @ ((w.A @ X)[[1, 0, 2, 3]].T @ (w.B @ X)[[0, 1, 3, 2]]),
        lambda w, X: X @ ((w.A @ X).T @ (w.B @ X)),
    ),
    "products in another order": (lambda w, X: w.A @ (w.B @ X), lambda w, X: w.B @ (w.A @ X)),
    "gates of gains": (lambda w, X: w.g * X + X * X, lambda w, X: w.g * (X + X * X)),
    "values divided by other sums": (
        lambda w, X: (w.A @ X @ scores(w, X).exp()) / (X @ scores(w, X).exp())[:1],
        lambda w, X: w.A @ X @ soft(scores(w, X)),
    ),
    "rectified is not linear": (lambda w, X: w.A @ rectified(X), lambda w, X: rectified(w.A @ X)),
}


@pytest.mark.parametrize("texts", DIFFERENT.values(), ids=DIFFERENT)
def test_what_differs_has_another_normal_form(texts):
    one, two = map(form_of, texts)
    assert one.digest() != two.digest()
    for text in texts:
        check_values(text)


def test_a_mask_of_infinite_numbers_is_refused():
    """Constants are rational numbers; a mask multiplies exponentials."""
    mask = np.where(CAUSAL == 1, 0.0, -np.inf)
    with pytest.raises(InvalidArgument, match=r"-inf.*rational"):
        form_of(lambda w, X: X @ soft(scores(w, X) + mask))


WHOLE = {
    "overlapping rows": lambda w, X: w.A[:3] @ X + w.A[1:] @ X,
    "rows that are not read": lambda w, X: w.A[:1] @ X + w.A[2:3] @ X,
    "parts and the whole": lambda w, X: w.A[:2] @ (w.A @ X) + w.A[2:] @ X,
    "read both ways": lambda w, X: w.A.T @ (w.A @ X),
    "a row read both ways": lambda w, X: w.A[:2].T @ (w.A[:2] @ X) + (w.A[2:] @ X)[:1],
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_tensors_that_are_read_otherwise_stay_whole(text):
    net = network(text, {"A": (4, 4)})
    form = normal_form(program_of(net))
    arrangement = arrangement_of(net)
    for field in (PrimeField(), Reals()):
        theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
        if arrangement is not None:
            assert arrangement.back(arrangement.forth(theta)) == theta
    covered = np.zeros((4, 4), dtype=int)
    for part in form.parts:
        covered[np.ix_(part.rows, part.columns)] += 1
    assert not form.parts or (covered == 1).all()


def test_operations_that_no_rule_knows_are_atoms():
    """A function of nobody's stays as it is, with its name."""
    form = form_of(lambda w, X: w.A @ (w.B @ X).largest(2))
    assert [one.operation for one in form.program.instructions][-2:] == ["largest", "product"]


def test_shares_of_a_column_times_a_row_have_all_columns():
    """A softmax does not see the row; the column that is left is spread."""

    def text(w, X: Elements) -> Elements:
        E = w.A[:3, [0]].exp() * X[:1].exp()
        return X @ (E / E.sum(axis=0))

    check_values(text)


def test_permutations_of_joined_parts_are_one_permutation():
    def text(w, X: Elements) -> Elements:
        return concatenate(((w.A @ X)[[1, 0, 2, 3]], (w.B @ X)[[0, 3, 1, 2]]))

    check_values(text)
    one = form_of(text).program.instructions[-1]
    assert (one.operation, one.argument) == ("take", ((1, 0, 2, 3, 4, 7, 5, 6), (0, 1, 2)))


def test_rows_and_columns_of_tokens_are_added():
    columns = [0, 1, 2]
    check_values(lambda w, X: w.A[:, columns] @ (X.T @ w.A[:, columns] + (X.T @ w.B[:, columns]).centre().T).T)


def test_digests_see_the_order_of_factors():
    one, same, other = (
        digest(program_of(network(text)))
        for text in (
            lambda w, X: (w.A @ w.B).T @ X,
            lambda w, X: w.B.T @ w.A.T @ X,
            lambda w, X: w.A.T @ (w.B.T @ X),
        )
    )
    assert one == same != other


def test_permuted_parts_that_are_transposed_are_put_back():
    net = network(lambda w, X: w.A[[2, 0, 1, 3]].T @ X + w.B[:, [1, 0, 2, 3]].T @ X)
    arrangement = arrange(net)
    assert {part.rows for part in arrangement.parts} >= {(2, 0, 1, 3)}
    theta = algatt.sample(net, algatt.Weights, seed=2)
    assert arrangement.back(arrangement.forth(theta)) == theta
    check_values(lambda w, X: w.A[[2, 0, 1, 3]].T @ X + w.B[:, [1, 0, 2, 3]].T @ X)


NO_CENTRING = {
    "an exchange": np.eye(4, dtype=np.int64)[::-1],
    "ones beside the diagonal": np.ones((4, 4), dtype=object) - np.eye(4, dtype=np.int64) - Fraction(1, 4),
    "twice the centring matrix": 2 * np.eye(4, dtype=np.int64) - np.full((4, 4), Fraction(1, 2)),
    "another share": np.eye(4, dtype=np.int64) - np.full((4, 4), Fraction(1, 3)),
}


@pytest.mark.parametrize("matrix", NO_CENTRING.values(), ids=NO_CENTRING)
def test_constant_matrices_that_centre_nothing_stay(matrix):
    def text(w, X: Elements) -> Elements:
        return matrix @ (w.A @ X)

    check_values(text)
    assert not any(one.operation == "centre" for one in form_of(text).program.instructions)


def test_rows_of_weights_in_another_order_are_rows_of_the_product():
    one, same, other = (
        digest(program_of(network(text)))
        for text in (
            lambda w, X: w.A[[1, 2, 0, 3]] @ X,
            lambda w, X: (w.A @ X)[[1, 2, 0, 3]],
            lambda w, X: (w.A @ X)[[2, 0, 1, 3]],
        )
    )
    assert one == same != other
    check_values(lambda w, X: w.A[[1, 2, 0, 3]] @ X)


def test_digests_have_numbers_in_front_of_products_of_columns():
    one, same, other = (
        digest(recorded(network(text)))
        for text in (
            lambda w, X: (2 * (w.A @ X)).column_products(3 * (w.B @ X)),
            lambda w, X: 6 * (w.A @ X).column_products(w.B @ X),
            lambda w, X: 5 * (w.A @ X).column_products(w.B @ X),
        )
    )
    assert one == same != other


def test_digests_see_that_a_sum_is_transposed():
    one, same, other = (
        digest(recorded(network(text)))
        for text in (
            lambda w, X: (w.A + w.B + (w.A + w.B).T) @ X,
            lambda w, X: (w.A + w.B + w.A.T + w.B.T) @ X,
            lambda w, X: (w.A + w.B + w.A + w.B) @ X,
        )
    )
    assert one == same != other


def test_a_column_of_ones_times_a_product_of_rows_has_all_rows():
    def text(w, X: Elements) -> Elements:
        return np.ones((4, 1), dtype=np.int64) @ ((w.g.T @ X) * (X[:1] + 1))

    check_values(text)
    assert form_of(text).program.instructions[-1].shape == (4, 3)


def test_digests_see_each_entry_of_a_constant_that_is_transposed() -> None:
    constant = np.arange(1, 9).reshape(2, 4)
    changed = [constant + 10 * (np.arange(8) == entry).reshape(2, 4) for entry in range(8)]
    texts = [lambda w, X, C=matrix: ((C @ w.A).T + w.B[:, :2]).T @ X + w.A[:2] @ X for matrix in (constant, *changed)]
    same = lambda w, X: (w.A.T @ constant.T + w.B[:, :2]).T @ X + w.A[:2] @ X  # noqa: E731
    one, *others = (digest(recorded(network(text))) for text in texts)
    assert digest(recorded(network(same))) == one
    assert len({one, *others}) == 9
