#!/usr/bin/env python3
"""Verify a game exported by the electronic referee, with nothing but Python's standard library.

    python verify_export.py GAME.jsonl [--head HASH] [--key KEY]

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
    q = (0, 1, 1, 0)
    while number:
        if number & 1:
            q = _add(q, p)
        p, number = _add(p, p), number >> 1
    return q


BASE_Y = 4 * pow(5, -1, P) % P
BASE = (_x_of(BASE_Y, 0), BASE_Y, 1, _x_of(BASE_Y, 0) * BASE_Y % P)


def ed25519(key, signature, message):
    """Whether the 64-byte signature under a message was made with the key of that 32-byte public half."""
    a, r, s = _point(key), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = _times(s, BASE), _add(r, _times(k, a))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


# -- the export ------------------------------------------------------------------------------------------------------

ENTRY = {
    "answer", "ask", "at", "by", "edition", "game", "group", "hash", "kind", "mode", "prev", "result", "rule", "seat",
    "seq", "source", "type", "wall",
}  # fmt: skip


class Bad(Exception):
    """Something does not hold."""


class Unreadable(Exception):
    """It is no export, or not one of a format this program knows."""


def once(pairs):
    """Return an object none of whose names is given twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Bad(f"a name is given twice among {', '.join(names)}")
    return dict(pairs)


def objects(lines):
    """Return the JSON objects of the lines."""
    found = []
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line.decode("ascii"), object_pairs_hook=once)
        except (ValueError, RecursionError) as fault:
            raise Unreadable(f"line {number}: {fault}") from fault
        if not isinstance(value, dict):
            raise Unreadable(f"line {number}: no JSON object")
        found.append(value)
    if not found or found[0].get("type") != "game" or found[0].get("format") not in (1, 2):
        raise Unreadable("line 1: no export of format 1 or 2")
    return found


def chain(game, entries):
    """Check the chain; return the hash of every entry."""
    hashes = []
    for seq, entry in enumerate(entries):
        where = f"entry {seq}"
        if set(entry) != ENTRY or entry["type"] != "entry":
            raise Bad(f"{where}: is no entry, or not with just the members an entry has")
        if (entry["game"], entry["seq"]) != (game, seq) or isinstance(entry["seq"], bool):
            raise Bad(f"{where}: is missing, or belongs to another game")
        if (entry["kind"] == "start") != (seq == 0):
            raise Bad(f"{where}: a game has one start, and it comes first")
        if entry["prev"] != (hashes[-1] if hashes else ""):
            raise Bad(f"{where}: does not follow from the one before")
        hashed = {name: value for name, value in entry.items() if name not in ("type", "hash")}
        hashed["at"], hashed["wall"] = float(entry["at"]), float(entry["wall"])
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        if hashlib.sha256(text.encode("ascii")).hexdigest() != entry["hash"]:
            raise Bad(f"{where}: has been changed; its hash does not fit")
        hashes.append(entry["hash"])
    return hashes


def first_line(head, entries, seals, hashes):
    """Check what the first line says of the others."""
    start = entries[0]
    told = dict(start["answer"], edition=start["edition"], entries=len(entries), head=hashes[-1])
    if head["format"] > 1:
        told["seals"] = len(seals)
    for name, value in told.items():
        if name not in head or head[name] != value:
            raise Bad(f"line 1: says {name} {head.get(name)!r}; it is {value!r}")
    if set(head) - set(told) != {"format", "game", "type"}:
        raise Bad("line 1: has members it should not have")


def check_seals(game, entries, seals, hashes):
    """Check every signature, and that none is missing; return the keys and the last sealed entry."""
    keys, sealed = [], set()
    for seal in seals:
        seq = seal.get("seq")
        if set(seal) != {"game", "key", "seq", "signature", "type"} or seal["game"] != game:
            raise Bad(f"seal of entry {seq}: is no seal of this game")
        if type(seq) is not int or not 0 <= seq < len(hashes):
            raise Bad(f"seal of entry {seq}: there is no such entry")
        key, signature = (unhexed(seal[name], size) for name, size in (("key", 32), ("signature", 64)))
        message = f"referee seal 1\n{game}\n{seq}\n{hashes[seq]}\n".encode("ascii")
        if key is None or signature is None or not ed25519(key, signature, message):
            raise Bad(f"seal of entry {seq}: does not fit")
        keys.append(seal["key"])
        sealed.add(seq)
    for entry in entries if seals else ():
        ends = isinstance(entry["result"], dict) and entry["result"].get("over")
        if (entry["kind"] in ("start", "leave") or ends) and entry["seq"] not in sealed:
            raise Bad(f"seal of entry {entry['seq']}: is missing")
    return list(dict.fromkeys(keys)), max(sealed, default=None)


def unhexed(text, size):
    """Return the bytes of lower-case hex digits, None if it is not so many of them."""
    if not isinstance(text, str) or len(text) != 2 * size or set(text) - set("0123456789abcdef"):
        return None
    return bytes.fromhex(text)


def verify(lines, head=None, key=None):
    """Verify an export; return what to tell. Raises Bad or Unreadable."""
    first, *rest = objects(lines)
    game = first.get("game")
    seals = [each for each in rest if each.get("type") == "seal"]
    entries = [each for each in rest if each.get("type") != "seal"]
    if not entries:
        raise Bad("there are no entries")
    try:
        hashes = chain(game, entries)
        first_line(first, entries, seals, hashes)
    except (TypeError, ValueError) as fault:
        raise Bad(f"a value is not of its kind: {fault}") from fault
    keys, last = check_seals(game, entries, seals, hashes)
    if head is not None and not (head and any(each.startswith(head.lower()) for each in hashes)):
        raise Bad(f"no entry has the hash {head!r}")
    if key and keys != [key.lower()]:
        raise Bad(f"it is not sealed with that key, but with {', '.join(keys) or 'none'}")
    told = [f"game {game} of {first.get('book')}: {len(entries)} entries hold, head {hashes[-1]}"]
    if seals:
        where = f"the last under entry {last} of {len(entries) - 1}"
        told.append(f"{len(seals)} seals hold, {where}, by {', '.join(keys)}")
    else:
        told.append("it is not sealed")
    told.append("Nothing was changed, inserted or taken out of the middle; up to its last seal it is what the holder")
    told.append("of that key wrote. Whether more came after the last entry, and who holds the key, it cannot show.")
    return told


def main(arguments=None):
    """Run the program; return its exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file")
    options.add_argument("--head", help="hash, or how it begins, that an entry must have")
    options.add_argument("--key", help="public key that must have sealed the game")
    given = options.parse_args(arguments)
    try:
        told = verify(Path(given.file).read_bytes().splitlines(), given.head, given.key)
    except (OSError, Unreadable) as fault:
        print(f"verify_export: cannot be read: {fault}", file=sys.stderr)  # noqa: T201
        return 2
    except Bad as fault:
        print(f"verify_export: {fault}", file=sys.stderr)  # noqa: T201
        return 1
    print("\n".join(told))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
