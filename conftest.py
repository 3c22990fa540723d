"""The settings of property tests, and running the documentation: every Python block and ``algatt`` command in README.md
and docs/ is executed.
"""

from __future__ import annotations

import contextlib
import doctest
import gc
import importlib.util
import io
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sybil import Example, Sybil
from sybil.integration.pytest import SybilItem
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser, SkipParser

from algatt.cli.main import main

pytest_plugins = ["sampled_cases"]  # of tests/shared


def pytest_configure(config: pytest.Config) -> None:
    """Choose the settings of property tests. Tests use no clock: hypothesis has two of its own, for a test and for the
    drawing of its data, and a busy machine misses both.
    """
    examples = 80 if config.getoption("all_cases") else 6
    settings.register_profile(
        "algatt", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=examples
    )
    settings.load_profile("algatt")
    gc.disable()  # until the tests are collected


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave the tests themselves, thousands of objects that stay, out of what the collector of garbage goes through,
    and let it go through the others less often.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


collect_ignore_glob = ["docs/conf.py", "docs/layer_pages.py", "docs/_build/*", "docs/examples/*"]

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

EXAMPLES = str(Path(__file__).parent / "docs" / "examples")

DIFFERS_FROM_RUN_TO_RUN = (
    (re.compile(r"(time +)[\d.]+ s"), r"\g<1>SECONDS"),
    (re.compile(r'("seconds": )[\d.]+'), r"\g<1>SECONDS"),
    (re.compile(r"\S*/algatt/(\S+\.py):\d+"), r"algatt/\g<1>:LINE"),
)


def steady(output: str) -> str:
    """Return an output without what differs from run to run: times, folders, line numbers and blanks at line ends."""
    for pattern, replacement in DIFFERS_FROM_RUN_TO_RUN:
        output = pattern.sub(replacement, output)
    return "".join(f"{line.rstrip()}\n" for line in output.strip().splitlines())


def steps(source: str) -> Iterator[tuple[str, str]]:
    """Split a console session into pairs of a command and its output."""
    lines = source.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, stop in pairwise([*starts, len(lines)]):
        yield lines[start].removeprefix("$ "), "\n".join(lines[start + 1 : stop])


def run_command(command: str) -> tuple[str, int]:
    """Run an ``algatt`` command in this process and return what it prints, and its exit code."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = main(shlex.split(command)[1:])
    return output.getvalue(), code


def evaluate_console(example: Example) -> str | None:
    """Compare a console session with what its commands print; other programs than ``algatt`` and ``echo $?`` are not
    run.
    """
    code = 0
    for command, expected in steps(example.parsed):
        if command == "echo $?":
            output = f"{code}\n"
        elif command.startswith("algatt "):
            output, code = run_command(command)
        else:
            continue
        if not doctest.OutputChecker().check_output(steady(expected), steady(output), doctest.ELLIPSIS):
            return f"$ {command}\nshould print\n{steady(expected)}but prints\n{steady(output)}"
    return None


def forget(folder: str) -> None:
    """Forget the modules that were imported from a folder: a test may import others of these names."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(folder):
            del sys.modules[name]


def enter(namespace: dict[str, Any]) -> None:
    """Run the examples of one page in an empty folder, in which pages may write, with docs/examples importable; those
    between comments ``skip`` may ask whether a package is installed.
    """
    namespace["installed"] = lambda package: importlib.util.find_spec(package) is not None
    stack = namespace["folder"] = contextlib.ExitStack()
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    stack.callback(forget, folder)
    stack.enter_context(contextlib.chdir(folder))
    sys.path.insert(0, EXAMPLES)
    stack.callback(sys.path.remove, EXAMPLES)


def leave(namespace: dict[str, Any]) -> None:
    """Undo `enter`."""
    namespace["folder"].close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the examples of a page together and in order, since they continue each other, where a plugin shuffles all
    else.
    """
    pages: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, SybilItem):
            pages.setdefault(item.path, []).append(item)
    for page in pages.values():
        page.sort(key=lambda item: item.example.line)
    items[:] = [one for item in items for one in (pages.pop(item.path, []) if isinstance(item, SybilItem) else [item])]


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=OPTIONS),
        CodeBlockParser("console", evaluate_console),
        SkipParser(),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    setup=enter,
    teardown=leave,
).pytest()
