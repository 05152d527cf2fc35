"""Being let in, on a clock of its own: one way in, every other shuts the door, and no input finds another way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from referee.web.hub import Gesture, Lamps, Listener, Message, Visit
from referee.web.pairing import FIRST_LOCK, LIFE, LONGEST_LOCK, Pairing, PairingRefusedError, six_digits
from referee.web.passes import ROLES, Passes


class Glass:
    """A hub of which only the card of a visit is of interest."""

    def __init__(self) -> None:
        self.card: Visit | None = None

    def voice(self, source: str, *, speaks: bool) -> None:
        raise AssertionError((source, speaks))

    def name(self, key: str, name: str) -> None:
        raise AssertionError((key, name))

    def report(self, *, anonymous: bool = False) -> bytes | None:
        return None

    def refresh(self) -> None:
        pass

    def visit(self, visit: Visit | None) -> None:
        self.card = visit

    def answer(self, role: str) -> None:
        assert self.card is not None
        card, self.card = self.card, None
        card.answer(role)

    def snapshot(self, *, judge: bool = True) -> list[Message]:
        return []

    def subscribe(self, listener: Listener, *, judge: bool = True) -> Callable[[], None]:
        return lambda: None

    def lamps(self) -> Lamps:
        return Lamps({}, judges=False)

    def act(self, gesture: Gesture, source: str) -> None:
        raise AssertionError("pairing presses nothing")


class House:
    """A door, its glass, its passes, and a clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.glass = Glass()
        self.passes = Passes()
        self.pairing = Pairing(self.glass, self.passes, lambda: self.now, lambda: "123456")

    def turned_away(self, call: Callable[[], object], status: int) -> PairingRefusedError:
        with pytest.raises(PairingRefusedError) as caught:
            call()
        assert caught.value.status == status
        return caught.value

    def fail(self) -> None:
        self.pairing.ask("192.168.1.66")
        self.glass.answer("")


def lies(house: House) -> bool:
    return house.glass.card is not None


def shown(house: House) -> Visit:
    assert house.glass.card is not None
    return house.glass.card


@pytest.fixture
def house() -> House:
    return House()


def test_the_code_and_then_the_box_let_a_browser_in(house: House) -> None:
    secret, state = house.pairing.ask("192.168.1.20")
    assert state == "code"
    assert (shown(house).who, shown(house).code) == ("192.168.1.20", "123456")
    assert house.pairing.wait(secret).state == "code"
    assert house.pairing.enter(secret, "123456").state == "role"
    assert shown(house).code == ""
    house.glass.answer("seat-3")
    assert house.passes.listed() == []
    step = house.pairing.wait(secret)
    assert (step.state, house.passes.role(step.token)) == ("in", "seat-3")
    house.turned_away(lambda: house.pairing.wait(secret), 410)
    assert len(house.passes.listed()) == 1


def test_a_wish_can_be_changed_until_a_code_was_entered(house: House) -> None:
    secret, _ = house.pairing.ask("192.168.1.20", wish="watch")
    assert house.pairing.ask("192.168.1.20", secret, "judge") == (secret, "code")
    assert (shown(house).wish, shown(house).code) == ("judge", "123456")
    house.pairing.enter(secret, "123456")
    house.pairing.ask("192.168.1.20", secret, "seat")
    assert (shown(house).wish, shown(house).code) == ("judge", "")


def test_three_wrong_codes_end_it_and_each_costs_more_patience(house: House) -> None:
    secret, _ = house.pairing.ask("192.168.1.20")
    for wait in (2, 4):
        assert house.turned_away(lambda: house.pairing.enter(secret, "654321"), 403).seconds == wait
        assert house.turned_away(lambda: house.pairing.enter(secret, "123456"), 429).seconds == wait
        house.now += wait
    last = house.turned_away(lambda: house.pairing.enter(secret, "654321"), 403)
    assert last.seconds == FIRST_LOCK
    assert house.glass.card is None
    house.turned_away(lambda: house.pairing.enter(secret, "123456"), 410)
    house.turned_away(lambda: house.pairing.ask("192.168.1.21"), 429)


def test_every_failure_shuts_the_door_twice_as_long(house: House) -> None:
    expected = FIRST_LOCK
    for _ in range(12):
        house.fail()
        shut = house.turned_away(lambda: house.pairing.ask("192.168.1.20"), 429).seconds
        assert shut == min(expected, LONGEST_LOCK)
        expected *= 2
        house.now += shut
    house.now += LONGEST_LOCK
    house.fail()
    assert house.turned_away(lambda: house.pairing.ask("192.168.1.20"), 429).seconds == FIRST_LOCK


def test_a_code_dies_after_two_minutes_and_so_does_the_question_at_the_box(house: House) -> None:
    secret, _ = house.pairing.ask("192.168.1.20")
    house.now += LIFE
    house.turned_away(lambda: house.pairing.enter(secret, "123456"), 410)
    assert not lies(house)
    house.now += FIRST_LOCK
    secret, _ = house.pairing.ask("192.168.1.20")
    house.now += LIFE - 1
    house.pairing.enter(secret, "123456")
    question = shown(house)
    assert question.until == house.now + LIFE
    house.now += LIFE
    question.answer("judge")
    house.turned_away(lambda: house.pairing.wait(secret), 410)
    assert house.passes.listed() == []


def test_the_code_without_the_box_and_the_box_without_the_code_are_nothing(house: House) -> None:
    secret, _ = house.pairing.ask("192.168.1.20")
    shown(house).answer("judge")
    house.turned_away(lambda: house.pairing.wait(secret), 410)
    house.now += FIRST_LOCK
    secret, _ = house.pairing.ask("192.168.1.20")
    house.pairing.enter(secret, "123456")
    house.glass.answer("")
    house.turned_away(lambda: house.pairing.wait(secret), 410)
    assert house.passes.listed() == []


def test_one_browser_at_a_time_and_nobody_goes_on_for_another(house: House) -> None:
    secret, _ = house.pairing.ask("192.168.1.20")
    assert house.turned_away(lambda: house.pairing.ask("192.168.1.21"), 409).seconds == LIFE
    house.turned_away(lambda: house.pairing.enter("", "123456"), 410)
    house.turned_away(lambda: house.pairing.enter("another", "123456"), 410)
    assert house.pairing.ask("192.168.1.20", secret) == (secret, "code")
    house.pairing.enter(secret, "123456")
    assert house.pairing.ask("192.168.1.20", secret) == (secret, "role")


def test_an_answer_to_an_earlier_visit_is_too_late(house: House) -> None:
    house.pairing.ask("192.168.1.20")
    early = house.glass.card
    assert early is not None
    house.now += LIFE + FIRST_LOCK
    secret, _ = house.pairing.ask("192.168.1.21")
    early.answer("")
    early.answer("judge")
    assert house.pairing.enter(secret, "123456").state == "role"


def test_codes_are_six_digits_and_differ() -> None:
    codes = {six_digits() for _ in range(100)}
    assert all(len(code) == 6 and code.isdigit() for code in codes)
    assert len(codes) > 90


class Machine(RuleBasedStateMachine):
    """Strangers, a clock and a box that answers anything at any time; a pass needs both code and answer."""

    def __init__(self) -> None:
        super().__init__()
        self.house = House()
        self.secrets = [""]
        self.earned = 0
        self.shown: list[Visit] = []
        self.right = ""
        self.allowed = ""
        self.waits = [0.0]

    def _try(self, call: Callable[[], object]) -> None:
        try:
            call()
        except PairingRefusedError as error:
            self.waits.append(error.seconds)

    @rule(who=st.text(max_size=20), which=st.integers(0, 50))
    def ask(self, who: str, which: int) -> None:
        def call() -> None:
            secret, state = self.house.pairing.ask(who, self.secrets[which % len(self.secrets)])
            if secret not in self.secrets:
                assert state == "code"
                self.secrets.append(secret)
                self.right = self.allowed = ""

        self._try(call)

    @rule(which=st.integers(0, 50), code=st.one_of(st.just("123456"), st.text(max_size=8)))
    def enter(self, which: int, code: str) -> None:
        secret = self.secrets[which % len(self.secrets)]

        def call() -> None:
            if self.house.pairing.enter(secret, code).state == "role" and code == "123456":
                self.right = secret

        self._try(call)

    @rule(secret=st.text(max_size=40), code=st.text(max_size=8))
    def guess(self, secret: str, code: str) -> None:
        self._try(lambda: self.house.pairing.enter(secret, code))
        self._try(lambda: self.house.pairing.wait(secret))

    @rule(role=st.one_of(st.sampled_from(ROLES), st.text(max_size=8)))
    def answer(self, role: str) -> None:
        card = self.house.glass.card
        if card is not None:
            choosing = card.code == ""
            self.house.glass.answer(role)
            self.allowed = role if choosing and role in ROLES else ""

    @rule(seconds=st.floats(0, 200))
    def pass_time(self, seconds: float) -> None:
        self.house.now += seconds

    @rule(which=st.integers(0, 50))
    def wait(self, which: int) -> None:
        secret = self.secrets[which % len(self.secrets)]

        def call() -> None:
            step = self.house.pairing.wait(secret)
            if step.token:
                assert secret == self.right
                assert self.house.passes.role(step.token) == self.allowed
                self.earned += 1

        self._try(call)

    @invariant()
    def nobody_waits_for_ever(self) -> None:
        assert min(self.waits) >= 0
        assert max(self.waits) <= LONGEST_LOCK

    @invariant()
    def no_pass_is_given_away(self) -> None:
        assert len(self.house.passes.listed()) == min(self.earned, 32)


@pytest.mark.long
def test_no_order_of_anything_finds_another_way_in() -> None:
    run_state_machine_as_test(Machine, settings=settings(max_examples=150, stateful_step_count=40, deadline=None))
