"""A reader of dice: a process that writes one line of JSON a throw (docs/dice.md).

What it says is checked as if anybody could have said it. One that ends, hangs or floods is ended with everything it
started, named, and started again after a pause that grows.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from hardware.errors import DeviceClosed
from hardware.events import DOUBTS, SEAT_KEYS, Battery, DiceEvent, Disturbed, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Gap, Presence, Unreadable

LONGEST: Final = 4096
"""Bytes of the longest line."""

MOST: Final = 30
"""Dice of one throw, and dice with a name of one reader."""

LINES, PER = 100, 10.0
"""A reader that writes more lines than this within so many seconds floods."""

GAP: Final = 0.02
"""Seconds between two events of one reader: a key never waits for more than one of them."""

FIRST, SILENCE = 30.0, 10.0
"""Seconds without a line after which a reader hangs: after its start, and later."""

PAUSES: Final = (1.0, 60.0)
"""Seconds before a reader is started again: the first time, and at most; each pause is twice the one before."""

PATIENCE: Final = 2.0
"""Seconds that a reader gets to end by itself."""

AGO: Final = 3600.0
"""Seconds for which dice may roll."""

_NAME = re.compile(r"[0-9A-Za-z_-]{1,8}")
_PICTURE = re.compile(r"[0-9a-f]{64}")
_OPTIONAL: Final = ("dice", "seat", "certainty", "why", "ago", "picture")
_TEXT: Final = 60
_logger = logging.getLogger(__name__)

Answer: TypeAlias = Mapping[str, Any]
"""What a reader answers when it was told something: the object in its member ``answer``, unchecked."""


class Odd(Exception):
    """A line that no reader may write; says what was wrong with it."""


def _expect(holds: object, what: str) -> None:
    if not holds:
        raise Odd(what)


def parsed(line: bytes) -> dict[str, Any]:
    """Return the object in a line. Raises Odd."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise Odd("a line is not JSON") from None
    _expect(isinstance(value, dict), "a line is no JSON object")
    return dict(value)


def _text(value: Any) -> str:
    _expect(isinstance(value, str), "expected a text")
    return "".join(each if " " <= each <= "~" else "?" for each in value[:_TEXT])


def _whole(value: Any, most: int, what: str) -> int:
    _expect(type(value) is int and 0 <= value <= most, f"{what}: expected 0 to {most}")
    return int(value)


class ReaderTalk:
    """Lines in, throws out; pure. Times are seconds of one monotonic clock."""

    def __init__(
        self,
        sink: Callable[[DiceEvent], None],
        report: Callable[[Presence], None],
        answer: Callable[[Answer], None] = lambda _: None,
    ) -> None:
        """``answer`` takes what the reader answers."""
        self._sink = sink
        self._report = report
        self._answer = answer
        self._there = False
        self._number: int | None = None
        self._odd = False  # a throw may be lost, or may come again: the next one is in doubt
        self._told = False
        self._names: set[str] = set()
        self._error = ""
        self._kinds: dict[str, Callable[[dict[str, Any], float], None]] = {
            "throw": self._throw, "moved": self._moved, "battery": self._battery, "lost": self._lost,
            "found": self._found, "error": self._fault, "answer": self._answered,
        }  # fmt: skip

    def line(self, line: bytes, now: float) -> None:
        """Take a line; of those that cannot be read the first is told, until there was a throw that can."""
        try:
            value = parsed(line)
            kind = next(iter(value), "")
            _expect(not value or kind in self._kinds, f"{_text(kind)!r} says nothing")
            if not self._there:
                self._there = True
                self._report(Connected("", now))
            if value:
                self._kinds[kind](value, now)
        except Odd as odd:
            self._odd = True
            if not self._told:
                self._told = True
                self._report(Unreadable(line[:120], now, str(odd)))

    def ended(self, why: str, now: float) -> None:
        """The process is gone: what comes next may be an old throw."""
        self._there, self._number, self._odd = False, None, True
        self._names.clear()
        self._report(Disconnected(why, now, f"{self._error or why}."))
        self._error = ""

    def _throw(self, value: dict[str, Any], now: float) -> None:
        known = {"throw", "faces", "sure"} <= value.keys() <= {"throw", "faces", "sure", *_OPTIONAL}
        _expect(known, "a throw needs throw, faces and sure")
        number, sure, why, ago = (value.get(name, 0) for name in ("throw", "sure", "why", "ago"))
        _whole(number, 2**31, "throw")
        dice = self._dice(value)
        _expect(type(sure) is bool and (why or "") in ("", *DOUBTS), "a throw has no fit sure or why")
        _expect(type(ago) in (int, float) and 0 <= ago < AGO, "a throw has no fit ago")
        unread = any(die.face is None for die in dice)
        _expect(not (sure and (unread or why)), "a throw is sure, and is not")
        self._count(number, now)
        sure, self._odd, self._told = sure and not self._odd, False, False
        if sure:
            self._sink(Thrown(dice, now - ago, now))
        else:
            self._sink(Doubt(why or ("unread" if unread else "unsure"), dice, now - ago, now))

    def _dice(self, value: dict[str, Any]) -> tuple[Reading, ...]:
        faces, picture = value["faces"], value.get("picture", "")
        _expect(isinstance(faces, list) and 0 < len(faces) <= MOST, f"faces: expected 1 to {MOST}")
        names, certainty = value.get("dice", [""] * len(faces)), value.get("certainty", [None] * len(faces))
        lists = isinstance(names, list) and isinstance(certainty, list)
        _expect(lists and len(faces) == len(names) == len(certainty), "dice and certainty: expected one a face")
        _expect(all(each is None or (type(each) is int and 1 <= each <= 6) for each in faces), "a face is not 1 to 6")
        hashed = isinstance(picture, str) and _PICTURE.fullmatch(picture)
        _expect("picture" not in value or hashed, "picture: expected a SHA-256")
        if "dice" in value:
            _expect(len({self._known(name) for name in names}) == len(names), "a die is in a throw twice")
        seat = _whole(value.get("seat", 0), len(SEAT_KEYS), "seat")
        shares = [each if each is None else _whole(each, 1000, "certainty") for each in certainty]
        return tuple(Reading(*die, picture, seat) for die in zip(faces, names, shares, strict=True))

    def _known(self, name: Any) -> str:
        _expect(isinstance(name, str) and _NAME.fullmatch(name), "a die has no fit name")
        self._names.add(name)
        _expect(len(self._names) <= MOST, f"more than {MOST} dice have names")
        return str(name)

    def _count(self, number: int, now: float) -> None:
        before, self._number = self._number, number
        if before is None:
            return
        if number <= before:  # one that counts anew is followed from here
            raise Odd(f"throw {number} came after {before}")
        if number > before + 1:
            self._report(Gap(number - before - 1, now))

    def _moved(self, value: dict[str, Any], now: float) -> None:
        self._sink(Disturbed(self._known(value["moved"]), now))

    def _battery(self, value: dict[str, Any], now: float) -> None:
        die, charging = self._known(value.get("die")), value.get("charging", False)
        self._sink(Battery(die, _whole(value["battery"], 100, "battery"), charging is True, now))

    def _lost(self, value: dict[str, Any], now: float) -> None:
        why, advice = _text(value.get("why", "")), _text(value.get("advice", ""))
        self._report(Disconnected(why, now, advice, self._known(value["lost"])))

    def _found(self, value: dict[str, Any], now: float) -> None:
        self._report(Connected("", now, self._known(value["found"])))

    def _fault(self, value: dict[str, Any], now: float) -> None:
        del now
        self._error = _text(value["error"]).rstrip(".")

    def _answered(self, value: dict[str, Any], now: float) -> None:
        del now
        _expect(isinstance(value["answer"], dict), "answer: expected an object")
        self._answer(value["answer"])


class _Ended(Exception):
    """The process is to be ended, or has ended; says why."""


class _Lines:
    """Cuts what a process writes into lines, of which it may write so many."""

    def __init__(self, now: float) -> None:
        self._rest = b""
        self._since = now
        self._lines = 0

    def cut(self, data: bytes, now: float) -> list[bytes]:
        """Return the lines that are whole. Raises _Ended where there are too many, or one is too long."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if now >= self._since + PER:
            self._since, self._lines = now, 0
        self._lines += len(lines)
        if self._lines > LINES:
            raise _Ended(f"It wrote over {LINES} lines in {PER:.0f} s")
        if any(len(line) > LONGEST for line in (*lines, self._rest)):
            raise _Ended(f"It wrote a line of over {LONGEST} bytes")
        return lines


class Reader:
    """A reader, as `hardware.ports` has dice. A thread starts its process, hears it, and starts it again.

    The process leads a group of its own, whose other processes end with it; of a session it would lose its terminal.
    """

    def __init__(
        self,
        command: Sequence[str],
        report: Callable[[Presence], None],
        *,
        greeting: Callable[[], Iterable[Mapping[str, Any]]] = tuple,
        answer: Callable[[Answer], None] = lambda _: None,
        heard: Callable[[bytes], None] = lambda _: None,
        silence: tuple[float, float] = (FIRST, SILENCE),
        pauses: tuple[float, float] = PAUSES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``greeting``: what it is told whenever it starts; ``answer``: takes its answers; ``heard``: every line."""
        self._command = tuple(command)
        self._report = report
        self._greeting = greeting
        self._answer = answer
        self._heard = heard
        self._silence = silence
        self._pauses = pauses
        self._clock = clock
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Start the process. Raises DeviceClosed if it was started before."""
        if self._thread is not None:
            raise DeviceClosed("the reader is open already: close it first")
        talk = ReaderTalk(self._paced(sink), self._paced(self._report), self._answer)
        self._thread = threading.Thread(target=self._run, args=(talk,), name="reader", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process and the thread; may be called twice."""
        self._closed.set()
        for end in (_let_go, _kill):
            with self._lock:
                if self._process is not None:
                    end(self._process)
            if self._thread is not None:
                self._thread.join(PATIENCE)

    def tell(self, words: Mapping[str, Any]) -> bool:
        """Tell it something on its standard input; return False, having told nothing, where it does not listen."""
        with self._lock:
            return self._process is not None and _write(self._process, words)

    def _paced(self, put: Callable[[Any], None]) -> Callable[[Any], None]:
        """Return a sink that a flood cannot fill faster than keys are taken out behind it."""

        def take(event: Any) -> None:
            put(event)
            self._closed.wait(GAP)

        return take

    def _run(self, talk: ReaderTalk) -> None:
        pause, longest = self._pauses
        while not self._closed.is_set():
            since = self._clock()
            why = self._once(talk)
            if self._closed.is_set():
                return
            talk.ended(why, self._clock())
            if self._clock() >= since + longest:
                pause = self._pauses[0]
            self._closed.wait(pause)
            pause = min(2 * pause, longest)

    def _once(self, talk: ReaderTalk) -> str:
        """Run the process to its end; return why it ended."""
        with self._lock:
            if self._closed.is_set():
                return ""
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0
                )
            except (OSError, ValueError) as error:
                # Where a folder on PATH may not be read, a command that is nowhere is "Permission denied".
                missing = "/" not in self._command[0] and shutil.which(self._command[0]) is None
                return f"{self._command[0]}: {'not installed' if missing else getattr(error, 'strerror', error)}"
            self._process = process
            for words in self._greeting():
                _write(process, words)
        with process:
            try:
                self._hear(process, talk)
            except _Ended as ended:
                return str(ended)
            finally:
                with self._lock:
                    self._process = None
                    _kill(process)
            code = process.wait()
            return f"It ended with {code}" if code >= 0 else f"It was killed by signal {-code}"

    def _hear(self, process: subprocess.Popen[bytes], talk: ReaderTalk) -> None:
        """Hear a process until it is gone. Raises _Ended where it has to end."""
        assert process.stdout is not None
        pipe = process.stdout.fileno()
        lines = _Lines(self._clock())
        wait, silence = self._silence
        while True:
            if not select.select([pipe], [], [], wait)[0]:
                raise _Ended(f"It was silent for {wait:.0f} s")
            data = os.read(pipe, LONGEST)
            if not data:
                return
            for line in lines.cut(data, self._clock()):
                wait = silence
                if not self._closed.is_set():
                    self._take(line, talk)
            # A child of its own may write on when the reader itself is gone.
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None and not _more(pipe):
                return

    def _take(self, line: bytes, talk: ReaderTalk) -> None:
        try:
            self._heard(line)
            talk.line(line, self._clock())
        except Exception:  # no fault of ours may let dice look like quiet ones
            _logger.exception("%r was not handled", line)


def _more(pipe: int) -> bool:
    return bool(select.select([pipe], [], [], 0)[0])


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGTERM)


def _write(process: subprocess.Popen[bytes], words: Mapping[str, Any]) -> bool:
    """Write a line without ever waiting; return whether it was written."""
    assert process.stdin is not None
    try:
        pipe = process.stdin.fileno()
        os.set_blocking(pipe, False)
        return os.write(pipe, json.dumps(words).encode() + b"\n") > 0
    except (OSError, ValueError):
        return False


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all of its group."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
