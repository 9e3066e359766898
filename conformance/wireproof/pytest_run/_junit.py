"""A check in a junit report: its group is the class, as CI systems sort by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def add_case(config: pytest.Config, report: pytest.TestReport) -> None:
    """Add a case for what no item has failed for, where a junit report is written.

    Args:
        config: The configuration of the process that writes it.
        report: pytest's report of the failure.
    """
    if (xml := _xml(config)) is None:
        return
    name_case(config, report)
    case = xml.node_reporter(report)
    case.record_testreport(report)
    for name, value in report.user_properties:
        case.add_property(name, value)
    case.append_failure(report)


def name_case(config: pytest.Config, report: pytest.TestReport) -> None:
    """Give the case of a check its names, where a junit report is written.

    Args:
        config: The configuration of the process that writes it.
        report: pytest's report of the check.
    """
    if (xml := _xml(config)) is None:
        return
    check, bracket, subject = report.nodeid.partition("[")
    group, _, name = check.rpartition("/")
    names = [*([xml.prefix] if xml.prefix else ()), *group.split("/")]
    case = xml.node_reporter(report)
    case.add_attribute("classname", ".".join(names))
    case.add_attribute("name", f"{name}{bracket}{subject}")


def _xml(config: pytest.Config) -> Any:
    """Return what writes the junit report, or None where none is written."""
    if not config.getoption("xmlpath", None):
        return None
    # pytest's own fixture for this does the same; an item that is no function has none.
    from _pytest.junitxml import xml_key

    return config.stash.get(xml_key, None)
