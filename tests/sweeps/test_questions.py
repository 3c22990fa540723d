"""What the questions of a sweep say of single architectures."""

from __future__ import annotations

import algatt
from algatt.layers import Feedforward, Power
from algatt.sweeps.questions import orbit, redundant


def test_what_the_ambient_space_removes_is_no_symmetry():
    """Seven squares of forms in three variables: seven numbers rescale them, and the quadratic forms leave 18 of 42."""
    net = algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3)
    found = redundant(net)
    assert (found.value, found.status, found.upper) == (7, "probable", 24)
    assert orbit(net).value == 7
