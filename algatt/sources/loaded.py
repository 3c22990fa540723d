"""What was read: a network, its weights, or a certificate."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.certificates import Certificate
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.display import Rows, Summary
from algatt.errors import InvalidArgument, MethodError
from algatt.files import shorten
from algatt.layers.lengths import longest
from algatt.parameters import Parameters
from algatt.published.base import opened
from algatt.verbs.views import Summarized


@dataclass(frozen=True)
class Loaded(Summarized):
    """What `load` read.

    Parameters
    ----------
    kind : str
        What it was: ``checkpoint``, ``config``, ``model``, ``network``, ``weights`` or ``certificate``.
    network : Architecture or None
        The network; None for a certificate, which holds a program, and for weights without a number of tokens.
    weights : Parameters or None
        Its weights, where there are any.
    lengths : (int, int or None) or None
        The least and the greatest number of tokens that the layers read, None for no greatest one; None without a
        network. The network itself reads one of these numbers. Where rotary angles are scaled, those of other numbers
        of tokens may be others.
    certificate : Certificate or None
        The certificate, which was not verified.
    checkpoint : Checkpoint or None
        The checkpoint, with its config and the tensors of its file.
    """

    kind: str
    network: Architecture | None = None
    weights: Parameters | None = None
    lengths: tuple[int, int | None] | None = None
    certificate: Certificate | None = field(default=None, repr=False)
    checkpoint: Checkpoint | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        parts = {"network": self.network, "weights": self.weights, "lengths": self.lengths}
        shown = "".join(f", {name}={shorten(repr(one), 200)}" for name, one in parts.items() if one is not None)
        claim = "" if self.certificate is None else f", claim={shorten(self.certificate.claim, 200)!r}"
        return f"Loaded({self.kind!r}{shown}{claim})"


def lengths_of_config(network: Network, config: Any) -> tuple[int, int | None]:
    """Return `lengths_of` a published model; one of images reads all patches of an image, and no other number."""
    if opened(config)[1].inputs:
        return network.tokens, network.tokens
    return lengths_of(network)


def lengths_of(arch: Architecture) -> tuple[int, int | None]:
    """Return the least and the greatest number of tokens for which a network's layers are one, None without a greatest:
    a network of a program, as a front end makes it, reads one number of tokens.
    """
    tokens = arch.input_shape[1]
    try:
        net = verbs.expression(arch)
    except MethodError:
        return tokens, tokens
    least = next(count for count in range(1, tokens + 1) if reads(net, count))
    most = longest(net.layers)
    return least, tokens if most is None and not reads(net, tokens + 1) else most


def reads(net: Network, tokens: int) -> bool:
    """Return whether the layers of a network are one for a number of tokens."""
    try:
        dataclasses.replace(net, tokens=tokens, width=None if net.vocabulary is not None else net.width)
    except InvalidArgument:
        return False
    return True


@verbs.summarize.method
def summary_of_loaded(found: Loaded) -> Summary:
    rows: Rows = []
    if found.network is not None:
        rows += [("network", shorten(repr(found.network), 200)), ("parameters", f"{found.network.parameters:,}")]
    if found.weights is not None:
        rows.append(("weights", shorten(repr(found.weights), 200)))
    if found.lengths is not None:
        least, most = found.lengths
        rows.append(("lengths", f"{least:,} tokens or more" if most is None else f"{least:,} to {most:,} tokens"))
    if found.certificate is not None:
        rows.append(("claim", found.certificate.claim))
    return Summary(f"{found.kind}, as algatt.load read it", rows)
