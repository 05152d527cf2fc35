"""The files of the panel over real sockets: whole, and none sent twice."""

from __future__ import annotations

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


def test_every_file_is_sent_once_to_each_browser(address: Address) -> None:
    for path in (*FILES, "", "tv", "ask"):
        name = {"": "index.html", "tv": "tv.html", "ask": "pair.html"}.get(path, path)
        whole = ask(address, f"/{path}", accept_encoding="gzip")
        assert whole.body == PANEL.joinpath(name).read_bytes()
        assert whole.headers["content-encoding"] is None
        assert whole.headers["vary"] == ("Cookie" if path != name else None)
        tag = whole.headers["etag"]
        for named, status in ((tag, 304), (f'"other", {tag}', 304), ('"other"', 200), (tag[:-2] + '"', 200)):
            assert ask(address, f"/{path}", if_none_match=named).status == status, named
