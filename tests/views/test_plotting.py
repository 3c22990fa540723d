"""Whose a new figure is: pyplot's where somebody looks, and not in a script, where pyplot would keep all of
them alive.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

import algatt
from algatt.views.plotting import new_figure

WINDOW = '''
"""A backend of matplotlib that has windows, as far as it can be told without a display."""
from matplotlib.backend_bases import FigureManagerBase, _Backend
from matplotlib.backends.backend_agg import FigureCanvasAgg

class FigureManager(FigureManagerBase):
    pass

class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager
    required_interactive_framework = None
'''


def run(code: str, folder: Path, *options: str, **variables: str) -> str:
    """Run a program with warnings as errors, but for what matplotlib calls of others, and return what it prints."""
    (folder / "window.py").write_text(WINDOW)
    hidden = ("MPLBACKEND", "DISPLAY", "WAYLAND_DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"PYTHONPATH": os.pathsep.join([str(Path(algatt.__file__).parents[1]), str(folder)]), **variables}
    command = [
        sys.executable,
        "-W",
        "error",
        "-W",
        "ignore::DeprecationWarning",
        *options,
        "-c",
        "import algatt\ntree = algatt.unroll(1)\n" + code,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.strip()


MANY = "axes = [algatt.draw(tree) for _ in range(25)]; "


@pytest.mark.sample(0)
def test_a_script_without_pyplot_goes_on_without_it(tmp_path):
    assert run(MANY + "import sys; print('matplotlib.pyplot' in sys.modules)", tmp_path) == "False"


@pytest.mark.sample(0)
def test_a_script_without_a_display_keeps_one_figure_and_warns_of_nothing(tmp_path):
    code = (
        "from matplotlib import pyplot; "
        + MANY
        + "print(len(pyplot.get_fignums()), pyplot.gcf() is axes[-1].figure, len({ax.figure for ax in axes}))"
    )
    assert run(code, tmp_path) == "1 True 25"


@pytest.mark.sample(0)
def test_pyplot_saves_what_was_drawn_last(tmp_path):
    run(
        "from matplotlib import pyplot; algatt.draw(tree); pyplot.savefig('one.png'); "
        "algatt.draw(tree).figure.savefig('two.png')",
        tmp_path,
    )
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


@pytest.mark.sample(0)
def test_figures_of_the_reader_stay_open(tmp_path):
    code = (
        "from matplotlib import pyplot; mine = pyplot.figure(); algatt.draw(tree); algatt.draw(tree); "
        "print(pyplot.fignum_exists(mine.number))"
    )
    assert run(code, tmp_path) == "True"


CAPITALS = pytest.param(
    "MODULE://WINDOW",
    marks=pytest.mark.skipif(mpl.__version_info__ < (3, 9), reason="matplotlib 3.8 takes no capitals"),
)


@pytest.mark.sample(0)
@pytest.mark.parametrize("backend", ["module://window", CAPITALS])
def test_where_there_are_windows_each_figure_gets_one(tmp_path, backend):
    (tmp_path / "WINDOW.py").write_text(WINDOW)
    code = (
        "from matplotlib import pyplot; axes = [algatt.draw(tree), algatt.draw(tree)]; "
        "print([ax.figure.number for ax in axes], pyplot.get_fignums(), pyplot.gcf().dpi)"
    )
    assert run(code, tmp_path, MPLBACKEND=backend) == "[1, 2] [1, 2] 150.0"


REFUSED = (
    "algatt.draw(tree, window=2)",
    "algatt.draw(tree, colours=['rde'])",
    "algatt.draw(tree, ax=3)",
    "algatt.draw(algatt.spectra.AttentionLaw(1.0), ax=3)",
    "algatt.views.plot_spectrum(3)",
    "flow_diagrams.draw_phase_diagram(cosine=2.0)",
    "flow_diagrams.draw_phase_diagram(ax=3)",
    "flow_diagrams.draw_clustering_times(end=0.0)",
)


@pytest.mark.sample(0)
def test_what_is_refused_leaves_no_empty_window(tmp_path):
    """All in one process, after each of them: a window would stay."""
    code = "from algatt.views import flow_diagrams; from matplotlib import pyplot"
    for call in REFUSED:
        code += f"\ntry: {call}\nexcept algatt.errors.InvalidArgument: print(pyplot.get_fignums())"
    assert run(code, tmp_path, MPLBACKEND="module://window").splitlines() == ["[]"] * len(REFUSED)


@pytest.mark.sample(0)
def test_axes_that_are_given_and_files_open_no_window(tmp_path):
    code = (
        "from matplotlib import pyplot; from matplotlib.figure import Figure; "
        "from algatt.views import tree_files, trees; algatt.draw(tree, ax=Figure().subplots()); "
        "trees.svg(tree); trees.drawing(tree); tree_files.write(tree, 'tree.png'); "
        "print(pyplot.get_fignums())"
    )
    assert run(code, tmp_path, MPLBACKEND="module://window") == "[]"


def test_at_a_prompt_pyplot_is_asked(tmp_path):
    code = "import sys; sys.ps1 = '>>> '; algatt.draw(tree); print(sys.modules['matplotlib.pyplot'].get_fignums())"
    assert run(code, tmp_path, MPLBACKEND="module://window") == "[1]"


@pytest.mark.sample(0)
def test_pyplot_is_left_alone_in_threads(tmp_path):
    """It is not made for them: a window opened there is one that matplotlib warns of."""
    code = (
        "from concurrent.futures import ThreadPoolExecutor; from matplotlib import pyplot\n"
        "with ThreadPoolExecutor(4) as pool: axes = list(pool.map(algatt.draw, [tree] * 8))\n"
        "print(pyplot.get_fignums(), len({ax.figure for ax in axes}))"
    )
    assert run(code, tmp_path, MPLBACKEND="module://window") == "[] 8"


def test_a_figure_of_its_own_shows_itself_and_is_a_value():
    figure = new_figure(3.0, 2.0)
    figure.subplots().plot([1, 2])
    content, size = figure._repr_png_()
    assert content.startswith(b"\x89PNG")
    assert size == {"width": 450, "height": 300}
    again = pickle.loads(pickle.dumps(figure))
    assert isinstance(again, Figure)
    assert again._repr_png_() == (content, size)
