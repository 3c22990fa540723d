"""The page of a run holds the run, all that it needs, and nothing that could leave it."""

import json
import re

import numpy as np
import pytest

import algatt
from algatt.dynamics import random_tokens
from algatt.views import flows
from algatt.views.flows import page as flow_page
from html_elements import check_policy


def make(tokens=6, dimension=3, heads=2, samples=9, weights=None, beta=1.0):
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ScalarHead(1.0),) * heads,
        weights or algatt.layers.Unnormalized(algatt.layers.Exponential()),
        beta,
    )
    return algatt.dynamics.integrate(flow, random_tokens(tokens, dimension), until=0.5, samples=samples, tolerance=1e-6)


def held(text):
    (content,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(content)


def test_the_page_holds_the_run():
    run = make()
    data = held(flow_page.page(run))
    assert np.allclose(data["times"], run.times, rtol=1e-5)
    points = np.array(data["positions"]).reshape(9, 3, 6) / data["scale"]
    assert np.abs(points - flows.positions(run)[0]).max() < 1e-4
    names = ["energy", "mean radial shadow", "share of dominant tokens", "mean entropy of attention"]
    assert [panel["name"] for panel in data["panels"]] == names
    energies, shadows, shares, entropies = (np.array(panel["lines"], dtype=float) for panel in data["panels"])
    assert np.allclose(energies, np.vstack([run.energies.T, run.energies.sum(axis=1)]), rtol=1e-5)
    assert np.allclose(shadows, run.shadows.mean(axis=2).T, rtol=1e-5)
    assert np.allclose(shares, (run.margins >= 0).mean(axis=2).T, rtol=1e-5)
    assert np.allclose(entropies, run.entropies.mean(axis=2).T, rtol=1e-5)
    assert data["panels"][3]["limit"] == pytest.approx(np.log(6))
    names, directions = zip(*data["axes"], strict=True)
    assert (names, data["heads"], data["long"]) == (("x", "y", "z"), 2, False)
    assert np.allclose(np.array(directions).T @ run.states, flows.positions(run)[0], atol=1e-3)


def test_large_runs_are_thinned_and_say_so(monkeypatch):
    monkeypatch.setattr(flow_page, "TOKENS", 4)
    monkeypatch.setattr(flow_page, "FRAMES", 5)
    run = make()
    text = flow_page.page(run)
    data = held(text)
    assert len(data["positions"]) == 5
    points = np.array(data["positions"]).reshape(5, 3, 4) / data["scale"]
    assert np.abs(points - flows.positions(run)[0][::2][:, :, [0, 2, 3, 5]]).max() < 1e-4
    assert (data["times"][0], data["times"][-1]) == (0, 0.5)
    assert "4 of 6 tokens are shown. 5 of 9 states are shown." in text


def test_the_page_says_what_was_projected_and_what_drives_the_tokens():
    text = flow_page.page(make(dimension=5, weights=algatt.layers.Exponential(), beta=2.0))
    assert "; Exponential(temperature=1); beta = 2." in text
    assert "Projected to the 3 principal axes of 5 dimensions." in text


def test_energies_that_overflow_are_left_out():
    text = flow_page.page(make(weights=algatt.layers.Exponential(), beta=2000.0))
    assert held(text)["panels"][0]["lines"] == []
    assert "Energies overflow and are left out." in text
    assert "Infinity" not in text


def test_tokens_far_out_have_their_places():
    """Softmax tokens in the flat space grow as e^t: beyond 10^14 no 64-bit integer has them in units of 1/10000."""
    flow = algatt.dynamics.FlatFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential())
    run = algatt.dynamics.integrate(flow, random_tokens(4, 3), until=60.0, samples=5, tolerance=1e-6)
    data, points = held(flow_page.page(run)), flows.positions(run)[0]
    assert np.abs(points[-1]).max() > 1e20
    assert np.allclose(
        np.array(data["positions"]).reshape(5, 3, 4) / data["scale"], points, atol=1e-4 * np.abs(points).max()
    )


def test_the_policy_allows_the_own_style_and_script_and_no_network():
    text = flow_page.page(make())
    check_policy(text)
    assert "http://" not in text
    assert "https://" not in text


@pytest.mark.parametrize(("heads", "title"), [(1, "6 tokens under 1 head"), (3, "6 tokens under 3 heads")])
def test_the_title(heads, title):
    assert f"<title>{title}</title>" in flow_page.page(make(heads=heads))
