#!/usr/bin/env python3
"""Verify games exported by the electronic referee, with nothing but Python's standard library.

    python verify_export.py GAME.jsonl [GAME.jsonl ...] [--head HASH] [--key KEY]

Several games of one box are also compared with each other: whether each follows the one it says it follows.

This program shares no code with the referee, so that a fault in the one does not hide in the other. It is written
from the description of the format in docs/journal.md: SHA-256 chains (FIPS 180-4) and Ed25519 signatures (RFC 8032).

Exit code 0: everything holds. 1: something does not; the first thing found is named. 2: it cannot be read.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

# -- Ed25519, RFC 8032 section 5.1, verification only ----------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def _x_of(y, odd):
    """Return the x of a point with that y, of that parity; None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and odd):
        return None
    return P - x if x % 2 != odd else x


def _point(data):
    """Return the point 32 bytes encode, in extended coordinates; None if they encode none."""
    number = int.from_bytes(data, "little")
    y, odd = number & (2**255 - 1), number >> 255
    x = _x_of(y, odd) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def _add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(number, p):
    q = ZERO
    while number:
        if number & 1:
            q = _add(q, p)
        p, number = _add(p, p), number >> 1
    return q


ZERO = (0, 1, 1, 0)
BASE_Y = 4 * pow(5, -1, P) % P
BASE = (_x_of(BASE_Y, 0), BASE_Y, 1, _x_of(BASE_Y, 0) * BASE_Y % P)


def _same(p, q):
    return all((p[i] * q[2] - q[i] * p[2]) % P == 0 for i in (0, 1))


def ed25519(key, signature, message):
    """Whether the 64-byte signature under a message was made with the key of that 32-byte public half.

    There is one spelling of a key and one of a signature: no y from P on, no s from L on. A key that is no multiple
    of the base is refused: under one of small order, signatures hold that nobody had to make.
    """
    a, r, s = _point(key), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L or _same(a, ZERO) or not _same(_times(L, a), ZERO):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return _same(_times(s, BASE), _add(r, _times(k, a)))


# -- the export ------------------------------------------------------------------------------------------------------

ENTRY = {
    "answer", "ask", "at", "by", "edition", "game", "group", "hash", "kind", "mode", "prev", "result", "rule", "seat",
    "seq", "source", "type", "wall",
}  # fmt: skip
"""Fields of every entry."""

SOME = {"extra", "link"}
"""Fields that an entry of format 3 may have besides."""

LINKS = ({"link": int, "games": int, "heads": str}, {"link": int, "game": int, "seq": int, "hash": str})
"""The fields of the first link of a journal, and of a later one."""

LINE = 65_536
"""Bytes of the longest line."""

FILE = 64 * 2**20
"""Bytes of the longest file."""


class Bad(Exception):
    """Something does not hold."""


class Unreadable(Exception):
    """It is no export, or not one of a format this program knows."""


class Game:
    """An exported game as far as it was read.

    hashes: of its entries; links: by entry; needed, sealed: entries that must have a seal, and that have one;
    keys: the public keys of its seals; seals: key by entry; terms: which hall sealed from an entry on;
    acts: what was done to an event, by entry.
    """

    def __init__(self, first):
        self.first, self.number, self.start = first, first["game"], None
        self.hashes, self.links, self.needed, self.sealed, self.keys = [], {}, [], set(), {}
        self.seals, self.terms, self.acts = {}, {}, {}

    def note(self, seq, extra):
        """Keep what the record of an event has in an entry."""
        for name, beside in (("term", self.terms), ("act", self.acts)):
            if name in extra:
                beside[seq] = extra[name]


def quoted(value):
    """Return a value of the file as JSON in ASCII, which spells control characters out; a long one is cut.

    Nothing of a file is printed in another way.
    """
    text = json.dumps(value)
    return text if len(text) <= 70 else f"{text[:70]}..."


def once(pairs):
    """Return an object none of whose names is given twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Bad(f"a name is given twice among {quoted(names)}")
    return dict(pairs)


def no_constant(name):
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(f"{name} is not a JSON number")


def objects(stream):
    """Yield the JSON objects of a binary stream, one a line. Nothing longer than a line is held."""
    size, number = 0, 0
    while line := stream.readline(LINE + 2):
        number, size = number + 1, size + len(line)
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if len(line) > LINE:
            raise Unreadable(f"line {number}: longer than {LINE} bytes")
        if size > FILE:
            raise Unreadable(f"line {number}: the file is longer than {FILE} bytes")
        try:
            value = json.loads(line.decode("ascii"), object_pairs_hook=once, parse_constant=no_constant)
        except (ValueError, RecursionError) as fault:
            raise Unreadable(f"line {number}: {fault}") from fault
        if not isinstance(value, dict):
            raise Unreadable(f"line {number}: expected a JSON object")
        yield value


def first_of(values):
    """Return the first object, which says what the others are."""
    first = next(values, {})
    if first.get("type") != "game" or type(first.get("format")) is not int or first["format"] not in (1, 2, 3):
        raise Unreadable("line 1: expected an export of format 1, 2 or 3")
    if type(first.get("game")) is not int:
        raise Unreadable("line 1: expected the number of the game to be a whole number")
    return first


def time_of(where, value):
    """Return a time as the hash has it: with a fraction."""
    if type(value) not in (int, float) or not abs(value) < 2**53:
        raise Bad(f"{where}: a time is not a number: {quoted(value)}")
    return float(value)


def check_extra(where, value):
    """Check what an entry has beside its fields: any object whose numbers are whole, so each has one spelling."""
    if isinstance(value, dict):
        for item in value.values():
            check_extra(where, item)
    elif isinstance(value, list):
        for item in value:
            check_extra(where, item)
    elif isinstance(value, float) or (type(value) is int and not abs(value) < 2**53):
        raise Bad(f"{where}: a number is not whole: {quoted(value)}")


def check_link(where, value):
    """Check the shape of a link: its number, and the entry it follows."""
    if isinstance(value, dict) and type(value.get("link")) is int and value["link"] >= 1:
        shape = LINKS[value["link"] > 1]
        if set(value) == set(shape) and all(type(value[name]) is kind for name, kind in shape.items()):
            return
    raise Bad(f"{where}: its link is none: {quoted(value)}")


def check_entry(game, seq, prev, entry, some):
    """Check that an entry is the next of its chain; return its hash. some: the fields it may have besides."""
    where = f"entry {seq}"
    if set(entry) - some != ENTRY or entry["type"] != "entry":
        raise Bad(f"{where}: expected an entry with exactly the fields of an entry")
    if "extra" in entry:
        if not isinstance(entry["extra"], dict) or not entry["extra"]:
            raise Bad(f"{where}: its extra is not an object with at least one member")
        check_extra(where, entry["extra"])
    if "link" in entry:
        check_link(where, entry["link"])
    if (
        type(entry["seq"]) is not int
        or type(entry["game"]) is not int
        or (entry["game"], entry["seq"]) != (game, seq)
    ):
        raise Bad(f"{where}: is missing, or belongs to another game")
    if (entry["kind"] == "start") != (seq == 0):
        raise Bad(f"{where}: a game has exactly one start entry, and it is the first")
    if entry["prev"] != prev:
        raise Bad(f"{where}: does not follow the one before")
    hashed = {name: value for name, value in entry.items() if name not in ("type", "hash")}
    for name in ("at", "wall"):
        hashed[name] = time_of(where, entry[name])
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    if hashlib.sha256(text.encode("ascii")).hexdigest() != entry["hash"]:
        raise Bad(f"{where}: was changed; its hash does not match")
    return entry["hash"]


def must_be_sealed(entry):
    """Whether no sealed game is without a seal under this entry: it starts, is left, ends, or has a link."""
    ends = isinstance(entry["result"], dict) and entry["result"].get("over")
    return bool(entry["kind"] in ("start", "leave") or ends or "link" in entry)


def check_first_line(first, start, hashes, sealed):
    """Check what the first line says of the others."""
    if not isinstance(start["answer"], dict):
        raise Bad("entry 0: does not name the game")
    expected = dict(start["answer"], edition=start["edition"], entries=len(hashes), head=hashes[-1])
    if first["format"] > 1:
        expected["seals"] = len(sealed)
    for name, value in expected.items():
        if name not in first or quoted_whole(first[name]) != quoted_whole(value):
            raise Bad(f"line 1: says {quoted(name)} {quoted(first.get(name))}; it is {quoted(value)}")
    if set(first) - set(expected) - {"players"} != {"format", "game", "type"}:  # names are proven by nothing
        raise Bad("line 1: has unknown fields")


def quoted_whole(value):
    """Return a value as text that tells 1 from 1.0 and from true."""
    return json.dumps(value, sort_keys=True)


def check_seal(game, seal, hashes):
    """Check a signature under one of the entries so far; return which."""
    if (
        set(seal) != {"game", "key", "seq", "signature", "type"}
        or type(seal["game"]) is not int
        or seal["game"] != game
    ):
        raise Bad(f"game {game}: a line is not a seal of this game")
    seq = seal["seq"]
    where = f"seal of entry {quoted(seq)}"
    if type(seq) is not int or not 0 <= seq < len(hashes):
        raise Bad(f"{where}: there is no such entry")
    key, signature = (unhexed(seal[name], size) for name, size in (("key", 32), ("signature", 64)))
    message = f"referee seal 1\n{game}\n{seq}\n{hashes[seq]}\n".encode("ascii")
    if key is None or signature is None or not ed25519(key, signature, message):
        raise Bad(f"{where}: does not match")
    return seq


def unhexed(text, size):
    """Return the bytes of lower-case hex digits, None if it is not so many of them."""
    if not isinstance(text, str) or len(text) != 2 * size or set(text) - set("0123456789abcdef"):
        return None
    return bytes.fromhex(text)


def read(stream, head=None, key=None):
    """Verify an export, a binary stream; return its Game. Raises Bad or Unreadable."""
    values = objects(stream)
    game = Game(first_of(values))
    some = SOME if game.first["format"] > 2 else set()
    for value in values:
        if value.get("type") == "seal":
            seq = check_seal(game.number, value, game.hashes)
            if seq in game.sealed:
                raise Bad(f"seal of entry {seq}: is there twice")
            game.sealed.add(seq)
            game.keys[value["key"]] = True
            game.seals[seq] = value["key"]
            continue
        hashes = game.hashes
        hashes.append(check_entry(game.number, len(hashes), hashes[-1] if hashes else "", value, some))
        game.start = game.start or value
        if must_be_sealed(value):
            game.needed.append(value["seq"])
        if "link" in value:
            game.links[value["seq"]] = value["link"]
        game.note(value["seq"], value.get("extra", {}))
    if game.start is None:
        raise Bad("there are no entries")
    check_first_line(game.first, game.start, game.hashes, game.sealed)
    check_seals(game)
    if game.first.get("book") == "tournament":
        check_terms(game, game.start.get("extra", {}).get("event"))
    if head is not None and not (8 <= len(head) <= 64 and not set(head.lower()) - set("0123456789abcdef")):
        raise Bad(f"--head: expected 8 to 64 hex digits of an entry's hash, got {quoted(head)}")
    if head is not None and not any(each.startswith(head.lower()) for each in game.hashes):
        raise Bad(f"no entry has the hash {quoted(head)}")
    if key and list(game.keys) != [key.lower()]:
        raise Bad(f"it is not sealed with that key, but with {', '.join(game.keys) or 'none'}")
    return game


def check_seals(game):
    """Check that no seal is missing. What was written before there were links may be older than the box's key."""
    linked = min(game.links, default=len(game.hashes))
    since = 0 if any(seq < linked for seq in game.sealed) else linked
    for seq in game.needed:
        if seq >= since and seq not in game.sealed:
            raise Bad(f"seal of entry {seq}: is missing")


def check_terms(game, event):
    """Check the record of an event: the event key certified each hall, and each seal is by the hall of its term."""
    key, last = unhexed(event, 32), 0
    if key is None or 1 not in game.terms:
        raise Bad("entry 1: expected the first term of the event")
    for seq, term in game.terms.items():
        number, hall, proof = (
            term.get(name) if isinstance(term, dict) else None for name in ("number", "hall", "proof")
        )
        signature = unhexed(proof, 64)
        if type(number) is not int or number <= last or unhexed(hall, 32) is None or signature is None:
            raise Bad(f"entry {seq}: expected a term with a higher number than those before")
        message = f"referee statement: hall term\n{event}\n{number}\n{hall}\n".encode("ascii")
        if not ed25519(key, signature, message):
            raise Bad(f"entry {seq}: term {number} is not certified by the event key")
        last = number
    for seq, by in game.seals.items():
        term = game.terms[max(each for each in game.terms if each <= max(1, seq))]
        if by != term["hall"]:
            raise Bad(f"seal of entry {seq}: is not by the hall of term {term['number']}")


def compare(games):
    """Check that games of one box fit each other: each follows what its links name, and none was played twice."""
    entries, links = {}, {}
    for game in games:
        for seq, value in enumerate(game.hashes):
            if entries.setdefault((game.number, seq), value) != value:
                raise Bad(
                    f"game {game.number}, entry {seq}: there are two; the journal was set back, or written anew"
                )
        for seq, link in game.links.items():
            if links.setdefault(link["link"], (game.number, seq)) != (game.number, seq):
                raise Bad(f"link {link['link']}: there are two; the journal was set back, or written anew")
    for game in games:
        for seq, link in game.links.items():
            after = (link.get("game"), link.get("seq"))
            known = any(other.number == after[0] for other in games)
            if known and entries.get(after) != link["hash"]:
                raise Bad(
                    f"game {game.number}, entry {seq}: follows entry {after[1]} of game {after[0]}, not this one"
                )


def verify(stream, head=None, key=None):
    """Verify an export, a binary stream; return the lines to print. Raises Bad or Unreadable."""
    return report(read(stream, head, key))


def report(game):
    """Return the lines that say what holds."""
    first, hashes = game.first, game.hashes
    what = f"game {game.number} of {quoted(first.get('book'))}, format {first['format']}"
    lines = [f"{what}: {len(hashes)} entries verified, head {hashes[-1]}"]
    if game.sealed:
        where = f"the last at entry {max(game.sealed)} of {len(hashes) - 1}"
        lines.append(f"{len(game.sealed)} seals verified, {where}, by {', '.join(game.keys)}")
    else:
        lines.append("it is not sealed: nothing shows who wrote it, or that it was not written anew")
    if game.terms:
        event = game.start.get("extra", {}).get("event")
        lines.append(f"{len(game.terms)} terms verified, certified by the event key {quoted(event)}")
    for seq, link in sorted(game.links.items()):
        after = f"entry {link['seq']} of game {link['game']}" if "seq" in link else f"{link['games']} older games"
        lines.append(f"entry {seq} is link {link['link']} of the journal, after {after}")
    return lines


SHOWN = (
    "Nothing was changed, inserted or removed from the middle. Up to its last seal, a game was written by the holder",
    "of that key. This does not show who has the key, nor whether more was written after these entries, in this game",
    "or another: compare key and head with those noted elsewhere.",
)


def main(arguments=None):
    """Run the program; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="+", help="exported game; several of one box are compared with each other")
    parser.add_argument("--head", help="hash that an entry of each file must have, or its first digits, 8 or more")
    parser.add_argument("--key", help="public key that must have sealed each game")
    options = parser.parse_args(arguments)
    games = []
    for name in options.file:
        where = f"{quoted(name)}: " if len(options.file) > 1 else ""
        try:
            with Path(name).open("rb") as stream:
                games.append(read(stream, options.head, options.key))
        except (OSError, Unreadable) as fault:
            sys.stderr.write(f"verify_export: {where}cannot be read: {fault}\n")
            return 2
        except Bad as fault:
            sys.stderr.write(f"verify_export: {where}{fault}\n")
            return 1
    try:
        compare(games)
    except Bad as fault:
        sys.stderr.write(f"verify_export: {fault}\n")
        return 1
    lines = [*(line for game in games for line in report(game)), *SHOWN]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
