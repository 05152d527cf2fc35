"""Brackets: single and double elimination.

A bracket is built from the seeds and played back from the results, so it has no state of its own. What is ready can
be paired, whatever else is still played: so rounds go on as they do with a continuous bracket (boardgamers.org).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from referee.tournament.event import Event, Pairing, Stage

Source: TypeAlias = tuple[Literal["player", "winner", "loser"], int]
"""Who comes to a match: a player by number (0: nobody), or winner or loser of another match, by its place."""

NOBODY: Source = ("player", 0)

THIRD = "match for third place"


@dataclass(frozen=True, slots=True)
class Node:
    """A match of a bracket before anybody plays it. ``again``: only played if the second of the match before won."""

    name: str
    sources: tuple[Source, Source]
    again: bool = False


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a bracket as it stands.

    ``players``, ``winner``, ``loser``: by number; 0: nobody; None: not known yet
    ``ready``: whether it can be paired now; ``left``: how many matches its players have still to win, this one too
    """

    players: tuple[int | None, int | None]
    winner: int | None = None
    loser: int | None = None
    ready: bool = False
    name: str = ""
    left: int = 0

    @property
    def part(self) -> str:
        """What it is a part of: winners' bracket, losers' bracket, or the match for third place alone."""
        return next((part for part in ("losers'", THIRD) if self.name.startswith(part)), "")


def seeded(sources: Sequence[Source]) -> list[tuple[Source, Source]]:
    """Return the first matches of a bracket: 1 meets the last, 2 the last but one; the best have the byes."""
    order = [1]
    while len(order) < len(sources):
        order = [seed for low in order for seed in (low, 2 * len(order) + 1 - low)]
    places = [sources[seed - 1] if seed <= len(sources) else NOBODY for seed in order]
    return list(zip(places[::2], places[1::2], strict=True))


def single(sources: Sequence[Source], *, third: bool = False) -> list[Node]:
    """Return a single elimination of these seeds. ``third``: the losers of the semifinals play for third place."""
    nodes, firsts = list[Node](), seeded(sources)
    while firsts:
        if third and len(firsts) == 1 and len(nodes) > 1:
            nodes.append(Node(THIRD, (("loser", len(nodes) - 2), ("loser", len(nodes) - 1))))
        name = {1: "final", 2: "semifinal", 4: "quarterfinal"}.get(len(firsts), f"round of {2 * len(firsts)}")
        winners = _play(nodes, name, firsts)
        firsts = list(zip(winners[::2], winners[1::2], strict=False))
    return nodes


def double(sources: Sequence[Source]) -> list[Node]:
    """Return a double elimination: who loses falls into the losers' bracket, who loses there is out.

    The losers of a round enter in reverse order every other time, so that two who have met meet again late. If the
    winner of the losers' bracket wins the final, both have lost once, and it is played again.
    """
    nodes = [Node(f"winners' {node.name}", node.sources) for node in single(sources)]
    last, step, first = len(nodes) - 1, 0, 0
    survivors: list[Source] = []
    while first <= last:
        entering: list[Source] = [("loser", number) for number in range(first, (first + last) // 2 + 1)]
        first += len(entering)
        if survivors:
            pairs = zip(survivors, entering[::-1] if step % 2 else entering, strict=True)
            survivors = _play(nodes, f"losers' round {2 * step}", pairs)
        else:
            survivors = entering
        if len(survivors) > 1:
            pairs = zip(survivors[::2], survivors[1::2], strict=True)
            survivors = _play(nodes, f"losers' round {2 * step + 1}", pairs)
        step += 1
    final = _play(nodes, "final", [(("winner", last), survivors[0])])[0]
    nodes.append(Node("final again", (final, ("loser", final[1])), again=True))
    return nodes


def _play(nodes: list[Node], name: str, pairs: Iterable[tuple[Source, Source]]) -> list[Source]:
    first = len(nodes)
    nodes += [Node(name, pair) for pair in pairs]
    return [("winner", i) for i in range(first, len(nodes))]


def bracket(event: Event, stage: Stage) -> list[BracketMatch]:
    """Return the matches of an elimination stage as they stand, in the order in which they depend on each other."""
    seeds: list[Source] = [("player", number) for number in stage.players]
    nodes = double(seeds) if stage.format == "double elimination" else single(seeds, third=stage.third)
    meetings: dict[frozenset[int], list[Pairing]] = {}
    for each in event.rounds_of(stage, begun=False):
        for pairing in each.pairings:
            meetings.setdefault(frozenset(pairing.players), []).append(pairing)
    matches: list[BracketMatch] = []
    for node, left in zip(nodes, _left(nodes), strict=True):
        if node.again and (not matches[-1].winner or matches[-1].winner == matches[-1].players[0]):
            break  # the final is not decided, or was won by who had not lost before
        first, second = [
            number if kind == "player" else matches[number].winner if kind == "winner" else matches[number].loser
            for kind, number in node.sources
        ]
        matches.append(replace(_match(event, first, second, meetings), name=node.name, left=left))
    return matches


def _left(nodes: Sequence[Node]) -> list[int]:
    """Return how many matches whoever comes to each has to win, that one too."""
    left = [2 if node.name == THIRD else 1 for node in nodes]
    for i in reversed(range(len(nodes))):
        for kind, number in nodes[i].sources:
            if kind == "winner":
                left[number] = left[i] + 1
    return left


def _match(
    event: Event, first: int | None, second: int | None, meetings: dict[frozenset[int], list[Pairing]]
) -> BracketMatch:
    players = (first, second)
    if first is None or second is None:
        return BracketMatch(players)
    if not first or not second:
        return BracketMatch(players, first or second, 0)
    played = meetings.get(frozenset((first, second)), [])
    if played:
        pairing = played.pop(0)
        if pairing.result is None:
            return BracketMatch(players)
        winner = pairing.result.winner((first, second))
        return BracketMatch(players, winner, 0 if not winner else second if winner == first else first)
    here = [number for number in (first, second) if event.players[number].state == "here"]
    if len(here) == 2:
        return BracketMatch(players, ready=True)
    return BracketMatch(players, here[0] if here else 0, 0)


def ready(event: Event, stage: Stage) -> list[tuple[int, int]]:
    """Return who can be paired now in an elimination, by number, in the order of the bracket: of its parts each, the

    earliest round that has such a match, so that a player with a bye waits for it to be over.
    """
    matches = [match for match in bracket(event, stage) if match.ready]
    earliest: dict[str, int] = {}
    for match in matches:
        earliest[match.part] = max(earliest.get(match.part, 0), match.left)
    now = [match.players for match in matches if match.left == earliest[match.part]]
    return [(first, second) for first, second in now if first and second]
