"""Films of dice that come to rest, with pauses and teetering, and when a throw is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardware.dice.tray.reader import SeenDie, Sight
from hardware.dice.tray.settle import Settled, Settling
from tests.hardware.tray import scenes
from tests.hardware.tray.render import Array, Body, Painter

RATE, EACH = 15, 25
PAUSE = 0.3
"""Seconds for which dice may stand before they move on."""


@dataclass(frozen=True)
class Path:
    """How one die comes to where it lies in the end."""

    end: Body
    stop: float
    start: Array
    spin: Array
    teeter: float

    def at(self, time: float) -> Body:
        """Return the die at a time."""
        left = max(0.0, self.stop - time)
        if left == 0:
            return self.end
        if left < PAUSE + 0.25 and self.teeter:
            # It stands still, and falls at last on the side where it stays.
            lean = self.teeter if left > 0.25 else self.teeter * left / 0.25
            turn = scenes.about(np.array([1.0, 0.4, 0]), lean) @ self.end.turn
            return replace(self.end, turn=turn)
        part = (left / self.stop) ** 2
        turn = scenes.about(self.spin, 6 * part * float(np.linalg.norm(self.spin))) @ self.end.turn
        return replace(self.end, turn=turn, at=self.end.at + self.start * part)


def paths(setting: scenes.Setup, rng: np.random.Generator) -> list[Path]:
    """Return how dice are thrown."""
    thrown = scenes.throw(setting, rng, int(rng.integers(1, 4)))
    return [
        Path(
            body, float(rng.uniform(0.5, 1.4)), np.array([*rng.uniform(-60, 60, 2), rng.uniform(0, 20)]),
            rng.normal(0, 1, 3), float(rng.choice([0, 0, 0.3, 0.8])),
        )
        for body in thrown.bodies
    ]  # fmt: skip


def film(setting: scenes.Setup, painter: Painter, rng: np.random.Generator) -> tuple[float, float | None]:
    """Show a film; return when the last die stopped, and when a throw was told (None: never)."""
    ways = paths(setting, rng)
    stop = max(way.stop for way in ways)
    begin = float(rng.uniform(0, 1 / RATE))  # the camera's frames fall as they fall
    camera = painter.scene.camera
    bodies: tuple[Body, ...] = ()

    def read(_: Array) -> Sight:
        dice = tuple(SeenDie(body.top[0], 1.0, *camera.pixel(body.at)) for body in bodies)
        return Sight("" if dice else "empty", dice)

    settling = Settling(read)
    empty = painter.draw((), rng)
    for i in range(10):
        list(settling.feed(empty, -1 + i / RATE))
    light: Array | None = None
    for i in range(int((stop + 1.2) * RATE)):
        at = begin + i / RATE
        bodies = tuple(way.at(at) for way in ways)
        if light is None or at - 1 / RATE < stop:
            light = painter.light(bodies, fine=1)
        for event in settling.feed(painter.expose(light, rng), at):
            if isinstance(event, Settled):
                return stop, event.at
    return stop, None


def judge(count: int, seed: int) -> dict[str, Any]:
    """Show films; return how many were told early or never, and how late the others.

    They are a quarter as large as the camera's pictures, since movement is looked for in small ones; what a reading
    says is what lies there.
    """
    early, never, late = 0, 0, [0.0]
    for first in range(0, count, EACH):
        setting = scenes.setup(seed + 500_000 + first)
        camera = setting.scene.camera
        half = replace(camera, focal=camera.focal / 2, size=(camera.size[0] // 2, camera.size[1] // 2))
        painter = Painter(replace(setting.scene, camera=half))
        rng = np.random.default_rng([seed, first])
        for _ in range(min(EACH, count - first)):
            stop, told = film(setting, painter, rng)
            never += told is None
            early += told is not None and told < stop
            late += [] if told is None else [told - stop]
    return {"films": count, "early": early, "never": never, "most seconds after the stop": round(max(late), 3)}
