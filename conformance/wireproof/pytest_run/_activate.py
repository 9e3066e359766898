"""The start of a pytest run with a subject: from its options to what it registers.

``activate`` reads the options, decides what pytest itself has to collect, and registers
``ConformanceRun``, which does the rest.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.pytest_run._configure import Reader
from wireproof.pytest_run._fixtures import fixtures_for
from wireproof.pytest_run._items import Subject, marker_name
from wireproof.pytest_run._known_failures import read_known_failures
from wireproof.pytest_run._options import BY_NAME, SUBJECT_OPTIONS, Registered
from wireproof.pytest_run._run import PLUGIN_NAME, ConformanceRun
from wireproof.pytest_run._selection import (
    Selection,
    read_vector_files,
    split_arguments,
)
from wireproof.pytest_run._shards import ShardSelection

if TYPE_CHECKING:
    from collections.abc import Sequence


def activate(config: pytest.Config, registered: Registered) -> None:
    """Set up a run with subjects.

    Raises:
        pytest.UsageError: If an option or setting cannot be used.
    """
    reader = Reader(config, registered)
    targets = reader.targets()
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    folder = Path(config.invocation_params.dir)
    settings = reader.settings()
    if named and targets:
        settings = replace(settings, vectors=read_vector_files(config.args, folder))
    for name in {target.protocol for target in targets}:
        config.addinivalue_line("markers", f"{marker_name(name)}: checks of {name}")
    for level in ("must", "should", "may"):
        config.addinivalue_line("markers", f"{level}: checks of this level")
    if not targets:
        return
    registered.refuse_strays(config)
    registered.refuse_checks(config)
    subjects = [
        Subject(
            target,
            reader.settings_of(target, settings),
            reader.protocol_of(target),
            index,
        )
        for index, target in enumerate(targets)
    ]
    selection = _select(config, reader, subjects)
    reports = reader.reports()
    today = datetime.now().astimezone().date()
    known_failures = read_known_failures(reader, subjects, today)
    for subject in subjects:
        subject.baseline = known_failures.baseline
    if not config.option.collectonly:
        for subject in subjects:
            reader.refuse_absent(subject.target, subject.settings)
    if (shard := reader.shard()) is not None:
        config.pluginmanager.register(ShardSelection(shard), f"{PLUGIN_NAME}-shard")
    run = ConformanceRun(
        config, subjects, selection, reports, registered, known_failures, shard
    )
    config.pluginmanager.register(run, PLUGIN_NAME)
    config.pluginmanager.register(fixtures_for(subjects), f"{PLUGIN_NAME}-fixtures")


def _select(
    config: pytest.Config, reader: Reader, subjects: Sequence[Subject]
) -> Selection:
    """Take our ids out of pytest's arguments, and its defaults where none is left."""
    source = config.args_source
    from_settings = not any(
        reader.registered.on_command_line(config, BY_NAME[name])
        for name in SUBJECT_OPTIONS
    )
    if source is pytest.Config.ArgsSource.ARGS:
        known = [check for subject in subjects for check in subject.checks]
        folder = Path(config.invocation_params.dir)
        files = subjects[0].settings.vectors
        selection = split_arguments(config.args, folder, known, files)
        # With a subject from the settings, whoever names a test of their own means it.
        every = not (from_settings and selection.paths)
        selection = replace(selection, every=every)
    else:
        keeps = source is pytest.Config.ArgsSource.TESTPATHS and from_settings
        selection = Selection((), tuple(config.args) if keeps else ())
    config.args = list(selection.paths)
    return selection
