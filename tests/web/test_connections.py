"""Which connections stay."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.web.limits import MAX_OF_ADDRESS, MAX_PASSING, Connections, Door, Line

BOX = "127.0.0.1"


class Ended(Line):
    """A connection that knows whether it was ended."""

    def __init__(self) -> None:
        super().__init__(socket.socket(), lambda: None)
        self.close()
        self.ended = False

    def abort(self) -> None:
        self.ended = True


class House:
    def __init__(self) -> None:
        self.connections = Connections()
        self.all: dict[tuple[str, int], Ended] = {}

    def open(self, address: str) -> tuple[str, int]:
        client = (address, len(self.all))
        self.all[client] = Ended()
        self.connections.open(client, self.all[client])
        return client

    def left(self, address: str = "") -> int:
        return sum(not each.ended for (at, _), each in self.all.items() if address in ("", at))


@pytest.fixture
def house() -> House:
    return House()


def test_of_many_lines_of_one_that_was_let_in_the_oldest_gives_way(house: House) -> None:
    """A box with a token, or a phone whose pages listen, took every file that the hall may open."""
    other = house.open("192.168.1.67")
    house.connections.exempt(other, "another", 8)
    lines = [house.open("192.168.1.66") for _ in range(8)]
    for line in lines:
        house.connections.exempt(line, "box", 8)
    ninth = house.open("192.168.1.66")
    house.connections.exempt(ninth, "box", 8)
    assert [each for each in (other, *lines, ninth) if house.all[each].ended] == lines[:1]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["open", "exempt", "closed"]),
        st.sampled_from([BOX, "192.168.1.20", "192.168.1.21", "10.0.0.1"]),
        st.integers(0, 200),
    ),
    max_size=300,
)


@given(STEPS)
def test_no_order_of_anything_opens_more_than_there_may_be(steps: list[tuple[str, str, int]]) -> None:
    house, staying = House(), set[tuple[str, int]]()
    for what, address, which in steps:
        client = list(house.all)[which % len(house.all)] if house.all else ("", 0)
        if what == "open":
            client = house.open(address)
            assert not house.all[client].ended, "the newest always gets in"
        elif client in house.all and not house.all[client].ended:
            getattr(house.connections, what)(client)
            if what == "exempt":
                staying.add(client)
            if what == "closed":
                house.all[client].ended = True
        assert not any(house.all[client].ended for client in staying) or what == "closed"
        staying = {client for client in staying if not house.all[client].ended}
        passing = [client for client, each in house.all.items() if not each.ended and client not in staying]
        assert len(passing) <= MAX_PASSING
        assert all(
            sum(client[0] == each for client in passing) <= MAX_OF_ADDRESS for each in {c[0] for c in passing} - {BOX}
        )


def test_a_message_does_not_wait_until_the_browser_has_acknowledged_the_one_before() -> None:
    with Door(BOX, Connections()) as listener, socket.socket() as browser:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        browser.connect(listener.getsockname())
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
