"""Every verb is run over every instance of the market."""

import inspect
import itertools

import pytest

import algatt
from algatt import verbs
from algatt.dispatch import Verb, dispatch_type
from algatt.fields import Elements
from algatt.symmetry import Symmetry
from algatt.testing import agree, examples, has_method, market

MARKET = market()

ARITHMETIC = {"field", "matrix", "engine"}
"""Verbs that begin with one of these are about numbers and matrices: `check_field` and the tests of the engines run them over every field."""

WHOLE_PATH = {"dimension", "certify", "verify"}
"""The verbs that choose their own points: once for each architecture is enough."""

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def positional(verb):
    return [name for name, parameter in inspect.signature(verb).parameters.items() if parameter.kind in POSITIONAL]


def network_verbs():
    declared = [verb for verb in Verb.registry if verb.__module__ == verbs.__name__]
    return [verb for verb in declared if positional(verb)[0] not in ARITHMETIC and verb.name not in WHOLE_PATH]


def offers(instance):
    """Return what an instance offers for the positional parameters that the verbs declare."""
    weights = algatt.sample(instance.arch, algatt.Weights, field=instance.field)
    return {
        "arch": [instance.arch],
        "coordinates": [instance.coordinates],
        "theta": [instance.theta],
        "inputs": [instance.inputs, Elements.of(instance.field, instance.inputs)],
        "vector": [algatt.flatten(instance.theta)],
        "family": Symmetry.__subclasses__(),
        "element": [family.element(weights) for family in algatt.symmetries(instance.arch)],
    }


def results(verb, instance):
    """Iterate over the results of a verb for all arguments that it has a method for."""
    parameters = inspect.signature(verb).parameters
    options = {name: option for name, option in {"field": instance.field, "outputs": [0, 0]}.items() if name in parameters}
    available = offers(instance)
    for arguments in itertools.product(*(available[name] for name in positional(verb))):
        if has_method(verb, *map(dispatch_type, arguments)):
            yield verb(*arguments, **options)


def same(one, two):
    if isinstance(one, Elements):
        return same(one.public(), two.public())
    return all(map(same, one, two)) and len(one) == len(two) if isinstance(one, tuple) else agree(one, two)


@pytest.mark.parametrize("instance", MARKET.values(), ids=MARKET)
def test_every_verb_answers_and_answers_the_same_again(instance):
    for verb in network_verbs():
        first, second = list(results(verb, instance)), list(results(verb, instance))
        assert first, f"{verb.name} has no method for anything in the market"
        assert len(first) == len(second)
        assert all(map(same, first, second)), verb.name


@pytest.mark.parametrize("arch", examples(algatt.Architecture), ids=repr)
def test_the_whole_path_from_an_architecture_to_a_checked_certificate(arch):
    report = algatt.dimension(arch)
    certificate = algatt.certify(arch)
    assert certificate.dimension == report.value
    assert algatt.verify(certificate).ok


def test_instances_are_named_after_what_they_are():
    name = "Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3) in VirtualWeights over GF(31)"
    instance = MARKET[name]
    assert instance.arch == algatt.Lightning((4, 3, 4), (2, 2), 3)
    assert isinstance(instance.theta, algatt.VirtualWeights)
    assert instance.theta.field == algatt.PrimeField(31)
    assert instance.inputs.shape == (2, 4, 3)


def test_the_market_has_every_example_in_every_coordinate_system_over_every_kind_of_field():
    # All examples of lightning attention, three coordinate systems, GF(2), GF(31), the default prime, a prime above 2^31, the reals.
    lightning = [instance for instance in MARKET.values() if isinstance(instance.arch, algatt.Lightning)]
    assert len(lightning) == len(algatt.Lightning.examples()) * 3 * 5
