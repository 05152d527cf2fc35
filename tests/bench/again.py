"""A recorded evening played again at the keys, at its recorded times, whatever goes wrong meanwhile.

The hands look at the question, press what was answered then, and try again when it was not taken: because the glass
was dark, the disk refused, or a message lay on top. What no key says (a judge's correction, a card that overrules, a
throw that stands) is said to the console as its menu would say it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.console.cards.asks import ChooseCard, CountCard, PickCard
from referee.console.cards.throw import DiceCard
from referee.session import Entry
from referee.testing.station import Bench
from tests.bench.hands import REACTION

TRIES = 200
"""So often an answer is tried before the evening counts as stuck."""

Stroke = tuple[Entry, ...]


def strokes(entries: Sequence[Entry]) -> list[Stroke]:
    """Return the entries after the start by the stroke they were accepted in."""
    strokes: dict[int, list[Entry]] = {}
    for entry in entries[1:]:
        strokes.setdefault(entry.seq if entry.group is None else entry.group, []).append(entry)
    return [tuple(stroke) for stroke in strokes.values()]


class Again:
    """Plays strokes at a bench, which may be another one after each restart."""

    def __init__(self, bench: Callable[[], Bench], meanwhile: Callable[[], None]) -> None:
        """``bench``: the station as it is now. ``meanwhile``: called between tries; lets things go wrong."""
        self._bench = bench
        self._meanwhile = meanwhile

    def play(self, stroke: Stroke) -> None:
        """Press what was accepted then, until it is accepted again. Raises AssertionError if it never is."""
        wanted = stroke[-1].seq + 1
        for _ in range(TRIES):
            self._meanwhile()
            bench = self._bench()
            if bench.console.table.current.n >= wanted:
                break
            bench.wait(REACTION + 0.1)
            if self._clear(bench):
                self._press(bench, stroke)
                bench.wait(0.1)
        n = self._bench().console.table.current.n
        assert n == wanted, f"entry {stroke[0].seq} ({stroke[0].kind} {stroke[0].answer}) leads to {n}, not {wanted}"

    def _clear(self, bench: Bench) -> bool:
        """Take one thing away that lies before the question; whether nothing did."""
        console = bench.console
        if console.pile:
            bench.hold("back", 0.06)
            return False
        if console.table.current.paused or isinstance(console.top, (ChooseCard, PickCard, CountCard, DiceCard)):
            return True
        if console.table.prompt is None and not console.table.pending:
            return True
        bench.hold("select", 0.06)  # read on, or begin the turn
        return False

    def _press(self, bench: Bench, stroke: Stroke) -> None:
        entry, console = stroke[0], bench.console
        card = console.top
        if entry.kind == "void" and len(stroke) > 1:
            _correct_throw(bench, stroke[1])
        elif entry.kind == "void":
            _undo(bench, entry)
        elif entry.kind != "answer":
            _by_menu(bench, entry)
        elif len(stroke) > 1 or entry.mode or card.__class__ not in _KEYS:
            _as_one_press(bench, stroke)
        else:
            _KEYS[card.__class__](bench, entry)


def _undo(bench: Bench, entry: Entry) -> None:
    table = bench.console.table
    steps = table.current.steps_back_to(min(entry.answer))
    table.acting("keys", bench.clock.now)
    table.do(lambda how: table.current.undo(steps, **how))
    bench.console.pile.number()


def _correct_throw(bench: Bench, entry: Entry) -> None:
    table = bench.console.table
    table.acting("keys", bench.clock.now)
    table.correct_throw(entry.answer, entry.extra["corrected"]["by"], ())
    bench.console.pile.number()


def _by_menu(bench: Bench, entry: Entry) -> None:
    table = bench.console.table
    actions: dict[str, Callable[[], None]] = {
        "correct": lambda: table.correct(entry.answer["path"], entry.answer["value"]),
        "concede": lambda: table.concede(entry.seat),
        "pause": table.pause,
        "unpause": table.resume,
        "leave": lambda: table.attempt(lambda: table.current.leave(source="keys")),
    }
    actions[entry.kind]()
    bench.console.pile.number()
    bench.settle()


def _as_one_press(bench: Bench, stroke: Stroke) -> None:
    """A bundle, an override or a re-roll, as the console hands it on."""
    entry, table = stroke[0], bench.console.table
    answers = [each.answer for each in stroke]
    override, reroll = entry.mode == "override", entry.mode == "reroll"
    if len(stroke) > 1:
        table.do(lambda how: table.current.sequence(answers, n=table.current.n, **how), "keys")
    else:
        table.do(
            lambda how: table.current.answer(entry.answer, n=table.current.n, override=override, reroll=reroll, **how)
        )
    bench.console.pile.number()
    bench.settle()


def _choose(bench: Bench, entry: Entry) -> None:
    card = bench.console.top
    assert isinstance(card, ChooseCard)
    for _ in range(60):
        if card.deal.lit is not None and card.deal.lit.id == entry.answer and not card.deal.lit.extra:
            bench.wait(0.15)  # a click so soon after a detent would be a nudge
            bench.hold("select", 0.06)
            return
        bench.turn(1)
        if bench.console.top is not card:
            return
    _as_one_press(bench, (entry,))  # "back" has no cell


def _pick(bench: Bench, entry: Entry) -> None:
    card = bench.console.top
    assert isinstance(card, PickCard)
    if card.deal.pages > 1 or card.chosen:
        _as_one_press(bench, (entry,))
        return
    order = [item.id for item in card.deal.items]
    for each in entry.answer:
        bench.wait(REACTION + 0.1)
        bench.hold(f"die-{order.index(each) + 1}", 0.06)
    bench.wait(REACTION + 0.1)
    bench.hold("select", 0.06)


def _count(bench: Bench, entry: Entry) -> None:
    card = bench.console.top
    assert isinstance(card, CountCard)
    bench.turn(entry.answer - card.value)
    bench.wait(0.15)
    if bench.console.top is card and card.value == entry.answer:
        bench.hold("select", 0.06)


def _roll(bench: Bench, entry: Entry) -> None:
    card = bench.console.top
    assert isinstance(card, DiceCard)
    if not isinstance(entry.answer, list) or len(entry.answer) != card.prompt.dice or card.earlier:
        _as_one_press(bench, (entry,))
        return
    for face in entry.answer[len(card.gathering) :]:
        if bench.console.top is not card or card.gathering.faces != entry.answer[: len(card.gathering)]:
            return
        bench.hold(f"die-{face}", 0.06)
        bench.wait(REACTION + 0.1)


_KEYS: dict[type, Callable[[Bench, Entry], None]] = {
    ChooseCard: _choose, PickCard: _pick, CountCard: _count, DiceCard: _roll
}  # fmt: skip
