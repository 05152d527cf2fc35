#!/usr/bin/env python3
"""Verify an event file with the countersignatures in it, with nothing but Python's standard library.

    python verify_event.py EVENT.jsonl [--event KEY] [--head HASH] [--game GAME.jsonl ...] [--code TEXT ...]

The file is what `referee hall --export` writes, or the page Record offers. verify_export.py must lie beside this
program: it verifies that no entry was changed, and that the event key certified each hall that sealed them. Here
comes what it says of results: each one that both seats confirmed is countersigned by the hall, and each
countersignature is of the event, the hall and the result that it stands beside. Written from docs/hall-protocol.md.

--event: the public half of the event key, as the boxes and the printed slips know it
--head: hash that an entry must have, or its first digits, 8 or more: note it when the event ends
--game: the export of a game; one of the countersignatures must be of it
--code: what a QR code of a result says; it must be one of the countersignatures

Exit code 0: everything holds. 1: something does not; the first thing found is named. 2: it cannot be read.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

from verify_export import Bad, Unreadable, ed25519, no_constant, once, quoted, read, unhexed

MEMBERS = {"event", "round", "table", "players", "game", "head", "result", "hall", "signature"}
"""Members of a countersignature."""


def canonical(value):
    """Return the one JSON text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def receipt_of(signed):
    """Return the receipt of a countersignature: eight bytes in groups of four digits."""
    digits = hashlib.sha256(canonical(signed).encode("ascii")).hexdigest()
    return " ".join(digits[at : at + 4] for at in range(0, 16, 4))


def counted(things, one, many=""):
    """Return how many there are, in words."""
    return f"{len(things)} {one if len(things) == 1 else many or one + 's'}"


def whole(value, least=1):
    """Whether a value is a whole number from ``least`` on."""
    return type(value) is int and value >= least


def check_shape(where, signed):
    """Check that a countersignature has the members it must have."""
    if not isinstance(signed, dict) or set(signed) != MEMBERS:
        raise Bad(f"{where}: expected a countersignature with {', '.join(sorted(MEMBERS))}")
    players = signed["players"]
    numbers = whole(signed["round"]) and whole(signed["table"]) and isinstance(players, list)
    if not numbers or not all(map(whole, players)) or not isinstance(signed["result"], dict):
        raise Bad(f"{where}: expected whole numbers of round, table and players, and a result")
    if any(unhexed(signed[name], 32) is None for name in ("event", "game", "head", "hall")):
        raise Bad(f"{where}: expected event, game, head and hall as 64 hex digits")


def check_signature(where, signed, event, hall):
    """Check that a hall signed it, and that this is the hall of the event then."""
    check_shape(where, signed)
    if signed["event"] != event:
        raise Bad(f"{where}: is of another event, {quoted(signed['event'])}")
    if signed["hall"] != hall:
        raise Bad(f"{where}: is by another hall, {quoted(signed['hall'])}")
    players, result = " ".join(map(str, signed["players"])), canonical(signed["result"])
    numbers = (str(signed["round"]), str(signed["table"]), players)
    lines = ("referee statement: countersignature", event, *numbers, signed["game"], signed["head"], result)
    message = "".join(f"{line}\n" for line in lines).encode("ascii")
    signature = unhexed(signed["signature"], 64)
    if signature is None or not ed25519(bytes.fromhex(hall), signature, message):
        raise Bad(f"{where}: its signature does not match")


def place_of(value):
    """Return round and table of an act, or of a countersignature, as text."""
    return canonical(value.get("round")), canonical(value.get("table"))


class Results:
    """The results of an event as its acts say, and what was countersigned.

    now: result by round and table; due: the entries whose result must be countersigned next; signed: all
    countersignatures, by entry; corrected: those whose result was taken back.
    """

    def __init__(self):
        self.now, self.due, self.signed, self.corrected = {}, {}, {}, set()

    def take(self, seq, act, event, hall):
        """Take the act of an entry. Raises Bad."""
        place = place_of(act)
        if act.get("act") == "countersigned":
            self.countersigned(seq, act.get("countersignature"), event, hall)
            return
        self.check_due()
        if act.get("act") == "result entered":
            self.now[place] = act.get("result")
            if act.get("by") == "seats":
                self.due[place] = seq
        if act.get("act") == "result taken back":
            self.now.pop(place, None)
            latest = [at for at, each in self.signed.items() if place_of(each) == place]
            self.corrected |= set(latest[-1:])

    def countersigned(self, seq, signed, event, hall):
        """Take a countersignature."""
        check_signature(f"countersignature in entry {seq}", signed, event, hall)
        place = place_of(signed)
        if place not in self.now or canonical(self.now[place]) != canonical(signed["result"]):
            raise Bad(f"countersignature in entry {seq}: is of a result other than the one entered at that table")
        self.due.pop(place, None)
        self.signed[seq] = signed

    def check_due(self):
        """Check that nothing waits for its countersignature: it stands right behind the result."""
        for (round_, table), seq in self.due.items():
            raise Bad(f"entry {seq}: the result of round {round_}, table {table} is not countersigned")


def results_of(record):
    """Return the Results of a record that was verified. Raises Bad or Unreadable."""
    if record.first.get("book") != "tournament":
        raise Unreadable("expected an event file, got a game; verify_export.py verifies it")
    event, results = record.start["extra"]["event"], Results()
    for seq, act in record.acts.items():
        if not isinstance(act, dict):
            raise Bad(f"entry {seq}: its act is not an object")
        term = record.terms[max(each for each in record.terms if each <= max(1, seq))]
        results.take(seq, act, event, term["hall"])
    results.check_due()
    return results


def check_game(name, game, results):
    """Check that an export is of a game whose result was countersigned; return the line that says so."""
    for seq, signed in results.signed.items():
        if signed["game"] == game.hashes[0] and signed["head"] in game.hashes:
            last = game.hashes.index(signed["head"])
            where = f"round {signed['round']}, table {signed['table']}"
            return f"{quoted(name)}: is the game of {where} up to entry {last}, countersigned in entry {seq}"
    raise Bad(f"{quoted(name)}: no countersignature is of this game")


def check_code(text, results):
    """Check that what a QR code says is one of the countersignatures; return the line that says so."""
    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
    except (ValueError, RecursionError) as fault:
        raise Unreadable(f"--code: {fault}") from fault
    for seq, signed in results.signed.items():
        if canonical(value) == canonical(signed):
            return f"the code is the countersignature in entry {seq}"
    raise Bad("--code: is none of the countersignatures in this file")


def report(results):
    """Return the lines that say what was countersigned."""
    yield f"{counted(results.signed, 'countersignature')} verified"
    for seq, signed in results.signed.items():
        players = ", ".join(map(str, signed["players"]))
        later = "; taken back later" if seq in results.corrected else ""
        where = f"round {signed['round']}, table {signed['table']}"
        yield f"{where}, players {players}: receipt {receipt_of(signed)}{later}"


def load(name, head=None):
    """Return what a file has, verified. Raises Bad, Unreadable or OSError."""
    with Path(name).open("rb") as stream:
        return read(stream, head)


def lines_of(options):
    """Return the lines to print. Raises Bad, Unreadable or OSError."""
    record = load(options.file, options.head)
    results, event = results_of(record), record.start["extra"]["event"]
    if options.event and options.event.lower() != event:
        raise Bad(f"it is of the event with the key {quoted(event)}, not of that one")
    lines = [
        f"{counted(record.hashes, 'entry', 'entries')} verified, head {record.hashes[-1]}",
        f"{counted(record.terms, 'term')} verified, certified by the event key {quoted(event)}",
        *report(results),
    ]
    lines += [check_game(name, load(name), results) for name in options.game]
    return [*lines, *(check_code(text, results) for text in options.code)]


def main(arguments=None):
    """Run the program; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the event file")
    parser.add_argument("--event", help="public half of the event key")
    parser.add_argument("--head", help="hash that an entry must have, or its first digits, 8 or more")
    parser.add_argument("--game", action="append", default=[], help="export of a game that was countersigned")
    parser.add_argument("--code", action="append", default=[], help="what a QR code of a result says")
    try:
        lines = lines_of(parser.parse_args(arguments))
    except (OSError, Unreadable) as fault:
        sys.stderr.write(f"verify_event: cannot be read: {fault}\n")
        return 2
    except Bad as fault:
        sys.stderr.write(f"verify_event: {fault}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
