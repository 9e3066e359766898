from __future__ import annotations

from wireproof.checks import Entry, Transcript


def test_an_empty_transcript_has_no_entries() -> None:
    assert Transcript(1.0).entries() == []


def test_times_are_told_in_milliseconds_since_the_start() -> None:
    transcript = Transcript(100.0)
    transcript.add(100.0, "sent", b'{"v":1}\n')
    transcript.add(100.0125, "received", b'{"v":1}')
    transcript.add(100.5, "stderr", b"warning\n")
    assert [entry.as_json() for entry in transcript.entries()] == [
        {"t_ms": 0.0, "dir": "sent", "data": '{"v":1}\n'},
        {"t_ms": 12.5, "dir": "received", "data": '{"v":1}'},
        {"t_ms": 500.0, "dir": "stderr", "data": "warning\n"},
    ]


def test_bad_utf_8_is_told_in_escapes() -> None:
    assert Entry(0.0, "received", b"a\xff\xc3", 3).text() == "a\\xff\\xc3"


def test_an_entry_keeps_its_first_two_thousand_bytes() -> None:
    transcript = Transcript(0.0)
    transcript.add(0.0, "sent", b"x" * 2_000)
    transcript.add(0.0, "sent", b"y" * 2_001)
    first, second = transcript.entries()
    assert first.text() == "x" * 2_000
    assert second.text() == "y" * 2_000 + "… (1 more bytes)"
    assert second.size == 2_001


def test_a_character_that_was_cut_off_belongs_to_the_rest() -> None:
    cut = Entry(0.0, "sent", "é漢".encode()[:4], 5)
    assert cut.text() == "é… (3 more bytes)"
    assert Entry(0.0, "sent", b"\xff\xe6", 5).text() == "\\xff\\xe6… (3 more bytes)"


def test_of_what_was_cut_the_beginning_alone_can_be_told() -> None:
    cut = Entry(0.0, "sent", b"abcdef", 9)
    assert cut.text(4) == "abcd… (5 more bytes)"
    assert Entry(0.0, "sent", "éabc".encode(), 9).text(2) == "éa… (6 more bytes)"
    assert Entry(0.0, "sent", b"\xffbcd", 9).text(2) == "\\xffb… (7 more bytes)"
    assert Entry(0.0, "sent", b"abcdef", 6).text(4) == "abcdef"


def test_a_hundred_and_twenty_entries_are_all_kept() -> None:
    transcript = Transcript(0.0)
    for number in range(120):
        transcript.add(float(number), "sent", str(number).encode())
    kept = [entry.data for entry in transcript.entries()]
    assert kept == [str(number).encode() for number in range(120)]


def test_of_more_entries_the_first_and_the_last_sixty_are_kept() -> None:
    transcript = Transcript(0.0)
    for number in range(1_000):
        transcript.add(float(number), "received", str(number).encode())
    entries = transcript.entries()
    assert len(entries) == 121
    assert [entry.data for entry in entries[:60]] == [
        str(number).encode() for number in range(60)
    ]
    assert entries[60].text() == "… 880 entries left out …"
    assert [entry.data for entry in entries[61:]] == [
        str(number).encode() for number in range(940, 1_000)
    ]


def test_the_prelude_is_what_the_suite_sent_for_itself() -> None:
    transcript = Transcript(0.0)
    assert transcript.prelude() == 0
    transcript.add(0.0, "sent", b"init", own=True)
    transcript.add(0.0, "stderr", b"ready")
    transcript.add(0.0, "received", b"state", own=True)
    assert transcript.prelude() == 0
    transcript.add(0.0, "sent", b"tried")
    transcript.add(0.0, "sent", b"fence", own=True)
    assert transcript.prelude() == 3


def test_a_fault_in_the_prelude_is_no_prelude() -> None:
    transcript = Transcript(0.0)
    transcript.add(0.0, "sent", b"init", own=True)
    transcript.add(0.0, "received", b"banner")
    transcript.add(0.0, "sent", b"tried")
    assert transcript.prelude() == 0
