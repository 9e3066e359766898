"""A check in a junit report: its group is the class, as CI systems sort by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def name_case(config: pytest.Config, report: pytest.TestReport) -> None:
    """Give the case of a check its names, where a junit report is written.

    Args:
        config: The configuration of the process that writes it.
        report: pytest's report of the check.
    """
    if not config.getoption("xmlpath", None):
        return
    # pytest's own fixture for this does the same; an item that is no function has none.
    from _pytest.junitxml import xml_key

    xml = config.stash.get(xml_key, None)
    if xml is None:
        return
    check, bracket, subject = report.nodeid.partition("[")
    group, _, name = check.rpartition("/")
    names = [*([xml.prefix] if xml.prefix else ()), *group.split("/")]
    case = xml.node_reporter(report)
    case.add_attribute("classname", ".".join(names))
    case.add_attribute("name", f"{name}{bracket}{subject}")
