"""Draw random attention matrices and the models that lead to a linear one, or read given matrices, or make those of a
layer of a checkpoint, and compare their spectra with the limit law.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import algatt
from algatt.arguments import whole
from algatt.cli.checkpoints import add_model, check_model, load_checkpoint
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.numbers import integer_list
from algatt.cli.options import add_beta, beta_of
from algatt.cli.output import add_output, warnings_in_a_line
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.files import read_array, shorten
from algatt.spectra import Ensemble, SpectrumReport
from algatt.views.plotting import PICTURES, render

if TYPE_CHECKING:
    import numpy as np

EXAMPLES = ("--tokens 100 --beta 0.5", "--matrix head.npy --key-dim 64 -o law.svg")
COUNTS = "matrices"

KINDS = ("values", "tied", "heads", "skip", "stack", "causal")
"""Of layers."""

COUNTED, STRENGTHENED = ("heads", "stack"), ("skip", "stack")
"""Kinds that have a number of parts, and a strength."""


def add_options(parser: Parser) -> None:
    """Add the ensemble or the file, and what is written."""
    parser.option("--tokens L", "number of tokens, at most the width", int)
    parser.option("--width D", "width of a token (default: the number of tokens), which no result depends on", int)
    parser.option("--key-dim K", "width of queries and keys (default: the number of tokens)", int)
    add_beta(parser, "1; with --matrix or --model, estimated from it")
    parser.option("--draws N", "random matrices of each model (default 10)", int)
    parser.option("--degree N", "degree of the polynomial model (default 10)", int)
    parser.option("--seed N", "seed of the first draw (default 0)", int)
    parser.add_argument(
        "--kind",
        choices=KINDS,
        help="instead of the models that lead to a linear one, a whole layer: attention times values, times its own "
        "keys, several heads, a skip connection, several layers; or attention with a causal mask",
    )
    parser.option("--count N", "number of heads or layers, with --kind heads or stack (default 2)", int)
    parser.option("--strength T", "with --kind skip or stack, factor of attention beside the skip connection", float)
    add_model(parser, "instead of random matrices, those of the heads of a layer of a checkpoint")
    parser.option(
        "--inputs IDS",
        "with --model, numbers of tokens, as 5,17,3, or an .npy file of what the model reads (default: as many "
        "random ones as --tokens says)",
    )
    parser.flag(
        "--unmasked",
        "with --model, without the mask of the layer; with a causal one the law is that of causal attention, and "
        "of others there is none",
    )
    parser.option(
        "--matrix FILE",
        "instead of random matrices, one of shape (L, L) or several of shape (heads, L, L) in an .npy file",
    )
    add_output(parser, "draw the spectra", PICTURES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print, draw and write spectra."""
    check_model(options, ("width", "key_dim", "draws", "degree", "matrix", "kind"), "left out: the model has its own")
    for name, kinds in (("count", COUNTED), ("strength", STRENGTHENED)):
        if getattr(options, name) is not None and options.kind not in kinds:
            should = f"given with --kind {' or '.join(kinds)}"
            raise InvalidArgument(f"--{name}", f"given {kind_in_words(options.kind)}", should)
    if options.model is None:
        for name in ("inputs", "unmasked"):
            if getattr(options, name):
                raise InvalidArgument(f"--{name}", "given without --model", "given with it")
    if options.model is not None:
        return of_model(options, progress)
    if options.matrix is not None:
        return of_matrices(options, progress)
    return (of_ensemble if options.kind is None else of_layer)(options, progress)


def kind_in_words(kind: str | None) -> str:
    """Return with which kind something was given."""
    return "without --kind" if kind is None else f"with --kind {kind}"


def of_ensemble(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Draw attention matrices and the models that lead to a linear one."""
    from algatt.spectra import chain_distances, chain_reports
    from algatt.views import spectra
    from algatt.views.tables import print_spectra

    if options.tokens is None:
        raise InvalidArgument("--tokens", "not given", "given, or --matrix FILE, or --model CHECKPOINT")
    beta = beta_of(options)
    width, key_dim = (options.tokens if value is None else value for value in (options.width, options.key_dim))
    with warnings_in_a_line(algatt.spectra.FiniteSizeWarning):
        ensemble = algatt.spectra.AttentionEnsemble(options.tokens, width, key_dim, 1.0 if beta is None else beta)
    given = {name: value for name in ("draws", "seed", "degree") if (value := getattr(options, name)) is not None}
    with warnings_in_a_line(algatt.spectra.FiniteSizeWarning):
        reports = chain_reports(ensemble, progress=progress, **given)

    def fields() -> dict[str, Any]:
        pairs = zip(reports, chain_distances(reports), strict=True)
        return {"reports": [{**report.to_dict(), "wasserstein_attention": distance} for report, distance in pairs]}

    return CommandAnswer(
        lambda stream: print_spectra(reports, stream),
        fields,
        lambda kind: render(spectra.chain_figure(reports), kind),
    )


def of_layer(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Draw a whole layer, or attention with a causal mask, and compare it with its law."""
    from algatt.spectra import LayerEnsemble, spectrum_report
    from algatt.views import spectra
    from algatt.views.tables import print_layer

    if options.tokens is None:
        raise InvalidArgument("--tokens", "not given", "given with --kind")
    if options.degree is not None:
        raise InvalidArgument("--degree", "given with --kind", "left out: there is no polynomial model")
    given = {name: value for name in ("draws", "seed") if (value := getattr(options, name)) is not None}
    with warnings_in_a_line(algatt.spectra.FiniteSizeWarning):
        ensemble = drawn_layer(options)
        report = spectrum_report(ensemble, progress=progress, **given)
    name = str(ensemble.layer) if isinstance(ensemble, LayerEnsemble) else "causal attention"
    return CommandAnswer(
        lambda stream: print_layer(name, report, stream),
        lambda: {"reports": [report.to_dict()]},
        lambda kind: render(spectra.layers_figure({name: report}), kind),
    )


def drawn_layer(options: argparse.Namespace) -> Ensemble:
    """Return the ensemble of a kind of layer."""
    from algatt.spectra import CausalEnsemble, LayerEnsemble, ProductOfLayers, Skip, SumOfHeads, TiedValues, Values

    beta = beta_of(options)
    width, key_dim = (options.tokens if value is None else value for value in (options.width, options.key_dim))
    sizes = (options.tokens, width, key_dim, 1.0 if beta is None else beta)
    if options.kind == "causal":
        return CausalEnsemble(*sizes)
    count, strength = (() if value is None else (value,) for value in (options.count, options.strength))
    if options.kind == "skip":
        return LayerEnsemble(*sizes, Skip(*strength))
    if options.kind == "stack":
        return LayerEnsemble(*sizes, ProductOfLayers(*(count or (2,)), *strength))
    return LayerEnsemble(*sizes, {"values": Values, "tied": TiedValues, "heads": SumOfHeads}[options.kind](*count))


def of_matrices(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Compare the matrices of a file with the limit law."""
    for name in ("tokens", "width", "draws", "degree", "seed", "kind"):
        if getattr(options, name) is not None:
            raise InvalidArgument(f"--{name}", "given with --matrix", "left out: nothing is drawn")
    if options.key_dim is None:
        raise InvalidArgument("--key-dim", "not given", "given with --matrix: the width of the queries and keys")
    return compared(stored_matrices(options.matrix), options.key_dim, f"of {options.matrix}", options, progress)


def of_model(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Compare the matrices of a layer of a checkpoint with the limit law, or with that of causal attention."""
    from algatt.checkpoints.attention import key_width, layer_of_heads
    from algatt.spectra import attention_matrix
    from algatt.spectra.layers.causal import is_causal

    model = load_checkpoint(options.model, options)
    layer = 1 if options.layer is None else options.layer
    _, heads = layer_of_heads(model.network, layer)
    key_dim = key_width(model, layer)
    inputs = inputs_of(model.network, options)
    matrices = attention_matrix(model, inputs, layer=layer, head=options.head, masked=not options.unmasked)
    stack = list(matrices) if matrices.ndim == 3 else [matrices]
    # a window that is wider than the inputs is causal, too
    if heads.mask is not None and not options.unmasked and not is_causal(stack[0]):
        should = "with --unmasked: there are laws of tokens that see all, or all before them, and of no others"
        raise InvalidArgument("--model", f"{options.model!r}, whose layer {layer} has the mask {heads.mask!r}", should)
    return compared(stack, key_dim, f"of layer {layer}", options, progress)


def inputs_of(net: algatt.Network, options: argparse.Namespace) -> np.ndarray:
    """Return the inputs that the options name: numbers of tokens, random ones, or an array of a file."""
    import numpy as np

    if options.inputs is not None:
        for name in ("tokens", "seed"):
            if getattr(options, name) is not None:
                raise InvalidArgument(f"--{name}", "given with --inputs", "left out: nothing is drawn")
        if not options.inputs.endswith(".npy"):
            return np.array(integer_list("--inputs", options.inputs))
        try:
            return read_array(options.inputs)
        except (OSError, ValueError) as error:
            was = f"{options.inputs!r}, which holds no array of numbers ({shorten(str(error), 200)})"
            raise InvalidArgument("--inputs", was, "numbers of tokens, as 5,17,3, or an .npy file") from error
    if net.vocabulary is None:
        raise InvalidArgument("--inputs", "not given", "given: the model reads vectors, and no tokens can be drawn")
    if options.tokens is None:
        raise InvalidArgument("--tokens", "not given", "given with --model, or --inputs")
    seed = 0 if options.seed is None else whole("--seed", options.seed, 0)
    return np.random.default_rng(seed).integers(net.vocabulary, size=whole("--tokens", options.tokens))


def compared(
    matrices: Sequence[np.ndarray], key_dim: int, place: str, options: argparse.Namespace, progress: Progress
) -> CommandAnswer:
    """Compare matrices with the limit law."""
    from algatt.views import spectra
    from algatt.views.tables import print_matrices

    if options.output is not None:  # before the work
        spectra.check_panels(len(matrices))
    with warnings_in_a_line(algatt.spectra.FiniteSizeWarning):
        reports = tuple(reports_of(matrices, key_dim, place, beta_of(options), progress))
    return CommandAnswer(
        lambda stream: print_matrices(reports, stream),
        lambda: {"reports": [report.to_dict() for report in reports]},
        lambda kind: render(spectra.matrices_figure(reports), kind),
    )


def reports_of(
    matrices: Sequence[np.ndarray], key_dim: int, place: str, beta: float | None, progress: Progress
) -> Iterator[SpectrumReport]:
    """Yield the report of each matrix, and show how far it is."""
    from algatt.spectra import matrix_report

    for number, matrix in enumerate(matrices, start=1):
        try:
            yield matrix_report(matrix, key_dim=key_dim, beta=beta)
        except InvalidArgument as error:
            if error.argument != "attention":
                raise
            raise InvalidArgument(f"matrix {number} {place}", error.was, error.should) from None
        progress(number, len(matrices))


def stored_matrices(path: str) -> Sequence[np.ndarray]:
    """Return the matrices of an .npy file, which holds one, or a stack of them."""
    should = "an .npy file of numpy with one attention matrix of shape (l, l), or several of shape (heads, l, l)"
    try:
        array = read_array(path)
    except OSError as error:
        raise InvalidArgument(
            "--matrix", f"{path!r}, which cannot be read ({error.strerror or error})", should
        ) from error
    except ValueError as error:  # text, other formats, pickled objects
        raise InvalidArgument(
            "--matrix", f"{path!r}, which holds no array of numbers ({shorten(str(error), 200)})", should
        ) from error
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise InvalidArgument("--matrix", f"{path!r} with shape {array.shape}", should)
    return [array] if array.ndim == 2 else list(array)
