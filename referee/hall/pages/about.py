"""What each form of a page is about, in words, so that it can be compared with what its page showed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Final, TypeAlias

from referee.hall.pages.forms import Form
from referee.hall.pages.tables import whole
from referee.tournament import Event, Pairing, Round, cut_to
from referee.tournament.clock import MINUTE
from referee.tournament.words import in_words, listed

Facts: TypeAlias = dict[str, str]
"""What a form is about, in words: what it is, and how it stands. Players by number."""


def _number(form: Form, name: str) -> int:
    return whole(form.fields.get(name, ""))


def _round(event: Event, form: Form) -> Round | None:
    number = _number(form, "round")
    return event.rounds[number - 1] if 1 <= number <= len(event.rounds) else None


def _pairing(event: Event, form: Form) -> Pairing | None:
    round_, table = _round(event, form), _number(form, "table")
    return next((each for each in round_.pairings if each.table == table != 0), None) if round_ else None


def _who(players: Iterable[int]) -> str:
    return listed(f"player {number}" for number in players)


def _came_to(pairing: Pairing) -> str:
    return in_words(pairing.result, pairing, "player {}".format) if pairing.result else "open"


def _match(event: Event, form: Form) -> Facts:
    """Who plays at a table, with the result, and what is said against it."""
    pairing = _pairing(event, form)
    if pairing is None:
        return {}
    facts = {f"Table {pairing.table}": _who(pairing.players), "Its result": _came_to(pairing)}
    return facts | ({"Disputed": pairing.challenged} if pairing.challenged else {})


def _bids(event: Event, form: Form) -> Facts:
    pairing = _pairing(event, form)
    sold = [f"game {each.game}, player {each.player} for {each.tokens}" for each in pairing.bids] if pairing else []
    return _match(event, form) | {"Its bids": listed(sold) if sold else "none"}


def _time(event: Event, form: Form) -> Facts:
    round_, pairing = _round(event, form), _pairing(event, form)
    if pairing is not None:
        given = {f"Time added for table {pairing.table}": f"{pairing.extension / MINUTE:g} min"}
        return {f"Table {pairing.table}": _who(pairing.players)} | given
    return {"Time added for every table": f"{round_.extension / MINUTE:g} min"} if round_ else {}


def _seats(round_: Round) -> Facts:
    byes = [player for each in round_.pairings if each.bye for player in each.players]
    tables = {f"Table {each.table}": _who(each.players) for each in round_.pairings if not each.bye}
    return tables | {"Byes": _who(byes) if byes else "none"}


def _state(round_: Round) -> Facts:
    return {f"Round {round_.number}": "a draft" if round_.state == "draft" else round_.state}


def _seated(event: Event, form: Form) -> Facts:
    """How a round is paired."""
    round_ = _round(event, form)
    return _state(round_) | _seats(round_) if round_ else {}


def _drafted(event: Event, form: Form) -> Facts:
    """How a draft is paired, and the results it may rest on."""
    round_ = _round(event, form)
    return _seated(event, form) | _results(event.rounds[: round_.number - 1] if round_ else ())


def _results(rounds: Iterable[Round]) -> Facts:
    return {
        f"The result of round {each.number}, table {pairing.table}": _came_to(pairing)
        for each in rounds
        for pairing in each.pairings
        if not pairing.bye
    }


def _with_bids(event: Event, form: Form) -> Facts:
    round_ = _round(event, form)
    sold = [f"table {each.table}" for each in round_.pairings if each.bids] if round_ else []
    return _seated(event, form) | {"Bids": listed(sold) if sold else "none"}


def _last(event: Event, form: Form) -> Facts:
    """Which round is the last one, and how it is paired while it is a draft or is to be changed."""
    last = event.rounds[-1] if event.rounds else None
    if last is None:
        return {"The last round": "none"}
    paired = _seats(last) if last.state == "draft" or _round(event, form) is last else {}
    return {"The last round": f"{last.number}, {'a draft' if last.state == 'draft' else last.state}"} | paired


def _places(event: Event, form: Form) -> Facts:
    """Where two players sit."""
    round_ = _round(event, form)
    facts = {}
    for player in (_number(form, "one"), _number(form, "other")):
        pairing = round_.of(player) if round_ else None
        if pairing is not None:
            facts[f"Player {player}"] = (
                f"table {pairing.table}, {_who(pairing.players)}" if pairing.table else "a bye"
            )
    return facts


def _unfinished(event: Event, form: Form) -> Facts:
    """Tables whose results are missing or disputed."""
    round_ = _round(event, form)
    tables = round_.pairings if round_ else ()
    return {f"Table {each.table}": "no result" for each in tables if each.open} | {
        f"Table {each.table}": "disputed" for each in tables if each.challenged
    }


def _expected(event: Event, _form: Form) -> Facts:
    return {f"Player {each.number}": "expected" for each in event.players.values() if each.state == "expected"}


def _entered(event: Event, form: Form) -> Facts:
    player = event.players.get(_number(form, "player"))
    if player is None:
        return {}
    return {"Club": f"number {player.club}", "Rating": str(player.rating), "Always at table": str(player.table)}


def _settings(event: Event, _form: Form) -> Facts:
    return {
        f"Settings, {name.replace('_', ' ')}": listed(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in asdict(event.settings).items()
    }


def _stage(event: Event, _form: Form) -> Facts:
    stages = event.stages
    return {"The last stage": f"{stages[-1].number}, {stages[-1].format}" if stages else "none"}


def _stage_players(event: Event, form: Form) -> Facts:
    """Who would play in a stage that is opened, in the order of their seeds."""
    again = event.stages[-1].players if event.stages and event.stages[-1].cut and not event.cut else ()
    players = event.cut or again or event.here()
    return _stage(event, form) | {"Players": _who(players)}


def _best(event: Event, form: Form) -> Facts:
    size = _number(form, "size")
    best = cut_to(event, size) if event.stages and 1 < size <= len(event.players) else ()
    return _stage(event, form) | {f"Place {place}": f"player {player}" for place, player in enumerate(best, 1)}


def _everything(event: Event, _form: Form) -> Facts:
    return _results(event.rounds) | {f"Player {each.number}": each.state for each in event.players.values()}


def _call(event: Event, form: Form) -> Facts:
    call = next((each for each in event.calls if each.number == _number(form, "call")), None)
    return {f"The call of table {call.table}": call.judge or "not claimed"} if call else {}


def _penalties(event: Event, form: Form) -> Facts:
    player = _number(form, "player")
    given = [f"{each.kind} {each.points or ''}".strip() for each in event.penalties if each.player == player]
    return {f"Penalties of player {player}": listed(given) if given else "none"}


def _penalty(event: Event, form: Form) -> Facts:
    number = _number(form, "penalty")
    given = event.penalties[number - 1] if 1 <= number <= len(event.penalties) else None
    return {f"Penalty {number}": f"player {given.player}, {given.kind} {given.points or ''}".strip()} if given else {}


def _box(event: Event, form: Form) -> Facts:
    """Which box stands at a table, and where the box stands."""
    table, key = _number(form, "table"), form.fields.get("box", "")
    at = next((str(where) for where, box in event.boxes.items() if key and box.startswith(key)), "no table")
    facts = {f"The box of table {table}": event.boxes.get(table, "")[:8] or "none"}
    return facts | ({f"Box {key[:8]}": at} if key else {})


ABOUT: Final[Mapping[str, Mapping[str, Callable[[Event, Form], Facts]]]] = {
    "/setup": {
        "preset": _settings, "settings": _settings, "open-stage": _stage_players, "take-back-stage": _stage,
    },
    "/players": {"check-in-all": _expected, "change": _entered},
    "/round": {
        "draft": _last, "by-hand": _last, "exchange": _places, "discard": _seated, "publish": _drafted,
        "unpublish": _with_bids, "start": _seated, "end": _unfinished, "extend": _time, "bid": _bids,
        "result": _match, "take-back": _match, "challenge": _match, "reject": _match,
    },
    "/standings": {"cut": _best},
    "/floor": {"claim": _call, "extend": _time, "penalty": _penalties, "lift": _penalty},
    "/record": {"end": _everything},
    "/table": {"own-game": _box},
    "/boxes": {"place": _box, "remove": _box},
}  # fmt: skip
"""What a form of a page is about, where another's act could give it another meaning; acts check the rest."""
