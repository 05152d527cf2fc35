"""Starts by itself on the Pico: pins, clock and the serial line over USB around board.py. MicroPython.

Traps of the RP2040 this is built around: after `poll` only `read(1)` is sure not to block; a write is at most one
frame, shorter than a USB packet; Ctrl-C stays what it is (no frame contains one), so that a new version can be
installed at any time.
"""

import os
import select
import sys
import time

import machine
import pins
import wire
from board import VERSION, Board

MOST = 64
"""Bytes read before the contacts are looked at again."""


class Uptime:
    """Milliseconds since the start; `ticks_ms` alone wraps after 12 days."""

    def __init__(self):
        self._last = time.ticks_ms()
        self._total = 0

    def __call__(self):
        """Return the time."""
        ticks = time.ticks_ms()
        self._total += time.ticks_diff(ticks, self._last)
        self._last = ticks
        return self._total


def name_of_this_run():
    """Return a number from 1 to 0xffffff that no former run is likely to have had."""
    return int.from_bytes(os.urandom(3), "big") or 1


def read(stdin, poller):
    """Wait a millisecond for bytes; return what has come."""
    data = b""
    timeout = 1
    while len(data) < MOST and poller.poll(timeout):
        data += stdin.read(1)
        timeout = 0
    return data


def run(stdin, stdout, poller):
    """Be an input board on two byte streams, for ever."""
    clock = Uptime()
    link = wire.Link(name_of_this_run(), VERSION, clock())
    contacts = {name: machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for name, pin in pins.CONTACTS.items()}
    lamps = {name: machine.Pin(pin, machine.Pin.OUT, value=0) for name, pin in pins.LAMPS.items()}
    board = Board(link, contacts, lamps)
    while True:
        board.step(read(stdin, poller), clock())
        for frame in link.outgoing():
            stdout.write(frame)


def start():
    """Run on the board's USB line; after a fault start anew, with time for Ctrl-C before that."""
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    try:
        run(sys.stdin.buffer, sys.stdout.buffer, poller)
    except Exception as error:  # noqa: BLE001 - whatever it was, a board that stands still helps nobody
        sys.print_exception(error)
        time.sleep(3)
        machine.reset()


if __name__ == "__main__":
    start()
