"""Hosts whose events are wrong: HV1-E1 to E6."""

from __future__ import annotations

from typing import Any

import anyio
from tests.proof.host_v1.subject import RewritingHost, broken
from tests.proof.host_v1.value_faults import mapped

from wireproof_reference.framing import JSON, encode
from wireproof_reference.host_v1 import Event, Failure, Host, Request, Success
from wireproof_reference.host_v1.core._messages import HostMessage


class EventHost(RewritingHost):
    """Changes the JSON object of each event."""

    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Return what is sent in place of an event."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return self.change(frame) if "event" in frame else frame


@broken("events-without-id", "HV1-E1", "leaves the id out of events")
class EventsWithoutId(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        del frame["id"]
        return frame


@broken("events-have-own-ids", "HV1-E1", "gives each event an id of its own")
class EventsHaveOwnIds(EventHost):
    count = 0

    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        return {**frame, "id": f"event-{self.count}"}


@broken("event-type-elsewhere", "HV1-E1", "calls the type of an event kind")
class EventTypeElsewhere(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame["event"]["kind"] = frame["event"].pop("type")
        return frame


@broken("event-type-is-a-number", "HV1-E1", "numbers the types of events")
class EventTypeIsANumber(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame["event"]["type"] = 1
        return frame


@broken("event-is-text", "HV1-E1", "has the type in the place of event")
class EventIsText(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "payload": frame["event"]["payload"], "event": "part"}


@broken("events-say-ok", "HV1-E1", "has ok true in events")
class EventsSayOk(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "ok": True}


@broken("events-have-results", "HV1-E1", "has a result so far in events")
class EventsHaveResults(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "result": {"value": frame["event"]["payload"]}}


@broken("late-event", "HV1-E2", "sends the last event 30 ms after the response")
class LateEvent(Host):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        held: dict[str, Event] = self.__dict__.setdefault("held", {})
        last = held.get(request.id)
        held[request.id] = Event(request.id, event_type, payload)
        if last is not None:
            self.send(last)

    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        held: dict[str, Event] = self.__dict__.get("held", {})
        if request.id in held:
            self._tasks.start_soon(self.send_late, held.pop(request.id))

    async def send_late(self, event: Event) -> None:
        await anyio.sleep(0.03)
        body = {"type": event.type, "payload": event.payload}
        self.write(encode({"v": 1, "id": event.id, "event": body}))


@broken(
    "tail-of-a-batch",
    "HV1-E2",
    "sends events by sixteen, and what is left 40 ms after the response",
)
class TailOfABatch(Host):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        batches: dict[str, list[Event]] = self.__dict__.setdefault("batches", {})
        batch = batches.setdefault(request.id, [])
        batch.append(Event(request.id, event_type, payload))
        if len(batch) == 16:
            for event in batches.pop(request.id):
                self.send(event)

    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        batches: dict[str, list[Event]] = self.__dict__.get("batches", {})
        if request.id in batches:
            self._tasks.start_soon(self.send_tail, batches.pop(request.id))

    async def send_tail(self, events: list[Event]) -> None:
        await anyio.sleep(0.04)
        for event in events:
            body: JSON = {"type": event.type, "payload": event.payload}
            self.write(encode({"v": 1, "id": event.id, "event": body}))


@broken("done-event", "HV1-E2", "sends an event of type done after the response")
class DoneEvent(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if request.method == "execute_tool":
            self.write(encode({"v": 1, "id": request.id, "event": {"type": "done"}}))


@broken(
    "done-event-of-a-stream",
    "HV1-E2",
    "sends an event of type done 10 ms after the response to a stream",
)
class DoneEventOfAStream(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if request.params.get("tool_name") == "conformance_stream":
            self._tasks.start_soon(self.send_done, request)

    async def send_done(self, request: Request) -> None:
        await anyio.sleep(0.01)
        self.write(encode({"v": 1, "id": request.id, "event": {"type": "done"}}))


@broken(
    "progress-timer",
    "HV1-E2",
    "sends a part of its own 30 ms after the response to a stream, off a timer",
)
class ProgressTimer(DoneEventOfAStream):
    async def send_done(self, request: Request) -> None:
        await anyio.sleep(0.03)
        body: JSON = {"type": "part", "payload": {"percent": 100}}
        self.write(encode({"v": 1, "id": request.id, "event": body}))


@broken("response-first", "HV1-E2", "sends the events behind the response")
class ResponseFirst(Host):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        body: JSON = {"type": event_type, "payload": payload}
        line = encode({"v": 1, "id": request.id, "event": body})
        held: dict[str, bytes] = self.__dict__.setdefault("held", {})
        held[request.id] = held.get(request.id, b"") + line

    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        held: dict[str, bytes] = self.__dict__.get("held", {})
        self.write(held.pop(request.id, b""))


class FilteringHost(Host):
    """Sends the events of a call in another way than they were emitted."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.emitted: dict[str, list[JSON]] = {}

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        emitted = self.emitted.setdefault(request.id, [])
        emitted.append(payload)
        if self.passes(emitted):
            super().emit(request, event_type, payload)

    def passes(self, emitted: list[JSON]) -> bool:
        """Tell whether the last of these is sent."""
        return True

    def flush(self, request: Request) -> None:
        """Send what was held back, before the response."""

    def respond(self, request: Request, response: Success | Failure) -> None:
        self.flush(request)
        self.emitted.pop(request.id, None)
        super().respond(request, response)


@broken("merges-equal-events", "HV1-E3", "sends equal events in a row once")
class MergesEqualEvents(FilteringHost):
    def passes(self, emitted: list[JSON]) -> bool:
        return [encode(one) for one in emitted[-2:-1]] != [encode(emitted[-1])]


@broken("hundred-events", "HV1-E3", "drops the events beyond a hundred")
class HundredEvents(FilteringHost):
    def passes(self, emitted: list[JSON]) -> bool:
        return len(emitted) <= 100


@broken("thousand-events", "HV1-E3", "drops the events beyond a thousand of one call")
class ThousandEvents(FilteringHost):
    def passes(self, emitted: list[JSON]) -> bool:
        return len(emitted) <= 1000


@broken("queue-of-5000", "HV1-E3", "drops the events beyond five thousand of one call")
class QueueOf5000(FilteringHost):
    def passes(self, emitted: list[JSON]) -> bool:
        return len(emitted) <= 5000


@broken("no-large-events", "HV1-E3", "drops an event beyond 64 KiB")
class NoLargeEvents(Host):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        if len(encode(payload)) <= 65536:
            super().emit(request, event_type, payload)


@broken("drops-the-last-event", "HV1-E3", "drops the last of several events")
class DropsTheLastEvent(FilteringHost):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        emitted = self.emitted.setdefault(request.id, [])
        if len(emitted) > 1:
            Host.emit(self, request, event_type, emitted[-1])
        emitted.append(payload)
        if len(emitted) == 1:
            Host.emit(self, request, event_type, payload)


@broken("repeats-the-first-event", "HV1-E3", "sends the first of a call's events again")
class RepeatsTheFirstEvent(FilteringHost):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        super().emit(request, event_type, payload)
        if len(self.emitted[request.id]) == 2:
            Host.emit(self, request, event_type, self.emitted[request.id][0])


@broken("newest-event-first", "HV1-E3", "sends a burst of ten events backwards")
class NewestEventFirst(FilteringHost):
    def passes(self, emitted: list[JSON]) -> bool:
        return False

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        arguments: Any = request.params["arguments"]
        if len(arguments["parts"]) != 10 or arguments.get("delay_ms"):
            Host.emit(self, request, event_type, payload)
        else:
            super().emit(request, event_type, payload)

    def flush(self, request: Request) -> None:
        for payload in reversed(self.emitted.get(request.id, [])):
            Host.emit(self, request, "part", payload)


@broken("adds-an-event", "HV1-E3", "begins each stream with a part of its own")
class AddsAnEvent(Host):
    def handle_request(self, request: Request) -> None:
        if request.params.get("tool_name") == "conformance_stream":
            Host.emit(self, request, "part", {"started": True})
        super().handle_request(request)


@broken(
    "swaps-events-beside-a-call",
    "HV1-E3",
    "swaps neighbouring events of a call while another one runs",
)
class SwapsEventsBesideACall(FilteringHost):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        waiting = self.emitted.pop(request.id, [])
        if not waiting and len(self.connection.in_flight) > 1:
            self.emitted[request.id] = [payload]
            return
        for one in (payload, *waiting):
            Host.emit(self, request, event_type, one)

    def flush(self, request: Request) -> None:
        for payload in self.emitted.get(request.id, []):
            Host.emit(self, request, "part", payload)


class PayloadHost(EventHost):
    """Changes the payload of each event."""

    def change_payload(self, payload: Any) -> Any:
        """Return what is sent in place of a payload."""
        raise NotImplementedError

    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame["event"]["payload"] = self.change_payload(frame["event"]["payload"])
        return frame


@broken("payload-as-text", "HV1-E4", "writes a payload as JSON text")
class PayloadAsText(PayloadHost):
    def change_payload(self, payload: Any) -> Any:
        return encode(payload).decode().strip()


@broken("payload-wrapped", "HV1-E4", "wraps a payload in data")
class PayloadWrapped(PayloadHost):
    def change_payload(self, payload: Any) -> Any:
        return {"data": payload}


@broken("payload-numbered", "HV1-E4", "adds a number to each payload")
class PayloadNumbered(PayloadHost):
    count = 0

    def change_payload(self, payload: Any) -> Any:
        self.count += 1
        return {**payload, "seq": self.count}


@broken("payload-cut", "HV1-E4", "cuts text in a payload at 4,096 characters")
class PayloadCut(PayloadHost):
    def change_payload(self, payload: Any) -> Any:
        return mapped(payload, lambda v: v[:4096] if isinstance(v, str) else v)


@broken("payload-cut-late", "HV1-E4", "cuts text in a payload at 65,535 characters")
class PayloadCutLate(PayloadHost):
    def change_payload(self, payload: Any) -> Any:
        return mapped(payload, lambda v: v[:65535] if isinstance(v, str) else v)


@broken(
    "payload-changed-beside-a-call",
    "HV1-E4",
    "adds the number of calls to a payload while another one runs",
)
class PayloadChangedBesideACall(PayloadHost):
    def change_payload(self, payload: Any) -> Any:
        running = len(self.connection.in_flight)
        return {**payload, "running": running} if running > 1 else payload


@broken("payload-merged", "HV1-E4", "merges a payload into the event")
class PayloadMerged(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame["event"] = {**frame["event"].pop("payload"), "type": "part"}
        return frame


@broken("no-empty-payload", "HV1-E4", "leaves an empty payload out")
class NoEmptyPayload(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["event"]["payload"] == {}:
            del frame["event"]["payload"]
        return frame


@broken("payload-without-nulls", "HV1-E4", "drops null keys from a payload")
class PayloadWithoutNulls(PayloadHost):
    def change_payload(self, payload: Any) -> Any:
        return {key: value for key, value in payload.items() if value is not None}


@broken("payload-unwrapped", "HV1-E4", "takes a payload with a type for an event")
class PayloadUnwrapped(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        payload = frame["event"]["payload"]
        if isinstance(payload.get("type"), str) and "payload" in payload:
            frame["event"] = {"type": "part", "payload": payload["payload"]}
        return frame


@broken(
    "holds-events-back", "HV1-E5", "sends events when the tool returns", level="should"
)
class HoldsEventsBack(FilteringHost):
    def passes(self, emitted: list[JSON]) -> bool:
        return False

    def flush(self, request: Request) -> None:
        for payload in self.emitted.get(request.id, []):
            Host.emit(self, request, "part", payload)


@broken("events-by-fours", "HV1-E5", "sends events four at a time", level="should")
class EventsByFours(HoldsEventsBack):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        super().emit(request, event_type, payload)
        if len(self.emitted[request.id]) == 4:
            self.flush(request)
            self.emitted[request.id] = []


@broken("last-call-gets-all", "HV1-E6", "gives events to the call that began last")
class LastCallGetsAll(Host):
    last: Request | None = None

    def handle_request(self, request: Request) -> None:
        if request.params.get("tool_name") == "conformance_stream":
            self.last = request
        super().handle_request(request)

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        target = self.last or request
        if target.id not in self.connection.in_flight:
            target = request
        super().emit(target, event_type, payload)


@broken("first-call-gets-all", "HV1-E6", "gives events to the oldest call in flight")
class FirstCallGetsAll(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.calls: list[str] = []

    def handle_request(self, request: Request) -> None:
        self.calls.append(request.id)
        super().handle_request(request)

    def respond(self, request: Request, response: Success | Failure) -> None:
        self.calls.remove(request.id)
        super().respond(request, response)

    def encode(self, message: HostMessage) -> bytes:
        if isinstance(message, Event):
            message = Event(self.calls[0], message.type, message.payload)
        return super().encode(message)


@broken(
    "mixes-equal-events",
    "HV1-E6",
    "sends an event that another call has just sent for that call only",
)
class MixesEqualEvents(Host):
    last: tuple[str, Any] = ("", None)

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        owner, before = self.last
        if before == payload and owner in self.connection.in_flight - {request.id}:
            return
        self.last = (request.id, payload)
        super().emit(request, event_type, payload)


@broken("unwrapped-payloads", "HV1-E4", "unwraps a payload whose only key is payload")
class UnwrappedPayloads(EventHost):
    def change(self, frame: dict[str, Any]) -> dict[str, Any]:
        payload = frame["event"].get("payload")
        if isinstance(payload, dict) and payload.keys() == {"payload"}:
            frame["event"]["payload"] = payload["payload"]
        return frame
