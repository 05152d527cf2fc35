"""The pages whose pictures stand in the documents: what the simulated box tells them on virtual time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from selenium.webdriver import Chrome

from referee.console.views import Idle
from referee.games import load
from referee.journal.export import read
from referee.report import page as page_of
from referee.report import tell
from referee.session import judged_again
from referee.station.picture import picture_of
from referee.station.virtual.bench import Bench
from referee.web.server import WebServer
from tests.docs.images import choose, go_on, hold
from tests.hall.process import running
from tests.hall.room import Room
from tests.web.judged import coloured, uncoloured
from tests.web.page import painted
from tests.web.playback import Playback

EDITIONS: Final = Path(__file__).parents[1] / "journal" / "editions"
JOIN: Final = "http://192.168.1.20:8080"
PLAYERS: Final = ("Anna", "Ben", "Clara")

Told = list[Mapping[str, Any]]
"""What a browser knows at one moment."""


@dataclass(frozen=True)
class Shot:
    """A page as it is pictured: its name, and the picture as PNG."""

    name: str
    png: bytes


@dataclass(frozen=True)
class Game:
    """What browsers were told in a game: while dice are keyed, at a ruling, and at a question to a player."""

    throw: Told
    ruling: Told
    question: Told


class Camera:
    """A browser that looks at one page after another."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def size(self, width: int, height: int, *, mobile: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def take(self, name: str) -> Shot:
        """Take the picture of the page that is open."""
        painted(self.driver)
        return Shot(name, self.driver.get_screenshot_as_png())


def shots(driver: Chrome) -> Iterator[Shot]:
    """Yield every picture of a page."""
    camera = Camera(driver)
    try:
        with tempfile.TemporaryDirectory() as folder:
            game = played(Path(folder) / "journal.db")
            yield from at_the_box(camera, game)
            evening = Path(folder) / "evening.html"
            evening.write_text(report(), "utf-8")
            coloured(driver, "light")
            camera.size(1000, 860)
            driver.get(evening.as_uri())
            yield camera.take("report")
            with running("--example", state=Path(folder)) as hall:
                room = Room(driver, hall)
                camera.size(1280, 460)
                driver.get(f"{room.own}board")
                yield camera.take("hall")
    finally:
        uncoloured(driver)
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def at_the_box(camera: Camera, game: Game) -> Iterator[Shot]:
    """Yield panel, big screen and phone."""
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "journal.db") as bench:
        server = WebServer(bench.hub, port=0)
        with patch.object(server, "join_address", lambda: JOIN):
            address = server.start()
            try:
                page = Playback(camera.driver, address)
                coloured(camera.driver, "dark")
                join, seat = {"type": "join", "address": JOIN}, {"type": "role", "role": "seat-1"}
                for name, path, told, size in (
                    ("panel", "", [join, *game.throw], (1280, 800)),
                    ("tv", "tv", [join, *game.ruling], (1280, 720)),
                    ("phone", "", [join, seat, *game.question], (390, 844)),
                ):
                    camera.size(*size, mobile=name == "phone")
                    page.load(path)
                    page.tell([told])
                    yield camera.take(name)
            finally:
                server.stop()


def played(journal: Path) -> Game:
    """Play Battle of the Ring for two, with names on the seats, up to the question after three attacks."""
    with Bench(journal) as bench:
        bench.hub.subscribe(lambda message: None)
        for label in ("Battle of the Ring", "New game", "Players 3", "Start"):
            choose(bench, label)
        for seat, name in enumerate(PLAYERS[:2], 1):
            bench.hub.name(f"seat-{seat}", name)
        bench.settle()
        hold(bench, "select")  # all pieces are placed
        while not isinstance(bench.view, Idle):
            bench.key("select")
        go_on(bench)
        choose(bench, "Moves done, all else as before")
        go_on(bench)
        attacks = (
            ("Orc", "Gondor", "No helper, open ground", "54"),
            ("Nazgûl", "Elf", "Fortress or river", "23"),
            ("Orc", "Rohan", "No helper, open ground", "66"),
        )
        for *labels, faces in attacks:
            for label in labels:
                choose(bench, label)
            bench.key(faces[0])
            bench.wait(1)
            throw = bench.hub.snapshot()
            bench.key(faces[1])
            bench.wait(1)
            ruling = bench.hub.snapshot(judge=False)
            go_on(bench)
        return Game(throw, ruling, bench.hub.snapshot(judge=False))


def report() -> str:
    """Return the report of the game of Battle of the Ring that is kept of today's edition."""
    book = load("battle-of-the-ring")
    with (EDITIONS / f"{book.id}-{book.edition}.jsonl").open("rb") as stream:
        game = read(stream)
    seats = judged_again(book, game.entries).seats()
    return page_of(tell(book, game.entries, game.head, dict(zip(seats, PLAYERS, strict=False))), picture_of)
