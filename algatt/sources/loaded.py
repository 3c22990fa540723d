"""What was read: a network, its weights, or a certificate."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import HoldsNoun
from algatt.certificates import Certificate
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.display import Rows, Summary
from algatt.errors import InvalidArgument, MethodError, MissingPart
from algatt.files import shorten
from algatt.layers.lengths import longest
from algatt.parameters import Parameters
from algatt.published.base import opened
from algatt.verbs.views import Summarized


@dataclass(frozen=True, eq=False)
class Loaded(Summarized, HoldsNoun):
    """What `load` read.

    It is taken wherever a network is: ``algatt.dimension(algatt.load("net.json"))``, and wherever a certificate is.

    Parameters
    ----------
    kind : str
        What it was: ``checkpoint``, ``config``, ``model``, ``network``, ``weights`` or ``certificate``.
    parts : mapping
        What there is, by the names of the attributes below; to ask for another part raises `MissingPart`, an
        `AttributeError`.
    """

    kind: str
    parts: Mapping[str, Any]

    def part(self, name: str) -> Any:
        """Return a part, or raise `MissingPart`."""
        if name not in self.parts:
            raise MissingPart(f"{self.kind} without {name}: algatt.load found {', '.join(self.parts)}")
        return self.parts[name]

    @property
    def network(self) -> Architecture:
        """The network; a certificate, which holds a program, and weights without a number of tokens have none."""
        found: Architecture = self.part("network")
        return found

    @property
    def weights(self) -> Parameters:
        """Its weights, of a checkpoint, a model, or a file of weights."""
        found: Parameters = self.part("weights")
        return found

    @property
    def lengths(self) -> tuple[int, int | None]:
        """The least and the greatest number of tokens that the layers of the network read, None for no greatest one.

        The network itself reads one of these numbers. Scaled rotary angles may be others for other numbers of tokens.
        """
        found: tuple[int, int | None] = self.part("lengths")
        return found

    @property
    def certificate(self) -> Certificate:
        """The certificate, which was not verified."""
        found: Certificate = self.part("certificate")
        return found

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint, with its config and the tensors of its file."""
        found: Checkpoint = self.part("checkpoint")
        return found

    def __noun__(self) -> Any:
        """Return what it stands for where functions are called with it: its certificate, or its network."""
        return self.certificate if self.kind == "certificate" else self.network

    def __repr__(self) -> str:
        shown = {"claim": self.certificate.claim} if self.kind == "certificate" else dict(self.parts)
        shown.pop("checkpoint", None)
        parts = (f", {name}={shorten(repr(one), 200)}" for name, one in shown.items())
        return f"Loaded({self.kind!r}{''.join(parts)})"


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
    for name, one in found.parts.items():
        if name == "certificate":
            rows.append(("claim", one.claim))
        elif name == "lengths":
            least, most = one
            rows.append((name, f"{least:,} tokens or more" if most is None else f"{least:,} to {most:,} tokens"))
        elif name != "checkpoint":
            rows.append((name, shorten(repr(one), 200)))
        if name == "network":
            rows.append(("parameters", f"{one.parameters:,}"))
    return Summary(f"{found.kind}, as algatt.load read it", rows)
