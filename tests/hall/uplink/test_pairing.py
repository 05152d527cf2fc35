"""Pairing: the digits are the same only if nobody is between, and nobody is let in without a hand on both sides."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from referee.errors import Malformed
from referee.hall.event_key import EventKey
from referee.hall.uplink.messages import Confirm, Hello, Offer, Pair, Reveal, read, write
from referee.hall.uplink.pairing import BoxPairing, HallPairing, commitment
from referee.hall.uplink.term import certify, identity
from tests.hall.uplink.memory import signer
from tests.hall.uplink.pair import CERTIFICATE, EVENT, Hall
from tests.hall.uplink.test_hostile import mutated

NEW = signer(7)
NONCE = "5" * 64


@dataclass
class Asking:
    """A box that asks a hall to be paired."""

    hall: Hall
    number: int = 1
    box: BoxPairing = field(default_factory=lambda: BoxPairing(NEW))
    words: list[str] = field(default_factory=list)

    def ask(self) -> None:
        """Connect, and let both talk."""
        self.box.opened(CERTIFICATE, NONCE, 0.0)
        self.hall.side.opened(self.number, "1" * 64, 0.0)
        self.talk([])

    def confirm(self) -> None:
        """Hold Select."""
        self.box.confirm(self.box.digits)
        self.talk(self.box.tick(0.0))

    def talk(self, answers: list[str]) -> None:
        """Carry what is said until nothing is."""
        while answers or self.hall.side.out or self.hall.side.pairing.out:
            self.words += answers
            for answer in answers:
                self.hall.side.received(self.number, answer, 0.0)
            answers = []
            for word in self.hall.words(self.number):
                answers += self.box.received(word, 0.0) if word else []


@pytest.fixture
def asking(hall: Hall) -> Asking:
    return Asking(hall)


@pytest.mark.parametrize("hall_first", [True, False])
def test_a_box_is_let_in_once_both_sides_have_confirmed_the_same_digits(
    hall: Hall, asking: Asking, *, hall_first: bool
) -> None:
    hall.side.pairing.open(120.0)
    asking.ask()
    request = hall.side.pairing.request
    assert request is not None
    assert len(request.digits) == 6
    assert (request.digits, request.key, request.box) == (asking.box.digits, NEW.public, False)
    for side in ("hall", "box") if hall_first else ("box", "hall"):
        assert hall.log_in(9, NEW)[0]["code"] == "unknown"
        assert not asking.box.paired
        if side == "hall":
            hall.side.pairing.confirm(asking.box.digits or request.digits)
            asking.talk([])
        else:
            asking.confirm()
    assert asking.box.paired
    assert (asking.box.event, asking.box.certificate) == (EVENT, CERTIFICATE)
    assert hall.side.pairing.request is None
    assert hall.log_in(10, NEW)[0]["type"] == "heads"


def test_somebody_between_them_makes_the_digits_differ(hall: Hall, asking: Asking) -> None:
    hall.side.pairing.open(120.0)
    key, other = EventKey(bytes(16)).signer, signer(7)  # what the box talks with: a hall of another key
    appears = identity(other, key.public, certify(key, 1, other.public), "d" * 64)
    between = HallPairing(key.public, "d" * 64, lambda _: None)
    between.open(120.0)
    victim = BoxPairing(signer(8))
    victim.opened("d" * 64, NONCE, 0.0)
    (pair,) = victim.received(write(Hello(1, key.public, NONCE, appears.term, appears.signature)), 0.0)
    message = read(pair, Pair)
    assert isinstance(message, Pair)
    between.begin(1, message, 0.0)
    for _ in range(3):
        for _, answer in between.take_out():
            assert answer is not None
            for word in victim.received(write(answer), 0.0):
                between.take(read(word, Reveal))
    asking.ask()  # and the attacker asks the hall himself
    assert between.request is not None
    assert hall.side.pairing.request is not None
    assert victim.digits == between.request.digits != hall.side.pairing.request.digits


def test_who_repeats_the_hello_of_the_hall_is_no_hall_to_pair_with(hall: Hall) -> None:
    victim = BoxPairing(signer(8))
    victim.opened("d" * 64, NONCE, 0.0)  # another certificate than that of the hall
    assert victim.received(write(hall.open(77)), 0.0) == []
    assert victim.refused is not None
    assert victim.refused.expected == "expected a hall that its event key certified"


def test_a_nonce_that_was_not_committed_to_is_refused_on_both_sides(hall: Hall) -> None:
    hall.side.pairing.open(120.0)
    hall.open(1)
    assert hall.hear(1, Pair(1, NEW.public, commitment(NONCE)))[0]["type"] == "offer"
    assert hall.hear(1, Reveal("6" * 64))[0]["code"] == "malformed"
    assert hall.side.pairing.request is None
    box = BoxPairing(NEW)
    box.opened(CERTIFICATE, NONCE, 0.0)
    box.received(write(hall.open(77)), 0.0)
    assert box.received(write(Offer(commitment("7" * 64))), 0.0) == [write(Reveal(NONCE))]
    assert box.received(write(Reveal("8" * 64)), 0.0) == []
    assert box.digits == ""
    assert box.over


def test_nobody_is_paired_unless_the_organiser_waits_for_a_box(hall: Hall, asking: Asking) -> None:
    asking.ask()
    assert asking.box.refused is not None
    assert asking.box.refused.code == "closed"
    hall.side.pairing.open(0.0)  # that time is over
    asking.number = 2
    asking.ask()
    assert asking.box.refused.code == "closed"


def test_one_box_asks_at_a_time_and_only_three_until_the_organiser_waits_again(hall: Hall) -> None:
    hall.side.pairing.open(120.0)
    for number in range(1, 4):
        asking = Asking(hall, number)
        asking.ask()
        assert asking.box.digits
        other = Asking(hall, number + 10)
        other.ask()
        assert other.box.refused is not None
        assert other.box.refused.code == "closed"
        hall.side.closed(number)
    last = Asking(hall, 4)
    last.ask()
    assert last.box.digits == ""


def test_digits_that_the_organiser_did_not_see_confirm_nothing(hall: Hall, asking: Asking) -> None:
    hall.side.pairing.open(120.0)
    with pytest.raises(Malformed, match="expected the digits"):
        hall.side.pairing.confirm("123456")
    asking.ask()
    wrong = f"{(int(asking.box.digits) + 1) % 1_000_000:06}"
    with pytest.raises(Malformed, match="expected the digits"):
        hall.side.pairing.confirm(wrong)
    asking.confirm()
    hall.side.pairing.refuse()
    asking.talk([])
    assert asking.box.refused is not None
    assert asking.box.refused.code == "refused"
    assert hall.log_in(9, NEW)[0]["code"] == "unknown"


def test_a_key_that_somebody_else_has_is_not_paired(hall: Hall) -> None:
    hall.side.pairing.open(120.0)
    hall.open(1)
    hall.hear(1, Pair(1, signer(8).public, commitment(NONCE)))
    hall.hear(1, Reveal(NONCE))
    assert hall.side.pairing.request is not None
    hall.side.pairing.confirm(hall.side.pairing.request.digits)
    assert hall.hear(1, Confirm("0" * 128))[0]["code"] == "malformed"
    assert hall.log_in(9, signer(8))[0]["code"] == "unknown"


def test_no_altered_message_pairs_anybody(hall: Hall) -> None:
    hall.side.pairing.open(120.0)
    good = Asking(hall)
    good.ask()
    good.box.confirm(good.box.digits)
    words = [*good.words, *good.box.tick(0.0)]
    hall.side.closed(1)
    chance = random.Random(4)
    for number in range(2, 400):
        hall.side.pairing.open(120.0)
        hall.open(number)
        for word in words:
            hall.hear(number, mutated(word, chance) if chance.random() < 0.5 else word)
        request = hall.side.pairing.request
        assert request is None or not request.box
        hall.side.closed(number)
    assert hall.side.intake._tables.rows("SELECT count(*) FROM admissions") == [(1,)]


def test_a_box_gives_up_a_hall_that_hangs(hall: Hall, asking: Asking) -> None:
    hall.side.pairing.open(120.0)
    asking.ask()
    assert asking.box.tick(2.0)
    assert asking.box.tick(8.1) == []
    assert asking.box.over
    assert asking.box.digits == ""
    asking.box.confirm("")
    assert asking.box.tick(8.1) == []
