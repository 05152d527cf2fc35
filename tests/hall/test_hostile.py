"""What comes from outside: pasted lists, forms that no page has, other sites, names that are code."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from referee.errors import Malformed
from referee.hall.desk import Desk
from referee.hall.pages.forms import MAX_BODY, MAX_FIELDS
from referee.hall.pages.players import MAX_NAME, Entered, read_roster
from referee.tournament import Event
from referee.web.guard import policy
from tests.hall.visitor import HOST, Visitor

FORM = {"host": HOST, "origin": f"http://{HOST}", "content-type": "application/x-www-form-urlencoded"}
SCRIPT = "<script>alert(1)</script>"
ADD = b"do=add&list=Anna"


@pytest.mark.parametrize(
    ("line", "player"),
    [
        ("Anna Schmidt", Entered("Anna Schmidt")),
        ("  Bo Li ,  1650 ", Entered("Bo Li", 1650)),
        ("Bo Li\t1650", Entered("Bo Li", 1650)),
        ('"Tolkien, Christopher", 1500', Entered("Tolkien, Christopher", 1500)),
        ("Zoe\u0308 𝒜𝓃𝓃𝒶 🛡️", Entered("Zoë 𝒜𝓃𝓃𝒶 🛡️")),
        ("می\u200cخواهم", Entered("می\u200cخواهم")),
        (SCRIPT, Entered(SCRIPT)),
        ("Bo\u00a0 Li\u00a0\t1\u00a0650", Entered("Bo Li", 1650)),
    ],
)
def test_a_line_of_a_list(line: str, player: Entered) -> None:
    assert read_roster(line) == [player]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Anna\x07", "line 2: name: expected one line of letters, got U+0007"),
        ("A" * (MAX_NAME + 1), f"line 2: name: a name has at most {MAX_NAME} letters, this one has {MAX_NAME + 1}"),
        ("An\u3164na", "line 2: name: a name has letters that can be seen, not U+3164"),
        ("Z" + "\u0301" * 9, "line 2: name: expected at most 3 marks on a letter"),
        ("Anna, many", "line 2: rating: expected a whole number up to 9999, got 'many'"),
        ("Anna, ١٦٥٠", "line 2: rating: expected a whole number"),
        ("Anna, 1, 2", "line 2: expected name, rating"),
        ('"Anna, 1', "line 2: expected name, rating; quotation marks in pairs"),
        ("\t1500", "line 2: name: type a name"),
        ("Al  Fox", "line 2: Al Fox is in the event already"),
        ("FIRST", "line 2: FIRST is on line 1 already; expected another name"),
        ("known", "line 2: known is in the event already"),
    ],
)
def test_a_line_that_is_refused_is_named_and_nobody_is_entered(line: str, expected: str) -> None:
    with pytest.raises(Malformed) as error:
        read_roster(f"First\n{line}\nLast", ["Known", "Al Fox"])
    assert error.value.text.startswith(f"list: {expected}")


def test_a_list_that_is_refused_stays_in_its_field_and_changes_nothing(organiser: Visitor, desk: Desk) -> None:
    page = organiser.post("/players", "add", list="Anna\nBo\x07\n" + SCRIPT)
    assert page.status == 422
    assert page.refusals() == ["line 2: name: expected one line of letters, got U+0007"]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</textarea>" in page.text
    assert desk.event == Event()
    assert dict(desk.names.all["player"]) == {}


def test_a_name_that_is_code_is_shown_as_letters_everywhere(organiser: Visitor, public: Visitor, desk: Desk) -> None:
    organiser.post("/setup", "title", title='"><img src=x onerror=alert(1)>x')
    organiser.post("/players", "add", list=f"{SCRIPT}\n'><b>Bo</b>\n{{{{ 7*7 }}}} Cem\n=SUM(1)x")
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="none")
    organiser.post("/round", "draft")
    pages = [organiser.get("/round"), organiser.get("/players?player=1"), organiser.get("/record")]
    organiser.post("/round", "publish", round=1)
    organiser.post("/round", "start", round=1)
    organiser.enter(round=1, table=1, game1="1:0")
    pages += [organiser.get(path) for path in ("/", "/round", "/standings?one=1&other=2", "/judges", "/setup")]
    pages += [organiser.get(f"/print/{what}") for what in ("pairings", "slips", "standings")]
    pages += [public.get(path) for path in ("/", "/?name=<script>", "/standings", "/tv", "/tv?page=2")]
    for page in pages:
        assert page.status == 200
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
        assert "<b>Bo" not in page.text
    assert SCRIPT in pages[0].words
    assert "{{ 7*7 }} Cem" in pages[0].words


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": f"https://{HOST}"}, 403),
        ({"host": "elsewhere.example:8090"}, 421),
        ({"host": "127.0.0.1:9999"}, 421),
    ],
)
def test_forms_of_other_sites_are_refused(
    organiser: Visitor, desk: Desk, headers: dict[str, str], status: int
) -> None:
    sent = FORM | headers
    if not sent["origin"]:
        del sent["origin"]
    assert organiser.send("POST", "/players", ADD, sent).status == status
    assert desk.event == Event()
    assert organiser.send("POST", "/players", ADD, FORM).status == 303
    assert len(desk.event.players) == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ADD + b"a" * MAX_BODY, "expected at most 1048576 bytes"),
        (ADD + b"&list=Bo", "expected each field once"),
        (b"do=add&list=%ff", "expected a form of this page, in UTF-8"),
        (b"do=add&list=\xff", "expected a form of this page, in UTF-8"),
        (urlencode({f"f{n}": "" for n in range(MAX_FIELDS + 1)}).encode(), "expected a form of this page"),
        (b"", "this form is not of this page"),
    ],
)
def test_a_body_that_no_page_sends_is_refused(organiser: Visitor, desk: Desk, body: bytes, expected: str) -> None:
    page = organiser.send("POST", "/players", body, FORM)
    assert page.status == 422
    assert expected in page.refusals()[0]
    assert desk.event == Event()


def test_the_headers_of_every_answer(organiser: Visitor, public: Visitor) -> None:
    for visitor in (organiser, public):
        for path in ("/", "/files/hall.css", "/nowhere"):
            headers = visitor.get(path).headers
            assert headers["content-security-policy"] == policy(forms=True)
            assert "script-src 'self';" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == ("no-store" if path == "/" else headers["cache-control"])
            # With no-referrer a browser would send the Origin "null", and no form would be taken.
            assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_that_comes_to_the_public_pages_changes_anything(public: Visitor, sixteen: Desk, method: str) -> None:
    before = sixteen.event
    sent = FORM | {"host": public.host, "origin": f"http://{public.host}"}
    for path in ("/", "/standings", "/tv", "/news", "/players", "/round", "/record", "/event.jsonl"):
        answer = public.send(method, path, b"do=publish&round=1", sent)
        assert answer.status in (404, 405)
    assert sixteen.event is before
    for path in (
        "/players",
        "/round",
        "/judges",
        "/record",
        "/event.jsonl",
        "/results.csv",
        "/print/slips",
        "/setup",
    ):
        assert public.get(path).status == 404


def test_a_wild_query_is_taken_for_none(organiser: Visitor, public: Visitor, sixteen: Desk) -> None:
    for query in ("round=-1", "round=9999999999999", "round=%00", "stage=x", "player=²", "one=1&other=1", "page=0"):
        for path in ("/round", "/standings", "/players", "/print/pairings"):
            assert organiser.get(f"{path}?{query}").status in (200, 404)
        for path in ("/", "/standings", "/tv"):
            assert public.get(f"{path}?{query}").status == 200
    assert public.get("/?name=" + "x" * 5000).status == 200
    assert json.loads(organiser.get("/results.json").text)["event"] == "Example event"


def test_a_list_that_was_numbered_has_names() -> None:
    listed = read_roster("1. Anna\n2) Bo\n3.Cem")
    assert [each.name for each in listed] == ["Anna", "Bo", "3.Cem"]
