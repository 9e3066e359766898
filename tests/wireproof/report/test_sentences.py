from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.bridge import OPERATION_FAULTS
from wireproof.judge import Reason
from wireproof.patterns import match
from wireproof.protocols.exec_oneshot.rules import FAULTS as EXEC_ONESHOT_FAULTS
from wireproof.protocols.exec_runtime.rules import FAULTS as EXEC_RUNTIME_FAULTS
from wireproof.protocols.exec_server.rules import FAULTS as EXEC_SERVER_FAULTS
from wireproof.protocols.host_client.rules import FAULTS as HOST_CLIENT_FAULTS
from wireproof.protocols.host_v1.rules import FAULTS as HOST_V1_FAULTS
from wireproof.protocols.socket_v1.rules import FAULTS as SOCKET_V1_FAULTS
from wireproof.report import sentence
from wireproof.report._sentences import _SENTENCES

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

CALL = {
    "v": 1,
    "id": "a",
    "method": "execute_tool",
    "params": {"tool_name": "conformance_echo", "arguments": {}, "state": {}},
}
EXEC_CALL = {
    "jsonrpc": "2.0",
    "id": "a",
    "method": "execute",
    "params": {"args": {"tool": "conformance_sleep", "arguments": {"ms": 0}}},
}
MISS = match({"result": {"value": 5}}, {"result": {"value": "5"}}, {}, {})

EXAMPLES: dict[str, dict[str, Any]] = {
    "mismatch": {"request": CALL, "miss": MISS},
    "refused": {
        "request": CALL,
        "value": {"id": "x", "ok": False, "error": {"type": "Busy", "detail": "no"}},
    },
    "no-answer": {"request": CALL, "seconds": 2.0},
    "exited": {"status": -11},
    "deaf": {"seconds": 2.0},
    "held-back": {"request": CALL},
    "answered-before": {"request": EXEC_CALL},
    "order": {"before": "slow", "after": "fast"},
    "held-together": {"before": "fast", "after": "slow", "apart": 0.01},
    "events-held-back": {"request": CALL, "apart": 0.01, "wanted": 0.2},
    "no-exit": {"wanted": 0},
    "exit-status": {"wanted": 0, "status": 3},
    "did-not-start-again": {},
    "control-refused": {
        "value": {"id": "x", "error": {"code": -32602, "message": "no"}},
        "args": {"text": "hello"},
    },
    "not-started": {"detail": "no such file: ./host"},
    "exited-at-start": {},
    "silent-at-start": {"seconds": 10.0},
    "ended-by-itself": {},
    "ended-unanswered": {},
    "alike": {},
    "needs-tool": {"tool": "conformance_print"},
    "needs-method": {"method": "get_tags"},
    "needs-toolset": {"tool": "conformance_counter"},
    "old-state-refused": {},
    "blank-line": {},
    "not-json": {"detail": "expecting value"},
    "broken-json": {"detail": "NaN is not JSON"},
    "not-utf8": {"detail": "invalid start byte"},
    "oversize": {"detail": "104857601"},
    "unterminated": {},
    "text-without-line-feed": {},
    "not-a-response": {"value": {"log": "hello"}},
    "before-any-request": {},
    "leaked-print": {},
    "jsonrpc": {"where": "/jsonrpc", "found": "1.0"},
    "both": {},
    "neither": {},
    "null-companion": {"where": "/error", "key": "error"},
    "error-shape": {"where": "/error/code", "error": {"code": "E1", "message": "no"}},
    "version": {"where": "/v", "found": "1"},
    "ok-shape": {"where": "/ok", "found": "true"},
    "success-shape": {"where": "/result", "result": {"values": 1}},
    "success-with-error": {"where": "/error"},
    "failure-shape": {"where": "/error", "error": {"type": "bad"}},
    "failure-with-result": {"where": "/result"},
    "no-state": {"where": "/result/state", "method": "init"},
    "event-beside": {"where": "/event"},
    "event-shape": {"where": "/event", "event": "progress"},
    "part-without-payload": {"where": "/event/payload"},
    "event-of-nothing": {"value": {"v": 1, "id": "zz", "event": {"type": "part"}}},
    "event-after-the-response": {},
    "wrong-id": {"id": "7", "wanted": 7},
    "odd-id-changed": {"id": "0", "wanted": 0},
    "long-request-refused": {"id": None, "wanted": "a"},
    "answers-nothing": {"id": "zz", "waiting": []},
    "answered-twice": {"id": "a"},
    "refused-with-other-id": {"id": "what"},
    "bad-line-not-refused": {"value": {"v": 1, "id": None, "ok": True}},
    "notification-answered": {},
    "describe-refused": {"error": "Error: not now"},
    "misfit": {"text": "the driver's answers do not fit the bridge: no ok"},
    "needs-op": {"op": "load"},
    "op-refused": {"op": "bind", "error": "Error: no sh"},
    "op-unanswered": {"op": "close", "seconds": 12.0, "of_driver": False},
    "op-ended": {"op": "call", "status": -11, "of_driver": True},
    "needs-provider": {"wanted": "openai.responses", "format": "openai.chat"},
    "needs-part": {"missing": "compose_registry"},
    "no-plain-format": {"why": ("op-differs", {"op": "finalize", "miss": MISS})},
    "op-growth": {"factor": 8, "ratio": 61.7, "of": "white space"},
    "scenario-raised": {"error": "KeyError: 'x'"},
    "scenario-differs": {"wrong": "the name is not what it should be", "where": ""},
    "op-garbled": {"op": "call", "text": "ready", "of_driver": True},
    "no-plain-call": {"mode": "exec", "why": ("call-failed", {"error": "no sh"})},
    "no-default-limit": {},
    "needs-half-pairs": {},
    "call-unclear": {},
    "call-with-a-result": {},
    "call-differs": {"miss": MISS},
    "call-wordless": {},
    "call-error-lacks": {"named": '"400" or "0.4"'},
    "call-failed": {"error": "no luck"},
    "outcomes": {},
    "call-late": {"op": "call", "limit": 0.4, "allowed": 1.4},
    "memory-grown": {},
    "tool-saw": {"miss": MISS},
    "tool-not-started": {},
    "variable-value": {"name": "WP_CITY"},
    "variable-set": {"name": "WP_CITY"},
    "variables-unlisted": {"names": ["HOME", "WP_API_KEY"]},
    "tool-left": {"left": "a child of the tool", "is_closed": True},
    "tool-not-reaped": {},
    "descriptors-grown": {"before": 8, "now": 12},
    "no-plain-op": {
        "op": "execute",
        "why": ("op-refused", {"op": "execute", "error": "no"}),
    },
    "nothing-answerable": {"why": ("request-id", {})},
    "needs-parallel": {},
    "id-used-again": {},
    "request-not-json": {"detail": "unexpected character: line 1 column 1"},
    "request-no-object": {},
    "request-version": {},
    "request-method": {},
    "request-params": {},
    "request-id": {},
    "request-id-in-flight": {"id": "a"},
    "request-unended": {},
    "no-host": {"value": {"state": {}}},
    "host-stuck": {"why": "the request init has no id"},
    "request-differs": {"name": "call", "miss": MISS},
    "request-missing": {"name": "call", "parallel": True},
    "script-unsettled": {},
    "host-left": {},
    "op-failed-early": {"op": "execute"},
    "op-failed": {"op": "execute", "error": {"type": "E", "detail": "no"}},
    "op-has-to-fail": {"op": "execute", "value": {"result": 1}},
    "op-differs": {"op": "execute", "miss": MISS},
    "needs-format": {"format": "openai.chat_completions.function"},
    "needs-feature": {"feature": "the target core"},
    "needs-in-process": {},
    "needs-length-unit": {"unit": "utf-16"},
    "needs-step": {"step": "sleep_ms"},
    "no-control": {"op": "definitions"},
    "not-told": {"op": "inspect_call", "key": "payload_kind"},
    "no-echo": {},
    "no-sharing-told": {},
    "op-slow": {"op": "execute_parallel", "seconds": 1.25},
    "op-has-to-be-refused": {"op": "register"},
    "op-error-lacks": {"op": "register", "named": "tool_a"},
    "op-changed-input": {"op": "convert_schemas"},
    "op-shares": {"op": "convert_schemas"},
    "file-content": {"file": "a.txt", "miss": MISS},
    "not-listening": {"detail": "it exited with status 3"},
    "closed-at-start": {},
    "serves-one-connection": {},
    "unreached": {},
    "closed": {"status": None},
    "too-soon": {"request": None, "apart": 0.01, "wanted": 0.065},
    "needs-launched": {},
    "needs-home": {"options": "--socket-home=DIR"},
    "needs-allowed": {"allowed": "look_around"},
    "needs-descriptors": {},
    "needs-requirement": {"tool": "conformance_sleep", "member": "ms"},
    "needs-key": {"tool": "conformance_aborts", "member": "waits"},
    "protocol": {"where": "/protocol", "found": 2},
    "frame-type": {
        "where": "/type",
        "found": "tools",
        "near": ["tools_list"],
        "is_json_rpc": False,
    },
    "frame-id": {"where": "/requestId", "found": 5},
    "error-member": {"where": "/message"},
    "list-member": {"where": "/tools", "found": {}},
    "descriptor": {"where": "/tools/0/name", "found": 5},
    "no-result": {"where": "/result", "found": None},
    "failure-as-error": {"where": "/code", "found": "TIMEOUT"},
    "result-shape": {"where": "/result/ok", "found": "true"},
    "failed-result": {"where": "/result/error/code", "found": "ODD"},
    "returned-failure": {"where": "/result/error"},
    "null-member": {"where": "/result/meta", "found": None},
    "null-error": {"where": "/result/error", "found": None},
    "event-kind": {"where": "/event/kind"},
    "event-fields": {"where": "/event/fraction", "found": 2},
    "runs-on": {},
    "descriptors-held": {},
    "connection-inherited": {},
    "poll-unanswered": {"ended": "silent"},
    "did-not-come-about": {"seconds": 2.0, "where": "/result"},
    "serves-no-new-connection": {"ended": "silent"},
    "removed-foreign-socket": {},
    "keeps-endless-line": {"sent": 512, "grown": 500},
    "text-held": {"file": "audit.jsonl"},
    "no-file": {"file": "config.json"},
    "file-differs": {"file": "config.json"},
    "file-left": {"file": "instances/5.json"},
    "no-such-line": {"file": "audit.jsonl", "found": 0},
    "too-many-lines": {"file": "audit.jsonl", "found": 2, "wanted": 1},
    "open-to-others": {},
    "no-success": {"args": {"n": 1}, "toolset": False, "answer": {"error": "no key"}},
    "needs-all-variables": {"listed": ["PATH", "API_KEY"]},
    "needs-binding": {},
    "ignores-input": {},
    "run-unanswered": {"seconds": 2.0},
    "run-unended": {"seconds": 2.0},
    "run-flooded": {"mebibytes": 32},
    "wrote-nothing": {"status": 1, "stderr": "Traceback\nKeyError: 'n'"},
    "wordless": {"status": 1, "stderr": ""},
    "output-not-utf8": {},
    "output-not-json": {"detail": "a quote is missing at byte 7"},
    "output-too-deep": {},
    "output-no-object": {"value": [1]},
    "output-several": {"count": 2},
    "output-beside": {"text": "loading ..."},
    "object-both": {},
    "object-neither": {"keys": ["text"]},
    "object-error": {"error": {"code": 1}},
    "result-and-status": {"status": 3},
    "error-for-a-result": {"error": "no such tool"},
    "result-for-an-error": {"result": None},
    "failure-with-a-result": {"result": "failed"},
    "bad-input-with-a-result": {"result": {}},
    "bad-input-wordless": {"status": 1},
    "bad-input-not-refused": {"why": "wrote-nothing", "status": 0},
    "stdout-held": {},
    "status-of-an-error": {"status": 1, "wanted": 0},
}
"""The fields of one reason of each kind, as the judge fills them in."""


def said(kind: str, **fields: Any) -> str:
    return sentence(Reason(kind, "HV1-M1", fields))


def test_each_kind_that_has_a_sentence_has_an_example() -> None:
    assert EXAMPLES.keys() == _SENTENCES.keys()


def test_each_kind_of_a_rule_has_a_sentence() -> None:
    kinds = {*EXEC_SERVER_FAULTS, *HOST_V1_FAULTS, *SOCKET_V1_FAULTS}
    kinds |= EXEC_ONESHOT_FAULTS.keys() | EXEC_RUNTIME_FAULTS.keys()
    kinds |= HOST_CLIENT_FAULTS.keys() | OPERATION_FAULTS.keys()
    assert kinds <= _SENTENCES.keys()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_sentence_is_one_line_without_a_full_stop(kind: str) -> None:
    text = said(kind, **EXAMPLES[kind])
    assert text == text.strip()
    assert "\n" not in text
    assert not text.endswith(".")


def test_each_kind_of_reason_is_said_in_a_sentence(
    snapshot: SnapshotAssertion,
) -> None:
    page = "\n".join(f"{kind}: {said(kind, **EXAMPLES[kind])}" for kind in EXAMPLES)
    assert page == snapshot


def test_a_kind_without_a_sentence_is_said_by_its_name() -> None:
    assert said("some-new-kind") == "some new kind"


def test_a_sentence_begins_with_the_words_of_the_step_that_failed() -> None:
    assert said("both", failure="the echo is wrong") == (
        "the echo is wrong: a response has both result and error"
    )


def test_a_mismatch_of_no_request_names_the_place_alone() -> None:
    assert said("mismatch", request=None, miss=MISS).startswith("result.value is ")


def test_an_exit_without_a_status_names_none() -> None:
    assert said("exited", status=None) == "the subject exited before it answered"


@pytest.mark.parametrize(
    ("request_sent", "name"),
    [
        (CALL, "execute_tool conformance_echo"),
        (EXEC_CALL, "execute conformance_sleep"),
        ({"method": "init", "params": {}}, "init"),
        ({"method": "init", "params": None}, "init"),
        ({"params": {}}, "the request"),
        (None, "the request"),
    ],
)
def test_a_request_is_named_by_its_method_and_its_tool(
    request_sent: Any, name: str
) -> None:
    text = said("no-answer", request=request_sent, seconds=2.0)
    assert text.startswith(f"{name} was not answered within 2 s")


def test_a_value_at_fault_is_named_before_the_sentence() -> None:
    value = ("a zero", "0", "JavaScript takes it for false")
    assert said("both", values=[value]) == (
        "with the value a zero (0): a response has both result and error "
        "(why this value: JavaScript takes it for false)"
    )


def test_a_value_that_is_named_as_it_is_written_is_named_once() -> None:
    assert said("both", values=[("0", "0", "")]) == (
        "with the value 0: a response has both result and error"
    )


def test_a_long_value_is_named_and_not_shown() -> None:
    assert said("both", values=[("a long text", "x" * 31, "")]) == (
        "with the value a long text: a response has both result and error"
    )


def test_other_values_that_fail_too_are_named() -> None:
    text = said("both", values=[("0", "0", "")], others=[("-0", "-0"), ("1", "1")])
    assert text == (
        "with the value 0, and with -0 too, and with 1 too: "
        "a response has both result and error"
    )


def test_of_several_values_in_one_exchange_five_are_named() -> None:
    values = [(str(number), str(number), "") for number in range(6)]
    assert said("both", values=values) == (
        "with the values 0, 1, 2, 3, 4 in one exchange: "
        "a response has both result and error"
    )
