"""Whatever people do in whatever order: the record tells the same game, and going back goes back exactly."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from referee.errors import Refused
from referee.journal import Journal
from referee.session import Prompt, Session, Submission, judged_again, resume
from tests.session.skirmish import BOOK


def open_answers(prompt: Prompt) -> list[Any]:
    """Some answers that can be given now."""
    if prompt.stands is not None:
        return [list(prompt.stands) if len(prompt.stands) == prompt.dice else prompt.stands[0]]
    offered: dict[str, list[Any]] = {
        "choose": [o.id for o in prompt.options],
        "pick": [["arm"], ["leg", "ear"]],
        "count": [0, 1, 2],
        "roll": [[1] * prompt.dice, [6] * prompt.dice, [3] * prompt.dice] + ([4, 11] if prompt.total else []),
    }
    return offered[prompt.kind] + (["back"] if prompt.back else [])


class Table(RuleBasedStateMachine):
    """People at a table, with the states they can go back to written down beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.session = Session(BOOK, repeat=self.desk, ruling="shot" if self.desk else None)
        self.past: list[tuple[Any, Any]] = []

    desk = False

    def seen(self) -> tuple[Any, Any]:
        prompt = self.session.prompt
        return self.session.state(), prompt and (prompt.ask, prompt.options, prompt.barred, prompt.place)

    @precondition(lambda self: self.session.prompt is not None)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        prompt = self.session.prompt
        assert prompt is not None
        before = self.seen()
        value = data.draw(st.sampled_from(open_answers(prompt)))
        self.session.answer(Submission(value, n=prompt.n))
        self.past.append(before)

    @precondition(lambda self: self.session.prompt is not None and self.session.prompt.bundles)
    @rule()
    def send_bundle(self) -> None:
        before = self.seen()
        self.session.bundle("both-near")
        self.past.append(before)

    @precondition(lambda self: self.session.prompt is not None)
    @rule(seat=st.sampled_from(["north", "south"]), value=st.integers(0, 2))
    def correct(self, seat: str, value: int) -> None:
        before = self.seen()
        self.session.correct(f"hits.{seat}", value)
        self.past.append(before)

    @precondition(lambda self: self.session.prompt is not None)
    @rule(seat=st.sampled_from(["north", "south"]))
    def concede(self, seat: str) -> None:
        before = self.seen()
        self.session.concede(seat)
        self.past.append(before)

    @precondition(lambda self: self.session.prompt is not None and self.session.prompt.stands is not None)
    @rule(face=st.integers(1, 6))
    def reroll(self, face: int) -> None:
        before = self.seen()
        assert self.session.prompt is not None
        self.session.answer(Submission([face] * self.session.prompt.dice, mode="reroll"))
        self.past.append(before)

    @precondition(lambda self: self.past)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        steps = data.draw(st.integers(1, min(4, len(self.past))))
        self.session.undo(steps)
        assert self.seen() == self.past[-steps]
        del self.past[-steps:]

    @rule(value=st.sampled_from(["sideways", "fly", 99, [7, 7], [], None]))
    def nonsense(self, value: Any) -> None:
        before = self.seen(), self.session.n, self.session.prompt
        try:
            self.session.answer(value)
        except Refused:
            assert (self.seen(), self.session.n, self.session.prompt) == before
        else:
            raise AssertionError(f"{value!r} was taken")

    @invariant()
    def the_record_tells_the_same_game(self) -> None:
        session = self.session
        again = judged_again(BOOK, session.entries)
        assert (again.prompt, again.entries, again.state()) == (session.prompt, session.entries, session.state())
        assert (again.over, again.n, again.undoable) == (session.over, session.n, len(self.past))
        assert again.dice() == session.dice()


class Desk(Table):
    """The same at a ruling desk, where one ruling follows the other."""

    desk = True


class Restarted(Table):
    """The same with a journal on the disk, and a station that stops and starts whenever it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.journal = Journal(Path(self.folder.name) / "journal.db")
        self.session = Session(BOOK, journal=self.journal, source="keys", at=0.1, wall=lambda: 1.7e9)

    def teardown(self) -> None:
        self.journal.close()
        self.folder.cleanup()

    @rule()
    def restart(self) -> None:
        live = self.session
        self.journal.close()
        self.journal = Journal(self.journal.path)
        self.session = resume(BOOK, self.journal, 1, wall=lambda: 1.7e9)
        assert (self.session.prompt, self.session.entries) == (live.prompt, live.entries)
        assert (self.session.state(), self.session.log()) == (live.state(), live.log())


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestDesk = Desk.TestCase
TestDesk.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestRestarted = Restarted.TestCase
TestRestarted.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
