"""Being let in, on a clock of its own: code and table together let one browser in, and no input finds another way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from referee.web.hub import Hub, Visit
from referee.web.pairing import LIFE, SLOWLY, TRIES, TRIES_OF_ALL, Pairing, PairingRefusedError
from referee.web.passes import ROLES, Passes

PHONE = "192.168.1.20"


class Glass:
    """What pairing needs of a hub."""

    def __init__(self) -> None:
        self.card: Visit | None = None
        self.code = "123456"

    def invitation(self) -> str:
        return self.code

    def visit(self, visit: Visit | None) -> None:
        self.card = visit

    def answer(self, role: str) -> None:
        assert self.card is not None
        card, self.card = self.card, None
        card.answer(role)


class House:
    """A door, its glass, its passes, and a clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.glass = Glass()
        self.passes = Passes()
        self.pairing = Pairing(cast("Hub", self.glass), self.passes, lambda: self.now)

    def turned_away(self, call: Callable[[], object], status: int) -> PairingRefusedError:
        with pytest.raises(PairingRefusedError) as caught:
            call()
        assert caught.value.status == status
        return caught.value


@pytest.fixture
def house() -> House:
    return House()


def test_the_code_and_then_the_table_let_a_browser_in(house: House) -> None:
    secret = house.pairing.enter(PHONE, "123456", "play")
    assert house.glass.card is not None
    assert (house.glass.card.who, house.glass.card.wish) == (PHONE, "play")
    assert house.pairing.wait(secret) == ""
    house.glass.answer("seat-3")
    assert house.passes.listed() == []
    assert house.passes.role(house.pairing.wait(secret)) == "seat-3"
    house.turned_away(lambda: house.pairing.wait(secret), 410)
    assert len(house.passes.listed()) == 1


def test_nobody_reaches_the_glass_without_the_code(house: House) -> None:
    """L1: a stranger puts nothing on the glass, however often he tries."""
    for n in range(100):
        status = 403 if n < TRIES else 429
        house.turned_away(lambda: house.pairing.enter("192.168.1.66", "654321"), status)
    house.glass.code = ""
    house.turned_away(lambda: house.pairing.enter(PHONE, ""), 410)
    house.turned_away(lambda: house.pairing.enter(PHONE, "123456"), 410)
    assert house.glass.card is None


def test_who_guesses_on_is_not_told_when_he_is_right(house: House) -> None:
    for _ in range(TRIES):
        house.turned_away(lambda: house.pairing.enter("192.168.1.66", "0"), 403)
    assert house.turned_away(lambda: house.pairing.enter("192.168.1.66", "123456"), 429).seconds == SLOWLY
    assert house.glass.card is None
    house.now += SLOWLY
    house.pairing.enter("192.168.1.66", "123456")


def test_many_addresses_together_are_limited_too(house: House) -> None:
    for n in range(TRIES_OF_ALL):
        house.turned_away(partial(house.pairing.enter, f"10.0.0.{n}", "0"), 403)
    house.turned_away(lambda: house.pairing.enter("10.0.1.1", "123456"), 429)
    house.now += 1
    house.pairing.enter("10.0.1.2", "123456")


def test_a_code_is_good_once(house: House) -> None:
    house.pairing.enter(PHONE, "123456")
    house.glass.answer("")
    house.turned_away(lambda: house.pairing.enter(PHONE, "123456"), 410)
    house.glass.code = "271828"
    house.pairing.enter(PHONE, "271828")


def test_the_question_at_the_table_dies_after_two_minutes(house: House) -> None:
    secret = house.pairing.enter(PHONE, "123456")
    question = house.glass.card
    assert question is not None
    assert question.until == house.now + LIFE
    house.now += LIFE
    question.answer("judge")
    house.turned_away(lambda: house.pairing.wait(secret), 410)
    assert house.glass.card is None
    assert house.passes.listed() == []


def test_one_browser_at_a_time_and_nobody_goes_on_for_another(house: House) -> None:
    secret = house.pairing.enter(PHONE, "123456")
    house.glass.code = "271828"
    assert house.turned_away(lambda: house.pairing.enter("192.168.1.21", "271828"), 409).seconds == LIFE
    for other in ("", "another"):
        house.turned_away(partial(house.pairing.wait, other), 410)
    assert house.pairing.wait(secret) == ""


def test_an_answer_to_an_earlier_visit_is_too_late(house: House) -> None:
    house.pairing.enter(PHONE, "123456")
    early = house.glass.card
    assert early is not None
    house.now += LIFE
    house.glass.code = "271828"
    secret = house.pairing.enter("192.168.1.21", "271828")
    early.answer("")
    early.answer("judge")
    assert house.pairing.wait(secret) == ""


class Machine(RuleBasedStateMachine):
    """Strangers, a clock and a table that answers anything at any time; a pass needs both code and answer."""

    def __init__(self) -> None:
        super().__init__()
        self.house = House()
        self.secrets = ["no secret"]
        self.right = self.allowed = ""
        self.earned = 0

    def _try(self, call: Callable[[], object]) -> None:
        with suppress(PairingRefusedError):
            call()

    @rule(code=st.one_of(st.just("123456"), st.text(max_size=8)), wish=st.sampled_from(("watch", "play", "judge")))
    def enter(self, code: str, wish: str) -> None:
        good = self.house.glass.code

        def call() -> None:
            secret = self.house.pairing.enter(PHONE, code, wish)
            assert code == good != ""
            assert secret not in self.secrets
            self.secrets.append(secret)
            self.right, self.allowed = secret, ""

        self._try(call)

    @rule(code=st.sampled_from(("123456", "271828", "")))
    def show(self, code: str) -> None:
        self.house.glass.code = code

    @rule(role=st.one_of(st.sampled_from(ROLES), st.text(max_size=8)))
    def answer(self, role: str) -> None:
        if self.house.glass.card is not None:
            self.house.glass.answer(role)
            self.allowed = role if role in ROLES else ""

    @rule(seconds=st.floats(0, 200))
    def pass_time(self, seconds: float) -> None:
        self.house.now += seconds

    @rule(which=st.integers(0, 50))
    def wait(self, which: int) -> None:
        secret = self.secrets[which % len(self.secrets)]

        def call() -> None:
            token = self.house.pairing.wait(secret)
            if token:
                assert secret == self.right
                assert self.house.passes.role(token) == self.allowed
                self.earned += 1

        self._try(call)

    @invariant()
    def no_pass_is_given_away(self) -> None:
        assert len(self.house.passes.listed()) == min(self.earned, 32)


@pytest.mark.long
def test_no_order_of_anything_finds_another_way_in() -> None:
    run_state_machine_as_test(Machine, settings=settings(max_examples=150, stateful_step_count=40, deadline=None))
