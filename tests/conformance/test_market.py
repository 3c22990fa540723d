"""Every verb, and every function that asks about a network, is run over every instance of the market."""

import contextlib
import inspect
import itertools

import networkx as nx
import pytest

import algatt
from algatt import verbs
from algatt.architectures.base import entered_inputs
from algatt.dispatch import Verb, dispatch_type
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Elements
from algatt.symmetry import Symmetry
from algatt.testing import agree, examples, has_method, market

MARKET = market()

ELSEWHERE_BY_ARGUMENT = {
    *(
        "field",
        "matrix",
        "engine",
        "tree",
        "subject",
        "flow",
        "head",
        "weights",
        "trajectory",
        "ensemble",
        "law",
        "module",
        "conversion",
        "one",
        "constraint",
        "group",
        "solution",
        "points",
    ),
    *("layer", "activation", "score", "mask", "position", "norm", "reading", "router"),
}
"""Verbs that begin with one of these are about numbers, matrices, graphs, layers, flows, spectra, the equations of
types and points of networks, which have tests of their own.
"""

WHOLE_PATH = {"fiber_dimensions", "certify", "verify", "discover"}
"""The verbs that choose their own points: once for each architecture is enough."""

ELSEWHERE = {
    "exponential",
    "attention_matrix",
    "squared_singular_values",
    "equivalence_in_orbit",
}
"""Over the reals only, of tangents of one family: tests/symmetry/test_group.py; about softmax: tests/spectra; the steps
of `same_function`, which is asked: tests/geometry/equality.
"""

OF_GROUPS = {"element", "left", "right", "family"}
"""Arguments that are there if the architecture has symmetries."""

RECURSION = {"unroll", "factors"}
"""The recursion is that of lightning attention."""

WITH_HYPOTHESES = {
    "degree",
    "same_function",
    "normal_form_map",
    "canonical",
    "fiber",
    "unexplained_kernel",
    "orbit_dimension",
    "standard_element",
    "is_singular",
    "is_boundary",
    "is_critical",
    "tangent_space",
    "singular_distance",
    "boundary_distance",
    "quadratic_forms",
    "identify",
}
"""The verbs that refuse some networks, or points over small fields or the reals; a refusal is an answer too, and has to
come again.
"""

ASKED_AGAIN = (algatt.PrimeField(31), algatt.Reals())
"""Where all is asked twice: what is drawn is named by seeds, whatever the field is."""

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def positional(verb):
    return [name for name, parameter in inspect.signature(verb).parameters.items() if parameter.kind in POSITIONAL]


def as_verb(function):
    """Return a function as a verb with one method: so it is asked for arguments of its types alone."""
    verb = Verb(function)
    Verb.registry.remove(verb)
    verb.method(inspect.unwrap(function))
    return verb


FUNCTIONS = (
    algatt.degree,
    algatt.expected_dimension,
    algatt.flatten,
    algatt.identify,
    algatt.jacobian_spectrum,
    algatt.maps.gradients,
    algatt.maps.program,
    algatt.maps.pull_back,
    algatt.parametrization,
    algatt.same_function,
    algatt.sample_inputs,
    algatt.unflatten,
)
"""Functions with one answer for all architectures."""


def network_verbs():
    declared = [verb for verb in Verb.registry if verb.__module__.startswith(f"{verbs.__name__}.")]
    about_networks = [
        verb
        for verb in declared
        if positional(verb)[0] not in ELSEWHERE_BY_ARGUMENT and verb.name not in WHOLE_PATH | ELSEWHERE
    ]
    return [*about_networks, *map(as_verb, FUNCTIONS)]


def offers(instance):
    """Return what an instance offers for the positional parameters that the verbs declare."""
    weights = algatt.sample(instance.arch, algatt.Weights, field=instance.field)
    families = algatt.symmetries(instance.arch)
    elements = [family.element(weights) for family in families]
    moved, acting = [], []
    for element in elements:
        if has_method(verbs.act, type(element), instance.coordinates):
            with contextlib.suppress(InvalidArgument):  # an element of tensors that other coordinates do not have
                moved.append(algatt.act(element, instance.theta))
                acting.append(element)
    function = algatt.parametrization(instance.arch, instance.coordinates)(instance.theta)
    forms = verbs.draw_array(instance.field, shape=(2, *instance.arch.output_shape), seed=0, label="cotangents")
    return {
        "arch": [instance.arch],
        "coordinates": [instance.coordinates],
        "theta": [instance.theta],
        "theta1": [instance.theta],
        "theta2": [weights, *moved[-1:]],
        "inputs": [instance.inputs, entered_inputs(instance.arch, instance.field, instance.inputs)],
        "cotangents": [Elements(instance.field, forms)],
        "vector": [algatt.flatten(instance.theta)],
        "family": [*Symmetry.__subclasses__(), *families],
        "field": [instance.field],
        "element": acting,
        "left": elements,
        "right": elements,
        "source": [instance.theta, instance.arch],
        "oracle": [function],
    }


def answer(verb, arguments, options):
    """Return the result of a verb, or the words of its refusal where it may refuse."""
    try:
        return verb(*arguments, **options)
    except algatt.AlgattError as error:
        if verb.name not in WITH_HYPOTHESES or isinstance(error, MethodError):
            raise
        return f"{type(error).__name__}: {error}"


def results(verb, instance, available):
    """Iterate over the results of a verb for all arguments that it has a method for."""
    parameters = inspect.signature(verb).parameters
    options = {
        name: option for name, option in {"field": instance.field, "outputs": [0, 0]}.items() if name in parameters
    }
    options = {
        name: option for name, option in options.items() if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    }
    for arguments in itertools.product(*(available[name] for name in positional(verb))):
        if has_method(verb, *map(dispatch_type, arguments)):
            yield answer(verb, arguments, options)


def same(one, two):
    if isinstance(one, Elements):
        return same(one.public(), two.public())
    if isinstance(one, tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, nx.DiGraph):
        return nx.utils.graphs_equal(one, two)
    if type(one).__eq__ is object.__eq__:  # answers that hold arrays as evidence
        return repr(one) == repr(two)
    return agree(one, two)


@pytest.mark.sample(1)
@pytest.mark.parametrize("instance", MARKET.values(), ids=MARKET)
def test_every_verb_answers_and_answers_the_same_again(instance):
    available = offers(instance)
    for verb in network_verbs():
        first = list(results(verb, instance, available))
        second = list(results(verb, instance, available)) if instance.field in ASKED_AGAIN else first
        nothing_to_ask = not available["element"] and OF_GROUPS.intersection(positional(verb))
        assert first or nothing_to_ask or verb.name in WITH_HYPOTHESES | RECURSION, (
            f"{verb.name} has no method for this instance"
        )
        assert len(first) == len(second)
        assert all(map(same, first, second)), verb.name


@pytest.mark.parametrize("name", sorted(WITH_HYPOTHESES))
def test_every_verb_with_hypotheses_answers_somewhere_in_the_market(name):
    (verb,) = (verb for verb in network_verbs() if verb.name == name)
    answers = (result for instance in MARKET.values() for result in results(verb, instance, offers(instance)))
    assert any(not isinstance(result, str) for result in answers)


@pytest.mark.parametrize("arch", examples(algatt.architectures.AttentionNetwork), ids=repr)
def test_the_whole_path_from_an_architecture_to_a_checked_certificate(arch):
    report = algatt.dimension(arch)
    # quotients of attention networks are directions that weights give, for some of which certificates have no words
    quotients = [repr(family.name) for family in report.symmetries if family.removes and family.basis != "equivariant"]
    try:
        certificate = algatt.certify(arch)
    except InvalidArgument as refusal:
        wordless = refusal.was.rpartition(", whose dimension is bounded by ")[2].split(", ")
        assert quotients
        assert set(wordless) <= set(quotients)
    else:
        assert certificate.dimension == report.value
        assert algatt.verify(certificate).ok
    assert sum(arrow.measured for arrow in algatt.geometry.fiber_dimensions(arch)) == arch.parameters - report.value
    assert algatt.geometry.fiber_dimensions(arch) == algatt.geometry.fiber_dimensions(arch)


def test_instances_are_named_after_what_they_are():
    name = "Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3) in VirtualWeights over GF(31)"
    instance = MARKET[name]
    assert instance.arch == algatt.Lightning((4, 3, 4), (2, 2), 3)
    assert isinstance(instance.theta, algatt.VirtualWeights)
    assert instance.theta.field == algatt.PrimeField(31)
    assert instance.inputs.shape == (2, 4, 3)


def test_the_market_has_every_example_in_every_coordinate_system_over_every_kind_of_field():
    # All examples of lightning attention, three coordinate systems, GF(2), GF(31), the default prime, a prime above
    # 2^31, the reals.
    lightning = [instance for instance in MARKET.values() if isinstance(instance.arch, algatt.Lightning)]
    assert len(lightning) == len(algatt.Lightning.examples()) * 3 * 5
