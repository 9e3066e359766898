"""The HTML report in a browser, as a person uses it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.wireproof.reporting.reports import (
    BAD,
    BROKEN,
    GOOD,
    HELD,
    HOSTILE,
    report_of,
    subject_of,
)

from wireproof.checks import Deviation
from wireproof.reporting import Report, write_report
from wireproof.reporting._html import Table, dump_page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

CHECK = "#check=host-v1%2Frequest-ids%2Fone-space&subject=1"

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(13, 17, 23)"

PATIENCE = 120_000
"""Milliseconds to wait for what a page shows at once."""

SERVED = replace(HELD, id="socket-v1/one", clauses=("SOCK-T1",))

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return Chromium, which no test group can install."""
    path = os.environ.get("WIREPROOF_CHROMIUM") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if path is None:
        pytest.skip(
            "the HTML report is NOT tried in a browser: install chromium "
            "(apt-get install chromium), or name one by WIREPROOF_CHROMIUM"
        )
    # Root, as in containers, has no sandbox to put it in.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=arguments)
        # Machines that run the tests may be busy.
        expect.set_options(timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return where the page of two subjects lies."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(path, report_of(GOOD, BAD))
    return path.as_uri()


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """Return a tab: each new one starts a process."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


@pytest.fixture
def open_page(tab: Page, address: str) -> Iterator[Open]:
    """Return what opens a place of the page; nothing may go wrong on it."""
    problems: list[str] = []
    asked: list[str] = []
    told: dict[Any, Callable[[Any], None]] = {
        "console": lambda message: problems.append(message.text),
        "pageerror": lambda error: problems.append(str(error)),
        "dialog": lambda dialog: problems.append(dialog.message),
        "request": lambda request: asked.append(request.url),
    }
    for event, take in told.items():
        tab.on(event, take)
    tab.set_viewport_size({"width": 1280, "height": 900})

    def look(place: str = "", *, at: str = address, **media: Any) -> Page:
        # Another place of the page that is open would load nothing.
        tab.goto("about:blank")
        tab.emulate_media(**{"color_scheme": "null", **media})
        tab.goto(f"{at}{place}")
        tab.locator("h1").wait_for()
        return tab

    yield look
    for event, take in told.items():
        tab.remove_listener(event, take)
    assert problems == []
    assert [url for url in asked if not url.startswith("file:///")] == []


def shown_rows(page: Page) -> list[str]:
    return page.locator(".matrix tbody th a").all_inner_texts()


def test_the_matrix_is_filtered_by_level_verdict_and_text(open_page: Open) -> None:
    page = open_page()
    assert shown_rows(page) == ["HV1-M1", "HV1-M2", "HV1-T6"]
    page.get_by_label("Level").select_option("must")
    assert shown_rows(page) == ["HV1-M1", "HV1-M2"]
    page.get_by_label("Verdict").select_option("failed")
    assert shown_rows(page) == ["HV1-M2"]
    expect(page.get_by_role("status")).to_have_text("1 of 3 clauses")
    page.get_by_label("Verdict").select_option("something is wrong")
    page.get_by_label("Level").select_option("all")
    page.get_by_label("Text").fill("BLANK lines")
    assert shown_rows(page) == ["HV1-T6"]


def test_causes_stand_above_the_matrix(open_page: Open) -> None:
    page = open_page()
    expect(page.get_by_text("Causes in ./bad")).to_have_count(1)
    first = page.locator(".causes > li").first
    expect(first).to_contain_text("HV1-M2")
    first.get_by_role("link", name="host-v1/request-ids/one-space").click()
    expect(page.locator("h1")).to_have_text("host-v1/request-ids/one-space")


def test_a_filter_can_be_shared(open_page: Open) -> None:
    page = open_page()
    page.get_by_label("Show").select_option("checks")
    page.get_by_label("Text").fill("one-space")
    again = open_page(page.evaluate("location.hash"))
    assert shown_rows(again) == ["host-v1/request-ids/one-space"]


def test_a_check_is_opened_from_the_matrix_by_way_of_its_clause(
    open_page: Open,
) -> None:
    page = open_page()
    page.get_by_role("link", name="HV1-M2, ./bad: failed").click()
    expect(page.locator("h1")).to_have_text("HV1-M2")
    expect(page.get_by_text("wireproof explain HV1-M2", exact=True)).to_be_visible()
    page.get_by_role("link", name="host-v1/request-ids/one-space", exact=True).click()
    expect(page.locator("h1")).to_have_text("host-v1/request-ids/one-space")
    expect(page.locator("h1")).to_be_focused()
    expect(page).to_have_title("host-v1/request-ids/one-space · wireproof")
    page.go_back()
    expect(page.locator("h1")).to_have_text("HV1-M2")


def test_a_link_to_a_check_shows_what_there_is(open_page: Open) -> None:
    page = open_page(CHECK)
    expect(page.locator("blockquote").first).to_contain_text(
        "HV1-M2 MUST [document] the response's id equals its request's."
    )
    expect(page.locator(".beside figure").first).to_contain_text('" "')
    rows = page.locator(".wire tbody tr").all_inner_texts()
    assert rows[0].split("\t") == [
        "0.00",
        "→\nsent\n",
        '{"v":1,"id":" ","method":"x"}\\n',
    ]
    page.get_by_label("as bytes").check()
    expect(page.locator(".wire tbody tr").last).to_contain_text(
        "0000  ff fe 20 54 72 61 63 65 62 61 63 6b 0a           .. Traceback."
    )


def test_the_line_that_shows_it_again_is_copied(open_page: Open) -> None:
    page = open_page(CHECK)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == BROKEN.reproduce


def test_the_theme_is_the_systems_until_another_is_chosen(open_page: Open) -> None:
    page = open_page(color_scheme="dark")
    body = page.locator("body")
    expect(body).to_have_css("background-color", DARK)
    page.get_by_role("button", name="Light theme").click()
    expect(body).to_have_css("background-color", LIGHT)
    page.get_by_role("button", name="Dark theme").click()
    expect(body).to_have_css("background-color", DARK)


@pytest.mark.parametrize("place", ["", "#clause=HV1-M2", CHECK])
def test_nothing_is_wider_than_a_phone(open_page: Open, place: str) -> None:
    page = open_page(place)
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_word_without_an_end_is_no_wider_than_a_phone(
    open_page: Open, tmp_path: Path
) -> None:
    word = "x" * 400
    told = Deviation("HV1-T6", "should", word, word)
    (difference,) = BROKEN.differences
    long = replace(
        BROKEN,
        id=f"host-v1/{word}",
        title=word,
        reason=word,
        ended=word,
        monitors=(told,),
        differences=(replace(difference, where=f"/{word}"),),
    )
    path = tmp_path / "long.html"
    write_report(path, report_of(subject_of(word, [HELD, long])))
    for place in ("", f"#check=host-v1%2F{word}&subject=0"):
        page = open_page(place, at=path.as_uri())
        page.set_viewport_size({"width": 360, "height": 780})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_all_can_be_reached_by_keyboard(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the report")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    reached: list[str] = []
    while not reached or "./bad: failed" not in reached[-1]:
        page.keyboard.press("Tab")
        label = "document.activeElement.ariaLabel ?? document.activeElement.name ?? ''"
        reached.append(page.evaluate(label))
        assert len(reached) < 20, reached
    assert {"Subjects", "rows", "level", "verdict", "text", "clauses"} <= {*reached}
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("HV1-M2")
    expect(page.locator("h1")).to_be_focused()


def axe(page: Page) -> list[tuple[str, list[str]]]:
    """Return what axe finds on a page: the rule, and where."""
    engine = resources.files("axe_core_python").joinpath("axe.min.js")
    page.evaluate(engine.read_text("utf-8"))
    found = page.evaluate("axe.run()")
    return [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in found["violations"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", CHECK])
def test_axe_finds_nothing(open_page: Open, place: str, scheme: str) -> None:
    page = open_page(place, color_scheme=scheme)
    assert axe(page) == []


def test_what_a_subject_wrote_is_text_and_nothing_else(
    open_page: Open, tmp_path: Path
) -> None:
    told = HOSTILE + "x" * 2**20
    hostile = replace(BROKEN, reason=told, stderr=told, evidence={"frame": told})
    path = tmp_path / "hostile.html"
    write_report(path, report_of(subject_of(HOSTILE, [HELD, hostile])))
    page = open_page("#check=host-v1%2Frequest-ids%2Fone-space", at=path.as_uri())
    shown = page.locator("main").inner_text()
    assert shown.count("</script><script>alert(1)</script>") == 7
    for sign in ("U+202E", "U+2028", "\\x1b[31m", "\\0 @somebody"):
        assert sign in shown
    assert page.locator("main script, main img").count() == 0
    assert not [char for char in ("\u202e", "\u2028", "\x1b", "\0") if char in shown]
    assert len(shown) < 40_000
    page.get_by_role("button", name="more characters").first.click()
    assert len(page.locator("main").inner_text()) > len(shown)


def test_a_page_of_many_checks_draws_what_is_looked_at(
    open_page: Open, tmp_path: Path, large: Report
) -> None:
    path = tmp_path / "large.html"
    write_report(path, large)
    page = open_page("#rows=checks", at=path.as_uri())
    expect(page.get_by_role("status")).to_have_text("1500 of 1500 checks")
    assert page.evaluate("document.querySelectorAll('*').length") < 8_000
    page.get_by_role("button", name="Show 100 of 1400 more").click()
    assert len(shown_rows(page)) == 200
    page.get_by_label("Text").fill("check-1499")
    assert shown_rows(page) == ["host-v1/many/check-1499"]


@pytest.fixture
def large() -> Report:
    """Return a report of twenty subjects and 1,500 checks."""
    results = [replace(HELD, id=f"host-v1/many/check-{n}") for n in range(1_500)]
    return report_of(*(subject_of(f"./host-{n}", results) for n in range(20)))


def test_long_names_are_told_apart_by_their_ends(
    open_page: Open, tmp_path: Path
) -> None:
    long = "/a/folder/that/is/far/away/from/here/"
    names = [f"{long}host --one", f"{long}other/host --two", f"/x{long}host --one"]
    path = tmp_path / "named.html"
    write_report(path, report_of(*(subject_of(name, [HELD]) for name in names)))
    page = open_page(at=path.as_uri())
    assert page.locator(".matrix thead th").all_inner_texts()[1:] == [
        "1: …way/from/here/host --one",
        "…om/here/other/host --two",
        "3: …way/from/here/host --one",
    ]


def test_each_protocol_has_a_matrix_of_its_own_subjects(
    open_page: Open, tmp_path: Path
) -> None:
    path = tmp_path / "protocols.html"
    other = subject_of("./server", [SERVED], protocol="socket-v1")
    write_report(path, report_of(GOOD, other, BAD))
    page = open_page(at=path.as_uri())
    assert page.locator("h3").all_inner_texts() == ["host-v1", "socket-v1"]
    heads = [
        one.locator("thead th").all_inner_texts()[1:]
        for one in page.locator(".matrix").all()
    ]
    assert heads == [["./good", "./bad"], ["./server"]]
    page.get_by_label("Protocol").select_option("socket-v1")
    assert shown_rows(page) == ["SOCK-T1"]
    page.get_by_role("link", name="SOCK-T1, ./server: passed").click()
    page.get_by_role("link", name="socket-v1/one, ./server: passed").click()
    expect(page.locator(".subjects a")).to_have_text("✓ ./server, passed")
    expect(page.locator(".answer")).to_contain_text("passed in 2.0 ms")


def test_many_subjects_stand_in_narrow_columns(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    write_report(path, report_of(*(subject_of(f"./{n}", [HELD]) for n in range(60))))
    page = open_page(at=path.as_uri())
    box = page.locator(".matrix td").first.bounding_box()
    assert box is not None
    assert box["width"] < 60


TABLE = Table(
    "broken",
    "Broken subjects",
    "Each breaks `one` clause.",
    ("clause", "what it does"),
    (
        ("HV1-M2", HOSTILE),
        ("HV1-M1", "`v` is 2, and a ` more"),
        ("none", "HV1-T6, HV1-M2"),
    ),
)


@pytest.fixture
def joined(tmp_path: Path) -> str:
    """Return where a page with a table and without details lies."""
    path = tmp_path / "joined.html"
    told = f"by `nox` {HOSTILE}"
    page = dump_page(report_of(GOOD, BAD), told, [TABLE], details=False)
    path.write_text(page)
    return path.as_uri()


def test_a_table_beside_the_matrix_is_filtered_and_shared(
    open_page: Open, joined: str
) -> None:
    page = open_page(at=joined)
    page.get_by_role("link", name="Broken subjects").click()
    expect(page.locator("h1")).to_have_text("Broken subjects")
    assert page.locator(".plain td code").all_inner_texts() == ["code", "v"]
    page.get_by_label("Text").fill("MORE")
    again = open_page(page.evaluate("location.hash"), at=joined)
    assert again.locator(".plain tbody tr").all_inner_texts() == [
        "HV1-M1\tv is 2, and a ` more"
    ]
    expect(again.get_by_role("status")).to_have_text("1 of 3 rows")
    again.get_by_label("Text").fill("none")
    again.get_by_role("link", name="HV1-T6").click()
    expect(again.locator("h1")).to_have_text("HV1-T6")
    expect(again.locator(".plain")).to_have_count(0)
    again.go_back()
    again.get_by_label("Text").fill("MORE")
    again.get_by_role("link", name="HV1-M1").click()
    expect(again.locator("h1")).to_have_text("HV1-M1")
    expect(again.locator(".plain tbody tr")).to_have_count(1)


def test_a_page_without_details_has_the_verdicts(open_page: Open, joined: str) -> None:
    page = open_page(CHECK, at=joined)
    expect(page.locator(".answer")).to_have_text("✗ failed")


@pytest.mark.parametrize("place", ["", "#table=broken", "#clause=HV1-M2"])
def test_hostile_text_of_a_table_is_text_and_nothing_else(
    open_page: Open, joined: str, place: str
) -> None:
    page = open_page(place, at=joined)
    shown = page.locator("main").inner_text()
    assert "</script><script>alert(1)</script>" in shown
    assert page.locator("main script, main img").count() == 0
    assert not [char for char in ("\u202e", "\u2028", "\x1b", "\0") if char in shown]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_table(
    open_page: Open, joined: str, scheme: str
) -> None:
    page = open_page("#table=broken", at=joined, color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(page) == []


def test_without_scripts_there_is_a_summary(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    text = page.locator("main").inner_text()
    assert "document: 1 of 2, full profile: 1 of 2" in text
    assert "HV1-M2 failed in 1: the response's id is" in text
    context.close()
