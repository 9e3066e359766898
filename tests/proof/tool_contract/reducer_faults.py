"""Registries that keep, run or remove reducers wrongly: TOOL-D1 to D7."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.proof.tool_contract.subject import (
    Registry,
    Subject,
    broken,
    put,
    registry,
)

from wireproof_reference.tool_contract import (
    Failure,
    ReducerContext,
    ReducerRegistry,
    ReducerTaken,
    Success,
    ToolResult,
)
from wireproof_reference.tool_contract._data_tools import DataReducer

reduced = ReducerRegistry.reduced
register = ReducerRegistry.register
result_of = Registry._result
outcome_of = Registry._outcome
truncated = registry.truncated


def reduces(change: Any) -> None:
    """Let `change(reducers, tool name, result, context)` reduce."""
    put("reduced", change, ReducerRegistry)


def registers(change: Any) -> None:
    """Let `change(reducers, reducer)` register."""
    put("register", change, ReducerRegistry)


# --- D1


@broken(
    "reduces-after-the-cut",
    "TOOL-D1",
    "reduces what it has cut",
    shown_by="tool-contract/reducers/before-truncation",
)
def _after_the_cut(subject: Subject) -> None:
    late: list[Any] = []

    def keep(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        late.append((self, name, about))
        return result

    def cut(result: ToolResult, cap: int) -> Any:
        found = truncated(result, cap)
        if late:
            self, name, about = late.pop()
            return reduced(self, name, found, about)
        return found

    reduces(keep)
    put("truncated", cut)


@broken(
    "reduces-by-the-beginning",
    "TOOL-D1",
    "reduces tools whose names begin with the reducer's",
)
def _by_beginning(subject: Subject) -> None:
    def look(self: Any, name: str) -> Any:
        found = (one for key, one in self._by_tool.items() if name.startswith(key))
        return self._by_tool.get(name) or next(found, None)

    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        found = look(self, name)
        return reduced(self, found.tool_name if found else name, result, about)

    reduces(reduce)


@broken(
    "reduces-in-any-case", "TOOL-D1", "finds reducers whatever the case of their names"
)
def _any_case(subject: Subject) -> None:
    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        names = {key.lower(): key for key in self._by_tool}
        return reduced(self, names.get(name.lower(), name), result, about)

    reduces(reduce)


@broken("reduces-what-was-thrown", "TOOL-D1", "reduces what was thrown", level="should")
def _thrown(subject: Subject) -> None:
    async def carried(self: Any, call: Any, tool: Any, context: Any) -> Any:
        found = await result_of(self, call, tool, context)
        reducer = self.reducers.get(tool.name)
        returns = isinstance(reducer, DataReducer) and "return" in reducer.does
        if isinstance(found, Failure) and returns and found.code == "execution_failed":
            return Success("all is well")
        return found

    Registry._result = carried


@broken(
    "reduces-dry-runs", "TOOL-D1", "reduces the result of a dry run", level="should"
)
def _dry(subject: Subject) -> None:
    async def carried(self: Any, call: Any, tool: Any, context: Any, *more: Any) -> Any:
        found = await outcome_of(self, call, tool, context, *more)
        if not context.dry_run:
            return found
        about = ReducerContext(call.args, context.current_turn)
        result = self.reducers.reduced(tool.name, found.result, about)
        return replace(found, result=result)

    Registry._outcome = carried


@broken(
    "reduces-once-a-batch",
    "TOOL-D1",
    "reduces one call of a batch only",
)
def _once(subject: Subject) -> None:
    done: set[str] = set()
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, *given: Any) -> Any:
        done.clear()
        return await original(self, *given)

    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        if name in done:
            return result
        done.add(name)
        return reduced(self, name, result, about)

    Registry.execute_parallel = execute_parallel
    reduces(reduce)


@broken(
    "empty-value-of-a-reducer-ignored",
    "TOOL-D1",
    "takes an empty value of a reducer for none",
)
def _empty_value(subject: Subject) -> None:
    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        found = reduced(self, name, result, about)
        empty = isinstance(found, Success) and not found.value
        return result if empty else found

    reduces(reduce)


@broken(
    "reducers-of-objects-are-taken",
    "TOOL-D1",
    "finds a reducer under names that its language's objects have",
)
def _taken(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        if reducer.tool_name in {"constructor", "hasOwnProperty", "toString"}:
            raise ReducerTaken(f"{reducer.tool_name} has a reducer")
        return register(self, reducer)

    registers(add)


# --- D2


def on_throw(change: Any) -> None:
    """Let `change(result, error)` say what a reducer that throws leaves."""

    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        reducer = self.get(name)
        if isinstance(reducer, DataReducer) and "throw" in reducer.does:
            found: ToolResult = change(result, reducer.does["throw"])
            return found
        return reduced(self, name, result, about)

    reduces(reduce)


@broken(
    "throwing-reducer-fails-the-call", "TOOL-D2", "fails a call whose reducer throws"
)
def _fails(subject: Subject) -> None:
    on_throw(lambda result, error: Failure(error))


@broken(
    "throwing-reducer-ends-the-batch",
    "TOOL-D2",
    "lets what a reducer throws end the batch",
)
def _ends(subject: Subject) -> None:
    def throw(result: ToolResult, error: str) -> Any:
        raise RuntimeError(error)

    on_throw(throw)


@broken(
    "throwing-reducer-gives-what-came-before",
    "TOOL-D2",
    "gives what another reducer made where one throws",
    shown_by="tool-contract/reducers/throws-behind-others",
)
def _before(subject: Subject) -> None:
    made: list[Any] = []

    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        reducer = self.get(name)
        if isinstance(reducer, DataReducer) and "throw" in reducer.does:
            return made.pop() if made else result
        found = reduced(self, name, result, about)
        if found is not result:
            made.append(found)
        return found

    reduces(reduce)


@broken(
    "throwing-reducer-leaves-the-value",
    "TOOL-D2",
    "leaves the value alone where a reducer throws",
)
def _value_only(subject: Subject) -> None:
    on_throw(
        lambda result, error: (
            Success(result.value) if isinstance(result, Success) else result
        )
    )


# --- D3


@broken(
    "second-reducer-replaces",
    "TOOL-D3",
    "lets a second reducer take the first one's place",
)
def _replaces(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        self._by_tool.pop(reducer.tool_name, None)
        return register(self, reducer)

    registers(add)


@broken(
    "second-reducer-is-refused-and-kept",
    "TOOL-D3",
    "refuses a second reducer, and keeps it all the same",
)
def _refused_and_kept(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        if reducer.tool_name in self._by_tool:
            self._by_tool[reducer.tool_name] = reducer
            raise ReducerTaken("taken")
        return register(self, reducer)

    registers(add)


@broken(
    "second-reducer-is-ignored",
    "TOOL-D3",
    "ignores a second reducer without an error",
)
def _ignored(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        if reducer.tool_name in self._by_tool:
            return lambda: None
        return register(self, reducer)

    registers(add)


@broken(
    "throwing-reducer-is-dropped",
    "TOOL-D3",
    "drops a reducer that has thrown, and takes another",
)
def _dropped(subject: Subject) -> None:
    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        found = reduced(self, name, result, about)
        reducer = self.get(name)
        if isinstance(reducer, DataReducer) and "throw" in reducer.does:
            del self._by_tool[name]
        return found

    reduces(reduce)


# --- D4


@broken(
    "removes-the-successor",
    "TOOL-D4",
    "removes whatever reducer its tool has",
)
def _successor(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        register(self, reducer)
        return lambda: self._by_tool.pop(reducer.tool_name, None)

    registers(add)


@broken("removes-one-like-it", "TOOL-D4", "removes a successor that is just like it")
def _like_it(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        register(self, reducer)

        def remove() -> Any:
            if self._by_tool.get(reducer.tool_name) == reducer:
                del self._by_tool[reducer.tool_name]

        return remove

    registers(add)


@broken(
    "removing-twice-is-an-error", "TOOL-D4", "raises where a reducer is removed twice"
)
def _twice(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        register(self, reducer)

        def remove() -> Any:
            found = self._by_tool.get(reducer.tool_name)
            if found is None:
                raise KeyError(reducer.tool_name)
            if found is reducer:
                del self._by_tool[reducer.tool_name]

        return remove

    registers(add)


@broken(
    "removes-nothing",
    "TOOL-D4",
    "says that it has removed a reducer, and keeps it",
)
def _nothing(subject: Subject) -> None:
    original = subject.unregister_reducer

    def unregister_reducer(handle: Any) -> Any:
        reducer = subject._reducers[handle]
        value = original(handle)
        if value["removed"]:
            subject._registry.reducers._by_tool[reducer.tool_name] = reducer
        return value

    put("unregister_reducer", unregister_reducer, subject)


@broken("removes-all", "TOOL-D4", "removes the reducers of all tools")
def _all(subject: Subject) -> None:
    def add(self: Any, reducer: Any) -> Any:
        register(self, reducer)

        def remove() -> Any:
            if self._by_tool.get(reducer.tool_name) is reducer:
                self._by_tool.clear()

        return remove

    registers(add)


# --- D5


def told(change: Any) -> None:
    """Let a reducer be told `change(context)`."""

    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        return reduced(self, name, result, change(about))

    reduces(reduce)


@broken("turns-from-zero", "TOOL-D5", "counts turns from 0 for reducers")
def _from_zero(subject: Subject) -> None:
    told(lambda about: replace(about, turn_count=about.turn_count - 1))


@broken("reducers-without-args", "TOOL-D5", "tells reducers no arguments")
def _without(subject: Subject) -> None:
    told(lambda about: replace(about, args={}))


@broken(
    "reducers-with-the-last-args",
    "TOOL-D5",
    "tells reducers the arguments of the batch's last call",
)
def _last(subject: Subject) -> None:
    last: list[Any] = []
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, calls: Any, *more: Any) -> Any:
        last[:] = [calls[-1].args] if calls else []
        return await original(self, calls, *more)

    Registry.execute_parallel = execute_parallel
    told(lambda about: replace(about, args=last[0]))


@broken("turns-counted-by-the-registry", "TOOL-D5", "counts turns by its own batches")
def _counted(subject: Subject) -> None:
    count = [0]
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, *given: Any) -> Any:
        count[0] += 1
        return await original(self, *given)

    Registry.execute_parallel = execute_parallel
    told(lambda about: replace(about, turn_count=count[0]))


@broken("falsy-args-are-none", "TOOL-D5", "tells reducers {} for falsy arguments")
def _falsy(subject: Subject) -> None:
    told(lambda about: replace(about, args=about.args or {}))


# --- D6


@broken(
    "no-result-is-a-failure",
    "TOOL-D6",
    "fails a call whose reducer gives no result",
    level="should",
)
def _no_result(subject: Subject) -> None:
    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        reducer = self.get(name)
        if isinstance(reducer, DataReducer) and "return" in reducer.does:
            given = reducer.does["return"]
            if not (isinstance(given, dict) and isinstance(given.get("value"), str)):
                return Failure("the reducer gave no result")
        return reduced(self, name, result, about)

    reduces(reduce)


@broken(
    "no-result-leaves-the-value",
    "TOOL-D6",
    "leaves the value alone where a reducer gives no result",
    level="should",
)
def _value_alone(subject: Subject) -> None:
    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        found = reduced(self, name, result, about)
        reducer = self.get(name)
        gives = isinstance(reducer, DataReducer) and reducer.does.get("return", True)
        if gives is None and isinstance(found, Success):
            return Success(found.value)
        return found

    reduces(reduce)


# --- D7


def gets(subject: Subject, change: Any) -> None:
    """Let `change(name, value)` be what is got."""
    original = subject.get_reducer

    def get_reducer(**told: Any) -> Any:
        return change(told["toolName"], original(**told))

    put("get_reducer", get_reducer, subject)


@broken("gets-what-was-removed", "TOOL-D7", "gives a reducer that was removed")
def _removed(subject: Subject) -> None:
    def change(name: str, value: Any) -> Any:
        known = [key for key, one in subject._reducers.items() if one.tool_name == name]
        return {"handle": value["handle"] or (known[-1] if known else None)}

    gets(subject, change)


@broken(
    "gets-what-it-got",
    "TOOL-D7",
    "gives a reducer that was asked for once for ever",
    shown_by="tool-contract/reducers/get-after-removal-and-before",
)
def _got(subject: Subject) -> None:
    known: dict[str, Any] = {}

    def change(name: str, value: Any) -> Any:
        if value["handle"] is not None:
            known[name] = value
        return known.get(name, value)

    gets(subject, change)


@broken("gets-the-latest", "TOOL-D7", "gives the latest reducer, whatever the tool")
def _latest(subject: Subject) -> None:
    def change(name: str, value: Any) -> Any:
        handles = list(subject._reducers)
        return {
            "handle": handles[-1]
            if handles
            and value["handle"] is None
            and subject._registry.reducers._by_tool
            else value["handle"]
        }

    gets(subject, change)


@broken(
    "gets-what-every-object-has",
    "TOOL-D7",
    "gives what its language's objects have under a name",
)
def _inherited(subject: Subject) -> None:
    names = {"constructor", "__proto__", "toString"}
    gets(subject, lambda name, value: {"handle": name} if name in names else value)
