"""One-time codes: each lets one person in once, soon; guessing is slow."""

from __future__ import annotations

import pytest

from referee.hall.staff.codes import (
    BURST_OF_ADDRESS,
    BURST_OF_ALL,
    LENGTH,
    LETTERS,
    LIFE,
    MOST,
    RATE_OF_ADDRESS,
    RATE_OF_ALL,
    CodeRefused,
    Codes,
    Invitation,
)


def test_a_code_is_used_once_however_it_is_typed() -> None:
    codes = Codes()
    code = codes.invite("judge", "judge 2", 0.0)
    typed = f" {code.replace('-', ' ').lower()} "
    assert codes.redeem(typed, "192.0.2.1", 1.0) == Invitation("judge", "judge 2", LIFE)
    with pytest.raises(CodeRefused, match="each is used once"):
        codes.redeem(code, "192.0.2.1", 2.0)


def test_a_code_ends_by_time_by_a_newer_one_and_by_being_withdrawn() -> None:
    codes = Codes()
    late, older = codes.invite("judge", "judge 1", 0.0), codes.invite("judge", "judge 2", 1.0)
    newer, withdrawn = codes.invite("judge", "judge 2", 1.0), codes.invite("scorekeeper", "scorekeeper 1", 1.0)
    codes.withdraw("scorekeeper 1")
    assert [each.who for each in codes.listed(2.0)] == ["judge 1", "judge 2"]
    for code, now in ((older, 2.0), (withdrawn, 2.0), (late, LIFE)):
        with pytest.raises(CodeRefused):
            codes.redeem(code, "192.0.2.1", now)
    assert codes.redeem(newer, "192.0.2.1", LIFE).who == "judge 2"


def test_wrong_codes_are_slow_from_one_address_and_lock_nobody_else_out() -> None:
    codes = Codes()
    code = codes.invite("judge", "judge 1", 0.0)
    for _ in range(BURST_OF_ADDRESS):
        with pytest.raises(CodeRefused, match="expected a code that the desk made"):
            codes.redeem("AAAA-AAAA", "192.0.2.66", 0.0)
    with pytest.raises(CodeRefused, match="Too many") as refused:
        codes.redeem(code, "192.0.2.66", 0.0)  # the right one, too: nothing is to be learnt
    assert refused.value.seconds == 1 / RATE_OF_ADDRESS
    assert codes.redeem(code, "192.0.2.1", 0.0).who == "judge 1"


def test_many_addresses_together_do_not_guess_a_code() -> None:
    codes, tries = Codes(), 0
    for number in range(MOST):
        codes.invite("judge", f"judge {number}", 0.0)
    for number in range(int(LIFE) * 20):
        with pytest.raises(CodeRefused) as refused:
            codes.redeem("AAAA-AAAA", f"192.0.{number % 250}.{number // 250 % 250}", number / 20)
        tries += not refused.value.seconds
    assert tries <= LIFE * RATE_OF_ALL + BURST_OF_ALL
    assert tries * MOST / len(LETTERS) ** LENGTH < 1e-7


def test_what_waits_is_bounded() -> None:
    codes = Codes()
    for number in range(1000):
        codes.invite("judge", f"judge {number}", 0.0)
    assert [each.who for each in codes.listed(0.0)] == [f"judge {number}" for number in range(1000 - MOST, 1000)]
