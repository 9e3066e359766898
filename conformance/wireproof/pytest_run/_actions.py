"""The options that print something and stop."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Target
from wireproof.protocols import all_protocols
from wireproof.pytest_run._configure import Reader
from wireproof.pytest_run._items import Subject, SubjectNode
from wireproof.pytest_run._listing import explain, list_checks
from wireproof.pytest_run._selection import (
    Selection,
    read_vector_files,
    split_arguments,
)
from wireproof.reporting import layout_of_stdout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Check, Settings
    from wireproof.pytest_run._options import Registered


def print_answers(config: pytest.Config, registered: Registered) -> int:
    """Print what ``--explain`` and ``--list-vectors`` ask for.

    Returns:
        The exit status.

    Raises:
        pytest.UsageError: If an option or setting cannot be used.
    """
    reader = Reader(config, registered)
    settings = reader.settings()
    lines = [
        line
        for clause in config.option.wireproof_explain or ()
        for line in explain(clause, settings, layout_of_stdout(config.option.verbose))
    ]
    if config.option.wireproof_list_vectors:
        wanted = {target.protocol for target in reader.targets()}
        chosen = _chosen(config, settings, wanted)
        if not chosen:
            sys.stderr.write("no check matches what was asked for\n")
        lines += list_checks(chosen)
    sys.stdout.write("\n".join(lines) + "\n")
    return int(pytest.ExitCode.OK)


def _chosen(
    config: pytest.Config, settings: Settings, protocols: set[str]
) -> Sequence[Check]:
    """Return the checks that a run with these arguments would run.

    Args:
        config: What the command line asks for.
        settings: The options, of which the level and the fuzzing count here.
        protocols: The protocols asked for; empty for all.
    """
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    folder = Path(config.invocation_params.dir)
    if named:
        settings = replace(settings, vectors=read_vector_files(config.args, folder))
    subjects = [
        Subject(Target(protocol.name, "", (), ""), settings, protocol, index)
        for index, protocol in enumerate(all_protocols())
        if not protocols or protocol.name in protocols
    ]
    known = [check for subject in subjects for check in subject.checks]
    selection = Selection((), ())
    if named:
        selection = split_arguments(config.args, folder, known, settings.vectors)
    if not (config.option.keyword or config.option.markexpr):
        return [check for check in known if selection.holds(check.id)]
    session = pytest.Session.from_config(config)
    items: list[pytest.Item] = [
        item
        for subject in subjects
        for item in SubjectNode.build(session, subject, named=False).collect()
        if selection.holds(item.name)
    ]
    # pytest's own plugin, which knows what -k and -m mean, takes out what is not meant;
    # others have not been configured, for nothing is run.
    marks: Any = config.pluginmanager.get_plugin("mark")
    marks.pytest_collection_modifyitems(items, config)
    left = {item.name for item in items}
    return [check for check in known if check.id in left]
