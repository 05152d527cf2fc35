"""One game in progress: what is asked, what was answered, and the way back. No I/O, no clock of its own."""

from referee.session.clocked import keeper_of, ms, waits_for
from referee.session.entries import Entry, Notebook, withheld
from referee.session.extra import Origin, Right, Submission, Unused
from referee.session.log import LastThrow, LogLine, Rolled, plain
from referee.session.prompt import Prompt
from referee.session.replay import Load, given_again, judged_again, resume, same_edition, step_by_step
from referee.session.session import Outcome, Session

__all__ = [
    "Entry",
    "LastThrow",
    "Load",
    "LogLine",
    "Notebook",
    "Origin",
    "Outcome",
    "Prompt",
    "Right",
    "Rolled",
    "Session",
    "Submission",
    "Unused",
    "given_again",
    "judged_again",
    "keeper_of",
    "ms",
    "plain",
    "resume",
    "same_edition",
    "step_by_step",
    "waits_for",
    "withheld",
]
