"""The event as a whole: settings, stages, the cut, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from referee.clock.control import MODES
from referee.clock.customs import ACTS, ASKED, AT_FALL, BACK, READ
from referee.clock.settings import USES
from referee.clock.settings import Settings as Clock
from referee.errors import Malformed
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.forms import Form
from referee.hall.pages.presets import PRESETS
from referee.hall.pages.roster import MAX_NAME, name_of
from referee.hall.pages.tables import missing_of
from referee.tournament import Event, cut_to, seeding
from referee.tournament.acts import Act, fold
from referee.tournament.acts.stages import CutMade, EventEnded, SettingsChosen, StageOpened, StageTakenBack
from referee.tournament.settings import AtTime, Format, Match, Points, Settings, Sides, TieBreaker

TIEBREAKERS: Final = get_args(TieBreaker)
AT_TIMES: Final = get_args(AtTime)
CRITERIA: Final = 6
"""How many tie-breakers the form has room for."""
CLOCKS: Final = {
    "use": USES,
    "mode": MODES,
    "table": ASKED,
    "ruling": READ,
    "flag": ACTS,
    "undo": BACK,
}
"""The words that each choice of the seat clocks has, as `[clock]` of a box."""
SAID: Final[Mapping[tuple[str, str], str]] = {
    ("use", "start"): "every game begins with them",
    ("use", "menu"): "the menu of a box offers them",
    ("use", "off"): "none",
    ("mode", "sudden-death"): "sudden death",
    ("mode", "fischer"): "Fischer: an increment for each move",
    ("mode", "us-delay"): "US delay: each move begins with a delay",
    ("mode", "bronstein"): "Bronstein: the time of a move is given back, up to a limit",
    ("mode", "count-up"): "counting up, without a limit",
    ("table", "common"): "both: common time",
    ("table", "buttons"): "the seat that ran last, until its button",
    ("ruling", "common"): "both: common time",
    **{("flag", word): said for word, said in AT_FALL.items()},
    ("undo", "turn"): "the turn alone",
    ("undo", "time"): "the turn and its time",
}
"""What a choice is called in the form, where its word alone does not say it: `referee.clock.customs`, `.control`."""
ENDED: Final = "end"
CONFIRMED: Final = "erase"
COUNTS: Final = "go on"
"""What is typed before the event ends; the names are erased; a record that may be an old copy counts."""


def preset(sender: Sender) -> Asked:
    """Choose the settings that suit a game."""
    chosen = PRESETS[sender.form.choice("preset", tuple(PRESETS))]
    return Asked([SettingsChosen(**sender.mark, settings=chosen.settings)], notice=f"Settings for: {chosen.title}")


def settings(sender: Sender) -> Asked:
    """Choose the settings one by one."""
    chosen = _settings(sender.form)
    chosen.check()
    clocks = chosen.clock.words if chosen.clock is not None else "as each box is configured"
    notice = f"The settings are saved. Seat clocks: {clocks}"
    return Asked([SettingsChosen(**sender.mark, settings=chosen)], notice=notice)


def _settings(form: Form) -> Settings:
    places = form.words("places")
    if not all(place.isascii() and place.isdigit() and len(place) < 6 for place in places):
        raise Malformed("places: expected whole numbers with commas between them")
    names = ("win", "draw", "loss", "bye", "intentional_draw", "double_loss", "forfeit", "no_show", "split")
    points = Points(**{name: form.number(name) for name in names}, places=tuple(map(int, places)))
    chosen = tuple(form.choice(f"tiebreaker{number}", ("", *TIEBREAKERS)) for number in range(1, CRITERIA + 1))
    tiebreakers: tuple[Any, ...] = tuple(filter(None, chosen))
    return Settings(
        form.words("sides"),
        form.words("wins"),
        points,
        tiebreakers,
        form.number("minutes"),
        form.number("challenge", Settings().challenge),
        call_stops=bool(form.fields.get("call_stops")),
        at_time=form.choice("at_time", AT_TIMES),  # type: ignore[arg-type]
        clock=_clock(form) if form.fields.get("use") else None,
        no_show=form.number("no_show_minutes", 0),
        adjudicate=form.number("adjudicate", 0),
    )


def _clock(form: Form) -> Clock:
    words: dict[str, Any] = {key: form.choice(key, options) for key, options in CLOCKS.items()}
    return Clock(**words, periods=form.words("periods"), extra=form.text("extra"))


def title(sender: Sender) -> Asked:
    """Name the event."""
    return Asked(names={"event": {0: name_of(sender.form.text("title", most=MAX_NAME))}}, notice="The name is saved")


def open_stage(sender: Sender) -> Asked:
    """Begin a stage with everybody who is here, or with the cut."""
    form, seed, event = sender.form, sender.seed(), sender.desk.event
    told, before = ["The stage is open; draft its first round"], list[Act]()
    if has_empty_stage(event):
        before.append(StageTakenBack(**sender.mark | {"why": "opened anew"}))
        told.append(f"It takes the place of the one that was stage {event.stage.number} and had no round")
        event = fold(before, event)
    stage = StageOpened(
        **sender.mark,
        format=form.choice("format", get_args(Format)),  # type: ignore[arg-type]
        match=form.choice("match", get_args(Match)),  # type: ignore[arg-type]
        sides=form.choice("sides", get_args(Sides)),  # type: ignore[arg-type]
        rounds=form.number("rounds", 0),
        pod=form.number("pod", 4),
        byes=bool(form.fields.get("byes")),
        third=bool(form.fields.get("third")),
        players=seeding(event, seed),
        seed=seed,
    )
    return Asked([*before, stage], notice=". ".join([*told, *_too_many(stage)]), then="/round")


def has_empty_stage(event: Event) -> bool:
    """Return whether the last stage has no round yet, so that it can be taken back."""
    return bool(event.stages) and not event.rounds_of(event.stage, begun=False)


def take_stage_back(sender: Sender) -> Asked:
    """The last stage was opened by mistake."""
    number = sender.desk.event.stage.number
    notice = f"Stage {number} is taken back"
    return Asked([StageTakenBack(**sender.mark)], notice=notice, then="/setup#stage")


def _too_many(stage: StageOpened) -> list[str]:
    """Return what is said of more Swiss rounds than a player has opponents."""
    most = len(stage.players) - 1
    if stage.format != "swiss" or stage.rounds <= most:
        return []
    opponents = f"{most} opponent{'s' if most > 1 else ''}"
    told = f"{stage.rounds} rounds are too many for {most + 1} players, who have {opponents} each"
    return [f"{told}: to have {most} at most, open the stage again before the first draft"]


def cut(sender: Sender) -> Asked:
    """Let the best go on to another stage."""
    size = sender.form.number("size")
    if size < 2:
        raise Malformed(f"size: expected 2 or more, got {size}")
    event = sender.desk.event
    made = CutMade(**sender.mark, players=cut_to(event, size))
    without = [f"The cut is made without results. {each}" for each in missing_of(event.stage, event.rounds)]
    return Asked([made], notice=". ".join([*without, "Now open the next stage"]), then="/setup#stage")


def end(sender: Sender) -> Asked:
    """End the event; its names stay until they are erased."""
    if sender.form.text("confirm").casefold() != ENDED:
        raise Malformed(f"confirm: expected the word {ENDED}; what has ended cannot be changed any more")
    notice = "The event has ended. Fetch the results with names, then erase the names."
    return Asked([EventEnded(**sender.mark)], notice=notice)


def erase(sender: Sender) -> Asked:
    """Erase the names of an event that has ended."""
    if sender.form.text("confirm").casefold() != CONFIRMED:
        raise Malformed(f"confirm: expected the word {CONFIRMED}; the names cannot be brought back")
    sender.desk.erase()
    return Asked(notice="The names are erased")


def go_on(sender: Sender) -> Asked:
    """Say that this record counts, although a box has seen a newer one."""
    if sender.form.text("confirm").casefold() != COUNTS:
        raise Malformed(f"confirm: expected the words {COUNTS}")
    sender.desk.ledger.go_on(sender.who, sender.desk.now()).result()
    return Asked(notice="This hall goes on. Look through the rounds: what was done since the copy is not here.")


ACTIONS: Final[Actions] = {
    "preset": preset,
    "settings": settings,
    "title": title,
    "open-stage": open_stage,
    "take-back-stage": take_stage_back,
}
CUT: Final[Actions] = {"cut": cut}
END: Final[Actions] = {"end": end, "erase": erase, "go-on": go_on}
