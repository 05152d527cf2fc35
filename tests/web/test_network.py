"""The panel to browsers that are not on the box, over real sockets: what they get before, with and after a pass.

A request for another name than the loopback's is one from outside, whatever way it came; so one machine is enough.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from referee.web.browsers import BURST, NAMES_BURST
from referee.web.hub import KEYS, PanelClick, PanelHold, PanelRelease, PanelTap, PanelTurn
from referee.web.passes import Passes
from referee.web.server import Address
from tests.web.conftest import card_of, glass_of, lamps_of, table_of
from tests.web.page import PATIENCE
from tests.web.visitor import Visitor, let_in, read_to_the_end, receive, say, typed

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


@pytest.fixture
def visitor(network: Address) -> Visitor:
    return Visitor(network.port)


def test_a_stranger_gets_a_page_that_asks_and_nothing_of_the_game(visitor: Visitor, hub: FakeHub) -> None:
    page = visitor.send("GET", "/")
    assert b"pair.js" in page.body
    assert b"main.js" not in page.body
    with visitor.line() as line:
        with pytest.raises(ConnectionClosed):
            read_to_the_end(line)
        assert line.close_code == 4401
    assert not hub.watched()
    assert hub.visits == []


def test_code_and_box_let_it_in_and_the_token_goes_nowhere_but_into_a_cookie(
    visitor: Visitor, hub: FakeHub, passes: Passes, caplog: pytest.LogCaptureFixture
) -> None:
    code = hub.code
    visitor.pair(do="code", code=code)
    assert hub.visitor().who == "127.0.0.1"
    assert visitor.pair(do="wait").json == {"state": "role"}
    hub.visitor().answer("watch")
    answer = visitor.pair(do="wait")
    (cookie,) = [each for each in answer.headers.get_all("set-cookie") or () if each.startswith("referee=")]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Domain" not in cookie
    token = visitor.cookies["referee"].value
    assert passes.role(token) == "watch"
    assert token.encode() not in answer.body
    assert token not in caplog.text
    assert code not in caplog.text
    assert "127.0.0.1 was let in to the panel: watch" in caplog.text
    assert b"main.js" in visitor.send("GET", "/").body
    with visitor.line() as line:
        assert receive(line, "role") == {"type": "role", "role": "watch"}


def test_who_watches_presses_nothing(visitor: Visitor, hub: FakeHub) -> None:
    let_in(visitor, hub, "watch")
    with visitor.line() as line:
        for key in sorted(KEYS):
            say(line, type="click", key=key, ms=0)
            assert receive(line, "error")["text"] == "This browser can only watch"
        say(line, type="hold", key="select")
        assert receive(line, "error")["text"] == "This browser can only watch"
        say(line, type="turn", steps=1)
        assert receive(line, "error")["text"] == "This browser can only watch"
        say(line, type="voice", speaks=True)  # it may listen, but keeps nothing on the glass
        say(line, type="tap", screen=1, button="0", held=False)
        assert receive(line, "error")["text"] == "This browser can only watch"
        say(line, type="ping")
        receive(line, "pong")
    assert hub.no_more_acts()
    assert hub.voices.empty()


def test_the_big_screen_only_watches_whoever_opened_it(visitor: Visitor, hub: FakeHub, network: Address) -> None:
    hub.publish(table_of(card=card_of(text="123 456")), table_of(card=card_of(text="Somebody asks to come in")))
    let_in(visitor, hub, "judge")
    origin = Origin(network.url.rstrip("/"))
    with (
        connect(f"ws://127.0.0.1:{network.port}/watch", origin=origin) as at_the_box,
        visitor.line(path="/watch") as with_a_pass,
    ):
        for line in (at_the_box, with_a_pass):
            assert receive(line, "table")["card"]["text"] == "Somebody asks to come in"
            say(line, type="click", key="die-1", ms=0)
            assert receive(line, "error")["text"] == "This browser can only watch"
    with pytest.raises(ConnectionClosed), Visitor(network.port).line(path="/watch") as line:
        receive(line, "table")
    assert hub.no_more_acts()


def test_at_an_event_browsers_of_the_network_watch_and_the_box_itself_judges(
    visitor: Visitor, hub: FakeHub, passes: Passes, network: Address
) -> None:
    let_in(visitor, hub, "judge")  # before the box was told of the event
    passes.watch_only = True
    with visitor.line() as line:
        assert receive(line, "role")["role"] == "watch"
        say(line, type="click", key="seat-4", ms=60)
        assert receive(line, "error")["text"] == "This browser can only watch"
    assert hub.no_more_acts()
    stranger = Visitor(network.port)
    assert "belongs to an event" in stranger.pair(do="code", code=hub.code, wish="judge").json["text"]
    typed(stranger, hub)
    assert hub.visitor().watch_only
    hub.visitor().answer("judge")
    assert stranger.pair(do="wait").json["state"] == "out"
    with connect(f"ws://127.0.0.1:{network.port}/ws", origin=Origin(network.url.rstrip("/"))) as line:
        say(line, type="click", key="seat-4", ms=60)
        assert hub.next_act() == PanelClick("seat-4", 60)


@pytest.mark.parametrize("role", ["judge", "seat-2"])
def test_who_reads_aloud_is_silent_when_the_line_is_lost(visitor: Visitor, hub: FakeHub, role: str) -> None:
    let_in(visitor, hub, role)
    with visitor.line() as line:
        say(line, type="voice", speaks=True)
        who, speaks = hub.voices.get(timeout=PATIENCE)
        assert speaks
        with visitor.line() as other:
            say(other, type="voice", speaks=True)
            assert hub.voices.get(timeout=PATIENCE)[0] != who
        assert hub.voices.get(timeout=PATIENCE)[0] != who
    assert hub.voices.get(timeout=PATIENCE) == (who, False)


def test_a_player_presses_while_his_lamp_is_lit_and_his_own_button_only(visitor: Visitor, hub: FakeHub) -> None:
    let_in(visitor, hub, "seat-2")
    with visitor.line() as line:
        receive(line, "lamps")
        say(line, type="click", key="die-1", ms=0)
        assert receive(line, "error")["text"] == "It is not your turn"
        say(line, type="click", key="seat-1", ms=60)
        assert receive(line, "error")["text"] == "That is another player's button"
        say(line, type="click", key="seat-2", ms=60)
        assert receive(line, "error")["text"] == "Your button counts while its lamp blinks"
        hub.publish(lamps_of(Sauron="off", Saruman="blink"))
        say(line, type="click", key="seat-2", ms=60)
        assert hub.next_act() == PanelClick("seat-2", 60)
        hub.publish(lamps_of(Sauron="off", Saruman="on"))
        say(line, type="click", key="seat-2", ms=60)
        assert receive(line, "error")["text"] == "Your button counts while its lamp blinks"
        say(line, type="click", key="die-1", ms=0)
        say(line, type="turn", steps=-2)
        say(line, type="tap", screen=4, button="0", held=False)
        acts = [PanelClick("die-1", 0), PanelTurn(-2), PanelTap(4, "0", held=False)]
        assert [hub.next_act() for _ in acts] == acts
        hub.publish(lamps_of(Sauron="on", Saruman="off"))
        say(line, type="click", key="select", ms=0)
        assert receive(line, "error")["text"] == "It is not your turn"
        say(line, type="tap", screen=4, button="0", held=False)
        assert receive(line, "error")["text"] == "It is not your turn"
    assert hub.no_more_acts()


def test_a_player_cannot_hold_a_key_and_so_has_no_menu(visitor: Visitor, hub: FakeHub, passes: Passes) -> None:
    let_in(visitor, hub, "seat-1")
    with visitor.line() as line:
        for key in ("back", "select"):
            say(line, type="hold", key=key)
            assert receive(line, "error")["text"] == "Only a judge can hold a key"
            say(line, type="release", key=key)
        say(line, type="tap", screen=4, button="box-rolls", held=True)
        assert receive(line, "error")["text"] == "Only a judge can hold a key"
        say(line, type="click", key="back", ms=120)
        assert hub.next_act() == PanelClick("back", 120)
    assert hub.no_more_acts()
    assert hub.sources == [f"panel seat-1 {passes.listed()[0].id}"]


def test_a_visitor_speaks_no_faster_over_many_lines(visitor: Visitor, hub: FakeHub) -> None:
    let_in(visitor, hub, "judge")
    with ExitStack() as lines:
        opened = [lines.enter_context(visitor.line()) for _ in range(3)]
        for line in opened:
            with suppress(ConnectionClosed):
                for _ in range(BURST):
                    say(line, type="turn", steps=1)
        for line in opened[1:]:
            with pytest.raises(ConnectionClosed):
                read_to_the_end(line)
            assert line.close_code == 1008
    turns = len(hub.sources)
    assert turns < 2 * BURST


def test_a_visitor_holds_one_key_and_another_line_cannot_end_it(visitor: Visitor, hub: FakeHub) -> None:
    let_in(visitor, hub, "judge")
    with visitor.line() as one, visitor.line() as two:
        say(one, type="hold", key="back")
        assert hub.next_act() == PanelHold("back")
        for key in ("back", "select"):
            say(two, type="hold", key=key)
            assert receive(two, "error")["text"] == "Another key is already held"
        say(two, type="release", key="back")
        say(two, type="ping")
        receive(two, "pong")
        assert hub.no_more_acts()
        say(one, type="release", key="back")
        assert hub.next_act() == PanelRelease("back")


def test_a_player_touches_nothing_that_is_for_judges(visitor: Visitor, hub: FakeHub) -> None:
    let_in(visitor, hub, "seat-1")
    hub.publish(lamps_of(Sauron="blink") | {"judges": True})
    with visitor.line() as line:
        for message in ({"type": "click", "key": "die-6", "ms": 0}, {"type": "click", "key": "seat-1", "ms": 60}):
            say(line, **message)
            assert receive(line, "error")["text"] == "Only a judge can answer this"
        say(line, type="turn", steps=1)
        assert receive(line, "error")["text"] == "Only a judge can answer this"
    assert hub.no_more_acts()


def test_only_judges_see_what_is_for_judges(visitor: Visitor, hub: FakeHub, network: Address) -> None:
    let_in(visitor, hub, "seat-1")
    secret, cover = glass_of((1, 1)), glass_of((2, 2))
    hub.publish(secret, cover)
    with visitor.line() as line, connect(network.url.replace("http", "ws") + "ws", origin=own(network)) as box:
        assert (receive(line, "glass"), receive(box, "glass")) == (cover, secret)
        hub.publish(glass_of((3, 3)), glass_of((4, 4)))
        assert (receive(line, "glass"), receive(box, "glass")) == (glass_of((4, 4)), glass_of((3, 3)))


def own(network: Address) -> Origin:
    return Origin(network.url.rstrip("/"))


def test_a_pass_taken_back_ends_the_line_before_anything_more_is_seen_or_pressed(
    visitor: Visitor, hub: FakeHub, passes: Passes
) -> None:
    let_in(visitor, hub, "judge")
    with visitor.line() as seeing, visitor.line() as pressing:
        receive(seeing, "log")
        receive(pressing, "log")
        say(pressing, type="hold", key="back")
        assert hub.next_act() == PanelHold("back")
        assert len(passes.revoke()) == 1
        say(pressing, type="click", key="die-1", ms=0)
        assert hub.next_act() == PanelRelease("back")
        hub.publish(glass_of((1, 1)))
        with pytest.raises(ConnectionClosed):
            receive(seeing, "glass")
        with pytest.raises(ConnectionClosed):
            receive(pressing, "glass")
        assert (seeing.close_code, pressing.close_code) == (4401, 4401)
    assert hub.no_more_acts()
    assert b"pair.js" in visitor.send("GET", "/").body


def test_what_was_planted_in_a_browser_earns_no_pass(network: Address, hub: FakeHub) -> None:
    """L2: the secret is made anew for whoever types the code, and nobody else has it."""
    thief, victim = Visitor(network.port), Visitor(network.port)
    typed(thief, hub)
    planted = thief.cookies["referee-visit"].value
    hub.visitor().answer("")
    victim.cookies["referee-visit"] = planted
    typed(victim, hub)
    assert victim.cookies["referee-visit"].value != planted
    hub.visitor().answer("judge")
    assert thief.pair(do="wait").status == 410
    assert victim.pair(do="wait").json == {"state": "in"}
    assert thief.pair(do="wait").status == 410
    assert b"pair.js" in thief.send("GET", "/").body


def test_who_watches_asks_for_a_seat_as_a_stranger_does_and_has_one_pass_afterwards(
    visitor: Visitor, hub: FakeHub, passes: Passes
) -> None:
    let_in(visitor, hub, "watch")
    assert b"pair.js" in visitor.send("GET", "/ask").body
    assert visitor.pair(do="code", code="000000", wish="watch").json == {"state": "in"}
    typed(visitor, hub, "play")
    assert hub.visitor().wish == "play"
    hub.visitor().answer("seat-2")
    assert visitor.pair(do="wait").json == {"state": "in"}
    assert [each.role for each in passes.listed()] == ["seat-2"]


def test_a_player_names_himself_a_judge_everybody_and_who_watches_nobody(network: Address, hub: FakeHub) -> None:
    for role, allowed in (("watch", []), ("seat-2", ["seat-2"]), ("judge", ["seat-1", "seat-2"])):
        hub.named.clear()
        visitor = Visitor(network.port)
        let_in(visitor, hub, role)
        with visitor.line() as line:
            receive(line, "log")
            for key in ("seat-1", "seat-2"):
                say(line, type="name", key=key, name=" Anna ")
                if key not in allowed:
                    assert receive(line, "error")["text"] == "Only a judge can name another seat's player"
            say(line, type="ping")
            receive(line, "pong")
        assert hub.named == [(key, "Anna") for key in allowed]


def test_a_seat_that_is_not_in_the_game_has_no_name(network: Address, hub: FakeHub) -> None:
    visitor = Visitor(network.port)
    let_in(visitor, hub, "judge")
    with visitor.line() as line:
        say(line, type="name", key="seat-8", name="Anna")
        assert receive(line, "error")["text"] == "This game has no such seat"
    assert hub.named == []


def test_a_flood_of_names_reaches_the_card_of_the_box_now_and_then(network: Address, hub: FakeHub) -> None:
    """L1: each is written to the card, by the thread that answers the keys."""
    visitor = Visitor(network.port)
    let_in(visitor, hub, "seat-2")
    with visitor.line() as line:
        for number in range(BURST - 1):
            say(line, type="name", key="seat-2", name=f"Anna {number}")
        say(line, type="ping")
        receive(line, "error")
        receive(line, "pong")
    assert NAMES_BURST <= len(hub.named) <= NAMES_BURST + 3


def test_the_report_of_a_finished_game_is_for_who_is_in(visitor: Visitor, hub: FakeHub) -> None:
    hub.reported = b"<title>Riddle &amp; ring 2026-11-28</title>"
    assert visitor.send("GET", "/report.html").status == 404
    let_in(visitor, hub, "watch")
    answer = visitor.send("GET", "/report.html")
    assert (answer.status, answer.body) == (200, hub.reported)
    name = "filename*=UTF-8''Riddle%20%26%20ring%202026-11-28.html"
    assert answer.headers["content-disposition"] == f"attachment; {name}"
    hub.reported = b""
    answer = visitor.send("GET", "/report.html?game=7")
    assert (answer.status, answer.headers["refresh"], hub.asked) == (202, "1", 7), "it is being written"
    assert visitor.send("GET", "/report.html?game=-7").status == 202
    assert hub.asked == 0
    hub.reported = None
    assert visitor.send("GET", "/report.html").status == 404, "the game goes on"


@pytest.mark.parametrize("name", ["evenings", "rules"])
def test_a_list_is_for_who_is_in_and_holds_no_markup_of_others(visitor: Visitor, hub: FakeHub, name: str) -> None:
    assert visitor.send("GET", f"/{name}").status == 404
    let_in(visitor, hub, "watch")
    page = visitor.send("GET", f"/{name}").body.decode()
    assert f"<td>RR-1</td><td>&lt;b&gt;{name}&lt;/b&gt;</td>" in page
    assert '<td>Anna won</td><td><a href="report.html?game=7">Report</a></td>' in page
    assert "<h2>Riddle &amp; ring</h2>" in page


def test_a_pass_that_was_read_off_the_network_makes_nobody_more_than_it_says(
    visitor: Visitor, hub: FakeHub, passes: Passes, network: Address
) -> None:
    let_in(visitor, hub, "watch")
    thief = Visitor(network.port)
    thief.cookies.load(visitor.cookies.output(header="", sep=";"))
    typed(visitor, hub, "judge")
    assert thief.pair(do="code", code=hub.code, wish="judge").status == 409
    assert thief.pair(do="wait").json == {"state": "in"}
    assert [each.role for each in passes.listed()] == ["watch"]
    hub.visitor().answer("judge")
    with visitor.line() as line:
        receive(line, "role")
        assert visitor.pair(do="wait").json == {"state": "in"}
        say(line, type="ping")
        with pytest.raises(ConnectionClosed):
            receive(line, "pong")
    assert [each.role for each in passes.listed()] == ["judge"]
    assert b"pair.js" in thief.send("GET", "/").body, "the pass that was read is worth nothing any more"
    with visitor.line() as line:
        assert receive(line, "role")["role"] == "judge"
