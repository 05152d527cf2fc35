"""How a phone gets to the panel: the address, and the code that holds it, read by somebody else's reader."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from selenium.webdriver import Chrome
from zxingcpp import read_barcodes

from referee.web.guard import join_address, own_address
from referee.web.server import Address, WebServer
from tests.web.conftest import NAME, table_of
from tests.web.page import Page
from tests.web.visitor import Visitor, let_in, receive

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub

JOIN = "http://192.168.178.201:8080"
INSIDE = """
const stage = document.getElementById("stage").getBoundingClientRect();
return [...document.querySelectorAll(".join *")].every((node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= stage.top && bottom <= stage.bottom;
});
"""
"""Whether code and address stand on the stage."""


@pytest.mark.parametrize(
    ("host", "port", "names", "own", "address"),
    [
        ("0.0.0.0", 8080, ("referee.local",), "192.168.1.20", "http://192.168.1.20:8080"),
        ("0.0.0.0", 80, (), "192.168.1.20", "http://192.168.1.20"),
        ("::", 8080, (), "192.168.1.20", "http://192.168.1.20:8080"),
        ("10.0.0.7", 8080, (), "192.168.1.20", "http://10.0.0.7:8080"),
        ("fd00::7", 8080, (), "192.168.1.20", "http://[fd00::7]:8080"),
        ("0.0.0.0", 8080, ("referee.local",), "", "http://referee.local:8080"),
        ("0.0.0.0", 8080, ("referee.local:80",), "", "http://referee.local:80"),
        ("0.0.0.0", 8080, (), "", ""),
        ("127.0.0.1", 8080, ("referee.local",), "192.168.1.20", ""),
        ("::1", 8080, (), "192.168.1.20", ""),
    ],
)
def test_a_phone_opens_what_the_panel_answers_to(
    host: str, port: int, names: tuple[str, ...], own: str, address: str
) -> None:
    assert join_address(host, port, names, lambda: own) == address


def test_the_machine_tells_its_own_address_or_none() -> None:
    address = own_address()
    assert not address.startswith("127.")
    assert join_address("0.0.0.0", 8080, (), lambda: address) in ("", f"http://{address}:8080")


@pytest.fixture
def reached(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> Address:
    """A panel that takes itself for one in a network."""
    monkeypatch.setattr(server, "join_address", lambda: JOIN)
    return server.start()


@pytest.mark.long
def test_code_and_address_stand_on_the_page_and_on_the_big_screen(
    browser: Chrome, reached: Address, hub: FakeHub
) -> None:
    page = Page(browser, reached)
    page.find("#fold").click()
    page.find("#join summary").click()
    page.until(lambda: page.run("return document.querySelector('#join img').naturalWidth") > 0)
    assert page.text("#join figcaption") == "192.168.178.201:8080"
    assert read(page, "#join img") == [JOIN.upper()]
    page.command(
        "Page.addScriptToEvaluateOnNewDocument", source="window.setTimeout = (call) => (window.turn = call);"
    )
    browser.get(f"{reached.url}tv")
    hub.publish(table_of())

    def turned() -> bool:
        page.run("window.turn?.()")
        return str(page.run("return document.body.dataset.page")) == "join"

    page.until(turned)
    page.until(lambda: page.run("return document.querySelector('.join img').naturalWidth") > 0)
    assert read(page, ".join img") == [JOIN.upper()]
    try:
        for width, height in ((1280, 720), (1080, 1920)):
            page.command(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
            )
            page.until(lambda: page.run(INSIDE))
    finally:
        page.command("Emulation.clearDeviceMetricsOverride")


def read(page: Page, selector: str) -> list[str]:
    """Return what codes a picture on the page holds."""
    page.run("arguments[0].scrollIntoView({ block: 'center' })", page.find(selector))
    with Image.open(BytesIO(page.find(selector).screenshot_as_png)) as picture:
        return [code.text for code in read_barcodes(picture.convert("L"))]


def test_only_who_is_in_gets_the_code(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    server = WebServer(hub, port=0, names=[NAME])
    monkeypatch.setattr(server, "join_address", lambda: JOIN)
    visitor = Visitor(server.start().port)
    try:
        assert visitor.send("GET", "/join.svg").status == 404
        let_in(visitor, hub, "watch")
        answer = visitor.send("GET", "/join.svg")
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        with visitor.line() as line:
            assert receive(line, "join")["address"] == JOIN
    finally:
        server.stop()
