"""The journal: every accepted entry of every game, durable and chained."""

from referee.journal.file import Journal, Recorded

__all__ = ["Journal", "Recorded"]
