"""How many of the parameters of a published model count, and how that is known."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.arguments import instance
from algatt.display import Rows, Said, Summary, Worth
from algatt.geometry.dimensions.evidence import Parts
from algatt.geometry.dimensions.side_by_side.dimension import NotCovered, parts_shown
from algatt.geometry.dimensions.side_by_side.encoder import model_of
from algatt.geometry.dimensions.side_by_side.hypotheses import least_tokens
from algatt.geometry.dimensions.side_by_side.transformer import Transformer
from algatt.layers import Reading
from algatt.plain import written
from algatt.published.components import Component, components_of
from algatt.published.networks import LEAST, check_epsilon, network_to_count
from algatt.published.scaled_proofs import Progress, ScaledProof, proofs_of, prove_scaled, reading_name, sizes_of
from algatt.published.sources import config_of
from algatt.verbs.views import Summarized


@dataclass(frozen=True, repr=False)
class ParameterReport(Summarized):
    """How many of the parameters of a model count.

    Parameters
    ----------
    model : str
        What the model is called; empty if only its config is known.
    model_type : str
        The model type of the config.
    network : Network
        The network, with as many tokens as reach all that its positions have.
    reading : str
        Whose dimension it is: ``logits`` or ``probabilities`` of the tokens.
    eps : int or None
        0 if the epsilon of norms was taken to be 0; None if it is that of the config.
    parameters : int
        The number of parameters.
    components : tuple of Component
        What makes parameters redundant; their numbers add up to `redundant`.
    redundant : int
        The dimension of the orbits of all symmetries that were found.
    complete : bool
        Whether all of these were counted, as far as types and quotients find them.
    proofs : tuple of ScaledProof
        What is known of the same architecture at small sizes by exact rank.
    parts : Parts or None
        What the parts of the network show at full size, by the theorem about blocks side by side; None where it does
        not apply.
    tokens : int
        The length of the sequences for which they do.
    """

    model: str
    model_type: str
    network: Network
    reading: str
    eps: int | None
    parameters: int
    components: tuple[Component, ...]
    redundant: int
    complete: bool
    proofs: tuple[ScaledProof, ...]
    parts: Parts | None
    tokens: int

    @property
    def dimension(self) -> int:
        """Parameters less what is redundant: an upper bound of the dimension of the functions, at full size."""
        return self.parameters - self.redundant

    @property
    def share(self) -> float:
        """The share of the parameters that is redundant."""
        return self.redundant / self.parameters

    @property
    def equality(self) -> str:
        """What is known of equality: ``proven``, if the parts of the network show as much; ``conjectured``, if exact
        ranks prove it at small sizes; ``unknown``, if nothing was computed, or an exact rank is not what symbols say.
        """
        if self.parts is not None and self.parts.value == self.dimension:
            return "proven"
        return "conjectured" if self.proofs and all(one.proven for one in self.proofs) else "unknown"

    @property
    def functions(self) -> str:
        """Of which functions the dimension is, in words."""
        if self.network.source is not None:
            (height, width), tokens = self.network.source, self.network.tokens - self.network.source[1]
            what = f"{width:,} vectors of {height} numbers and {tokens:,} tokens (enough for all positions)"
        elif self.network.vocabulary is None:
            what = f"matrices of {self.network.tokens} vectors"
        elif self.network.tokens == LEAST:
            what = f"sequences of {self.tokens if self.equality == 'proven' else LEAST} or more tokens"
        else:
            what = f"sequences of {self.network.tokens:,} tokens (enough for all positions)"
        return f"from {what} to {self.reading}"

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        names = "model_type reading eps functions parameters redundant share dimension complete equality tokens proofs"
        components = [written(one, "name redundant families") for one in self.components]
        parts = None if self.parts is None else self.parts.to_list()
        return {"model": self.model or None, **written(self, names), "parts": parts, "components": components}


def parameters(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    reading: Reading | None = None,
    eps: int | None = None,
    prove: bool = False,
    progress: Progress | None = None,
) -> ParameterReport:
    """Return how many of the parameters of a published model count: all, less those that symmetries make redundant.

    The number is an upper bound of the dimension of the set of functions, proven at full size by
    `algatt.symmetry.symbolic_symmetries`. That it is the dimension is proven at full size for most transformers, for
    sequences long enough (docs/theory/side_by_side.md); for others by exact rank at small sizes of the same
    architecture, and conjectured from them at full size.

    Parameters
    ----------
    config : path or mapping
        As for `read`; or a folder that holds a ``config.json``, or what has the config in its field ``config``.
    reading : Reading, optional
        How logits are read, as ``Probabilities()``; as they are unless given.
    eps : int, optional
        0 for norms without an epsilon, in which more is redundant; that of the config unless given.
    prove : bool, optional
        Whether to prove equality now, at two small sizes, in place of the proofs that come with the package.
    progress : callable, optional
        Called with what is done and what there is to do of one of these proofs.

    Returns
    -------
    ParameterReport

    Raises
    ------
    InvalidArgument
        If the config is none that `read` takes, or another argument is wrong.

    Examples
    --------
    >>> import algatt
    >>> config = {"model_type": "llama", "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4}
    >>> sizes = {"hidden_size": 2048, "intermediate_size": 5632, "vocab_size": 32000}
    >>> report = algatt.published.parameters(config | sizes)
    >>> report.parameters, report.redundant, report.dimension
    (1100048384, 2678272, 1097370112)
    >>> [(one.name, one.redundant) for one in report.components][:2]
    [('the stream', 2096128), ('keys and queries', 5632)]
    """
    model, values = config_of(config)
    eps = check_epsilon(eps)
    if reading is not None:
        instance("reading", reading, Reading, "Logits() or Probabilities()")
    net = network_to_count(values, reading, eps)
    found = verbs.symbolic_symmetries(net)
    if prove:
        options: dict[str, Any] = {"model": model, "reading": reading, "eps": eps, "progress": progress}
        small = sizes_of(values)
        proofs = tuple(prove_scaled(values, sizes=sizes, **options) for sizes in small)
    else:
        proofs = proofs_of(values, reading, eps)
    return ParameterReport(
        model,
        values["model_type"],
        net,
        reading_name(reading),
        eps,
        net.parameters,
        components_of(found),
        found.orbit,
        found.complete and not found.undecided,
        proofs,
        *parts_at_length(values, reading, eps, net),
    )


def parts_at_length(
    values: Mapping[str, Any], reading: Reading | None, eps: int | None, net: Network
) -> tuple[Parts | None, int]:
    """Return what the parts of a network show, if its sequences are made as long as that takes, and their length."""
    try:
        model, least = model_of(net), net.tokens
        if isinstance(model, Transformer) and model.position is None:  # no sequence is longer than learned positions
            least = max(least, least_tokens(model))
        longer = net.tokens < least
        net = network_to_count(values, reading, eps, least) if longer else net
        parts = parts_shown(net)
        if longer and verbs.symbolic_symmetries(net).upper != parts.value:  # what few tokens leave, more may show
            return None, net.tokens
        return parts, net.tokens
    except NotCovered:
        return None, net.tokens


@verbs.summarize.method
def summary_of_parameters(report: ParameterReport) -> Summary:
    rows: Rows = [("parameters", f"{report.parameters:,}")]
    rows.append(("redundant", f"{report.redundant:,}, {100 * report.share:.3g} %"))
    rows += [(f"  - {one.name}", f"{one.redundant:,}") for one in report.components]
    exact = report.equality == "proven"
    rows.append(
        ("dimension", ("" if exact else "at most ", Said(f"{report.dimension:,}", "strong"), " ", Worth("proven")))
    )
    rows.append(("functions", report.functions))
    if report.eps is not None:
        rows.append(("eps", f"{report.eps} in all norms"))
    if not report.complete:
        rows.append(("", "more may be redundant: some symmetries are not counted without matrices"))
    basis = " by what its parts show, at full size" if exact else ""
    if report.proofs and not exact:
        basis = " from exact ranks of small networks of this architecture"
    rows.append(("equality", (Worth(report.equality), basis)))
    rows += [("  - at small sizes", said_of_proof(one)) for one in report.proofs]
    return Summary(report.model or report.model_type, rows)


def said_of_proof(proof: ScaledProof) -> str:
    """Say what is known of an architecture at small sizes."""
    sizes = ", ".join(f"{name} {size}" for name, size in proof.sizes.items())
    found = f"{proof.lower}" if proof.lower == proof.upper else f"{proof.lower} to {proof.upper}"
    symbols = " (proven)" if proof.proven else f", and {proof.symbols} by symbols"
    model = f"; constants of {proof.model}" if proof.model else ""
    return f"{proof.parameters:,} parameters, dimension {found}{symbols}: {sizes}{model}"
