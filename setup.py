"""What setup.cfg cannot say: on the page of a package index the README's links into the repository lead nowhere, so
they become names of files.
"""

import re
from pathlib import Path

from setuptools import setup

LINK_TO_FILE = re.compile(r"\[(?P<text>[^\]]+)\]\((?!https?://|#)(?P<file>[^)#]+)(#[^)]*)?\)")

readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")

setup(long_description=LINK_TO_FILE.sub(r"\g<text> (`\g<file>`)", readme))
