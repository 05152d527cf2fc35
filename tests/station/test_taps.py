"""The buttons of the panel: what they offer is what the keys do, and what was not meant does nothing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from referee import games
from referee.console.buttons import AGAIN, BOX_ROLLS, SELECT, SHELF, UNDO, Button
from referee.console.grammar import DOUBLE_DIE, LATE, UNBIDDEN
from referee.console.views import Count, Dice, Grid, Refusal, Ruling
from referee.rulebook import Range, whole
from referee.station.news import card_news
from referee.station.virtual.bench import Bench
from referee.web.hub import PanelHold, PanelRelease, PanelTap

WHOLE = [book.id for book in games.books()]


def tap(bench: Bench, button: str, *, screen: int | None = None, held: bool = False) -> None:
    """Look as long as a person does, and press."""
    bench.wait(UNBIDDEN)
    press(bench, button, screen=screen, held=held)


def press(bench: Bench, button: str, *, screen: int | None = None, held: bool = False) -> None:
    bench.hub.act(PanelTap(bench.console.stage.screen if screen is None else screen, button, held), "panel")
    bench.settle()


def named(bench: Bench, text: str) -> str:
    (button,) = (each for each in bench.console.stage.top.buttons if each.text == text)
    return button.id


def ask(bench: Bench) -> str:
    return bench.prompt.ask if bench.prompt else ""


def answers(bench: Bench) -> list[Any]:
    return [entry.answer for entry in bench.console.table.current.entries]


def test_a_single_ruling_by_taps_alone(bench: Bench) -> None:
    for text in ("Battle of the Ring", "Attack", "Ordinary v Ordinary", "Fortress or river"):
        tap(bench, named(bench, text))
    assert isinstance(bench.view, Dice)
    assert [button.text for button in bench.console.stage.top.buttons] == [*"123456", "The box rolls"]
    tap(bench, "5")
    tap(bench, "4")
    assert isinstance(bench.view, Ruling)
    assert answers(bench)[-1] == [5, 4]
    assert bench.console.table.current.entries[-1].source == "panel"
    tap(bench, AGAIN, held=True)
    assert isinstance(bench.view, Dice)
    tap(bench, BOX_ROLLS, held=True)
    assert answers(bench)[-1] == list(bench.faces)
    assert bench.console.table.current.entries[-1].source == "box-dice"
    tap(bench, SELECT)
    assert isinstance(bench.view, Grid)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", WHOLE)
def test_an_evening_by_taps_alone(bench: Bench, game: str, seed: int) -> None:
    """Every button on every screen does something, and what it says; nothing needs a key but the judge's holds."""
    chance = random.Random(f"{game} {seed}")
    bench.play(game)
    bench.wait(1)
    ticks = 0
    for _ in range(150):
        buttons = bench.console.stage.top.buttons
        assert buttons, bench.text
        assert len({button.id for button in buttons}) == len(buttons)
        button = chance.choice([each for each in buttons if each.bar is None] or buttons)
        before = len(bench.sounds), len(answers(bench)) if bench.console.table.session else 0
        tap(bench, button.id, held=button.held)
        ticks += "late" in bench.sounds[before[0] :]
        if bench.console.table.session is None:
            bench.play(game)
    assert ticks == 0


def test_a_barred_option_is_refused_with_its_reason(bench: Bench) -> None:
    bench.play("battle-of-the-ring")
    chance = random.Random(3)
    barred: list[Button] = []
    while not barred:
        bench.wait(1)
        buttons = bench.console.stage.top.buttons
        barred = [each for each in buttons if each.bar is not None]
        if not barred:
            button = chance.choice(buttons)
            tap(bench, button.id, held=button.held)
    before = answers(bench)
    assert barred[0].bar is not None
    tap(bench, barred[0].id)
    assert isinstance(bench.view, Refusal)
    assert bench.view.text == barred[0].bar.text
    assert card_news(bench.view, ())["text"] == f"{whole(bench.view.text)} ({barred[0].bar.code})"
    assert answers(bench) == before
    tap(bench, UNDO, held=True)
    assert bench.console.table.current.entries[-1].kind == "void", "a way of the foot goes through a refusal"


def menu(bench: Bench, *texts: str) -> None:
    """Open the menu of a game of the Battle by its key once all is placed, and press these one after another."""
    bench.play("battle-of-the-ring")
    for _ in range(3):
        tap(bench, named(bench, "Placed"))
    bench.wait(UNBIDDEN)
    bench.hold("back", 0.6)
    for text in texts:
        tap(bench, named(bench, text))


def test_what_takes_a_hold_has_a_button_and_a_way_back(bench: Bench) -> None:
    menu(bench, "Judge", "Concede")
    tap(bench, named(bench, "Yes"))
    assert "concede" not in [each.kind for each in bench.console.table.current.entries], "only who may hold may press"
    tap(bench, named(bench, "No"))
    tap(bench, named(bench, "Concede"))
    tap(bench, named(bench, "Yes"), held=True)
    assert bench.console.table.current.entries[-1].kind == "concede"


def buttons(bench: Bench) -> list[str]:
    return [button.text for button in bench.console.stage.top.buttons]


def test_a_game_is_left_by_one_press_and_resumed_by_one(bench: Bench) -> None:
    """Leaving takes no hold: the shelf begins with the game that was left, where it was left, and who played it."""
    menu(bench)
    bench.key("back")
    bench.console.table.seat_player("sauron", "Anna")
    asked, game = bench.text, bench.console.table.current.game_id
    tap(bench, SHELF, held=True)
    assert buttons(bench)[0] == "Resume Battle of the Ring"
    note = bench.console.stage.top.buttons[0].note
    assert note.startswith("Round 1, Anna, "), "where, who and when"
    tap(bench, bench.console.stage.top.buttons[0].id)
    assert (bench.text, bench.console.table.current.game_id) == (asked, game)


def test_the_same_players_once_more_take_two_presses(bench: Bench) -> None:
    """Names, seats and switches are kept, or the seats swapped; the shelf offers the same."""
    bench.play("battle-of-the-ring", players=2)
    for seat, name in zip(bench.console.table.current.seats(), ("Anna", "Ben"), strict=True):
        bench.console.table.seat_player(seat, name)
    before = dict(bench.console.table.players)
    bench.console.table.concede(next(iter(before)))
    while bench.console.table.pending:
        tap(bench, SELECT)
    assert buttons(bench)[:3] == ["Rematch", "Swap sides", "Shelf"]
    bench.key("select", "1")
    assert bench.console.table.players == before
    assert bench.console.table.current.settings["players"] == 2
    bench.console.table.concede(next(iter(before)))
    while bench.console.table.pending:
        tap(bench, SELECT)
    bench.key("select", "2")
    assert list(bench.console.table.players.values()) == [*before.values()][::-1]
    bench.console.table.concede(next(iter(before)))
    while bench.console.table.pending:
        tap(bench, SELECT)
    tap(bench, named(bench, "Shelf"))
    bench.play("war-of-the-ring")
    bench.console.table.leave()
    bench.settle()
    assert buttons(bench)[:2] == ["Resume War of the Ring", "Ben, Anna again"]
    bench.key("2")
    assert list(bench.console.table.players.values()) == ["Ben", "Anna"]


def test_a_counter_is_set_by_buttons_alone(bench: Bench) -> None:
    menu(bench, "Judge", "Set")
    path, limits = next(iter(bench.console.table.current.game.correctable.items()))
    assert isinstance(limits, Range)
    before = bench.console.table.current.game.read(path)
    tap(bench, bench.console.stage.top.buttons[0].id)
    assert named(bench, f"Set to {before}")
    tap(bench, named(bench, str(before - 1)))
    tap(bench, named(bench, f"Set to {before - 1}"), held=True)
    assert bench.console.table.current.game.read(path) == before - 1


class TestGuards:
    """What a tap must not do. Each tap here would otherwise choose the first game."""

    @pytest.fixture
    def shelf(self, bench: Bench) -> Bench:
        bench.wait(1)
        bench.sounds.clear()
        return bench

    def nothing_happened(self, bench: Bench) -> bool:
        return bench.sounds == ["late"] and len(bench.console.stage) == 0

    def test_on_a_screen_that_is_gone(self, shelf: Bench) -> None:
        press(shelf, "0", screen=shelf.console.stage.screen - 1)
        assert self.nothing_happened(shelf)

    def test_on_a_screen_to_come(self, shelf: Bench) -> None:
        press(shelf, "0", screen=shelf.console.stage.screen + 1)
        assert self.nothing_happened(shelf)

    @pytest.mark.parametrize("button", ["99", "-1", "select", "box-rolls", "", "die-1"])
    def test_a_button_that_is_not_there(self, shelf: Bench, button: str) -> None:
        press(shelf, button)
        assert self.nothing_happened(shelf)

    def test_too_early(self, shelf: Bench) -> None:
        press(shelf, "0")
        shelf.sounds.clear()
        card = shelf.console.stage.top
        shelf.wait(LATE - 0.05)
        press(shelf, "0")
        assert shelf.sounds == ["late"]
        assert shelf.console.stage.top is card
        shelf.wait(0.1)
        press(shelf, "0")
        assert shelf.console.stage.top is not card

    def test_under_a_key_that_is_held(self, shelf: Bench) -> None:
        shelf.hub.act(PanelHold("back"), "panel seat-1 1a2b")
        shelf.settle()
        press(shelf, "0")
        assert self.nothing_happened(shelf)
        shelf.hub.act(PanelRelease("back"), "panel seat-1 1a2b")

    def test_twice_by_one_finger(self, bench: Bench) -> None:
        bench.key("1", "2", "1", "2")
        bench.wait(1)
        press(bench, "5")
        bench.wait(DOUBLE_DIE - 0.02)
        press(bench, "5")
        assert isinstance(bench.view, Dice)
        assert bench.view.faces == (5, None)
        bench.wait(0.05)
        press(bench, "5")
        assert answers(bench)[-1] == [5, 5]

    def test_a_hold_by_somebody_who_may_not_hold(self, bench: Bench) -> None:
        bench.key("1", "2", "1", "2")
        bench.wait(1)
        press(bench, BOX_ROLLS, held=False)
        assert isinstance(bench.view, Dice)
        assert bench.view.faces == (None, None)
        assert bench.sounds[-1] == "late"


def test_what_browsers_are_told_is_what_lies_there(bench: Bench) -> None:
    messages: list[Mapping[str, Any]] = []
    bench.hub.subscribe(lambda news: messages.extend(each for each in news if each["type"] == "table"))
    bench.key("1", "2", "1", "2")
    asked = messages[-1]
    assert asked["screen"] == bench.console.stage.screen
    assert asked["ruling"] is None
    assert (asked["card"]["title"], asked["card"]["text"]) == ("Ordinary against Ordinary", "Roll two dice; 9+ kills")
    assert asked["card"]["buttons"][-1] == {
        "id": BOX_ROLLS, "text": "The box rolls", "key": "hold Select", "why_not": "", "chosen": False, "held": True,
        "note": "",
    }  # fmt: skip
    bench.key("5", "4")
    ruled = messages[-1]
    assert [button["text"] for button in ruled["card"]["buttons"]] == ["Continue", "Same again"]
    assert [ruled["ruling"][name] for name in ("headline", "faces", "total")] == ["Defender out", [5, 4], "9"]
    assert "5 and 4 make 9: the defender is eliminated (BR-49)." in ruled["ruling"]["why"]
    assert ruled["ruling"]["rules"] == ["BR-45", "BR-49"]
    bench.read()
    assert messages[-1]["ruling"] == ruled["ruling"]  # until the next one
    bench.hold("back", 0.5)
    tap(bench, named(bench, "Undo"))
    assert messages[-1]["ruling"] is None


def lit(card: Mapping[str, Any]) -> str:
    """Return the words of the button that the encoder is at, "" if it is at none."""
    return next((button["text"] for button in card["buttons"] if button["id"] == card["lit"]), "")


def test_browsers_are_told_at_which_option_the_encoder_is(bench: Bench) -> None:
    cards: list[Mapping[str, Any]] = []
    bench.hub.subscribe(lambda news: cards.extend(each["card"] for each in news if each["type"] == "table"))
    bench.play("battle-of-the-ring", "attack")
    bench.settle()
    seen = set()
    for _ in range(7):
        assert isinstance(bench.view, Grid)
        assert bench.view.lit is not None
        assert lit(cards[-1]) == whole(bench.view.cells[bench.view.lit].text)
        seen.add(lit(cards[-1]))
        bench.turn(1)
    assert len(seen) == 3
    told = len(cards)
    bench.wait(60)
    assert len(cards) == told  # at rest there is nothing to say
    bench.key("2", "1")
    assert isinstance(bench.view, Dice)
    assert cards[-1]["lit"] == ""


@pytest.mark.parametrize("hits", [0, 2])
def test_a_tally_is_sent_as_it_says(bench: Bench, hits: int) -> None:
    """A number of hits is no face: none is an answer, too."""
    bench.play("war-of-the-ring", "battle")
    for answer in ("shadow", "field", 2, 0, 0, 2, 0, 0, "none", "none"):
        assert bench.prompt is not None
        bench.console.table.answer(bench.prompt.given(answer))
    bench.settle()
    assert isinstance(bench.view, Count), bench.text
    tap(bench, str(hits))
    assert answers(bench)[-1] == {"hits": hits}
