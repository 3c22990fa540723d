"""Follow random tokens under the attention of several heads, or of those of a layer of a checkpoint, and print, draw or
save the run.
"""

from __future__ import annotations

import argparse
from typing import IO, Any

import algatt
from algatt.arguments import whole
from algatt.cli.checkpoints import add_model, check_model, load_checkpoint
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.numbers import number_list
from algatt.cli.options import add_beta, beta_of
from algatt.cli.output import Output, add_output, warnings_in_a_line
from algatt.cli.parser import Parser
from algatt.dynamics.steppers import METHODS
from algatt.errors import InvalidArgument
from algatt.layers import Activation, Causal, Exponential, Mask, ReLU, Unnormalized, Window
from algatt.views import flow_files

EXAMPLES = ("--heads 1,0.5 --tokens 64 -o run.svg", "--model model --layer 2 --until 10 -o run.html")


def add_options(parser: Parser) -> None:
    """Add the heads, the tokens, when to stop, and what is written."""
    parser.option("--heads L1,...,LH", "strengths of the heads, as 1,0.5; scalar heads unless --orthogonal is given")
    parser.flag("--orthogonal", "heads that are projectors onto coordinates of their own")
    add_model(parser, "instead of strengths, the heads of a layer of a checkpoint, with its score")
    add_beta(parser, "1")
    parser.add_argument(
        "--weights",
        choices=("exponential", "softmax", "relu"),
        help="function applied to the scores (default exponential)",
    )
    parser.option("--tokens N", "number of tokens (default 64)", int)
    parser.option("--dim D", "dimension of a token (default 3)", int)
    parser.flag("--causal", "causal mask: each token sees only itself and earlier tokens")
    parser.option("--window N", "causal mask of the last N tokens", int)
    parser.flag("--unmasked", "with --model, ignore the mask of the layer")
    parser.flag("--flat", "flow in flat space instead of on the sphere")
    parser.flag("--pre-norm", "normalise tokens before attention instead of after it: they leave the sphere")
    parser.option("--noise S", "strength of Brownian motion, integrated in --steps", float)
    parser.option("--steps N", "with --noise, number of equal steps (default 1000)", int)
    parser.option("--seed N", "seed of the random tokens and of the noise (default 0)", int)
    parser.option("--until T", "end time (default 100, or 1 with --flat)", float)
    parser.option("--samples N", "states to record, evenly spaced (default: four in each step, at most 2048)", int)
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="ODE solver of scipy (default auto: DOP853, and LSODA from where the flow is stiff)",
    )
    parser.option("--tolerance E", "tolerance of the solver, relative and absolute (default 1e-10)", float)
    parser.option(
        "--clustered E", "stop when all cosines with the mean are 1 - E (default 1e-6; not with --flat)", float
    )
    parser.option("--stationary V", "stop when all tokens are slower than V (default 1e-6; not with --clusters)", float)
    parser.option("--clusters A", "count clusters over time: tokens within the angle A share a cluster", float)
    parser.option("--resume FILE", "continue a run saved by -o run.npz or --checkpoint, until the time --until")
    parser.option("--checkpoint FILE", "file to save the run to, every minute and on interruption, for --resume")
    add_output(parser, "write the run", flow_files.SUFFIXES)
    parser.add_argument("--theme", choices=("light", "dark"), help="background of a gif or mp4 (default light)")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Follow tokens, and print and write the run."""
    from algatt.views.tables import print_clusters, print_summary

    check_model(
        options,
        ("heads", "orthogonal", "weights", "dim", "resume", "causal", "window"),
        "left out: the model has its own",
    )
    if options.unmasked and options.model is None:
        raise InvalidArgument("--unmasked", "given without --model", "given with it")
    before = earlier_run(options) if options.resume is not None else None
    driven = flow_of(options) if before is None else before.flow
    output = Output.of(options)
    if output is not None:
        flow_files.check_kind(output.kind, driven)  # before the work
    theme = theme_of(options, output)
    noisy = options.noise is not None or (before is not None and before.noise > 0)
    progress.title = "flow: steps" if noisy else "flow: time in thousandths"
    try:
        trajectory = (noisy_run if noisy else plain_run)(options, driven, before, progress)
    except KeyboardInterrupt as error:
        if options.checkpoint is None:
            error.add_note("with --checkpoint FILE the run so far would be kept")
        raise
    found = None if options.clusters is None else algatt.dynamics.clusters(trajectory, angle=options.clusters)

    def text(stream: IO[str]) -> None:
        print_summary(trajectory, stream)
        if found is not None:
            print_clusters(found, stream)

    return CommandAnswer(
        text,
        lambda: {**trajectory.to_dict(), "clusters": None if found is None else found.to_dict()},
        lambda kind: flow_files.content(trajectory, kind, theme=theme),
    )


def theme_of(options: argparse.Namespace, output: Output | None) -> str:
    """Return the theme of a film, which nothing else has."""
    if options.theme is not None and (output is None or output.kind not in flow_files.FILMS):
        raise InvalidArgument("--theme", "given without a film", "given with -o FILE.gif or FILE.mp4")
    return options.theme or "light"


def until_of(options: argparse.Namespace, flow: algatt.dynamics.Flow) -> float:
    """Return when to stop."""
    usual = 1.0 if isinstance(flow, algatt.dynamics.FlatFlow) else 100.0
    return usual if options.until is None else float(options.until)


def plain_run(
    options: argparse.Namespace, flow: algatt.dynamics.Flow, before: algatt.dynamics.Trajectory | None, progress: Any
) -> algatt.dynamics.Trajectory:
    """Follow random tokens, or go on with a run."""
    if options.steps is not None:
        raise InvalidArgument("--steps", "given without --noise", "given with it, or --tolerance")
    stationary = options.stationary
    if stationary is None and options.clusters is None:  # clusters that last are nearly at rest
        stationary = 1e-6
    given: dict[str, Any] = {
        "samples": options.samples,
        "method": options.method or "auto",
        "tolerance": 1e-10 if options.tolerance is None else options.tolerance,
        "stationary": stationary,
        "checkpoint": options.checkpoint,
        "until": until_of(options, flow),
        "progress": progress,
    }
    on_sphere = isinstance(flow, algatt.dynamics.SphereFlow)
    given["clustered"] = 1e-6 if options.clustered is None and on_sphere else options.clustered
    if before is not None:
        return algatt.dynamics.resume(before, **given)
    return algatt.dynamics.integrate(flow, tokens_of(options, flow.dimension), **given)


def noisy_run(
    options: argparse.Namespace, flow: algatt.dynamics.Flow, before: algatt.dynamics.Trajectory | None, progress: Any
) -> algatt.dynamics.Trajectory:
    """Follow random tokens with noise, or go on with a run that has some."""
    for name in ("method", "tolerance", "clustered", "stationary"):
        if getattr(options, name) is not None:
            should = "left out: its steps are --steps, to --until"
            raise InvalidArgument(f"--{name}", "given for a run with noise", should)
    given: dict[str, Any] = {
        "until": until_of(options, flow),
        "samples": options.samples,
        "checkpoint": options.checkpoint,
        "progress": progress,
    }
    if before is not None:
        if options.steps is not None:
            raise InvalidArgument("--steps", "given with --resume", "left out: they are as long as those before")
        return algatt.dynamics.resume(before, **given)
    return algatt.dynamics.diffuse(
        flow,
        tokens_of(options, flow.dimension),
        noise=options.noise,
        steps=1000 if options.steps is None else whole("--steps", options.steps),
        seed=0 if options.seed is None else options.seed,
        **given,
    )


def earlier_run(options: argparse.Namespace) -> algatt.dynamics.Trajectory:
    """Return the run that goes on, to which no heads or tokens may be given."""
    from algatt.dynamics import load_trajectory

    own = ("heads", "orthogonal", "beta", "temperature", "weights", "tokens", "dim", "flat", "seed")
    for name in (*own, "causal", "window", "pre_norm", "noise"):
        if getattr(options, name) not in (None, False):
            raise InvalidArgument(f"--{name.replace('_', '-')}", "given with --resume", "left out: the file has it")
    return load_trajectory(options.resume)


def flow_of(options: argparse.Namespace) -> algatt.dynamics.Flow:
    """Return the flow that the options describe."""
    if options.model is not None:
        return flow_of_model(options)
    if options.heads is None:
        raise InvalidArgument("--heads", "not given", "given, as 1,0.5, or --model CHECKPOINT")
    strengths = number_list("--heads", options.heads)
    kinds: dict[str, Activation | Unnormalized] = {
        "exponential": Unnormalized(Exponential()),
        "softmax": Exponential(),
        "relu": Unnormalized(ReLU()),
    }
    weights = kinds[options.weights or "exponential"]
    heads: list[algatt.dynamics.Head] = [algatt.dynamics.ScalarHead(strength) for strength in strengths]
    if options.orthogonal:
        heads = list(orthogonal_heads(strengths, 3 if options.dim is None else options.dim))
    beta = beta_of(options)
    return kind_of(options)(tuple(heads), weights, 1.0 if beta is None else beta, mask_of(options))


def kind_of(options: argparse.Namespace) -> type[algatt.dynamics.Flow]:
    """Return what becomes of the lengths of tokens."""
    if options.flat and options.pre_norm:
        raise InvalidArgument("--pre-norm", "given with --flat", "given alone: tokens leave the sphere with both")
    if options.pre_norm:
        return algatt.dynamics.PreNormFlow
    return algatt.dynamics.FlatFlow if options.flat else algatt.dynamics.SphereFlow


def mask_of(options: argparse.Namespace) -> Mask | None:
    """Return which tokens see which."""
    if options.window is not None:
        return Window(whole("--window", options.window))
    return Causal() if options.causal else None


def flow_of_model(options: argparse.Namespace) -> algatt.dynamics.Flow:
    """Return the flow of the heads of a layer of a checkpoint."""
    from algatt import checkpoints

    beta = beta_of(options)
    with warnings_in_a_line(checkpoints.LeftOutWarning):
        flow: algatt.dynamics.Flow = checkpoints.flow_of(
            load_checkpoint(options.model, options),
            layer=1 if options.layer is None else options.layer,
            heads=None if options.head is None else [options.head],
            beta=1.0 if beta is None else beta,
            kind=kind_of(options),
            masked=not options.unmasked,
        )
    return flow


def orthogonal_heads(strengths: tuple[float, ...], dimension: int) -> list[algatt.dynamics.ProjectorHead]:
    """Return projectors on coordinates of their own, as many for each head as there are."""
    import numpy as np

    rank = dimension // len(strengths)
    if rank < 1:
        raise InvalidArgument("--dim", str(dimension), f"at least the number {len(strengths)} of orthogonal heads")
    axes = np.eye(dimension)
    return [
        algatt.dynamics.ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength)
        for h, strength in enumerate(strengths)
    ]


def tokens_of(options: argparse.Namespace, own: int | None) -> Any:
    """Return the random tokens that the options name, of the dimension of the heads of a model."""
    count = 64 if options.tokens is None else whole("--tokens", options.tokens)
    usual = 3 if options.model is None or own is None else own
    dimension = usual if options.dim is None else whole("--dim", options.dim)
    return algatt.dynamics.random_tokens(count, dimension, seed=0 if options.seed is None else options.seed)
