"""Print the lowest version of each package that setup.cfg asks for, as constraints for pip.

    python scripts/lowest_versions.py test > lowest.txt && python -m pip install '.[test]' -c lowest.txt

Arguments: the extras whose packages are listed besides those that the package itself needs; all that they name are
listed with them.

Exit code: 0 if all is printed, 2 for an extra that there is not or a requirement without a lowest version.
"""

from __future__ import annotations

import configparser
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

SETUP = Path(__file__).parents[1] / "setup.cfg"

REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[\w.]+)(,<[\w.]+)?")

OWN_EXTRAS = re.compile(r"algatt\[(?P<extras>[\w, ]+)\]")


class NoLowestVersion(Exception):
    """A requirement of setup.cfg has no lowest version, or an extra is none of its."""


def lines(text: str) -> list[str]:
    """Return the lines of a value in setup.cfg that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def constraints(requirements: Sequence[str], extras: Mapping[str, str]) -> Iterator[str]:
    """Iterate over ``name==version`` for requirements and for those of the extras that they name."""
    for requirement in requirements:
        if own := OWN_EXTRAS.fullmatch(requirement):
            for extra in own["extras"].split(","):
                yield from constraints(lines(extras[extra.strip()]), extras)
        elif found := REQUIREMENT.fullmatch(requirement):
            yield f"{found['name']}=={found['version']}"
        else:
            raise NoLowestVersion(f"{requirement} of setup.cfg should be name>=version")


def lowest_versions(setup: Path, wanted: Sequence[str]) -> list[str]:
    """Return the constraints for a package and some of its extras."""
    config = configparser.ConfigParser()
    config.read(setup, encoding="utf-8")
    extras = config["options.extras_require"]
    for extra in wanted:
        if extra not in extras:
            raise NoLowestVersion(f"{extra} is none of the extras {', '.join(extras)}")
    named = [f"algatt[{extra}]" for extra in wanted]
    return list(dict.fromkeys(constraints([*lines(config["options"]["install_requires"]), *named], extras)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the constraints and return the exit code."""
    try:
        found = lowest_versions(SETUP, sys.argv[1:] if arguments is None else arguments)
    except NoLowestVersion as error:
        print(f"lowest_versions: {error}", file=sys.stderr)
        return 2
    sys.stdout.writelines(f"{constraint}\n" for constraint in found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
