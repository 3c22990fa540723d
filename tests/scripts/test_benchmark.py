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
    assert options.sections == ["dimension", "import", "evaluate", "linalg"]
    assert (options.runs, options.quick, options.json) == (3, False, None)


def test_sections_are_chosen_by_name(benchmark):
    options = benchmark.parse(["linalg", "import", "--runs", "5", "--quick", "--json", "figures.json"])
    assert options.sections == ["import", "linalg"]
    assert (options.runs, options.quick, options.json) == (5, True, "figures.json")


@pytest.mark.parametrize(("arguments", "names"), [(["speed"], "'speed'"), (["--runs", "0"], "0"), (["--runs", "few"], "few")])
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
    monkeypatch.setattr(dimension, "run_python", lambda *arguments: timing.ProcessRun(1.0, 1.0, json.dumps({"status": "probable"})))
    with pytest.raises(timing.ProcessFailed, match="probable, not proven"):
        dimension.measure(runs=1, quick=True)


def test_evaluate_and_the_bare_products_are_the_same_function(script):
    evaluate = script("benchmarks.evaluate")
    layer = evaluate.random_layer()
    inputs = np.random.default_rng(1).standard_normal((evaluate.WIDTH, 5))
    Q, K, V = layer
    scores = (K @ inputs).T @ (Q @ inputs)  # the attention of every token to every other, as the paper's Equation 2 has it
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
    assert machine.cpu_model("processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz: fast\nmodel name\t: other\n") == "Some CPU @ 2.0GHz: fast"
    assert machine.cpu_model("Processor : ARM\n") is None


def test_figures_are_printed_and_written(benchmark, figures, capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(benchmark.SECTIONS, "import", lambda runs, quick: [figures.median_of("a figure", [1.0] * runs, "s", target=0.5)])
    path = tmp_path / "figures.json"
    assert benchmark.main(["import", "--runs", "2", "--json", str(path)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "a figure" in line]
    assert "1 s" in row
    assert "no" in row.split()
    written = json.loads(path.read_text())
    assert written["runs"] == 2
    assert {"cpu", "cores", "python", "numpy"} <= written["machine"].keys()
    (figure,) = written["sections"]["import"]
    assert (figure["name"], figure["value"], figure["runs"], figure["target"], figure["met"]) == ("a figure", 1.0, 2, 0.5, False)


def test_a_path_that_cannot_be_written_is_refused_before_anything_is_measured(benchmark, capsys, monkeypatch, tmp_path):
    measured = []
    monkeypatch.setitem(benchmark.SECTIONS, "import", lambda runs, quick: measured.append(runs) or [])
    assert benchmark.main(["import", "--json", str(tmp_path / "absent" / "figures.json")]) == 2
    assert not measured
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "cannot write" in printed.err


def test_a_failed_process_is_one_line_and_exit_code_1(benchmark, capsys, monkeypatch):
    failed = benchmark.ProcessFailed("python -m algatt: exit code 2: the reason")

    def fail(runs, quick):
        raise failed

    monkeypatch.setitem(benchmark.SECTIONS, "import", fail)
    assert benchmark.main(["import"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "benchmark: python -m algatt: exit code 2: the reason"
