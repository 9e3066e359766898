"""How a server is started, reached and asked."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import SubjectStartError
from wireproof.judge import MAIN, Reason
from wireproof.patterns import expand, is_array, is_object
from wireproof.protocols.socket_v1._connection import try_connect
from wireproof.protocols.socket_v1._descriptors import count_descriptors
from wireproof.protocols.socket_v1._link import START_SECONDS, ServerLink
from wireproof.protocols.socket_v1._looks import carry_out
from wireproof.protocols.socket_v1._place import HOME, SOCKET, Place, is_launched
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.run import COMMON_STEPS, NotUp, PlainDriver, Request, not_up
from wireproof.subjects import (
    SubjectProcess,
    launched_line,
    shown_folder,
    socket_line,
    subject_environment,
)
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, Settings, SubjectFacts, Target
    from wireproof.run import Answer, Hands, Link, Sink

OWN_ID = "wireproof-"
"""What the ids of the runner's own calls begin with."""

AFTER = "after the check"
"""The connection on which a server is asked if a check has left it none."""

CALLED_UNASKED = "conformance_context"
"""A tool of the toolset that takes no arguments: called if the user allows none."""

NO_CALL = {"type": "tool_call", "protocol": 1, "toolName": "conformance_no_such_tool"}
"""What no server answers with a listing but one that answers so to everything."""

SHOWN_TOOLS = 8
"""Most tools that are named if one that is none of them was allowed."""

SOME_MEMBERS = ("conformance_aborts",)
"""Tools of which not every result has all members that checks need."""


class SocketConnections:
    """The connections to one server, over all its starts.

    Attributes:
        keeps: Whether a server may keep something from one check to the next.
        link: The server in use; None before the first.
        names: The values that steps refer to by name.
    """

    keeps = True

    def __init__(
        self,
        target: Target,
        settings: Settings,
        names: dict[str, Any],
        control: Callable[[], Request],
    ) -> None:
        """Prepare; nothing is started.

        Args:
            target: The server's command, or the path of its socket.
            settings: The user's options.
            names: The values that steps refer to by name.
            control: Returns a plain valid request.
        """
        self._control = control
        self.link: ServerLink | None = None
        self.names = names
        own = settings.of(SocketSettings)
        named = is_launched(target.command)
        # What runs already is reached by the path of a socket that is there.
        runs = own.path is None or Path(target.command[0]).is_socket()
        self.launched = named or not runs
        self._own_path = None if named or runs else own.path
        words = (*target.command, self._own_path or "")
        self._names_home = any(HOME in word for word in words)
        self.knows_home = self._names_home or own.home is not None
        self._home = own.home
        self._target = target
        self._settings = settings

    def start(self, sink: Sink, marker: str) -> Link:
        """Start a server in a place of its own, or reach the one that runs.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        path = None if self.launched else self._target.command[0]
        place = Place(path, self._home, names=self._names_home)
        if self._own_path is not None:
            (chosen,) = place.fill([self._own_path])
            place.socket = str(Path(self._settings.folder, chosen))
            if not isinstance(there := try_connect(place.socket), OSError):
                there.close()
                place.remove()
                text = f"another server listens at {chosen} already; stop it first"
                raise SubjectStartError(self._target.command, text)
        start = partial(self._started, sink, marker) if self.launched else None
        try:
            return ServerLink(place, sink, start, self._control)
        except Exception:
            place.remove()
            raise

    def _started(self, sink: Sink, marker: str, place: Place) -> SubjectProcess:
        environment = subject_environment(
            {"HOME": str(place.user_home), **self._settings.environment}
        )
        return SubjectProcess(
            place.fill(self._target.command),
            environment=environment,
            folder=self._settings.folder,
            on_stdout=sink.stderr,
            on_stderr=sink.stderr,
            marker=marker,
        )

    def take(self, link: Link) -> None:
        """Use a server that was started from now on."""
        if isinstance(link, ServerLink):
            self.link = link
            place = link.place
            self.names |= {
                "socket_path": place.socket,
                "scratch": str(place.scratch),
                "home": str(place.home or ""),
            }

    def end(self) -> None:
        """Do nothing: what comes between two checks is of the first."""

    def begin(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Begin a check: close the connections of the one before."""
        if (link := self.link) is None:
            return
        link.close_all()
        link.place.close_stand_in()
        link.started_over = False
        self.names["pid"] = link.pid
        link.offsets = {one: one.stat().st_size for one in link.place.audit_logs()}

    def turn(self, on: str) -> bool:
        """Take a connection in hand, opening it if need be; return whether it is."""
        return self.link is not None and self.link.turn(on)

    def alive(self) -> Sequence[str]:
        """Return the connections that have to be served at the end of a check."""
        link = self.link
        if link is None or link.told_to_end:
            return ()
        names = list(link.names)
        # What was open before says nothing about who is served from now on.
        return [*names, AFTER] if link.started_over or not names else names

    def is_own(self, step: Mapping[str, Any]) -> bool:
        """Return whether a step is not one that all protocols have."""
        return COMMON_STEPS.isdisjoint(step)

    def carry_out(self, step: Mapping[str, Any], hands: Hands) -> Any:
        """Carry out a step of the protocol's own; return what it saw, as JSON."""
        if self.link is None:
            return {}
        return carry_out(step, self.link, hands)

    def is_shown(self, steps: Sequence[Mapping[str, Any]], *, has_seen: bool) -> bool:
        """Return whether no step has looked at files or servers."""
        return not has_seen

    def line_of_shell(
        self, writes: Sequence[bytes], names: Mapping[str, Any], seconds: float
    ) -> str | None:
        """Build a line that sends writes to the server, or to one that it starts."""
        *before, last = writes
        scratch: str = names.get("scratch", "")
        settings = self._settings
        if self.launched:
            return launched_line(
                last,
                self._target.command,
                socket=self._own_path or SOCKET,
                folder=shown_folder(settings),
                environment=settings.shown_environment,
                seconds=seconds,
                before=before,
                scratch=scratch,
            )
        if scratch:
            # It is gone after the run.
            there = scratch.encode(), tempfile.gettempdir().encode()
            *before, last = [one.replace(*there) for one in writes]
        path = shlex.quote(self._target.command[0])
        return socket_line(last, path, seconds=seconds, before=before)


class SocketDriver(PlainDriver):
    """How one server is started and asked.

    Attributes:
        names: The values of the server in hand that steps refer to by name.
        tools: The tools that it lists, by name.
    """

    forwarded = None

    def __init__(
        self, target: Target, settings: Settings, *, is_tried: bool = True
    ) -> None:
        """Prepare; nothing is started.

        Args:
            target: The server's command, or the path of its socket.
            settings: The user's options.
            is_tried: Whether checks are to be tried: what it offers is found out.
        """
        self._target = target
        self._is_tried = is_tried
        self.command = target.command
        self.environment = subject_environment(settings.environment)
        self.folder = settings.folder
        self.names: dict[str, Any] = {}
        self.tools: dict[str, Any] = {}
        self.server = SocketConnections(target, settings, self.names, self.control)
        self._settings = settings
        self._setup: Mapping[str, Any] = load_setup("socket-v1")
        self._allowed = settings.of(SocketSettings).allowed_tools
        self._control: Mapping[str, Any] | None = None
        self._members: dict[str, set[str]] = {}
        self._own = 0
        self._has_looked = False

    @property
    def connections(self) -> SocketConnections:
        """The connections to the server."""
        return self.server

    # --- the start

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Reach the server, have its tools listed, and find a control."""
        link = self.server.link
        if link is None:
            return NotUp("not-listening", {"detail": "it was not started"})
        seconds = min(self._settings.timeout or START_SECONDS, START_SECONDS)
        if why := link.await_listening(seconds):
            ended = link.exit_status is not None
            kind = "exited-at-start" if ended else "not-listening"
            return NotUp(kind, {"detail": why})
        self.names["pid"] = link.pid
        if not link.turn(MAIN):
            return NotUp("not-listening", {"detail": "it accepts no connection"})
        if self._control is None:
            controls: Sequence[Mapping[str, Any]] = self._setup["controls"]
        else:
            controls = [self._control]
        why_not: NotUp | None = None
        for control in controls:
            problem = not_up(ask(self._request(control, self._succeeds)))
            if problem is None:
                self._control = control
                break
            why_not = why_not or problem
            if problem.kind != "control-refused":
                return problem
        else:
            return why_not
        if not self._is_tried:
            return None
        if (why_not := self._look_around(ask, link)) is not None:
            return why_not
        self._learn(ask)
        link.drop(MAIN)
        answer = ask(self.control()) if link.turn(MAIN) else None
        if answer is None or answer.ended != "answered":
            # What came on the first connection stands; nothing else can be tried.
            return NotUp("serves-one-connection", {})
        link.drop(MAIN)
        return None

    def _look_around(
        self, ask: Callable[[Request], Answer], link: ServerLink
    ) -> NotUp | None:
        """See once whether the server reads what it is asked."""
        if self._has_looked:
            return None
        self._has_looked = True
        answer = ask(self._request(NO_CALL, self._succeeds))
        if is_object(answer.value) and answer.value.get("type") == "tools_list":
            self._has_looked = False
            return NotUp("alike", {})
        if answer.ended == "refused":
            return None
        # What such a call does to a server its checks show.
        link.drop(MAIN)
        if link.exit_status is not None:
            link.start_again()
        why = link.await_listening(START_SECONDS)
        if why or not link.turn(MAIN):
            return NotUp("not-listening", {"detail": why})
        return None

    def _learn(self, ask: Callable[[Request], Answer]) -> None:
        """Find out once what the results of a tool have."""
        # If the user names some, no other is called in their place.
        named = self._allowed or (CALLED_UNASKED,)
        allowed = [one for one in named if one in self.tools]
        if allowed:
            self.names["allowed_tool"] = allowed[0]
        for tool in self.tools.keys() & set(SOME_MEMBERS) - self._members.keys():
            call = {"type": "tool_call", "protocol": 1, "toolName": tool}
            answer = ask(self._request({**call, "arguments": {}}, self._succeeds))
            result = answer.value.get("result") if is_object(answer.value) else None
            content = result.get("content") if is_object(result) else None
            self._members[tool] = set(content) if is_object(content) else set()

    def control(self) -> Request:
        """Return a plain valid request with an id of its own."""
        return self._request(
            self._control or self._setup["controls"][0], self._succeeds
        )

    def any_request(self, message: Mapping[str, Any]) -> Request:
        """Return a request that may be answered by anything."""
        return self._request(message, lambda _: True)

    def _request(
        self, message: Mapping[str, Any], accepts: Callable[[Any], bool]
    ) -> Request:
        filled = expand(
            {key: one for key, one in message.items() if key != "requestId"}, self.names
        )
        if filled["type"] != "list_tools":
            self._own += 1
            filled["requestId"] = f"{OWN_ID}{self._own}"
        return Request(filled, accepts)

    def _succeeds(self, answer: Any) -> bool:
        if not is_object(answer):
            return False
        if answer.get("type") == "tools_list" and is_array(answer.get("tools")):
            self.tools = {
                one["name"]: one
                for one in answer["tools"]
                if is_object(one) and isinstance(one.get("name"), str)
            }
            return True
        result = answer.get("result")
        return is_object(result) and result.get("ok") is True

    # --- what is known of the server

    def lacking(self, check: Check, ask: Callable[[Request], Answer]) -> Reason | None:
        """Return what a check needs and the server does not offer."""
        needs: Mapping[str, Any] = check.needs
        clause = check.clauses[0]
        for tool in check.calls:
            if tool not in self.tools:
                return Reason("needs-tool", clause, {"tool": tool})
        pid = self.server.link.pid if self.server.link else 0
        lacks = {
            "launched": not self.server.launched,
            "home": not self.server.knows_home,
            "allowed": "allowed_tool" not in self.names,
            "descriptors": count_descriptors(pid) is None,
        }
        for need, is_lacking in lacks.items():
            if needs.get(need) and is_lacking:
                return Reason(f"needs-{need}", clause, self._remedy(need))
        for tool, arguments in needs.get("requires", {}).items():
            schema = self.tools[tool].get("inputSchema")
            named = schema.get("required") if is_object(schema) else None
            lacking = [one for one in arguments if one not in (named or ())]
            if lacking:
                fields = {"tool": tool, "member": lacking[0]}
                return Reason("needs-requirement", clause, fields)
        for tool, keys in needs.get("keys", {}).items():
            for key in keys:
                if key not in self._members.get(tool, ()):
                    return Reason("needs-key", clause, {"tool": tool, "member": key})
        return None

    def _remedy(self, need: str) -> dict[str, Any]:
        """Return what the user can do about a need that is not met."""
        match need:
            case "home":
                return {"options": self._home_options()}
            case "allowed":
                return {"allowed": ", ".join(self._allowed)}
            case _:
                return {}

    def _home_options(self) -> str:
        """Return the options that say where the server's files are."""
        if not self.server.launched:
            return "--socket-home=DIR"
        program, _, words = self._target.text.partition(" ")
        command = f"env HOME={HOME} {self._target.text}"
        if Path(program).name == "java":
            # It takes a user's folder from elsewhere.
            command = f"{program} -Duser.home={HOME} {words}"
        flag = shlex.quote(f"--socket={command}")
        return f"--socket-home=DIR, or {flag}"

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the server: its tools, and what was not tried."""
        held = sum(bool(check.needs.get("home")) for check in checks)
        untried: list[str] = []
        if held and not self.server.knows_home:
            options = self._home_options()
            untried.append(f"have its files tried as well, by {held} checks: {options}")
        listed = ", ".join(list(self.tools)[:SHOWN_TOOLS]) or "none at all"
        remarks = [
            f"--allow-tool names {name!r}, which the server does not list; "
            f"it lists {listed}"
            for name in self._allowed
            if self._control is not None and name not in self.tools
        ]
        called = {tool for check in checks for tool in check.calls}
        missing = tuple(sorted(called - self.tools.keys()))
        return replace(
            facts,
            level="wire" if missing or self._control is None else "full",
            missing_checks=sum(not set(missing).isdisjoint(c.calls) for c in checks),
            missing_tools=missing,
            own_tools=tuple(
                one for one in self.tools if one not in {*called, *self._allowed}
            ),
            untried=tuple(untried),
            remarks=tuple(remarks),
            # One that runs, nobody here has started.
            starts=facts.starts if self.server.launched else 0,
        )
