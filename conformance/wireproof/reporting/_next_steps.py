"""What to do next, in one line or two: what is broken comes before what is missing."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import DECIDED, Result, Verdict
from wireproof.reporting._causes import BROKEN, COMMON, count_checks, shows_best

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wireproof.checks import SubjectFacts
    from wireproof.reporting._causes import CommonEnd
    from wireproof.reporting._exceptions import SharedException
    from wireproof.reporting._report import SubjectReport


@dataclass(frozen=True, slots=True)
class Guide:
    """What is known beside the report of a subject.

    Attributes:
        option: The command-line option of the protocol, without the dashes.
        toolset: Where the tools of the conformance toolset are ready to copy.
        comes_up: What a subject does that can be tried.
    """

    option: str
    toolset: Sequence[str] = ()
    comes_up: str = "starts and answers"


def next_steps(
    results: Sequence[Result],
    report: SubjectReport,
    guide: Guide,
    common: CommonEnd | None,
    shared: Sequence[SharedException] = (),
) -> Iterator[str]:
    """Say what to do next.

    Args:
        results: All that was found.
        report: What is known of the subject.
        guide: What is known of its protocol.
        common: The end that hides the rest, or None.
        shared: Exceptions that are told above.
    """
    if any(result.verdict is Verdict.HARNESS_ERROR for result in results):
        yield "next: a fault of wireproof came up; please report the text shown above"
        return
    told: list[CommonEnd | SharedException] = [*([common] if common else []), *shared]
    first = told[0].shown if told else None
    hiding = _most_hides(results, {name for one in told for name in one.only})
    if first is not None:
        yield f"next: mend what stands first above; {_see_again(first, results)}"
        if hiding is not None:
            yield f"then: {hiding[1]}"
    elif hiding is not None:
        first, why = hiding
        yield f"next: {why}; {_see_again(first, results)}"
    elif (first := _worst(results)) is not None:
        answered = any(entry.direction == "received" for entry in first.entries)
        if answered or any(one.verdict in DECIDED for one in results):
            yield f"next: {_see_again(first, results)}"
        else:
            # Nothing came up: the line would only start what does not answer.
            yield f"next: name a program that {guide.comes_up}"
    facts = report.facts
    remarks = facts.remarks if facts else ()
    for remark in remarks:
        yield f"{'then' if first else 'next'}: {remark}"
    if facts and facts.missing_checks and facts.missing_tools:
        word = "then" if first is not None or remarks else "next"
        yield from _missing_tools(facts, word, guide)
    elif first is None and any(result.verdict in DECIDED for result in results):
        if report.partial or remarks:
            return
        if any(result.verdict is Verdict.KNOWN_FAILURE for result in results):
            yield "next: mend a known failure, and remove its entry"
            return
        flag: Any = f"--{guide.option}={report.target}"
        quoted = shlex.quote(flag) if "'" in flag else f"'{flag}'"
        yield f"next: keep it so in CI: pytest {quoted} --compat-report=report.json"


def _most_hides(
    results: Sequence[Result], told: Collection[str]
) -> tuple[Result, str] | None:
    """Return what shows the broken clause on which most checks rest, and words for it.

    Args:
        results: All that was found.
        told: The clauses whose cause is told already.
    """
    hidden = Counter(
        one.because
        for one in results
        if one.verdict is Verdict.NOT_TESTABLE and not one.by_monitor
    )
    for clause, count in hidden.most_common():
        if clause is None or clause in told or count < COMMON:
            continue
        found = [r for r in results if r.verdict in BROKEN and clause in r.clauses]
        if found:
            return shows_best(
                found
            ), f"mend {clause}, on which {count_checks(count)} rest"
    return None


def _see_again(result: Result, results: Sequence[Result]) -> str:
    """Say how a result is seen again, by a name that can be selected.

    What a monitor saw in a check that was not testable has no name: the check alone
    shows nothing of it.
    """
    name = result.first_in if result.by_monitor else result.id
    if result.by_monitor:
        hidden = [one.id for one in results if one.verdict is Verdict.NOT_TESTABLE]
        name = None if name in hidden else name
    line = f": {result.reproduce}" if result.reproduce else ""
    return f"see {name or 'it'} again{line}"


def _worst(results: Sequence[Result]) -> Result | None:
    """Return what is seen again first; what rests on another clause shows nothing."""
    for verdict in (Verdict.FAILED, Verdict.NOT_TESTABLE, Verdict.WARNED):
        found = [one for one in results if one.verdict is verdict and not one.because]
        if found:
            return shows_best(found)
    return None


def _missing_tools(facts: SubjectFacts, word: str, guide: Guide) -> Iterator[str]:
    tools = len(facts.missing_tools)
    yield (
        f"{word}: {facts.missing_checks} more checks, and the level full, take "
        f"{'a tool' if tools == 1 else f'{tools} tools'} of the conformance toolset "
        f"that {'is' if tools == 1 else 'are'} not listed:"
    )
    yield f"  {', '.join(facts.missing_tools)}"
    if guide.toolset:
        yield "  to copy or to follow, in the repository of wireproof:"
        for place in guide.toolset:
            yield f"    {place}"
