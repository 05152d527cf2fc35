"""What the organiser's pages show, computed from the event."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from referee.clock.settings import Settings as Clock
from referee.errors import NotNow
from referee.hall.desk import Desk
from referee.hall.pages.actions.setup import (
    AT_TIMES,
    CLOCKS,
    CONFIRMED,
    COUNTS,
    CRITERIA,
    ENDED,
    SAID,
    TIEBREAKERS,
    has_empty_stage,
)
from referee.hall.pages.blemishes import remark
from referee.hall.pages.corrections import corrections
from referee.hall.pages.presets import PRESETS, plan
from referee.hall.pages.remarks import cut_doubts, cut_lacks, still_here
from referee.hall.pages.roster import filed
from referee.hall.pages.tables import missing_of, round_ends, slips_of, table_of, whole, without_result
from referee.hall.reports import Reports
from referee.hall.wishes import published
from referee.tournament import Event, Round, Stage, final_standings, review, why
from referee.tournament.acts import Act
from referee.tournament.acts.matches import ResultEntered, ResultTakenBack
from referee.tournament.acts.rounds import RoundPaired
from referee.tournament.acts.stages import SettingsChosen
from referee.tournament.event import PenaltyKind
from referee.tournament.settings import Format, Match, Sides, swiss_rounds
from referee.tournament.standings.ranking import fates
from referee.tournament.words import named_tables

Fields = Mapping[str, str]
"""What a page was asked with: its query, or the form that was refused."""

STEPS: Mapping[str, tuple[str, str, str]] = {
    "settings": ("/setup", "Choose the game", "Points, tie-breakers and the length of a round follow from it."),
    "players": ("/players", "Enter the players", "Paste a list of names, one a line."),
    "check-in": ("/players", "Check in the players", "Only who is here is paired."),
    "stage": ("/setup#stage", "Open a stage", "Everybody who is here plays in it."),
    "cut": ("/setup#stage", "Open the stage of the cut", "Those who were chosen play in it, and nobody else."),
    "cut again": ("/standings#cut", "Look at the cut again", "The standings have changed since it was made."),
    "stage again": ("/setup#stage", "Look at the cut again", "The standings have changed since it was made."),
    "calls": ("/floor", "Answer the calls", "A judge claims each call, goes there, and resolves it with the ruling."),
    "draft": ("/round", "Draft the next round", "Only you see a draft."),
    "draft again": ("/round", "Look through the draft, then publish it", "Nobody else sees it yet."),
    "published": ("/round", "Start the round", "The pairings are published; print slips, and let players sit down."),
    "started": ("/round", "Key in the slips", "Then end the round."),
    "disputed": (
        "/round",
        "Settle what is disputed",
        "A judge corrects the result or lets it stand; then end the round.",
    ),
    "all in": ("/round", "End the round", "Every table has its result."),
    "over": ("/standings", "Make a cut, or give the prizes", "The stage is played. A cut goes on in another stage."),
    "won": ("/standings", "Give the prizes", "The stage is played. Print the standings; then end the event."),
    "ended": ("/record", "Fetch the results", "The event has ended. The results can be fetched at any time."),
}
"""What is to do next: where, in a few words, and why."""


def settings_chosen(desk: Desk) -> bool:
    """Return whether the organiser has chosen a game."""
    return any(isinstance(act, SettingsChosen) for act in desk.acts)


def next_step(desk: Desk) -> str:
    """Return which of `STEPS` comes next: where a table calls, a judge goes there before anything else."""
    event = desk.event
    return "calls" if not event.ended and any(not call.resolved for call in event.calls) else due_step(desk)


def due_step(desk: Desk) -> str:
    """Return which of `STEPS` the event itself needs next."""
    event = desk.event
    if event.ended:
        return "ended"
    if not settings_chosen(desk) and not event.stages:
        return "settings"
    if event.cut:
        return "cut again" if cut_doubts(desk) else "cut"
    if not event.stages:
        return _before_stage(event)
    last = event.rounds[-1] if event.rounds else None
    if last is not None and last.state == "started" and not missing(last):
        return "disputed" if any(each.challenged for each in last.pairings) else "all in"
    if last is not None and last.state == "published" and not event.settings.minutes:
        return "started"
    if last is not None and last.state != "ended":
        return {"draft": "draft again"}.get(last.state, last.state)
    return "stage again" if has_empty_stage(event) and cut_doubts(desk) else _after_round(event)


def _after_round(event: Event) -> str:
    """Return what comes next in the stage where its last round has ended, or none was drafted."""
    stage = event.stage
    if "elimination" in stage.format:
        return "draft" if len(event.playing(stage)) > 1 and not _decided(event, stage) else "won"
    return "over" if len(event.rounds_of(stage)) >= stage.rounds else "draft"


def _before_stage(event: Event) -> str:
    if not event.players:
        return "players"
    return "stage" if len(event.here()) > 1 else "check-in"


def _decided(event: Event, stage: Stage) -> bool:
    """Whether an elimination has its champion."""
    return any(fate.left == 0 for fate in fates(event, stage).values())


def home(desk: Desk, _fields: Fields) -> dict[str, Any]:
    """The first page: where the event stands, and what is to do."""
    event = desk.event
    last = event.rounds[-1] if event.rounds else None
    calling = sorted({call.table for call in event.calls if not call.resolved})
    running = next((each for each in event.rounds if each.state == "started"), None)
    return {
        "arrived": len(event.here()),
        "missing": missing(running) if running else "",
        "round": running,
        "late": {
            number: named_tables(tables)
            for number, tables in without_result(each for each in event.rounds if each.state == "ended").items()
        },
        "calls": named_tables(calling) if calling else "",
        "disputed": [
            (each.number, pairing.table) for each in event.rounds for pairing in each.pairings if pairing.challenged
        ],
        "last": last,
        "doubts": cut_doubts(desk),
        "lacks": cut_lacks(event),
        "still_here": still_here(desk),
    }


def missing(round_: Round) -> str:
    """Return the tables of a round that have no result, in words; "" where all have one."""
    tables = [each.table for each in round_.pairings if each.open]
    return named_tables(tables) if tables else ""


def forbidden(_desk: Desk, _fields: Fields, *, who: str) -> dict[str, Any]:
    """A page that is not for whoever asks."""
    return {
        "sentence": f"{who.capitalize()} may not open this page. Ask an organiser (docs/hall.md: Who may do what)"
    }


def setup(desk: Desk, _fields: Fields) -> dict[str, Any]:
    """Settings and stages."""
    event, empty = desk.event, has_empty_stage(desk.event)
    again = event.stage.players if empty and event.stage.cut else ()
    here = len(event.cut or again or event.here())
    pods = event.settings.tiebreakers == PRESETS["pods"].settings.tiebreakers
    chosen = next((key for key, each in PRESETS.items() if each.settings == event.settings), "")
    return {
        "presets": PRESETS,
        "chosen": chosen if settings_chosen(desk) else "",
        "plan": plan(event.settings, len(event.stages) - empty, pods=pods),
        "formats": get_args(Format),
        "matches": get_args(Match),
        "all_sides": get_args(Sides),
        "tiebreakers": TIEBREAKERS,
        "criteria": CRITERIA,
        "at_times": AT_TIMES,
        "clock": event.settings.clock or Clock("start"),
        "clocks": {key: [(word, SAID.get((key, word), word)) for word in words] for key, words in CLOCKS.items()},
        "ready": here,
        "swiss": swiss_rounds(max(here, 2)),
        "can_open": all(each.state == "ended" for each in event.rounds) and here > 1,
        "empty_stage": empty,
        "doubts": cut_doubts(desk),
    }


def players(desk: Desk, fields: Fields) -> dict[str, Any]:
    """Everybody who was entered."""
    listed = sorted(desk.event.players.values(), key=lambda each: filed(desk.names.player(each.number)))
    chosen = desk.event.players.get(whole(fields.get("player", "")))
    return {
        "listed": listed,
        "chosen": chosen,
        "placed": chosen is not None and any(chosen.number in stage.players for stage in desk.event.stages),
        "expected": sum(each.state == "expected" for each in listed),
        "nameless": bool(desk.event.players.keys() - desk.names.of("player").keys()),
    }


class Reviews:
    """What is wrong with the last draft; computed once for each draft, since it takes a while."""

    def __init__(self) -> None:
        self._of: Event | None = None
        self._blemishes: tuple[Any, ...] = ()

    async def prepare(self, event: Event) -> None:
        """Compute it in another thread, where the last round is a draft: everybody else is served meanwhile."""
        if event.rounds and event.rounds[-1].state == "draft" and self._of is not event:
            self._blemishes = await asyncio.to_thread(review, event, len(event.rounds))
            self._of = event

    def __call__(self, event: Event) -> tuple[Any, ...]:
        """Return the blemishes of the draft."""
        if self._of is not event:
            self._blemishes = review(event, len(event.rounds))
            self._of = event
        return self._blemishes


def round_page(desk: Desk, fields: Fields, reviews: Reviews, *, drafts: bool = True) -> dict[str, Any]:
    """One round: the last one, or that of the query. ``drafts``: whether a draft is shown."""
    event = desk.event
    shown = [each for each in event.rounds if drafts or each.state != "draft"]
    wanted = whole(fields.get("round", "")) or len(shown)
    round_ = shown[wanted - 1] if 1 <= wanted <= len(shown) else None
    values: dict[str, Any] = {"round": round_, "rounds": shown, "due": due_step(desk)}
    if round_ is None:
        return values
    stage = event.stages[round_.stage - 1]
    tables = "\n".join(f"{each.table} {' '.join(map(str, each.players))}" for each in round_.pairings)
    return values | {
        "slips": slips_of(event, round_, desk.names),
        "stage": stage,
        "ends": round_ends(event, round_),
        "blemishes": [(each, remark(each)) for each in (reviews(event) if round_.state == "draft" else ())],
        "late": [*cut_lacks(event), *missing_of(stage, event.rounds_of(stage))] if round_.state == "draft" else [],
        "doubts": _doubts(desk, round_) if round_.state == "draft" else [],
        "since": results_since(desk) if round_.state == "draft" else [],
        "missing": missing(round_),
        "tables": tables,
        "seated": sorted(
            (player for each in round_.pairings for player in each.players),
            key=lambda player: filed(desk.names.player(player)),
        ),
        "last": round_.number == len(event.rounds),
    }


def _doubts(desk: Desk, draft: Round) -> list[str]:
    """Return what is doubtful of who is paired in a draft, a sentence each."""
    paired = still_here(desk).items()
    return [
        *cut_doubts(desk),
        *(f"{text}. Drop the player, then draw again" for player, text in paired if draft.of(player)),
    ]


def results_since(desk: Desk) -> list[str]:
    """Return which results have come or were changed since the last draft was made, a sentence a round."""
    drawn = max((at for at, act in enumerate(desk.acts) if isinstance(act, RoundPaired)), default=len(desk.acts))
    changes = (act for act in desk.acts[drawn:] if isinstance(act, (ResultEntered, ResultTakenBack)))
    tables: dict[int, set[int]] = {}
    for act in changes:
        tables.setdefault(act.round, set()).add(act.table)
    return [
        f"Round {number}, {_tables(sorted(each))}: a result came or was changed after this draft was made, which is "
        "paired without it. Draw again to count it"
        for number, each in sorted(tables.items())
    ]


def _tables(numbers: Sequence[int]) -> str:
    return f"table{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def standings_page(desk: Desk, fields: Fields) -> dict[str, Any]:
    """Who stands where, and why."""
    event = desk.event
    if not event.stages:
        return {"stage": None, "rows": (), "criteria": (), "sentences": (), "due": due_step(desk)}
    wanted = whole(fields.get("stage", ""))
    stage = event.stages[wanted - 1] if 1 <= wanted <= len(event.stages) else event.stage
    one, other = whole(fields.get("one", "")), whole(fields.get("other", ""))
    sentences: tuple[str, ...] = ()
    if one and other and one != other:
        try:
            sentences = why(event, stage, one, other, desk.names.player)
        except NotNow as fault:
            sentences = (fault.text,)
    final = len(event.stages) > 1
    return table_of(desk, stage) | {
        "sentences": sentences,
        "compared": [one, other],
        "doubts": cut_doubts(desk),
        "final": [(row.place, row.player) for row in final_standings(event)] if final else [],
        "due": due_step(desk),
    }


def floor(desk: Desk, _fields: Fields) -> dict[str, Any]:
    """Calls by waiting time, more time, penalties."""
    event, now = desk.event, desk.now()
    waiting = [(call, max(0, now - call.opened) // 60_000) for call in event.calls if not call.resolved]
    listed = sorted(event.players, key=lambda each: filed(desk.names.player(each)))
    return {
        "waiting": sorted(waiting, key=lambda each: each[0].opened),
        "penalties": list(enumerate(event.penalties, 1)),
        "kinds": get_args(PenaltyKind),
        "listed": listed,
        "now": now,
        "round": published(event),
    }


def record(desk: Desk, _fields: Fields, reports: Reports | None = None) -> dict[str, Any]:
    """Everything that was done, the newest first. ``reports``: of games, None where no box can connect."""
    event = desk.event
    words = [act.words(event, desk.names.club) for act in desk.acts]
    corrected = corrections(desk.acts)
    done = [
        (number, act, _with(said, corrected.get(number, 0), desk.acts, words))
        for number, (act, said) in enumerate(zip(desk.acts, words, strict=True), 1)
    ]
    over = all(each.state == "ended" and not any(pairing.open for pairing in each.pairings) for each in event.rounds)
    return {
        "done": done[::-1],
        "reports": reports.every() if reports is not None else [],
        "head": desk.ledger.state.head,
        "event_revision": desk.ledger.state.revision,
        "words_of": {"end": ENDED, "erase": CONFIRMED, "go-on": COUNTS},
        "can_end": over,
        "folder": desk.folder,
        "named": bool(desk.names.of("player") or desk.names.of("club")),
        "doubts": desk.ledger.doubts(),
    }


def _with(said: str, corrected: int, acts: Sequence[Act], words: Sequence[str]) -> str:
    """Return what an act says, with the earlier one that it corrects, by its number; 0: none."""
    if not corrected:
        return said
    wrong = f"corrects no. {corrected}, {acts[corrected - 1].kind}"
    return "; ".join(filter(None, (said, ": ".join(filter(None, (wrong, words[corrected - 1]))))))
