"""Messages of every shape to both sides: none of them raises, and none that is refused changes anything."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from referee.errors import Malformed
from referee.hall.uplink.messages import (
    MOST_BYTES,
    Ack,
    Entries,
    Goodbye,
    Heads,
    Hello,
    Message,
    Ping,
    Pong,
    Refill,
    read,
    write,
)
from referee.journal.sequence import Place
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import CERTIFICATE, EVENT, KEY, Hall, box, shown, talk

MESSAGES = int(os.environ.get("REFEREE_FUZZ_INPUTS", "3000"))
JUNK: list[Any] = [
    None, True, 0, -1, 1.5, 2**53, 2**70, "", "x" * 70, "0" * 64, "A" * 64, [], {}, [[]], [None] * 65, "\ud800",
    {"type": "ping"}, "é" * 20, "\x00", 1e308,
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container with the name or the number of each of its members."""
    for name in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, name
        yield from places(value[name])


def mutated(text: str, chance: random.Random) -> str | bytes:
    """Return a message that somebody wrote who means no good."""
    value = original = json.loads(text)
    while value == original:
        value = _touched(text, chance)
    changed = json.dumps(value)
    if chance.random() < 0.1:
        at = chance.randrange(len(changed))
        return changed[:at].encode() + chance.randbytes(3) + changed[at:].encode()
    return changed


def _touched(text: str, chance: random.Random) -> Any:
    value = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        container, name = chance.choice(list(places(value)) or [([None], 0)])
        if chance.random() < 0.2 and container:
            del container[name]
        elif chance.random() < 0.1 and isinstance(container, dict):
            container[chance.choice(["more", "type", ""])] = deepcopy(chance.choice(JUNK))
        elif chance.random() < 0.3 and isinstance(container[name], str) and container[name]:
            at = chance.randrange(len(container[name]))
            container[name] = container[name][:at] + chance.choice("0fZ\n") + container[name][at + 1 :]
        else:
            container[name] = deepcopy(chance.choice(JUNK))
    return value


def test_the_hall_takes_what_holds_and_nothing_else(store: str, hall: Hall, journal: MemoryJournal) -> None:
    chance = random.Random(1)
    batches = journal.batches()
    hall.log_in(1, KEY)
    assert hall.hear(1, batches[0])[0]["type"] == "ack"
    rows, number, codes = hall.rows(), 1, set()
    messages: list[Message] = [*batches, Ping(), Pong(), Refill(batches[0].entries[0]["hash"])]
    good = [write(message) for message in messages]
    for _ in range(MESSAGES if store == "files" else MESSAGES // 10):
        text = mutated(chance.choice(good), chance)
        answers = hall.hear(number, text)
        if answers and answers[-1]["type"] == "goodbye":
            codes.add(answers[-1]["code"])
            number += 1
            assert hall.log_in(number, KEY)[0]["type"] == "heads"
        assert hall.rows() == rows, text
    assert codes == {"malformed", "damaged"}
    assert hall.hear(number, batches[1])[0]["type"] == "ack"


def test_the_hall_lets_nobody_in_whose_login_was_touched(hall: Hall) -> None:
    chance = random.Random(2)
    logins: list[str] = []
    talk(hall, 1, box(MemoryJournal(KEY), KEY), each=logins.append)
    hall.side.closed(1)
    for number in range(2, MESSAGES // 3):
        hall.open(number)
        (answer,) = hall.hear(number, mutated(logins[0], chance))
        assert answer["code"] in ("malformed", "version", "signature"), answer
    assert [news.kind for news in hall.news] == ["on", "off"]


def test_a_box_takes_nothing_from_a_hall_that_means_no_good(journal: MemoryJournal) -> None:
    chance = random.Random(3)
    before = list(journal.log)
    end = before[-1].place
    messages: list[Message] = [
        Hello(1, EVENT, "1" * 64, *shown()[1::2]),
        Heads((end,), 3), Heads((Place(1, 0, "f" * 64),), 0), Ack(end.hash), Ping(),
        Pong(), Goodbye("twin", "one"), *journal.batches(),
    ]  # fmt: skip
    good = [write(message) for message in messages]
    side = box(journal, KEY)
    for _ in range(MESSAGES):
        if side.over:
            side.opened(CERTIFICATE, "2" * 64, 0.0)
            if chance.random() < 0.8:
                side.received(good[0], 0.0)
        text = mutated(chance.choice(good), chance) if chance.random() < 0.9 else chance.choice(good)
        for answer in side.received(text, 0.0):
            assert len(answer) <= MOST_BYTES
        assert journal.log == before, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * (MOST_BYTES + 1), "at most 262144 bytes"),
        ('{"type":"entries","entries":' + "[" * 2000 + "]" * 2000 + "}", "levels of nesting"),
        ('{"type":"ping","type":"ping"}', "each name only once"),
        ('{"type":"ack"}', "type: expected"),
        ('{"type":"ping","more":1}', "nothing else"),
        ('{"type":"refill","after":7}', "64 lower-case hex digits"),
        ('{"type":"entries","game":0,"entries":[{}],"seals":[]}', "a whole number from 1"),
        ('{"type":"entries","game":1,"entries":[],"seals":[]}', "a list of 1 to 64"),
        ('{"type":"entries","game":1,"entries":[1],"seals":[]}', "expected objects"),
        ('{"type":"entries","game":1,"entries":[{}],"seals":[[1,2]]}', "seq, key and signature"),
        ("[]", "a JSON object"),
        (b"\xff", "UTF-8"),
    ],
)
def test_a_message_that_is_none_is_refused_with_what_was_expected(text: str | bytes, expected: str) -> None:
    with pytest.raises(Malformed, match=expected):
        read(text, Entries, Refill, Ping)


def test_an_entry_that_no_message_holds_is_named_and_the_box_goes_on_alone(
    hall: Hall, journal: MemoryJournal
) -> None:
    journal.write(1, "answer", "x" * MOST_BYTES)
    side = box(journal, KEY)
    talk(hall, 1, side)
    assert side.over
    assert side.refused is not None
    assert "at most 262144 bytes" in side.refused.expected
