"""The panel's requests: mutated methods, paths, headers, cookies and bodies, in process, most at the pairing."""

from __future__ import annotations

import asyncio
import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any

from referee.web.hub import Visit
from tests.fuzz.house import BOX, OUTSIDE, Headers, House
from tests.fuzz.seam import FOLDER, Tally, expect
from tests.fuzz.shapes import broken, fuzzed

PATHS = ("/", "/pair", "/main.js", "/page.css", "/ws", "/watch", "/nothing", "/pair/", "/../app.py", "/index.html")
HOSTS = (BOX, OUTSIDE, OUTSIDE, OUTSIDE, "192.168.1.5:8080", "evil.example", "", "127.0.0.1", "referee.local:80\x00")
METHODS = ("GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "")
STATUS = {200, 304, 400, 403, 404, 405, 409, 410, 421, 429, 503}
GUARDED = ("content-security-policy", "x-content-type-options", "referrer-policy")
DIGEST = 32


class Stranger:
    """Somebody in the network who sends whatever he likes, and now and then what he should."""

    def __init__(self, house: House, tally: Tally) -> None:
        self.house = house
        self.tally = tally
        self.chance = house.chance
        self.cookie = b""

    async def one(self) -> None:
        """Send one request and judge what came of it."""
        house, chance = self.house, self.chance
        method, path, host = chance.choice(METHODS), chance.choice(PATHS), chance.choice(HOSTS)
        if chance.random() < 0.84:
            method, path, host = "POST", "/pair", OUTSIDE
        headers, body = self._headers(host), self._body()
        before = len(house.hub.visits), house.passes.listed()
        house.clock.now += chance.choice((0.0, 0.3, 0.3, 5.0))
        scope = house.scope("http", path, host, headers, method)
        cut = chance.randrange(len(body) + 1)
        self.tally.inputs += 1
        status, answered, _ = await house.request(scope, [body[:cut], body[cut:]])
        request = (method, path, host, headers, body)
        expect(status in STATUS, f"it was answered with {status}", request)
        expect(all(name in answered for name in GUARDED), "an answer without its guards", request)
        same = self.tally.same
        same(house.passes.listed() == before[1], "somebody was let in", request)
        same(house.hub.acts == [], "a request pressed a key", request)
        if len(house.hub.visits) != before[0]:
            expect(house.hub.visits[-1] is None, "the table was asked though nobody had the code", request)
            house.bench.settle()
        self._count(status)
        match = re.match(r"referee-visit=([^;]*)", answered.get("set-cookie", ""))
        if match:
            self.cookie = match[1].encode()

    async def pair(self) -> None:
        """Come in as one should, after a night's peace; then the same in vain without the box's word."""
        house = self.house
        house.clock.now += 8000.0
        house.bench.wait(1)
        self.cookie = b""
        before = len(house.passes.listed())
        house.hub.code = f"{house.chance.randrange(10**6):06d}"
        expect(await self._do("code", code=house.hub.code) == (200, "role"), "the code is refused", b"code")
        expect(await self._do("wait") == (200, "role"), "it is not waiting", b"wait")
        expect(len(house.passes.listed()) == before, "let in without the box's word", b"wait")
        self._visit().answer("watch")
        expect(await self._do("wait") == (200, "in"), "not let in", b"wait")
        expect(len(house.passes.listed()) == before + 1, "no pass was kept", b"wait")
        house.passes.revoke()

    def _count(self, status: int) -> None:
        if status < 400:
            self.tally.accepted += 1
        else:
            self.tally.refused += 1

    async def _do(self, do: str, **more: str) -> tuple[int, str]:
        headers: Headers = [(b"origin", b"http://" + OUTSIDE.encode()), (b"content-type", b"application/json")]
        headers.append((b"cookie", b"referee-visit=" + self.cookie))
        self.house.clock.now += 1.0
        scope = self.house.scope("http", "/pair", OUTSIDE, headers, "POST")
        self.tally.inputs += 1
        status, answered, body = await self.house.request(scope, [json.dumps({"do": do, **more}).encode()])
        self._count(status)
        match = re.match(r"referee-visit=([^;]+)", answered.get("set-cookie", ""))
        self.cookie = match[1].encode() if match and do == "code" else self.cookie
        self.house.bench.settle()
        return status, str(json.loads(body)["state"])

    def _visit(self) -> Visit:
        (*_, visit) = self.house.hub.visits
        assert visit is not None
        return visit

    def _headers(self, host: str) -> Headers:
        chance = self.chance
        own = f"http://{host}"
        origin = chance.choice((own, own, own, f"http://{OUTSIDE}", "null", "https://evil.example", ""))
        headers: Headers = [(b"origin", origin.encode("latin-1")), (b"content-type", b"application/json")]
        token = chance.randbytes(9).hex().encode()
        cookies = (b"referee-visit=" + self.cookie, b"referee=" + token, b"referee=;;==\x80")
        if chance.random() < 0.6:
            headers.append((b"cookie", chance.choice(cookies)))
        if chance.random() < 0.3:
            at = chance.randrange(len(headers))
            name, value = headers[at]
            kind = chance.randrange(4)
            if kind == 0:
                del headers[at]
            elif kind == 1:
                headers.append(headers[at])
            elif kind == 2:
                headers[at] = (name, broken(chance, value))
            else:
                headers.append((b"x-forwarded-for", b"127.0.0.1"))
        return headers

    def _body(self) -> bytes:
        chance = self.chance
        if chance.random() < 0.4:
            return json.dumps(self._valid()).encode()
        if chance.random() < 0.02:
            return b'{"do":"wait","pad":"' + b"x" * chance.randrange(200, 70_000) + b'"}'
        return fuzzed(chance, self._valid)

    def _valid(self) -> dict[str, Any]:
        do = self.chance.choice(("code", "code", "wait"))
        wrong = "161803" if self.house.hub.code != "161803" else "271828"
        return {
            "do": do,
            "wish": self.chance.choice(("watch", "play", "judge", "seat-1")),
            "code": self.chance.choice((wrong, wrong, "12345", "1234567", "\u0661\u0662\u0663\u0664\u0665\u0666")),
        }


def part(chance: random.Random, count: int, tally: Tally) -> None:
    """Send requests; between them a browser must still find its way in, and never without the box's word."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, House(Path(folder), chance) as house:
        stranger = Stranger(house, tally)

        async def send() -> None:
            digest = house.entries()
            for number in range(count):
                await stranger.one()
                if number % 200 == 199:
                    await stranger.pair()
                if number % DIGEST == 0:
                    tally.same(house.entries() == digest, "a request was entered in the journal", b"")
            await stranger.pair()

        asyncio.run(send())
