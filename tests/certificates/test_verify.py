"""Certificates are verified by other code, and refuted when any digit of a claim is changed."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt import precision
from algatt.certificates import recompute
from algatt.certificates.certificate import STREAM

SMALL = algatt.Lightning((3, 2, 3), (2, 1), 2)
PARALLEL = algatt.Lightning((5, 5, 5), (1, 3), 3)

HIDDEN = [
    PARALLEL,
    *[algatt.Lightning((2, 4, 3), (2, 2), t) for t in (1, 3)],
    algatt.Lightning((4, 4, 1), (1, 1), 3),
    algatt.Lightning((6, 4, 1), (2, 1), 3),
    algatt.Lightning((3, 3, 3), (1, 3), 2),
    algatt.Lightning((3, 3), (3,), 1),
    algatt.Lightning((1, 3, 4), (2, 3), 2),
    algatt.Lightning((5, 6, 4, 1), (1, 1, 1), 2),
    algatt.Lightning((2, 4, 1, 3), (1, 3, 2), 2),
]
"""Networks with unreached or unread directions, or parallel tokens."""


@pytest.fixture(scope="module")
def text() -> str:
    return algatt.certify(SMALL).to_json()


@pytest.mark.parametrize("arch", [*algatt.Lightning.examples(), SMALL, *HIDDEN])
def test_what_is_made_is_verified(arch: algatt.Lightning) -> None:
    certificate = algatt.certify(arch, seed=3)
    report = algatt.verify(certificate)
    assert report.reasons == ()
    assert report.ok
    assert bool(report)


@pytest.mark.parametrize("p", [2, 31, 2147483647, 2305843009213693951])
def test_any_prime(p: int) -> None:
    """GF(2) proves little, but what it proves is verified."""
    certificate = algatt.certify(algatt.Lightning((3, 2), (1,), 2), field=algatt.PrimeField(p))
    assert algatt.verify(certificate).ok


def without(certificate: algatt.certificates.Certificate, name: str) -> dict[str, Any]:
    """The claims without a symmetry family: as true, but the upper bound is weaker."""
    claims = copy.deepcopy(certificate.claims)
    arch, upper = claims["architecture"], claims["upper_bound"]
    kept = [family for family in upper["symmetries"] if family["name"] != name]
    names = [family["name"] for family in kept]
    network = recompute.Network(arch["dims"], arch["ranks"], arch["tokens"])
    where = recompute.modular_point(network, claims["prime"], claims["seed"])
    before = [family for family, _ in recompute.tangent_rows(where, [family["name"] for family in upper["symmetries"]])]
    rows = [row - before[:row].count(name) for row in upper["rows"] if before[row] != name]
    reduced, order = recompute.tangent_minor(where, names, rows, list(range(claims["parameters"]))).rref()
    columns = [next(j for j in range(claims["parameters"]) if int(reduced[i, j])) for i in range(order)]
    determinant = recompute.determinant(recompute.tangent_minor(where, names, rows, columns))
    bound = {"value": claims["parameters"] - order, "rows": rows, "columns": columns, "determinant": determinant}
    claims["upper_bound"] = {**bound, "symmetries": kept}
    claims["status"] = "probable"
    return claims


def test_a_probable_certificate_claims_bounds_only() -> None:
    claims = without(algatt.certify(PARALLEL), "parallel tokens")
    report = algatt.verify(algatt.certificates.Certificate(claims, ""))
    assert report.reasons == ()
    assert report.claim.endswith("has dimension at least 47 and at most 53")


@pytest.mark.parametrize("arch", HIDDEN)
def test_the_tangents_are_those_of_the_package_at_every_point_modulo_every_prime(arch: algatt.Lightning) -> None:
    """Two implementations that share no code, also at points where a rank is below the generic one and a family has
    fewer rows.
    """
    network = recompute.Network(list(arch.dims), list(arch.ranks), arch.tokens)
    families = algatt.symmetries(arch)
    assert [family.name for family in families] == recompute.families_of(network)
    for p in (2, 3, 31, 8388593, 2147483647, 2305843009213693951):
        for seed in range(4):
            theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
            where = recompute.modular_point(network, p, seed)
            for family in families:
                expected = family.tangents(theta)
                count = len(list(recompute.tangent_rows(where, [family.name])))
                assert count == len(expected)
                found = recompute.tangent_minor(where, [family.name], list(range(count)), list(range(arch.parameters)))
                assert recompute.integers(found) == [int(entry) for entry in expected.ravel()]


@pytest.mark.parametrize("arch", [algatt.Lightning((3, 3, 3), (2, 3), 2), algatt.Lightning((3, 2), (2,), 2)])
def test_parallel_tokens_are_refused_where_tokens_are_not_parallel(arch: algatt.Lightning) -> None:
    """With one token they would be: its tangents at the same weights are stacked by the forger for two tokens."""
    claims = copy.deepcopy(algatt.certify(arch).claims)
    claims["upper_bound"] = algatt.certify(algatt.Lightning(arch.dims, arch.ranks, 1)).claims["upper_bound"]
    assert any(
        family["name"] == "parallel tokens" and family["removes"] for family in claims["upper_bound"]["symmetries"]
    )
    claims["status"] = "probable"
    report = algatt.verify(algatt.certificates.Certificate(claims, ""))
    assert not report.ok
    assert any(
        "parallel tokens" in reason and "are not different families among those of the network" in reason
        for reason in report.reasons
    )


def test_parallel_tokens_of_an_earlier_layer_are_refused() -> None:
    """Layer 2 has parallel tokens, layer 1 has not: rows beyond those of layer 2 do not exist."""
    claims = copy.deepcopy(algatt.certify(algatt.Lightning((3, 3, 3), (1, 3), 2)).claims)
    families = [family["name"] for family in claims["upper_bound"]["symmetries"]]
    where = recompute.modular_point(recompute.Network([3, 3, 3], [1, 3], 2), claims["prime"], claims["seed"])
    labels = list(recompute.tangent_rows(where, families))
    assert {label[0] for family, label in labels if family == "parallel tokens"} == {1}
    claims["upper_bound"]["rows"][-1] = len(labels)
    assert any(
        "rows outside" in reason for reason in algatt.verify(algatt.certificates.Certificate(claims, "")).reasons
    )


@pytest.mark.parametrize("name", ["interlayer", "unreached", "unread", "parallel tokens"])
def test_families_that_a_network_has_not_are_refused(name: str) -> None:
    """Even with no row of theirs in the minor."""
    claims = copy.deepcopy(algatt.certify(algatt.Lightning((3, 2), (2,), 2)).claims)
    claims["upper_bound"]["symmetries"].append({"name": name, "removes": 0})
    assert any(name in reason for reason in algatt.verify(algatt.certificates.Certificate(claims, "")).reasons)


def test_where_more_is_unreached_than_at_generic_weights_no_row_counts() -> None:
    """V_1 has rank below 2 at these points modulo 2: more than two directions are unreached there, but two are at
    generic weights.
    """
    arch = algatt.Lightning((2, 4, 3), (2, 2), 3)
    network = recompute.Network([2, 4, 3], [2, 2], 3)
    seeds = [seed for seed in range(200) if recompute.modular_point(network, 2, seed).layers[0][2].rank() < 2]
    assert seeds
    for seed in seeds:
        where = recompute.modular_point(network, 2, seed)
        assert list(recompute.tangent_rows(where, ["unreached"])) == []
        theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(2), seed=seed)
        assert len(algatt.symmetry.Unreached(arch).tangents(theta)) == 0


def test_save_and_verify(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    certificate = algatt.certify(SMALL)
    certificate.save(path)
    assert algatt.verify(path).ok
    assert algatt.verify(str(path)).claim == algatt.verify(certificate).claim
    assert json.loads(path.read_text())["claims"]["dimension"] == certificate.dimension


def claims_with_a_changed_digit(text: str) -> Iterator[tuple[str, str]]:
    """Each digit of the claims replaced by another one, in turn."""
    start = text.index('"claims"')
    for match in re.finditer(r"\d", text[start:]):
        position = start + match.start()
        digit = str((int(text[position]) + 1) % 10)
        yield text[:position] + digit + text[position + 1 :], text[max(start, position - 30) : position + 10]


def test_every_changed_digit_is_refuted(text: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    changed = 0
    for altered, where in claims_with_a_changed_digit(text):
        path.write_text(altered)
        try:
            report = algatt.verify(path)
        except algatt.errors.CertificateError:
            continue  # a number that begins with 0 is no JSON
        assert not report.ok, where
        assert report.reasons, where
        changed += 1
    assert changed > 100


def paths(value: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves of nested lists and dicts."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from paths(entry, (*prefix, key))
    elif isinstance(value, list):
        for key, entry in enumerate(value):
            yield from paths(entry, (*prefix, key))
    else:
        yield prefix


def altered(document: dict[str, Any], path: tuple[Any, ...], entry: Any) -> dict[str, Any]:
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = entry
    return document


@pytest.mark.parametrize("entry", [0, -1, 10**30])
def test_every_number_replaced_is_refuted(text: str, entry: int) -> None:
    document = json.loads(text)
    for path in paths(document["claims"]):
        changed = altered(document["claims"], path, entry)
        if changed == document["claims"] or isinstance(document["claims"][path[0]], str):
            continue
        try:
            report = algatt.verify(algatt.certificates.Certificate(changed, "test"))
        except algatt.errors.CertificateError:
            continue  # a name became a number
        assert not report.ok, path


def test_a_minor_of_tangents_that_vanishes_proves_nothing(text: str) -> None:
    """Two tangents of the key-query gauge with one column: whatever determinant is claimed, 0 included."""
    claims = json.loads(text)["claims"]
    upper, arch = claims["upper_bound"], claims["architecture"]
    where = recompute.modular_point(
        recompute.Network(arch["dims"], arch["ranks"], arch["tokens"]), claims["prime"], claims["seed"]
    )
    families = [family["name"] for family in upper["symmetries"]]
    everything = recompute.tangent_minor(where, families, upper["rows"], list(range(claims["parameters"])))
    zero = next(j for j in range(claims["parameters"]) if not int(everything[0, j]) and j not in upper["columns"])
    for columns in ([zero, *upper["columns"][1:]], upper["columns"][1:] + [zero]):
        found = recompute.determinant(recompute.tangent_minor(where, families, upper["rows"], columns))
        for determinant in {found, 0, 1}:
            changed = altered(
                altered(claims, ("upper_bound", "columns"), columns), ("upper_bound", "determinant"), determinant
            )
            reasons = algatt.verify(algatt.certificates.Certificate(changed, "")).reasons
            assert bool(reasons) == (not found or determinant != found)
            assert found or reasons == ("the minor of the upper bound vanishes",)


def test_a_dropped_row_is_refuted(text: str) -> None:
    claims = json.loads(text)["claims"]
    claims["upper_bound"]["columns"].pop()
    assert any("rows and" in reason for reason in algatt.verify(algatt.certificates.Certificate(claims, "")).reasons)


def test_a_smaller_true_claim_is_still_refuted(text: str) -> None:
    """A smaller minor proves a smaller lower bound, but not the dimension that the status claims."""
    claims = json.loads(text)["claims"]
    for kind in ("rows", "columns"):
        claims["lower_bound"][kind].pop()
    claims["lower_bound"]["value"] -= 1
    claims["dimension"] -= 1
    assert any(
        "do not make the dimension proven" in reason
        for reason in algatt.verify(algatt.certificates.Certificate(claims, "")).reasons
    )


def test_swapped_rows_change_the_sign(text: str) -> None:
    claims = json.loads(text)["claims"]
    rows = claims["lower_bound"]["rows"]
    rows[0], rows[1] = rows[1], rows[0]
    assert any(
        "the minor of the lower bound is" in reason
        for reason in algatt.verify(algatt.certificates.Certificate(claims, "")).reasons
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("not json", "not JSON"),
        ("[]", "another format"),
        ("{}", "another format"),
        ('{"format": "algatt dimension certificate"}', "of version None"),
        ('{"format": "algatt dimension certificate", "version": 3}', "of version 3"),
        ('{"format": "algatt dimension certificate", "version": 2}', "no claims"),
        ('{"format": "algatt dimension certificate", "version": true}', "of version True"),
        ('{"format": "algatt dimension certificate", "version": 1.0}', "of version 1.0"),
        ('{"format": "algatt dimension certificate", "version": 1}', "no claims"),
        ('{"format": "algatt dimension certificate", "version": 1, "claims": {}}', "describes another random stream"),
        (
            f'{{"format": "algatt dimension certificate", "version": 1, "claims": {{}}, "stream": '
            f"{json.dumps(STREAM)}}}",
            "claims was",
        ),
    ],
)
def test_what_is_no_certificate(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(content)
    with pytest.raises(algatt.errors.CertificateError, match=message):
        algatt.verify(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(algatt.errors.CertificateError, match="cannot be read"):
        algatt.verify(tmp_path / "nothing.json")


def test_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(algatt.errors.CertificateError, match="not JSON"):
        algatt.verify(path)


def test_a_truncated_certificate(text: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    for length in range(0, len(text) - 2, 97):
        path.write_text(text[:length])
        with pytest.raises(algatt.errors.CertificateError):
            algatt.verify(path)


def test_missing_claims_are_named(text: str) -> None:
    document = json.loads(text)
    for key in document["claims"]:
        claims = {name: value for name, value in document["claims"].items() if name != key}
        with pytest.raises(algatt.errors.CertificateError, match="claims was"):
            algatt.verify(algatt.certificates.Certificate(claims, ""))
    claims = altered(document["claims"], ("lower_bound", "rows"), [1.5])
    with pytest.raises(algatt.errors.CertificateError, match=r"claims\.lower_bound\.rows was"):
        algatt.verify(algatt.certificates.Certificate(claims, ""))


def test_an_unwritable_path(tmp_path: Path) -> None:
    certificate = algatt.certify(SMALL)
    with pytest.raises(algatt.errors.OutputError, match="No such file or directory"):
        certificate.save(tmp_path / "missing" / "certificate.json")
    with pytest.raises(algatt.errors.OutputError, match="it is a directory"):
        certificate.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_is_a_value(tmp_path: Path) -> None:
    certificate = algatt.certify(SMALL)
    certificate.save(tmp_path / "certificate.json")
    loaded = algatt.certificates.Certificate.load(tmp_path / "certificate.json")
    assert loaded == certificate
    assert hash(loaded) == hash(certificate)


def test_a_forged_size_is_refused_at_once(text: str) -> None:
    """Claims that agree with each other and speak of a network of 3 * 10^14 parameters."""
    claims = json.loads(text)["claims"]
    empty = {"determinant": 1, "rows": [], "columns": []}
    claims.update(
        {
            "architecture": {"name": "Lightning", "dims": [10**7, 10**7], "ranks": [10**7], "tokens": 1},
            "parameters": 3 * 10**14,
        }
    )
    claims.update({"dimension": 0, "inputs": 0, "status": "probable", "lower_bound": {"value": 0, **empty}})
    claims["upper_bound"] = {"value": 3 * 10**14, "symmetries": [], **empty}
    assert "cannot be verified here" in algatt.verify(algatt.certificates.Certificate(claims, "")).reasons[0]


def test_options_with_a_report_are_refused() -> None:
    with pytest.raises(TypeError):
        algatt.certify(algatt.dimension(SMALL), seed=5)


def test_a_numerical_report_has_no_certificate() -> None:
    report = algatt.dimension(SMALL, field=algatt.Reals())
    with pytest.raises(algatt.errors.InvalidArgument, match="report was numerical"):
        algatt.certify(report)


def test_the_verifier_imports_no_numeric_code_of_the_maker() -> None:
    """What recomputes is plain Python and FLINT, with the lock around FLINT's precision, of which there is but one."""
    allowed = {"__future__", "abc", "hashlib", "re", "collections.abc", "dataclasses", "fractions", "functools"}
    allowed |= {"itertools", "threading", "typing"}
    sources = [*Path(recompute.__file__).parent.glob("*.py"), Path(precision.__file__)]
    assert len(sources) == 6
    for source in sources:
        imported = re.findall(r"^\s*(?:from|import) +([\w.]+)", source.read_text(), flags=re.MULTILINE)
        for name in set(imported) - {"flint", "algatt.precision"} - allowed:
            assert name.startswith("algatt.certificates.recompute."), source


def test_a_certificate_of_the_first_release_is_still_verified_and_made() -> None:
    """The file was written before there were certificates of anything but lightning over GF(p)."""
    path = Path(__file__).with_name("lightning.json")
    assert algatt.verify(path).ok
    made = json.loads(algatt.certify(SMALL).to_json())
    assert made == {**json.loads(path.read_text()), "made_with": made["made_with"]}


def test_unheard_of_integers_are_no_claims(text: str) -> None:
    """Python would refuse to write some of them down."""
    claims = json.loads(text)["claims"]
    with pytest.raises(algatt.errors.CertificateError, match="should be an integer of at most 2048 bits"):
        algatt.verify(algatt.certificates.Certificate({**claims, "seed": 10**4000}, ""))
    with pytest.raises(algatt.errors.CertificateError, match="a list of integers of at most 2048 bits"):
        algatt.verify(algatt.certificates.Certificate(altered(claims, ("lower_bound", "rows", 0), -(10**4000)), ""))


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"),
    [([3000] * 10**3, [1] * 999, 1), ([1] * 10**3, [3000] * 999, 1), ([1, 10**7], [1], 10**7)],
)
def test_networks_that_would_fill_the_memory_are_refused_at_once(
    dims: list[int], ranks: list[int], tokens: int
) -> None:
    """Also where no single matrix is large."""
    parameters = recompute.Network(dims, ranks, tokens).parameters
    bound = {"value": 0, "determinant": 1, "rows": [], "columns": []}
    claims = {
        "architecture": {"name": "Lightning", "dims": dims, "ranks": ranks, "tokens": tokens},
        "dimension": 0,
        "status": "probable",
        "parameters": parameters,
        "prime": 8388593,
        "seed": 0,
        "inputs": 0,
        "lower_bound": bound,
        "upper_bound": {**bound, "value": parameters, "symmetries": []},
    }
    (reason,) = algatt.verify(algatt.certificates.Certificate(claims, "")).reasons
    assert reason.endswith("cannot be verified here")


def test_the_two_streams_agree() -> None:
    """The stream of the package, in numpy, against that of the verifier, in Python integers."""
    for p in (
        2,
        3,
        8388593,
        2305843009213693951,
        6148914691236517223,
        9223372036854775783,
    ):  # of the last but one a third of all words is skipped
        expected = recompute.stream(7, "input/3", 50, p)
        field = algatt.PrimeField(p)
        assert [int(x) for x in algatt.verbs.draw_array(field, shape=(50,), seed=7, label="input/3")] == expected


def test_a_negative_seed_is_refuted_though_everything_follows_from_it() -> None:
    """A forger computes both minors at the point that the text algatt/1/-1/... would name."""
    claims = copy.deepcopy(algatt.certify(SMALL).claims)
    claims["seed"] = -1
    arch, lower, upper = claims["architecture"], claims["lower_bound"], claims["upper_bound"]
    where = recompute.modular_point(recompute.Network(arch["dims"], arch["ranks"], arch["tokens"]), claims["prime"], -1)
    families = [family["name"] for family in upper["symmetries"]]
    lower["determinant"] = recompute.determinant(recompute.jacobian_minor(where, lower["rows"], lower["columns"]))
    upper["determinant"] = recompute.determinant(
        recompute.tangent_minor(where, families, upper["rows"], upper["columns"])
    )
    assert lower["determinant"]
    assert upper["determinant"]
    assert algatt.verify(algatt.certificates.Certificate(claims, "")).reasons == ("the seed -1 is negative",)


def test_a_family_that_is_listed_twice_is_refuted_though_no_row_of_it_is_used_twice(text: str) -> None:
    """Its tangents follow those of the others, and the minor has none of them."""
    claims = json.loads(text)["claims"]
    for family in list(claims["upper_bound"]["symmetries"]):
        changed = copy.deepcopy(claims)
        changed["upper_bound"]["symmetries"].append(family)
        (reason,) = algatt.verify(algatt.certificates.Certificate(changed, "")).reasons
        assert "are not different families among those of the network" in reason
