from __future__ import annotations

import json
import shlex
import sys

import pytest

TOOL = """
import json, sys
args = json.loads(sys.stdin.read())["args"]
print(json.dumps({"result": len(args["text"])}))
"""

SERVER = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    result = len(request["params"]["args"]["text"])
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    print(json.dumps(answer), flush=True)
"""

PACK = {
    "tools": {
        "count": {
            "name": "count",
            "description": "Counts.",
            "parameters": {
                "type": "object",
                "properties": {"text": {"type": "string", "minLength": 3}},
                "required": ["text"],
            },
        }
    }
}

ARGS = """--exec-args={"text":"hi"}"""

OPTIONS = {"exec": TOOL, "exec-server": SERVER}

each_mode = pytest.mark.parametrize("option", OPTIONS)


def subject(pytester: pytest.Pytester, option: str) -> str:
    pytester.makefile(".py", subject=OPTIONS[option])
    return f"--{option}={shlex.join([sys.executable, '-S', 'subject.py'])}"


@each_mode
def test_a_run_that_does_not_say_what_to_call_with_names_the_three(
    pytester: pytest.Pytester, option: str
) -> None:
    result = pytester.runpytest_inprocess(f"--{option}=true")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--exec-args, --exec-toolset, --pack*"])


@pytest.mark.parametrize(
    ("option", "check"),
    [("exec", "exec-oneshot/output"), ("exec-server", "exec-server/framing")],
)
def test_a_tool_is_called_with_the_args_that_are_given(
    pytester: pytest.Pytester, option: str, check: str
) -> None:
    result = pytester.runpytest_inprocess(
        subject(pytester, option), ARGS, "--fuzz=0", "-k", f"{check}/one"
    )
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*(level wire, *"])


def test_args_are_made_of_the_schema_in_a_pack(pytester: pytest.Pytester) -> None:
    pytester.makefile(".json", pack=json.dumps(PACK))
    result = pytester.runpytest_inprocess(
        subject(pytester, "exec"), "--pack=pack.json", "--fuzz=0", "-k", "one-object"
    )
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "it is not JSON"), ("[1]", "args are a JSON object")],
)
def test_args_that_are_no_object_are_refused(
    pytester: pytest.Pytester, text: str, said: str
) -> None:
    result = pytester.runpytest_inprocess("--exec=true", f"--exec-args={text}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--exec-args: *{said}*"])


def test_a_pack_of_several_tools_asks_for_more(pytester: pytest.Pytester) -> None:
    several = {"tools": {"a": PACK["tools"]["count"], "b": PACK["tools"]["count"]}}
    pytester.makefile(".json", pack=json.dumps(several))
    result = pytester.runpytest_inprocess("--exec=true", "--pack=pack.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*it defines a, b: *"])


def test_a_failure_is_shown_again_by_one_line_of_shell(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(
        ".sh", subject="""cat >/dev/null; echo log; echo '{"result":1}'"""
    )
    result = pytester.runpytest_inprocess(
        "--exec=sh subject.sh", ARGS, "--fuzz=0", "-k", "nothing-else"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            '*beside the object stands on stdout "log"*',
            "*printf *args*hi*| { sh subject.sh; echo*",
        ]
    )


def test_a_users_own_test_has_the_tool(pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(
        """
        def test_a_call(exec_tool):
            assert exec_tool.call({"text": "four"}) == 4
            assert exec_tool.status == 0
        """
    )
    result = pytester.runpytest_inprocess(
        subject(pytester, "exec"), ARGS, "-k", "test_a_call", path
    )
    result.assert_outcomes(passed=1)


NEEDS_HOME = """
import json, os, sys
args = json.loads(sys.stdin.read())["args"]
print(json.dumps({"result": len(os.environ["HOME"])}))
"""


def configure(pytester: pytest.Pytester) -> str:
    pytester.makefile(".py", tool=TOOL, server=SERVER, home=NEEDS_HOME)
    python = [sys.executable, "-S"]

    def bind(file: str, **more: str) -> dict[str, object]:
        return {"exec": {"command": python[0], "args": ["-S", file], **more}}

    tools = {
        "count": bind("tool.py"),
        "count_on": bind("server.py", runtime="server"),
        "home": bind("home.py"),
    }
    pytester.makefile(".json", config=json.dumps({"spec": {"tools": tools}}))
    return "--runtime-config=config.json"


def test_every_binding_of_a_file_is_tried_in_its_mode(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess(
        configure(pytester), ARGS, "--fuzz=0", "-k", "one-object or two-in-one-write"
    )
    result.stdout.fnmatch_lines(
        [
            "*wireproof: exec-oneshot config.json count *",
            "*wireproof: exec-oneshot config.json home *",
            "*wireproof: exec-server config.json count_on *",
        ]
    )


def test_a_binding_that_needs_more_than_it_lists_breaks_its_own_clause(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess(
        configure(pytester), ARGS, "--fuzz=0", "-k", "environment and home"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*EXEC-O11 MUST*", "*it succeeds with all variables of this environment*"]
    )


def test_bindings_without_args_name_the_three(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(configure(pytester))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--runtime-config: *--exec-toolset, --pack*"])
