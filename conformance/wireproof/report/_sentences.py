"""Each kind of reason as a sentence: what was expected, what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wireproof.patterns import exit_text, in_line, is_object, place_text

if TYPE_CHECKING:
    from wireproof.judge import Reason

Fields = Mapping[str, Any]

SHOWN_NAME = 50
"""Characters of the name of a method or of a tool in a sentence."""

SHOWN_VALUE = 30
"""Characters of a value that is shown beside its name."""

SHOWN_ERROR = 200
"""Characters of a subject's own words in a sentence."""


OF_A_DRIVER = ": a fault of the driver, not a wrong answer"
"""The end of a sentence about a driver that gives no answer."""

SERIAL_HINT = (
    '; a client that sends one request at a time says so in describe: "serial":true'
)
"""What is said if several requests were due at a time."""

TOO_SOON = ", though `close` was answered: it is to be when all processes are gone"
"""What is said if a runtime has been closed and a process is left."""


def sentence(reason: Reason) -> str:
    """Return a reason as a sentence, without a full stop."""
    words = _SENTENCES.get(reason.kind)
    text = words(reason.fields) if words else reason.kind.replace("-", " ")
    if failure := reason.fields.get("failure"):
        text = f"{failure}: {text}"
    return _with_values(text, reason.fields)


def _with_values(text: str, fields: Fields) -> str:
    values = fields.get("values")
    if not values:
        return text
    if len(values) > 1:
        names = ", ".join(name for name, _, _ in values[:5])
        return f"with the values {names} in one exchange: {text}"
    name, shown, why = values[0]
    named = name if name == shown or len(shown) > SHOWN_VALUE else f"{name} ({shown})"
    others = "".join(f", and with {other} too" for other, _ in fields.get("others", ()))
    tail = f" (why this value: {why})" if why else ""
    return f"with the value {named}{others}: {text}{tail}"


def request_name(message: Any) -> str:
    """Name a request by its method, and its tool if it calls one."""
    if not is_object(message):
        return "the request"
    params = message.get("params")
    tool = params.get("tool_name") if is_object(params) else None
    if tool is None and is_object(params) and is_object(params.get("args")):
        tool = params["args"].get("tool")
    words = [
        word
        if isinstance(word, str) and word.isidentifier()
        else in_line(word, SHOWN_NAME)
        for word in (message.get("method"), tool)
        if word is not None
    ]
    return " ".join(words)[: 2 * SHOWN_NAME] or "the request"


def _mismatch(fields: Fields) -> str:
    place = place_text(fields["miss"])
    if fields["request"] is None:
        return place
    return f"in the response to {request_name(fields['request'])}, {place}"


def _answered_with_failure(fields: Fields) -> str:
    error = in_line(fields["value"].get("error"), SHOWN_ERROR)
    return f"{request_name(fields['request'])} was answered with a failure: {error}"


def _no_answer(fields: Fields) -> str:
    return (
        f"{request_name(fields['request'])} was not answered within "
        f"{fields['seconds']:.2g} s; a plain request after it was"
    )


def _how_it_ended(fields: Fields) -> str:
    status = fields.get("status")
    how = f" with {exit_text(status)}" if status is not None else ""
    return f"the subject exited{how}"


def _exited(fields: Fields) -> str:
    return f"{_how_it_ended(fields)} before it answered"


def _wrong_id(fields: Fields) -> str:
    found, wanted = in_line(fields["id"]), fields.get("wanted")
    if wanted is None:
        return f"a response has the id {found}, which no request has"
    return f"the response's id is {found}; the request's was {in_line(wanted)}"


def _refused(fields: Fields) -> str:
    value = fields.get("value")
    error = value.get("error") if is_object(value) else value
    given = f" with the args {in_line(fields['args'])}" if "args" in fields else ""
    return f"a plain valid call{given} did not succeed: {in_line(error, SHOWN_ERROR)}"


def _wrote_nothing(fields: Fields) -> str:
    status = fields["status"] or 0
    how = "ended by" if status < 0 else "exited with"
    said = str(fields.get("stderr", "")).strip().splitlines()
    tail = (
        f"; on stderr it said {in_line(said[-1].strip(), SHOWN_ERROR)}" if said else ""
    )
    return f"it {how} {exit_text(status)} and wrote nothing on stdout{tail}"


def _no_success(fields: Fields) -> str:
    """Say that a plain call was not answered with the success that was due."""
    given = in_line(fields["args"])
    answer = fields.get("answer")
    if answer is None:
        text = f"a plain call with the args {given} failed: {_wrote_nothing(fields)}"
    elif "result" in answer:
        text = f"the args {given} resulted in {in_line(answer['result'], SHOWN_ERROR)}"
    else:
        error = in_line(answer.get("error"), SHOWN_ERROR)
        text = f"the args {given} were answered with the error {error}"
    hint = "; give others with which it succeeds (--exec-args)"
    return text if fields["toolset"] else f"{text}{hint}"


def _at_its_place(fields: Fields) -> str:
    """Say what stands at a place of a frame."""
    found = in_line(fields["found"], SHOWN_ERROR) if "found" in fields else "absent"
    return f"{fields['where']} is {found}"


def _frame_type(fields: Fields) -> str:
    text = f"{_at_its_place(fields)}, none of the types of a frame"
    if fields["is_json_rpc"]:
        return f"this is JSON-RPC, as MCP servers speak it, not socket-v1: {text}"
    near = "".join(f"; {in_line(one)} was expected" for one in fields["near"])
    return f"{text}{near}"


_SENTENCES: Mapping[str, Callable[[Fields], str]] = {
    "mismatch": _mismatch,
    "refused": _answered_with_failure,
    "no-answer": _no_answer,
    "exited": _exited,
    "deaf": lambda f: (
        "the subject stopped answering: a plain request was not answered "
        f"within {f['seconds']:.2g} s"
    ),
    "held-back": lambda _: (
        "a response came only with the next request or the end of the input: the "
        "subject does not flush its output"
    ),
    "answered-before": lambda f: (
        f"{request_name(f['request'])} was answered already; no further frame can come"
    ),
    "order": lambda f: f"{f['before']} was answered before {f['after']}",
    "held-together": lambda f: (
        f"{f['before']} was answered only {f['apart']:.3f} s before {f['after']}"
    ),
    "events-held-back": lambda f: (
        "the first event came only "
        f"{f['apart']:.3f} s before the response; {f['wanted']:.3f} s were due"
    ),
    "no-exit": lambda _: "the subject did not exit after its stdin was closed",
    "exit-status": lambda f: (
        f"the subject exited with {exit_text(f['status'])}; "
        f"status {f['wanted']} was due"
    ),
    "did-not-start-again": lambda _: "the subject did not start again",
    "control-refused": _refused,
    "not-started": lambda f: f"the subject could not be started: {f['detail']}",
    "exited-at-start": lambda f: f"{_how_it_ended(f)} before it answered anything",
    "silent-at-start": lambda f: (
        "the subject did not answer a plain valid request "
        f"within {f['seconds']:.2g} s (--subject-timeout)"
    ),
    "ended-unanswered": lambda _: (
        "the subject exited without a response to a request; "
        "one that was just started answers it"
    ),
    "ended-by-itself": lambda _: "the subject ended by itself while its input was open",
    "alike": lambda _: "the subject gives the same answer to everything",
    "needs-tool": lambda f: f"it needs {f['tool']}, which is not listed",
    # The name stands last: reasons that differ in it alone are counted together.
    "needs-method": lambda f: f"the host does not offer {f['method']}",
    "event-beside": lambda _: "an event has ok, result or error beside event",
    "event-shape": lambda f: (
        "an event is not an object with a string type: "
        f"{in_line(f['event'], SHOWN_ERROR)}"
    ),
    "part-without-payload": lambda _: "a part event has no payload",
    "event-of-nothing": lambda f: (
        "an event has the id of no request in flight: "
        f"{in_line(f['value'], SHOWN_ERROR)}"
    ),
    "event-after-the-response": lambda _: "an event came after the response",
    "version": lambda f: f"v is {in_line(f['found'])}, not the integer 1",
    "ok-shape": lambda f: f"ok is {in_line(f['found'])}, not a boolean",
    "success-shape": lambda f: (
        "ok is true, and result is not an object with the key "
        f"value: {in_line(f['result'], SHOWN_ERROR)}"
    ),
    "success-with-error": lambda _: "ok is true, and there is an error",
    "failure-shape": lambda f: (
        "ok is false, and error is not an object with strings "
        f"type and detail: {in_line(f['error'], SHOWN_ERROR)}"
    ),
    "failure-with-result": lambda _: "ok is false, and there is a result",
    "no-state": lambda f: f"the response to {f['method']} has no object result.state",
    "bad-line-not-refused": lambda f: (
        "the response to a bad line is not a failure: "
        f"{in_line(f['value'], SHOWN_ERROR)}"
    ),
    "needs-toolset": lambda f: (
        f"it needs {f['tool']}: --exec-toolset says that the server has it"
    ),
    "blank-line": lambda _: "a blank line came, where only responses may be",
    "not-json": lambda _: "a line that is not JSON came, where only responses may be",
    "broken-json": lambda f: f"a line of the output is not valid JSON: {f['detail']}",
    "not-utf8": lambda _: "a line of the output is not UTF-8",
    "oversize": lambda f: f"a line of {f['detail']} bytes came, which is too long",
    "unterminated": lambda _: "the last response does not end with a line feed",
    "text-without-line-feed": lambda _: "the output ends with text without a line feed",
    "not-a-response": lambda f: (
        f"a line of the output is not a response: {in_line(f['value'], SHOWN_ERROR)}"
    ),
    "before-any-request": lambda _: "a response came before any request was sent",
    "jsonrpc": lambda f: f'jsonrpc is {in_line(f["found"])}, not "2.0"',
    "both": lambda _: "a response has both result and error",
    "neither": lambda _: "a response has neither result nor error",
    "null-companion": lambda f: (
        f"{f['key']} is null beside its partner; it should be absent"
    ),
    "error-shape": lambda f: (
        "an error is not an object with an integer code and a "
        f"string message: {in_line(f['error'], SHOWN_ERROR)}"
    ),
    "wrong-id": _wrong_id,
    "odd-id-changed": _wrong_id,
    "long-request-refused": lambda _: "a long request was refused without its id",
    "answers-nothing": _wrong_id,
    "answered-twice": lambda f: f"a second response to the request {in_line(f['id'])}",
    "refused-with-other-id": lambda f: (
        f"the response to a bad line has an id that no line had, {in_line(f['id'])}"
    ),
    "leaked-print": lambda _: "text that a tool printed is on stdout",
    "old-state-refused": lambda _: "a state from before a second init is refused",
    "notification-answered": lambda _: "a notification was answered",
    # Tools that are started for each call.
    "no-success": _no_success,
    "needs-all-variables": lambda f: (
        "it succeeds with all variables of this environment, not with "
        f"{', '.join(f['listed'])} alone"
    ),
    "needs-binding": lambda _: "the tool is no binding of a runtime configuration",
    "ignores-input": lambda _: (
        "its answer is the same without any input: whether it reads stdin cannot be "
        "seen"
    ),
    "run-unanswered": lambda f: (
        f"it neither answered nor exited within {f['seconds']:.2g} s"
    ),
    "run-unended": lambda f: (
        f"it wrote to stdout and did not exit within {f['seconds']:.2g} s"
    ),
    "run-flooded": lambda f: f"it wrote more than {f['mebibytes']} MiB on stdout",
    "wrote-nothing": _wrote_nothing,
    "wordless": lambda f: f"{_wrote_nothing(f)}; an error object was due",
    "output-not-utf8": lambda _: "stdout is not UTF-8",
    "output-not-json": lambda f: (
        f"stdout is not a JSON object{': ' if f['detail'] else ''}{f['detail']}"
    ),
    "output-too-deep": lambda _: "its object nests too deep to be looked into",
    "output-no-object": lambda f: (
        f"stdout holds {in_line(f['value'], SHOWN_ERROR)}, not one JSON object"
    ),
    "output-several": lambda f: f"stdout holds {f['count']} JSON objects, not one",
    "output-beside": lambda f: (
        f"beside the object stands on stdout {in_line(f['text'], SHOWN_ERROR)}"
    ),
    "object-both": lambda _: "the object has both result and error",
    "object-neither": lambda f: (
        "the object has neither result nor error "
        f"(its keys: {', '.join(map(in_line, f['keys'])) or 'none'})"
    ),
    "object-error": lambda f: (
        f"error is {in_line(f['error'], SHOWN_ERROR)}, not a string that says something"
    ),
    "result-and-status": lambda f: (
        f"it reported a result and ended with {exit_text(f['status'])}, not with 0"
    ),
    "error-for-a-result": lambda f: (
        f"it answered with the error {in_line(f['error'], SHOWN_ERROR)}; "
        "a result was due"
    ),
    "result-for-an-error": lambda f: (
        f"it answered with the result {in_line(f['result'], SHOWN_ERROR)}; "
        "an error was due"
    ),
    "failure-with-a-result": lambda f: (
        f"a failure was answered with the result {in_line(f['result'], SHOWN_ERROR)}"
    ),
    "bad-input-with-a-result": lambda f: (
        f"bad input was answered with the result {in_line(f['result'], SHOWN_ERROR)}"
    ),
    "bad-input-wordless": lambda f: (
        f"bad input: it exited with {exit_text(f['status'])}, nothing on stderr"
    ),
    "bad-input-not-refused": lambda f: (
        "bad input was not refused: "
        f"{_SENTENCES[f['why']](f) if f['why'] else 'no error was reported'}"
    ),
    "stdout-held": lambda _: (
        "a child of the tool held stdout open after the tool exited"
    ),
    "status-of-an-error": lambda f: (
        f"it reported its error and ended with {exit_text(f['status'])}, "
        f"not {f['wanted']}"
    ),
    # Subjects behind a driver.
    "describe-refused": lambda f: f"`describe` was refused: {f['error']}",
    "misfit": lambda f: f["text"],
    "needs-format": lambda f: (
        f"it needs the format {f['format']}, which is not declared"
    ),
    "needs-feature": lambda f: f"it needs {f['feature']}, which the subject lacks",
    "needs-in-process": lambda _: "it needs an object in Python, named as module:attr",
    "needs-length-unit": lambda f: (
        f"it needs the lengthUnit {f['unit']}, which is not declared"
    ),
    "needs-step": lambda f: (
        f"it needs tools with the step {f['step']}, which is not offered"
    ),
    "no-control": lambda f: f"there is no control of `{f['op']}`",
    "not-told": lambda f: f"nothing in the answer to `{f['op']}` has {f['key']}",
    "no-echo": lambda _: "the driver does not tell its arguments afterwards (echo)",
    "no-sharing-told": lambda _: "the driver does not tell what its value shares",
    "op-slow": lambda f: f"`{f['op']}` took {f['seconds']:.1f} s",
    "op-has-to-be-refused": lambda f: (
        f"`{f['op']}` has to be refused, and came to a value"
    ),
    "op-error-lacks": lambda f: f"the error of `{f['op']}` does not name {f['named']}",
    "op-changed-input": lambda f: f"`{f['op']}` changed what it was given",
    "op-shares": lambda f: (
        f"what `{f['op']}` came to shares a part that can change with what it was given"
    ),
    "file-content": lambda f: (
        f"of the file {f['file']}, {place_text(f['miss'], 'the content')}"
    ),
    "needs-op": lambda f: f"it needs the op {f['op']}, which is not offered",
    "op-refused": lambda f: f"`{f['op']}` was refused: {f['error']}",
    "op-unanswered": lambda f: (
        f"`{f['op']}` was not answered within {f['seconds']:.2g} s"
        f"{OF_A_DRIVER * f['of_driver']}"
    ),
    "op-ended": lambda f: (
        f"{_how_it_ended(f)} and did not answer `{f['op']}`"
        f"{OF_A_DRIVER * f['of_driver']}"
    ),
    "op-garbled": lambda f: (
        f"what came for `{f['op']}` is no answer of the bridge: "
        f"{in_line(f['text'], SHOWN_ERROR)}{OF_A_DRIVER * f['of_driver']}"
    ),
    # Registries of interop.
    "needs-provider": lambda f: (
        f"it needs a provider of {f['wanted']}; this one is of {f['format']}"
    ),
    "needs-part": lambda f: f"it needs {f['missing']}, which the registry has not",
    "no-plain-format": lambda f: (
        "no plain op of a provider comes out right, in either format: "
        f"{_SENTENCES[f['why'][0]](f['why'][1])}"
    ),
    "op-growth": lambda f: (
        f"{f['factor']} times the text takes {f['ratio']:.0f} times as long: {f['of']}"
    ),
    "scenario-raised": lambda f: f"the scenario raised {f['error']}",
    "scenario-differs": lambda f: f["wrong"],
    # Runtimes, and the tools that they start.
    "no-plain-call": lambda f: (
        f"no plain call of a {'server' if f['mode'] == 'server' else 'one-shot'} tool "
        f"succeeds: {_SENTENCES[f['why'][0]](f['why'][1])}"
    ),
    "no-default-limit": lambda _: (
        "`describe` says that the runtime has no default limit"
    ),
    "needs-half-pairs": lambda _: (
        "it needs halfPairs, half of a surrogate pair, which is not declared"
    ),
    "call-unclear": lambda _: "the call came to neither a result nor an error",
    "call-with-a-result": lambda _: "the call has to fail, and came to a result",
    "call-differs": lambda f: (
        f"in the result of the call, {place_text(f['miss'], 'the value')}"
    ),
    "call-wordless": lambda _: "the call failed without a reason",
    "call-error-lacks": lambda f: f"the error does not hold {f['named']}",
    "call-failed": lambda f: f"the call failed: {in_line(f['error'], SHOWN_ERROR)}",
    "outcomes": lambda _: "`call_many` came to something else",
    "call-late": lambda f: (
        f"`{f['op']}` was not over after {f['allowed']:.2g} s"
        if f["limit"] is None
        else f"`{f['op']}` went on after its limit of {f['limit']:.2g} s"
    ),
    "memory-grown": lambda _: "the runtime keeps output that has no end",
    "tool-saw": lambda f: f"of what the tool saw, {place_text(f['miss'], 'the whole')}",
    "tool-not-started": lambda _: "the tool was not started",
    "variable-value": lambda f: f"the variable {f['name']} has not the runtime's value",
    "variable-set": lambda f: (
        f"the variable {f['name']}, which is not set, is set in the tool"
    ),
    "variables-unlisted": lambda f: (
        f"the tool has variables that are not listed: {', '.join(f['names'])}"
    ),
    "tool-left": lambda f: (
        f"{f['left']} is still there{TOO_SOON if f['is_closed'] else ''}"
    ),
    "tool-not-reaped": lambda _: "the tool that was killed is not reaped",
    "descriptors-grown": lambda f: (
        f"the runtime has {f['now']} descriptors, and had {f['before']} before its "
        "calls"
    ),
    # Clients, and the hosts that they start.
    "no-plain-op": lambda f: (
        f"`{f['op']}` comes to nothing right: {_SENTENCES[f['why'][0]](f['why'][1])}"
    ),
    "nothing-answerable": lambda f: (
        f"nothing that it sends can be answered: {_SENTENCES[f['why'][0]](f['why'][1])}"
    ),
    "needs-parallel": lambda _: (
        "it has several calls in flight; the client sends one at a time"
    ),
    "id-used-again": lambda _: (
        "it answers an earlier call again; the client has used its id again"
    ),
    "request-not-json": lambda f: f"a request is not JSON ({f['detail']})",
    "request-no-object": lambda _: "a request is not a JSON object",
    "request-version": lambda _: "in a request, v is not the integer 1",
    "request-method": lambda _: "in a request, method is not a name in snake_case",
    "request-params": lambda _: "in a request, params is not an object",
    "request-id": lambda _: "in a request, id is not a string",
    "request-id-in-flight": lambda f: (
        f"the id {in_line(f['id'])} is that of a request that is in flight"
    ),
    "request-unended": lambda _: "the last request has no line feed",
    "no-host": lambda f: (
        f"the client did not start the host: start came to {in_line(f['value'])}"
    ),
    "host-stuck": lambda f: f"the host could not answer: {f['why']}",
    "request-differs": lambda f: (
        f"of the request that was read as {f['name']!r}, "
        f"{place_text(f['miss'], 'the whole')}"
    ),
    "request-missing": lambda f: (
        f"the host waited in vain for the request {f['name']!r}"
        f"{SERIAL_HINT if f['parallel'] else ''}"
    ),
    "script-unsettled": lambda _: "the host could not play its script to the end",
    "host-left": lambda _: "close returned, and the host is still there",
    "op-failed-early": lambda f: f"`{f['op']}` failed before its deadline",
    "op-failed": lambda f: f"`{f['op']}` failed: {in_line(f['error'], SHOWN_ERROR)}",
    "op-has-to-fail": lambda f: (
        f"`{f['op']}` has to fail, and came to {in_line(f['value'], SHOWN_ERROR)}"
    ),
    "op-differs": lambda f: (
        f"in what `{f['op']}` came to, {place_text(f['miss'], 'the value')}"
    ),
    # Servers with several connections.
    "not-listening": lambda f: f"the server accepts no connection: {f['detail']}",
    "closed-at-start": lambda _: (
        "the server closed its first connection before it answered"
    ),
    "serves-one-connection": lambda _: "it served its first connection and no other",
    "unreached": lambda _: "the server accepts no connection any more",
    "closed": lambda _: "the server closed the connection before it answered",
    "too-soon": lambda f: (
        f"{request_name(f['request'])} was answered after {f['apart']:.3f} s; "
        f"{f['wanted']:.3f} s were due"
    ),
    "needs-launched": lambda _: (
        "it needs a server that the suite launches: a command with {socket}"
    ),
    "needs-home": lambda f: f"it needs the server's files: {f['options']}",
    "needs-allowed": lambda f: (
        f"the server lists no tool that --allow-tool names: {f['allowed']}"
        if f["allowed"]
        else "it needs a tool that may be called: --allow-tool"
    ),
    "needs-descriptors": lambda _: (
        "it needs a system that lists the descriptors of a process"
    ),
    "needs-requirement": lambda f: (
        f"the server's own schema of {f['tool']} does not require {f['member']}"
    ),
    "needs-key": lambda f: f"{f['tool']} has no {f['member']} in its result",
    "protocol": lambda f: f"{_at_its_place(f)}, not 1",
    "frame-type": _frame_type,
    "frame-id": lambda f: f"{_at_its_place(f)}, not a string",
    "error-member": lambda f: f"in an error, {_at_its_place(f)}",
    "list-member": lambda f: f"in a tools_list, {_at_its_place(f)}, not an array",
    "descriptor": lambda f: f"in a tools_list, {_at_its_place(f)}",
    "no-result": lambda f: f"in a tool_result, {_at_its_place(f)}, not an object",
    "failure-as-error": lambda f: (
        f"a call that failed was answered by an error: {_at_its_place(f)}"
    ),
    "result-shape": _at_its_place,
    "failed-result": lambda f: f"ok is false, and {_at_its_place(f)}",
    "returned-failure": lambda f: f"ok is false, and {_at_its_place(f)}",
    "null-member": lambda f: f"{f['where']} is null, not absent",
    "null-error": lambda f: f"{f['where']} is null, not absent",
    "event-kind": lambda f: f"in an event, {_at_its_place(f)}",
    "event-fields": lambda f: f"in an event, {_at_its_place(f)}",
    # What steps see beside the frames.
    "runs-on": lambda _: "the server did not end when it was told to",
    "descriptors-held": lambda _: (
        "the server holds descriptors of connections that are closed"
    ),
    "connection-inherited": lambda _: (
        "a child process of a tool holds a connection of the server"
    ),
    "poll-unanswered": lambda _: "a request that looks for it was not answered",
    "did-not-come-about": lambda f: (
        f"it did not come about within {f['seconds']:.2g} s"
    ),
    "serves-no-new-connection": lambda _: "a new connection was not served",
    "removed-foreign-socket": lambda _: (
        "the server removed a socket that is not its own"
    ),
    "keeps-endless-line": lambda f: (
        f"the server keeps a line that has no end: {f['sent']} MiB of it so far"
    ),
    "text-held": lambda f: f"{f['file']} holds what it must not",
    "no-file": lambda f: f"there is no {f['file']}",
    "file-differs": lambda f: f"{f['file']} holds something else",
    "file-left": lambda f: f"the file {f['file']} is there",
    "no-such-line": lambda f: f"{f['file']} got no such line",
    "too-many-lines": lambda f: (
        f"{f['found']} lines of {f['file']} are such, not {f['wanted']}"
    ),
    "open-to-others": lambda _: "others may connect to the socket",
}
