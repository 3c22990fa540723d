"""What each command does: parse, call, render."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import algatt
from algatt import dispatch
from algatt.arguments import whole
from algatt.cli.attention_spectrum import attention_spectrum
from algatt.cli.output import print_json
from algatt.cli.parser import integer_list, number_list, score_of
from algatt.errors import InvalidArgument
from algatt.fields import Field
from algatt.files import check_writable, write_atomically

__all__ = ["COMMANDS"]

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)
"""The coordinate systems, the finest first."""


def network(dims: tuple[int, ...], ranks: tuple[int, ...], options: argparse.Namespace) -> algatt.Lightning | algatt.Normalized:
    """Return a network with the score that the options name, a lightning network if they name none."""
    if options.score is None:
        return algatt.Lightning(dims, ranks, options.tokens)
    return algatt.Normalized(dims, ranks, options.tokens, score_of(options.score))


def dimension(options: argparse.Namespace) -> int:
    """Run ``algatt dimension``; return 1 if a proof is required and there is none."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_dimension

    arch = network(integer_list("dims", options.dims), integer_list("ranks", options.ranks), options)
    field: Field | None = algatt.Reals() if options.float else None
    if options.bits is not None:
        field = algatt.Balls(options.bits)
    if options.prime is not None:
        field = algatt.PrimeField(options.prime)
    if options.save is not None:
        if options.float:
            raise InvalidArgument("--save", "given with --float", "given without: floating point proves nothing")
        check_writable(options.save)  # now, not after hours of work
    with ProgressBar("rank") as progress:
        report = algatt.dimension(arch, seed=options.seed, field=field, error=options.error, progress=progress)
    if options.save is not None:  # before printing, which may fail
        algatt.certify(report).save(options.save)
    if options.json:
        print_json(report.to_dict())
    else:
        print_dimension(report, sys.stdout)
    return 1 if options.require_proof and report.status != "proven" else 0


def jacobian_spectrum(options: argparse.Namespace) -> int:
    """Run ``algatt jacobian-spectrum``."""
    from algatt.views.plotting import check_picture, rendered
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_spectrum

    if options.output is not None:
        suffix = check_picture(options.output)  # before the work
    arch = network(integer_list("dims", options.dims), integer_list("ranks", options.ranks), options)
    with ProgressBar("rank") as progress:
        spectrum = algatt.jacobian_spectrum(
            arch,
            seed=options.seed,
            inputs=options.inputs,
            weight_scale=options.weight_scale,
            input_scale=options.input_scale,
            draw=options.draw,
            gap=options.gap,
            prove=options.prove,
            progress=progress,
        )
    if options.output is not None:
        write_atomically(options.output, rendered(algatt.plot_spectrum(spectrum).figure, suffix))
    if options.json:
        print_json(spectrum.to_dict())
    else:
        print_spectrum(spectrum, sys.stdout)
    return 0


def verify(options: argparse.Namespace) -> int:
    """Run ``algatt verify``; return 1 if the certificate is refuted."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_verification

    with ProgressBar("rows of the minor") as progress:
        report = algatt.verify(options.certificate, progress=progress)
    if options.json:
        print_json({"ok": report.ok, "reasons": list(report.reasons), "claim": report.claim})
    else:
        print_verification(report, sys.stdout)
    return 0 if report.ok else 1


def architecture_of(theta: algatt.Parameters, options: argparse.Namespace) -> algatt.Lightning | algatt.Normalized:
    """Return the architecture that the options name, or that can be read off the parameters."""
    dims = None if options.dims is None else integer_list("dims", options.dims)
    ranks = None if options.ranks is None else integer_list("ranks", options.ranks)
    if isinstance(theta, algatt.VirtualWeights):
        if dims is None and len(theta.M) > 1:
            raise InvalidArgument("--dims", "not given", "given: virtual weights of several layers do not tell the widths between them")
        dims = dims or (theta.L.shape[1], theta.L.shape[0])
    elif isinstance(theta, algatt.Weights | algatt.AttentionMatrix):
        dims = dims or (theta.layers[0].V.shape[1], *(layer.V.shape[0] for layer in theta.layers))
        if isinstance(theta, algatt.Weights):
            ranks = ranks or tuple(layer.Q.shape[0] for layer in theta.layers)
    if dims is None:
        raise InvalidArgument("--dims", "not given", "given")
    return network(dims, dims[:-1] if ranks is None else ranks, options)


def compare(options: argparse.Namespace) -> int:
    """Run ``algatt compare``; return 1 if the functions differ, or if it cannot be told."""
    from algatt.views.tables import print_equivalence

    first, second = algatt.load(options.first), algatt.load(options.second)
    finest = min((first, second), key=lambda theta: COORDINATES.index(type(theta)))
    arch = architecture_of(finest, options)
    answer = algatt.same_function(arch, first, second, seed=options.seed, error=options.error, tolerance=options.tolerance)
    if options.json:
        print_json(answer.to_dict())
    else:
        print_equivalence(answer, sys.stdout)
    return 0 if answer.equal else 1


def fiber(options: argparse.Namespace) -> int:
    """Run ``algatt fiber``."""
    from algatt.views.tables import print_fiber

    if options.sample is not None:
        check_writable(options.sample)
    theta = algatt.load(options.parameters)
    answer = algatt.fiber(architecture_of(theta, options), theta)
    if options.sample is not None:
        answer.sample(options.seed).save(options.sample)
    if options.json:
        print_json(answer.to_dict())
    else:
        print_fiber(answer, sys.stdout)
    return 0


def tree(options: argparse.Namespace) -> int:
    """Run ``algatt tree``."""
    from algatt.views import tree_files

    if options.output is not None:
        tree_files.check_target(options.output, options.slot)  # before the work
    graph = algatt.unroll(options.layers, kind="dag" if options.dag else "tree")
    if options.output is None:
        sys.stdout.write(tree_files.outline(graph, options.slot))
    else:
        tree_files.write(graph, options.output, slot=options.slot)
    return 0


def flow(options: argparse.Namespace) -> int:
    """Run ``algatt flow``."""
    from algatt.views import flow_files
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_flow

    given: dict[str, Any] = {name: getattr(options, name) for name in ("samples", "tolerance", "stationary", "checkpoint")}
    before = resumed(options) if options.resume is not None else None
    driven = flow_of(options) if before is None else before.flow
    if options.output is not None:
        flow_files.check_target(options.output, driven)  # before the work
    on_sphere = isinstance(driven, algatt.SphereFlow)
    given["clustered"] = 1e-6 if options.clustered is None and on_sphere else options.clustered
    given["until"] = options.until if options.until is not None else 100.0 if on_sphere else 1.0
    with ProgressBar("time in thousandths") as progress:
        try:
            if before is None:
                run = algatt.integrate(driven, tokens_of(options), progress=progress, **given)
            else:
                run = algatt.resume(before, progress=progress, **given)
        except KeyboardInterrupt as error:
            if options.checkpoint is None:
                error.add_note("with --checkpoint FILE the run so far would be kept")
            raise
    if options.output is not None:
        flow_files.write(run, options.output)
    if options.json:
        print_json(run.to_dict())
    else:
        print_flow(run, sys.stdout)
    return 0


def resumed(options: argparse.Namespace) -> algatt.Trajectory:
    """Return the run that goes on, to which no heads or tokens may be given."""
    from algatt.dynamics import load_trajectory

    names = ("heads", "orthogonal", "beta", "weights", "tokens", "dim", "flat", "seed")
    for name in names:
        if getattr(options, name) not in (None, False):
            raise InvalidArgument(f"--{name}", "given with --resume", "left out: the file has it")
    return load_trajectory(options.resume)


def flow_of(options: argparse.Namespace) -> algatt.dynamics.Flow:
    """Return the flow that the options describe."""
    if options.heads is None:
        raise InvalidArgument("--heads", "not given", "given, as 1,0.5")
    strengths = number_list("--heads", options.heads)
    kinds = {"exponential": algatt.ExponentialWeights, "softmax": algatt.SoftmaxWeights, "relu": algatt.ReLUWeights}
    weights = kinds[options.weights or "exponential"]()
    heads: list[algatt.dynamics.Head] = [algatt.ScalarHead(strength) for strength in strengths]
    if options.orthogonal:
        heads = list(orthogonal_heads(strengths, 3 if options.dim is None else options.dim))
    return (algatt.FlatFlow if options.flat else algatt.SphereFlow)(tuple(heads), weights, 1.0 if options.beta is None else options.beta)


def orthogonal_heads(strengths: tuple[float, ...], dimension: int) -> list[algatt.ProjectorHead]:
    """Return projectors on coordinates of their own, as many for each head as there are."""
    import numpy as np

    rank = dimension // len(strengths)
    if rank < 1:
        raise InvalidArgument("--dim", str(dimension), f"at least the number {len(strengths)} of orthogonal heads")
    axes = np.eye(dimension)
    return [algatt.ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength) for h, strength in enumerate(strengths)]


def tokens_of(options: argparse.Namespace) -> Any:
    """Return the random tokens that the options name."""
    count = 64 if options.tokens is None else whole("--tokens", options.tokens)
    dimension = 3 if options.dim is None else whole("--dim", options.dim)
    return algatt.dynamics.random_tokens(count, dimension, seed=0 if options.seed is None else options.seed)


def methods(options: argparse.Namespace) -> int:
    """Run ``algatt methods``."""
    from algatt.views.tables import print_methods

    verbs = {verb.name: verb for verb in dispatch.verbs()}
    if options.verb is None:
        if options.json:
            print_json({name: len(verb.table()) for name, verb in verbs.items()})
        else:
            sys.stdout.writelines(f"{name}\n" for name in verbs)
        return 0
    if options.verb not in verbs:
        raise InvalidArgument("verb", repr(options.verb), f"one of {', '.join(sorted(verbs))}")
    table = verbs[options.verb].table()
    if options.json:
        print_json([{"method": str(method), "location": method.location} for method in table])
    else:
        print_methods(table, sys.stdout)
    return 0


COMMANDS = {
    "dimension": dimension,
    "jacobian-spectrum": jacobian_spectrum,
    "verify": verify,
    "compare": compare,
    "fiber": fiber,
    "tree": tree,
    "flow": flow,
    "attention-spectrum": attention_spectrum,
    "methods": methods,
}
