"""The pages of the documentation: they are built without a warning, they need nothing from elsewhere, and no line of
them is cut.
"""

from __future__ import annotations

import re
import subprocess
import sys
from abc import ABC
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from algatt import layers
from algatt.layers.base import Noun

if TYPE_CHECKING:
    from selenium import webdriver

DOCS = Path(__file__).parents[2] / "docs"

pytest.importorskip("sphinx", reason="the pages are not built: what the extra docs brings is not installed")
pytest.importorskip("math_core", reason="the pages are not built: what the extra docs brings is not installed")

ELSEWHERE = re.compile(r"(https?:)?//", re.IGNORECASE)

LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "embed": "src",
    "object": "data",
    "link": "href",
}
"""The attributes of elements that a browser loads when it shows a page; an ``a`` is loaded by who follows it."""

IN_STYLES = re.compile(r"(?:@import\s*|url\()\s*[\"']?([^\"')\s;]+)")


class Page(HTMLParser):
    """What a page loads, and the text outside of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.formulas = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes).get(LOADED.get(tag, ""))
        if found:
            self.loads.append(found)
        self.formulas += tag == "math"


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the documentation, with warnings as errors, and return its pages by name."""
    folder = tmp_path_factory.mktemp("pages")
    build = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        "-j",
        "auto",
        "-d",
        str(tmp_path_factory.mktemp("doctrees")),
    ]
    done = subprocess.run([*build, str(DOCS), str(folder)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.html"))}


def test_every_page_of_the_sources_is_built(pages: dict[str, Path]) -> None:
    sources = {
        path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md") if "_build" not in path.parts
    }
    assert sources <= pages.keys()


KINDS = {
    "masks": layers.Mask,
    "positions": layers.Position,
    "activations": layers.Activation,
    "routers": layers.Router,
    "readings": layers.Reading,
}
"""Sections of the page of layers, and what is listed there."""


def concrete(base: type) -> list[type]:
    """Return the public classes of layers below one, but for those that others are made from."""
    public = [getattr(layers, name) for name in layers.__all__]
    return [kind for kind in public if isinstance(kind, type) and issubclass(kind, base) and ABC not in kind.__bases__]


def test_each_noun_has_a_page_with_its_papers(pages: dict[str, Path]) -> None:
    nouns = concrete(Noun)
    assert {"reference/layers/" + noun.__name__ for noun in nouns} == {
        name for name in pages if name.startswith("reference/layers/")
    }
    for noun in nouns:
        text = pages[f"reference/layers/{noun.__name__}"].read_text(encoding="utf-8")
        assert f'id="algatt.layers.{noun.__name__}"' in text
        papers = re.findall(r"arXiv\s+(\d{4}\.\d{4,5})", noun.__doc__ or "")
        assert [paper for paper in papers if f'href="https://arxiv.org/abs/{paper}"' not in text] == []
    assert 'href="https://arxiv.org/abs/1706.03762"' in pages["reference/layers/Heads"].read_text(encoding="utf-8")


@pytest.mark.parametrize(("section", "base"), KINDS.items())
def test_the_page_of_layers_lists_the_nouns_of_a_kind_together(
    pages: dict[str, Path], section: str, base: type
) -> None:
    text = pages["reference/layers"].read_text(encoding="utf-8")
    begin = text.index(f'<section id="{section}">')
    part = text[begin : text.index("</section>", begin)]
    listed = re.findall(r'<li><p><a [^>]*href="layers/(\w+)\.html"', part)
    assert sorted(listed) == sorted(noun.__name__ for noun in concrete(base))


def test_nothing_is_loaded_from_elsewhere(pages: dict[str, Path]) -> None:
    loads = {(name, found) for name, path in pages.items() for found in Page(path.read_text(encoding="utf-8")).loads}
    assert ("index", "_static/style.css") in {(name, found.partition("?")[0]) for name, found in loads}
    assert [(name, found) for name, found in loads if ELSEWHERE.match(found)] == []


def test_no_style_loads_anything_from_elsewhere(pages: dict[str, Path]) -> None:
    styles = sorted(pages["index"].parent.rglob("*.css"))
    loads = {(path.name, found) for path in styles for found in IN_STYLES.findall(path.read_text(encoding="utf-8"))}
    assert ("style.css", "stix_two_math.woff2") in loads
    assert [(name, found) for name, found in loads if ELSEWHERE.match(found)] == []
    assert (pages["index"].parent / "_static" / "stix_two_math.woff2").read_bytes()[:4] == b"wOF2"


def test_formulas_are_there_without_scripts(pages: dict[str, Path]) -> None:
    """Each formula between dollars in the source of a page is one element of MathML."""
    source = (DOCS / "theory" / "theorem_3_7.md").read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", source, flags=re.DOTALL)
    displayed = re.findall(r"\$\$.+?\$\$", prose, flags=re.DOTALL)
    inline = re.findall(r"\$[^$]+\$", re.sub(r"\$\$.+?\$\$", "", prose, flags=re.DOTALL))
    assert Page(pages["theory/theorem_3_7"].read_text(encoding="utf-8")).formulas == len(displayed) + len(inline)


# In a browser


@pytest.fixture
def window(driver: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield driver
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def look_at(driver: webdriver.Chrome, path: Path, width: int) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    driver.get(path.as_uri())


CUT = """
    return [...document.querySelectorAll("pre")]
        .filter((block) => block.scrollWidth > block.clientWidth).map((block) => block.textContent);
"""

WIDER = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [1280, 400])
def test_no_line_of_code_is_cut(window: webdriver.Chrome, pages: dict[str, Path], width: int) -> None:
    for name, path in pages.items():
        look_at(window, path, width)
        assert (name, window.execute_script(CUT)) == (name, [])
        assert (name, window.execute_script(WIDER)) == (name, False)


def test_brackets_are_as_high_as_what_they_embrace(window: webdriver.Chrome, pages: dict[str, Path]) -> None:
    """A browser stretches them in a font for mathematics only, and has none itself."""
    look_at(window, pages["theory/theorem_3_7"], 1280)
    heights = window.execute_async_script(
        """
        const height = (element) => element.getBoundingClientRect().height, done = arguments[0];
        const both = (matrix) => [height(matrix), height(matrix.parentElement.querySelector("mo"))];
        document.fonts.ready.then(() => done([...document.querySelectorAll("mtable")].map(both)));
        """
    )
    assert heights
    assert all(bracket >= 0.9 * matrix for matrix, bracket in heights)


SESSIONS = [
    (
        "theory/theorem_3_7",
        ">>> for arrow",
        "for arrow in algatt.geometry.fiber_dimensions(arch):\n"
        "    print(arrow.source, arrow.target, arrow.measured, arrow.theorem, arrow.reference, arrow.status)",
    ),
    (
        "reference/command_line",
        "$ algatt dimension --dims 4,3,4",
        "algatt dimension --dims 4,3,4 --ranks 2,2 --tokens 3",
    ),
]


@pytest.mark.parametrize(("page", "start", "copied"), SESSIONS)
def test_what_is_copied_can_be_run(
    window: webdriver.Chrome, pages: dict[str, Path], page: str, start: str, copied: str
) -> None:
    look_at(window, pages[page], 1280)
    from selenium.webdriver.common.action_chains import ActionChains

    window.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    button = window.execute_script(
        """
        const blocks = [...document.querySelectorAll("div.highlight")];
        const block = blocks.find((one) => one.textContent.startsWith(arguments[0]));
        const button = block.querySelector("button.copybtn");
        button.scrollIntoView({ behavior: "instant", block: "center" });
        return button;
        """,
        start,
    )
    ActionChains(window).move_to_element(button).click().perform()
    assert window.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == copied
