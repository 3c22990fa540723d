"""What only chooses experts is worth nothing where tokens are read: dimensions are those of networks without it."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier.directions import directions_of, wrong_families
from algatt.certificates.verifier.network import network_of
from algatt.layers import Embedding, Experts, Feedforward, Layer, MeanToken, Power, SigmoidRouter
from algatt.symmetry.quotients.members import symmetries_to_first_order

WORTH = 28 - 4 - 3
"""Of 10 numbers of the embedding, 6 of the router and 12 of experts, less GL(2) before these, and a factor of each."""


def experts(*, correction: bool) -> Layer:
    """Return three experts of one neuron each, of which a token has two."""
    return Experts(3, Feedforward(1, Power(2)), SigmoidRouter(2, correction=correction))


def network(*, correction: bool) -> algatt.Network:
    """Return experts behind the mean of two tokens out of five."""
    return algatt.Network(Embedding(5, 2) >> MeanToken() >> experts(correction=correction), tokens=2)


def test_numbers_that_only_choose_are_worth_nothing() -> None:
    report = algatt.dimension(network(correction=True))
    assert (report.value, report.status, report.parameters) == (WORTH, "proven", 31)
    assert [(one.name, one.removes) for one in report.symmetries if one.basis == "choice"] == [  # and a shift of all
        ("choices by experts.correction", 2)
    ]
    assert algatt.symmetry.symbolic_symmetries(network(correction=True)).upper == WORTH
    assert algatt.dimension(network(correction=False)).value == WORTH


def test_they_are_no_symmetries_and_count_where_vectors_are_read() -> None:
    arch = network(correction=True)
    assert not any(one.basis == "choice" for one in algatt.symmetries(arch))
    of_vectors = algatt.Network(experts(correction=True), tokens=1, width=2)
    assert symmetries_to_first_order(of_vectors) == algatt.symmetries(of_vectors)


def test_certificates_of_what_only_chooses() -> None:
    """Real weights are looked for at which every expert is chosen."""
    certificate = algatt.certify(network(correction=True))
    assert (certificate.dimension, certificate.status) == (WORTH, "proven")
    report = algatt.verify(certificate)
    assert report.ok


def wrong(net: Any, tensor: str, *, small: bool) -> str:
    """Return why the verifier refuses that an entry of a tensor moves nothing; nothing if it does not."""
    network = network_of(claims_of_network(net))
    height, width = network.tensors[tensor]
    entries = " ".join(["1", *["0"] * (height * width - 1)])
    moves = {tensor: [f"constant [{entries}]  : {height} x {width}"]}
    family = directions_of("family", {"name": "x", "free": [], "moves": moves}, network)
    return "; ".join(wrong_families(network, [family], small=small, progress=lambda done, total: None))


@pytest.mark.parametrize("tensor", ["experts.router", "embedding.E"])
def test_what_is_seen_in_other_ways_is_refused(tensor: str) -> None:
    assert wrong(network(correction=True), tensor, small=True)


def test_such_claims_are_refused_where_vectors_are_read_and_as_symmetries() -> None:
    net = algatt.Network(experts(correction=True), tokens=1, width=2)
    assert wrong(net, "experts.correction", small=True)
    assert wrong(network(correction=True), "experts.correction", small=False)
    assert not wrong(network(correction=True), "experts.correction", small=True)
