"""A run of a procedure: nothing refused is felt, everything accepted can be taken back, and no fault ends a game."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import BrokenRulebook, Malformed, NotNow, Refused
from referee.rulebook import (
    BACK,
    MILESTONE,
    YES_NO,
    Answered,
    Attempt,
    Bar,
    Book,
    Choose,
    Concession,
    Corrected,
    Count,
    Event,
    Game,
    Options,
    Over,
    Play,
    Procedure,
    Range,
    Reminder,
    Roll,
    Ruling,
    decide,
    section,
)
from tests.rulebook.duel import BOOK, Duel

moves = st.one_of(
    st.sampled_from(["shoot", "heal", "pass", BACK, 1, 2, 3, ("arm",), ("arm", "leg"), "break", "stall"]).map(
        Answered
    ),
    st.lists(st.integers(1, 6), min_size=2, max_size=2).map(Answered),
    st.integers(2, 12).map(Answered),
    st.just(Answered("shoot", override=True)),
    st.tuples(st.sampled_from(["hits.east", "hits.west"]), st.integers(0, 2)).map(lambda c: Corrected({c[0]: c[1]})),
    st.just(Corrected({"weather": "wet"})),
    st.just(Corrected({"plays_on": True})),
    st.sampled_from(["east", "west"]).map(Concession),
)


class Seated(Game):
    """A state with one seat."""

    def seats(self) -> dict[str, str]:
        return {"one": "One"}


def seen(play: Play) -> tuple[Any, ...]:
    """Return all that can be seen of a run."""
    if play.ask is None:
        return json.dumps(play.game.as_json()), play.over
    ask = play.ask
    options = (ask.options(), ask.barred()) if isinstance(ask, Choose) else ()
    need = (ask.need, ask.odds()) if isinstance(ask, Roll) else ()
    where = (play.seat, play.may_drop, play.crumbs, play.throw(), play.again(), play.outlook())
    return json.dumps(play.game.as_json()), ask.key, ask.kind, options, need, where, list(play.moves)


def standing(play: Play) -> Any:
    """Return the question that stands, as the kind it happens to be."""
    return play.ask


def duel(play: Play) -> Duel:
    assert isinstance(play.game, Duel)
    return play.game


def result(events: list[Event]) -> str:
    """Return the result of the one ruling that was given."""
    (ruling,) = events
    assert isinstance(ruling, Ruling)
    return ruling.result


def attempt(play: Play, move: Any) -> bool:
    """Make a move if it is taken; say whether it was."""
    try:
        play.repeat(move)
    except (Refused, BrokenRulebook):
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(st.lists(moves, max_size=40), st.data())
def test_refusals_leave_no_trace_and_every_step_can_be_undone(tried: list[Any], data: st.DataObject) -> None:
    play = Play(BOOK)
    history = [seen(play)]
    for move in tried:
        if attempt(play, move):
            history.append(seen(play))
        assert seen(play) == history[-1]
        assert len(play.moves) == len(history) - 1
    whole = list(play.moves)
    here = data.draw(st.integers(0, len(whole)))
    play.rewind(here)
    assert seen(play) == history[here]
    for move in whole[here:]:
        play.repeat(move)
    assert seen(play) == history[-1]
    again = Play(BOOK)
    for move in whole:
        again.repeat(move)
    assert seen(again) == history[-1]


def test_a_game_from_its_first_question_to_its_end() -> None:
    play = Play(BOOK)
    assert (play.seat, play.game.seat, play.over, play.moves) == ("east", "east", None, [])
    for _ in range(3):
        play.answer("shoot")
        play.answer(1)
        assert result(play.answer([6, 6])) == "hit"
        if play.ask is not None:
            play.answer("pass")
        play.correct("arms.powder", 2)
    assert play.over == Over("beaten", "West is beaten", ("east",))
    assert (play.ask, play.crumbs, play.may_drop, play.odds(), play.outlook()) == (None, (), False, None, None)
    for late in ("pass", BACK, [1, 1]):
        with pytest.raises(NotNow, match="over") as caught:
            play.answer(late)
        assert caught.value.code == "DU-X9"
    with pytest.raises(NotNow, match="over"):
        play.concede("west")
    play.rewind(len(play.moves) - 2)
    assert play.ask is not None
    assert play.over is None


def test_an_attempt_can_be_dropped_until_it_counts() -> None:
    play = Play(BOOK)
    with pytest.raises(Malformed):
        play.answer(BACK)
    play.answer("shoot")
    assert play.may_drop
    play.answer(2)
    assert play.throw() is not None
    play.answer(BACK)
    assert play.ask is not None
    assert (play.ask.key, duel(play).arms.powder, duel(play).turn) == ("turn.menu", 2, 1)
    assert len(play.moves) == 3
    assert play.again() == ()  # dropped before the dice: nothing was thrown
    play.rewind(2)
    assert play.ask.key == "shot.dice"


def test_dice_that_are_thrown_cannot_be_dropped() -> None:
    @section("T-1")
    def procedure(game: Game) -> Procedure[None]:
        from referee.rulebook import Attempt

        with Attempt(game):
            yield Roll("first", "?", 1)
            game.counted()
            yield Choose("then", "?", YES_NO)

    play = Play(Book("t", "T", "1", lambda s: Game(), procedure))
    play.answer([3])
    assert not play.may_drop
    with pytest.raises(Malformed):
        play.answer(BACK)


def test_a_game_goes_on_from_the_state_of_a_milestone() -> None:
    play = Play(BOOK)
    for _ in range(400):
        play.answer("pass")
    entered = 0

    def counting(game: Duel) -> Procedure[None]:
        nonlocal entered
        entered += 1
        return (yield from BOOK.procedure(None)(game))

    play._procedure = counting
    play.rewind(399)
    assert entered == 1
    assert duel(play).turn == 400
    assert play.seat == "west"
    for _ in range(399):
        play.rewind(len(play.moves) - 1)
    assert (play.moves, duel(play).turn) == ([], 1)


@pytest.mark.parametrize(("answer", "fault"), [("break", "KeyError"), ("stall", "which is not a question")])
def test_a_fault_in_a_rulebook_is_named_and_changes_nothing(answer: str, fault: str) -> None:
    play = Play(BOOK)
    play.answer("pass")
    play.answer("shoot")
    play.answer(1)
    play.answer([6, 6])
    before = seen(play)
    with pytest.raises(BrokenRulebook, match=f"duel: .*{fault}"):
        play.answer(answer)
    assert seen(play) == before
    play.answer("pass")
    assert duel(play).turn == 4


def test_who_gives_up_ends_the_game_or_leaves_it_to_the_others() -> None:
    play = Play(BOOK)
    play.answer("shoot")
    play.concede("east")
    assert play.over == Over("conceded", "East gave up", ("west",))
    assert play.game.attempts == []
    play.rewind(1)
    play.correct("plays_on", True)
    play.concede("west")  # not the seat that is asked: the question stands
    assert play.ask is not None
    assert play.ask.key == "shot.steps"
    play.concede("east")  # asked in the middle of an action: the turn is over
    assert play.ask.key == "turn.menu"
    assert (play.seat, play.game.attempts, play.game.conceded) == ("west", [], ["west", "east"])
    with pytest.raises(Malformed, match="expected a seat of the game: none"):
        play.concede("east")
    with pytest.raises(Malformed, match="no-such-seat"):
        play.concede("north")


def test_where_no_section_plays_on_a_concession_ends_the_game() -> None:
    @section("T-1")
    def procedure(game: Game) -> Procedure[None]:
        yield Choose("a", "?", YES_NO)

    play = Play(Book("t", "T", "1", lambda s: Seated(seat="one"), procedure))
    with pytest.raises(Malformed, match=r"expected a seat of the game: one$"):
        play.concede("two")
    play.concede("one")
    assert play.over == Over("conceded", "One gave up")
    with pytest.raises(Malformed, match=r"expected a seat of the game: none$"):
        Play(Book("t", "T", "1", lambda s: Game(), procedure)).concede("one")


@pytest.mark.parametrize("question", [True, False], ids=["question", "milestone"])
def test_a_game_that_is_over_asks_nothing_more(question: bool) -> None:
    def deep(game: Game) -> Procedure[None]:
        if (yield Choose("end", "?", YES_NO)) == "yes":
            game.remind("T-1", "Shake hands")
            game.over = Over("declared", "Done", ("one",))

    def procedure(game: Game) -> Procedure[None]:
        while True:
            with Attempt(game):
                yield from deep(game)
            yield Choose("more", "?", YES_NO) if question else MILESTONE

    play = Play(Book("t", "T", "1", lambda s: Seated(seat="one"), procedure))
    assert play.answer("yes") == [Reminder("T-1", "Shake hands")]
    assert (play.ask, play.over) == (None, Over("declared", "Done", ("one",)))
    with pytest.raises(NotNow):
        play.answer("yes")
    play.rewind(0)
    play.answer("no")
    assert (play.over, play.ask and play.ask.key) == (None, "more" if question else "end")


SEATS = Options([("east", "East"), ("west", "West")])


def deciding(open_ids: set[str]) -> Play:
    """Return a run that asks whom to shoot, with only these open, and then whether that was right."""

    def procedure(game: Game) -> Procedure[None]:
        bar = lambda who: None if who in open_ids else Bar("D-X9", "Not in sight")  # noqa: E731
        who = yield from decide(Choose("whom", "Whom?", SEATS, bar))
        game.seat = who
        yield Choose("right", "Right?", YES_NO)

    return Play(Book("one", "One", "1", lambda settings: Game(), procedure))


def test_a_question_with_one_open_answer_is_not_asked() -> None:
    play = deciding({"west"})
    assert (standing(play).key, play.game.seat, play.moves) == ("right", "west", [])


@pytest.mark.parametrize("open_ids", [{"east", "west"}, set()])
def test_a_question_with_a_choice_or_with_nothing_open_is_asked(open_ids: set[str]) -> None:
    play = deciding(open_ids)
    assert standing(play).key == "whom"
    play.answer("east", override=not open_ids)
    assert (standing(play).key, play.game.seat) == ("right", "east")


def test_what_belongs_elsewhere_is_refused_with_its_code() -> None:
    def procedure(game: Game) -> Procedure[None]:
        yield Choose("whom", "Whom?", SEATS)

    where = {"reload": "D-X3"}
    book = Book("t", "T", "1", lambda s: Game(), procedure, elsewhere=lambda game, ask, entry: where.get(entry, ""))
    for override in (False, True):
        with pytest.raises(NotNow) as refused:
            Play(book).check("reload", override=override)
        assert refused.value.code == "D-X3"
    with pytest.raises(Malformed, match="no-such-option"):
        Play(book).check("dance")


@dataclass
class Purse(Game):
    """Coins that the judge may set."""

    seat: str = "one"
    coins: int = 5
    correctable: ClassVar[dict[str, Range]] = {"coins": Range(0, 9)}

    def seats(self) -> dict[str, str]:
        return {"one": "One", "two": "Two"}


def purse(game: Purse) -> Procedure[None]:
    while game.coins:
        yield MILESTONE
        paid = yield lambda: Count("pay", f"Of {game.coins}?", 0, game.coins, tag=f"{len(game.conceded)} out")
        game.coins -= paid


PURSE = Book("purse", "Purse", "1", lambda settings: Purse(), purse)


def test_a_question_is_made_again_when_the_state_changes() -> None:
    def asked() -> tuple[str, int, str]:
        count = standing(play)
        return count.text, count.high, count.tag

    play = Play(PURSE)
    play.answer(2)
    assert asked() == ("Of 3?", 3, "0 out")
    play.correct("coins", 7)
    assert asked() == ("Of 7?", 7, "0 out")
    play.concede("two")
    assert asked() == ("Of 7?", 7, "1 out")
    play.answer(7)
    assert play.over is not None
    play.rewind(2)
    assert asked() == ("Of 7?", 7, "0 out")
    play.rewind(1)
    assert asked() == ("Of 3?", 3, "0 out")
