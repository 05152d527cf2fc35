"""A tablet of the staff: requests to the staff's port of a hall in a process."""

from __future__ import annotations

import http.client
import re
import ssl
from contextlib import ExitStack, closing
from urllib.parse import urlencode, urlsplit

from tests.hall.process import PATIENCE, Hall


class Staff:
    """Requests to the staff's port, as a tablet sends them that trusts the event's authority."""

    def __init__(self, hall: Hall, lines: ExitStack) -> None:
        self.hall = hall
        self.lines = lines
        self.url = next(line.rpartition(" ")[2] for line in hall.lines if line.startswith("The staff's tablets"))
        authority = hall.ask(hall.public, "GET", "/event-ca.crt").read()
        self.context = ssl.create_default_context(cadata=authority)

    def ask(self, method: str, path: str, cookie: str = "", **fields: str) -> http.client.HTTPResponse:
        at = urlsplit(self.url)
        line = http.client.HTTPSConnection(str(at.hostname), at.port, context=self.context, timeout=PATIENCE)
        self.lines.enter_context(closing(line))
        headers = {"cookie": cookie} if cookie else {}
        if method == "POST":
            headers |= {"origin": self.url.rstrip("/"), "content-type": "application/x-www-form-urlencoded"}
        line.request(method, path, urlencode(fields).encode() if fields else None, headers)
        return self.lines.enter_context(closing(line.getresponse()))

    def code(self, role: str) -> str:
        """Return a one-time code that the desk made."""
        assert self.hall.ask(self.hall.own, "POST", "/staff", do="invite", role=role).status == 303
        page = self.hall.ask(self.hall.own, "GET", "/staff").read().decode()
        return str(re.findall(r'class="digits"><strong>(.*?)<', page)[0])

    def let_in(self, role: str) -> str:
        """Return the cookie of a tablet that was let in with a code of the desk."""
        answer = self.ask("POST", "/login", code=self.code(role))
        assert answer.status == 303
        return str(answer.headers["set-cookie"]).partition(";")[0]
