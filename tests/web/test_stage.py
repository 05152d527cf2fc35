"""The question is the stage: at ten sizes all that is asked is in sight, with odds, state and the last result."""

from __future__ import annotations

import json

import pytest

from tests.web.playback import Playback
from tests.web.recorded import Batch, whole_game
from tests.web.states import GAMES

SIZES = (
    (320, 568),
    (360, 740),
    (390, 844),
    (768, 1024),
    (1024, 768),
    (1280, 720),
    (1280, 800),
    (1366, 650),
    (1920, 1080),
    (2560, 1440),
)
MOST = 12
"""Answers of a question that all have a place; more are scrolled through."""
FAULTS = """
const [batches, most, done] = arguments;
const box = (each) => each.getBoundingClientRect();
const all = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
const words = (each) => `${each.id || each.className || each.tagName} ${each.textContent.slice(0, 40)}`;
const within = (inner, { top, left, bottom, right }) =>
  inner.top >= top - 1 && inner.left >= left - 1 && inner.bottom <= bottom + 1 && inner.right <= right + 1;
const screen = { top: 0, left: 0, bottom: innerHeight, right: innerWidth };
const drawn = (each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return box(range);
};
const look = () => {
  const faults = [];
  const note = (what, each) => faults.push(`${what}: ${words(each)}`);
  if (document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  const outside = (selector, place, what) => {
    for (const each of all(selector)) if (!within(box(each), place)) note(what, each);
  };
  outside("#glass, #ruling, .stage, .foot button, .seats button", screen, "outside");
  outside("#ruling :is(.kick, .headline, .throw)", box(document.getElementById("ruling")), "outside the band");
  const place = box(document.getElementById("asked"));
  const answers = all("#asked .buttons button");
  const few = answers.length <= most;
  outside(few ? ".asked .says, #odds > *, #asked .buttons button" : ".asked .says", place, "out of sight");
  for (const each of answers) {
    const { width, height } = box(each);
    if (Math.min(width, height) < 44) note(`${width} x ${height}`, each);
    for (const part of each.querySelectorAll(".text, .share")) if (!within(drawn(part), box(each))) note("cut", part);
  }
  const { scrollHeight, clientHeight } = document.getElementById("pools");
  if (innerWidth >= 900 && scrollHeight > clientHeight + 1) faults.push(`counters: ${scrollHeight} high`);
  return faults;
};
(async () => {
  const found = [];
  for (const batch of batches) {
    tell(batch);
    await frame();
    await frame();
    const card = batch.findLast(({ type }) => type === "table")?.card;
    const asked = card && `${card.kind} "${card.text}" (${card.buttons.length})`;
    if (card) found.push(...look().map((fault) => `${asked}: ${fault}`));
  }
  done([...new Set(found)]);
})();
"""


def moments(game: str) -> list[Batch]:
    """Return what is told at each moment of a game that looks otherwise, with all that was told since the last."""
    seen: set[str] = set()
    shown: list[Batch] = []
    late: Batch = []
    for batch in whole_game(game).batches:
        table = next((message for message in batch if message["type"] == "table"), None)
        news = json.dumps([table["card"]["kind"], table["card"]["text"], table["odds"]]) if table else ""
        late = [*late, *(message for message in batch if message["type"] != "sound")]
        if table and news not in seen:
            seen.add(news)
            shown.append(late)
            late = []
    return shown


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("game", GAMES)
def test_every_question_of_a_game_is_in_sight(playback: Playback, game: str, size: tuple[int, int]) -> None:
    playback.size(*size)
    playback.load()
    assert playback.driver.execute_async_script(FAULTS, json.loads(json.dumps(moments(game))), MOST) == []
