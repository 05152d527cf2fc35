"""The drive protocol: a rulebook played over JSON Lines, without a box. ``docs/drive.md`` describes it."""

from referee.drive.commands import BESIDE
from referee.drive.driver import Driver, drive
from referee.drive.messages import odds_json

__all__ = ["BESIDE", "Driver", "drive", "odds_json"]
