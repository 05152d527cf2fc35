"""The guest's disk: served over NBD from memory, with a write cache that the power cut takes away.

What the guest has flushed survives a cut. What it has only written survives or not, block by block, by lot: that is
what a disk may do, and more than killing a virtual machine does, whose host would still hold every write.
"""

from __future__ import annotations

import random
import socket
import struct
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from tests.kernel.prepare import run

BLOCK = 4096
"""Bytes that a disk writes whole or not at all."""

CHUNK = 1 << 20
"""Bytes of which none is written to a file where all are zero."""

_GREETING = struct.pack(">QQH", 0x4E42444D41474943, 0x49484156454F5054, 3)
_OPTION = struct.Struct(">QII")
_REPLY = struct.Struct(">QIII")
_REQUEST = struct.Struct(">IHHQQI")
_ANSWER = struct.Struct(">IIQ")
_GO, _ACK, _INFO, _UNKNOWN = 7, 1, 3, 0x80000001
_READ, _WRITE, _LEAVE, _FLUSH = range(4)
_FUA = 1
_FEATURES = 1 | 4 | 8
"""Flags are given; flushes and writes with forced unit access are understood."""


class Disk:
    """A disk of `mib`, empty ext4 unless `blank`. One machine at a time may have it.

    ``flushes``  how often the guest asked for what it had written to be kept
    ``at_stake`` blocks that were written but not flushed when the power was cut, over all cuts
    ``dropped``  how many of these the cuts took back
    """

    def __init__(self, mib: int = 32, *, blank: bool = False) -> None:
        self._data = bytearray(mib << 20)
        self._unsynced: dict[int, bytes] = {}
        self._served: threading.Thread | None = None
        self._trip: tuple[int, Callable[[], None]] | None = None
        self.flushes = self.at_stake = self.dropped = 0
        if not blank:
            with tempfile.NamedTemporaryFile() as file:
                file.truncate(mib << 20)
                run("mkfs.ext4", "-q", "-F", "-b", str(BLOCK), file.name)
                self._data[:] = Path(file.name).read_bytes()

    def serve(self) -> socket.socket:
        """Return the machine's end of a connection; closing it is the end of this power-on."""
        here, there = socket.socketpair()
        self._served = threading.Thread(target=self._serve, args=(here,), name="disk", daemon=True)
        self._served.start()
        return there

    def trip(self, after: int, act: Callable[[], None]) -> None:
        """Do something the moment one more than so many requests have come; that one is not carried out."""
        self._trip = after, act

    def cut(self, chance: random.Random | None = None) -> None:
        """Call after the machine is dead: settle by lot what was not flushed; without a lot everything is kept."""
        if self._served is not None:
            self._served.join()
        self._trip = None
        self.at_stake += len(self._unsynced)
        mercy = chance.choice((0.0, 0.5, 0.9)) if chance else 1.0
        for block, before in sorted(self._unsynced.items()):
            if chance and chance.random() >= mercy:
                self._data[block * BLOCK : (block + 1) * BLOCK] = before
                self.dropped += 1
        self._unsynced.clear()

    def save(self, path: Path) -> None:
        """Write what is on the disk to a file."""
        with path.open("wb") as file, memoryview(self._data) as data:
            for at in range(0, len(data), CHUNK):
                piece = bytes(data[at : at + CHUNK])
                if piece != bytes(len(piece)):
                    file.seek(at)
                    file.write(piece)
            file.truncate(len(data))

    # -- the protocol: https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md

    def _serve(self, machine: socket.socket) -> None:
        with machine:
            try:
                self._greet(machine)
                while self._request(machine):
                    pass
            except ConnectionError:
                pass  # the power was cut

    def _greet(self, machine: socket.socket) -> None:
        machine.sendall(_GREETING)
        _take(machine, 4)
        option = 0
        while option != _GO:
            _, option, length = _OPTION.unpack(_take(machine, _OPTION.size))
            _take(machine, length)
            if option == _GO:
                description = struct.pack(">HQH", 0, len(self._data), _FEATURES)
                machine.sendall(_REPLY.pack(0x3E889045565A9, option, _INFO, len(description)) + description)
            kind = _ACK if option == _GO else _UNKNOWN
            machine.sendall(_REPLY.pack(0x3E889045565A9, option, kind, 0))

    def _request(self, machine: socket.socket) -> bool:
        _, flags, kind, cookie, start, length = _REQUEST.unpack(_take(machine, _REQUEST.size))
        data = b""
        if kind == _LEAVE or self._tripped():
            return False
        if kind == _READ:
            data = bytes(self._data[start : start + length])
        elif kind == _WRITE:
            self._write(start, _take(machine, length), durable=bool(flags & _FUA))
        elif kind == _FLUSH:
            self.flushes += 1
            self._unsynced.clear()
        machine.sendall(_ANSWER.pack(0x67446698, 0, cookie) + data)
        return True

    def _tripped(self) -> bool:
        if self._trip is None:
            return False
        left, act = self._trip
        self._trip = (left - 1, act) if left else None
        if not left:
            act()
        return not left

    def _write(self, start: int, data: bytes, *, durable: bool) -> None:
        for block in range(start // BLOCK, -(-(start + len(data)) // BLOCK)):
            if durable:
                self._unsynced.pop(block, None)
            elif block not in self._unsynced:
                self._unsynced[block] = bytes(self._data[block * BLOCK : (block + 1) * BLOCK])
        self._data[start : start + len(data)] = data


def _take(machine: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = machine.recv(size - len(parts))
        if not part:
            raise ConnectionResetError
        parts += part
    return bytes(parts)
