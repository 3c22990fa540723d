"""Colours, lines and sizes of letters that the drawings of spectra share."""

from __future__ import annotations

FILL, INK, LAW, OLD = "#c6d3e1", "#262626", "#08306b", "#b5490b"
"""Histograms, the spectrum of attention, its law, and the Marchenko-Pastur law: dark lines on light, and the last one
dashed.
"""

STYLES = (("#9ecae1", "-"), ("#4292c6", "--"), ("#08306b", "-."), ("#b5490b", ":"))
"""Of several curves: colours, and lines that differ without them."""

SMALL, TINY = 7, 6
"""Sizes of letters."""
