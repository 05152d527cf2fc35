"""The throw for a strike, the body check that may follow, and the ruling on both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from referee.games.the_wizards import tables
from referee.games.the_wizards.state import WizardsGame
from referee.games.the_wizards.tables import Wanted, added, at_least, sign, spoken, values
from referee.rulebook import Odds, Procedure, Reason, Roll, Ruling, Short, joined, per_cent, phrase, section

IS = Short("{} {}", "{} is {}")
RULES = {
    "defeated": ("ME-22", "ME-23", "ME-24"),
    "not-defeated": ("ME-22", "ME-23", "ME-24"),
    "ineffectual": ("ME-22", "ME-23"),
    "wounded": ("ME-23", "ME-25"),
    "eliminated": ("ME-23", "ME-25"),
    "cancelled": ("ME-33",),
}


@lru_cache(maxsize=256)
def _wanted(modified: int, against: int) -> Wanted:
    """Return what the dice of a strike must show to beat it (ME-22)."""
    need = tables.needed(modified, against)
    tie = f"{need - 1} ties" if 2 <= need - 1 <= 12 else ""
    versus = phrase(Short("{} v {}", "{} against {}"), sign(modified), against)
    return {"need": at_least(need), "need_note": "wins", "foot": (tie, versus)}


@lru_cache(maxsize=256)
def check_wanted(of: str, body: int, wounded: bool) -> Wanted:  # noqa: FBT001
    """Return what a body check must show to beat the body."""
    return {
        "need": at_least(body + 1 - wounded),
        "need_note": Short("out", "eliminates") if of == "character" else Short("beats", "beats the body"),
        "foot": (f"body {body}", "+1 wounded" if wounded else ""),
    }


Checked = tuple[str, int, bool]
"""Whose body is checked (character or strike), the body, and whether +1 is due."""


def strike_odds(game: WizardsGame) -> Odds:
    """Return the chances of the strike as things are now, body checks included."""
    strike, wounded = game.current_strike, game.target.status == tables.WOUNDED
    return tables.final_odds(game.modified(), strike.prowess, strike.body, game.target_body(), wounded)


def strike_ruling(game: WizardsGame, result: str, check: tuple[int, ...]) -> Ruling:
    """Return the ruling on the strike, before its target leaves the company; ``check``: faces of a body check."""
    strike, target = game.current_strike, game.target
    parts, kind, before = game.parts(), game.outcome(), target.status
    after = "out" if result == "eliminated" else tables.status_after(before, kind, stays=game.stays())
    modified = parts["modified"]
    data: dict[str, Any] = {
        "target": target.id,
        "name": target.name,
        "against": {"prowess": strike.prowess, "body": strike.body or None},
        "prowess": parts,
        "faces": list(check or strike.faces),
        "total": sum(check or strike.faces),
        "strike": {
            "faces": list(strike.faces),
            "total": sum(strike.faces),
            "result": sum(strike.faces) + modified,
            "outcome": kind,
        },
        "status": {"before": before, "after": after},
        "odds": {chance.id: chance.out_of_36 for chance in strike_odds(game)},
    }
    need = phrase("{} wins", _wanted(modified, strike.prowess)["need"])
    if kind == tables.SUCCESSFUL or (kind == tables.FAILS and strike.body):
        of, checked, wounded = checked_body(game)
        data["check"] = {"of": of, "faces": list(check), "total": sum(check), "wounded": wounded, "body": checked}
        if check:
            wanted = check_wanted(of, checked, wounded)
            need = joined(" ", (wanted["need"], wanted["need_note"]))
    headline = phrase(IS, target.short, "out") if result == "eliminated" else tables.RESULTS[result]
    changed = before != after or result == "defeated"
    foot = phrase(IS, target.short, after)
    freed = game.freed(target.id) if after == "out" else ()
    why = partial(explain, freed=freed)
    return Ruling(result, headline, RULES[result], why, data, changed=changed, need=need, foot=foot)


def cancelled(game: WizardsGame) -> Ruling:
    """Return the ruling on a strike that was cancelled: nobody taps (ME-33)."""
    target, status = game.target, game.target.status
    headline = phrase(Short("Cancelled", "The strike on {} is cancelled"), target.short)
    why = (("ME-33", CANCELLED), ("ME-33", phrase("The attack is not defeated")))
    data = {"target": target.id, "name": target.name, "status": {"before": status, "after": status}}
    foot = phrase(IS, target.short, status)
    return Ruling("cancelled", headline, RULES["cancelled"], why, data, changed=False, foot=foot)


BY = {
    "hazards": Short("hazard", "by hazards"),
    "excess": Short("spare", "by spare strikes"),
    "supporters": Short("support", "by support"),
    "resources": Short("resource", "by resources"),
}
STANDS = {
    -1: Short("tapped", "because he is tapped"),
    -2: Short("wounded", "because he is wounded"),
    -3: Short("untapped", "to stay untapped"),
}
"""What changes the prowess of a target: cards and strikes by their name, its status and the -3 by their value."""
SIGNS = {
    "fails": Short("> {}", "which beats {}"),
    "ineffectual": Short("= {}", "which equals {}"),
    "successful": Short("< {}", "which does not reach {}"),
}
COMPARED = Short("{0}{1:+d}={2} {5}", "The throw of {0} with prowess {3} makes {4}, {5}")
CHANCE = Short("Defeat {}", "The chance to defeat the strike was {}")
CANCELLED = Short("Strike cancelled", "The strike is cancelled")


def explain(data: Mapping[str, Any], freed: tuple[str, ...] = ()) -> tuple[Reason, ...]:
    """Return the reasons of a ruling from its data: the prowess, the throw, the body check, the odds, followers."""
    parts, strike, against = data["prowess"], data["strike"], data["against"]
    result, modified = strike["result"], parts["modified"]
    its = values(against["prowess"], against["body"] or 0)
    compared = phrase(SIGNS[strike["outcome"]], Short(its, f"the strike's prowess of {against['prowess']}"))
    lines: list[Reason] = [
        _prowess(parts),
        ("ME-23", phrase(COMPARED, strike["total"], modified, result, spoken(modified), spoken(result), compared)),
    ]
    if "check" in data:
        check = data["check"]
        of = check["of"]
        lines.append(
            ("ME-24" if of == "strike" else "ME-25", check_line(of, check["total"], check["body"], check["wounded"]))
        )
    chance = data["odds"]["defeated"]
    return (*lines, *freed, phrase(CHANCE, Short(chance, per_cent(chance))))


def _prowess(parts: Mapping[str, int]) -> Short:
    """Return the prowess of the target, and of what it is made up."""
    printed, modified = parts["printed"], parts["modified"]
    words = [Short(str(printed), f"{spoken(printed)} on the card")]
    for name, value in parts.items():
        if value and name not in ("printed", "modified"):
            why = BY[name] if name in BY else STANDS[value]
            words.append(Short(f"{sign(value)} {why}", f"{added(value)} {why.whole}"))
    if len(words) == 1:
        return Short(str(printed), f"The prowess of the target is {spoken(modified)}")
    made = joined(Short(" ", ", "), words)
    return Short(f"{made} = {modified}", f"The prowess of the target is {spoken(modified)}: {made.whole}")


def check_line(of: str, total: int, body: int, wounded: bool) -> Short:  # noqa: FBT001
    """Return a body check in words; ``of``: "character" or "strike", ``wounded``: +1 for who was wounded before.

    A ``total`` of 0: none was thrown.
    """
    beats = tables.fails_check(total, body, wounded=wounded)
    fate = {"character": ("survives", "is eliminated"), "strike": ("is not defeated", "is defeated")}[of][beats]
    if not total:
        return Short(f"Body {body}: no check", f"No throw beats body {body}, so the {of} {fate}")
    plus = ", plus 1 for the earlier wound," if wounded else ""
    verb = "beats" if beats else "does not beat"
    return Short(
        f"Check {total}{'+1' if wounded else ''}, body {body}",
        f"The body check of {total}{plus} {verb} body {body}, so the {of} {fate}",
    )


# -- the throw for a strike, and the body check that may follow


@section("ME-20", "ME-22", "ME-23", title="Dice")
def throw_strike(game: WizardsGame) -> Procedure[None]:
    """The defender throws; the outcome is settled at once, unless a body check follows."""
    faces = yield lambda: Roll(
        "strike.dice",
        "Roll for the strike",
        2,
        total=True,
        code="ME-X12",
        **_wanted(game.modified(), game.current_strike.prowess),
        odds=partial(strike_odds, game),
        seat=game.defender,
        rule="ME-22",
        head=band(game),
    )
    game.counted()
    game.current_strike.faces = faces
    kind, body = game.outcome(), game.current_strike.body
    wounded = game.target.status == tables.WOUNDED
    if tables.check_due(kind, body, game.target_body(), wounded=wounded):
        yield from body_check(game)
    else:
        finish(game, tables.result(kind, 0, body, game.target_body(), wounded=wounded))


@section("ME-24", "ME-25", title="Body check")
def body_check(game: WizardsGame) -> Procedure[None]:
    """A wounded character's (the attacker throws) or a failed strike's (the defender throws)."""
    of, body, wounded = checked_body(game)
    came = "succeeded" if of == "character" else "failed"
    faces = yield lambda: roll_check(
        game,
        f"{of}.body",
        Short(f"Body check of the {of}", f"The strike {came}. Roll for the body check of the {of}"),
        (of, body, wounded),
        phrase("{} body", game.target.short) if of == "character" else "Strike body",
    )
    finish(game, tables.result(game.outcome(), sum(faces), body, body, wounded=wounded), faces)


def roll_check(game: WizardsGame, key: str, text: str, of: Checked, head: str) -> Roll:
    """Return the throw of a body check: of a character the attacker's, of a strike the defender's."""
    character = of[0] == "character"
    return Roll(
        key,
        text,
        2,
        total=True,
        code="ME-X12",
        **check_wanted(*of),
        odds=lambda: tables.check_odds(*of),
        seat=game.attacker if character else game.defender,
        rule="ME-25" if character else "ME-24",
        head=head,
    )


def checked_body(game: WizardsGame) -> Checked:
    """Return what is checked after the throw (ME-24, ME-25)."""
    if game.outcome() == tables.SUCCESSFUL:
        return "character", game.target_body(), game.target.status == tables.WOUNDED
    return "strike", game.current_strike.body, False


def finish(game: WizardsGame, result: str, check: tuple[int, ...] = ()) -> None:
    """Rule on the strike and record its result, one of `tables.RESULTS` or "cancelled".

    ``check``: the faces of a body check, none if there was none.
    """
    target = game.target
    if result == "cancelled":
        game.counted()
        game.rule(cancelled(game))
    else:
        game.rule(strike_ruling(game, result, check))
        target.status = tables.status_after(target.status, game.outcome(), stays=game.stays())
    if game.attack is not None:
        game.attack.results[target.id] = result
    game.strike = None
    if result == "eliminated":
        game.remove(target.id)


AGAINST = Short("{} v {}", "{} against {}")


def band(game: WizardsGame) -> str:
    """Return what the band says: "Bilbo v 7/-"."""
    return phrase(AGAINST, game.target.short, values(game.current_strike.prowess, game.current_strike.body))
