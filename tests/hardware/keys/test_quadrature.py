"""The encoder: bounce cancels, wiggling counts nothing, whole detents count once, and faults are named."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Chatter, Turn
from hardware.keys.quadrature import Knob, Quadrature

CYCLE = [(False, False), (True, False), (True, True), (False, True)]


class Hand:
    """Contacts at a position counted in quarters of a cycle, bouncing as told."""

    def __init__(self, decoder: Quadrature, position: int = 0) -> None:
        self._decoder = decoder
        self.position = position

    def move(self, quarters: int, bounces: int = 0) -> int:
        total = 0
        for _ in range(abs(quarters)):
            before = CYCLE[self.position % 4]
            self.position += 1 if quarters > 0 else -1
            after = CYCLE[self.position % 4]
            contact = 0 if before[0] != after[0] else 1
            for _ in range(bounces):
                total += self._decoder.feed(contact=contact, level=after[contact])
                total += self._decoder.feed(contact=contact, level=before[contact])
            total += self._decoder.feed(contact=contact, level=after[contact])
        return total


walks = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 10)), max_size=30)


@given(walks, st.sampled_from([1, 2, 4]))
def test_after_any_walk_home_to_a_rest_the_count_is_the_distance(
    walk: list[tuple[int, int]], detents_per_cycle: int
) -> None:
    knob = Hand(Quadrature(detents_per_cycle=detents_per_cycle))
    counted = sum(knob.move(quarters, bounces) for quarters, bounces in walk)
    step = 4 // detents_per_cycle
    counted += knob.move(-(knob.position % step), bounces=3)
    assert counted == knob.position // step


@pytest.mark.parametrize(
    ("per_cycle", "position", "forth", "back"),
    [(1, 0, 0, 0), (1, 1, 1, 0), (1, 2, 0, 0), (1, 3, 0, -1), (2, 1, 1, 0), (2, 2, 0, 0), (2, 3, 1, 0)],
)
def test_a_knob_left_between_detents_belongs_to_the_nearer_one(
    per_cycle: int, position: int, forth: int, back: int
) -> None:
    step = 4 // per_cycle
    for quarters, detents in ((-position % step, forth), (-(position % step), back)):
        decoder = Quadrature(a=CYCLE[position][0], b=CYCLE[position][1], detents_per_cycle=per_cycle)
        assert Hand(decoder, position).move(quarters) == detents


def test_a_lost_edge_never_counts_the_wrong_way() -> None:
    """A detent may be lost with its edges, but turning on gives no step in the other direction."""
    for lost in range(4):
        decoder = Quadrature()
        edges = [(0, True), (1, True), (0, False), (1, False)]
        steps = [decoder.feed(contact=c, level=v) for i, (c, v) in enumerate(edges) if i != lost]
        steps += [decoder.feed(contact=c, level=v) for c, v in edges * 3]
        assert min(steps) == 0
        assert 3 <= sum(steps) <= 4


@given(st.lists(st.sampled_from([1, -1]), max_size=60))
def test_a_knob_at_rest_with_closed_contacts_reverses_cleanly(turns: list[int]) -> None:
    """P3."""
    hand = Hand(Quadrature(a=True, b=True), position=2)
    assert [hand.move(4 * turn, bounces=2) for turn in turns] == turns


class Contacts:
    """A knob, and what makes its contacts move; `said` is all that came of it."""

    def __init__(self, detents_per_cycle: int = 1) -> None:
        self.knob = Knob(a=False, b=False, detents_per_cycle=detents_per_cycle)
        self.now = 0.0
        self.levels = [False, False]
        self.said: list[Turn | Chatter] = []

    def edge(self, contact: int, after: float) -> None:
        self.now += after
        self.levels[contact] = not self.levels[contact]
        self.said += self.knob.feed(contact=contact, level=self.levels[contact], at=self.now)

    def detent(self, way: int, quarter: float, bounces: int = 0, without: int | None = None) -> None:
        for contact in (0, 1, 0, 1)[::way]:
            self.now += quarter
            if contact != without:
                self.edge(contact, 0)
                for _ in range(2 * bounces):
                    self.edge(contact, 0.0004)

    @property
    def steps(self) -> list[int]:
        return [event.steps for event in self.said if isinstance(event, Turn)]

    @property
    def faults(self) -> list[str]:
        return [event.key for event in self.said if isinstance(event, Chatter)]


@pytest.mark.parametrize("rate", [50, 100, 200, 300, 500, 700, 1000])
@pytest.mark.parametrize("even", [True, False])
def test_noise_is_named_once_within_two_seconds(rate: int, even: bool) -> None:
    """P4: at an even pace, or as it comes."""
    chance = random.Random(rate)
    contacts = Contacts()
    while contacts.now < 20:
        contacts.edge(chance.randrange(2), 1 / rate if even else chance.expovariate(rate))
        if contacts.now > 2:
            assert contacts.faults == ["encoder"]
            assert isinstance(contacts.said[-1], Chatter)


@pytest.mark.parametrize("rate", [50, 1000])
def test_noise_on_one_line_names_the_line(rate: int) -> None:
    contacts = Contacts()
    for _ in range(5 * rate):
        contacts.edge(1, 1 / rate)
    assert contacts.faults == ["encoder-b"]


def test_a_knob_that_has_rested_counts_again() -> None:
    contacts = Contacts()
    for _ in range(50):
        contacts.edge(0, 0.02)
    contacts.now += 1.9
    contacts.detent(1, 0.02)
    assert contacts.steps == []
    contacts.now += 2.1
    for way in (1, -1, 1):
        contacts.detent(way, 0.02)
    assert contacts.steps == [1, -1, 1]
    assert len(contacts.faults) == 1


@pytest.mark.parametrize("quarter", [0.002, 0.01, 0.05, 0.5])
@pytest.mark.parametrize("bounces", [0, 1, 3])
def test_a_fast_hand_on_bouncing_contacts_is_no_noise(quarter: float, bounces: int) -> None:
    contacts = Contacts()
    turns = [1] * 30 + [-1] * 30 + [1, 1, -1] * 10
    for way in turns:
        contacts.detent(way, quarter, bounces)
        contacts.now += 0.1  # no hand turns back sooner
    assert (contacts.steps, contacts.faults) == (turns, [])


@pytest.mark.parametrize(("off", "named"), [(0, "encoder-b"), (1, "encoder-a")])
@pytest.mark.parametrize("quarter", [0.004, 0.1])
def test_a_contact_that_moves_alone_is_named(off: int, named: str, quarter: float) -> None:
    """P4: one wire is off."""
    contacts = Contacts()
    for _ in range(6):
        contacts.detent(1, quarter, bounces=1, without=off)
    assert (contacts.faults, contacts.steps) == ([named], [])
