"""The event as a whole: its game and settings, and the formats in which it is played.

Then the boxes, with the code that adds one and the table of each; the staff's tablets, with their codes.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, get_args

from referee.errors import Malformed, NotNow
from referee.hall.boxes import SHOWN, Boxes
from referee.hall.pages.forms import MOST_TABLE, Asked, Does, Forms, Sender, act
from referee.hall.pages.overview import cut_doubts, due_step, has_empty_stage, settings_chosen
from referee.hall.pages.players import MAX_NAME, name_of
from referee.hall.pages.render import Look
from referee.hall.pages.tables import FORMATS
from referee.hall.staff import NOBODY, ORGANISERS, ROLES, StaffPort
from referee.hall.wishes import at_table, published, table_of
from referee.tournament import Settings, seeding
from referee.tournament.acts import Act, fold
from referee.tournament.acts.base import from_json
from referee.tournament.acts.people import BoxPlaced, CheckedIn, PlayerDropped, PlayerReturned
from referee.tournament.acts.stages import CutMade, SettingsChosen, StageOpened, StageTakenBack
from referee.tournament.scoring import place_points
from referee.tournament.settings import AtTime, Format, Match, Sides, TieBreaker, swiss_rounds

CRITERIA: Final = 6  # how many tie-breakers the form has room for
POINTS: Final = {"win": "Win", "draw": "Draw", "loss": "Loss", "bye": "Bye", "split": "Split of each game, 0: none"}


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that suit a game, as `presets.toml` has them."""

    title: str
    note: str
    source: str
    settings: Settings


_FILE: Final = resources.files("referee.hall.pages") / "presets.toml"
PRESETS: Final = {
    key: from_json(Preset, each, key) for key, each in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
}
"""Every preset by its name in a form."""


def plan(settings: Settings, stages: int) -> tuple[Format, Sides]:
    """Return format and sides that suit the next stage, with so many before it."""
    if settings.tiebreakers == PRESETS["pods"].settings.tiebreakers:
        return "pods", "none"
    if not stages:
        return "swiss", "assigned" if settings.sides else "none"
    if settings.points.split:
        return "round robin", "none"
    return "single elimination", "bid" if settings.sides else "none"


def view(look: Look) -> dict[str, Any]:
    """Settings and stages."""
    desk, event, empty = look.desk, look.desk.event, has_empty_stage(look.desk.event)
    again = event.stage.players if empty and event.stage.cut else ()
    here = len(event.cut or again or event.here())
    chosen = next((key for key, each in PRESETS.items() if each.settings == event.settings), "")
    places = event.settings.points.places
    return {
        "presets": PRESETS,
        "chosen": chosen if settings_chosen(desk) else "",
        "plan": plan(event.settings, len(event.stages) - empty),
        "formats": FORMATS,
        "matches": get_args(Match),
        "tiebreakers": get_args(TieBreaker),
        "criteria": CRITERIA,
        "points": POINTS,
        "at_times": get_args(AtTime),
        "places": {size: place_points(places, size) for size in range(3, 6)},
        "ready": here,
        "swiss": swiss_rounds(max(here, 2)),
        "can_open": all(each.state == "ended" for each in event.rounds) and here > 1,
        "played": not event.stages or empty or due_step(desk) in ("over", "won", "cut"),
        "empty_stage": empty,
        "doubts": cut_doubts(desk),
    }


def preset(sender: Sender) -> Asked:
    """Choose the settings that suit a game."""
    chosen = PRESETS[sender.form.choice("preset", tuple(PRESETS))]
    return Asked([SettingsChosen(**sender.mark, settings=chosen.settings)], notice=f"Settings for: {chosen.title}")


def settings(sender: Sender) -> Asked:
    """Choose the settings one by one."""
    form = sender.form
    places = form.words("places")
    if not all(place.isascii() and place.isdigit() and len(place) < 6 for place in places):
        raise Malformed("places: type whole numbers with commas between them")
    value = {
        "sides": form.words("sides"),
        "wins": form.words("wins"),
        "points": {**{name: form.number(name) for name in POINTS}, "places": [*map(int, places)]},
        "tiebreakers": [each for at in range(1, CRITERIA + 1) if (each := form.text(f"tiebreaker{at}"))],
        "minutes": form.number("minutes"),
        "challenge": form.number("challenge", Settings().challenge),
        "call_stops": bool(form.fields.get("call_stops")),
        "at_time": form.text("at_time"),
    }
    chosen = from_json(Settings, value)
    return Asked([SettingsChosen(**sender.mark, settings=chosen)], notice="The settings are saved")


def title(sender: Sender) -> Asked:
    """Name the event."""
    name = name_of(sender.form.text("title", most=MAX_NAME))
    return Asked(names={"event": {0: name}}, notice="The name is saved")


def open_stage(sender: Sender) -> Asked:
    """Begin a stage with everybody who is here, or with the cut."""
    form, seed, event = sender.form, sender.seed(), sender.event
    told, before = "The format is chosen; draft the first round", list[Act]()
    if has_empty_stage(event):
        before.append(StageTakenBack(**sender.mark | {"why": "opened anew"}))
        told += f". It takes the place of part {event.stage.number}, which had no round"
        event = fold(before, event)
    chosen = form.choice("format", get_args(Format))
    # A browser also sends the fields of other formats.
    stage = StageOpened(
        **sender.mark,
        format=chosen,  # type: ignore[arg-type]
        match=form.choice("match", get_args(Match)),  # type: ignore[arg-type]
        sides=form.choice("sides", get_args(Sides)),  # type: ignore[arg-type]
        rounds=form.number("rounds", 0) if chosen in ("swiss", "pods") else 0,
        pod=form.number("pod", 4) if chosen == "pods" else 4,
        byes=chosen == "pods" and bool(form.fields.get("byes")),
        third=chosen == "single elimination" and bool(form.fields.get("third")),
        players=seeding(event, seed),
        seed=seed,
    )
    players = len(stage.players)
    most = players - 1 + players % 2
    if stage.format == "swiss" and stage.rounds > most:
        raise Malformed(f"rounds: type at most {most}: after that, {players} players have all met")
    return Asked([*before, stage], notice=told, then="/round")


OPENED: Final = (StageOpened, StageTakenBack)
TAKEN_BACK: Final = "The format is taken back"
WHO: Final = (CheckedIn, PlayerDropped, PlayerReturned, CutMade, *OPENED)
FORMS: Final[Forms] = {
    "preset": Does(ORGANISERS, preset, (SettingsChosen,)),
    "settings": Does(ORGANISERS, settings, (SettingsChosen,)),
    "title": Does(ORGANISERS, title),
    "open-stage": Does(ORGANISERS, open_stage, WHO, ()),
    "take-back-stage": Does(ORGANISERS, act(StageTakenBack, TAKEN_BACK, "/setup#stage"), OPENED),
}


def boxes_forms(boxes: Boxes) -> Forms:
    """Return what the forms of the page of the boxes do."""

    def offer(_sender: Sender) -> Asked:
        boxes.tokens.offer()
        return Asked()

    def bar(sender: Sender) -> Asked:
        box = boxes.box(sender.form.text("box"))
        if table := table_of(sender.event, box):
            sender.desk.perform(BoxPlaced(**sender.mark, table=table, box=""))
        boxes.tokens.bar(box)
        return Asked(notice=f"Box {box[:SHOWN]} has lost its access")

    def place(sender: Sender) -> Asked:
        event, form = sender.event, sender.form
        box, table = boxes.box(form.text("box")), form.number("table")
        if not 1 <= table <= MOST_TABLE:
            raise Malformed(f"table: type a number from 1 to {MOST_TABLE}, not {table}")
        left = next((at for at, each in event.boxes.items() if each == box), table)
        round_, match = published(event), at_table(event, left)
        plays = round_ is not None and round_.state == "started" and match is not None and match.open
        if left != table and plays and not form.text("why"):
            raise Malformed(f"why: tell why table {left}, which plays, loses its box")
        placed = BoxPlaced(**sender.mark, table=table, box=box)
        return Asked([placed], notice=f"Table {table} has this box from now on")

    def remove(sender: Sender) -> Asked:
        table, placed = sender.form.number("table"), sender.event.boxes
        if table not in placed:
            raise NotNow("no-box", "Choose a table that has a box")
        removed = BoxPlaced(**sender.mark, table=table, box="")
        return Asked([removed], notice=f"Table {table} now plays on paper, without a box")

    return {
        "place": Does(NOBODY, place, PLACED, ()),
        "remove": Does(NOBODY, remove, PLACED, ()),
        "offer": Does(NOBODY, offer),
        "bar": Does(NOBODY, bar),
    }


PLACED: Final = (BoxPlaced,)


def staff_forms(staff: StaffPort) -> Forms:
    """Return what the forms of the page of the staff do."""

    def invite(sender: Sender) -> Asked:
        staff.access.invite(sender.form.choice("role", ROLES), {each.who for each in sender.desk.acts})
        return Asked()

    def revoke(sender: Sender) -> Asked:
        revoked = staff.access.revoke(sender.form.text("pass"))
        if not revoked:
            raise Malformed("This pass was taken back already")
        return Asked(notice=f"The pass of {revoked[0].who} is taken back")

    return {"invite": Does(NOBODY, invite), "revoke": Does(NOBODY, revoke)}
