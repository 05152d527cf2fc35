"""Completion for shells: every command, option and game, as the parser knows them."""

from __future__ import annotations

import argparse
from argparse import Namespace

from referee import games
from referee.cli.options import parser
from referee.cli.output import say

SCRIPT = """\
_referee() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words
    case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{commands}" ;;
    esac
    [ "$COMP_CWORD" -gt 1 ] || words="{commands}"
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _referee referee"""
"""For bash, and for zsh with its bashcompinit."""


def completion(options: Namespace) -> None:
    """Print the script."""
    del options
    (commands,) = (each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))  # noqa: SLF001
    cases = [f'    {name}) words="{" ".join(_words(each))}" ;;' for name, each in commands.choices.items()]
    say(SCRIPT.format(cases="\n".join(cases), commands=" ".join(commands.choices)).split("\n"))


def _words(command: argparse.ArgumentParser) -> list[str]:
    options = [name for action in command._actions for name in action.option_strings if name.startswith("--")]  # noqa: SLF001
    takes_game = any(action.dest == "book" for action in command._actions)  # noqa: SLF001
    return [*options, *((book.id for book in games.books()) if takes_game else ())]
