"""The program that a runtime starts as a tool: a shell that does what it is told.

Theory of operation. A tool has to be up in a few milliseconds, and nothing but a shell
can be taken for granted. So a tool is a script that takes a place of its own in the
folder that it lies in, says who it is, and then carries out line by line what it reads
from a FIFO; the suite, which writes those lines, thinks for it. What a runtime writes
to the tool's stdin goes through ``cat`` to a second FIFO; what the tool writes goes to
its stdout directly. When the suite is gone all FIFOs come to their end, and so does the
tool with its children.

Descriptors of the script: 3 its stdin, 4 ``ctl`` (what it is told), 6 ``say`` (what it
tells: fields that each end with a NUL; closed when it is gone). ``in`` carries its
input. The child numbered ``n`` has ``n.hold``, whose end is its own, and ``n.life``,
which ends with it.
"""

from __future__ import annotations

PROGRAM = """\
#!/bin/sh
# A tool that a conformance suite plays: it carries out what it reads from a FIFO.
d=${0%/*}
i=0
c=
set -C
until { true >"$d/$i.taken"; } 2>/dev/null; do
  i=$((i + 1))
  [ "$i" -lt MOST ] || exit 69
done
set +C
f=
for n in /proc/$$/fd/*; do [ ! -e "$n" ] || f="$f ${n##*/}"; done
exec 3<&0 4<"$d/$i.ctl" 6>"$d/$i.say" </dev/null
printf '%s\\0' "$$" "$#" "$@" >&6
TELL
while IFS= read -r line <&4; do
  eval "$line"
done
[ -z "$c" ] || kill "$c" 2>/dev/null
"""

SAY_ENVIRONMENT = (
    """printf 'environment\\0' >&6; env >"$d/$i.env"; printf 'end\\0' >&6"""
)
"""Where the system does not show what a process was started with."""

SAY_END = "printf '%s\\0' $f end >&6"
"""After the descriptors that it was started with, and that of the script itself."""

RELAY = (
    'exec 5>"$d/$i.in"; cat <&3 >&5 3<&- 4<&- 5>&- 6>&- 2>/dev/null & c=$!; '
    "exec 3<&- 5>&-; printf 'relay\\0%s\\0' \"$c\" >&6"
)
"""Begin to read stdin."""

RELAYED = 'wait "$c"; printf \'relayed\\0%s\\0\' "$?" >&6; c='
"""Tell how the reading of stdin ended: 0 where input did."""

CHILD = (
    'exec 7<"$d/$i.$n.hold" 8>"$d/$i.$n.life"; '
    "{ read -r x; } <&7 3<&- 4<&- 6>&- 7<&- & "
    "exec 7<&- 8>&-; printf 'child\\0%s\\0' \"$!\" >&6"
)
"""Start a child that holds stdout and stderr until it is let go."""

CHILD_APART = (
    'exec 7<"$d/$i.$n.hold" 8>"$d/$i.$n.life"; '
    "s=; command -v setsid >/dev/null && s=setsid; "
    "( $s sh -c 'read -r x' <&7 3<&- 4<&- 6>&- 7<&- & "
    "printf 'child\\0%s\\0' \"$!\" >&6 ); exec 7<&- 8>&-"
)
"""The same of a grandchild whose parent is gone, in a session of its own where the
system has a program for that: neither its group nor its ancestors tell of it."""

FLOOD = (
    "exec 7<\"$d/$i.flood\"; printf 'flood\\0' >&6; "
    "cat <&7 3<&- 4<&- 6>&- 7<&-; exec 7<&-"
)
"""Write to stdout what comes through ``flood``."""

_PLAIN = frozenset(range(0x20, 0x7F)) - frozenset(b"'\\%")

LONGEST_INLINE = 2_000
"""Bytes up to which an output is part of a line: a shell reads lines byte by byte."""


def exiting(status: int) -> str:
    """Return the line that ends the program with a status."""
    return f'[ -z "$c" ] || {{ kill "$c"; wait "$c"; }} 2>/dev/null; exit {status}'


def signalled(number: int) -> str:
    """Return the line that ends the program by a signal."""
    return f'[ -z "$c" ] || kill "$c" 2>/dev/null; kill -{number} $$'


def closing(stream: str) -> str:
    """Return the line that closes a stream: ``stdin``, ``stdout`` or ``stderr``."""
    return {
        "stdin": '[ -z "$c" ] || kill "$c"; exec 3<&-',
        "stdout": "exec >&-",
        "stderr": "exec 2>&-",
    }[stream]


def ignoring(signal: str) -> str:
    """Return the line that has the program ignore a signal, by its short name."""
    return f"trap '' {signal}"


def writing(data: bytes, *, to_stderr: bool = False) -> str:
    """Return the line that writes bytes; at most ``LONGEST_INLINE``."""
    text = "".join(chr(one) if one in _PLAIN else f"\\0{one:03o}" for one in data)
    return f"printf '%b' '{text}'{' >&2' if to_stderr else ''}"


def copying(name: str, *, to_stderr: bool = False) -> str:
    """Return the line that writes what a file of the folder holds."""
    stream = ">&2 " if to_stderr else ""
    return f'cat <"$d/{name}" {stream}3<&- 4<&- 6>&-'
