"""A browser without JavaScript, at the seam where the server calls the application: pages, forms, redirects."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from starlette.types import ASGIApp

from referee.hall.desk import Desk
from referee.hall.pages.organiser import organiser_app
from referee.hall.pages.render import News
from referee.hall.staff import Access, at_desk, passes_of

HOST = "127.0.0.1:8090"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def words(self) -> str:
        """What somebody reads of a page."""
        text = re.sub(r"<(head|script).*?</\1>", " ", self.text, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())

    def refusals(self) -> list[str]:
        """What stands in red, without regard to its capital."""
        texts = [
            unescape(re.sub(r"<[^>]*>", "", each)).strip()
            for each in re.findall(r'class="refusal" role="alert"[^>]*>(.*?)</(?:p|span)>', self.text, re.DOTALL)
        ]
        return [text[:1].lower() + text[1:] for text in texts]


class Visitor:
    """Sends requests to an application. ``host``: what it believes it is called; ``cookie``: what it sends."""

    def __init__(
        self, app: ASGIApp, host: str = HOST, cookie: str = "", scheme: str = "http", address: str = "127.0.0.1"
    ) -> None:
        self.app = app
        self.host = host
        self.cookie = cookie
        self.scheme = scheme
        self.address = address

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, b"", headers)

    def post(self, path: str, do: str, **fields: object) -> Answer:
        """Send a form of a page; follow where it leads."""
        body = urlencode({"do": do, **{name: str(value) for name, value in fields.items()}}).encode()
        kind = "application/x-www-form-urlencoded"
        origin = f"{self.scheme}://{self.host}"
        answer = self.send("POST", path, body, {"origin": origin, "content-type": kind})
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        if answer.status == 303:
            return self.get(answer.headers["location"].partition("#")[0])
        return answer

    def enter(self, *, round: int, table: int, **fields: object) -> Answer:  # noqa: A002
        """Key in the slip of a table."""
        return self.post(
            "/round", "results", round=round, **{f"{name}_{table}": each for name, each in fields.items()}
        )

    def fill(self, page: Answer, do: str, key: object = "", **fields: object) -> Answer:
        """Fill in a form of a page, which may be an old one, and send it with what is hidden in it."""
        for path, form in re.findall(r'<form method="post" action="([^"]+)".*?>(.*?)</form>', page.text, re.DOTALL):
            hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form))
            if (hidden["do"], hidden.get("key", "")) == (do, str(key)):
                return self.post(path, **{**hidden, **fields})
        raise AssertionError(f"no form {do} {key} on the page")

    def send(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        return asyncio.run(self.answered(method, path, body, headers))

    async def answered(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        path, _, query = path.partition("?")
        own = {"host": self.host} | ({"cookie": self.cookie} if self.cookie else {})
        given = {**own, **{name.replace("_", "-"): value for name, value in headers.items()}}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": self.scheme,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "client": (self.address, 5000),
            "server": ("127.0.0.1", 8090),
        }
        parts = [body[at : at + 65536] for at in range(0, len(body), 65536)] or [b""]
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if not parts:
                return {"type": "http.disconnect"}
            part = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def take(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, take)
        start = next(each for each in sent if each["type"] == "http.response.start")
        content = b"".join(each.get("body", b"") for each in sent if each["type"] == "http.response.body")
        answered = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], answered, content)


def at_desk_of(desk: Desk, **more: Any) -> Visitor:
    """Return who sits at a desk, let in by its link. ``more``: what the pages are made with besides."""
    access, door = Access(passes_of(desk.folder)), at_desk(8090)
    usual: dict[str, Any] = {
        "access": access,
        "door": door,
        "allowed_hosts": [HOST],
        "public": "http://192.0.2.7:8091/",
    }
    app = organiser_app(desk, News(lambda: len(desk.acts)), **usual | more)
    return Visitor(app, cookie=f"{door.cookie}={access.follow(access.link(), '')}")


class Outline(HTMLParser):
    """What a screen reader needs of a page: fields and their labels, ids, landmarks, headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.fields: list[dict[str, str | None]] = []
        self.labels: list[str] = []
        self.landmarks: list[str] = []
        self.heads: list[int] = []
        self.named: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        if tag in ("input", "select", "textarea") and attributes.get("type") != "hidden":
            self.fields.append(attributes)
        if tag == "label":
            self.labels.append(str(attributes["for"]))
        if tag in ("header", "nav", "main", "footer"):
            self.landmarks.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.heads.append(int(tag[1]))
        if attributes.get("aria-labelledby"):
            self.named.append(str(attributes["aria-labelledby"]))
