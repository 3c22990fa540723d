"""The recursion as a graph: how long it takes to unroll it, and how large and how quick its page is in a browser."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import algatt
from algatt.views.trees.page import page
from benchmarks.figures import Figure, median_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, seconds_of

__all__ = ["measure"]

MOST_SECONDS = 1.0

MOST_MEGABYTES = 1.0

PAGE_LAYERS = 4


def measure(plan: Plan) -> list[Figure]:
    """Measure the calls in turn, and the page of four layers; how soon it can be used only where selenium, chromium and
    its driver are installed.
    """
    calls: dict[str, Callable[[], object]] = {
        'unroll(12, kind="dag")': lambda: algatt.unroll(12, kind="dag"),
        "factors(12)": lambda: algatt.factors(12),
        "unroll(8)": lambda: algatt.unroll(8),
    }
    seconds = interleaved({name: timed(call) for name, call in calls.items()}, plan.runs)
    content = page(algatt.unroll(PAGE_LAYERS))
    figures = [median_of(name, seconds[name], "s", MOST_SECONDS) for name in calls]
    figures.append(median_of(f"the page of {PAGE_LAYERS} layers", [len(content.encode()) / 1e6], "MB", MOST_MEGABYTES))
    moments = interactive(content, plan.runs)
    if moments:
        figures.append(
            median_of(f"the page of {PAGE_LAYERS} layers, until it is interactive", moments, "s", MOST_SECONDS)
        )
    return figures


def timed(call: Callable[[], object]) -> Callable[[], float]:
    """Return a call that returns the time it took."""
    return lambda: seconds_of(call)


def interactive(content: str, runs: int) -> list[float]:
    """Return how many seconds after it was opened a page marks that it can be used, for each run; none without a
    browser.
    """
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        return []
    if browser is None or driver is None:
        return []
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ):
        options.add_argument(argument)
    window = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tree.html")
            path.write_text(content, encoding="utf-8")
            moments = []
            for _ in range(runs):
                window.get(path.as_uri())
                moments.append(
                    window.execute_script("return performance.getEntriesByName('interactive')[0].startTime") / 1000
                )
            return moments
    finally:
        window.quit()
