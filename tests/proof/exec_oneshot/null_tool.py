"""Is a tool that does nothing of use: NAME."""

import os
import signal
import sys

ANSWERS = {
    "noise": "these are words, and no JSON\n" * 20,
    "same-failure": '{"error": "not implemented"}\n',
    "same-success": '{"result": {"ok": true}}\n',
    "same-object": "{}\n",
}


def main(name: str) -> None:
    """Write the same, whatever is on stdin."""
    if name == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    sys.stdin.buffer.read()
    sys.stdout.write(ANSWERS[name])


if __name__ == "__main__":
    main(*sys.argv[1:])
