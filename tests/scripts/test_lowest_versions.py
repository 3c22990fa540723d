"""The lowest versions are read off setup.cfg, and what is installed is no lower."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from packaging.version import Version

SETUP = """
[options]
install_requires =
    numpy>=1.26
    some-package>=2.0.1

[options.extras_require]
plot =
    matplotlib>=3.8
test =
    algatt[plot]
    pytest>=8
all =
    algatt[test, plot]
    math-core>=0.7,<0.10
"""


@pytest.fixture
def lowest(script):
    return script("lowest_versions")


@pytest.mark.parametrize(
    ("extras", "constraints"),
    [
        ([], []),
        (["plot"], ["matplotlib==3.8"]),
        (["test"], ["matplotlib==3.8", "pytest==8"]),
        (["all"], ["matplotlib==3.8", "pytest==8", "math-core==0.7"]),
    ],
)
def test_extras_bring_what_they_name(lowest, tmp_path, extras, constraints):
    path = tmp_path / "setup.cfg"
    path.write_text(SETUP)
    assert lowest.lowest_versions(path, extras) == ["numpy==1.26", "some-package==2.0.1", *constraints]


@pytest.mark.parametrize(
    "requirement", ["numpy", "numpy==1.26", "numpy<3", "numpy>1.26", "numpy>=1.26; python_version < '3.13'"]
)
def test_a_requirement_without_a_lowest_version_is_refused(lowest, tmp_path, requirement):
    path = tmp_path / "setup.cfg"
    path.write_text(SETUP.replace("numpy>=1.26", requirement))
    with pytest.raises(lowest.NoLowestVersion, match="should be name>=version"):
        lowest.lowest_versions(path, [])


def test_an_unknown_extra_is_one_line_and_exit_code_2(lowest, capsys):
    assert lowest.main(["unknown"]) == 2
    extras = "plot, completion, distributed, gguf, gpu, jax, onnx, sympy, tables, test, torch, docs, dev"
    assert capsys.readouterr() == ("", f"lowest_versions: unknown is none of the extras {extras}\n")


def test_what_is_installed_is_no_lower(lowest, capsys):
    assert lowest.main(["test"]) == 0
    pairs = [line.split("==") for line in capsys.readouterr().out.splitlines()]
    assert {"numpy", "python-flint", "pytest-xdist"} <= {name for name, _ in pairs}
    assert [(name, least) for name, least in pairs if Version(version(name)) < Version(least)] == []
