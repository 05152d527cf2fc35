"""The journal: every accepted entry of every game, durable, chained and sealed."""

from referee.journal.file import Journal, Recorded

__all__ = ["Journal", "Recorded"]
