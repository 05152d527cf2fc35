"""The room of an event: a hall and boxes as processes, and the organiser who clicks at the desk."""

from __future__ import annotations

import http.client
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from tests.hall.process import Hall

PATIENCE: Final = 120.0
"""How long anything may take before the run is given up, s; it is as long as a busy machine needs."""


class Boxes:
    """Boxes in one process, by name. ``news``: what any box of the room says, with its name as ``box``."""

    def __init__(self, address: str, folder: Path, names: Sequence[str], news: queue.Queue[dict[str, Any]]) -> None:
        self.names = list(names)
        self.folders = {name: folder / name for name in names}
        for each in self.folders.values():
            each.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "tests.hall.event.boxes", address, *map(str, self.folders.values())]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._listen, args=(news,), daemon=True).start()

    def _listen(self, news: queue.Queue[dict[str, Any]]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            value = json.loads(line)
            news.put(value | {"box": self.names[value["box"]]})
        news.put({"box": "", "ended": self.names})

    def do(self, name: str, what: str) -> None:
        """Tell a box what to do."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"box": self.names.index(name), "do": what}) + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """End them, whether they are still there or not."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


@dataclass
class Room:
    """All boxes of an event, by name, and what they have said so far."""

    news: queue.Queue[dict[str, Any]] = field(default_factory=queue.Queue)
    processes: list[Boxes] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)

    def open(self, address: str, folder: Path, *names: str) -> Boxes:
        """Switch boxes on, in a process of their own."""
        self.processes.append(Boxes(address, folder, names, self.news))
        return self.processes[-1]

    def do(self, name: str, what: str) -> None:
        """Tell a box what to do."""
        next(each for each in self.processes if name in each.names).do(name, what)

    def hear(self, what: str, *names: str, of: object = None) -> dict[str, Any]:
        """Wait until each of these boxes has said that (``of``: this of it); return what each of them said last.

        Raises AssertionError if a process of boxes has ended by itself, queue.Empty if nobody says anything any more.
        """
        heard: dict[str, Any] = {}
        said = iter(tuple(self.said))
        while not set(names) <= heard.keys():
            word = next(said, None) or self._next()
            assert set(word.get("ended", ())) <= self.dead, word
            if what in word and word["box"] in names and of in (None, word[what]):
                heard[word["box"]] = word[what]
        return heard

    def _next(self) -> dict[str, Any]:
        self.said.append(self.news.get(timeout=PATIENCE))
        return self.said[-1]

    def close(self) -> None:
        """Switch all off."""
        for each in self.processes:
            each.close()


class Form(HTMLParser):
    """What a form of a page would send. ``fields``: by name, as they stand there."""

    def __init__(self, do: str, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._forms: list[dict[str, str]] = []
        self._select = ""
        self.feed(page)
        self.fields = next(each for each in self._forms if each.pop("do", "") == do)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "form":
            self._forms.append({})
        elif tag == "input" and self._forms and (has.get("type") != "checkbox" or "checked" in has):
            self._forms[-1][str(has["name"])] = str(has.get("value") or "")
        elif tag == "select" and self._forms:
            self._select = str(has["name"])
        elif tag == "option" and self._forms and ("selected" in has or self._select not in self._forms[-1]):
            self._forms[-1][self._select] = str(has.get("value") or "")


@dataclass
class Organiser:
    """Who sits at the desk of a hall."""

    hall: Hall

    def do(self, path: str, do: str, **fields: object) -> None:
        """Send a form. Raises AssertionError with what the page says if it is refused."""
        status, text = self._ask("POST", path, {"do": do, **{name: str(value) for name, value in fields.items()}})
        assert status == 303, (path, do, fields, text)

    def change(self, path: str, do: str, **fields: str) -> None:
        """Send a form as it stands on its page, with some fields changed."""
        form = Form(do, self.page(path)).fields
        assert fields.keys() <= form.keys(), form
        self.do(path, do, **form | fields)

    def page(self, path: str) -> str:
        """Return a page, or a file."""
        status, text = self._ask("GET", path, {})
        assert status == 200, (path, text)
        return text

    def tables(self, number: int) -> list[dict[str, Any]]:
        """Return the tables of a round with their results."""
        rounds = json.loads(self.page("/results.json"))["rounds"]
        return next((each["tables"] for each in rounds if each["round"] == number), [])

    def until(self, holds: Callable[[], bool]) -> None:
        """Look again until something holds. Raises AssertionError if it does not, or if the hall ends."""
        for _ in range(int(PATIENCE * 10)):
            if holds():
                return
            try:
                raise AssertionError(f"the hall ended with {self.hall.process.wait(0.1)}")
            except subprocess.TimeoutExpired:
                pass
        raise AssertionError("expected something that has not come")

    def _ask(self, method: str, path: str, fields: dict[str, str]) -> tuple[int, str]:
        headers = {"cookie": self.hall.cookie, "origin": f"http://127.0.0.1:{self.hall.own}"}
        body = urlencode(fields).encode() if fields else None
        if body:
            headers["content-type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", self.hall.own, timeout=PATIENCE)) as line:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()


@contextmanager
def room() -> Iterator[Room]:
    """Open a room without boxes; at its end all are switched off."""
    opened = Room()
    try:
        yield opened
    finally:
        opened.close()
