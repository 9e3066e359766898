"""How long things take, as ratios within one run: machines differ, ratios less so.

Run it with ``nox -s bench``. Every pair is measured in turns, and the best of several
rounds counts, so that what else the machine does falls on both sides alike.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import orjson

from wireproof.checks import Settings, Target
from wireproof.protocols import protocol_for
from wireproof.protocols.interop._shapes import chat_call
from wireproof_reference.framing import NEED_DATA, NdjsonDecoder
from wireproof_reference.interop import chat_subject

if TYPE_CHECKING:
    from wireproof import HostHandle

ROUNDS = 5
REFERENCE = (sys.executable, "-m", "wireproof_reference", "host")
NAME = "host-v1"
TARGET = Target(NAME, "reference", REFERENCE, "reference")
SETTINGS = Settings(Path.cwd(), fuzz=0)


def best(*actions: Callable[[], None]) -> list[float]:
    """Return the least seconds of each action, the actions taken in turns."""
    found = [float("inf")] * len(actions)
    for _ in range(ROUNDS):
        for index, action in enumerate(actions):
            began = time.perf_counter()
            action()
            found[index] = min(found[index], time.perf_counter() - began)
    return found


def show(what: str, ratio: float, detail: str, aim: str = "") -> None:
    """Print one line of the result."""
    wanted = f"  (aim: {aim})" if aim else ""
    sys.stdout.write(f"{what:<58} {ratio:6.2f} x  {detail}{wanted}\n")


# --- the decoder


def decode(data: bytes, piece: int) -> None:
    """Read all frames with our decoder, in pieces as a pipe gives them."""
    decoder = NdjsonDecoder()
    for start in range(0, len(data), piece):
        decoder.receive_data(data[start : start + piece])
        while decoder.next_event() is not NEED_DATA:
            pass


def decode_bare(data: bytes) -> None:
    """Read all frames with ``bytes.split`` and ``orjson.loads``."""
    for line in data.split(b"\n"):
        if line:
            orjson.loads(line)


def bench_decoder() -> None:
    """Compare the decoder with split and loads, and look at how it grows."""
    for size in (100, 1_000, 10_000, 100_000):
        message = {
            "v": 1,
            "id": "bench",
            "ok": True,
            "result": {
                "value": {"text": "x" * (size // 2), "list": [1.5] * (size // 8)}
            },
        }
        frame = orjson.dumps(message) + b"\n"
        data = frame * max(20, 2_000_000 // len(frame))
        ours, bare = best(partial(decode, data, 65536), partial(decode_bare, data))
        rate = len(data) / ours / 1e6
        show(
            f"decoder / split + loads, frames of {len(frame)} bytes",
            ours / bare,
            f"{rate:.0f} MB/s",
            "1.5",
        )
    line = b'"' + b"x" * 400_000 + b'"\n'
    small, large = best(
        lambda: decode(line[:40_000] + b'"\n', 1), lambda: decode(line, 1)
    )
    show("decoder, byte by byte, 10 x the frame", large / small, "linear: 10", "10")


# --- a round trip


def bare_loop(count: int) -> float:
    """Return the seconds for ``count`` exchanges with plain write and readline."""
    process = subprocess.Popen(
        REFERENCE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    stdin, stdout = process.stdin, process.stdout
    if stdin is None or stdout is None:
        raise RuntimeError("the reference host has no pipes")
    reader = os.fdopen(os.dup(stdout.fileno()), "rb")

    def ask(index: int) -> None:
        request = {
            "v": 1,
            "id": str(index),
            "method": "execute_tool",
            "params": {
                "tool_name": "conformance_echo",
                "arguments": {"value": "x"},
                "state": {},
            },
        }
        stdin.write(orjson.dumps(request) + b"\n")
        orjson.loads(reader.readline())

    for index in range(50):
        ask(index)
    began = time.perf_counter()
    for index in range(count):
        ask(index)
    taken = time.perf_counter() - began
    stdin.close()
    process.wait()
    reader.close()
    stdout.close()
    return taken


def driver_loop(host: HostHandle, count: int) -> float:
    """Return the seconds for ``count`` exchanges through the suite's runner."""
    began = time.perf_counter()
    for _ in range(count):
        host.execute("conformance_echo", {"value": "x"})
    return time.perf_counter() - began


def bench_round_trip() -> None:
    """Compare a round trip through the runner with a bare loop on the same host."""
    count = 2_000
    handle = protocol_for("host").handle(TARGET, SETTINGS)
    with cast("HostHandle", handle) as host:
        driver_loop(host, 50)
        pairs = [(driver_loop(host, count), bare_loop(count)) for _ in range(ROUNDS)]
    ours, bare = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    show(
        "round trip: runner / bare write and readline",
        ours / bare,
        f"{ours / count * 1e6:.0f} µs against {bare / count * 1e6:.0f} µs",
        "2",
    )


# --- a run


@dataclass(frozen=True, slots=True)
class Run:
    """How long pytest itself says that a run took.

    Attributes:
        loop: Seconds from the first item to the last.
        cpu: Seconds of CPU that the process of pytest took for them, without subjects.
        items: How many items there were.
    """

    loop: float
    cpu: float
    items: int


def run_pytest(
    *arguments: str, folder: str, python: str = sys.executable, passes: bool = True
) -> Run:
    """Run pytest in a folder and return how long its items took.

    Args:
        arguments: Those of pytest.
        folder: Where it is run.
        python: The interpreter of the installation that is measured.
        passes: Whether all items have to pass.
    """
    report = Path(folder, "report.json")
    report.unlink(missing_ok=True)
    subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        check=passes,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "BENCH_TIMES": str(report)},
    )
    return Run(**json.loads(report.read_text()))


CONFTEST = """
import json, os, time, pytest
@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    began, cpu = time.perf_counter(), time.process_time()
    try:
        return (yield)
    finally:
        found = {
            "loop": time.perf_counter() - began,
            "cpu": time.process_time() - cpu,
            "items": len(session.items),
        }
        with open(os.environ["BENCH_TIMES"], "w") as file:
            json.dump(found, file)
"""

OF_A_HOST = ("--fuzz=0", "-p", "conftest", "--rootdir=.")

TINY_HOST = Path(__file__).parent / "wireproof" / "tiny_host.py"


def built_go_host(folder: str) -> str | None:
    """Build the host in Go that is an example; None where there is no Go."""
    beside = Path(sys.executable).parent / "go"
    go = str(beside) if beside.exists() else shutil.which("go")
    if go is None:
        return None
    host = Path(folder, "host")
    source = Path(__file__).parents[1] / "reference" / "hosts" / "go"
    subprocess.run([go, "build", "-o", str(host), "."], cwd=source, check=True)
    return str(host)


def bench_run() -> None:
    """Compare a whole run with as many empty items."""
    checks = protocol_for("host").checks(SETTINGS)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "conftest.py").write_text(CONFTEST)
        Path(folder, "test_empty.py").write_text(
            "import pytest\n"
            f"@pytest.mark.parametrize('n', range({len(checks)}))\n"
            "def test_nothing(n): pass\n"
        )
        hosts = {"reference": "reference", "Go": built_go_host(folder)}
        present = {name: host for name, host in hosts.items() if host is not None}
        empty: list[Run] = []
        full: dict[str, list[Run]] = {name: [] for name in present}
        for _ in range(3):
            empty.append(run_pytest("test_empty.py", folder=folder))
            for name, host in present.items():
                full[name].append(
                    run_pytest(f"--host={host}", *OF_A_HOST, folder=folder)
                )
    least = min(run.loop for run in empty)
    for name, runs in full.items():
        loop = min(run.loop for run in runs)
        show(
            f"host-v1 run on the {name} host / {len(checks)} empty items",
            loop / least,
            f"{loop:.2f} s against {least:.2f} s",
            "30",
        )


def bench_held_back() -> None:
    """Compare a host that gives each answer with the next request with a plain one."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "conftest.py").write_text(CONFTEST)
        loops: list[float] = []
        for fault in ("", "one-behind"):
            option = f"--host={sys.executable} {TINY_HOST} {fault}"
            run = run_pytest(option, *OF_A_HOST, folder=folder, passes=False)
            loops.append(run.loop)
    plain, held = loops
    show(
        "a host that holds each answer back / the same without",
        held / plain,
        f"{held:.1f} s against {plain:.1f} s",
        "3",
    )


def bench_before() -> None:
    """Compare a run on the reference host with that of another installation.

    ``BENCH_BEFORE`` is the interpreter of an environment with an older wireproof.
    """
    if not (before := os.environ.get("BENCH_BEFORE")):
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "conftest.py").write_text(CONFTEST)
        runs: dict[str, list[Run]] = {before: [], sys.executable: []}
        for _ in range(3):
            for python, found in runs.items():
                option = "--host=reference"
                found.append(
                    run_pytest(option, *OF_A_HOST, folder=folder, python=python)
                )
    old, new = [min(one.cpu / one.items for one in r) for r in runs.values()]
    show(
        "CPU of the suite for a check / that of the other",
        new / old,
        f"{new * 1e3:.2f} ms against {old * 1e3:.2f} ms",
        "0.5",
    )
    old, new = [min(one.loop for one in r) for r in runs.values()]
    counts = " against ".join(str(r[0].items) for r in reversed(runs.values()))
    detail = f"{new:.1f} s against {old:.1f} s, {counts} checks"
    show("a run on the reference host / that of the other", new / old, detail, "1")


def run_suite(settings: Settings, checks: int | None = None) -> tuple[float, int]:
    """Return the seconds of the checks that need no fresh start, and their number."""
    suite = protocol_for("host").open(TARGET, settings)
    chosen = list(suite.checks)[:checks]
    suite.run(chosen[0])
    began = time.perf_counter()
    for check in chosen:
        suite.run(check)
    taken = time.perf_counter() - began
    suite.finish()
    return taken, len(chosen)


def bench_growth() -> None:
    """See how a run grows with ten times the vectors, and what fuzzing costs."""
    suite = protocol_for("host").open(TARGET, SETTINGS)
    plain = [
        check
        for check in suite.checks
        if check.id.startswith(("host-v1/values/", "host-v1/request-ids/"))
    ]
    suite.run(plain[0])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def run(times: int) -> None:
        for _ in range(times):
            for check in plain:
                suite.run(check)

    once, ten = best(lambda: run(1), lambda: run(10))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    suite.finish()
    show(
        "10 x the vectors",
        ten / once,
        f"{once / len(plain) * 1e6:.0f} µs a vector, memory {after / before:.2f} x",
        "10, memory 1",
    )
    fuzz = replace(SETTINGS, fuzz=100, fuzz_seed=1)
    suite = protocol_for("host").open(TARGET, fuzz)
    fuzzed = [check for check in suite.checks if check.kind == "fuzz"]
    suite.run(plain[0])
    suite.run(fuzzed[0])
    frames, began = 0, time.perf_counter()
    for check in fuzzed[1:]:
        frames += suite.run(check).evidence.get("frames", 0)
    taken = time.perf_counter() - began
    suite.finish()
    show("fuzzing", frames / taken / 1000, "thousand compared frames a second")


def bench_subjects() -> None:
    """See how a run grows with ten subjects."""

    def run(subjects: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [
                    *(sys.executable, "-m", "pytest", "-q", "--fuzz=0"),
                    *("-k", "request-ids or values"),
                    *["--host=reference"] * subjects,
                ],
                cwd=folder,
                check=True,
                stdout=subprocess.DEVNULL,
            )

    began = time.perf_counter()
    run(1)
    one = time.perf_counter() - began
    began = time.perf_counter()
    run(10)
    show(
        "10 x the subjects, start of pytest included",
        (time.perf_counter() - began) / one,
        f"{one:.2f} s for one",
        "at most 10",
    )


def bench_interop() -> None:
    """See how quick vectors are, and compare fuzzed texts with the bare registry."""
    adapter = protocol_for("adapter")
    command = adapter.command("wireproof_reference.interop:chat_subject")
    target = Target(adapter.name, "reference", command, "reference")
    suite = adapter.open(target, replace(SETTINGS, fuzz=200))
    vectors = [check for check in suite.checks if check.kind == "vector"]

    def run() -> None:
        for check in vectors:
            suite.run(check)

    run()
    (taken,) = best(run)
    show(
        "250 vectors of interop / 1 s",
        taken / len(vectors) * 250,
        f"{len(vectors)} in {taken:.2f} s",
        "at most 1.5",
    )
    name = "interop/fuzz/sanitise-broken-texts"
    (fuzzed,) = [check for check in suite.checks if check.id == name]
    before = sum(os.times()[:4])
    texts = suite.run(fuzzed).evidence["frames"]
    suite.finish()
    # Seconds of one core, both processes together: they take turns.
    taken = sum(os.times()[:4]) - before
    registry = chat_subject()
    call = chat_call('{"path": "README.md", "lines"')

    def sanitise() -> None:
        for _ in range(texts):
            registry.sanitize_tool_call(call)

    (bare,) = best(sanitise)
    show(
        "a fuzzed text / the same by the bare registry",
        taken / bare,
        f"{texts / taken:,.0f} texts a second of one core",
        "5,000 a second",
    )


if __name__ == "__main__":
    bench_decoder()
    bench_round_trip()
    bench_run()
    bench_held_back()
    bench_before()
    bench_growth()
    bench_subjects()
    bench_interop()
