"""What the dice told, as pictures and as bars: they say what the sentences before them say."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from importlib import resources
from math import comb

import pytest

from referee.report import charts
from referee.report.dice_bars import WIDTH, bars
from referee.report.dice_charts import MOST_DICE, plots
from referee.report.expected import INSIDE, band
from referee.report.fairness import Die, course, dice_of, power
from referee.session import Origin, Rolled

CURVE = r'<polyline class="line [^"]*" points="([^"]+)"'


def die(name: str, *faces: int) -> Die:
    origin = Origin("bluetooth-dice", name)
    return dice_of([Rolled("north", faces, (origin,) * len(faces), (), False)])[0]


@pytest.mark.parametrize("throws", [1, 17, 60, 180])
def test_the_band_holds_all_six_faces_as_often_as_it_says_and_is_no_wider(throws: int) -> None:
    def share(counts: range) -> Fraction:
        return sum(
            (comb(throws, n) * Fraction(1, 6) ** n * Fraction(5, 6) ** (throws - n) for n in counts), Fraction()
        )

    expected, low, high = band(throws)
    outside = (1 - Fraction(INSIDE)) / 12
    assert expected == pytest.approx(throws / 6)
    assert share(range(low)) <= outside < share(range(low + 1))
    assert share(range(high + 1, throws + 1)) <= outside < share(range(high, throws + 1))


def test_the_bars_of_a_die_are_as_high_as_its_faces_are_many() -> None:
    faces = [1] * 10 + [2] * 5 + [3] * 10 + [4] * 10 + [5] * 10 + [6] * 30
    picture = next(part for part in plots([die("W<1", *faces)]) if "<svg" in part)
    heights = [
        float(each)
        for each in re.findall(r'class="bar[^"]*" x="[\d.]+" y="[\d.]+" width="[\d.]+" height="([\d.]+)', picture)
    ]
    assert [round(each * 30 / heights[-1]) for each in heights] == [10, 5, 10, 10, 10, 30]
    assert picture.count("bar outside") == 1, "the sixes"
    assert "W&lt;1" in picture
    assert "W<1" not in picture
    assert "expected 12 each" in picture
    assert picture.rindex('class="expected"') < picture.index('class="count"'), "the counts lie over the line"


def test_the_curves_end_where_the_sentences_say() -> None:
    unfair = random.Random(5).choices(range(1, 7), (0.1,) * 5 + (0.5,), k=120)
    fair = random.Random(6).choices(range(1, 7), k=100)
    dice = [die("W1", *unfair), die("B1", *fair)]
    _, evidence, noticed = plots(dice)
    assert "unfair from 40 on" in evidence
    threshold = float(re.findall(r'class="threshold" d="M[\d.]+ ([\d.]+)H', evidence)[0])
    ends = [float(line.split(",")[-1]) for line in re.findall(CURVE, evidence)]
    assert ends[0] < threshold < ends[1], "higher is more"
    assert f"B1 {course(fair)[-1]:.1f}<" in evidence
    for each, faces in zip(dice, (unfair, fair), strict=True):
        assert f"{each.name} {round(100 * power(len(faces), 2))} %" in noticed
    assert noticed.count('r="4.5"') == 2


def test_the_curve_crosses_the_line_at_the_throw_that_accuses() -> None:
    faces = [*range(1, 7)] * 8 + [6] * 30
    _, evidence, _ = plots([die("W1", *faces)])
    threshold = float(re.findall(r'class="threshold" d="M[\d.]+ ([\d.]+)H', evidence)[0])
    heights = [float(point.split(",")[1]) for point in re.findall(CURVE, evidence)[0].split()]
    assert [height < threshold for height in heights] == [value > 20 for value in course(faces)]
    assert any(height < threshold for height in heights)


def test_what_is_drawn_has_a_colour() -> None:
    """A name of a colour that no browser and no style knows leaves a curve invisible, and a text black on black."""
    style = resources.files("referee.report").joinpath("report.css").read_text("utf-8")
    pictures = "".join(plots([die(f"W{n}", 1, 2, 3) for n in range(MOST_DICE)]))
    pictures += charts.lines("Sauron", {f"counter {n}": [n, 2 * n] for n in range(MOST_DICE)})
    assert not re.findall(r' (?:fill|stroke)="', pictures), "colours are the style's, for light and dark"
    names = {name for value in re.findall(r' class="([^"]+)"', pictures) for name in value.split()}
    assert {"line", "curve", "c0", "c7"} <= names
    assert names <= set(re.findall(r"\.([a-z0-9]+)", style))
    for shape in re.findall(r"<(?:polyline|circle|path|rect)[^>]*>", pictures):
        assert ' class="' in shape
    assert "svg text, svg circle { fill: currentColor; }" in style


def test_without_throws_there_are_no_pictures_and_not_more_than_fit() -> None:
    assert list(plots([])) == list(bars([])) == []
    many = "".join(plots([die(f"W{n}", 1, 2, 3) for n in range(MOST_DICE + 5)]))
    assert many.count("Faces 1: 1") == MOST_DICE


def test_bars_show_each_face_beside_what_is_expected() -> None:
    lines = list(bars([die("W1", *[1] * 10, *[2] * 10, *[3] * 10, *[4] * 10, *[5] * 2, *[6] * 18)]))
    assert lines[1] == "Bluetooth die W1, 60 throws"
    faces = {line[7]: line.split() for line in lines if line.startswith("  face")}
    assert [faces[face][3] for face in "123456"] == ["10", "10", "10", "10", "2,", "18"]
    bar = {face: words[2] for face, words in faces.items()}
    assert {len(each) for each in bar.values()} == {WIDTH}
    assert bar["6"].count("#") == WIDTH - 3, "all but [, | and ]"
    assert bar["1"].index("|") == bar["6"].index("|") == round(WIDTH * 10 / 18) - 1
    assert faces["5"][4] == "outside"
    assert any(line.startswith("  evidence") and line.endswith("of 20") for line in lines)
    assert any(line.startswith("  after 12, 24, 36, 48, 60 throws: ") for line in lines)
    assert any(f"{round(100 * power(60))} %, if it showed a six one time in four" in line for line in lines)
    assert lines[-1].startswith("In those of evidence")
