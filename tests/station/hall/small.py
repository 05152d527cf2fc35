"""A small hall that knows the calls of a box and nothing else, over real HTTPS, in one SQLite file."""

from __future__ import annotations

import hmac
import json
import socket
import sqlite3
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from referee.session.wish import NOWHERE, Have, Wish
from tests.station.hall.hostile import certificate

TOKEN = "t" * 43
SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (box, game, seq INTEGER, hash, line, PRIMARY KEY (box, game, seq));
CREATE TABLE IF NOT EXISTS acts (revision INTEGER PRIMARY KEY, head, id UNIQUE, body);
CREATE TABLE IF NOT EXISTS doubt (since);
"""
Said = tuple[int, Mapping[str, Any]]


class SmallHall:
    """``wishes``: what it wishes of each box, by token; ``states``: what each said of its board."""

    def __init__(self, folder: Path) -> None:
        self.path, pem = folder / "hall.db", folder / "hall.pem"
        if not pem.exists():
            certificate(folder)
        self.pem = pem
        der = ssl.PEM_cert_to_DER_cert("-----BEGIN CERT" + pem.read_text().split("-----BEGIN CERT")[1])
        self.certificate = sha256(der).hexdigest()
        self.wishes: dict[str, Wish] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.refuse = ""
        self.code = "146253"
        self.unknown: set[str] = set()
        self._changed = threading.Condition(threading.RLock())
        self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + SCHEMA)

    # -- what it does by itself

    def wish(self, token: str, wish: Wish) -> None:
        with self._changed:
            self.wishes[token] = wish
            self._changed.notify_all()

    def act(self, body: str = "{}", id_: str | None = None) -> int:
        with self._changed:
            revision, head = self.newest()
            now = sha256(f"{head}{id_}{body}".encode()).hexdigest()
            self._db.execute("INSERT INTO acts VALUES (?, ?, ?, ?)", (revision + 1, now, id_, body))
            return revision + 1

    def newest(self) -> tuple[int, str]:
        row = self._db.execute("SELECT revision, head FROM acts ORDER BY revision DESC LIMIT 1").fetchone()
        return row or (0, "0" * 64)

    @property
    def doubt(self) -> bool:
        return self._db.execute("SELECT 1 FROM doubt").fetchone() is not None

    def go_on(self, above: int) -> None:
        """Somebody says that this copy is to count."""
        with self._changed:
            _, head = self.newest()
            self._db.execute(
                "INSERT INTO acts VALUES (?, ?, NULL, 'goes on')", (above + 1, sha256(head.encode()).hexdigest())
            )
            self._db.execute("DELETE FROM doubt")

    def games(self, token: str) -> dict[str, list[dict[str, Any]]]:
        rows = self._db.execute("SELECT game, line FROM entries WHERE box = ? ORDER BY game, seq", (token,))
        games: dict[str, list[dict[str, Any]]] = {}
        for game, line in rows.fetchall():
            games.setdefault(game, []).append(json.loads(line))
        return games

    def totals(self) -> dict[str, int]:
        """Return how many entries there are of each box, by token."""
        return dict(self._db.execute("SELECT box, count(*) FROM entries GROUP BY box").fetchall())

    def close(self) -> None:
        self._db.close()

    def acts(self) -> list[dict[str, Any]]:
        rows = self._db.execute("SELECT body FROM acts WHERE id IS NOT NULL ORDER BY revision").fetchall()
        return [json.loads(body) for (body,) in rows]

    # -- calls

    def pair(self) -> str:
        revision, head = self.newest()
        return f"{revision} {head} {self._mac(revision, head)}"

    def _mac(self, revision: int, head: str) -> str:
        return hmac.new(b"event key", f"{revision} {head}".encode(), "sha256").hexdigest()

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Said:
        if path == "/api/boxes":
            right = json.loads(body) == {"code": self.code}
            return (200, {"token": TOKEN}) if right else (403, {"why": "Wrong code: 4 tries left"})
        token = (headers.get("Authorization") or "").removeprefix("Bearer ")
        if len(token) < 20 or token in self.unknown:
            return 401, {"why": "unknown"}
        url = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        with self._changed:
            self._compare(headers.get("Referee-Seen") or "")
            match method, url.path.split("/")[2:]:
                case "POST", ["state"]:
                    self.states[token] = json.loads(body)
                    return 204, {}
                case "POST", ["acts"]:
                    return self._act(json.loads(body))
                case "PUT", ["games", game, "entries"]:
                    return self._put(token, game, int(query["after"]), body)
                case "GET", ["games", game, "entries"]:
                    return self._fetch(game, int(query["after"]))
                case "GET", ["table"]:
                    return self._table(token, headers.get("If-None-Match") or "", float(query.get("wait", "0")))
            return 404, {"why": "no such call"}

    def _compare(self, seen: str) -> None:
        if seen:
            revision, head, mac = seen.split(" ")
            row = self._db.execute("SELECT head FROM acts WHERE revision = ?", (revision,)).fetchone()
            later = "SELECT 1 FROM acts WHERE body = 'goes on' AND revision > ?"
            said = self._db.execute(later, (revision,)).fetchone()
            true = hmac.compare_digest(mac, self._mac(int(revision), head)) and revision != "0"
            if true and row != (head,) and said is None:
                self._db.execute("INSERT INTO doubt SELECT ? WHERE NOT EXISTS (SELECT 1 FROM doubt)", (revision,))

    def _act(self, act: Mapping[str, Any]) -> Said:
        row = self._db.execute("SELECT revision FROM acts WHERE id = ?", (act["id"],)).fetchone()
        if row is not None:
            return 200, {"done": True, "revision": row[0]}
        if self.doubt:
            return 503, {"why": "in doubt"}
        if self.refuse:
            return 200, {"done": False, "why": self.refuse}
        return 200, {"done": True, "revision": self.act(json.dumps(act), act["id"])}

    def _have(self, token: str, game: str) -> Have:
        sql = "SELECT seq, hash FROM entries WHERE box = ? AND game = ? ORDER BY seq DESC LIMIT 1"
        return Have(game, *(self._db.execute(sql, (token, game)).fetchone() or (-1, "")))

    def _put(self, token: str, game: str, after: int, body: bytes) -> Said:
        have = self._have(token, game)
        new = [json.loads(line) for line in body.splitlines()]
        fits = after == have.last and (not new or new[0]["prev"] == have.hash)
        if fits and new:
            rows = [(token, game, each["seq"], each["hash"], json.dumps(each)) for each in new]
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
            have = Have(game, new[-1]["seq"], new[-1]["hash"])
        return 200 if fits else 409, {"last": have.last, "hash": have.hash}

    def _fetch(self, game: str, after: int) -> Said:
        sql = "SELECT line FROM entries WHERE game = ? AND seq > ? ORDER BY seq LIMIT 64"
        return 200, {"entries": [json.loads(line) for (line,) in self._db.execute(sql, (game, after)).fetchall()]}

    def _table(self, token: str, etag: str, wait: float) -> Said:
        def wish() -> Wish:
            now = self.wishes.get(token, NOWHERE)
            game = str(self.states.get(token, {}).get("game") or "")
            total = self._db.execute("SELECT count(*) FROM entries WHERE box = ?", (token,)).fetchone()[0]
            return now._replace(total=total, have=self._have(token, game) if game else None)

        def tag() -> str:
            return sha256(repr(self.wishes.get(token)).encode()).hexdigest()[:16]

        self._changed.wait_for(lambda: tag() != etag, wait if etag else 0)
        return (304, {}) if tag() == etag else (200, {**wish().as_json(), "etag": tag()})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    hall: SmallHall

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        status, said = self.hall.answer(self.command, self.path, dict(self.headers), body)
        data = b"" if status in (204, 304) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Referee-Record", self.hall.pair())
        self.send_header("Referee-Doubt", "yes" if self.hall.doubt else "no")
        if "etag" in said:
            self.send_header("ETag", said["etag"])
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_PUT = do_POST = _answer  # noqa: N815

    def log_message(self, *_: object) -> None: ...


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, *how: Any) -> None:
        self.lines: set[socket.socket] = set()
        super().__init__(*how)

    def finish_request(self, request: Any, client_address: Any) -> None:
        self.lines.add(request)
        super().finish_request(request, client_address)

    def cut(self) -> None:
        """Cut every line, as a hall that is gone does."""
        for each in self.lines:
            with suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)

    def handle_error(self, *_: object) -> None:
        """A line that was cut is nothing to tell."""


def server(hall: SmallHall, port: int = 0) -> _Server:
    handler = type("Handler", (_Handler,), {"hall": hall})
    made = _Server(("127.0.0.1", port), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(hall.pem)
    made.socket = context.wrap_socket(made.socket, server_side=True, do_handshake_on_connect=False)
    return made


@contextmanager
def running(hall: SmallHall, port: int = 0) -> Iterator[int]:
    """Serve while the context is open; yield the port."""
    made = server(hall, port)
    thread = threading.Thread(target=made.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield made.server_address[1]
    finally:
        made.shutdown()
        made.server_close()
        made.cut()
        thread.join()
