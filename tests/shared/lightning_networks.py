"""Lightning networks whose certificates are tested."""

from __future__ import annotations

import algatt

SMALL = algatt.Lightning((3, 2, 3), (2, 1), 2)

PARALLEL = algatt.Lightning((5, 5, 5), (1, 3), 3)

HIDDEN = [
    PARALLEL,
    *[algatt.Lightning((2, 4, 3), (2, 2), t) for t in (1, 3)],
    algatt.Lightning((4, 4, 1), (1, 1), 3),
    algatt.Lightning((6, 4, 1), (2, 1), 3),
    algatt.Lightning((3, 3, 3), (1, 3), 2),
    algatt.Lightning((3, 3), (3,), 1),
    algatt.Lightning((1, 3, 4), (2, 3), 2),
    algatt.Lightning((5, 6, 4, 1), (1, 1, 1), 2),
    algatt.Lightning((2, 4, 1, 3), (1, 3, 2), 2),
]
"""Networks with unreached or unread directions, or parallel tokens."""
