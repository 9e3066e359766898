"""A one-shot tool for a user's own tests: arguments in, a result out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from wireproof.checks import NoAnswer
from wireproof.judge import Reason
from wireproof.protocols._exec_tools import exec_subject
from wireproof.protocols.exec_oneshot._inputs import written
from wireproof.protocols.exec_oneshot._reading import read
from wireproof.protocols.exec_oneshot._runs import Program, RunInput
from wireproof.report import sentence
from wireproof.run import LIMITS
from wireproof.subjects import kill_strays, new_marker

if TYPE_CHECKING:
    from types import TracebackType

    from wireproof.checks import Settings, Target


class ToolHandle:
    """A one-shot tool, to be used in a ``with`` block; each call starts it anew.

    Attributes:
        status: The exit status of the latest call.
        stderr: The end of what it wrote on stderr.
    """

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; nothing is started."""
        subject = exec_subject(target, settings)
        self.status: int | None = None
        self.stderr = ""
        self._seconds = settings.timeout or LIMITS["start"].cap
        self._marker = new_marker()
        self._program = Program(
            subject.command, subject.environment, settings.folder, self._marker
        )

    def __enter__(self) -> Self:
        """Return the tool."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End whatever calls have left behind."""
        kill_strays(self._marker)

    def answer(self, args: Any) -> dict[str, Any]:
        """Call the tool and return its object, with ``result`` or ``error``.

        Raises:
            NoAnswer: If there is none.
        """
        __tracebackhide__ = True
        given = [RunInput(written({"args": args}, {}))]
        (run,) = self._program.run(given, lambda _: self._seconds)
        self.status, self.stderr = run.status, run.stderr
        reading = read(run)
        if reading.value is None:
            kind, fields = reading.why or ("wrote-nothing", {})
            text = sentence(Reason(kind, "", fields))
            raise NoAnswer(f"{text}\n{run.stderr}".rstrip())
        return reading.value

    def call(self, args: Any) -> Any:
        """Call the tool and return its result.

        Raises:
            NoAnswer: If it reports an error, or nothing.
        """
        __tracebackhide__ = True
        value = self.answer(args)
        if "result" not in value:
            raise NoAnswer(f"it reported the error {value.get('error')!r}")
        return value["result"]
