"""Laws of spectra, given and random ones."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from algatt.spectra import AttentionLaw, FussCatalan, LinearLaw, MarchenkoPastur

LAWS = [law for kind in (MarchenkoPastur, FussCatalan, LinearLaw, AttentionLaw) for law in kind.examples()]

any_law = pytest.mark.parametrize("law", LAWS, ids=str)

linear_laws = st.builds(LinearLaw, st.floats(0.01, 10), st.floats(0.01, 10), st.floats(0.05, 20))
