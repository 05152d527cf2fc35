"""`referee hall` in a process of its own."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

PATIENCE = 30


class Hall:
    """A hall in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.asked = ExitStack()
        self.lines: list[str] = []
        while not any(line.startswith("The public pages") for line in self.lines):
            line = process.stdout.readline() if process.stdout else ""
            assert line, f"it ended: {process.wait(PATIENCE)}, {self.lines}"
            self.lines.append(line.strip())
        ports = [urlsplit(re.findall(r"http://\S+", line)[0]).port for line in self.lines[-2:]]
        self.own, self.public = (port or 0 for port in ports)
        self.link = re.findall(r"http://\S+", self.lines[-2])[0]
        self.cookie = ""
        answer = self.ask(self.own, "GET", self.link.partition(str(self.own))[2])
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def ask(self, port: int, method: str, path: str, **fields: str) -> http.client.HTTPResponse:
        line = self.asked.enter_context(closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)))
        headers = {"cookie": self.cookie} if port == self.own else {}
        if fields:
            headers |= {"origin": f"http://127.0.0.1:{port}", "content-type": "application/x-www-form-urlencoded"}
        line.request(method, path, urlencode(fields).encode() if fields else None, headers)
        return self.asked.enter_context(closing(line.getresponse()))


@contextmanager
def running(*arguments: str, state: Path) -> Iterator[Hall]:
    ports = ("--port", "0", "--public-port", "0", "--no-browser")
    command = [sys.executable, "-m", "referee", "hall", *ports, *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "REFEREE_JOURNAL"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment, "XDG_STATE_HOME": str(state)},
        text=True,
    )
    with process:
        try:
            hall = Hall(process)
            with hall.asked:
                yield hall
        finally:
            process.kill()
