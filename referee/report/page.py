"""The report as one HTML file: it loads nothing, prints on paper, and is the same for the same game."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from html import escape
from importlib import resources
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

from referee.report import charts
from referee.report.luck import FAIR
from referee.report.story import Moment, Story
from referee.rulebook import Pool, Ruling, whole, written
from referee.session import LogLine

MOST_LINES: Final = 8
"""Counters of one chart."""
LEAST_POINTS: Final = 3
"""Fewer make no line."""

HEAD: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"""


def page(story: Story, picture_of: Callable[[Ruling], bytes]) -> str:
    """Return the whole page. ``picture_of``: the glass of a ruling as a PNG file."""
    style = resources.files("referee.report").joinpath("report.css").read_text(encoding="utf-8")
    glass = partial(_glass, picture_of=picture_of)
    sections = (_head, _odds, _turns, _battles, glass, _counters, _told, _luck, _record)
    body = "\n".join(["<main>", *chain.from_iterable(section(story) for section in sections), "</main>"])
    title = f"{story.title} {datetime.fromtimestamp(story.began, UTC):%Y-%m-%d}" if story.began else story.title
    head = HEAD.format(title=escape(title), style=style)
    return f"{head}{body}\n</body>\n</html>\n"


def _head(story: Story) -> Iterator[str]:
    yield f"<header><h1>{escape(story.title)}</h1>"
    day = datetime.fromtimestamp(story.began, UTC).strftime("%-d %B %Y") if story.began else ""
    players = ", ".join(story.seats.values())
    yield f'<p class="soft">{escape(" · ".join(part for part in (day, players) if part))}</p>'
    if story.end:
        winners = " and ".join(story.winners)
        told = all(winner in story.end for winner in story.winners)
        won = "" if told else f"{escape(winners)} {'win' if len(story.winners) > 1 else 'wins'}. "
        yield f'<p class="end">{won}{_whole(story.end)}</p>'
    else:
        yield '<p class="end">The game is not over.</p>'
    yield "</header>"


def _odds(story: Story) -> Iterator[str]:
    known = [moment for moment in story.moments if moment.outlook]
    if len(known) < LEAST_POINTS:
        return
    chances = [{whole(text): round(chance * 100) for text, chance in each.outlook.values()} for each in known]
    outcomes = dict.fromkeys(chain.from_iterable(chances))
    yield "<h2>The odds</h2>"
    yield "<p>The chance of each outcome of the battle, in per cent, ruling after ruling.</p>"
    series = {text: [each.get(text, 0) for each in chances] for text in outcomes}
    shown = sorted(outcomes, key=lambda text: (-max(series[text]), text))[:MOST_LINES]
    yield charts.lines("Odds in per cent", {text: series[text] for text in shown}, _rounds(known))


def _battles(story: Story) -> Iterator[str]:
    if story.battles:
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{_whole(text)}</td></tr>" for name, text in story.battles)
        yield f"<h2>Battles</h2><table><tr><th>battle</th><th>how it ended</th></tr>{rows}</table>"


def _glass(story: Story, picture_of: Callable[[Ruling], bytes]) -> Iterator[str]:
    """Yield a strip of the rulings to be scrolled sideways, one in view: it needs no script."""
    moments = {moment.seq: moment for moment in story.moments}
    rulings = [(line, line.event) for _, each in story.chapters for line in each if isinstance(line.event, Ruling)]
    if not rulings:
        return
    yield '<section class="screen"><h2 id="rulings">Ruling by ruling</h2>'
    yield '<p class="soft">Scroll sideways, or use the arrow keys.</p>'
    yield '<div class="strip" tabindex="0" role="group" aria-labelledby="rulings">'
    named: set[int] = set()
    for number, (line, ruling) in enumerate(rulings, 1):
        moment = moments[line.seq]
        anchor = "" if line.seq in named else f' id="at-{line.seq}"'
        named.add(line.seq)
        counters = "".join(f"<li>{escape(whole(pool.name))} <b>{pool.value}</b></li>" for pool in moment.pools)
        yield f'<div class="glass"{anchor}><p>{number} of {len(rulings)} · {_place(moment.place)}</p>'
        glass = b64encode(picture_of(ruling)).decode()
        yield f'<img width="128" height="64" alt="{_whole(line.text)}" src="data:image/png;base64,{glass}">'
        yield f"<ul>{counters}</ul></div>"
    yield "</div></section>"


def _counters(story: Story) -> Iterator[str]:
    moments = story.moments
    sides: dict[tuple[str, str], set[str]] = {}
    for pool in chain.from_iterable(moment.pools for moment in moments):
        sides.setdefault((pool.id, pool.name), set()).add(pool.side)
    # A counter that goes from side to side under one name is that of whoever has the turn: nobody's story.
    kept = [pool for pool in moments[-1].pools if len(sides[pool.id, pool.name]) == 1]
    values = {(pool.side, pool.name): [_value(moment, pool) for moment in moments] for pool in kept}
    moving = sorted(each for each in values if len(set(values[each])) > 1)
    if not moving:
        return
    yield "<h2>How it went</h2>"
    for side, counters in groupby(moving, key=itemgetter(0)):
        chosen = sorted(counters, key=lambda each: (values[each][0] - values[each][-1], each))[-MOST_LINES:]
        name, called = story.seats.get(side, side), story.called.get(side, side)
        yield f"<h3>{escape(name)}</h3>"
        series = {whole(counter).removeprefix(f"{called} "): values[side, counter] for _, counter in chosen}
        yield charts.lines(name, series, _rounds(moments))


def _rounds(moments: Sequence[Moment]) -> dict[int, str]:
    """Return which round or battle began with which moment, by its index; nothing where there is one alone."""
    began: dict[int, str] = {}
    for at, moment in enumerate(moments):
        first = whole(moment.place[0]) if moment.place else ""
        if first[-1:].isdecimal() and first not in began.values():
            began[at] = first
    return began if len(began) > 1 else {}


def _value(moment: Moment, pool: Pool) -> int:
    same = (each.value for each in moment.pools if (each.side, each.name) == (pool.side, pool.name))
    return next(same, 0)


def _turns(story: Story) -> Iterator[str]:
    if story.turns is None:
        return
    yield "<h2>Where it turned</h2>"
    if not story.turns:
        yield "<p>No single ruling changed much.</p>"
        return
    numbers = "<th class=number>before</th><th class=number>after</th>"
    yield f"<table><tr><th>where</th><th>ruling</th><th>outcome</th>{numbers}</tr>"
    for turn in story.turns:
        shares = (round(turn.before * 100), round(turn.after * 100))
        numbers = "".join(f'<td class="number">{per_cent} %</td>' for per_cent in shares)
        ruling = f'<a href="#at-{turn.seq}">{_whole(turn.headline)}</a>'
        texts = (_place(turn.place), ruling, _whole(turn.outcome))
        yield f"<tr>{''.join(f'<td>{text}</td>' for text in texts)}{numbers}</tr>"
    yield "</table>"


def _luck(story: Story) -> Iterator[str]:
    if not story.luck:
        return
    yield "<h2>Luck</h2>"
    exact = "The percentages are exact: every way in which so many fair dice can fall is counted."
    yield f"<p>The mean of a fair die is {FAIR:.2f}. {exact}</p>"
    yield "<table><tr><th>player</th><th class=number>dice</th><th class=number>mean</th><th>luck</th></tr>"
    for luck in story.luck:
        numbers = f'<td class="number">{luck.dice}</td><td class="number">{luck.average:.2f}</td>'
        yield f"<tr><td>{escape(luck.seat)}</td>{numbers}<td>{escape(luck.words)}</td></tr>"
    yield "</table>"


def _told(story: Story) -> Iterator[str]:
    yield "<h2>The game</h2>"
    yield '<div class="told">'
    before: tuple[str, ...] = ()
    for place, lines in story.chapters:
        if place and place != before:
            yield f"<h3>{_place(place)}</h3>"
            before = place
        yield f"<ol>{''.join(_line(line, story) for line in lines)}</ol>"
    yield "</div>"


def _place(place: Iterable[str]) -> str:
    """Return a place in the sequence of play as the headings of the story call it."""
    return " › ".join(filter(None, map(_whole, place)))


def _whole(text: str) -> str:
    """Return the whole words of a text, beginning with a capital as everything that stands by itself does."""
    words = whole(text)
    return escape(words[:1].upper() + words[1:])


def _unbroken(text: str) -> str:
    """Return a text whose rule ids end no line at their hyphen.

    >>> _unbroken("Eliminated on 8 (BR-45).")
    'Eliminated on 8 (<span class="id">BR-45</span>).'
    """
    return re.sub(r"\b[A-Z]+-[A-Z]*[0-9]+\b", r'<span class="id">\g<0></span>', text)


def _line(line: LogLine, story: Story) -> str:
    text = _whole(line.after(story.called.get(line.seat, "")))
    if line.kind == "ruling":
        why = "".join(f"<li>{_unbroken(escape(each))}</li>" for each in map(written, line.why) if each)
        rules = f' <span class="rules">{_unbroken(escape(", ".join(line.rules)))}</span>' if line.rules else ""
        return f'<li class="ruling">{text}{rules}{f"<ul>{why}</ul>" if why else ""}</li>'
    seat = "" if line.kind in ("reminder", "over") else story.seats.get(line.seat, "")  # nobody said these
    who = f'<span class="who">{escape(seat)}</span> ' if seat else ""
    mark = " <small>(override)</small>" if line.mode == "override" else ""
    return f'<li class="{escape(line.kind)}">{who}{text}{mark}</li>'


def _record(story: Story) -> Iterator[str]:
    yield "<section><h2>The record</h2>"
    yield f'<p class="soft">{story.entries} entries, judged by the rules of edition {escape(story.edition)}, and'
    yield "again for this page with the same result. The hash of the last one stands for all of them:</p>"
    yield f"<p><code>{escape(story.head)}</code></p>"
    yield "<p>Whoever noted it can check it: <code>referee verify --head</code>.</p></section>"
