"""Clients that do not see a host's death or a deadline: HV1-C7, C9."""

from __future__ import annotations

from typing import Any, Self

import anyio
from anyio.abc import TaskGroup
from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    broken,
)

from wireproof_reference.framing import JSONObject
from wireproof_reference.host_v1 import CallTimeout, HostClient, HostLost, HostProcess
from wireproof_reference.host_v1._calls import Call, Outcome
from wireproof_reference.host_v1._link import HostLink


class StatuslessLink(HostLink):
    def _fail_calls(self, reason: str, status: int | None) -> None:
        super()._fail_calls(reason, None)


@broken("no-exit-status", "HV1-C7", "does not tell the exit status", level="should")
class NoExitStatus(WiredClient):
    link_type = StatuslessLink


class FirstLineLink(HostLink):
    def _last_line(self) -> str:
        return self.stderr_tail.decode(errors="replace").partition("\n")[0]


@broken(
    "first-line-of-stderr", "HV1-C7", "tells the first line of stderr", level="should"
)
class FirstLineOfStderr(WiredClient):
    link_type = FirstLineLink


class ShortLineLink(HostLink):
    def _last_line(self) -> str:
        return super()._last_line()[:120]


@broken(
    "a-part-of-the-last-line",
    "HV1-C7",
    "cuts the last line of stderr",
    level="should",
    shown_by="host-client/deaths/last-line-that-is-long",
)
class APartOfTheLastLine(WiredClient):
    link_type = ShortLineLink


class LatestPieceLink(HostLink):
    def __init__(self, process: HostProcess, tasks: TaskGroup) -> None:
        super().__init__(process, tasks)
        self._stderr._take = self._keep_the_latest

    def _keep_the_latest(self, data: bytes) -> None:
        self._stderr.tail = data


@broken(
    "latest-piece-of-stderr", "HV1-C7", "keeps what came on stderr last", level="should"
)
class LatestPieceOfStderr(WiredClient):
    link_type = LatestPieceLink


class OldestLink(HostLink):
    def _fail_calls(self, reason: str, status: int | None) -> None:
        younger = dict(list(self._calls.items())[1:])
        for request_id in younger:
            del self._calls[request_id]
        super()._fail_calls(reason, status)


@broken("oldest-call-alone", "HV1-C7", "fails the oldest call alone")
class FailsTheOldestAlone(WiredClient):
    link_type = OldestLink


class OpenEndedLink(HostLink):
    def start(self, request: Any, seconds: float) -> Call:
        call = super().start(request, seconds)
        if isinstance(call.outcome, HostLost):
            call.outcome = None
        return call


@broken("call-after-death", "HV1-C7", "waits for a dead host's answer")
class WaitsForTheDead(WiredClient):
    link_type = OpenEndedLink


@broken(
    "says-only-start-failed",
    "HV1-C7",
    "says only that the start failed",
    level="should",
    shown_by="host-client/last-words/before-init-is-answered",
)
class SaysOnlyStartFailed(HostClient):
    async def __aenter__(self) -> Self:
        try:
            return await super().__aenter__()
        except HostLost as error:
            raise HostLost("did not start", None, "") from error


class UnsignalledLink(HostLink):
    def _fail_calls(self, reason: str, status: int | None) -> None:
        if status is None or status >= 0:
            super()._fail_calls(reason, status)

    async def _lose(self, reason: str) -> None:
        pass


@broken(
    "death-by-signal-unseen",
    "HV1-C7",
    "waits for a host that a signal ended",
)
class DeathBySignalUnseen(WiredClient):
    link_type = UnsignalledLink


class SignallessLink(HostLink):
    def _fail_calls(self, reason: str, status: int | None) -> None:
        known = status if status is None or status >= 0 else None
        super()._fail_calls(reason, known)


@broken(
    "no-signal",
    "HV1-C7",
    "does not tell the signal that ended the host",
    level="should",
    shown_by="host-client/last-words/signal",
)
class TellsNoSignal(WiredClient):
    link_type = SignallessLink


class VeryLastLineLink(HostLink):
    def _last_line(self) -> str:
        return (
            self.stderr_tail.decode(errors="replace")
            .removesuffix("\n")
            .rpartition("\n")[2]
        )


@broken(
    "blank-last-line",
    "HV1-C7",
    "tells the last line of stderr where it is blank",
    level="should",
    shown_by="host-client/deaths/blank-lines-at-the-end",
)
class TellsABlankLine(WiredClient):
    link_type = VeryLastLineLink


class UnreadStderrLink(HostLink):
    async def _read_stderr(self) -> None:
        # What is left in the pipe is read when the host is gone, and not before.
        pass


@broken("stderr-not-drained", "HV1-C7", "reads stderr only when the host has died")
class DoesNotDrainStderr(WiredClient):
    link_type = UnreadStderrLink


class ForgetfulLink(HostLink):
    async def finish(self, *args: Any, **kwargs: Any) -> Outcome:
        outcome = await super().finish(*args, **kwargs)
        # A host that is about to die is given the time to.
        with anyio.move_on_after(0.1):
            await self._exited.wait()
            return HostLost(*self._loss) if self._loss else outcome
        return outcome


@broken(
    "last-answer-lost",
    "HV1-C7",
    "loses an answer that came before the death",
    shown_by="host-client/deaths/last-answer",
)
class LosesLastAnswers(WiredClient):
    link_type = ForgetfulLink


@broken("no-deadline", "HV1-C9", "does not heed a deadline")
class NoDeadline(HostClient):
    async def execute(self, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("within", None)
        return await super().execute(*args, **kwargs)


class RenewedCall(Call):
    """A call whose deadline is counted from what came last."""

    def add_chunk(self, chunk: JSONObject) -> None:
        super().add_chunk(chunk)
        self.deadline = anyio.current_time() + self.seconds


class RenewingLink(HostLink):
    def start(self, request: Any, seconds: float) -> Call:
        call = super().start(request, seconds)
        renewed = RenewedCall(request, seconds, call.deadline, outcome=call.outcome)
        if call.outcome is None:
            self._calls[request.id] = renewed
        return renewed

    async def finish(self, call: Call, *args: Any, **kwargs: Any) -> Outcome:
        while call.outcome is None and anyio.current_time() < call.deadline:
            with anyio.CancelScope(deadline=call.deadline):
                call.news = anyio.Event()
                await call.news.wait()
        return await super().finish(call, *args, **kwargs)


@broken("idle-deadline", "HV1-C9", "counts the deadline anew from every event")
class IdleDeadline(WiredClient):
    link_type = RenewingLink


@broken("hasty-deadline", "HV1-C9", "fails a call in a tenth of its time")
class HastyDeadline(HostClient):
    async def execute(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("within") is not None:
            kwargs["within"] /= 10
        return await super().execute(*args, **kwargs)


class LateConnection(RewritingConnection):
    """Takes what comes too late for the oldest call that still waits."""

    def __init__(self) -> None:
        super().__init__()
        self.late: set[str] = set()

    def forget(self, request_id: str) -> None:
        if request_id in self.waiting:
            self.late.add(request_id)
        super().forget(request_id)

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame["id"] in self.late and self.waiting:
            frame["id"] = self.waiting[0]


@broken("late-answers-count", "HV1-C9", "takes a late answer for another call's")
class LateAnswersCount(WiredClient):
    connection_type = LateConnection


class LateStateConnection(LateConnection):
    """Keeps the state of a late answer, though not the answer."""

    state: Any = None

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame.get("ok") is not True:
            return
        if frame["id"] in self.late:
            self.state = frame["result"].get("state")
        elif self.state is not None:
            frame["result"].setdefault("state", self.state)


@broken("late-state-counts", "HV1-C9", "keeps the state of a late answer")
class KeepsLateStates(WiredClient):
    connection_type = LateStateConnection


class ImpatientLink(HostLink):
    async def finish(self, *args: Any, **kwargs: Any) -> Outcome:
        outcome = await super().finish(*args, **kwargs)
        if isinstance(outcome, CallTimeout):
            self._fail_calls("did not answer in time", None)
        return outcome


@broken("deadline-ends-all", "HV1-C9", "fails all calls at the deadline of one")
class DeadlineEndsAll(WiredClient):
    link_type = ImpatientLink


class PipesLink(HostLink):
    """Takes the end of stdout for that of the host."""

    async def _await_exit(self) -> None:
        await self._process.process.wait()
        await self._stdout_ended.wait()
        await super()._await_exit()

    async def _read_stdout(self) -> None:
        self._stdout_ended = anyio.Event()
        while data := await self._stdout.receive():
            self._receive(data)
        self._stdout_ended.set()


@broken("waits-for-the-pipes", "HV1-C7", "waits for the end of a dead host's stdout")
class WaitsForThePipes(WiredClient):
    link_type = PipesLink


class BesideLink(HostLink):
    async def finish(self, *args: Any, **kwargs: Any) -> Outcome:
        outcome = await super().finish(*args, **kwargs)
        if isinstance(outcome, CallTimeout):
            for call in list(self._calls.values()):
                call.finish(outcome)
        return outcome


@broken(
    "deadline-ends-those-beside",
    "HV1-C9",
    "fails the calls in flight beside one whose deadline expires, and goes on",
)
class DeadlineEndsThoseBeside(WiredClient):
    link_type = BesideLink


@broken(
    "stale-deadline-kills",
    "HV1-C9",
    "ends the host at the deadline of a call that has had its answer",
    shown_by="host-client/deadlines/deadline-of-an-answered-call",
)
class StaleDeadlineKills(HostClient):
    async def _finish(self, call: Call, on_chunk: Any = None) -> Any:
        answer = await super()._finish(call, on_chunk)
        self._tasks.start_soon(self._expire, call.deadline)
        return answer

    async def _expire(self, deadline: float) -> None:
        await anyio.sleep_until(deadline)
        await self._process.kill()


@broken(
    "stale-deadline-fails",
    "HV1-C9",
    "fails what is in flight at the deadline of a call that has had its answer",
    shown_by="host-client/deadlines/deadline-of-an-answered-call",
)
class StaleDeadlineFails(StaleDeadlineKills):
    async def _expire(self, deadline: float) -> None:
        await anyio.sleep_until(deadline)
        for call in list(self._link._calls.values()):
            call.finish(CallTimeout(call.request.method, call.seconds))


class WritingLink(HostLink):
    """Counts the time of a call from when the host has taken it."""

    async def finish(self, *args: Any, **kwargs: Any) -> Outcome:
        await self._writer.flush()
        return await super().finish(*args, **kwargs)


@broken(
    "deadline-after-the-write",
    "HV1-C9",
    "waits for the host to take a call before its deadline counts",
    shown_by="host-client/deadlines/deadline-of-a-call-that-is-not-read",
)
class DeadlineAfterTheWrite(WiredClient):
    link_type = WritingLink


class HastyLink(HostLink):
    async def _lose(self, reason: str) -> None:
        if reason == "closed its stdin":
            self._fail_calls(reason, None)
        await super()._lose(reason)


@broken(
    "broken-pipe-alone",
    "HV1-C7",
    "tells of the broken pipe alone where the host dies while a call is sent",
    level="should",
    shown_by="host-client/last-words/while-a-call-is-sent",
)
class BrokenPipeAlone(WiredClient):
    link_type = HastyLink
