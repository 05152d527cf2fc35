"""Any page as axe-core judges it, in light, dark and forced colours."""

from __future__ import annotations

from typing import Final

from selenium.webdriver import Chrome

from tests.components import AXE

COLOURS: Final = {
    "light": {"prefers-color-scheme": "light"},
    "dark": {"prefers-color-scheme": "dark"},
    "forced, light": {"forced-colors": "active", "prefers-color-scheme": "light"},
    "forced, dark": {"forced-colors": "active", "prefers-color-scheme": "dark"},
}
ASK: Final = """
const [rules, done] = arguments;
axe.run({ resultTypes: ["violations"], rules }).then(({ violations }) =>
  done(violations.map(({ id, help, nodes }) => `${id}, ${help}: ${nodes.map(({ html }) => html).join(" ")}`)));
"""
RULES: Final = {"label-content-name-mismatch": {"enabled": True}, "target-size": {"enabled": True}}
"""Rules that axe-core leaves out unless asked."""


def coloured(driver: Chrome, colours: str) -> None:
    """Show pages in these colours; nothing is looked at while it fades in."""
    media = {**COLOURS[colours], "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in media.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def uncoloured(driver: Chrome) -> None:
    """Show pages as the browser does."""
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def load_axe(driver: Chrome) -> None:
    """Put axe-core into the page that is open."""
    driver.execute_script(AXE.read_text("utf-8"))


def violations(driver: Chrome) -> list[str]:
    """Return what axe-core has against the page, with the markup."""
    return [str(violation) for violation in driver.execute_async_script(ASK, RULES)]
