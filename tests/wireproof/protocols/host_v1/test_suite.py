from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Check, Result, Settings, SuiteInputs, Verdict
from wireproof.line import Diverged, Missing, MissingCause
from wireproof.protocols.host_v1._protocol import PROTOCOL
from wireproof.protocols.host_v1._suite import HostSuite
from wireproof.subjects import Patience
from wireproof_vectors import Vector, load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wireproof.checks import Level, Target

    MakeTarget = Callable[..., Target]

TOOLS = ("conformance_echo", "conformance_fail", "conformance_throw")


class OneCheck:
    """A suite of one vector that is written out in the test."""

    def __init__(
        self,
        target: Target,
        steps: Sequence[Any],
        *,
        clause: str = "HV1-R5",
        level: Any = "must",
        **more: Any,
    ) -> None:
        self.check = Check(
            "host-v1/own/one",
            "A title.",
            (clause,),
            level,
            "seed",
            "vector",
            more.get("needs", {}),
            explains=tuple(more.get("explains", ())),
        )
        data: dict[str, Any] = {"steps": list(steps), **more}
        vector = Vector(
            self.check.id, "A title.", (clause,), level, "seed", "exchange", "own", data
        )
        inputs = SuiteInputs(
            target,
            Settings(Path.cwd(), timeout=5.0, reproduce_options=("--host=./host",)),
            [self.check],
            {self.check.id: vector},
            load_setup("host-v1"),
            TOOLS,
            PROTOCOL.clauses(),
        )
        self.suite = HostSuite(inputs)

    def run(self) -> Result:
        return self.suite.run(self.check)


@pytest.fixture
def one(target: MakeTarget) -> Iterator[Callable[..., OneCheck]]:
    made: list[OneCheck] = []

    def make(*steps: Any, code: str = "", fault: str = "", **more: Any) -> OneCheck:
        made.append(OneCheck(target(code, fault=fault), steps, **more))
        return made[-1]

    yield make
    for each in made:
        each.suite.finish()


def send(key: str, method: str = "no_such_method") -> dict[str, Any]:
    return {"send": {"v": 1, "id": key, "method": method, "params": {}}}


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        ("HV1-R5", "it asks for more than HV1-R5, which does not hold"),
        ("HV1-R6", ""),
    ],
)
def test_what_a_host_may_do_is_not_tried_where_it_does_less(
    one: Callable[..., OneCheck], clause: str, reason: str
) -> None:
    each = one(send("a"), {"expect": {"id": "a", "ok": True}})
    may = replace(each.check, id="host-v1/own/may", level="may", clauses=(clause,))
    steps: list[Any] = [send("b"), {"expect": {"id": "b"}}]
    each.suite.vectors = {
        **each.suite.vectors,
        may.id: replace(each.suite.vectors[each.check.id], data={"steps": steps}),
    }
    assert each.run().verdict is Verdict.FAILED
    result = each.suite.run(may)
    assert result.reason == reason
    assert any(entry.direction == "sent" for entry in result.entries) is not bool(
        reason
    )


def test_steps_that_hold_pass_with_evidence(one: Callable[..., OneCheck]) -> None:
    result = one(send("a"), {"expect": {"id": "a", "ok": False}}).run()
    assert result.verdict is Verdict.PASSED
    assert result.evidence["frames"] == 1
    assert result.duration_s > 0
    assert result.reproduce is None
    assert [e.direction for e in result.entries].count("sent") >= 2


def test_a_frame_that_differs_fails_with_one_line_that_shows_it_again(
    one: Callable[..., OneCheck],
) -> None:
    result = one(send("a"), {"expect": {"id": "a", "ok": True}}).run()
    assert result.verdict is Verdict.FAILED
    assert result.clauses == ("HV1-R5",)
    assert result.reproduce is not None
    assert result.reproduce.startswith('(printf \'{"v":1,"id":"start"')
    assert '"id":"a"' in result.reproduce


def test_bytes_that_were_cut_are_reproduced_in_pieces(
    one: Callable[..., OneCheck],
) -> None:
    step = {**send("a"), "cut": [5]}
    result = one(step, {"expect": {"id": "a", "ok": True}}).run()
    assert result.verdict is Verdict.FAILED
    assert result.reproduce is not None
    assert """printf '{"v":'; sleep 0.3; printf '1,"id":"a",""" in result.reproduce


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        ("must", Verdict.FAILED),
        ("should", Verdict.WARNED),
        ("may", Verdict.RECORDED),
    ],
)
def test_the_level_decides_what_a_difference_means(
    one: Callable[..., OneCheck], level: str, verdict: Verdict
) -> None:
    steps = (send("a"), {"expect": {"id": "a", "ok": True}})
    assert one(*steps, level=level).run().verdict is verdict


def test_a_fault_of_the_vector_is_a_fault_of_ours(
    one: Callable[..., OneCheck],
) -> None:
    result = one({"send": {"$use": "nothing"}}).run()
    assert result.verdict is Verdict.HARNESS_ERROR
    assert result.reason == "$use names 'nothing', which no step has saved"


def test_a_fault_of_the_suite_is_told_with_its_traceback(
    one: Callable[..., OneCheck], monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*args: object, **options: object) -> None:
        raise RuntimeError("our own fault")

    monkeypatch.setattr("wireproof.line._steps.StepRunner.run", break_down)
    result = one(send("a")).run()
    assert result.verdict is Verdict.HARNESS_ERROR
    assert "RuntimeError: our own fault" in result.reason
    assert "Traceback" in result.reason


def test_a_tool_that_the_host_does_not_list_makes_it_not_applicable(
    one: Callable[..., OneCheck],
) -> None:
    result = one(send("a"), needs={"tools": ["conformance_sleep"]}).run()
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == ("it needs conformance_sleep, which is not listed")


def test_a_method_that_the_host_does_not_offer_makes_it_not_applicable(
    one: Callable[..., OneCheck],
) -> None:
    result = one(send("a"), needs={"methods": ["get_tags"]}).run()
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == "the host does not offer get_tags"


def test_a_tool_that_does_not_do_what_it_should_hides_its_checks(
    one: Callable[..., OneCheck],
) -> None:
    code = (
        "PLAIN['get_tool_schemas'] = [{'name': 'conformance_echo'}]\n"
        "while True: succeed(read(), {'success': True, 'result': 5})"
    )
    result = one(
        send("a"), code=code, clause="HV1-M10", needs={"tools": ["conformance_echo"]}
    ).run()
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.because == "HV1-R5"


def test_a_host_that_ends_after_the_first_fence_breaks_what_this_one_rests_on(
    one: Callable[..., OneCheck],
) -> None:
    result = one(
        {"send_raw": [{"text": "hello\n"}]},
        {"fence": True, "clause": "HV1-T7"},
        {"expect_optional": {"ok": False}},
        code="come_up()\nsys.stdin.readline()\nsucceed(read())\nsys.exit(1)",
        clause="HV1-T8",
        level="should",
    ).run()
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "HV1-T7")


def test_a_late_answer_to_an_earlier_bad_line_is_no_ground_for_a_warning(
    one: Callable[..., OneCheck],
) -> None:
    each = one(
        {"send_raw": [{"text": '{"v":1,"id":"a"}\n'}]},
        {"fence": True, "clause": "HV1-T7"},
        {"expect_optional": {"ok": False, "id": "a"}},
        code=(
            "bad = 0\n"
            "for text in sys.stdin:\n"
            "    request = json.loads(text)\n"
            "    if 'method' not in request:\n"
            "        bad += 1\n"
            "        for key in ('a', '')[:2 * bad - 2]:\n"
            "            say(key, ok=False, error={'type': 't', 'detail': 'd'})\n"
            "    else: succeed(request)"
        ),
        clause="HV1-T8",
        level="should",
    )
    assert each.run().verdict is Verdict.PASSED
    assert each.run().verdict is Verdict.PASSED


LONG = b"x" * 70_000 + b"\n"
GONE = Missing(MissingCause.EXITED, "the host exited with status 0")
SILENT = Missing(MissingCause.TIMEOUT, "no answer within 1.0 s")


@pytest.mark.parametrize(
    ("level", "missing", "sent", "broken", "clause"),
    [
        ("must", GONE, [LONG], {"HV1-T10"}, "HV1-T10"),
        ("must", GONE, [b"short\n"], {"HV1-T10"}, None),
        ("must", SILENT, [b"short\n"], {"HV1-M13"}, "HV1-M13"),
        ("must", SILENT, [b"short\n"], set[str](), None),
        ("must", GONE, [b"short\n"], {"HV1-M13"}, None),
        ("should", None, [b"short\n"], {"HV1-R11"}, "HV1-R11"),
        ("should", None, [b"short\n"], {"HV1-R10"}, None),
        ("must", None, [b"short\n"], {"HV1-R11"}, None),
    ],
)
def test_a_drawn_example_is_charged_to_what_is_known_to_be_broken(
    one: Callable[..., OneCheck],
    level: Level,
    missing: Missing | None,
    sent: list[bytes],
    broken: set[str],
    clause: str | None,
) -> None:
    steps = [send("a"), send("b"), {"expect": {"id": "a", "ok": True}}]
    each = one(*steps, clause="HV1-M2")
    drawn = replace(each.check, kind="fuzz", level=level)
    each.suite.session.sent = sent
    each.suite.session.broken |= broken
    outcome = Diverged("it was not answered", missing=missing, step=2)
    assert each.suite.charge(drawn, outcome, steps).clause == clause


@pytest.mark.parametrize("charged", [None, "HV1-T7"])
def test_a_drawn_example_of_what_vectors_have_shown_is_charged_to_that(
    one: Callable[..., OneCheck], charged: str | None
) -> None:
    each = one(send("a"), {"expect": {"id": "a"}}, clause=charged or "HV1-T6")
    drawn = replace(each.check, kind="fuzz", level="should")
    each.suite.session.broken |= {"HV1-M8", "HV1-T6"}
    outcome = Diverged("it was not answered", missing=GONE, step=1, clause=charged)
    assert each.suite.charge(drawn, outcome, []).clause == "HV1-M8"
    each.suite.told |= {"HV1-T6", "HV1-T7"}
    assert each.suite.charge(drawn, outcome, []).clause == charged


@pytest.mark.parametrize(
    ("broken", "verdict", "clauses"),
    [
        ({"HV1-T7"}, Verdict.NOT_APPLICABLE, ("HV1-R5",)),
        (set[str](), Verdict.FAILED, ("HV1-R5",)),
    ],
)
def test_a_host_that_ends_late_of_what_it_was_to_survive_breaks_that(
    one: Callable[..., OneCheck],
    broken: set[str],
    verdict: Verdict,
    clauses: tuple[str, ...],
) -> None:
    each = one(
        {"send_raw": [{"text": "{\n"}]},
        {"fence": True, "clause": "HV1-T7"},
        send("a"),
        {"expect": {"id": "a"}},
        code=(
            "for text in sys.stdin:\n"
            "    request = {} if text == '{\\n' else json.loads(text)\n"
            "    if request.get('id') == 'a': sys.exit(1)\n"
            "    if request: succeed(request)"
        ),
    )
    each.suite._broken |= broken
    result = each.run()
    assert (result.verdict, result.clauses) == (verdict, clauses)


def test_an_event_that_came_under_another_id_is_told_as_that(
    one: Callable[..., OneCheck],
) -> None:
    calls = [send(key, "execute_tool") for key in "ab"]
    each = one(
        *calls,
        {"expect": {"id": "a", "event": {"type": "part", "payload": {"of": "a"}}}},
        {"expect": {"id": "a", "ok": True}},
        {"expect": {"id": "b", "ok": True}},
        code=(
            "while (a := read())['method'] != 'execute_tool': succeed(a)\n"
            "b = read()\n"
            "say('b', event={'type': 'part', 'payload': {'of': 'a'}})\n"
            "succeed(a)\nsucceed(b)\n"
            "while True: succeed(read())"
        ),
        clause="HV1-R6",
    )
    result = each.run()
    assert (result.verdict, result.clauses[0]) == (Verdict.FAILED, "HV1-E6")
    told = 'an event of "a", with the payload {"of": "a"}, came under the id "b"'
    assert result.reason == told


def test_a_value_that_was_decoded_in_pieces_is_charged_to_the_cut(
    one: Callable[..., OneCheck],
) -> None:
    each = one(
        send("a"),
        {"expect": {"id": "a", "ok": True, "result": {"value": "é漢😀"}}},
        code=(
            "while True:\n"
            "    request = read()\n"
            "    request['id'] = request['id'].replace('漢', '\\ufffd' * 2)\n"
            "    succeed(request, 'é\\ufffd\\ufffd😀')"
        ),
        clause="HV1-M10",
    )
    result = each.run()
    assert (result.verdict, result.clauses[0]) == (Verdict.FAILED, "HV1-T4")


def test_a_value_that_only_looks_so_is_not(one: Callable[..., OneCheck]) -> None:
    each = one(
        send("a"),
        {"expect": {"id": "a", "ok": True, "result": {"value": "é漢😀"}}},
        code="while True: succeed(read(), 'é\\ufffd\\ufffd😀')",
        clause="HV1-M10",
    )
    result = each.run()
    assert (result.verdict, result.clauses[0]) == (Verdict.FAILED, "HV1-M10")
    told = "a character came back in pieces, which does not come of how it was read: "
    assert result.reason.startswith(told)


def test_a_long_line_explains_nothing_where_long_lines_are_taken(
    one: Callable[..., OneCheck],
) -> None:
    each = one(send("a"), clause="HV1-T10", level="should")
    each.suite.announce([each.check])
    each.suite.session.sent = [LONG]
    outcome = Diverged("it was not answered", missing=GONE, step=0)
    drawn = replace(each.check, kind="fuzz", clauses=("HV1-M2",))
    assert each.suite.charge(drawn, outcome, [send("a")]).clause is None


def test_a_host_that_does_not_come_up_makes_everything_not_testable(
    one: Callable[..., OneCheck],
) -> None:
    check = one(send("a"), fault="dies")
    result = check.run()
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == "no answer to init: the host exited with status 1"
    assert result.stderr == "the configuration is missing\n"
    assert result.reproduce is not None


def test_a_host_that_was_given_up_is_shown_as_it_was_last_asked(
    one: Callable[..., OneCheck],
) -> None:
    bare = """
for _ in range(4):
    say(read()["id"], ok=True, result={"rolls": 0})
"""
    check = one(send("a"), code=bare, clause="HV1-M4")
    check.run()
    again = check.run()
    assert again.verdict is Verdict.FAILED
    sent, came = again.entries[:2]
    assert (sent.direction, came.direction) == ("sent", "received")
    assert '"rolls": 0' in came.text()


FORGETS_ITS_VERSION = (
    "come_up()\n"
    "while True:\n"
    "    r = read()\n"
    "    if r['method'] != 'no_such_method': succeed(r, [])\n"
    "    else: say(r['id'], v=2, ok=False, error={'type': 't', 'detail': 'd'})"
)


def test_what_a_monitor_finds_is_a_result_of_its_own(
    one: Callable[..., OneCheck],
) -> None:
    check = one(
        send("a"), {"expect": {"id": "a", "ok": False}}, code=FORGETS_ITS_VERSION
    )
    result = check.run()
    assert result.verdict is Verdict.PASSED
    assert [found.clause for found in result.monitors] == ["HV1-M1"]
    again = check.run()
    assert again.monitors == ()
    ends = {end.id: end for end in check.suite.finish()}
    assert ends["host-v1/monitor/HV1-M1"].verdict is Verdict.FAILED
    assert ends["host-v1/monitor/HV1-M1"].first_in == "host-v1/own/one"
    assert ends["host-v1/monitor/HV1-T1"].verdict is Verdict.PASSED


def test_a_fault_of_the_start_is_not_held_against_the_check_in_hand(
    one: Callable[..., OneCheck],
) -> None:
    check = one(send("a"), {"expect": {"id": "a", "ok": False}}, fault="wrong-version")
    result = check.run()
    assert result.verdict is Verdict.PASSED
    assert result.monitors == ()
    ends = {end.id: end for end in check.suite.finish()}
    version = ends["host-v1/monitor/HV1-M1"]
    assert version.verdict is Verdict.FAILED
    assert version.first_in is None
    assert version.evidence["when"] == "when the subject was started"
    assert '"id":"wireproof-1"' in version.entries[0].text()
    assert version.evidence["frame"] == version.entries[1].text().rstrip()


REFUSAL = (
    "come_up()\n"
    "while True:\n"
    "    r = read()\n"
    "    if r['method'] != 'no_such_method': succeed(r, [])\n"
    "    else: say(None, ok=False, error={'type': 't', 'detail': 'd'})"
)


def test_a_check_that_explains_a_monitor_takes_the_fault_on_itself(
    one: Callable[..., OneCheck],
) -> None:
    check = one(
        send("a"),
        {"expect": {"id": "a", "ok": False}},
        code=REFUSAL,
        explains=["HV1-M2"],
        clause="HV1-T11",
        level="should",
    )
    result = check.run()
    assert result.verdict is Verdict.WARNED
    assert result.monitors == ()


def test_what_a_must_rests_on_is_charged_to_the_weaker_clause_that_the_step_names(
    one: Callable[..., OneCheck],
) -> None:
    check = one(
        send("a"),
        {"expect": {"id": "a", "ok": False}, "clause": "HV1-T10"},
        code=REFUSAL,
        explains=["HV1-M2"],
    )
    result = check.run()
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.because == "HV1-T10"
    assert result.monitors == ()


def test_a_step_that_names_a_must_leaves_the_fault_with_the_check(
    one: Callable[..., OneCheck],
) -> None:
    check = one(
        send("a"),
        {"expect": {"id": "a", "ok": False}, "clause": "HV1-R8"},
        code=REFUSAL,
        explains=["HV1-M2"],
    )
    result = check.run()
    assert result.verdict is Verdict.FAILED
    assert result.clauses == ("HV1-R5",)


def test_a_step_that_names_the_clause_of_a_monitor_leaves_the_fault_with_it(
    one: Callable[..., OneCheck],
) -> None:
    check = one(
        send("a"),
        {"expect": {"id": "a", "ok": False}, "clause": "HV1-M2"},
        code=REFUSAL,
        explains=["HV1-M2"],
    )
    result = check.run()
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "HV1-M2")
    assert [found.clause for found in result.monitors] == ["HV1-M2"]


def test_what_a_host_does_anyhow_is_not_the_fault_of_the_check_that_may_cause_it(
    one: Callable[..., OneCheck],
) -> None:
    each = one(
        send("a"),
        {"expect": {"id": "a", "ok": False}},
        code=REFUSAL,
        explains=["HV1-M2"],
    )
    before = replace(each.check, id="host-v1/own/before", explains=())
    each.suite.vectors = {
        **each.suite.vectors,
        before.id: each.suite.vectors[each.check.id],
    }
    assert each.suite.run(before).because == "HV1-M2"
    result = each.run()
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "HV1-M2")


def test_what_would_take_minutes_is_left_out(
    one: Callable[..., OneCheck], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Patience, "quickest", 1.0)
    steps = (send("a"), {"expect": {"id": "a", "ok": False}, "times": 100})
    result = one(*steps).run()
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == "100 frames would take this host about 100 s"


def test_one_host_serves_one_check_after_another(
    one: Callable[..., OneCheck],
) -> None:
    check = one(send("a"), {"expect": {"id": "a", "ok": False}})
    for _ in range(3):
        assert check.run().verdict is Verdict.PASSED
    assert check.suite.facts().starts == 1


def test_a_check_that_wants_a_fresh_host_gets_one(
    one: Callable[..., OneCheck],
) -> None:
    check = one(send("a"), {"expect": {"id": "a", "ok": False}}, fresh=True)
    for _ in range(3):
        assert check.run().verdict is Verdict.PASSED
    assert check.suite.facts().starts == 3


@pytest.mark.parametrize(
    ("clause", "level", "verdict"),
    [("HV1-R5", "must", Verdict.FAILED), ("HV1-M7", "should", Verdict.WARNED)],
)
def test_a_failure_that_a_fresh_host_does_not_show_says_so(
    one: Callable[..., OneCheck], clause: str, level: str, verdict: Verdict
) -> None:
    code = (
        "come_up()\n"
        "for ok in (True, False, False, False):\n"
        "    for _ in range(2):\n"
        "        r = read()\n"
        "        good = r['method'] != 'no_such_method' or ok\n"
        "        succeed(r, []) if good else say(\n"
        "            r['id'], ok=False, error={'type': 't', 'detail': 'd'})"
    )
    steps = (send("a"), {"expect": {"id": "a", "ok": True}})
    check = one(*steps, code=code, clause=clause, level=level)
    assert check.run().verdict is Verdict.PASSED
    result = check.run()
    assert (result.verdict, result.clauses) == (verdict, (clause,))
    assert result.evidence["alone"] == (
        "it did not fail on a subject that had served nothing else; "
        "it takes what was sent before, or chance"
    )
    assert result.reproduce == "pytest --host=./host"


def test_what_a_fresh_host_answers_and_a_used_one_does_not_is_an_answer_that_is_owed(
    one: Callable[..., OneCheck],
) -> None:
    code = (
        "come_up()\n"
        "for ok in (True, False, False, False):\n"
        "    for _ in range(2):\n"
        "        r = read()\n"
        "        if r['method'] != 'no_such_method' or ok:\n"
        "            succeed(r, [])"
    )
    check = one(send("a"), {"expect": {"id": "a", "ok": True}}, code=code)
    assert check.run().verdict is Verdict.PASSED
    result = check.run()
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("HV1-M3",))


def test_a_timing_check_is_tried_again_more_slowly(
    one: Callable[..., OneCheck],
) -> None:
    code = (
        "while True:\n"
        "    r = read()\n"
        "    if r['method'] == 'slow':\n"
        "        say(r['id'], event={'type': 'part', 'payload': r['params']['ms']})\n"
        "        if r['params']['ms'] > 1: time.sleep(0.3)\n"
        "    succeed(r, [])"
    )
    message = {"v": 1, "id": "a", "method": "slow", "params": {"ms": 1}}
    check = one(
        {"send": message},
        {"expect": {"id": "a", "event": {"type": "part"}}},
        {"expect": {"id": "a", "ok": True}},
        {"gap": {"id": "a", "at_least_ms": 8}},
        code=code,
        retry=2,
    )
    assert check.run().verdict is Verdict.PASSED


def test_facts_tell_the_level_and_what_is_missing(
    one: Callable[..., OneCheck],
) -> None:
    check = one(send("a"), needs={"tools": ["conformance_echo"]})
    check.run()
    facts = check.suite.facts()
    assert (facts.level, facts.missing_tools, facts.missing_checks) == ("full", (), 0)


def test_a_start_that_is_foreseen_is_made_ahead(one: Callable[..., OneCheck]) -> None:
    plain = one(send("a"), {"expect": {"id": "a", "ok": False}})
    suite = plain.suite
    first = plain.check
    later = replace(first, id="host-v1/own/later")
    data = {**suite.vectors[first.id].data, "fresh": True}
    fresh = replace(suite.vectors[first.id], id=later.id, data=data)
    suite.vectors = {**suite.vectors, later.id: fresh}
    suite.announce([first, later])
    assert suite.run(first).verdict is Verdict.PASSED
    assert suite.session.starts == 2
    assert suite.run(later).verdict is Verdict.PASSED
    assert suite.session.starts == 2
    assert suite.session.checks_served == 1


def test_after_some_failures_that_came_again_alone_no_other_is_tried_alone(
    one: Callable[..., OneCheck],
) -> None:
    check = one(send("a"), {"expect": {"id": "a", "ok": True}})
    suite = check.suite
    starts: list[int] = []
    said: list[Any] = []
    for _ in range(7):
        # A failure on a subject that has served others is tried alone.
        suite.session.ensure_up()
        suite.session.checks_served = 1
        result = check.run()
        assert result.verdict is Verdict.FAILED
        starts.append(suite.session.starts)
        said.append(result.evidence.get("untried"))
    # One start for each check, and one more for each that was tried alone; one ahead
    # from the third on. The host that failed last was kept, and served the next.
    assert starts == [2, 4, 7, 9, 11, 12, 12]
    note = (
        "not tried again on a subject that was just started: the last 5 that were, "
        "warnings too, came to the same there"
    )
    assert said == [*[None] * 5, note, None]


@pytest.mark.parametrize("rests_on", [{}, {"clause": "HV1-M2"}])
def test_an_answer_that_takes_longer_than_a_brief_wait_is_waited_for_in_full(
    one: Callable[..., OneCheck],
    monkeypatch: pytest.MonkeyPatch,
    rests_on: dict[str, str],
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.LATENCY_FACTOR", 0.0)
    monkeypatch.setattr("wireproof.line._silences.BRIEF_SECONDS", 0.02)
    code = (
        "import threading\n"
        "while True:\n"
        "    r = read()\n"
        "    if r['method'] == 'end': break\n"
        "    wait = 0.2 if r['method'] == 'slow' else 0.0\n"
        "    threading.Timer(wait, succeed, [r]).start()"
    )
    expected = {"expect": {"id": "a", "ok": True}, **rests_on}
    check = one(send("a", "slow"), expected, code=code)
    for _ in range(2):
        check.suite.session.silences.add(control_answered=True, brief=False)
    assert check.run().verdict is Verdict.PASSED


def test_a_clause_whose_checks_leave_no_host_that_answers_is_given_up(
    one: Callable[..., OneCheck], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.line._silences.SHORT_SECONDS", 0.05)
    monkeypatch.setattr("wireproof.line._silences.BRIEF_SECONDS", 0.02)
    monkeypatch.setattr("wireproof.line._stdio_nudges.NUDGED_SECONDS", 0.1)
    code = (
        "while (request := read())['method'] != 'x': succeed(request)\ntime.sleep(60)"
    )
    check = one(send("a", "x"), {"expect": {"id": "a", "ok": False}}, code=code)
    failed = [check.run() for _ in range(4)]
    assert {result.verdict for result in failed} == {Verdict.FAILED}
    given_up = check.run()
    assert (given_up.verdict, given_up.because) == (Verdict.NOT_TESTABLE, "HV1-R5")
    told = "the last 4 checks of HV1-R5 left a host that answers nothing"
    assert given_up.reason == f"not testable because of HV1-R5: {told}"


def test_what_a_start_showed_is_shown_again_with_the_request_that_got_it(
    one: Callable[..., OneCheck],
) -> None:
    code = (
        "while True:\n"
        "    r = read()\n"
        "    if r['method'] == 'end': break\n"
        "    bad = {'v': 1, 'id': r['id'], 'ok': False, 'error': 'no'}\n"
        "    if r['method'] == 'init': bad = {**bad, 'ok': True, 'result': {}}\n"
        "    print(json.dumps(bad), flush=True)"
    )
    check = one(send("a"), {"expect": {"id": "a"}}, code=code, clause="HV1-M5")
    result = check.run()
    assert result.verdict is Verdict.FAILED
    assert result.clauses[0] == "HV1-M5"
    start, asked = (result.reproduce or "").split("sleep", 1)
    assert '"method":"init"' in start
    assert '"method":"init"' not in asked
    assert '"id":"wireproof-' in asked


def test_a_fault_of_a_request_of_the_suites_own_is_shown_with_that_request(
    one: Callable[..., OneCheck],
) -> None:
    code = (
        "came = False\n"
        "for text in sys.stdin:\n"
        "    r = json.loads(text)\n"
        "    came |= r['id'] == 'a'\n"
        "    version = 2 if came and r['id'] != 'a' else 1\n"
        "    value = {} if r['method'] == 'init' else []\n"
        "    result = {'value': value, 'state': {}}\n"
        "    answer = {'v': version, 'id': r['id'], 'ok': True, 'result': result}\n"
        "    print(json.dumps(answer), flush=True)"
    )
    result = one(send("a"), {"expect": {"id": "a"}}, code=code).run()
    assert [found.clause for found in result.monitors] == ["HV1-M1"]
    asked = (result.reproduce or "").split('"id":"a"')
    assert len(asked) == 2
    assert '"id":"wireproof-' in asked[1]


@pytest.mark.parametrize(("answers", "shown"), [(True, ""), (False, "old\n")])
def test_stderr_of_an_earlier_check_stands_only_where_no_answer_came(
    one: Callable[..., OneCheck],
    answers: bool,  # noqa: FBT001 - a parameter
    shown: str,
) -> None:
    each = one(
        send("a"),
        {"expect": {"id": "a", "ok": False}},
        code=(
            "asked = 0\n"
            "for text in sys.stdin:\n"
            "    request = json.loads(text)\n"
            "    asked += request['id'] == 'a'\n"
            "    if request['id'] != 'a': succeed(request)\n"
            "    elif asked == 1:\n"
            "        print('old', file=sys.stderr, flush=True)\n"
            "        say('a', ok=False, error={'type': 't', 'detail': 'd'})\n"
            f"    elif {answers}: succeed(request)"
        ),
        clause="HV1-M2",
    )
    assert each.run().verdict is Verdict.PASSED
    session = each.suite.session
    assert session.wait_for(lambda: session.stderr_tail or None, 10.0)
    # It is not tried on a fresh host, where nothing would have been written.
    each.suite.patience.shortened = True
    result = each.run()
    assert (result.verdict, result.stderr) == (Verdict.FAILED, shown)
