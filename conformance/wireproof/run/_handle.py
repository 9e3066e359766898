"""A subject as the handle that a user's own tests get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from wireproof.judge import Reason
    from wireproof.run._driver import Answer, Request
    from wireproof.run._runner import Runner


class EngineHandle:
    """A subject that was brought up, to be used in a ``with`` block."""

    def __init__(self, runner: Runner, sentence: Callable[[Reason], str]) -> None:
        """Prepare; the subject is started on entering the block.

        Args:
            runner: Starts the subject and asks it.
            sentence: Makes a sentence of a reason.
        """
        self._runner = runner
        self._sentence = sentence

    def __enter__(self) -> Self:
        """Bring the subject up.

        Raises:
            NoAnswer: If it does not come up.
        """
        __tracebackhide__ = True
        if (reason := self._runner.bring_up()) is not None:
            stderr = self._runner.stderr
            self._runner.finish()
            raise NoAnswer(f"{self._sentence(reason)}\n{stderr}".rstrip())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the subject and all that it has started."""
        self._runner.finish()

    def _ask(self, request: Request, name: str) -> Any:
        """Send a request and return its response.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        return self._value(self._runner.ask(request), name)

    @staticmethod
    def _value(answer: Answer, name: str) -> Any:
        """Return the response to a request.

        Raises:
            NoAnswer: If none came.
        """
        __tracebackhide__ = True
        if answer.value is None:
            what = (
                "the subject exited" if answer.ended == "exited" else "no answer came"
            )
            raise NoAnswer(f"{name}: {what}")
        return answer.value
