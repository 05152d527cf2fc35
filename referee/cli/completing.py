"""Completion for shells: every command, option and game, as the parser knows them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence

from referee import games
from referee.cli.options import parser
from referee.cli.output import show
from referee.cli.parsing import Parser

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
    """Print the script, or the words it knows."""
    commands = parser().commands
    named = {"book": [book.id for book in games.books()], "words": [*commands]}
    words = {name: _words(each, named) for name, each in commands.items()}
    cases = [f'    {name}) words="{" ".join(each)}" ;;' for name, each in words.items()]
    script = SCRIPT.format(cases="\n".join(cases), commands=" ".join(words))
    show(options, words, script.split("\n"))


def _words(command: Parser, named: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what can follow a command: its own commands, options, and what its arguments can be, by their names."""
    words = [word for action in command._actions for word in named.get(action.dest, ())]  # noqa: SLF001
    below = [word for each in command.commands.values() for word in _words(each, named)]
    options = [name for action in command._actions for name in action.option_strings if name.startswith("--")]  # noqa: SLF001
    return [*dict.fromkeys([*command.commands, *words, *options, *below])]
