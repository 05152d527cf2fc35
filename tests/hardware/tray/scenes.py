"""Random trays, lights and throws, each with what is true of it. Seeds below `JUDGED` are for tuning alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.hardware.tray.render import PIPS, Array, Body, Camera, Lamp, Mark, Painter, Scene, Tray

JUDGED = 1_000_000

CLOTHS = {
    "green": (0.07, 0.20, 0.05),
    "blue": (0.32, 0.13, 0.05),
    "light green": (0.16, 0.36, 0.13),
    "violet": (0.26, 0.10, 0.17),
    "red": (0.06, 0.05, 0.28),
}
GROUNDS = {
    "grey": (0.20, 0.20, 0.20),
    "dark grey": (0.06, 0.06, 0.06),
    "black": (0.015, 0.015, 0.015),
    "white": (0.75, 0.76, 0.76),
    "cream": (0.50, 0.66, 0.74),
    "oak": (0.11, 0.26, 0.46),
    "walnut": (0.03, 0.07, 0.15),
}
"""Plain grounds of a table, beside the cloths of a tray."""

DICE = {
    "ivory": ((0.55, 0.70, 0.76), (0.02, 0.02, 0.02)),
    "white": ((0.78, 0.80, 0.80), (0.02, 0.02, 0.02)),
    "white with blue": ((0.78, 0.80, 0.80), (0.25, 0.06, 0.03)),
    "red": ((0.05, 0.04, 0.45), (0.80, 0.80, 0.80)),
    "blue": ((0.42, 0.12, 0.04), (0.80, 0.80, 0.80)),
    "yellow": ((0.05, 0.55, 0.72), (0.02, 0.02, 0.02)),
}
DARK = {
    "black": ((0.015, 0.015, 0.015), (0.80, 0.80, 0.80)),
    "charcoal": ((0.05, 0.05, 0.05), (0.70, 0.72, 0.72)),
    "navy": ((0.10, 0.03, 0.015), (0.80, 0.80, 0.80)),
    "bottle green": ((0.02, 0.06, 0.015), (0.80, 0.80, 0.80)),
    "wine": ((0.02, 0.015, 0.09), (0.80, 0.80, 0.80)),
    "black with gold": ((0.015, 0.015, 0.015), (0.08, 0.42, 0.60)),
}
"""Dark bodies with light pips, on every cloth: some of them can hardly be told from a shadow there."""

UNFIT = {("red", "red"), ("blue", "blue"), ("violet", "blue"), ("violet", "red")}
"""Cloth and dice which the guide tells not to put together."""


@dataclass(frozen=True)
class Setup:
    """A tray with its camera, light and set of dice."""

    painter: Painter
    scene: Scene
    die: Body
    colours: tuple[str, ...]
    cloth: str
    area: tuple[float, float]
    """Where dice fall, in mm: all of a tray, or the part of a table that the camera sees."""


@dataclass(frozen=True)
class Throw:
    """A picture's contents. ``faces``: of every die and where it is seen; ``trick``: what is wrong with it."""

    bodies: tuple[Body, ...]
    faces: tuple[tuple[int, float, float], ...]
    trick: str = ""


def linear(colour: tuple[float, float, float]) -> Array:
    """Return a colour as an array."""
    return np.asarray(colour, np.float32)


def _differ(cloth: str, die: str) -> bool:
    """Whether people can tell a die from the ground at a glance."""
    ground, body = (np.asarray(colour) ** (1 / 2.2) for colour in ((CLOTHS | GROUNDS)[cloth], (DICE | DARK)[die][0]))
    return float(np.linalg.norm(ground - body)) > 0.25


def setup(seed: int, *, dark: bool = False, plain: bool = False) -> Setup:
    """Return a random setup of those that docs/dice.md recommends.

    ``dark``: but with dark dice on any cloth; ``plain``: but with any dice on a ground of any colour, half of them
    without a tray.
    """
    rng = np.random.default_rng(seed)
    cloth = str(rng.choice(list(CLOTHS | GROUNDS if plain else CLOTHS)))
    size = float(rng.uniform(15, 18))
    # The wider the tray, the farther the camera: it fills the picture as far as it can.
    width = float(rng.uniform(170, 220))
    high = width * float(rng.uniform(1.7, 2.2))
    lean, around = np.radians(rng.uniform(0, 9)), rng.uniform(0, 2 * np.pi)
    at = np.array([np.cos(around) * np.sin(lean), np.sin(around) * np.sin(lean), np.cos(lean)]) * high
    focal = 640 * high / (width * 1.22)
    camera = Camera(
        at,
        _look(at, np.radians(rng.uniform(-4, 4))),
        focal,
        bend=float(rng.uniform(-0.01, 0.01)),
        blur=float(rng.uniform(0.45, 0.9)),
        noise=float(rng.uniform(0.8, 3.0)),
        quality=int(rng.integers(82, 96)),
    )
    paint = linear((CLOTHS | GROUNDS)[cloth])
    area = width, width * 0.7
    tray = Tray(
        (9 * width, 9 * width) if plain and seed % 2 else area,
        float(rng.uniform(15, 35)),
        paint,
        paint * rng.uniform(0.5, 1.1) if rng.random() < 0.5 else linear((0.06, 0.13, 0.22)),
        float(rng.uniform(0.01, 0.05)),
        int(rng.integers(1 << 30)),
    )
    lamps = []
    for _ in range(int(rng.integers(1, 4))):
        turn, rise = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(50, 80))
        away = np.array([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)])
        lamps.append(Lamp(away * rng.uniform(600, 1200), float(rng.uniform(60, 160)), float(rng.uniform(0.5, 1.0))))
    sky = float(rng.uniform(0.45, 1.0)) * sum(lamp.power for lamp in lamps)
    if plain:
        names = [name for name in DICE | DARK if _differ(cloth, name)]
    else:
        names = list(DARK) if dark else [name for name in DICE if (cloth, name) not in UNFIT]
    colours = tuple(str(name) for name in rng.choice(names, size=int(rng.integers(1, 3)), replace=False))
    pip = size * float(rng.uniform(0.085, 0.11))
    die = Body(
        "cube", size, np.zeros(3), np.eye(3), np.zeros(3), pip=pip, pitch=size * float(rng.uniform(0.23, 0.27)),
        long_six=float(rng.uniform(1.0, 1.08)), rounding=size * float(rng.uniform(0.06, 0.15)),
        mirrored=tuple(bool(x) for x in rng.integers(0, 2, 3)),  # type: ignore[arg-type]
        marble=float(rng.choice([0, 0, 0.08])), gloss=float(rng.choice([0, 0.02, 0.06])),
    )  # fmt: skip
    scene = Scene(camera, tray, tuple(lamps), sky)
    return Setup(Painter(scene), scene, die, colours, cloth, area)


def with_sheet(setting: Setup, sheet: Array) -> Array:
    """Return a picture of the tray with the printed sheet in it."""
    return Painter(setting.scene, sheet).draw((), np.random.default_rng(1))


def throw(setting: Setup, rng: np.random.Generator, dice: int, trick: str = "") -> Throw:
    """Return a throw of flat dice. ``trick``: "marked", with glints and dirt, or what is wrong, one of `TRICKS`."""
    bodies: list[Body] = []
    if trick == "marked":
        return _marked(throw(setting, rng, dice), rng)
    if trick:
        bodies += TRICKS[trick](setting, rng)
    first = len(bodies)
    while len(bodies) < max(dice, first):
        die = replace(_die(setting, rng), turn=_flat(rng), at=_place(setting, rng))
        if all(_apart(die, other) for other in bodies):
            bodies.append(die)
    camera = setting.scene.camera
    faces = []
    for body in bodies:
        if body.kind == "cube":
            x, y = camera.pixel(body.at + np.array([0, 0, body.size / 2]))
            faces.append((body.top[0], x, y))
    return Throw(tuple(bodies), tuple(faces), trick)


def _marked(thrown: Throw, rng: np.random.Generator) -> Throw:
    """Return a throw with a glint, a soft highlight, or something that half covers a pip, on one top or more."""
    marks = rng.random(len(thrown.bodies)) < 0.4
    marks[rng.integers(len(marks))] = True
    bodies = [
        replace(body, marks=(_mark(body, rng),)) if on else body
        for body, on in zip(thrown.bodies, marks, strict=True)
    ]
    return replace(thrown, bodies=tuple(bodies), trick="marked")


def _mark(die: Body, rng: np.random.Generator) -> Mark:
    face, _ = die.top
    places = [(u * die.pitch, v * die.pitch) for u, v in PIPS[face]]
    if face == 6:
        places = [(u, v * die.long_six) for u, v in places]
    axis = int(np.argmax(np.abs(die.turn[2])))
    if die.mirrored[axis]:
        places = [(v, u) if face == 6 else (u, -v) for u, v in places]
    pip = np.array(places[rng.integers(len(places))])
    around = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.3:
        # Dirt, of any colour or that of the die: something of the pip is seen.
        off = pip + np.array([np.cos(around), np.sin(around)]) * die.pip * rng.uniform(0.8, 1.3)
        paint = die.colour if rng.random() < 0.5 else linear(tuple(rng.uniform(0.01, 0.8, 3).tolist()))
        return Mark((float(off[0]), float(off[1])), die.pip * float(rng.uniform(0.8, 1.2)), 0.3, paint)
    at = [pip, np.zeros(2), rng.uniform(-0.35, 0.35, 2) * die.size][int(rng.choice(3, p=[0.5, 0.25, 0.25]))]
    at = at + rng.normal(0, 0.01, 2) * die.size
    sharp = rng.random() < 0.6
    radius, soft = (rng.uniform(0.04, 0.2), 0.02) if sharp else (rng.uniform(0.08, 0.25), rng.uniform(0.06, 0.2))
    return Mark((float(at[0]), float(at[1])), float(radius) * die.size, float(soft) * die.size)


def picture(setting: Setup, thrown: Throw, rng: np.random.Generator) -> Array:
    """Return it as the camera sends it, with a slightly different exposure than that of the empty tray."""
    gain = rng.uniform(0.97, 1.03) * (1 + rng.normal(0, 0.006, 3))
    setting.painter.scene = replace(setting.scene, gain=gain)
    return setting.painter.draw(thrown.bodies, rng)


def _die(setting: Setup, rng: np.random.Generator) -> Body:
    body, pips = (DICE | DARK)[str(rng.choice(list(setting.colours)))]
    return replace(setting.die, colour=linear(body), pip_colour=linear(pips))


def _place(setting: Setup, rng: np.random.Generator) -> Array:
    edge = setting.die.size * 0.72
    width, height = setting.area
    half = setting.die.size / 2
    return np.array(
        [rng.uniform(edge - width / 2, width / 2 - edge), rng.uniform(edge - height / 2, height / 2 - edge), half]
    )


def _flat(rng: np.random.Generator) -> Array:
    return about(np.array([0, 0, 1.0]), rng.uniform(0, 2 * np.pi)) @ _facing(int(rng.integers(6)))


def _facing(which: int) -> Array:
    """Return the turn that lays a die on one of its faces."""
    axis = np.eye(3)[which % 2] if which < 4 else np.eye(3)[0]
    angle = {0: np.pi / 2, 1: np.pi / 2, 2: -np.pi / 2, 3: -np.pi / 2, 4: 0.0, 5: np.pi}[which]
    return about(axis, angle)


def about(axis: Array, angle: float) -> Array:
    """Return the turn about an axis."""
    turn: Array = cv2.Rodrigues(axis / np.linalg.norm(axis) * angle)[0]
    return turn


def _look(at: Array, roll: float) -> Array:
    """Return the turn of a camera that looks at the middle of the floor; picture rows run towards us."""
    forth = -at / np.linalg.norm(at)
    right = np.cross(forth, [np.sin(roll), np.cos(roll), 0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forth, right), forth])


def _apart(one: Body, other: Body) -> bool:
    """Whether two bodies do not touch: corner against side at least."""
    away = np.linalg.norm((one.at - other.at)[:2])
    if one.kind == other.kind == "cube" and other.top[1] < 1 and one.top[1] < 1:
        if away > (one.size + other.size) * 0.7072:
            return True
        return _gap(one, other) > 0.02
    return bool(away > one.reach + other.reach)


def _gap(one: Body, other: Body) -> float:
    """Return how far two flat dice are apart, less than 0 where they overlap (separating axes)."""
    best = -1e9
    for body in (one, other):
        for axis in body.turn.T:
            flat = axis[:2]
            if np.linalg.norm(flat) < 0.5:
                continue
            spans = []
            for each in (one, other):
                reach = sum(abs(float(each.turn[:2, i] @ flat)) for i in range(3)) * each.size / 2
                spans.append((float(each.at[:2] @ flat), reach))
            best = max(best, abs(spans[0][0] - spans[1][0]) - spans[0][1] - spans[1][1])
    return best


def _lowest(body: Body) -> float:
    """Return how far its centre is above its lowest point."""
    inner = body.size / 2 - body.rounding
    return float(np.abs(body.turn[2]).sum() * inner + body.rounding)


def _tilted(setting: Setup, rng: np.random.Generator, low: float = 15, high: float = 50) -> Body:
    while True:
        way = rng.uniform(0, 2 * np.pi)
        turn = about(np.array([np.cos(way), np.sin(way), 0]), np.radians(rng.uniform(low, high))) @ _flat(rng)
        die = replace(_die(setting, rng), turn=turn)
        if low <= die.top[1]:
            at = _place(setting, rng)
            at[2] = _lowest(die)
            return replace(die, at=at)


def _cocked(setting: Setup, rng: np.random.Generator) -> list[Body]:
    """A die leans at 15 degrees or more: on another die, on the wall, on a coin, or on nothing that is seen."""
    die = _tilted(setting, rng)
    leans = rng.integers(4)
    if leans == 0:
        other = replace(_die(setting, rng), turn=_flat(rng))
        way = rng.uniform(0, 2 * np.pi)
        off = np.array([np.cos(way), np.sin(way), 0]) * setting.die.size * rng.uniform(0.85, 1.15)
        other = replace(other, at=np.array([*(die.at + off)[:2], other.size / 2]))
        return [die, other]
    if leans == 1:
        at, axis = die.at.copy(), int(rng.integers(2))
        reach = np.abs(die.turn[axis]).sum() * (die.size / 2 - die.rounding) + die.rounding
        at[axis] = rng.choice([-1, 1]) * (setting.area[axis] / 2 - reach)
        return [replace(die, at=at)]
    if leans == 2:
        way = rng.uniform(0, 2 * np.pi)
        under = die.at + np.array([np.cos(way), np.sin(way), 0]) * die.size * 0.45
        coin = Body(
            "coin", float(rng.uniform(8, 14)), np.array([*under[:2], 0.7]), np.eye(3), linear((0.15, 0.4, 0.5))
        )
        return [die, coin]
    return [die]


def _stacked(setting: Setup, rng: np.random.Generator) -> list[Body]:
    """A die lies flat on another one."""
    below = replace(_die(setting, rng), turn=_flat(rng), at=_place(setting, rng))
    above = replace(_die(setting, rng), turn=_flat(rng))
    off = np.array([*rng.uniform(-0.42, 0.42, 2), 0]) * below.size
    return [below, replace(above, at=below.at + off + [0, 0, below.size])]


def _foreign(setting: Setup, rng: np.random.Generator) -> list[Body]:
    """Something that is no die of this table lies among the dice."""
    kind = str(rng.choice(["coin", "small", "blank"]))
    at, size = _place(setting, rng), setting.die.size
    colour = linear((0.15, 0.4, 0.5))
    if kind == "coin":
        return [Body("coin", float(rng.uniform(14, 24)), at * (1, 1, 0) + [0, 0, 0.7], np.eye(3), colour)]
    die = replace(_die(setting, rng), turn=_flat(rng), at=at)
    if kind == "blank":
        return [replace(die, pip=0.0)]
    part = float(rng.uniform(0.6, 0.8))
    return [replace(die, size=size * part, pip=die.pip * part, pitch=die.pitch * part,
                    rounding=die.rounding * part, at=at * (1, 1, part))]  # fmt: skip


TRICKS = {"cocked": _cocked, "stacked": _stacked, "foreign": _foreign}
