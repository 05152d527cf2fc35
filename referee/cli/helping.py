"""Help of the whole command line and of each command."""

from __future__ import annotations

from argparse import Namespace

from referee.cli.options import parser
from referee.cli.output import say, show


def greet(options: Namespace) -> None:
    """Say what there is."""
    del options
    say(parser().format_help().splitlines())


def explain(options: Namespace) -> None:
    """Say what a command does, and which options it has."""
    command = parser()
    for word in options.words:
        command = command.below(word)
    text = command.format_help()
    show(options, {"command": command.prog, "help": text}, text.splitlines())
