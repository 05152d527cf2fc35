"""When a throw is told: after the last movement, once, and only of the dice that were thrown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hardware.dice.tray.geometry import Array
from hardware.dice.tray.reader import SeenDie, Sight
from hardware.dice.tray.settle import Settled, Settling

EMPTY = Sight("empty", ())
STEP = 1 / 15


class Film:
    """Frames with a grey square for each die, and a reading for each that is still."""

    def __init__(self) -> None:
        self.sight: Callable[[], Sight] = lambda: EMPTY
        self.settling = Settling(lambda _: self.sight())
        self.events: list[Settled] = []
        self.at = 0.0
        self.light = 0

    def run(self, frames: int, *dice: tuple[int, int]) -> None:
        """Show so many frames of dice at those places."""
        for _ in range(frames):
            self.events += self.settling.feed(self._draw(dice), self.at)
            self.at += STEP

    def _draw(self, dice: tuple[tuple[int, int], ...]) -> Array:
        picture = np.full((480, 640, 3), 90 + self.light, np.uint8)
        for x, y in dice:
            picture[y : y + 40, x : x + 40] = 220
        return picture


@pytest.fixture
def film() -> Film:
    film = Film()
    film.run(10)
    assert film.events == []
    return film


def sees(*dice: tuple[int | None, float, float], why: str = "") -> Sight:
    return Sight(why, tuple(SeenDie(face, 0.99, x, y) for face, x, y in dice))  # type: ignore[arg-type]


def roll(film: Film, *places: tuple[int, int]) -> None:
    for x in range(0, 300, 60):
        film.run(1, *((each[0] - 300 + x, each[1]) for each in places))


def test_a_throw_is_told_once_after_it_has_come_to_rest(film: Film) -> None:
    film.sight = lambda: sees((5, 420, 120), (2, 320, 120))
    began = film.at
    roll(film, (400, 100), (310, 200))
    stopped = film.at
    film.run(30, (400, 100), (310, 200))
    (told,) = film.events
    assert [die.face for die in told.dice] == [5, 2]
    assert (told.why, told.started) == ("", began)
    assert 0.4 <= told.at - stopped <= 0.6


def test_a_pause_shorter_than_the_quiet_time_ends_no_throw(film: Film) -> None:
    film.sight = lambda: sees((5, 420, 120))
    roll(film, (400, 100))
    film.run(5, (400, 100))
    assert film.events == []
    roll(film, (420, 160))
    film.run(12, (420, 160))
    assert len(film.events) == 1


def test_readings_that_differ_make_a_doubt(film: Film) -> None:
    faces = iter([5, 2] * 30)
    film.sight = lambda: sees((next(faces), 420, 120))
    roll(film, (400, 100))
    film.run(30, (400, 100))
    (told,) = film.events
    assert told.why == "unsure"


def test_dice_that_stay_were_not_thrown(film: Film) -> None:
    film.sight = lambda: sees((5, 420, 120), (2, 120, 420))
    roll(film, (400, 100), (310, 400))
    film.run(12, (400, 100), (310, 400))
    film.sight = lambda: sees((5, 421, 120), (6, 220, 220))
    roll(film, (400, 200))
    film.run(12, (400, 200))
    assert [[die.face for die in told.dice] for told in film.events] == [[5, 2], [6]]


def test_dice_that_are_taken_out_are_no_throw(film: Film) -> None:
    film.sight = lambda: sees((5, 420, 120))
    roll(film, (400, 100))
    film.run(12, (400, 100))
    film.sight = lambda: EMPTY
    film.run(20)
    assert len(film.events) == 1


def test_what_lies_there_at_the_start_was_not_thrown_now() -> None:
    film = Film()
    film.sight = lambda: sees((5, 420, 120))
    film.run(30, (400, 100))
    assert film.events == []


def test_a_hand_is_waited_for_and_a_tray_that_stays_covered_is_told(film: Film) -> None:
    film.sight = lambda: Sight("covered", ())
    roll(film, (400, 100))
    film.run(30, (400, 100))
    assert film.events == []
    film.run(30, (400, 100))
    (told,) = film.events
    assert (told.why, [die.face for die in told.dice]) == ("covered", [None])


def test_light_that_changes_is_no_movement(film: Film) -> None:
    for _ in range(10):
        film.light += 3
        film.run(1)
    assert film.events == []
