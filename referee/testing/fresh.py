"""Games replayed in a fresh process, which no earlier game, import or order of a set has touched.

``python -m referee.testing.fresh`` is that process: it reads a request, and writes what the games came to.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.errors import RefereeError
from referee.rulebook import Book, Play, Reminder

SECONDS: Final = 120.0
"""How long the process may take."""


class Game(NamedTuple):
    """Answers given in one run of a book, as JSON values."""

    ruling: str | None
    settings: Mapping[str, Any]
    answers: Sequence[Any]


class NotFound(Exception):
    """A book that another process cannot import; its text says why."""


def differences(book: Book, games: Sequence[Game]) -> Iterator[str]:
    """Replay the games here and in a fresh process; yield where a game comes to something else.

    Raises NotFound, and RefereeError where the process fails.
    """
    module, name = _whereabouts(book)
    request = {"module": module.__name__, "name": name, "path": sys.path, "games": games}
    command = [sys.executable, "-m", "referee.testing.fresh"]
    try:
        done = subprocess.run(  # noqa: S603 - this very interpreter
            command, input=json.dumps(request), capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise RefereeError(f"a replay in a fresh process did not end within {SECONDS:.0f} s") from None
    if done.returncode:
        raise RefereeError(f"a replay in a fresh process failed: {done.stderr.strip().splitlines()[-1:]}")
    for game, there in zip(games, json.loads(done.stdout), strict=True):
        here = json.loads(json.dumps(replayed(book, game)))
        where = "the whole game" if game.ruling is None else game.ruling
        for number, (mine, its) in enumerate(zip(here, there, strict=False)):
            if mine != its:
                after = (
                    f"after answer {number}, {game.answers[number - 1]!r}" if number else "before the first answer"
                )
                yield f"{where}, {after}: {_differs(mine, its)}"
                break


def _differs(mine: Mapping[str, Any], its: Mapping[str, Any]) -> str:
    part = next(part for part in mine if mine[part] != its.get(part))
    return f"{part} {its.get(part)!r:.120} in a fresh process, {mine[part]!r:.120} here"


def _whereabouts(book: Book) -> tuple[Any, str]:
    """Return the module that has this book, and its name there."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) and module.__name__ != "__main__":
            for name, value in list(vars(module).items()):
                if value is book:
                    return module, name
    raise NotFound("the book is no attribute of a module, so no other process can import it")


def replayed(book: Book, game: Game) -> list[dict[str, Any]]:
    """Return what the run came to: before the first answer, and after each; a refusal ends it."""
    play = Play(book, game.settings, game.ruling)
    steps = [_seen(play, play.events)]
    for answer in game.answers:
        try:
            steps.append(_seen(play, play.answer(answer)))
        except RefereeError as refused:
            steps.append({"refused": str(refused)})
            break
    return steps


def _seen(play: Play, events: Sequence[Any]) -> dict[str, Any]:
    asked = play.ask and (play.ask.key, play.ask.text, play.seat, [bundle.id for bundle in play.ask.offered()])
    told = [
        (each.rule, each.text) if isinstance(each, Reminder) else (each.result, each.headline, each.why, each.data)
        for each in events
    ]
    over = play.over and (play.over.reason, play.over.winners)
    return {"question": asked, "rulings": told, "state": play.game.as_json(), "end": over}


def _main() -> None:
    request = json.load(sys.stdin)
    sys.path[:] = request["path"]
    book = getattr(importlib.import_module(request["module"]), request["name"])
    json.dump([replayed(book, Game(*game)) for game in request["games"]], sys.stdout)


if __name__ == "__main__":
    _main()
