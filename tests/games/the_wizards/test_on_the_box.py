"""The rulings pressed on the simulated box: presses from the question to the ruling, and nothing cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.console.views import Dice, Ruling
from referee.games import SHELF
from referee.station.virtual.bench import Bench

GAME = str(list(SHELF).index("middle-earth-the-wizards") + 1)


class Hands:
    """A player at the box; ``pressed`` returns what a stretch of play has cost."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def key(self, keys: str) -> Hands:
        """Press keys: digits are die keys, S is Select, L holds Select."""
        for key in keys.replace(" ", ""):
            if key == "L":
                self.bench.wait(0.4)
                self.bench.hold("select", 0.6)
            else:
                self.bench.key("select" if key == "S" else key)
        self.bench.wait(0.3)
        return self

    def pressed(self, keys: str) -> int:
        """Press keys that must end on a ruling; return how many they were."""
        before = self.bench.presses
        self.key(keys)
        assert isinstance(self.bench.view, Ruling), self.bench.view
        return self.bench.presses - before

    @property
    def headline(self) -> str:
        assert isinstance(self.bench.view, Ruling), self.bench.view
        return self.bench.view.headline


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Hands]:
    with Bench(tmp_path / "journal") as bench:
        yield Hands(bench).key(GAME)
        assert bench.misfits == []


@pytest.fixture
def attacked(hands: Hands) -> Hands:
    """The printed example, three characters with a strike of 7/- each, before the first is resolved."""
    hands.key("1 1")  # new game, start
    hands.key("6 6 2 S")  # the example in one bundle, its limit
    hands.key("1 1 3 3 1 1")  # attack: creature, 3 strikes, prowess 7, no body, assign
    return hands.key("1 2 3")  # Bilbo, Balin, Bofur


@pytest.fixture
def quiet(attacked: Hands) -> Hands:
    """The same after Bilbo's strike, at which the attacker waived the rest of the attack."""
    attacked.pressed("1 3 1 6 6")
    return attacked.key("S")


def test_a_strike_takes_five_presses_where_the_attacker_is_asked(attacked: Hands) -> None:
    assert attacked.pressed("2 2 1 6 6") == 5
    assert attacked.headline == "Strike out"
    attacked.key("S")
    assert attacked.pressed("1 3 1 6 6") == 5


def test_a_strike_takes_four_where_he_is_not_and_the_last_three(quiet: Hands) -> None:
    assert (quiet.pressed("3 1 4 2"), quiet.headline) == (4, "Strike out")
    quiet.key("S")
    assert quiet.pressed("1 6 6") == 3


def test_a_hazard_and_a_resource_with_a_skill_take_nine(attacked: Hands) -> None:
    assert attacked.pressed("2 1 1 2 5 1 1 6 6") == 9


@pytest.mark.parametrize(("keys", "headline"), [("2 1 1 1 3 3", "Wounded"), ("2 3 4 1 6 6", "Strike out")])
def test_a_body_check_or_a_supporter_takes_two_more(quiet: Hands, keys: str, headline: str) -> None:
    assert (quiet.pressed(keys), quiet.headline) == (6, headline)


def test_back_takes_a_bundle_or_an_answer_back(quiet: Hands) -> None:
    quiet.key("2 1")
    assert isinstance(quiet.bench.view, Dice)
    quiet.bench.key("back")
    assert quiet.pressed("1 6 6") == 3


def test_an_attack_takes_six_presses_and_again_three(hands: Hands) -> None:
    hands.key("1 1 6 6 2 S")
    before = hands.bench.presses
    hands.key("1 1 3 3 1")  # as far as the question for changes
    assert hands.bench.presses - before == 5
    hands.key("4 S")  # cancelled
    before = hands.bench.presses
    hands.key("1 6 1")
    assert hands.bench.presses - before == 3
    state = hands.bench.console.table.current.state()["attack"]
    assert (state["strikes"], state["prowess"], state["body"]) == (3, 7, 0)


def test_a_cancelled_attack_is_not_cancelled_again_by_select(hands: Hands) -> None:
    hands.key("1 1 6 6 2 S")
    hands.pressed("1 1 3 3 1 1 6 4")
    assert hands.headline == "Cancelled"
    hands.key("S 1 6 1 1 S")
    assert hands.bench.console.table.current.state()["attack"]["results"] == {"bilbo": ""}


def test_from_the_shelf_to_the_first_strike_takes_sixteen(attacked: Hands) -> None:
    assert attacked.bench.presses == 16


def test_a_new_turn_takes_one_press_and_one_where_somebody_is_tapped(quiet: Hands) -> None:
    quiet.key("3 1 4 2 S 1 6 6 S S S")  # the strikes, and one point for the creature
    quiet.key("5 1 5 S 5")  # a new turn; one character, its company and limit; a new turn
    before = quiet.bench.presses
    quiet.key("S 5")  # all untap
    state = quiet.bench.console.table.current.state()
    assert (quiet.bench.presses - before, state["player"], state["turn"]) == (2, "player-2", 4)
    assert state["marshalling"] == {"player-1": 1, "player-2": 0}


def test_corruption_in_a_game_takes_four(hands: Hands) -> None:
    hands.key("1 1 6 6 2 S")
    assert hands.pressed("2 1 4 3") == 4
    assert hands.headline == "Safe"


@pytest.mark.parametrize(
    ("ruling", "keys", "presses", "headline"),
    [
        pytest.param("4", "4 6 6", 3, "Safe", id="CP 4"),
        pytest.param("4", "6 1 6 6", 4, "Safe", id="CP 5"),
        pytest.param("4", "6 3 2 1 2", 5, "Eliminated", id="CP 7, no Wizard"),
        pytest.param("4", "6 3 4 3 1", 5, "Game lost", id="CP 7, a Wizard"),
        pytest.param("4", "5 4 6 3 5 5", 6, "Safe", id="CP 7, +4"),
        pytest.param("2", "1 5 1 1 6 6", 6, "Char 1 out", id="strike, body check"),
        pytest.param("3", "1 4 6 6", 4, "Eliminated", id="body check"),
    ],
)
def test_a_single_ruling(hands: Hands, ruling: str, keys: str, presses: int, headline: str) -> None:
    assert (hands.key(ruling).pressed(keys), hands.headline) == (presses, headline)


def test_a_single_strike_takes_four_and_again_three(hands: Hands) -> None:
    assert (hands.key("2").pressed("1 2 6 6"), hands.headline) == (4, "Strike out")
    assert hands.pressed("L 5 5") == 3
