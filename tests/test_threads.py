"""Answers do not depend on what other threads do, and what belongs to the process is left as it was found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import flint
import galois
import matplotlib as mpl
import numpy as np
import pytest

import algatt
from algatt import Balls, PrimeField
from algatt.dispatch import declare, mirror
from algatt.dispatch import verbs as verbs_declared
from algatt.fields import Elements
from algatt.fields.ball import holds_balls
from algatt.fields.precision import with_precision
from algatt.files import write_atomically
from algatt.maps.gradient import gradients
from algatt.spectra import FiniteSizeWarning, chain
from algatt.views.plotting import new_figure, render

T = TypeVar("T")

THREADS = 8


@pytest.fixture
def hurry() -> Iterator[None]:
    """Let threads take turns after a hundredth of a millisecond instead of five."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def precision() -> Iterator[int]:
    """A precision of FLINT that nobody would choose, to be found unchanged afterwards."""
    before, flint.ctx.prec = flint.ctx.prec, 71
    yield 71
    left, flint.ctx.prec = flint.ctx.prec, before
    assert left == 71


def in_threads(function: Callable[[Any], T], arguments: list[Any]) -> list[T]:
    """Return the values of a function, computed by threads that start together."""
    assert len(arguments) >= THREADS
    with ThreadPoolExecutor(THREADS, initializer=threading.Barrier(THREADS).wait) as pool:
        return list(pool.map(function, arguments))


def in_a_new_process(code: str) -> str:
    """Return what a program prints that imports this package."""
    path = str(Path(algatt.__file__).parents[1])
    program = f"import sys; sys.path.insert(0, {path!r})\n{code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ----- the precision of balls


def proof(case: tuple[Any, int, int]) -> Any:
    """Prove a dimension over balls of some precision, and verify its certificate."""
    arch, bits, seed = case
    report = algatt.dimension(arch, field=Balls(bits), seed=seed)
    assert report.evidence is not None
    return report.value, report.status, report.field, report.evidence.lower, algatt.verify(algatt.certify(report))


@pytest.mark.sample(0)
def test_proofs_with_several_precisions_in_several_threads(hurry: None, precision: int) -> None:
    deep = algatt.Normalized((2, 2, 2, 2), (1, 1, 1), 2, algatt.layers.Exponential())
    sharp = algatt.Normalized((2, 2), (1,), 2, algatt.layers.Exponential(Fraction(1, 2000)))
    cases = [(arch, bits, seed) for seed in range(2) for arch in (deep, sharp) for bits in (16, 64, 128, 1024, 2048)]
    alone = [proof(case) for case in cases]
    assert all(status == "proven" and verified for _, status, _, _, verified in alone)
    for _ in range(3):
        assert in_threads(proof, cases) == alone
        assert flint.ctx.prec == precision


def test_a_certificate_is_verified_beside_coarser_balls(hurry: None, precision: int) -> None:
    certificate = algatt.certify(algatt.Normalized((2, 2, 2), (1, 1), 2, algatt.layers.Exponential()))
    stop = threading.Event()

    def disturb(bits: int) -> None:
        x = Elements.of(Balls(bits), [[1, 2], [3, 4]])
        while not stop.is_set():
            (x @ x / 3).exp()

    disturbing = [threading.Thread(target=disturb, args=(bits,)) for bits in (2, 3000)]
    for thread in disturbing:
        thread.start()
    try:
        assert [algatt.verify(certificate).reasons for _ in range(20)] == [()] * 20
    finally:
        stop.set()
        for thread in disturbing:
            thread.join()


@pytest.mark.sample(1)
@pytest.mark.parametrize("bits", [2, 300])
def test_the_precision_around_a_computation_does_not_matter(bits: int) -> None:
    """At 2 bits, whatever is read from decimals or rounded outside of the field would be next to nothing."""
    wide, narrow = (algatt.Normalized(dims, (1,), 2, algatt.layers.Exponential()) for dims in ((1, 2), (2, 1)))
    cases = [(narrow, 16, 5), (wide, 8, 0)]
    alone = [proof(case) for case in cases]
    with flint.ctx.workprec(bits):
        assert [proof(case) for case in cases] == alone


def test_a_precision_within_another_one() -> None:
    def thirds(bits: int, *further: int) -> list[int]:
        within = with_precision(further[0], thirds, *further) if further else []
        return [(flint.arb(1) / 3).rel_accuracy_bits(), *within, (flint.arb(1) / 3).rel_accuracy_bits()]

    found = with_precision(100, thirds, 100, 400, 30)
    assert found == pytest.approx([100, 400, 30, 30, 400, 100], abs=2)


def test_an_error_restores_the_precision(precision: int) -> None:
    with pytest.raises(ZeroDivisionError):
        with_precision(300, lambda: 1 / 0)
    assert flint.ctx.prec == precision


def test_progress_may_wait_for_another_thread(precision: int) -> None:
    """A lock that were held while progress is told would never be released."""
    seen = []

    def progress(done: int, total: int) -> None:
        with ThreadPoolExecutor(1) as pool:
            seen.append(pool.submit(lambda: Elements.of(Balls(40), [done]) + total).result(timeout=60))
        assert flint.ctx.prec == precision

    arch = algatt.Normalized((2, 1), (1,), 2, algatt.layers.Exponential())
    assert algatt.verify(algatt.certify(arch, progress=progress), progress=progress)
    assert seen


def test_interrupts_from_the_keyboard_leave_nothing_behind(precision: int) -> None:
    """Interrupts are sent all the time, and heard where the precision is set and restored."""
    x = Elements.of(Balls(300), [[1, 2], [3, 4]])
    heard = 0
    stop = threading.Event()

    def interrupt(number: int, frame: types.FrameType | None) -> None:
        if frame is not None and frame.f_code is with_precision.__code__:
            raise KeyboardInterrupt

    def send() -> None:
        while not stop.is_set():
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, interrupt)
    sending = threading.Thread(target=send)
    try:
        sending.start()
        while heard < 40:
            try:
                x + x
            except KeyboardInterrupt:
                heard += 1
                assert flint.ctx.prec == precision
    finally:
        stop.set()
        sending.join()
        signal.signal(signal.SIGINT, before)
    with ThreadPoolExecutor(1) as pool:  # the lock is free
        assert pool.submit(lambda: x + x).result(timeout=60).shape == (2, 2)


# ----- prime fields


def test_dimensions_over_prime_fields_in_threads(hurry: None) -> None:
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    cases = [(p, seed) for p in (31, 8388593, 2147483647, 2**61 - 1) for seed in range(4)]

    def exact(case: tuple[int, int]) -> Any:
        report = algatt.dimension(arch, field=PrimeField(case[0]), seed=case[1])
        assert report.evidence is not None
        return report.value, report.status, report.evidence.lower, report.evidence.upper, report.error

    alone = [exact(case) for case in cases]
    assert {(value, status) for value, status, *_ in alone} == {(33, "proven")}
    assert in_threads(exact, cases) == alone


def test_threads_get_the_same_galois_class(hurry: None) -> None:
    p = 4194301  # a prime of no other test: galois makes a class once
    assert set(in_threads(lambda p: PrimeField(p).galois, [p] * THREADS)) == {galois.GF(p)}


def test_a_module_that_another_thread_imports_has_no_names_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("galois", "flint"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    assert algatt.rank(np.diag([1.0, 2.0, 0.0])) == algatt.rank(np.diag([1.0, 2.0, 0.0]))
    assert not holds_balls(np.array([1, 2], dtype=object))


FIRST_USE = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import algatt

start = Barrier(6)
networks = algatt.Lightning((4, 3, 4), (2, 2), 3), algatt.Normalized((2, 2), (1,), 2, algatt.layers.Exponential())

def first(number):
    start.wait()
    network = networks[number % 2]
    theta = algatt.sample(network, algatt.Weights, seed=0)
    return algatt.dimension(network).value, algatt.rank(theta.layers[0].Q)

with ThreadPoolExecutor(6) as pool:
    print(list(pool.map(first, range(6))))
"""


@pytest.mark.sample(0)
def test_threads_may_be_the_first_to_use_the_package() -> None:
    assert in_a_new_process(FIRST_USE) == f"{[(33, 2), (7, 1)] * 3}\n"


COMPILED_LOOPS = """
from concurrent.futures import ThreadPoolExecutor
from algatt.linalg.arithmetic import CompiledFloats
import numpy as np

def loops(p):
    residues = np.random.default_rng(0).integers(0, p, (300, 900)).astype(float)
    calculus, same = CompiledFloats(p), True
    for _ in range(200):
        work = calculus.enter(residues)
        calculus.subtract_rows(work, np.ones((300, 1)), np.zeros((1, 900)))
        same = same and np.array_equal(calculus.leave(work), residues)
    return same

with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(loops, [8388593, 2147483647] * 2)))
"""


@pytest.mark.sample(0)
def test_compiled_loops_in_threads() -> None:
    """Each thread has its own room for products."""
    assert in_a_new_process(COMPILED_LOOPS) == f"{[True] * 4}\n"


# ----- generic functions


def test_a_method_that_is_added_during_a_call_is_seen_by_the_next_one() -> None:
    """The method is added while the verb looks through its methods, as another thread may do."""

    class Adding(type):
        def __subclasscheck__(cls, other: type) -> bool:
            if not added:
                added.append(True)
                describe.method(describe_late)
            return type.__subclasscheck__(cls, other)

    class Thing(metaclass=Adding):
        pass

    class Late(Thing):
        pass

    registry = list(verbs_declared())

    @declare
    def describe(thing: Any) -> Any:
        """Describe a thing."""

    algatt.dispatch.Verb.registry[:] = registry  # which belongs to the process

    def describe_late(thing: Late) -> str:
        return "late"

    describe_late.__annotations__["thing"] = Late  # which is postponed, and no name where the method is added
    added = [True]

    @describe.method
    def describe_thing(thing: Thing) -> str:
        return "thing"

    added.clear()
    assert describe(Late()) == "thing"
    assert describe(Late()) == "late"


def test_a_class_has_one_mirror(hurry: None) -> None:
    for number in range(100):
        cls = type(f"Class{number}", (), {})
        assert len(set(in_threads(mirror, [cls] * THREADS))) == 1


# ----- what else belongs to the process


def test_writing_a_file_leaves_the_umask_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can only be read by setting it, and other threads would create files without one meanwhile."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "umask", None)
        write_atomically(tmp_path / "new", b"content")
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_no_file_is_more_readable_than_what_it_replaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "secret"
    target.touch(0o600)
    seen = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(os.fstat(descriptor).st_mode & 0o777))
    write_atomically(target, b"content")
    assert seen == [0o600]
    assert target.stat().st_mode & 0o777 == 0o600


def test_the_filters_of_warnings_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of ensembles warns once. Filters belong to all threads: one of two could leave them to the other."""
    with pytest.warns(FiniteSizeWarning):
        ensemble = algatt.spectra.AttentionEnsemble(20, 20, 20, 2.0)
    with monkeypatch.context() as patch:
        patch.setattr(warnings, "catch_warnings", None)
        assert len(chain(ensemble)) == 6
    with pytest.warns(FiniteSizeWarning):
        algatt.spectra.AttentionEnsemble(20, 20, 20, 2.0)


def picture(height: int) -> bytes:
    figure = new_figure(1, 1)
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, height], clip_path=axes.patch)
    return render(figure, "svg")


@pytest.mark.sample(0)
def test_pictures_in_threads(hurry: None) -> None:
    settings = dict(mpl.rcParams)
    alone = [picture(height) for height in range(1, 9)]
    for _ in range(3):
        assert in_threads(picture, list(range(1, 9))) == alone
        assert dict(mpl.rcParams) == settings


def test_adjoints_in_threads(hurry: None) -> None:
    """They are numbered by one clock for all threads, in which those of one thread have gaps."""
    arch = algatt.Normalized((2, 3, 2), (1, 2), 3, algatt.layers.Exponential())
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    X = algatt.sample_inputs(arch, field=algatt.Reals(), count=4)
    outputs = np.arange(4)

    def rows(_: int) -> Any:
        return gradients(arch, theta, Elements.of(algatt.Reals(), X), outputs=outputs).raw.tolist()

    assert in_threads(rows, list(range(40))) == [rows(0)] * 40
