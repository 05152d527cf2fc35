"""Help of the whole command line and of each command."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from referee.cli.options import parser
from referee.cli.output import say, show

GREETING: Final = """\
This is the electronic referee. It referees Middle-earth games on a real table: it asks for what it needs, refuses
illegal answers, looks results up, and explains every ruling. Begin with

  referee play          a simulated box in the browser
  referee games         the games it knows
  referee help play     what a command does, and its options

"""


def greet(options: Namespace) -> None:
    """Say what this is, how to begin, and what there is."""
    del options
    say((GREETING + parser().format_help()).splitlines())


def explain(options: Namespace) -> None:
    """Say what a command does, and which options it has."""
    command = parser()
    for word in options.words:
        command = command.below(word)
    text = command.format_help()
    show(options, {"command": command.prog, "help": text}, text.splitlines())
