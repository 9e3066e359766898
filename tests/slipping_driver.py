"""A driver that gives a value of its own for one op: OP VALUE COMMAND…"""

from __future__ import annotations

import json
import subprocess
import sys


def main(slips_at: str, value: str, *command: str) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        for line in sys.stdin.buffer:
            driver.stdin.write(line)
            driver.stdin.flush()
            answer = json.loads(driver.stdout.readline())
            if answer["ok"] and json.loads(line)["op"] == slips_at:
                answer["value"] = json.loads(value)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
        driver.stdin.close()


main(*sys.argv[1:])
