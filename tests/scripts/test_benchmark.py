"""The benchmark's reading, reducing and writing; what it measures is left to its runs."""

from __future__ import annotations

import json

import numpy as np
import pytest


@pytest.fixture
def benchmark(script):
    return script("benchmark")


@pytest.fixture
def figures(script):
    return script("benchmarks.figures")


@pytest.fixture
def timing(script):
    return script("benchmarks.timing")


def test_everything_is_measured_by_default(benchmark):
    options = benchmark.parse([])
    assert options.sections == list(benchmark.SECTIONS)
    assert (options.runs, options.quick, options.json) == (3, False, None)


def test_sections_are_chosen_by_name(benchmark):
    options = benchmark.parse(["linalg", "import", "--runs", "5", "--quick", "--json", "figures.json"])
    assert options.sections == ["import", "linalg"]
    assert (options.runs, options.quick, options.json) == (5, True, "figures.json")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["speed"], "'speed'"),
        (["--runs", "0"], "0"),
        (["--runs", "few"], "few"),
        (["linalg", "--primes", "8388595"], "8388595 is not a prime"),
        (["linalg", "--primes", "2147483659"], "below 2^31"),
        (["linalg", "--sizes", "0"], "0 is not at least 1"),
        (["import", "--plot", "rank.svg"], "linalg"),
        (["linalg", "--plot", "rank.txt"], "rank.txt"),
    ],
)
def test_a_bad_argument_is_one_line_and_exit_code_2(benchmark, capsys, arguments, names):
    with pytest.raises(SystemExit) as ended:
        benchmark.main(arguments)
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert names in printed.err


@pytest.mark.parametrize(("values", "median"), [([3.0], 3.0), ([9.0, 1.0, 2.0], 2.0), ([10.0, 1.0, 3.0, 2.0], 2.5)])
def test_median_of(figures, values, median):
    figure = figures.median_of("name", values, "s")
    assert (figure.value, figure.lowest, figure.highest, figure.runs) == (median, min(values), max(values), len(values))
    assert figure.met is None


def test_a_ratio_is_that_of_the_medians_and_not_the_median_of_the_ratios(figures):
    assert figures.ratio_of("name", [1.0, 10.0, 100.0], [1.0, 2.0, 1000.0]).value == 5.0


@pytest.mark.parametrize(("value", "met"), [(1.9, True), (2.0, True), (2.1, False)])
def test_a_target_is_met_up_to_its_value(figures, value, met):
    assert figures.median_of("name", [value], "s", target=2.0).met is met
    assert figures.ratio_of("name", [value], [1.0], target=2.0).to_dict()["met"] is met


def test_calls_take_turns_and_the_first_round_is_not_counted(timing):
    order = []

    def call(name):
        order.append(name)
        return float(len(order))

    values = timing.interleaved({"a": lambda: call("a"), "b": lambda: call("b")}, runs=2)
    assert order == ["a", "b"] * 3
    assert values == {"a": [3.0, 5.0], "b": [4.0, 6.0]}


def test_the_peak_memory_of_a_process_is_its_own(timing):
    held = bytearray(b"x") * 300_000_000
    small = timing.run_python("-S", "-c", "print('done')")
    large = timing.run_python("-S", "-c", "bytearray(b'x') * 200_000_000")
    assert small.output == "done\n"
    assert small.megabytes < 150
    assert 200 < large.megabytes < 200 + 150
    assert len(held) == 300_000_000


def test_a_process_that_fails_is_reported_with_its_last_line(timing):
    with pytest.raises(timing.ProcessFailed, match=r"exit code 3: the reason$"):
        timing.run_python("-c", "import sys; print('first\\nthe reason', file=sys.stderr); sys.exit(3)")


def test_a_dimension_that_is_not_proven_is_no_measurement(script, timing, monkeypatch):
    dimension = script("benchmarks.dimension")
    monkeypatch.setattr(
        dimension, "run_python", lambda *arguments: timing.ProcessRun(1.0, 1.0, json.dumps({"status": "probable"}))
    )
    with pytest.raises(timing.ProcessFailed, match="probable, not proven"):
        dimension.measure(script("benchmarks.plan").Plan(runs=1, quick=True))


def test_evaluate_and_the_bare_products_are_the_same_function(script):
    evaluate = script("benchmarks.evaluate")
    layer = evaluate.random_layer()
    inputs = np.random.default_rng(1).standard_normal((evaluate.WIDTH, 5))
    Q, K, V = layer
    scores = (K @ inputs).T @ (
        Q @ inputs
    )  # the attention of every token to every other, as the paper's Equation 2 has it
    expected = V @ inputs @ scores
    np.testing.assert_allclose(evaluate.products(layer, inputs)(), expected, rtol=1e-10, atol=1e-8)
    np.testing.assert_allclose(evaluate.evaluation(layer, inputs)(), expected, rtol=1e-10, atol=1e-8)


def test_a_wrong_rank_is_no_measurement(script):
    linalg = script("benchmarks.linalg")
    assert linalg.timed_rank(lambda: 4, 4)() >= 0
    with pytest.raises(ArithmeticError, match="rank 4"):
        linalg.timed_rank(lambda: 3, 4)()


def test_the_processor_is_read_off_cpuinfo(script):
    machine = script("benchmarks.machine")
    assert (
        machine.cpu_model("processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz: fast\nmodel name\t: other\n")
        == "Some CPU @ 2.0GHz: fast"
    )
    assert machine.cpu_model("Processor : ARM\n") is None


def test_figures_are_printed_and_written(benchmark, figures, capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(
        benchmark.SECTIONS, "import", lambda plan: [figures.median_of("a figure", [1.0] * plan.runs, "s", target=0.5)]
    )
    path = tmp_path / "figures.json"
    assert benchmark.main(["import", "--runs", "2", "--json", str(path)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "a figure" in line]
    assert "1 s" in row
    assert "no" in row.split()
    written = json.loads(path.read_text())
    assert written["runs"] == 2
    assert {"cpu", "cores", "python", "numpy"} <= written["machine"].keys()
    (figure,) = written["sections"]["import"]
    assert (figure["name"], figure["value"], figure["runs"], figure["target"], figure["met"]) == (
        "a figure",
        1.0,
        2,
        0.5,
        False,
    )


def test_a_path_that_cannot_be_written_is_refused_before_anything_is_measured(benchmark, capsys, monkeypatch, tmp_path):
    measured = []
    monkeypatch.setitem(benchmark.SECTIONS, "import", lambda plan: measured.append(plan) or [])
    assert benchmark.main(["import", "--json", str(tmp_path / "absent" / "figures.json")]) == 2
    assert not measured
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "cannot write" in printed.err


def test_a_failed_process_is_one_line_and_exit_code_1(benchmark, capsys, monkeypatch):
    failed = benchmark.ProcessFailed("python -m algatt: exit code 2: the reason")

    def fail(plan):
        raise failed

    monkeypatch.setitem(benchmark.SECTIONS, "import", fail)
    assert benchmark.main(["import"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "benchmark: python -m algatt: exit code 2: the reason"


@pytest.mark.parametrize(("value", "met"), [(59.9, False), (60.0, True), (61.0, True)])
def test_a_target_to_reach_is_met_from_its_value_on(figures, value, met):
    figure = figures.ratio_of("galois / ours", [value], [1.0], target=60.0, at_least=True)
    assert figure.met is met
    assert figure.to_dict()["met"] is met


def test_a_plot_without_matplotlib_is_refused_in_one_line(benchmark, capsys, monkeypatch):
    monkeypatch.setattr(benchmark.plot, "can_plot", lambda: False)
    assert benchmark.main(["linalg", "--plot", "rank.svg"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "benchmark: --plot needs matplotlib, which is not installed\n"


def test_cases_are_laid_out_in_rows_and_quantities_in_columns(benchmark, figures):
    some = [
        figures.median_of(name, [value], "s", case=case)
        for case, name, value in (("n = 1", "a", 2.0), ("n = 2", "b", 3.0))
    ]
    laid_out = benchmark.grid("title", some)
    assert [column.header for column in laid_out.columns] == ["", "a", "b"]
    assert [list(column.cells) for column in laid_out.columns] == [["n = 1", "n = 2"], ["2", ""], ["", "3"]]


def test_the_plotted_series_are_those_of_full_rank_in_order(script, figures):
    measured = {(500, 250): 1.0, (500, 500): 4.0, (250, 250): 2.0}
    made = [
        figures.median_of("algatt", [value], "s", case=f"n = {n}, p = 31, rank {rank}")
        for (n, rank), value in measured.items()
    ]
    assert script("benchmarks.plot").series(made) == {31: {"algatt": [(250, 2.0), (500, 4.0)]}}


def test_operations_count_the_updates_of_gauss_elimination(script):
    linalg = script("benchmarks.linalg")
    n = 300
    for rank in (n, n // 2):
        updates = sum(
            2 * (n - k) ** 2 for k in range(1, rank + 1)
        )  # step k subtracts a rank-one product from what is left
        assert linalg.operations(n, rank) == pytest.approx(updates, rel=0.01)


@pytest.mark.parametrize(("size", "p", "rank"), [(20, 1048583, 20), (20, 8388593, 10), (21, 2147483647, 10)])
def test_the_measured_matrices_have_their_rank(script, size, p, rank):
    linalg = script("benchmarks.linalg")
    residues = linalg.random_residues(size, p, rank)
    assert residues.shape == (size, size)
    assert residues.min() >= 0
    assert residues.max() < p
    assert linalg.flint_matrix(residues, p).rank() == rank


def test_the_seconds_of_another_program_are_read_and_its_rank_checked(script):
    others = script("benchmarks.others")
    assert others.median_seconds("5 0.3\n5 .1\n5 0.2\n", 5) == 0.2
    with pytest.raises(ArithmeticError, match="rank 5"):
        others.median_seconds("5 0.3\n4 0.1\n", 5)


def test_right_answers_in_floating_point_are_counted(script):
    neurodim = script("benchmarks.neurodim")
    found = neurodim.figures_of("case", [(49, 1.0)] * 3, {"float32": [(12, 2.0), (49, 4.0), (28, 6.0)]})
    values = {figure.name: figure.value for figure in found}
    assert (values["proven"], values["float32 right"], values["torch float32 / ours"]) == (49, 1, 4.0)
    with pytest.raises(ArithmeticError, match="differ"):
        neurodim.figures_of("case", [(49, 1.0), (48, 1.0)], {})


def test_the_settings_are_the_published_ones(script):
    settings = {(arch.dims, arch.ranks) for arch in script("benchmarks.neurodim").SETTINGS}
    published = script("published_dimensions").configurations()
    assert settings == {(one.arch.dims, one.arch.ranks) for series in published.values() for one in series}


def test_the_bare_operations_of_a_flow_are_those_of_its_velocity(script):
    """Without the projection and the 1/n, they give the same numbers."""
    import algatt

    dynamics = script("benchmarks.dynamics")
    heads, X = dynamics.random_heads(), algatt.dynamics.random_tokens(100, dynamics.WIDTH)
    for weights in (
        algatt.layers.Unnormalized(algatt.layers.Exponential()),
        algatt.layers.Unnormalized(algatt.layers.ReLU()),
    ):
        flat = algatt.dynamics.FlatFlow(tuple(heads), weights)
        assert np.allclose(
            dynamics.bare_operations(heads, X, weights) / 100, algatt.dynamics.velocity(flat, X), rtol=1e-10
        )


def test_the_two_forms_of_a_narrow_head_have_one_velocity(script):
    import algatt

    X = algatt.dynamics.random_tokens(20, 12)
    one, other = (
        algatt.dynamics.velocity(algatt.dynamics.SphereFlow((head,)), X)
        for head in script("benchmarks.dynamics").forms_of_a_head(12, 3)
    )
    assert np.allclose(one, other, rtol=1e-12)


def test_the_bare_products_of_narrow_heads_are_those_of_weights_that_are_the_scores(script):
    import algatt

    dynamics = script("benchmarks.dynamics")
    heads, X = dynamics.narrow_heads()[:2], algatt.dynamics.random_tokens(100, dynamics.NARROW_WIDTH)
    scores = [X.T @ head.Q.T @ head.K @ X for head in heads]
    expected = sum(head.O @ head.V @ X @ S.T for head, S in zip(heads, scores, strict=True))
    assert np.allclose(dynamics.bare_products(heads, X), expected, rtol=1e-10)
