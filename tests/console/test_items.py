"""What stands under the keys: options, and the bundles that take the keys of one."""

from __future__ import annotations

from copy import deepcopy

import pytest

from referee.console.cards.asks import deal as cells_of
from referee.console.cards.asks import items
from referee.console.cards.lists import Deal, Item
from referee.console.views import Band
from referee.rulebook import Bar, Barred, Bundle, Option
from referee.session import Prompt

AMONG = (Option("walk", "Walk"), Option("ride", "Ride"), Option("stay", "Stay"))
FAR = Bundle("walk-far", "Walk far", ("walk", 3), instead="walk")
NEAR = Bundle("walk-near", "Walk near", ("walk", 1), instead="walk")
AGAIN = Bundle("again", "Again", ("ride", 2))


def prompt(*bundles: Bundle, barred: str = "") -> Prompt:
    bars = tuple(Barred(option, Bar("X-1", "No")) for option in AMONG if option.id == barred)
    open_now = tuple(option for option in AMONG if option.id != barred)
    return Prompt(1, "north", "choose", "go", "How?", "", among=AMONG, options=open_now, barred=bars, bundles=bundles)


def test_bundles_take_the_place_of_the_option_they_begin_with() -> None:
    shown = items(prompt(AGAIN, NEAR, FAR))
    assert [item.id for item in shown] == ["walk-near", "walk-far", "ride", "stay", "again"]
    assert [item.extra for item in shown] == [True, True, False, False, True]


def test_a_barred_option_keeps_its_key_and_says_why() -> None:
    shown = items(prompt(NEAR, barred="walk"))
    assert [(item.id, item.bar is not None) for item in shown] == [("walk", True), ("ride", False), ("stay", False)]


def test_a_held_select_never_sends_what_stands_instead_of_an_option() -> None:
    assert prompt(NEAR, FAR).shortcut is None
    assert prompt(NEAR, AGAIN).shortcut is AGAIN


def test_a_held_select_never_sends_what_ends_or_skips_the_question() -> None:
    over = Bundle("over", "Stay, and on", ("stay", 1))
    asked = prompt(over, AGAIN)._replace(passing="stay")
    assert asked.shortcut is AGAIN
    assert asked._replace(bundles=(over,)).shortcut is None


# -- many pages


def named(deal: Deal) -> list[str]:
    return [cell.text for cell in deal.cells()]


def lots(count: int, *, passing: str = "end", at: int = -1) -> Deal:
    """So many options by number, with the one that ends among them."""
    among = [Item(f"{n}", f"{n}") for n in range(count - 1)]
    among.insert(at % count, Item("end", "End"))
    return Deal(among, passing=passing)


@pytest.mark.parametrize("at", [0, 4, -1])
@pytest.mark.parametrize("count", [8, 9, 10, 13])
def test_what_ends_is_under_the_fifth_key_of_every_page(count: int, at: int) -> None:
    deal = lots(count, at=at)
    shown: list[str] = []
    for page in range(deal.pages):
        cells = named(deal)
        assert (deal.page, len(cells), cells[4], cells[5]) == (page, 6, "End", "more")
        shown += filter(None, cells[:4])
        deal.press(6)
    assert deal.page == 0
    assert shown == [str(n) for n in range(count - 1)]
    for page in range(deal.pages):
        assert deal.press(5) == Item("end", "End")
        assert (deal.page, deal.grid(Band("")).lit) == (page, 4), "pressing it does not turn the page"
        deal.press(6)


def test_the_knob_goes_to_what_ends_on_the_page_it_is_on() -> None:
    deal = lots(10)
    deal.turn(-1)
    assert (deal.lit, deal.page, deal.grid(Band("")).lit) == (Item("end", "End"), 0, 4)
    deal.turn(1)
    deal.turn(8)
    assert (deal.lit, deal.page) == (Item("8", "8"), 2)
    deal.turn(1)
    assert (deal.lit, deal.page, named(deal)) == (Item("end", "End"), 2, ["8", "", "", "", "End", "more"])
    assert deal.named is None, "it has a cell: the band need not name it"


def test_a_bundle_that_always_ends_is_on_every_page_in_its_place() -> None:
    options = tuple(Option(f"o{n}", f"O{n}") for n in range(8))
    quiet = Bundle("quiet", "End, nothing special", ("o7", "x"), pinned=True)
    asked = prompt(quiet)._replace(among=options, options=options, passing="o7")
    deal = cells_of(asked)
    for _ in range(deal.pages):
        assert named(deal)[4] == "End, nothing special"
        deal.press(6)
    assert [item.id for item in deal.items if item.id == "o7"] == ["o7"]


@pytest.mark.parametrize(("count", "passing"), [(6, ""), (7, ""), (13, ""), (7, "end"), (13, "end")])
def test_the_keys_that_a_list_names_lead_to_each_of_its_items(count: int, passing: str) -> None:
    """G8: the last answers of a list had no key number."""
    for page in range(lots(count, passing=passing).pages):
        deal = lots(count, passing=passing)
        for _ in range(page):
            deal.press(6)
        for number, button in enumerate(deal.buttons()):
            at_work, found = deepcopy(deal), None
            if button.key == "turn":
                for _ in range(count):
                    at_work.turn(1)
                    found = found or (at_work.lit if at_work.named is not None else None)
            else:
                assert button.key
                for key in button.key.split():
                    found = at_work.press(int(key))
            assert found == deal.items[number]
