"""A network with its symmetries as one html page that holds its style, its script and its data."""

from __future__ import annotations

from algatt.symmetry import SymmetryReport
from algatt.views.networks import page as network_page
from algatt.views.pages import fill_page


def page(report: SymmetryReport) -> str:
    """Return a network with its symmetries as a self-contained html page.

    It is the page of the network, with all blocks, and with a list of the spaces beside it: a chosen one is shown in
    the layers whose tensors it moves.

    Parameters
    ----------
    report : SymmetryReport
        The symmetries of a network.

    Returns
    -------
    str
        The page. Its Content-Security-Policy allows its own style and script and nothing else.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Heads, Residual
    >>> from algatt.views.symmetries.page import page
    >>> net = algatt.Network(Residual(Heads(2)), tokens=3, width=4)
    >>> text = page(algatt.symmetry.SymmetryReport.of(net))
    >>> print(text.partition("<title>")[2].partition("</title>")[0])
    4 spaces of a network of 64 parameters
    """
    data = network_page.data_of(report.architecture, apart=True)
    keys = ("name", "group", "dimension", "alone", "tensors", "sides", "basis")
    families = [{key: getattr(family, key) for key in keys} for family in report.families]
    data["symmetries"] = {"dimension": report.dimension, "families": families, "legend": report.legend}
    count = len(families)
    heading = f"{count} space{'s' * (count != 1)} of a network of {report.parameters:,} parameters"
    return fill_page("networks", heading, data, "symmetries")
