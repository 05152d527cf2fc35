"""Seals: signatures under the head of a chain, made with a key that only the box has.

A chain shows every change inside it, but whoever writes all of it anew gets a chain that holds. He cannot get the
seals, unless he has the key too. So a seal proves that the entries up to its own were written by the holder of that
key and in that order; that the holder is this box is known by comparing the public key with one noted elsewhere. It
cannot prove that nothing came after the last seal, nor what time it was.

The key is an Ed25519 key (RFC 8032). It lies beside the journal in ``referee.key``, readable by its owner alone; the
public halves of it and of all that went before are lines of ``referee.pub``, the newest last.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from referee.errors import JournalError
from referee.files import durable

if TYPE_CHECKING:
    from nacl.signing import SigningKey

PRIVATE, PUBLIC = "referee.key", "referee.pub"

_SEED = re.compile(r"[0-9a-f]{64}\n")
_HEX = re.compile(r"[0-9a-f]{64}")
_making = Lock()


@dataclass(frozen=True, slots=True)
class Seal:
    """A signature under entry ``seq`` of a game. ``key``: public key, ``signature``: both in hex."""

    seq: int
    key: str
    signature: str


def message(game: int, seq: int, head: str) -> bytes:
    """Return what is signed: that entry ``seq`` of the game has the hash ``head``."""
    return f"referee seal 1\n{game}\n{seq}\n{head}\n".encode("ascii", "backslashreplace")


def holds(seal: Seal, game: int, head: str) -> bool:
    """Whether the seal fits that entry."""
    return _signed(seal.key, seal.signature, message(game, seal.seq, head))


@dataclass(frozen=True, slots=True)
class Statement:
    """What a box signs besides entries: a label that says what it is, and lines of printable ASCII.

    No statement is a seal, whatever its lines are, so nobody can have a seal signed by asking for a statement.
    """

    label: str
    lines: tuple[str, ...]

    def message(self) -> bytes:
        """Return what is signed. Raises ValueError for a label or a line that could pass for something else."""
        for text in (self.label, *self.lines):
            if not (text.isascii() and text.isprintable()):
                raise ValueError(f"expected printable ASCII in one line, got {text!r:.60}")
        return "".join(f"{line}\n" for line in (f"referee statement: {self.label}", *self.lines)).encode("ascii")

    def signed(self, key: str, signature: str) -> bool:
        """Whether the signature is that of this key under this statement; both in hex."""
        return _signed(key, signature, self.message())


def _signed(key: str, signature: str, text: bytes) -> bool:
    from nacl.exceptions import CryptoError
    from nacl.signing import VerifyKey

    try:
        VerifyKey(bytes.fromhex(key)).verify(text, bytes.fromhex(signature))
    except (CryptoError, ValueError, TypeError):
        return False
    # A signature has one spelling, so that no change of a letter's case passes.
    return key + signature == (key + signature).lower()


class Signer:
    """The key of a box. ``public``: its public half, in hex."""

    def __init__(self, key: SigningKey) -> None:
        self._key = key
        self.public = key.verify_key.encode().hex()

    def seal(self, game: int, seq: int, head: str) -> Seal:
        """Seal entry ``seq`` of a game, whose hash is ``head``."""
        return Seal(seq, self.public, self._key.sign(message(game, seq, head)).signature.hex())

    def sign(self, statement: Statement) -> str:
        """Sign a statement; return the signature in hex."""
        return self._key.sign(statement.message()).signature.hex()


def signer(folder: Path) -> Signer:
    """Return the signer whose key lies in ``folder``; make a key where there is none. Raises JournalError."""
    with _making:  # the journal and the line to a hall ask for the key of a new box at the same time
        return _signer_of(folder)


def _signer_of(folder: Path) -> Signer:
    path = folder / PRIVATE
    try:
        if not path.exists():
            return fresh(folder)
        text = path.read_text(encoding="ascii", errors="replace")
        if not _SEED.fullmatch(text):
            raise JournalError(f"{path} is not a key; move it away and a new one is created")
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        key = _signer(bytes.fromhex(text))
        publish(folder, key.public)
    except OSError as fault:
        raise JournalError(f"{path}: the key cannot be read: {fault.strerror}") from fault
    return key


def fresh(folder: Path) -> Signer:
    """Make a new key, in the place of the one that may be there. Raises JournalError.

    Its public half is on the disk first, so that no seal is ever made with a key nobody knows.
    """
    seed = os.urandom(32)
    key = _signer(seed)
    try:
        publish(folder, key.public)
        durable.replace(folder / PRIVATE, seed.hex() + "\n", 0o600)
    except OSError as fault:
        raise JournalError(f"{folder / PRIVATE}: the key cannot be saved: {fault.strerror}") from fault
    return key


def known(folder: Path) -> list[str]:
    """Return the public keys of the box whose journal lies in ``folder``, oldest first. Raises JournalError."""
    path = folder / PUBLIC
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise JournalError(f"{path} cannot be read: {fault.strerror}") from fault
    keys = text.split()
    for key in keys:
        if not _HEX.fullmatch(key):
            raise JournalError(f"{path}: expected one public key of 64 hex digits a line, got {key[:70]!r}")
    return keys


def _signer(seed: bytes) -> Signer:
    # Imported here: it takes 20 ms and 4 MiB, which the first picture on the glass need not wait for.
    from nacl.signing import SigningKey

    return Signer(SigningKey(seed))


def publish(folder: Path, public: str) -> None:
    """Note a public key, in hex, whose seals in this folder are to be believed. Raises OSError, JournalError."""
    keys = known(folder)
    if public not in keys:
        durable.replace(folder / PUBLIC, "".join(f"{key}\n" for key in [*keys, public]), 0o644)
