"""What an Army loses to the hits that are due."""

from __future__ import annotations

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.state import OUT_OF_STEP, Army, Battle, Codes, choose, elsewhere


def start_losing(battle: Battle, side: str) -> None:
    battle.armies[side].taken = []
    lose(battle, side)


def lose(battle: Battle, side: str) -> None:
    """Take what is forced; ask for what is not."""
    army = battle.armies[side]
    if rules.wiped_out(army.due, army.regulars, army.elites):
        army.taken += ["regular"] * army.regulars + ["elite"] * army.elites
        army.lost_regulars += army.regulars
        army.lost_elites += army.elites
        army.regulars = army.elites = army.due = 0
    elif army.due:
        battle.next((lose, side))
        codes = rules.casualty_codes(army.due, army.regulars, army.elites)
        losses = [loss for loss, code in codes.items() if code is None]
        if losses == ["regular"]:
            take(battle, side, "regular")
        elif losses == ["reduce"]:
            ask_replacement(battle, side, back=False)
        else:
            ask_casualty(battle, side, codes)


def ask_casualty(battle: Battle, side: str, codes: Codes) -> None:
    away = elsewhere(re_roll="WR-X12" if battle.in_attack else OUT_OF_STEP)
    battle.ask(choose("casualty", battle.seat(side), {**codes, **away}), take, side)


def take(battle: Battle, side: str, loss: str) -> None:
    army = battle.armies[side]
    if loss == "reduce":
        battle.mark()
        ask_replacement(battle, side, back=True)
    elif loss == "regular":
        army.regulars -= 1
        army.lost_regulars += 1
        army.due -= rules.cost(loss)
        army.taken.append("regular")
    else:
        lose_elite(army, rules.cost(loss))


def lose_elite(army: Army, cost: int) -> None:
    army.elites -= 1
    army.lost_elites += 1
    army.due -= cost
    army.taken.append("elite")


def ask_replacement(battle: Battle, side: str, *, back: bool) -> None:
    codes = rules.replacement_codes(battle.armies[side].lost_regulars)
    battle.ask(choose("casualty.replacement", battle.seat(side), codes, back=back), reduce, side)


def reduce(battle: Battle, side: str, replacement: str) -> None:
    army = battle.armies[side]
    if rules.replaced(replacement):
        army.taken.append("returned" if rules.from_casualties(replacement, army.lost_regulars) else "reduced")
        replace_elite(army, replacement)
        army.due -= rules.cost("reduce")
    else:
        lose_elite(army, rules.cost("reduce"))


def replace_elite(army: Army, replacement: str) -> None:
    """A Regular comes for an Elite, from earlier casualties or from the reinforcements."""
    army.lost_regulars -= rules.from_casualties(replacement, army.lost_regulars)
    army.elites -= 1
    army.lost_elites += 1
    army.regulars += 1
