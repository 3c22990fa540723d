"""A plugin of pytest: of a parametrised test with many cases a sample runs, the same each time, unless ``--all-cases``
is given. ``@pytest.mark.sample(n)`` says how many cases the sample of a test has; of a long test it may be 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import pytest

MOST = 3
"""Maximum number of cases in a sample, unless the test has a mark."""


def sample(names: Sequence[str], most: int) -> set[str]:
    """Return the first name, the last, and one from each of ``most - 2`` equal stretches between them.

    A hash chooses within a stretch: a fixed stride could meet one value of a parameter alone, where two are crossed.
    """
    if len(names) <= most:
        return set(names)
    stretches = pairwise(1 + k * (len(names) - 2) // (most - 2) for k in range(most - 1)) if most > 2 else ()
    middle = {min(names[a:b], key=lambda name: hashlib.sha256(name.encode()).digest()) for a, b in stretches}
    return middle.union([names[0], names[-1]][:most])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--all-cases``."""
    parser.addoption("--all-cases", action="store_true", help="run all cases of parametrised tests, and long tests")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    config.addinivalue_line("markers", f"sample(n): maximum number of cases without --all-cases (default: {MOST})")


def pytest_report_header(config: pytest.Config) -> str:
    """Say before the tests what is left out, why, and how to run it."""
    if config.getoption("all_cases"):
        return "cases: all"
    return (
        f"cases: a sample, so that tests take minutes. Of a parametrised test at most {MOST} cases run, or as many\n"
        "    as its mark `sample` says, of long tests none: the first, the last, some between. All run with --all-cases"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a sample of each test."""
    tests: dict[tuple[object, str], list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and not config.getoption("all_cases"):
            tests.setdefault((item.parent, item.originalname), []).append(item)
    left_out: set[pytest.Item] = set()
    for cases in tests.values():
        mark = cases[0].get_closest_marker("sample")
        kept = sample([case.name for case in cases], mark.args[0] if mark else MOST)
        left_out.update(case for case in cases if case.name not in kept)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
