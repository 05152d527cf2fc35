"""For anybody's tests: a whole station on virtual time, rulebooks tried with random tables, fixtures for pytest."""

from referee.testing.conformance import NotConforming, Report, conformance
from referee.testing.station import Bench, Clock
from referee.testing.table import Table

__all__ = ["Bench", "Clock", "NotConforming", "Report", "Table", "conformance"]
