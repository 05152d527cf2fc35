"""The grammar of the keys, pressed on the simulated box: a whole station on virtual time."""

from __future__ import annotations

import pytest

from referee.console.cards.notices import ReminderCard
from referee.console.grammar import LATE
from referee.console.sounds import FAULT_EVERY
from referee.console.texts import Text
from referee.console.views import (
    Confirm,
    Dice,
    Grid,
    Idle,
    Notice,
    Odds,
    Question,
    Refusal,
    Rows,
    Ruling,
    Why,
)
from referee.rulebook import Reminder
from referee.session import Prompt
from referee.station.virtual.bench import Bench
from tests.console.conftest import Open


@pytest.fixture
def ruling(open_bench: Open) -> Bench:
    """A box at the ruling desk of the first game: column, position, dice."""
    bench = open_bench()
    bench.key("1", "2")
    assert isinstance(bench.view, Grid)
    bench.presses = 0
    return bench


@pytest.fixture
def attack(open_bench: Open) -> Bench:
    """A two-player game in Evil's first Attack Phase."""
    bench = open_bench()
    bench.key("1", "1", "2", "1")  # the game, a new one, two players, start
    hold_for_the_bundle(bench)
    reach(bench, "move.menu")
    bench.key("5")  # end of phase, nothing special
    reach(bench, "attack.attacker")
    bench.presses = 0
    return bench


def table(bench: Bench) -> Prompt:
    assert bench.console.table.session is not None
    assert bench.console.table.session.prompt is not None
    return bench.console.table.session.prompt


def hold_for_the_bundle(bench: Bench) -> None:
    bench.wait(0.4)
    bench.hold("select", 0.5)


def reach(bench: Bench, ask: str) -> None:
    """Read on until this question is on the glass."""
    for _ in range(6):
        if isinstance(bench.view, Grid | Rows | Question | Dice):
            break
        assert isinstance(bench.view, Idle | Notice | Ruling)
        bench.key("select")
    assert table(bench).ask == ask


# -- choosing ----------------------------------------------------------------------------------------------------


def test_the_knob_moves_the_light_and_select_sends_what_is_lit(ruling: Bench) -> None:
    ruling.turn(1)
    assert isinstance(ruling.view, Grid)
    assert ruling.view.lit == 1
    ruling.key("select")
    assert table(ruling).ask == "attack.position"
    assert ruling.console.table.session is not None
    assert ruling.console.table.session.entries[-1].answer == "o-v-e"


def test_a_barred_key_says_why_and_any_key_takes_the_refusal_away(ruling: Bench) -> None:
    ruling.key("1")
    before = table(ruling)
    ruling.key("4")
    assert isinstance(ruling.view, Refusal)
    assert ruling.view.code == "BR-X13"
    assert ruling.sounds[-1] == "refusal"
    ruling.key("5")  # consumed: it only dismisses
    assert table(ruling) is before
    assert isinstance(ruling.view, Grid)


def test_back_takes_the_answer_before_back_and_says_so_in_the_journal(ruling: Bench) -> None:
    ruling.key("2")
    assert table(ruling).ask == "attack.position"
    ruling.key("back")
    assert table(ruling).ask == "attack.kind"
    assert ruling.console.table.session is not None
    assert [e.kind for e in ruling.console.table.session.entries] == ["start", "answer", "void"]


def test_the_light_stands_where_it_stood_last_in_the_same_context(ruling: Bench) -> None:
    ruling.key("3", "2", "5", "4", "select")
    assert isinstance(ruling.view, Grid)
    assert ruling.view.lit == 2


def test_ending_a_phase_lies_one_detent_before_the_default(attack: Bench) -> None:
    view = attack.view
    assert isinstance(view, Grid | Rows)
    attack.turn(-1)
    attack.key("select")
    assert attack.console.table.session is not None
    assert attack.console.table.session.entries[-1].answer == "done"


def test_a_stray_select_never_ends_a_phase_though_that_was_the_last_choice(attack: Bench) -> None:
    attack.turn(-1)
    attack.key("select")  # no more attacks
    reach(attack, "move.menu")
    assert attack.console.table.current.last_answer("move.menu", "evil") == "done"
    assert attack.console.stage.top.deal.lit.id != "done"  # type: ignore[attr-defined]


# -- dice --------------------------------------------------------------------------------------------------------


def test_back_takes_the_last_face_away(ruling: Bench) -> None:
    ruling.key("1", "1", "6", "back", "2")
    assert isinstance(ruling.view, Dice)
    assert ruling.view.faces == (2, None)


@pytest.mark.parametrize(("rule", "press"), [("physical", "box"), ("box", "keys")])
def test_a_table_may_want_one_kind_of_dice_only(open_bench: Open, rule: str, press: str) -> None:
    bench = open_bench(f'[table]\ndice = "{rule}"\n')
    bench.key("1", "2", "1", "1")
    if press == "box":
        bench.wait(0.4)
        bench.hold("select", 1.1)
    else:
        bench.key("3")
    assert isinstance(bench.view, Refusal)
    assert table(bench).kind == "roll"


def test_a_throw_that_was_undone_stands_until_the_judge_lets_it_be_thrown_again(ruling: Bench) -> None:
    ruling.key("1", "1", "5", "4", "back", "back", "back")  # both faces open, then the throw undone
    assert isinstance(ruling.view, Dice)
    assert (ruling.view.faces, ruling.view.standing) == ((5, 4), True)
    ruling.key("6")
    assert isinstance(ruling.view, Refusal)
    ruling.key("select")
    ruling.wait(0.4)
    ruling.hold("back", 0.5)
    ruling.key("5", "2")  # judge, re-roll
    assert isinstance(ruling.view, Confirm)
    ruling.wait(0.4)
    ruling.hold("select", 1.1)
    ruling.key("6", "6")
    assert isinstance(ruling.view, Ruling)
    assert ruling.view.faces == (6, 6)
    assert ruling.console.table.session is not None
    assert ruling.console.table.session.entries[-1].mode == "reroll"


def test_an_undone_throw_that_stands_is_sent_by_select(ruling: Bench) -> None:
    ruling.key("1", "1", "5", "4", "back", "back", "back", "select")
    assert isinstance(ruling.view, Ruling)
    assert ruling.view.faces == (5, 4)


# -- rulings and pages -------------------------------------------------------------------------------------------


def test_a_ruling_read_once_more_goes_when_a_flag_ends_the_game(attack: Bench) -> None:
    table = attack.console.table
    table.current.sequence(("orc", "gondor", "none", "open"))
    prompt = table.prompt
    assert prompt is not None
    table.answer(prompt.given([3, 3]))
    table.read()
    table.recall()
    assert table.recalled
    table.lose(table.turn)
    assert (table.recalled, table.asking) == (False, False)
    assert table.pending == list(table.current.latest)


def test_an_older_screen_that_arrives_late_makes_no_press_count(ruling: Bench) -> None:
    console = ruling.console
    console.stage.push(Text(console.stage, "Words", ("A few words",)))
    console.stage.number()
    console.shown(console.stage.screen - 1, ruling.clock.now)
    assert console.counts_from is None
    console.shown(console.stage.screen, 1.0)
    console.shown(console.stage.screen, 2.0)
    assert console.counts_from == 1.0 + LATE


def test_a_long_reminder_turns_and_stops_at_both_ends(ruling: Bench) -> None:
    card = ReminderCard(ruling.console.context, Reminder("BR-1", "Many words " * 30))
    pages = []
    for steps in (0, 1, 99, -1, -99):
        card.turn(steps)
        view = card.view(None)
        assert isinstance(view, Why)
        pages.append(view.page)
    last = len(card.pages) - 1
    assert (pages, last > 1) == ([0, 1, last, last - 1, 0], True)


def test_a_fault_sounds_again_when_it_is_due(ruling: Bench) -> None:
    console, now = ruling.console, ruling.clock.now
    console.stage.fault("Key stuck", "die-1 is held", now)
    assert console.stage.take_sound() == "fault"
    for _ in range(2):
        at = console.deadline(now)
        assert at == now + FAULT_EVERY
        console.due(at)
        assert console.stage.take_sound() == "fault"
        now = at


def test_the_menu_lies_behind_a_hold_of_back(attack: Bench) -> None:
    attack.wait(0.4)
    attack.hold("back", 0.5)
    assert isinstance(attack.view, Grid)
    assert [cell.text for cell in attack.view.cells] == ["Undo", "Odds", "Log", "Card", "Judge", "more"]
    items = attack.console.stage.top.deal.items  # type: ignore[attr-defined]
    assert [item.text for item in items if not item.note] == []
    attack.key("3")
    assert isinstance(attack.view, Why)
    attack.key("back", "6", "1")
    assert isinstance(attack.view, Idle)
    assert attack.view.title == "Pause"
    attack.key("1")
    assert attack.view.title == "Pause", "nothing is answered while the game is paused"
    attack.key("select")
    assert table(attack).ask == "attack.attacker"


def test_the_shelf_tells_of_every_game_that_was_left(open_bench: Open) -> None:
    bench = open_bench()
    table, book = bench.console.table, bench.console.table.shelf.book
    for game in ("battle-of-the-ring", "war-of-the-ring"):
        table.begin(book(game), book(game).settings({}), None)
        table.leave()
    notes = {item.text: item.note for item in bench.console.stage.top.deal.items}  # type: ignore[attr-defined]
    assert [text for text in notes if text.startswith("Resume")] == ["Resume War of the Ring"]
    assert notes["Battle of the Ring"].endswith(". 1 more to resume")
    assert "resume" not in notes["War of the Ring"]


def test_odds_of_the_coming_throw_are_one_turn_away(ruling: Bench) -> None:
    ruling.key("1", "2")
    ruling.turn(1)
    assert isinstance(ruling.view, Odds)
    assert [text for _, _, text in ruling.view.rows] == ["3/36", "10/36", "23/36"]
    ruling.key("back")
    assert isinstance(ruling.view, Dice)


def test_what_a_card_allows_says_what_it_counts(attack: Bench) -> None:
    attack.key("back", "1", "1", "1")
    attack.wait(0.4)
    attack.hold("back", 0.5)
    attack.key("4")
    assert attack.view.speech().text == "How many hexes? (up to 2) What does the card allow?"


def test_the_card_that_says_otherwise_takes_a_barred_option_after_a_hold(attack: Bench) -> None:
    attack.key("1")
    assert [b.bar.code for b in table(attack).barred if b.option.id == "fangorn-army"] == ["BR-X14"]
    attack.wait(0.4)
    attack.hold("back", 0.5)
    attack.key("4")
    ids = [item.id for item in attack.console.stage.top.deal.items]  # type: ignore[attr-defined]
    attack.key(str(ids.index("fangorn-army") + 1))
    assert isinstance(attack.view, Confirm)
    attack.key("select")
    assert isinstance(attack.view, Confirm), "a click is not enough"
    attack.wait(0.4)
    attack.hold("select", 1.1)
    assert attack.console.table.session is not None
    last = attack.console.table.session.entries[-1]
    assert (last.answer, last.mode) == ("fangorn-army", "override")


def test_what_is_still_to_be_read_stays_when_the_judge_sets_a_counter(open_bench: Open) -> None:
    """An order, or a reminder behind the ruling, is not lost because somebody set a counter meanwhile."""
    bench = open_bench()
    bench.play("riddle-of-the-ring", "battle")
    bench.key("1", "1", "5", "1")
    order = bench.view
    assert isinstance(order, Ruling)
    assert order.to_do
    bench.wait(0.4)
    bench.hold("back", 0.5)
    bench.key("5", "1", "1")
    bench.turn(1)
    bench.wait(0.4)
    bench.hold("select", 1.1)
    assert bench.console.table.current.entries[-1].kind == "correct"
    assert bench.view == order


def test_the_same_again_waits_until_every_reminder_was_read(open_bench: Open) -> None:
    bench = open_bench()
    bench.play("war-of-the-ring", "battle")
    read = bench.console.table
    for answer in ("shadow", "field", 1, 0, 0, 1, 0, 0, "none", "none", [6], [6]):
        assert read.prompt is not None
        read.answer(read.prompt.given(answer))
    assert [type(event).__name__ for event in read.pending] == ["Ruling", "Ruling", "Reminder", "Reminder"]
    for left in (3, 2):
        bench.wait(0.4)
        bench.hold("select", 0.5)
        assert (len(read.pending), bench.sounds[-1]) == (left + 1, "late")
        bench.key("select")
        assert len(read.pending) == left


# -- guards ------------------------------------------------------------------------------------------------------


def test_a_press_meant_for_the_question_before_is_dropped_with_a_tick_and_never_queued(ruling: Bench) -> None:
    ruling.wait(1)
    ruling.simulated.tap("die-1")
    ruling.wait(0.1)
    ruling.simulated.tap("die-2")  # the next question has been on the glass for a tenth of a second
    ruling.wait(2)
    assert table(ruling).ask == "attack.position"
    assert ruling.sounds[-1] == "late"


def test_only_the_seat_whose_turn_begins_can_begin_it_with_its_button(open_bench: Open) -> None:
    bench = open_bench()
    bench.key("1", "1", "2", "1")
    hold_for_the_bundle(bench)
    for _ in range(3):
        if not isinstance(bench.view, Idle):
            bench.key("select")
    assert bench.console.lamps() == {"seat-1": "blink", "seat-2": "off"}
    bench.key("seat-2")
    assert isinstance(bench.view, Idle)
    assert bench.sounds[-1] == "late"
    bench.wait(0.4)
    bench.hold("seat-1", 0.03)
    assert isinstance(bench.view, Idle), "a button that is only brushed is not pressed"
    bench.key("seat-1")
    assert bench.console.lamps()["seat-1"] == "on"
    assert table(bench).ask == "move.menu"


def test_back_does_not_reach_behind_the_turn(attack: Bench) -> None:
    while attack.console.table.may_step_back:
        attack.key("back")
    assert not isinstance(attack.view, Refusal)
    attack.key("back")
    assert isinstance(attack.view, Refusal)
    assert "hold Back" in attack.view.text
