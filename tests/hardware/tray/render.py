"""Draws dice in a tray as a camera above sees them: rounded cubes with pips, lamps, shadows, blur and noise.

Written apart from the reader and sharing nothing with it: lengths are millimetres, x to the right, y away, z up;
colours are linear, blue, green, red, 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FACES = {(0, 1): 3, (0, -1): 4, (1, 1): 2, (1, -1): 5, (2, 1): 1, (2, -1): 6}
"""Axis and direction of each face of a die."""

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class Camera:
    """Where the lens is, which way it is turned, and what its sensor does."""

    at: Array
    turn: Array
    focal: float
    bend: float = 0.0
    size: tuple[int, int] = (640, 480)
    blur: float = 0.6
    noise: float = 2.0
    quality: int = 90

    def rays(self, left: float, top: float, columns: int, rows: int, step: float) -> Array:
        """Return unit directions, one for each pixel of an area; ``step``: pixels between two."""
        x = (left + (np.arange(columns, dtype=np.float32) + 0.5) * step - self.size[0] / 2) / self.focal
        y = (top + (np.arange(rows, dtype=np.float32) + 0.5) * step - self.size[1] / 2) / self.focal
        x, y = np.meshgrid(x, y)
        straight = 1 + self.bend * (x * x + y * y)
        rays = np.stack([x * straight, y * straight, np.ones_like(x)], -1) @ self.turn.astype(np.float32)
        return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True), np.float32)

    def pixel(self, points: Array) -> tuple[Any, Any]:
        """Return where points are seen."""
        x, y, z = self.turn @ (np.asarray(points, float) - self.at).T
        x, y = x / z, y / z
        u, v = x, y
        for _ in range(4):
            straight = 1 + self.bend * (u * u + v * v)
            u, v = x / straight, y / straight
        return u * self.focal + self.size[0] / 2, v * self.focal + self.size[1] / 2


@dataclass(frozen=True)
class Mark:
    """A round spot on the top of a die: a glint, or paint. ``at``, ``radius`` and ``soft``, its edge, are mm."""

    at: tuple[float, float]
    radius: float
    soft: float
    paint: Array | None = None


@dataclass(frozen=True)
class Body:
    """Something in the tray. ``kind``: cube or coin; ``size`` of a cube is its edge."""

    kind: str
    size: float
    at: Array
    turn: Array
    colour: Array
    pip_colour: Array = field(default_factory=lambda: np.zeros(3))
    pip: float = 0.0
    pitch: float = 0.0
    long_six: float = 1.0
    rounding: float = 1.5
    mirrored: tuple[bool, bool, bool] = (False, False, False)
    marble: float = 0.0
    gloss: float = 0.0
    marks: tuple[Mark, ...] = ()

    @property
    def reach(self) -> float:
        """Radius of a ball around it."""
        return self.size * (0.88 if self.kind == "cube" else 0.53)

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """Return how far points of its own frame are from its surface."""
        if self.kind == "coin":
            return _rounded(np.hypot(x, y) - self.size / 2 + 0.3, np.abs(z) - 0.7, None, 0.3)
        half = self.size / 2 - self.rounding
        return _rounded(np.abs(x) - half, np.abs(y) - half, np.abs(z) - half, self.rounding)

    def outline(self) -> Array:
        """Return points of the tray whose hull is about the body."""
        if self.kind == "cube":
            half = self.size / 2 - self.rounding * 0.25
            points = np.array([[a, b, c] for a in (-half, half) for b in (-half, half) for c in (-half, half)])
        else:
            turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            points = np.stack([np.cos(turns), np.sin(turns), 0 * turns], -1) * self.size / 2
        return np.asarray(points @ self.turn.T + self.at)

    @property
    def top(self) -> tuple[int, float]:
        """The face that looks up most, and by how many degrees it leans."""
        up = self.turn[2]
        axis = int(np.argmax(np.abs(up)))
        face = FACES[axis, 1 if up[axis] > 0 else -1]
        return face, float(np.degrees(np.arccos(min(1.0, abs(up[axis])))))


@dataclass(frozen=True)
class Lamp:
    """A round lamp."""

    at: Array
    radius: float
    power: float


@dataclass(frozen=True)
class Tray:
    """A floor with walls. ``size``: of the floor."""

    size: tuple[float, float]
    wall: float
    colour: Array
    wall_colour: Array
    grain: float
    seed: int


@dataclass(frozen=True)
class Scene:
    """A tray, its light, its camera and what lies in it."""

    camera: Camera
    tray: Tray
    lamps: tuple[Lamp, ...]
    sky: float
    bodies: tuple[Body, ...] = ()
    gain: Array = field(default_factory=lambda: np.ones(3))


class Painter:
    """Draws scenes of one tray under one camera and light; what does not change is computed once."""

    def __init__(self, scene: Scene, sheet: Array | None = None) -> None:
        """``sheet``: a picture that covers the floor instead of its cloth."""
        self.scene, camera, tray = scene, scene.camera, scene.tray
        self._lights = _lights(scene)
        width, height = camera.size
        rays = camera.rays(0, 0, width, height, 1.0)
        self.floor = camera.at + rays * (-camera.at[2] / rays[..., 2:])
        inside = (np.abs(self.floor[..., 0]) < tray.size[0] / 2) & (np.abs(self.floor[..., 1]) < tray.size[1] / 2)
        points, normals = self.floor.copy(), np.zeros_like(self.floor)
        normals[..., 2] = 1
        self._walls(rays, inside, points, normals)
        rng = np.random.default_rng(tray.seed)
        grain: Array = np.sum([
            cv2.resize(rng.normal(0, 1, (height // s, width // s)).astype(np.float32), (width, height)) / s
            for s in (1, 2, 4)
        ], axis=0)  # fmt: skip
        paint = np.where(inside[..., None], tray.colour, tray.wall_colour) * (1 + tray.grain * grain[..., None])
        if sheet is not None:
            u = ((self.floor[..., 0] / tray.size[0] + 0.5) * sheet.shape[1]).astype(np.float32)
            v = ((0.5 - self.floor[..., 1] / tray.size[1]) * sheet.shape[0]).astype(np.float32)
            small = cv2.remap(sheet, u, v, cv2.INTER_AREA)[..., None] / 255 * 0.85 + 0.03
            paint = np.where(inside[..., None], small, paint)
        self._paint = paint.astype(np.float32)
        self._points, self._normals = points.astype(np.float32), normals.astype(np.float32)
        self._shares = [self._share(at, power) for at, power in self._lights]
        light: Array = np.sum(self._shares, axis=0)
        self._exposure = 0.95 / float(np.median(light[inside]))
        self._light, self._inside = light, inside

    def _walls(self, rays: Array, inside: Array, points: Array, normals: Array) -> None:
        for axis in (0, 1):
            side = np.sign(points[..., axis])
            far = np.abs(points[..., axis]) > self.scene.tray.size[axis] / 2
            reach = (side * self.scene.tray.size[axis] / 2 - self.scene.camera.at[axis]) / rays[..., axis]
            hit = self.scene.camera.at + rays * reach[..., None]
            on = far & ~inside & (hit[..., 2] >= 0) & (hit[..., 2] <= self.scene.tray.wall)
            points[on] = hit[on]
            normals[on] = 0
            normals[on, axis] = -side[on]

    def _share(self, at: Array, power: float) -> Array:
        """Return the light of one lamp on floor and walls, without anything between."""
        to = at - self._points
        lit = (to * self._normals).sum(-1) / np.linalg.norm(to, axis=-1)
        return np.asarray(power * (0.03 + np.maximum(lit, 0)) / len(self._lights) * 10, np.float32)

    def _shadows(self, bodies: tuple[Body, ...]) -> Array:
        """Return the light on floor and walls with the bodies between."""
        light = self._light.copy()
        outlines = [body.outline() for body in bodies]
        for (at, _), share in zip(self._lights, self._shares, strict=True):
            mask = np.zeros(light.shape, np.uint8)
            for outline in outlines:
                fallen = at + (outline - at) * (at[2] / (at[2] - outline[:, 2]))[:, None]
                seen = np.stack(self.scene.camera.pixel(fallen), -1)
                hull = cv2.convexHull(np.asarray(seen, np.float32))
                cv2.fillConvexPoly(mask, np.asarray(hull * 16, np.int32), 1, cv2.LINE_8, 4)
            x, y, wide, tall = cv2.boundingRect(mask)
            cut = np.s_[y : y + tall, x : x + wide]
            light[cut] -= share[cut] * (mask[cut] * self._inside[cut])
        return np.asarray(cv2.GaussianBlur(light, (0, 0), 0.8))

    def draw(self, bodies: tuple[Body, ...], rng: np.random.Generator, fine: int = 2) -> Array:
        """Return the picture with those bodies, 8 bits, as the camera sends it."""
        return self.expose(self.light(bodies, fine), rng)

    def light(self, bodies: tuple[Body, ...], fine: int = 2) -> Array:
        """Return the light of the picture with those bodies, as it falls on the sensor."""
        picture = self._paint * self._shadows(bodies)[..., None]
        for body in sorted(bodies, key=lambda each: -float(np.linalg.norm(each.at - self.scene.camera.at))):
            self._put(picture, body, tuple(other for other in bodies if other is not body), fine)
        return np.asarray(picture)

    def _area(self, at: Array, reach: float) -> tuple[int, int, int, int]:
        camera = self.scene.camera
        x, y = camera.pixel(at)
        radius = reach * camera.focal / float(camera.at[2] - at[2]) * 1.15 + 2
        width, height = camera.size
        left, top = max(0, int(x - radius)), max(0, int(y - radius))
        return left, top, min(width, int(x + radius) + 1), min(height, int(y + radius) + 1)

    def _put(self, picture: Array, body: Body, others: tuple[Body, ...], fine: int) -> None:
        left, top, right, bottom = self._area(body.at, body.reach)
        if left >= right or top >= bottom:
            return
        camera = self.scene.camera
        rays = camera.rays(left, top, (right - left) * fine, (bottom - top) * fine, 1 / fine)
        shape = rays.shape[:2]
        rays = rays.reshape(-1, 3)
        eye = ((camera.at - body.at) @ body.turn).astype(np.float32)
        hit, p = _march(body, eye, rays @ body.turn.astype(np.float32))
        colour = np.zeros((len(rays), 3), np.float32)
        if hit.any():
            colour[hit] = self._shade(body, p, rays[hit], others)
        alpha = hit.astype(np.float32).reshape(*shape, 1)
        size = (right - left, bottom - top)
        mean = cv2.resize(colour.reshape(*shape, 3), size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)[..., None]
        cut = np.s_[top:bottom, left:right]
        picture[cut] = picture[cut] * (1 - cover) + mean

    def _shade(self, body: Body, p: Array, rays: Array, others: tuple[Body, ...]) -> Array:
        near, far = p - np.float32(0.05), p + np.float32(0.05)
        x, y, z = p.T
        normal = np.stack([
            body.distance(far[:, 0], y, z) - body.distance(near[:, 0], y, z),
            body.distance(x, far[:, 1], z) - body.distance(x, near[:, 1], z),
            body.distance(x, y, far[:, 2]) - body.distance(x, y, near[:, 2]),
        ], -1)  # fmt: skip
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-6
        paint = np.broadcast_to(body.colour, p.shape).astype(np.float32).copy()
        if body.marble:
            wave = np.sin(p @ np.array([0.9, 0.5, 0.7]) + 2 * np.sin(p @ np.array([0.3, -0.8, 0.4])))
            paint *= 1 + body.marble * wave[:, None]
        if body.pip:
            dent = _pips(body, p)
            paint = paint * (1 - dent[:, None]) + body.pip_colour * dent[:, None]
        glint = np.zeros(len(p), np.float32)
        for mark in body.marks:
            cover = _cover(body, mark, p)
            if mark.paint is None:
                glint = np.maximum(glint, cover)
            else:
                paint = paint * (1 - cover[:, None]) + mark.paint * cover[:, None]
        world = np.asarray(p @ body.turn.T + body.at, np.float32)
        up = np.asarray(normal @ body.turn.T, np.float32)
        light = np.zeros(len(p), np.float32)
        beside = [other for other in others if np.linalg.norm(other.at - body.at) < 3 * (other.reach + body.reach)]
        for at, power in self._lights[1::3]:
            to = at - world
            far = np.sqrt(np.einsum("ij,ij->i", to, to))
            share = power * (0.03 + np.maximum(np.einsum("ij,ij->i", to, up) / far, 0))
            for other in beside:
                share = share * ~_shaded(world + up * 0.1, to, other)
            light += share / len(self._lights[1::3]) * 10
        # What the floor throws back from below.
        bounce = 0.12 * np.maximum(0.3 - up[:, 2:], 0) * self.scene.tray.colour
        shine = np.zeros(len(p), np.float32)
        if body.gloss:
            for lamp in self.scene.lamps:
                to = lamp.at - world
                half = to / np.linalg.norm(to, axis=-1, keepdims=True) - rays
                half /= np.linalg.norm(half, axis=-1, keepdims=True)
                shine += lamp.power * body.gloss * np.maximum((half * up).sum(-1), 0) ** 60
        seen = paint * (light[:, None] + bounce * 10) + shine[:, None] * 4
        return np.asarray(seen * (1 - glint[:, None]) + glint[:, None] * 1.2 / self._exposure, np.float32)

    def expose(self, picture: Array, rng: np.random.Generator) -> Array:
        """Return the picture of that light, 8 bits, as the camera sends it."""
        camera = self.scene.camera
        linear = np.clip(picture * self._exposure * self.scene.gain, 0, 1).astype(np.float32)
        grey = np.asarray(cv2.pow(cv2.GaussianBlur(linear, (0, 0), camera.blur), 1 / 2.2) * 255, np.float32)
        noise = np.empty(grey.shape, np.float32)
        cv2.setRNGSeed(int(rng.integers(1 << 30)))
        cv2.randn(noise, np.zeros(3), np.ones(3))
        grey += noise * camera.noise * (0.6 + 0.4 * np.sqrt(grey / 128))
        whole = np.clip(grey + 0.5, 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def _lights(scene: Scene) -> list[tuple[Array, float]]:
    """Return points that stand for the lamps and for the light of the room, with their powers."""
    points: list[tuple[Array, float]] = []
    for lamp in scene.lamps:
        for i in range(6):
            angle = 2.4 * i
            away = lamp.radius * np.sqrt((i + 0.5) / 6)
            points.append((lamp.at + away * np.array([np.cos(angle), np.sin(angle), 0]), lamp.power))
    for i in range(9):
        angle, rise = 2.4 * i, 0.35 + 0.5 * (i % 3)
        away = np.array([np.cos(angle) * np.cos(rise), np.sin(angle) * np.cos(rise), np.sin(rise)]) * 2500
        points.append((away, scene.sky))
    return [(np.asarray(at, np.float32), power) for at, power in points]


def _rounded(x: Array, y: Array, z: Array | None, rounding: float) -> Array:
    """Return the distance of points from a rounded box, from how far they are outside of the one within it."""
    most = np.maximum(x, y) if z is None else np.maximum(np.maximum(x, y), z)
    outside = np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2
    if z is not None:
        outside += np.maximum(z, 0) ** 2
    return np.asarray(np.minimum(most, 0) + np.sqrt(outside) - rounding)


def _shaded(points: Array, to: Array, body: Body) -> Array:
    """Return which points have the body between them and a light."""
    turn = body.turn.astype(np.float32)
    start = ((points - body.at).astype(np.float32) @ turn).T
    way = (to.astype(np.float32) @ turn).T
    if body.kind == "cube":
        half = np.float32(body.size / 2 - body.rounding * 0.25)
        enter, leave = np.full(len(points), -1e9, np.float32), np.full(len(points), 1e9, np.float32)
        for s, w in zip(start, way, strict=True):
            safe = np.where(np.abs(w) < 1e-6, np.float32(1e-6), w)
            one, two = (-half - s) / safe, (half - s) / safe
            enter, leave = np.maximum(enter, np.minimum(one, two)), np.minimum(leave, np.maximum(one, two))
        return np.asarray((enter < leave) & (leave > 0) & (enter < 1))
    along = np.clip(-(start * way).sum(0) / (way * way).sum(0), 0, 1)
    return np.asarray(body.distance(*(start + way * along)) < 0)


def _march(body: Body, eye: Array, rays: Array) -> tuple[Array, Array]:
    """Follow rays to the surface; return which ones hit it, and where those do."""
    middle = -(rays @ eye)
    past = (eye @ eye) - middle * middle
    alive = np.flatnonzero(past < body.reach**2)
    along = middle[alive] - np.sqrt(body.reach**2 - past[alive])
    x, y, z = rays[alive].T.copy()
    hits, where = [], []
    for _ in range(48):
        gap = body.distance(eye[0] + x * along, eye[1] + y * along, eye[2] + z * along)
        along = along + gap
        there = gap < 0.02
        hits.append(alive[there])
        where.append(along[there])
        on = ~there & (along < middle[alive] + body.reach)
        alive, along, x, y, z = alive[on], along[on], x[on], y[on], z[on]
        if not len(alive):
            break
    order = np.concatenate(hits)
    hit = np.zeros(len(rays), bool)
    hit[order] = True
    far = np.zeros(len(rays), np.float32)
    far[order] = np.concatenate(where)
    return hit, (eye + rays * far[:, None])[hit]


def _cover(body: Body, mark: Mark, p: Array) -> Array:
    """Return how much of each point of the surface is covered by a mark on the top, 0 to 1."""
    axis = int(np.argmax(np.abs(body.turn[2])))
    away = np.hypot(p[:, (axis + 1) % 3] - mark.at[0], p[:, (axis + 2) % 3] - mark.at[1])
    top = p[:, axis] * np.sign(body.turn[2, axis]) > body.size * 0.4
    return np.asarray(np.clip((mark.radius - away) / mark.soft + 0.5, 0, 1) * top, np.float32)


def _pips(body: Body, p: Array) -> Array:
    """Return how much of each point of the surface is pip, 0 to 1."""
    axis = np.argmax(np.abs(p), -1)
    positive = np.take_along_axis(p, axis[:, None], -1)[:, 0] > 0
    dent = np.zeros(len(p), np.float32)
    for (of, sign), face in FACES.items():
        on = (axis == of) & (positive == (sign > 0))
        if not on.any():
            continue
        u, v = p[on][:, (of + 1) % 3], p[on][:, (of + 2) % 3]
        if body.mirrored[of]:
            u, v = (v, u) if face == 6 else (u, -v)
        stretch = body.long_six if face == 6 else 1.0
        here = np.zeros(len(u), np.float32)
        for a, b in PIPS[face]:
            away = np.hypot(u - a * body.pitch, v - b * body.pitch * stretch)
            here = np.maximum(here, np.clip((body.pip - away) / 0.25 + 0.5, 0, 1))
        dent[on] = here
    return dent
