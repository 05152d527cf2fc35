"""One-time codes: each lets one person in once, soon; guessing is slow."""

from __future__ import annotations

import pytest

from referee.hall.staff import (
    BURST_OF_ADDRESS,
    BURST_OF_ALL,
    CODE_LIFE,
    LENGTH,
    LETTERS,
    RATE_OF_ADDRESS,
    RATE_OF_ALL,
    ROLES,
    Access,
    CodeRefused,
)
from referee.web.passes import Passes
from tests.hall.staff.conftest import Clock


@pytest.fixture
def access(clock: Clock) -> Access:
    clock.now = 0.0
    return Access(Passes(roles=ROLES), clock=clock)


def let_in(access: Access, code: str, address: str = "192.0.2.1") -> str:
    """Use a code; return who was let in."""
    access.let_in(code, address, "")
    return access.staff()[-1].who


def test_a_code_is_used_once_however_it_is_typed(access: Access) -> None:
    code = access.invite("judge", {"judge 1"}).code
    assert let_in(access, f" {code.replace('-', ' ').lower()} ") == "judge 2"
    for wrong in (code, "ß€", ""):
        with pytest.raises(CodeRefused, match="each is used once"):
            access.let_in(wrong, "192.0.2.1", "")


def test_a_code_ends_by_time_and_by_a_newer_one(access: Access, clock: Clock) -> None:
    older, newer = access.invite("judge").code, access.invite("scorekeeper").code
    clock.now = CODE_LIFE - 1
    with pytest.raises(CodeRefused):
        access.let_in(older, "192.0.2.1", "")
    assert let_in(access, newer) == "scorekeeper 1"
    late = access.invite("judge").code
    clock.now += CODE_LIFE
    with pytest.raises(CodeRefused):
        access.let_in(late, "192.0.2.1", "")


def test_wrong_codes_of_one_address_lock_nobody_else_out(access: Access) -> None:
    code = access.invite("judge").code
    for _ in range(BURST_OF_ADDRESS):
        with pytest.raises(CodeRefused, match="Type a code that the desk made"):
            access.let_in("AAAA-AAAA", "192.0.2.66", "")
    with pytest.raises(CodeRefused, match="Too many") as refused:
        access.let_in(code, "192.0.2.66", "")  # the right one, too: nothing is to be learnt
    assert refused.value.seconds == 1 / RATE_OF_ADDRESS
    assert let_in(access, code) == "judge 1"


def test_many_addresses_together_do_not_guess_a_code(access: Access, clock: Clock) -> None:
    tries = 0
    access.invite("judge")
    for number in range(int(CODE_LIFE) * 20):
        clock.now = number / 20
        with pytest.raises(CodeRefused) as refused:
            access.let_in("AAAA-AAAA", f"192.0.{number % 250}.{number // 250 % 250}", "")
        tries += not refused.value.seconds
    assert tries <= CODE_LIFE * RATE_OF_ALL + BURST_OF_ALL
    assert tries / len(LETTERS) ** LENGTH < 1e-8
