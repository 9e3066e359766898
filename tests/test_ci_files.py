"""What host authors take into their CI is valid by its format's schema, and runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from wireproof.command._settings_files import (
    FILL_IN,
    GITLAB_TEXT,
    WORKFLOW_TEXT,
    workflow_text,
)

YAML: Any = import_module("yaml")  # it has no stubs
ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
COMPONENT = ROOT / "templates" / "conformance.yml"
SOURCE = "wireproof @ git+https://gitlab.example.org/group/wireproof@v1"
OPTIONS = ["--host=reference", "host-v1/init/first-init", "-p", "no:hypothesispytest"]


def require_valid(document: Any, schema: str) -> None:
    """Hold a document to a schema of SchemaStore's, which check-jsonschema ships."""
    folder = files("check_jsonschema") / "builtin_schemas" / "vendor"
    loaded = json.loads((folder / f"{schema}.json").read_bytes())
    validator: Any = Draft7Validator(loaded)
    assert [error.message for error in validator.iter_errors(document)] == []


def component() -> str:
    """Return the job of the GitLab component, with inputs as an author gives them."""
    inputs = {
        "options": json.dumps(OPTIONS),
        "source": SOURCE,
        "image": "python:3.13",
        "stage": "test",
        "shards": "1",
    }
    text = COMPONENT.read_text().partition("\n---\n")[2]
    for name, value in inputs.items():
        text = text.replace(f"$[[ inputs.{name} ]]", value)
    return text


def run(script: str, folder: Path, **environment: str) -> None:
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],  # noqa: S607 - as the runner does it
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((folder / "wireproof.json").read_bytes())
    assert report["subjects"][0]["ran"] == 1


def test_the_action_is_valid() -> None:
    require_valid(YAML.safe_load((ROOT / "action.yml").read_text()), "github-actions")


def test_the_action_hands_on_an_option_a_line(tmp_path: Path) -> None:
    steps = YAML.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    (tmp_path / "wireproof").mkdir()
    (tmp_path / "wireproof" / "bin").symlink_to(BIN)
    run(
        steps[-1]["run"],
        tmp_path,
        RUNNER_TEMP=str(tmp_path),
        OPTIONS="\n".join([*OPTIONS, ""]),
        REPORT="wireproof.json",
    )


@pytest.mark.parametrize("source", [SOURCE, ""])
def test_the_workflow_that_init_writes_is_valid(source: str) -> None:
    # To YAML 1.1 `on` is a boolean; GitHub reads 1.2.
    document = YAML.safe_load(workflow_text(WORKFLOW_TEXT, source))
    require_valid({"on": document.pop(True), **document}, "github-workflows")
    steps = [step.get("run", "") for step in document["jobs"]["conformance"]["steps"]]
    assert f'python -m pip install "{source or FILL_IN}"' in steps


@pytest.mark.parametrize(
    "text",
    [workflow_text(GITLAB_TEXT, SOURCE), workflow_text(GITLAB_TEXT, ""), component()],
)
def test_a_job_of_gitlab_is_valid(text: str) -> None:
    require_valid(YAML.safe_load(text), "gitlab-ci")


def test_the_inputs_of_the_component_are_valid_and_all_are_used() -> None:
    text = COMPONENT.read_text()
    head = YAML.safe_load(text.partition("\n---\n")[0])
    require_valid(head, "gitlab-ci")
    assert "$[[" not in component()
    assert set(head["spec"]["inputs"]) == {
        "options",
        "source",
        "image",
        "stage",
        "shards",
    }


def test_the_component_hands_on_each_option(tmp_path: Path) -> None:
    job = YAML.safe_load(component())["wireproof"]
    (tmp_path / ".wireproof").symlink_to(BIN.parent)
    run(job["script"][-1], tmp_path, **job["variables"])


def test_what_the_page_shows_fits_the_files() -> None:
    page = (ROOT / "docs" / "ci.md").read_text()
    shown = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    steps, include, repositories = map(YAML.safe_load, shown)
    action = YAML.safe_load((ROOT / "action.yml").read_text())
    assert set(steps[1]["with"]) <= set(action["inputs"])
    head = YAML.safe_load(COMPONENT.read_text().partition("\n---\n")[0])
    inputs = head["spec"]["inputs"]
    given = set(include["include"][0]["inputs"])
    assert given <= set(inputs)
    assert given >= {name for name, one in inputs.items() if "default" not in one}
    hooks = YAML.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    known = {hook["id"] for hook in hooks}
    assert {hook["id"] for hook in repositories[0]["hooks"]} == known


def test_the_hooks_of_pre_commit_are_valid() -> None:
    command = [str(BIN / "pre-commit"), "validate-manifest", ".pre-commit-hooks.yaml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_hook_of_pre_commit_runs(tmp_path: Path) -> None:
    hooks = YAML.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (entry,) = [one["entry"] for one in hooks if one["id"] == "wireproof-vectors"]
    file = tmp_path / "own.json"
    file.write_text("{}")
    command = [str(BIN / "wireproof"), *shlex.split(entry)[1:], str(file)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 1
    assert f"{file}: 'schema' is a required property" in done.stdout


def test_the_image_is_without_fault_and_what_it_copies_is_there() -> None:
    command = [str(BIN / "hadolint"), "Dockerfile"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY ")]
    names = {name for words in copied for name in words if "wheels" not in name}
    allowed = (ROOT / ".dockerignore").read_text().splitlines()
    names.discard("--from=build")
    assert {f"!{name}" for name in names} <= set(allowed)
    assert all((ROOT / name).exists() for name in names)
    # Whoever mounts a folder gives the user by --user, who has no home in the image.
    assert "ENV HOME=/tmp" in lines
    page = (ROOT / "docs" / "ci.md").read_text()
    documented = [line for line in page.splitlines() if line.startswith("docker run")]
    assert [line for line in documented if '--user "$(id -u):$(id -g)"' in line]
    assert lines[0] == f"# {documented[0]}"
