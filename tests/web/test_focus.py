"""Where the focus is on the panel: it stays at the answers while a game goes on, or is led to the question."""

from __future__ import annotations

import json

import pytest

from tests.web.playback import EVENING, GAME, SIZES, Playback
from tests.web.recorded import recorded
from tests.web.states import GAMES, state

PLACES = """
const [batches, done] = arguments;
(async () => {
  const lost = [];
  const pause = () => new Promise((after) => setTimeout(after));
  const head = document.getElementById("asked-head");
  for (const [number, batch] of batches.entries()) {
    document.querySelector("#asked button:enabled")?.focus();
    tell(batch);
    await frame();
    await pause();
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    const seen = document.getElementById("asked").getBoundingClientRect();
    const there = document.activeElement.closest("#asked") && top < seen.bottom - 20 && bottom > seen.top + 20;
    const where = document.activeElement.outerHTML.slice(0, 80);
    if (!there && document.activeElement !== head) lost.push(`${number}: ${where}`);
  }
  done(lost);
})();
"""


def focused(playback: Playback, size: str, *games: str) -> None:
    """Play these games back to somebody who goes to answers by Tab: the focus stays there, or before them all."""
    playback.size(*SIZES[size])
    playback.load()
    for game in games:
        beginning, *rest = recorded(game, EVENING)
        playback.tell([beginning])
        assert playback.driver.execute_async_script(PLACES, json.loads(json.dumps(rest))) == [], game


def test_the_focus_stays_at_the_answers_while_a_game_is_played(playback: Playback) -> None:
    focused(playback, "phone", GAME)


def test_who_only_watches_from_now_on_is_led_from_an_answer_to_the_question(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question"), [{"type": "role", "role": "judge"}]])
    for place in ("#asked button", ".controls .cap"):
        playback.run("document.querySelector(arguments[0]).focus()", place)
        assert playback.run("return document.activeElement.matches(arguments[0])", place)
        playback.tell([[{"type": "role", "role": "watch"}]])
        playback.until(lambda: playback.run("return document.activeElement.id") == "asked-head")
        playback.tell([[{"type": "role", "role": "judge"}]])


@pytest.mark.long
def test_the_focus_stays_at_the_answers_in_every_game(playback: Playback) -> None:
    focused(playback, "laptop", *GAMES)
