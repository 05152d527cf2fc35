"""What every rulebook must guarantee, whatever the players do, checked with random answers.

`conformance` checks a book, of this package or of any other, and raises `NotConforming` with all findings.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from inspect import GEN_CLOSED, getgeneratorstate
from itertools import count
from time import monotonic
from typing import Any, Final

from referee.console.cards.asks import Sending, select_sends
from referee.errors import Malformed, Refused
from referee.rulebook import (
    ANYBODY,
    Answered,
    Book,
    Choose,
    Count,
    Event,
    Odds,
    Play,
    Procedure,
    Reminder,
    Roll,
    Ruling,
    Section,
)
from referee.session.prompt import Prompt, read_prompt
from referee.testing import fresh
from referee.testing.fits import misfits, misfits_of_the_shelf
from referee.testing.random_table import RandomTable, open_answers
from referee.testing.throws import NotCompared, compare

ANSWERS: Final = 300
"""Random answers that each check gives in each variant of a book."""

REPLAYED: Final = 60
"""Answers that are given again in a fresh process, in each variant of a book."""

ONWARD: Final = 20
"""Times that a bare Select is sent where a book lets it go on, to see whether a section stays open."""

TRIED: Final = 5000
"""Answers that each check tries for the odds of one question in each variant."""

SECONDS: Final = 600.0
"""After so many seconds no further check of a book is begun."""

TURN_CHANGES: Final = 0.1
"""If the turn changes within one place with a larger share of the answers than this, it follows the questions."""

MISFITS_NAMED: Final = 5
"""Texts that do not fit, named in one line of the report."""


class NotConforming(AssertionError):
    """A rulebook fails a check that every rulebook must pass."""


@dataclass(frozen=True)
class Variant:
    """One way to play a book: the whole game or a single ruling, and how its switches are set."""

    book: Book
    ruling: str | None
    settings: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What it is called in a report."""
        switches = ",".join(f"{name}={value}" for name, value in self.settings.items())
        return f"{self.book.id}:{self.ruling or 'play'}:{switches or 'default'}"

    def tables(self, first_seed: int, answers: int) -> Iterator[RandomTable]:
        """Yield one random table after another until they have had their answers together."""
        answered = 0
        for seed in count(first_seed):
            table = RandomTable(self.book, dict(self.settings), self.ruling, seed)
            yield table
            answered += table.answered
            if answered >= answers:
                return

    def questions(self, first_seed: int, answers: int) -> Iterator[tuple[RandomTable, Play]]:
        """Yield such tables at every question, and answer it after it was looked at."""
        for table in self.tables(first_seed, answers):
            for play in _steps(table, answers):
                yield table, play
                play.answer(table.legal())


@dataclass
class Report:
    """What a book costs a table, as far as random answers tell.

    ``answers``  answers given, ``rulings`` rulings that followed, ``hand_overs`` changes of whose turn it is
    ``compared`` throws whose outcome was compared with the odds
    ``uncompared`` odds that could not be compared at some moment: question or table -> why
    """

    answers: int = 0
    rulings: int = 0
    hand_overs: int = 0
    compared: int = 0
    uncompared: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        each = f"{self.answers / self.rulings:.1f} answers a ruling" if self.rulings else "no ruling"
        turns = f"{self.hand_overs} hand-overs in {self.answers} answers"
        left = "".join(f"; not always compared: {name} ({why})" for name, why in sorted(self.uncompared.items()))
        return f"{each}, {turns}, {self.compared} throws compared with their odds{left}"


def variants(book: Book, *, switches: bool = True) -> list[Variant]:
    """Return the whole game and every single ruling, with the default switches and with each one turned."""
    turned = [{switch.name: value} for switch in book.switches for value in switch.values[1:]] if switches else []
    procedures = [*([None] if book.play else []), *book.rulings]
    return [Variant(book, procedure, settings) for procedure in procedures for settings in ({}, *turned)]


def conformance(book: Book, answers: int = ANSWERS, *, seconds: float = SECONDS) -> Report:
    """Run all checks on a book; after so many seconds none is begun any more.

    Raises NotConforming, which names check, variant and finding, and the check at which its time was up.
    """
    report = Report()
    faults: list[str] = []
    checks = [(book.id, check.__name__, partial(check, book, report)) for check in BOOK_CHECKS]
    for variant in variants(book):
        checks += [(variant.name, each.__name__, partial(each, variant, answers, report)) for each in CHECKS]
    until = monotonic() + seconds
    for done, (name, check, run) in enumerate(checks):
        if monotonic() > until:
            faults.append(f"- {name}: the {seconds:g} s were over; {len(checks) - done} checks left")
            break
        _collect(faults, name, check, run)
    if faults:
        raise NotConforming("\n".join((f"{book.id} fails checks that every rulebook must pass:", *faults)))
    return report


def _collect(faults: list[str], name: str, check: str, run: Callable[[], None]) -> None:
    try:
        run()
    except AssertionError as fault:
        faults.append(f"- {name}: {check.replace('_', ' ')}: {fault}")
    except Exception as fault:  # noqa: BLE001 - a book that crashes is named, and the next check is tried
        faults.append(f"- {name}: {check.replace('_', ' ')}: {type(fault).__name__}: {fault}")


def _need(holds: object, text: str) -> None:
    if not holds:
        raise NotConforming(text)


def _steps(table: RandomTable, answers: int) -> Iterator[Play]:
    while table.play.ask is not None and table.answered < answers:
        yield table.play
        table.answered += 1


def _undone(table: RandomTable) -> None:
    """Go back step by step; every state and question must be seen again."""
    play = table.play
    while play.moves:
        table.seen.pop()
        move = play.moves[-1]
        play.rewind(len(play.moves) - 1)
        state, question = table.seen[-1]
        _need(play.game == state, f"undoing {move} leads to another state than before")
        _need(table.question() == question, f"undoing {move} leads to another question than before")


# -- checks of one variant


def undo_restores_every_step(variant: Variant, answers: int, report: Report) -> None:
    """Open answers never end in a crash or a dead end, and undo restores every step."""
    for table in variant.tables(0, answers):
        for play in _steps(table, answers):
            turn = play.game.seat
            seat = table.seat()
            events = play.answer(table.legal(seat), seat=seat)
            report.answers += 1
            report.rulings += sum(isinstance(event, Ruling) for event in events)
            report.hand_overs += play.game.seat != turn
            table.note()
        _undone(table)


def refused_answers_change_nothing(variant: Variant, answers: int, _report: Report) -> None:
    """Refusals have a code and a line, and leave state and question as they were."""
    refused = 0
    for table, play in variant.questions(11000, answers):
        state, question = table.snapshot()
        asked, moves = play.ask, list(play.moves)
        for answer in table.wrong():
            refusal = _refusal(partial(play.answer, answer))
            _need(refusal is not None, f"{asked and asked.key}: {answer!r} is not refused")
            _need(refusal and refusal.code and refusal.text, f"{answer!r} is refused without code or text")
            refused += 1
        no_field = _refusal(partial(play.correct, "no.such.field", 1))
        _need(isinstance(no_field, Malformed), "a field that does not exist can be corrected")
        same = play.ask is asked and play.moves == moves and play.game == state
        _need(same and table.question() == question, "a refused answer changed something")
    _need(refused, "nothing was ever refused")


def _refusal(deed: Callable[[], object]) -> Refused | None:
    try:
        deed()
    except Refused as refused:
        return refused
    return None


def overrides_corrections_and_concessions_break_nothing(variant: Variant, answers: int, _report: Report) -> None:
    """Counters stay within their limits, and undo restores every step of these, too."""
    for table in variant.tables(1000, answers):
        for play in _steps(table, answers):
            _disturb(table)
            for path, limits in play.game.correctable.items():
                limits.check(path, play.game.read(path))
            for pool in play.game.pools():
                _need(0 <= pool.value <= pool.cap, f"{pool.name} shows {pool.value}, not 0 to {pool.cap}")
            _need(play.seat in ("table", *play.game.seats()), f"{play.seat!r} is asked, and no seat of the game")
            table.note()
        _undone(table)


def _disturb(table: RandomTable) -> None:
    play, chance = table.play, table.random.random()
    change, forced = table.correction(), table.override()
    if chance < 0.15 and change is not None:
        play.correct(*change)
    elif chance < 0.5 and forced is not None:
        play.answer(forced, override=True)
    elif chance > 0.995 and play.game.seats():
        play.concede(table.random.choice([seat for seat in play.game.seats() if seat not in play.game.conceded]))
    else:
        play.answer(table.legal())


def questions_show_corrections(variant: Variant, answers: int, _report: Report) -> None:
    """A corrected question shows what it would show if the counter had had that value before."""
    for table, play in variant.questions(31000, answers):
        change = table.correction()
        last = play.moves[-1] if play.moves else None
        if change is not None and isinstance(last, Answered):
            _compare_corrected(table, change, last)


def _compare_corrected(table: RandomTable, change: tuple[str, Any], last: Answered) -> None:
    play = table.play
    here = len(play.moves)
    play.correct(*change)
    state, question = table.snapshot()
    play.rewind(here - 1)
    try:
        play.correct(*change)
        if play.ask is not None:
            play.answer(last.answer, override=last.override, seat=last.seat)
    except Refused:
        pass  # with that counter the answer before was not open, so there is nothing to compare
    else:
        fresh = table.question()
        if play.game == state and fresh[1] == question[1]:  # else the sequence of play took another way
            stale = [f"{old!r} instead of {new!r}" for old, new in zip(question, fresh, strict=False) if old != new]
            _need(fresh == question, f"{change[0]} = {change[1]!r}: {question[1]} still shows {'; '.join(stale)}")
    play.rewind(here - 1)
    play.answer(last.answer, override=last.override, seat=last.seat)


def bundles_are_accepted(variant: Variant, answers: int, _report: Report) -> None:
    """All answers of a bundle that is offered are accepted."""
    for _, play in variant.questions(7000, answers):
        here = len(play.moves)
        for bundle in play.ask.offered() if play.ask else ():
            for answer in bundle.answers:
                refusal = _refusal(partial(play.answer, answer))
                _need(refusal is None, f"bundle {bundle.id}: {answer!r} is refused: {refusal}")
            play.rewind(here)


def a_stray_select_ends_nothing(variant: Variant, answers: int, _report: Report) -> None:
    """What Select sends as a question appears ends no game, no turn, no phase, and no section that lasts.

    Another place is another phase, unless the book says in `Book.onward` why Select may go on there; and even there
    it ends no section that another answer would leave open.
    """
    for _, play in variant.questions(19000, answers):
        prompt = _prompt(play)
        for sending in _sendings(prompt):
            here, ended = len(play.moves), _ended(play, sending, variant)
            _need(not ended, f"{prompt.ask}: a bare Select ({sending.name or 'nothing picked'}) ends {ended}")
            play.rewind(here)


def _prompt(play: Play) -> Prompt:
    prompt = read_prompt(play, 1, None)
    assert prompt is not None
    return prompt


def _sendings(prompt: Prompt) -> tuple[Sending, ...]:
    """Return what Select may send as a question appears: any option may be the one that is remembered."""
    remembered: list[str | None] = [None]
    if prompt.kind == "choose" and prompt.default is None:
        remembered += [option.id for option in prompt.options if option.id != prompt.passing]
    sendings = (select_sends(prompt, last) for last in remembered)
    return tuple({sending.name: sending for sending in sendings if sending is not None}.values())


def _ended(play: Play, sending: Sending, variant: Variant) -> str:
    """Send it; return what it ended, "" for nothing."""
    key, seat, place, lasting = play.ask and play.ask.key, play.game.seat, play.game.place(), play.lasting
    here = len(play.moves)
    try:
        for answer in sending.answers:
            play.answer(answer)
    except Refused:
        return ""
    if play.over is not None and not variant.ruling:
        return "the game"
    if seat not in (ANYBODY, play.game.seat):
        return "the turn"
    onward = variant.book.onward.get(key or "")
    closed = _closed(lasting)
    if onward is not None and (not onward.answers or sending.name in onward.answers):
        return f"{closed}, which another answer leaves open" if closed and _left_open(play, here, variant) else ""
    if play.over is None and play.game.place() != place:
        return " / ".join(place)
    return closed


def _closed(lasting: Iterable[tuple[Section, Procedure[Any]]]) -> str:
    return next((section.title for section, procedure in lasting if getgeneratorstate(procedure) == GEN_CLOSED), "")


def _left_open(play: Play, here: int, variant: Variant) -> bool:
    """Return whether another answer, and then a bare Select wherever the book lets it go on, ends no such section."""
    play.rewind(here)
    for answer in open_answers(play.ask) if isinstance(play.ask, (Choose, Count)) else ():
        lasting = play.lasting
        play.answer(answer)
        for _ in range(ONWARD):
            if play.ask is None or play.ask.key not in variant.book.onward:
                break
            sending = select_sends(_prompt(play), None)
            for each in sending.answers if sending else ():
                _refusal(partial(play.answer, each))
        if not _closed(lasting):
            return True
        play.rewind(here)
    return False


def a_stray_select_is_never_refused(variant: Variant, answers: int, _report: Report) -> None:
    """What Select sends as a question appears is open, unless nothing is, or nothing but what ends or skips."""
    for _, play in variant.questions(43000, answers):
        prompt = _prompt(play)
        passes = prompt.kind == "choose" and all(option.id == prompt.passing for option in prompt.options)
        for sending in () if passes else _sendings(prompt):
            here = len(play.moves)
            for answer in sending.answers:
                refusal = _refusal(partial(play.answer, answer))
                _need(refusal is None, f"{prompt.ask}: a bare Select ({sending.name}) is refused: {refusal}")
            play.rewind(here)


def no_question_has_one_answer(variant: Variant, answers: int, _report: Report) -> None:
    """A question that shows several answers, one open and the others barred firmly, is not asked: see `decide`."""
    for _, play in variant.questions(47000, answers):
        prompt = _prompt(play)
        shown = [entry.bar for entry in prompt.barred if not entry.bar.aside]
        if isinstance(play.ask, (Choose, Count)) and not prompt.bundles and shown:
            choices = len(prompt.options) or prompt.high - prompt.low + 1 - len(prompt.barred)
            settled = choices == 1 and all(entry.bar.firm for entry in prompt.barred)
            _need(not settled, f"{prompt.ask} is asked, though one answer is open and no override opens another")


def shown_values_are_valid(variant: Variant, answers: int, _report: Report) -> None:
    """Rules that are named exist, states and data are JSON values, headlines and reasons are not empty."""
    rules = variant.book.rules
    for table in variant.tables(23000, answers):
        for play in _steps(table, answers):
            ask = play.ask
            _need(ask and ask.text, f"{ask and ask.key} has no text")
            rule = ask.rule if ask else ""
            _need(not rule or not rules or rule in rules, f"{rule} is not in Book.rules")
            for event in play.answer(table.legal()):
                _look_at(event, rules)
            _plain(play.game.as_json())
            pickle.loads(pickle.dumps(play.game))  # noqa: S301 - our own copy, never left this process


def _look_at(event: Event, rules: Mapping[str, str]) -> None:
    if isinstance(event, Reminder):
        _need(event.text, "a reminder has no text")
        return
    _need(event.headline, "a ruling has no headline")
    _need(all(event.why), f"{event.headline}: a reason is empty")
    unnamed = {each[0] for each in event.reasons if not isinstance(each, str)} - set(event.rules)
    _need(not unnamed, f"{event.headline}: {', '.join(unnamed)} is a reason's rule: expected it in `rules`, too")
    strange = set(event.rules) - set(rules) if rules else set()
    _need(not strange, f"{event.headline}: {', '.join(strange)} is not in Book.rules")
    _plain(event.data)
    _add_up(event.headline, event.data)


def _add_up(headline: str, data: Mapping[str, Any]) -> None:
    """Look at totals beside faces, those of each seat or throw within ``data``, too."""
    faces, total = data.get("faces"), data.get("total")
    if isinstance(faces, Mapping) and isinstance(total, Mapping):
        for seat in faces.keys() & total.keys():
            _add_up(f"{headline}, {seat}", {"faces": faces[seat], "total": total[seat]})
    elif type(total) is int and faces and all(type(face) is int for face in faces):
        text = f"{headline}: `total` is {total} beside {faces}: expected their sum, {sum(faces)}"
        _need(total == sum(faces), text)
    for name, part in data.items():
        if isinstance(part, Mapping) and name not in ("faces", "total"):
            _add_up(f"{headline}, {name}", part)


def _plain(value: Any) -> None:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as fault:
        raise NotConforming(f"{value!r} cannot be written as JSON: {fault}") from None
    if isinstance(value, Mapping):
        _need(all(isinstance(key, str) for key in value), f"{value!r}: expected text as keys")
        for each in value.values():
            _plain(each)


def texts_fit_the_glass(variant: Variant, answers: int, _report: Report) -> None:
    """Every question, reason, ruling, reminder and page of the menu fits 128x64 and 256x64."""
    _fit(misfits(variant.book, variant.settings, variant.ruling, answers))


def _fit(misfits: Sequence[str]) -> None:
    more = f"; and {len(misfits) - MISFITS_NAMED} more" if len(misfits) > MISFITS_NAMED else ""
    _need(not misfits, "; ".join(misfits[:MISFITS_NAMED]) + more)


def odds_match_the_rulings(variant: Variant, answers: int, report: Report) -> None:
    """Every throw, tried on a copy, leads to the outcomes in the odds' proportions."""
    tried: Counter[str] = Counter()
    for _, play in variant.questions(37000, answers):
        ask = play.ask
        if isinstance(ask, Roll) and tried[ask.key] < TRIED and (odds := ask.odds()):
            tried[ask.key] += _compare(play, odds, ask.key, report)


def _compare(play: Play, odds: Odds, name: str, report: Report) -> int:
    """Return how many answers it took."""
    try:
        compared = compare(play, odds)
    except NotCompared as reason:
        report.uncompared.setdefault(name, str(reason))
        return TRIED // 10
    _need(not compared.differs, f"{name}: {compared.differs}")
    report.compared += compared.throws
    return compared.tried


def turns_outlast_a_question(variant: Variant, answers: int, _report: Report) -> None:
    """Whose turn it is (`game.seat`) changes with the place in the sequence of play; who answers is `seat=`."""
    answered = changed = 0
    for table in variant.tables(41000, answers):
        for play in _steps(table, answers):
            before = (play.game.seat, play.game.place())
            play.answer(table.legal())
            answered += 1
            changed += play.game.seat != before[0] and play.game.place() == before[1] and play.over is None
    text = f"{changed} of {answered} answers changed the turn but not `place()`; each costs a screen and a press"
    _need(changed <= TURN_CHANGES * answered, text)


# -- checks of a book


def the_book_is_complete(book: Book, _report: Report) -> None:
    """It has an id, a title, an edition, something to play, and switches that accept their own values."""
    _need(book.id and book.title and book.edition, "id, title or edition is empty")
    _need(book.play or book.rulings, "there is nothing to play")
    for switch in book.switches:
        _need(switch.values and switch.text, f"switch {switch.name} has no value or no text")
        for value in switch.values:
            for form in (value, str(value).lower()):
                accepted = book.settings({switch.name: form})[switch.name] == value
                _need(accepted, f"{switch.name} does not accept {form!r}")


def tables_are_complete(book: Book, _report: Report) -> None:
    """A printed table has every column in every row once, and its odds add up to 1."""
    for name, table in book.tables.items():
        cells = list(table())
        _need(cells, f"table {name} is empty")
        places = Counter((cell.row, cell.column) for cell in cells)
        twice = [place for place, times in places.items() if times > 1]
        _need(not twice, f"table {name}: {twice[:1]} is there twice")
        rows, columns = {cell.row for cell in cells}, {cell.column for cell in cells}
        missing = [(row, column) for row in rows for column in columns if (row, column) not in places]
        _need(not missing, f"table {name} is ragged: {missing[:1]} is missing")
        for cell in cells:
            total = sum((chance.chance for chance in cell.odds), Fraction(0))
            _need(not cell.odds or total == 1, f"table {name}, {cell.row}, {cell.column}: its odds add up to {total}")


def tables_match_the_rulings(book: Book, report: Report) -> None:
    """Every cell of a printed table has the odds of the throw that its answers lead to."""
    for name, table in book.tables.items():
        cells = list(table())
        if any(cell.odds and not cell.ruling for cell in cells):
            report.uncompared[f"table {name}"] = "its cells name no ruling"
        for cell in cells:
            if cell.odds and cell.ruling:
                where = f"table {name}, {cell.row}, {cell.column}"
                play = Play(book, {}, cell.ruling)
                for answer in cell.answers:
                    play.answer(answer)
                _need(isinstance(play.ask, Roll), f"{where}: its answers lead to no throw")
                _compare(play, cell.odds, where, report)


def a_fresh_process_rules_the_same(book: Book, report: Report) -> None:
    """The same answers give the same questions, rulings and states in a process that has played nothing before."""
    played = []
    for variant in variants(book):
        for table in variant.tables(53000, REPLAYED):
            answers = []
            for play in _steps(table, REPLAYED):
                answers.append(table.legal())
                play.answer(answers[-1])
            played.append(fresh.Game(variant.ruling, variant.settings, answers))
    try:
        different = list(fresh.differences(book, played))
    except fresh.NotFound as reason:
        report.uncompared["a fresh process"] = str(reason)
        return
    _need(not different, "; ".join(different[:MISFITS_NAMED]))


def titles_and_switches_fit_the_glass(book: Book, _report: Report) -> None:
    """Title, rulings and switches fit 128x64 and 256x64."""
    _fit(misfits_of_the_shelf(book))


CHECKS: Final = (
    undo_restores_every_step,
    refused_answers_change_nothing,
    overrides_corrections_and_concessions_break_nothing,
    questions_show_corrections,
    bundles_are_accepted,
    a_stray_select_ends_nothing,
    a_stray_select_is_never_refused,
    no_question_has_one_answer,
    shown_values_are_valid,
    texts_fit_the_glass,
    odds_match_the_rulings,
    turns_outlast_a_question,
)
"""Run with every variant of a book."""

BOOK_CHECKS: Final = (
    the_book_is_complete,
    tables_are_complete,
    tables_match_the_rulings,
    a_fresh_process_rules_the_same,
    titles_and_switches_fit_the_glass,
)
"""Run once with a book."""

__all__ = ["BOOK_CHECKS", "CHECKS", "NotConforming", "Report", "Variant", "conformance", "variants"]
