"""Drive a subject with drawn examples: seeded, made smaller, and savable.

Theory of operation. Hypothesis draws a plan; the plan becomes the steps of a vector;
the runner carries them out as it does a golden vector. An example that fails is made
smaller by Hypothesis, which calls for many more runs on a subject that may be slow to
fail; so outcomes are remembered, and once a failure has been waited for in full the
waits are short and the number of tries is limited. What is left is shown, and can be
saved, as a vector.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import hypothesis
from hypothesis import HealthCheck, Phase, configuration

from wireproof.checks import Verdict
from wireproof.fuzzing._constants import no_constants_of_modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from hypothesis.strategies import SearchStrategy

    from wireproof.checks import Attempt, Check, Result

SHRINK_RUNS = 100
"""Failing runs after the first that may be spent on a smaller example."""

DRAWING_SECONDS = 20.0
"""Seconds after which no further examples of a property are run."""

SLOW_SECONDS = 0.3
"""Seconds of an example from which on a subject is slow."""

SLOW_DRAWING_SECONDS = 3.0
"""Seconds of drawing on a slow subject: its run must end within a minute or so."""

SHRINK_SECONDS = 15.0
"""Seconds that may be spent on it, where it is to be saved."""

RUN_SHRINK_SECONDS = 3.0
"""Seconds that a run may spend on what is not saved: on a subject that is slow to fail
each try costs a wait, or a start."""

LEAST_SHRINK_SECONDS = 0.5
"""What each failure may take of them, however many there were: the only limit for what
breaks a clause that a vector has shown to be broken, which tells as much in few steps,
and for what only hides a check."""

FRESH_EXAMPLES = 3
"""Examples that Hypothesis draws with one seed: the simplest, which is tried once, and
two more. Most of those that would come after them are made of parts of these, which
hardly tells more of a subject."""

SEEDS_APART = 1_000_003
"""How far the seeds lie from each other, so that those of two runs differ as well."""

UNHURRIED = (
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.large_base_example,
    HealthCheck.too_slow,
)
"""Health checks that say nothing here: a slow subject is no fault of the strategy."""

Step = dict[str, Any]

BAD = frozenset(
    {Verdict.FAILED, Verdict.WARNED, Verdict.NOT_TESTABLE, Verdict.HARNESS_ERROR}
)
"""Verdicts of one example that end the drawing of new ones."""


class Example(Protocol):
    """A drawn plan."""

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, request ids beginning with ``prefix``."""
        ...


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """What fuzzing a property came to.

    Attributes:
        examples: How many examples were run.
        failed: What the smallest failing one came to, or None where none failed.
        steps: Its steps.
        first: The first failing one, as it was drawn, with its steps.
        shrinking: Seconds in which a smaller one was looked for.
    """

    examples: int
    failed: Attempt | None
    steps: Sequence[Step]
    first: tuple[Attempt, Sequence[Step]] | None = None
    shrinking: float = 0.0


Drawn: TypeAlias = tuple[int, Example]
"""An example that was drawn ahead, behind the number of its seed."""


class _ExampleFailed(Exception):
    """Tells Hypothesis that an example failed."""


class _Enough(BaseException):  # Hypothesis would take an Exception for a failure
    """Ends the drawing, or the search for a smaller example."""


class _Search:
    """Runs examples, remembers outcomes, and limits the making smaller."""

    def __init__(
        self,
        run: Callable[[list[Step]], Attempt],
        prefix: str,
        shrinking: Callable[[Attempt], float],
        most: int,
    ) -> None:
        self.run = run
        self.most = most
        self.prefix = prefix
        self.shrinking = shrinking
        self.examples = 0
        self.failing: dict[str, tuple[Attempt, list[Step]]] = {}
        self.last: tuple[Attempt, list[Step]] | None = None
        self._passing: set[str] = set()
        self._shrink_seconds = 0.0
        self._first_failure: float | None = None
        self._began = time.monotonic()

    def try_example(self, plan: Example) -> None:
        key = _key(plan)
        known = self.failing.get(key)
        if known is None and key not in self._passing:
            if self._spent():
                raise _Enough
            steps = plan.steps(f"{self.prefix}-{self.examples + 1}")
            known = self._carry_out(steps, key)
        if known is not None:
            self.last = known
            raise _ExampleFailed

    def _carry_out(
        self, steps: list[Step], key: str
    ) -> tuple[Attempt, list[Step]] | None:
        self.examples += 1
        attempt = self.run(steps)
        if attempt.result.verdict not in BAD or self._is_slow_by_the_way(attempt):
            # The simplest comes again with each seed, others where one is made smaller.
            self._passing.add(key)
            return None
        if self._first_failure is None:
            self._first_failure = time.monotonic()
            self._shrink_seconds = self.shrinking(attempt)
        self.failing[key] = (attempt, steps)
        return self.failing[key]

    def _is_slow_by_the_way(self, attempt: Attempt) -> bool:
        """Tell whether an example is no smaller one of a failure that is not of time.

        Waits are short by then: what a busy machine holds up leads elsewhere.
        """
        first = next(iter(self.failing.values()), None)
        return attempt.about_time and first is not None and not first[0].about_time

    @property
    def shrunk(self) -> float:
        """The seconds since the first failure; 0 before any."""
        first = self._first_failure
        return 0.0 if first is None else time.monotonic() - first

    def settle(self) -> None:
        """Take the smallest failure of a search that was ended, if there is one."""
        by_size = sorted(self.failing.values(), key=lambda found: len(str(found[1])))
        self.last = next(iter(by_size), None)

    def _spent(self) -> bool:
        if self.examples == 0:
            return False  # nothing can be said without one, however long it took
        if self._first_failure is None:
            if self.examples >= self.most:
                return True
            spent = time.monotonic() - self._began
            slow = spent >= SLOW_SECONDS * self.examples
            return spent > (SLOW_DRAWING_SECONDS if slow else DRAWING_SECONDS)
        return self.shrunk > self._shrink_seconds or len(self.failing) > SHRINK_RUNS


def drawn(strategy: SearchStrategy[Any], examples: int, seed: int) -> list[Drawn]:
    """Draw the examples that `fuzz` would try if all of them passed.

    Args:
        strategy: As of `fuzz`.
        examples: As of `fuzz`.
        seed: As of `fuzz`.
    """
    found: dict[str, Drawn] = {}

    def keep(number: int, plan: Example) -> None:
        key = _key(plan)
        if key in found:
            return
        if len(found) == examples:
            raise _Enough
        found[key] = (number, plan)

    with contextlib.suppress(_Enough):
        _draw(strategy, seed, range(examples), keep)
    return list(found.values())


def fuzz(
    strategy: SearchStrategy[Any],
    run: Callable[[list[Step]], Attempt],
    *,
    examples: int,
    seed: int,
    prefix: str = "fuzz",
    shrinking: Callable[[Attempt], float] = lambda _: SHRINK_SECONDS,
    ahead: Sequence[Drawn] = (),
) -> Fuzzed:
    """Draw examples until one fails or enough have passed.

    Args:
        strategy: What to draw; each drawn value is an ``Example``.
        run: Carries out the steps of one example.
        examples: How many to draw.
        seed: Where the randomness starts; the same seed draws the same examples.
        prefix: Begins the ids of the requests.
        shrinking: Returns the most seconds to look for a failure smaller than the
            first one.
        ahead: What `drawn` returned for all that; empty where it was not called.
    """
    search = _Search(run, prefix, shrinking, examples)
    try:
        first = _first_to_draw(search, ahead)
        _draw(
            strategy,
            seed,
            range(first, examples),
            lambda _, plan: search.try_example(plan),
        )
    except _ExampleFailed:
        pass
    except _Enough:
        search.settle()
    if search.last is None:
        return Fuzzed(search.examples, None, ())
    failed, steps = search.last
    began = next(iter(search.failing.values()))
    return Fuzzed(search.examples, failed, steps, began, search.shrunk)


def _first_to_draw(search: _Search, ahead: Sequence[Drawn]) -> int:
    """Try what was drawn ahead; return the first seed that is to be drawn from here.

    That of an example that fails is, for Hypothesis makes smaller what it has drawn.
    """
    for number, plan in ahead:
        try:
            search.try_example(plan)
        except _ExampleFailed:
            return number
    if ahead:
        raise _Enough
    return 0


def _draw(
    strategy: SearchStrategy[Any],
    seed: int,
    numbers: Iterable[int],
    take: Callable[[int, Example], None],
) -> None:
    """Draw a few examples with each of some seeds, and make smaller one that fails.

    Args:
        strategy: What to draw.
        seed: The seed that has the number 0.
        numbers: The seeds to draw with.
        take: Takes one example and the number of its seed, and fails if that fails.
    """
    number = 0

    @hypothesis.settings(
        max_examples=FRESH_EXAMPLES,
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=UNHURRIED,
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def property_holds(plan: Example) -> None:
        take(number, plan)

    with tempfile.TemporaryDirectory(prefix="wireproof-") as folder:
        # Hypothesis would leave its tables in the user's folder.
        configuration.set_hypothesis_home_dir(folder)
        try:
            with no_constants_of_modules(), warnings.catch_warnings():
                # What Hypothesis warns of is our matter, not the user's.
                warnings.simplefilter("ignore")
                for number in numbers:
                    hypothesis.seed(seed + number * SEEDS_APART)(property_holds)()
        finally:
            configuration.set_hypothesis_home_dir(None)


def _key(plan: Example) -> str:
    """Return what two examples have in common that are the same but for their ids.

    In steps that are cut into pieces an id may lie in two of them: nobody could take it
    out again.
    """
    return json.dumps(plan.steps(""))


SAVED_NEEDS = frozenset(
    {"tools", "methods", "formats", "provider", "in_process", "half_pairs"}
)
"""What a vector says that it needs; the rest its steps show."""


def save_vector(
    folder: Path,
    protocol: str,
    kind: str,
    check: Check,
    steps: Sequence[Step],
    result: Result,
) -> Path:
    """Write a failing example as a vector file and return its path.

    Raises:
        OSError: If the place cannot be written to.
    """
    group, _, name = check.id.removeprefix(f"{protocol}/").rpartition("/")
    clauses = list(result.clauses)
    needs = {key: check.needs[key] for key in check.needs if key in SAVED_NEEDS}
    vector = {
        "id": f"{protocol}/{group}-found/{name}",
        "title": f"Found by fuzzing: {check.title}",
        "clauses": clauses,
        "level": result.level,
        "source": result.source,
        **({"needs": needs} if needs else {}),
        "note": result.reason,
        "steps": list(steps),
    }
    content = {
        "schema": "wireproof-vectors/1",
        "protocol": protocol,
        "group": f"{group}-found",
        "kind": kind,
        "vectors": [vector],
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{check.id.replace('/', '-')}.json"
    text = json.dumps(content, indent=2, ensure_ascii=True) + "\n"
    path.write_text(text, encoding="utf-8")
    return path
