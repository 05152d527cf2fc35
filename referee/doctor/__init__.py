"""The doctor: examines the machine and the box wired to it, and says what to do about each thing it finds."""

from referee.doctor.examination import examine
from referee.doctor.findings import Finding, Level, acceptance, count, told

__all__ = ["Finding", "Level", "acceptance", "count", "examine", "told"]
