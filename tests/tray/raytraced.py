"""Reads ray-traced throws: `python -m tests.tray.raytraced --throws 200 --seed 3000000`; needs Mitsuba 3.

Trays, lamps and poses are the judge's (`scenes`); the pictures are not. Rounded meshes with sunken pips, of glossy
plastic, lie on cloth between walls, and the light goes from one to the other. A face follows from the pose alone. It
exits with 1 if a throw was read wrong or a leaning die was accepted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from referee.tray.calibration import Uncalibrated, locate, measure, sheet
from referee.tray.reader import Reader
from tests.tray import scenes
from tests.tray.judge import Count, right
from tests.tray.render import FACES, PIPS, Array, Body, Camera

EACH = 20
"""Flat throws of one tray."""

GRID = 72
"""Squares along an edge of a face of a die: finer than the pixels."""

THREAD = 2.0
"""Dots a millimetre of the cloth's picture."""


def tracer(variant: str) -> Any:
    """Return Mitsuba, on one processor."""
    try:
        import drjit
        import mitsuba
    except ImportError:
        sys.exit("expected Mitsuba 3: pip install --require-hashes -r tests/tray/requirements-raytraced.txt")
    mitsuba.set_variant(variant)
    drjit.set_thread_count(1)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    return mitsuba


def _face(die: Body, axis: int, sign: int) -> tuple[Array, Array]:
    """Return points of one face, a grid, and how deep in a pip they are: more than 0 within one."""
    half = die.size / 2
    ticks = np.linspace(-half, half, GRID + 1)
    points = np.empty((GRID + 1, GRID + 1, 3))
    points[..., axis] = sign * half
    # Reversed on one side, so that all triangles look outwards.
    points[..., (axis + 1) % 3] = ticks[:, None] * sign
    points[..., (axis + 2) % 3] = ticks
    inner = np.clip(points, die.rounding - half, half - die.rounding)
    out = points - inner
    out /= np.linalg.norm(out, axis=-1, keepdims=True)
    points = inner + out * die.rounding
    face = FACES[axis, sign]
    u, v = points[..., (axis + 1) % 3], points[..., (axis + 2) % 3]
    if die.mirrored[axis]:
        u, v = (v, u) if face == 6 else (u, -v)
    stretch = die.long_six if face == 6 else 1.0
    away = [np.hypot(u - a * die.pitch, v - b * die.pitch * stretch) for a, b in PIPS[face]]
    deep = 1 - (np.min(away, axis=0) / die.pip) ** 2
    return points - out * (np.maximum(deep, 0) * die.pip * 0.3)[..., None], deep


def meshes(die: Body, folder: Path) -> None:
    """Write the body of a die and its pips, `body.ply` and `pips.ply`, in the die's own frame."""
    points, body, pips = [], [], []
    corners = np.arange((GRID + 1) ** 2).reshape(GRID + 1, GRID + 1)
    a, b, c, d = (part.ravel() for part in (corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]))
    triangles: Array = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
    for number, (axis, sign) in enumerate(FACES):
        grid, deep = _face(die, axis, sign)
        points.append(grid.reshape(-1, 3))
        sunken = deep.ravel()[triangles].mean(-1) > 0
        body.append(triangles[~sunken] + number * corners.size)
        pips.append(triangles[sunken] + number * corners.size)
    for name, parts in (("body", body), ("pips", pips)):
        _write(folder / f"{name}.ply", np.concatenate(points), np.concatenate(parts))


def _write(path: Path, points: Array, triangles: Array) -> None:
    used, corners = np.unique(triangles, return_inverse=True)
    rows = np.empty(len(triangles), [("count", "u1"), ("corners", "<i4", 3)])
    rows["count"], rows["corners"] = 3, corners.reshape(-1, 3)
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(used)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {len(rows)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    path.write_bytes(header.encode() + points[used].astype("<f4").tobytes() + rows.tobytes())


class Studio:
    """A tray of the judge's under a ray tracer."""

    def __init__(self, tracing: Any, setting: scenes.Setup, folder: Path, samples: int) -> None:
        """``folder``: for the meshes of the dice; ``samples``: paths of each pixel, the fewer the noisier."""
        # Here the lens is straight.
        scene = replace(setting.scene, camera=replace(setting.scene.camera, bend=0.0))
        self.setting = replace(setting, scene=scene)
        self._mi, self._folder, self._samples = tracing, folder, samples
        meshes(setting.die, folder)
        # An even white floor reflects as much as the judge's does.
        light = sum(lamp.power * lamp.at[2] / np.linalg.norm(lamp.at) for lamp in scene.lamps) + scene.sky
        self._exposure = 0.95 * np.pi / light
        width, depth = (round(each * THREAD) for each in scene.tray.size)
        grain = np.random.default_rng(scene.tray.seed).normal(0, 1, (depth, width, 1)).astype(np.float32)
        self._cloth = scene.tray.colour * np.maximum(1 + 2 * scene.tray.grain * grain, 0)
        self._room = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 4},
            "camera": self._camera(scene.camera),
            **self._walls(),
            **self._lamps(),
        }

    def _rgb(self, colour: Array) -> dict[str, Any]:
        return {"type": "rgb", "value": [float(each) for each in colour[::-1]]}

    def _matt(self, colour: Array) -> dict[str, Any]:
        return {"type": "diffuse", "reflectance": self._rgb(colour)}

    def _turned(self, turn: Array, at: Array) -> Any:
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = turn, at
        return self._mi.ScalarTransform4f(matrix)

    def _camera(self, camera: Camera) -> dict[str, Any]:
        # Mitsuba's cameras look along z with x to the left and y up; ours has x to the right and y down.
        turn = camera.turn.T * np.array([-1, -1, 1])
        width, height = camera.size
        return {
            "type": "perspective",
            "fov_axis": "x",
            "fov": float(np.degrees(2 * np.arctan(width / 2 / camera.focal))),
            "to_world": self._turned(turn, camera.at),
            "near_clip": 10.0,
            "film": {
                "type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb",
                "component_format": "float32", "rfilter": {"type": "gaussian", "stddev": camera.blur},
            },
            "sampler": {"type": "independent"},
        }  # fmt: skip

    def _walls(self) -> dict[str, Any]:
        tray, transform = self.setting.scene.tray, self._mi.ScalarTransform4f
        walls: dict[str, Any] = {}
        thick = 4.0
        for axis in (0, 1):
            for sign in (-1, 1):
                at, half = np.zeros(3), np.full(3, max(tray.size) / 2 + 2 * thick)
                at[axis], half[axis] = sign * (tray.size[axis] / 2 + thick), thick
                at[2], half[2] = tray.wall / 2, tray.wall / 2
                half[1 - axis] = tray.size[1 - axis] / 2 + 2 * thick * axis
                place = transform().translate(at.tolist()).scale(half.tolist())
                walls[f"wall {axis} {sign}"] = {
                    "type": "cube", "to_world": place, "bsdf": self._matt(tray.wall_colour)
                }  # fmt: skip
        table = transform().translate([0, 0, -2]).scale(2000)
        walls["table"] = {"type": "rectangle", "to_world": table, "bsdf": self._matt(np.array((0.07, 0.13, 0.22)))}
        return walls

    def _lamps(self) -> dict[str, Any]:
        scene = self.setting.scene
        lights: dict[str, Any] = {
            "room": {"type": "constant", "radiance": {"type": "rgb", "value": scene.sky / np.pi}}
        }
        for number, lamp in enumerate(scene.lamps):
            place = self._mi.ScalarTransform4f().look_at(lamp.at.tolist(), [0, 0, 0], [0, 1, 0]).scale(lamp.radius)
            power = lamp.power * float(lamp.at @ lamp.at) / (np.pi * lamp.radius**2)
            lights[f"lamp {number}"] = {
                "type": "disk", "to_world": place,
                "emitter": {"type": "area", "radiance": {"type": "rgb", "value": power}},
            }  # fmt: skip
        return lights

    def _floor(self, paint: Array) -> dict[str, Any]:
        """Return the floor, painted with linear colours from its far left corner on."""
        width, depth = self.setting.scene.tray.size
        image = self._mi.Bitmap(np.ascontiguousarray(paint[::-1, :, ::-1], np.float32))
        texture = {"type": "bitmap", "bitmap": image, "raw": True}
        return {
            "type": "rectangle",
            "to_world": self._mi.ScalarTransform4f().scale([width / 2, depth / 2, 1]),
            "bsdf": {"type": "diffuse", "reflectance": texture},
        }

    def _body(self, body: Body) -> list[dict[str, Any]]:
        place = self._turned(body.turn, body.at)
        if body.kind == "coin":
            radius, thick = body.size / 2, 1.4
            lie = place.translate([0, 0, -thick / 2]).scale([radius, radius, thick])
            top = lie.translate([0, 0, 1])
            metal = self._matt(body.colour)
            side = {"type": "twosided", "bsdf": metal}
            return [
                {"type": "cylinder", "p0": [0, 0, 0], "p1": [0, 0, 1], "radius": 1.0, "to_world": lie, "bsdf": side},
                {"type": "disk", "to_world": top, "bsdf": metal},
            ]
        plastic = {"type": "roughplastic", "alpha": 0.2, "diffuse_reflectance": self._rgb(body.colour)}
        paint = self._matt(body.pip_colour)
        return [
            {"type": "ply", "filename": str(self._folder / f"{name}.ply"), "to_world": place, "bsdf": bsdf}
            for name, bsdf in (("body", plastic), ("pips", paint))
        ]

    def picture(self, thrown: scenes.Throw, rng: np.random.Generator, paper: Array | None = None) -> Array:
        """Return what the camera sends, 8 bits; ``paper``: a sheet that covers the floor, in grey dots."""
        paint = self._cloth if paper is None else np.repeat(paper[..., None] / 255 * 0.85 + 0.03, 3, -1)
        things = [shape for body in thrown.bodies for shape in self._body(body)]
        scene = self._mi.load_dict(
            self._room | {"floor": self._floor(paint)} | {f"thing {n}": thing for n, thing in enumerate(things)}
        )
        light = np.array(self._mi.render(scene, spp=self._samples, seed=int(rng.integers(1 << 30))))[..., ::-1]
        # Its exposure and white balance are never the same to a hair.
        gain = rng.uniform(0.97, 1.03) * (1 + rng.normal(0, 0.006, 3))
        seen = np.clip(light * self._exposure * gain, 0, 1) ** (1 / 2.2) * 255
        quality = [cv2.IMWRITE_JPEG_QUALITY, self.setting.scene.camera.quality]
        _, data = cv2.imencode(".jpg", np.asarray(seen + 0.5, np.uint8), quality)
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))

    def calibrated(self, seed: int) -> Reader:
        """Return a reader of this tray, calibrated from its ray-traced pictures as the judge does it.

        Raises Uncalibrated.
        """
        rng = np.random.default_rng([seed, 7])
        floor, nothing = self.setting.scene.tray.size, scenes.Throw((), ())
        height = float(self.setting.scene.camera.at[2]) * rng.uniform(0.98, 1.02)
        view = locate(self.picture(nothing, rng, sheet(floor)), floor, height)
        empty = self.picture(nothing, rng)
        throws = [self.picture(scenes.throw(self.setting, rng, 4), rng) for _ in range(5)]
        return Reader(view, measure(view, empty, throws), empty)


def judge(studio: Studio, reader: Reader, rng: np.random.Generator, count: Count, trick: str) -> None:
    """Throw two dice, read and count once."""
    throw = scenes.throw(studio.setting, rng, 2, trick)
    sight = reader.read(studio.picture(throw, rng))
    count.throws += 1
    count.whys[sight.why or "read"] += 1
    if not sight.why:
        count.accepted += 1
        count.wrong += bool(trick) or not right(sight, throw, studio.setting.die.size)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Return all figures."""
    tracing = tracer(options.variant)
    wanted = {"": options.throws, "cocked": options.cocked}
    counts = {trick: Count() for trick in wanted}
    number, failed = 0, 0
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        while any(counts[trick].throws < most for trick, most in wanted.items()):
            seed = options.seed + number
            studio = Studio(tracing, scenes.setup(seed), Path(folder), options.samples)
            number += 1
            try:
                reader = studio.calibrated(seed)
            except Uncalibrated as error:
                failed += 1
                print(f"seed {seed}: {error}", file=sys.stderr, flush=True)
                continue
            rng = np.random.default_rng([seed, 1])
            for trick, most in wanted.items():
                share = -(-EACH * most // max(wanted.values()))
                for _ in range(min(share, most - counts[trick].throws)):
                    judge(studio, reader, rng, counts[trick], trick)
            figures = {trick or "flat": count.figures() for trick, count in counts.items() if count.throws}
            figures |= {"trays": number, "trays not calibrated": failed}
            print(json.dumps(figures), file=sys.stderr, flush=True)
    return figures


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=200, help="flat throws of two dice")
    parser.add_argument("--cocked", type=int, default=40, help="throws with a die at 15 degrees or more")
    parser.add_argument("--seed", type=int, default=3_000_000, help="of the first tray")
    parser.add_argument("--samples", type=int, default=16, help="paths of light a pixel")
    parser.add_argument("--variant", choices=["scalar_rgb", "llvm_ad_rgb"], default="scalar_rgb",
                        help="Mitsuba's; llvm_ad_rgb is three times as fast, with a recent LLVM")  # fmt: skip
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    figures = run(options)
    print(json.dumps(figures, indent=1))
    sys.exit(any(figures.get(kind, {}).get("wrong") for kind in ("flat", "cocked")))


if __name__ == "__main__":
    main()
