"""The files of the panel over real sockets: short for who accepts gzip, plain for all others, none sent twice."""

from __future__ import annotations

import gzip
import http.client
from contextlib import closing
from importlib import resources

from referee.web.server import Address
from tests.web.page import PATIENCE
from tests.web.visitor import Answer

PANEL = resources.files("referee.web").joinpath("panel")
FILES = sorted(each.name for each in PANEL.iterdir() if not each.name.endswith(".html"))


def ask(address: Address, path: str, method: str = "GET", **headers: str) -> Answer:
    with closing(http.client.HTTPConnection(address.host, address.port, timeout=PATIENCE)) as line:
        line.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            line.putheader(name.replace("_", "-"), value)
        line.endheaders()
        response = line.getresponse()
        return Answer(response.status, response.headers, response.read())


def test_every_file_is_the_same_packed_and_plain(address: Address) -> None:
    plain = packed = 0
    for name in FILES:
        whole, short = ask(address, f"/{name}"), ask(address, f"/{name}", accept_encoding="gzip, deflate, br, zstd")
        assert whole.body == PANEL.joinpath(name).read_bytes()
        assert whole.headers["content-encoding"] is None
        coded = short.headers["content-encoding"] == "gzip"
        assert (gzip.decompress(short.body) if coded else short.body) == whole.body
        assert coded == (whole.headers["etag"] != short.headers["etag"]), "a tag names bytes, not a file"
        for each in (whole, short):
            assert int(each.headers["content-length"]) == len(each.body)
            assert each.headers["vary"] == "Accept-Encoding"
        plain, packed = plain + len(whole.body), packed + len(short.body)
    assert packed < 0.5 * plain


def test_a_page_is_packed_as_well_and_differs_by_cookie(address: Address) -> None:
    for path, name in (("/", "index.html"), ("/tv", "tv.html"), ("/ask", "pair.html")):
        answer = ask(address, path, accept_encoding="gzip")
        assert gzip.decompress(answer.body) == PANEL.joinpath(name).read_bytes()
        assert answer.headers["vary"] == "Accept-Encoding, Cookie"


def test_a_file_the_browser_has_is_not_sent_again(address: Address) -> None:
    whole, short = (ask(address, "/main.js", accept_encoding=each) for each in ("identity", "gzip"))
    for answer, accepted, other in ((whole, "identity", short), (short, "gzip", whole)):
        own = answer.headers["etag"]
        for named in (own, f"W/{own}", f'"other", {own}'):
            again = ask(address, "/main.js", accept_encoding=accepted, if_none_match=named)
            assert (again.status, again.body) == (304, b""), named
            assert (again.headers["etag"], again.headers["vary"]) == (own, "Accept-Encoding")
        for named in ('"other"', own[:-2] + '"', other.headers["etag"]):
            assert ask(address, "/main.js", accept_encoding=accepted, if_none_match=named).status == 200, named
