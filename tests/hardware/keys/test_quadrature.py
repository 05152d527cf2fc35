"""The encoder: bounce cancels, wiggling counts nothing, whole detents count once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys.quadrature import Quadrature

CYCLE = [(False, False), (True, False), (True, True), (False, True)]


class Knob:
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


@given(walks, st.sampled_from([1, 2]))
def test_after_any_walk_home_to_a_rest_the_count_is_the_distance(
    walk: list[tuple[int, int]], detents_per_cycle: int
) -> None:
    knob = Knob(Quadrature(detents_per_cycle=detents_per_cycle))
    counted = sum(knob.move(quarters, bounces) for quarters, bounces in walk)
    step = 4 // detents_per_cycle
    counted += knob.move(-(knob.position % step), bounces=3)
    assert counted == knob.position // step


@given(st.integers(-30, 30), st.integers(0, 10))
def test_clockwise_is_positive(steps: int, bounces: int) -> None:
    knob = Knob(Quadrature())
    assert knob.move(4 * steps, bounces) == steps


@pytest.mark.parametrize(
    ("per_cycle", "position", "forth", "back"),
    [(1, 0, 0, 0), (1, 1, 1, 0), (1, 2, 1, 0), (1, 3, 0, -1), (2, 1, 0, -1), (2, 2, 0, 0), (2, 3, 0, -1)],
)
def test_a_knob_left_between_detents_belongs_to_the_nearer_one(
    per_cycle: int, position: int, forth: int, back: int
) -> None:
    step = 4 // per_cycle
    for quarters, detents in ((-position % step, forth), (-(position % step), back)):
        decoder = Quadrature(a=CYCLE[position][0], b=CYCLE[position][1], detents_per_cycle=per_cycle)
        assert Knob(decoder, position).move(quarters) == detents


def test_a_lost_edge_never_counts_the_wrong_way() -> None:
    """A detent may be lost with its edges, but turning on gives no step in the other direction."""
    for lost in range(4):
        decoder = Quadrature()
        edges = [(0, True), (1, True), (0, False), (1, False)]
        steps = [decoder.feed(contact=c, level=v) for i, (c, v) in enumerate(edges) if i != lost]
        steps += [decoder.feed(contact=c, level=v) for c, v in edges * 3]
        assert min(steps) == 0
        assert 3 <= sum(steps) <= 4


def test_an_edge_that_changes_nothing_counts_nothing() -> None:
    decoder = Quadrature()
    for level in (True, True, False, False):
        assert decoder.feed(contact=0, level=level) == 0
