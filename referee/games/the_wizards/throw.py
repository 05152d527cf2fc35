"""The throw for a strike, and the body check that may follow."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards import strikes, verdict
from referee.games.the_wizards.state import ATTACKER, DEFENDER, WizardsGame
from referee.games.the_wizards.words import values
from referee.rulebook import Procedure, Roll, Short, phrase, section


@section("ME-20", "ME-22", "ME-23", title="Dice")
def throw_strike(game: WizardsGame) -> Procedure[None]:
    """The defender throws; the outcome is settled at once, unless a body check follows."""
    faces = yield lambda: Roll(
        "strike.dice",
        "Roll for the strike",
        2,
        total=True,
        code="ME-X12",
        **verdict.strike_wanted(game),
        odds=partial(verdict.strike_odds, game),
        seat=DEFENDER,
        rule="ME-22",
        head=band(game),
    )
    game.counted()
    strike, target = game.current_strike, game.target
    strike.faces, strike.parts, strike.before = faces, game.parts(), target.status
    strike.against = strike.prowess
    strike.kind = strikes.outcome(sum(faces) + strike.parts["modified"], strike.against)
    target.status = strikes.status_after(target.status, strike.kind, stays=game.stays())
    if strikes.check_due(strike.kind, strike.body):
        yield from body_check(game)
    else:
        finish(game, strikes.result(strike.kind, 0, strike.body, 0, wounded=False))


@section("ME-24", "ME-25", title="Body check")
def body_check(game: WizardsGame) -> Procedure[None]:
    """A wounded character's (the attacker throws) or a failed strike's (the defender throws)."""
    of_character = game.current_strike.kind == strikes.SUCCESSFUL
    of = "character" if of_character else "strike"
    came = "succeeded" if of_character else "failed"
    faces = yield lambda: Roll(
        f"{of}.body",
        Short(f"Body check of the {of}", f"The strike {came}. Roll for the body check of the {of}"),
        2,
        total=True,
        code="ME-X12",
        **verdict.check_wanted(*checked(game)),
        odds=lambda: strikes.check_odds(*checked(game)),
        seat=ATTACKER if of_character else DEFENDER,
        rule="ME-25" if of_character else "ME-24",
        head=phrase("{} body", game.target.short) if of_character else "Strike body",
    )
    _, body, wounded = checked(game)
    finish(game, strikes.result(game.current_strike.kind, sum(faces), body, body, wounded=wounded), faces)


def checked(game: WizardsGame) -> tuple[str, int, bool]:
    """Return whose body is checked (character or strike), the body, and whether +1 is due (ME-24, ME-25)."""
    strike = game.current_strike
    if strike.kind == strikes.SUCCESSFUL:
        return "character", game.target_body(), strike.before == strikes.WOUNDED
    return "strike", max(1, strike.body), False


def finish(game: WizardsGame, result: str, check: tuple[int, ...] = ()) -> None:
    """Rule on the strike and record its result, one of `strikes.RESULTS` or "cancelled".

    ``check``: the faces of a body check, none if there was none.
    """
    target = game.current_strike.target
    if result == "cancelled":
        game.counted()
        game.rule(verdict.cancelled(game))
    else:
        game.rule(verdict.strike_ruling(game, result, check))
    if game.attack is not None:
        game.attack.results[target] = result
    game.strike = None
    if result == "eliminated":
        game.remove(target)


AGAINST = Short("{} v {}", "{} against {}")


def band(game: WizardsGame) -> str:
    """Return what the band says: "Bilbo v 7/-"."""
    return phrase(AGAINST, game.target.short, values(game.current_strike.prowess, game.current_strike.body))
