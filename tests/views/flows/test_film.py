"""Films of runs: as many frames as states, what moves in them, both grounds, and what cannot be made."""

import io

import matplotlib.animation
import numpy as np
import pytest
from PIL import Image, ImageSequence

import algatt
from algatt.dynamics import random_tokens
from algatt.views import flow_files, flows
from algatt.views.flows import films


@pytest.fixture(scope="module")
def run():
    heads = (algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5))
    flow = algatt.dynamics.SphereFlow(heads, beta=2.0)
    return algatt.dynamics.integrate(flow, random_tokens(8, 3), until=2.0, samples=4, tolerance=1e-6)


@pytest.mark.sample(0)
def test_a_gif_has_a_frame_for_each_state_and_is_the_same_each_time(run, tmp_path):
    flow_files.write(run, tmp_path / "run.gif")
    content = (tmp_path / "run.gif").read_bytes()
    frames = [np.array(frame.convert("RGB")) for frame in ImageSequence.Iterator(Image.open(io.BytesIO(content)))]
    assert len(frames) == 4
    assert frames[0].shape == (444, 840, 3)
    assert (frames[0] != frames[1]).any()
    assert frames[0][2, 2].tolist() == [255, 255, 255]
    assert content == flows.film(run)
    dark = Image.open(io.BytesIO(flows.film(run, theme="dark"))).convert("RGB")
    assert np.abs(np.array(dark)[2, 2] - np.array([21, 24, 28])).max() <= 4  # a palette of 256 colours


def test_the_tokens_are_where_the_states_are(run):
    figure, draw, frames = films.film_figure(run, "light")
    points, _ = flows.positions(run)
    for frame in range(frames):
        draw(frame)
        trails, dots, title, *lines = figure.moving
        order = np.argsort(points[frame, 2])
        assert np.allclose(dots.get_offsets(), points[frame, :2, order])
        assert title.get_text() == f"8 tokens, t = {run.times[frame]:.4g}"
        assert {line.get_xdata()[0] for line in lines} == {run.times[frame]}
        assert len(trails.get_segments()[0]) == frame + 1


def test_on_a_dark_ground_no_ink_is_left(run):
    figure, _, _ = films.film_figure(run, "dark")
    colours = {artist.get_color() for ax in figure.axes for artist in (*ax.lines, ax.title, ax.xaxis.label)}
    assert not colours & set(films.DARK) - set(films.DARK.values())


def test_long_films_are_thinned(run, monkeypatch):
    monkeypatch.setattr(films, "FRAMES", 2)
    assert films.film_figure(run, "light")[2] == 2


@pytest.mark.skipif(not matplotlib.animation.writers.is_available("ffmpeg"), reason="ffmpeg is not installed")
def test_an_mp4_is_one(run):
    assert flows.film(run, "mp4", theme="dark")[4:8] == b"ftyp"


def test_without_its_program_an_mp4_is_refused_before_the_work(run, monkeypatch, tmp_path):
    monkeypatch.setattr(matplotlib.animation.writers, "is_available", lambda name: name == "pillow")
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"format was mp4, which ffmpeg makes, .* should be gif or html"
    ):
        flow_files.check_target(tmp_path / "run.mp4", run.flow)


@pytest.mark.parametrize(
    ("options", "message"), [({"kind": "avi"}, "kind was 'avi'"), ({"theme": "x"}, "theme was 'x'")]
)
def test_bad_arguments(run, options, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        flows.film(run, **options)


def test_the_staircase_of_clusters():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=12.0)
    run = algatt.dynamics.integrate(flow, random_tokens(6, 2), until=1e5)
    ax = flows.draw_clusters(run, angle=0.2)
    (line,) = ax.lines
    assert np.array_equal(line.get_ydata(), algatt.dynamics.clusters(run, angle=0.2).counts)
    assert ax.get_xscale() == "log"
    other = next(axes for axes in ax.figure.axes if axes is not ax)
    assert np.array_equal(other.lines[0].get_ydata(), run.total_energies)
    short = algatt.dynamics.integrate(flow, random_tokens(6, 2), until=1.0, samples=5)
    assert flows.draw_clusters(short).get_xscale() == "linear"
