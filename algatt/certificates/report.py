"""What verifying a certificate finds."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.display import MOST_ROWS, Rows, Summary, Worth
from algatt.verbs.views import Summarized


@dataclass(frozen=True, repr=False)
class VerificationReport(Summarized):
    """Whether a certificate holds.

    Parameters
    ----------
    ok : bool
        Whether every claim was found true.
    reasons : tuple of str
        What is wrong, if something is.
    claim : str
        What the certificate proves, in words that the verifier makes of what it checked.
    assumptions : tuple of str
        What it rests on and what the verifier does not check: a theorem, for dimensions of transformers at full size;
        nothing for all other claims.
    """

    ok: bool
    reasons: tuple[str, ...]
    claim: str
    assumptions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.ok


@verbs.summarize.method
def summary_of_verification(report: VerificationReport) -> Summary:
    rows: Rows = [("reason", reason) for reason in report.reasons[:MOST_ROWS]]
    if len(report.reasons) > MOST_ROWS:
        rows.append(("others", str(len(report.reasons) - MOST_ROWS)))
    if report.ok:
        rows.append(("assumptions", "; ".join(report.assumptions) or "none"))
    return Summary(report.claim, rows, Worth("verified" if report.ok else "refuted"))
