"""Measure how far softmax attention is from the limit law where beta grows with the number of tokens, beta = kappa
sqrt(log l), for several kappa.

    python scripts/attention_scaling.py
    python scripts/attention_scaling.py --tokens 250,1000,4000 --draws 2

The Wasserstein-1 distance of the squared singular values to the law with l / d_qk = 1, divided by the mean of the law,
and behind it that of the Marchenko-Pastur law of the same mean to the law: where the first is larger, the law says less
about the spectrum than Marchenko-Pastur does.

Exit code: 0, or 2 for bad arguments.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Sequence

from options import Parser

import algatt
from algatt.cli.numbers import integer_list
from algatt.spectra import AttentionEnsemble, AttentionLaw, FiniteSizeWarning, MarchenkoPastur, spectrum_report

KAPPAS = (0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)


def distances(tokens: int, kappa: float, draws: int) -> tuple[float, float]:
    """Return the distance of spectra to the law, and of the Marchenko-Pastur law to it, both divided by the mean."""
    beta = kappa * math.sqrt(math.log(tokens))
    law = AttentionLaw(beta)
    report = spectrum_report(AttentionEnsemble(tokens, tokens, tokens, beta), draws=draws)
    other = algatt.spectra.wasserstein_distance(MarchenkoPastur(1.0, law.mean), law)
    return report.wasserstein / law.mean, other / law.mean


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit code."""
    parser = Parser(prog="attention_scaling", description="Measure spectra where beta = kappa sqrt(log l).")
    parser.add_argument("--tokens", default="250,500,1000,2000", metavar="L1,L2,...", help="numbers of tokens")
    parser.add_argument("--draws", type=int, default=4, metavar="N", help="matrices of each size (default: 4)")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", FiniteSizeWarning)
    try:
        sizes = integer_list("--tokens", options.tokens)
        print("kappa", *(f"l = {tokens}" for tokens in sizes), sep="\t")
        for kappa in KAPPAS:
            cells = (distances(tokens, kappa, options.draws) for tokens in sizes)
            print(kappa, *(f"{law:.4f} ({other:.4f})" for law, other in cells), sep="\t", flush=True)
    except algatt.AlgattError as error:
        print(f"attention_scaling: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
