"""The panel's buzzer and voice: after a gesture, in rhythm, once, and silent where that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import table_of
from tests.web.page import PATIENCE, Page

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub

SPY_ON_SOUND = """
window.heard = [];
const ramp = AudioParam.prototype.setTargetAtTime;
AudioParam.prototype.setTargetAtTime = function (value, at, edge) {
  window.heard.push([value > 0, Math.round(at * 1000)]);
  return ramp.call(this, value, at, edge);
};
"""
SPEAK_FOR_THE_TEST = """
window.said = [];
speechSynthesis.speak = (speech) => {
  window.said.push(speech.text);
  window.speech = speech;
  speech.dispatchEvent(new Event("start"));
};
speechSynthesis.cancel = () => window.said.push("(cut off)");
"""
ME = "browser 2"
"""The page that was opened anew, after the one of the fixture."""
END_SPEECH = "window.speech.dispatchEvent(new Event('end'))"


@pytest.mark.long
def test_the_buzzer_keeps_the_rhythm_after_a_gesture_and_not_before(page: Page, hub: FakeHub) -> None:
    page.command("Page.addScriptToEvaluateOnNewDocument", source=SPY_ON_SOUND)
    page.open()
    assert page.find("#sound").get_attribute("data-sound") == "waiting"
    hub.publish({"type": "sound", "name": "key", "pattern": [10]})
    page.until(lambda: page.find("#caption").get_property("textContent") == "♪ key")
    assert page.run("return window.heard") == []

    page.key("die-1").click()
    page.until(lambda: page.find("#sound").get_attribute("data-sound") == "on")
    hub.publish({"type": "sound", "name": "refusal", "pattern": [200, 80, 200]})
    page.until(lambda: page.find("#caption").get_property("textContent") == "♪ refusal")
    heard = page.run("return window.heard")
    start = heard[0][1]
    assert [loud for loud, _ in heard] == [True, False, True, False]
    assert [at - start for _, at in heard] == pytest.approx([0, 200, 280, 480], abs=1)


def test_the_voice_reads_a_screen_once_and_the_box_knows_how_long(page: Page, hub: FakeHub) -> None:
    page.command("Page.addScriptToEvaluateOnNewDocument", source=SPEAK_FOR_THE_TEST)
    page.open()
    hub.publish(table_of(screen=1, aloud="Roll 2 dice."))
    page.until(lambda: page.find("#spoken").get_attribute("textContent"))
    assert page.run("return window.said") == []
    assert page.find("#voice").get_property("textContent") == "Voice off"

    page.run("document.getElementById('voice').click()")
    assert (page.find("#voice").get_property("textContent"), page.find("#voice").get_attribute("aria-pressed")) == (
        "Voice on",
        "true",
    )
    assert hub.voices.get(timeout=PATIENCE) == (ME, True)
    page.run(END_SPEECH)
    assert hub.voices.get(timeout=PATIENCE) == (ME, False)

    hub.publish(table_of(screen=2, aloud="Defender out."))
    assert hub.voices.get(timeout=PATIENCE) == (ME, True)
    hub.publish(table_of(screen=2, aloud="Defender out.", dice={"faces": [1] * 6}))  # nothing new for the ear
    hub.publish(table_of(screen=3, aloud="Which column?"))
    assert [hub.voices.get(timeout=PATIENCE) for _ in range(2)] == [(ME, False), (ME, True)]
    hub.publish(table_of(screen=4, aloud=""))
    assert hub.voices.get(timeout=PATIENCE) == (ME, False)
    said = ["Voice on.", "Defender out.", "(cut off)", "Which column?", "(cut off)"]
    assert page.run("return window.said") == said

    page.open()
    assert page.find("#voice").get_property("textContent") == "Voice on"  # it is remembered
    page.run("document.getElementById('voice').click()")
    hub.publish(table_of(screen=5, aloud="Orc out."))
    page.until(lambda: page.find("#voice").get_property("textContent") == "Voice off")
    assert page.run("return window.said.filter((words) => words === 'Orc out.')") == []
