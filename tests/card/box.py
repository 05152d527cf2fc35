"""The box that the card is in: an emulated Pi, its player, and what is asked of it between two presses.

One serial line of the Pi is its console, the other carries the hands and what the display hears.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import threading
from pathlib import Path

from referee.config import Config, Glass, TableSettings
from referee.console.views import Notice, Refusal, Ruling
from referee.station.main import SIZE, greeting
from referee.station.virtual.bench import Bench
from tests.card.prepare import CARD, TREE
from tests.kernel.disk import Disk
from tests.kernel.eye import Blind
from tests.kernel.machine import SHIFT, Guest, Machine, MachineFault, launched
from tests.kernel.sitting import Differs, Player

LONG = 1800.0
"""Seconds until a boot or an answer is taken for failed; a boot takes a minute on an idle machine."""
SHORT = 300.0
"""Seconds until no log is waited for, of a box that has failed already."""

HOSTNAME = "table-3"

RIGHT = f"""\
[box]
hostname = "{HOSTNAME}"
ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop"

[table]
ruling_seconds = 0

[glass]
dim_minutes = 0
drift_minutes = 0
"""
"""While the guest waits for the host its clock goes on, so nothing may leave or dim by itself."""

CONFIG = Config(table=TableSettings(ruling_seconds=0), glass=Glass(dim_minutes=0, drift_minutes=0))

GROWN = 300
"""MiB that the third partition has at least, once it has grown from 64 to what the emulated card has left."""

CLOCK_KEPT = 40
"""Seconds by which the clock may have gone back: it is written down once a minute, and a start takes half of one."""

SANDBOX = (
    "pins=ok display=ok games=ok loopback=ok"
    " card=EPERM elsewhere=EROFS system=EROFS outside=EPERM netlink=EAFNOSUPPORT"
)


GLASS = b"glass "

ARGUMENTS = "module_blacklist=vchiq,bcm2835_wdt systemd.mask=wpa_supplicant@wlan0.service isolcpus=1-3"
"""The emulated board has no VideoCore, whose driver takes the kernel with it, no radio, for which systemd would wait,
and a watchdog that bites when it is set. Instructions are counted over all processors: on one, the hands take only
what nobody else wants.
"""


class Board(Machine):
    """One power-on of the card in that folder."""

    def _launch(self, guest: Guest, *far: socket.socket) -> subprocess.Popen[bytes]:
        hands, glass, monitor, disk = far
        line, plug = socket.socketpair()
        folder = guest.kernel.parent
        arguments = (folder / "cmdline.txt").read_text().strip().replace("console=tty0", "console=ttyS1,115200")
        command = [
            *("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=single"),
            *("-icount", f"shift={SHIFT},sleep=off", "-nodefaults", "-no-user-config", "-no-reboot"),
            *("-display", "none", "-chardev", f"socket,id=line,fd={plug.fileno()}", "-serial", "chardev:line"),
            *("-serial", "stdio", "-kernel", str(guest.kernel), "-initrd", str(guest.initramfs)),
            *("-dtb", str(folder / TREE), "-append", f"{arguments} {ARGUMENTS}"),
            *("-drive", f"if=sd,format=raw,file={folder / CARD}"),
            *("-chardev", f"socket,id=monitor,fd={monitor.fileno()}", "-mon", "chardev=monitor,mode=control"),
        ]
        process = launched(command, plug, monitor, disk)
        threading.Thread(target=_down, args=(hands, line), name="down", daemon=True).start()
        threading.Thread(target=_up, args=(line, hands, glass), name="up", daemon=True).start()
        return process

    def ask(self, question: str, answer: str, patience: float) -> str:
        """Let systemd be asked, see `guest/ask`; return what the group of the answer holds. Raises MachineFault."""
        self.tell(f"start 1 /bin/sh /run/test/ask {question}", patience)
        self.tell("stop 1 0", patience)  # hands that wait for its end let the guest's clock leap over idle times
        return self.hear(rf"test: {answer}\.\r?\n", patience, anew=True)

    def console_end(self) -> str:
        """Return what the console said last, for the text of a fault."""
        return self._console_end()


def _down(hands: socket.socket, line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while words := hands.recv(4096):
            line.sendall(words)


def _up(line: socket.socket, hands: socket.socket, glass: socket.socket) -> None:
    """Part what comes up the line: answers of the hands, and bytes of the display's bus."""
    with contextlib.suppress(OSError), line, hands, glass, line.makefile("rb") as lines:
        for each in lines:
            if not each.endswith(b"\n"):
                return  # the power was cut in the middle of it
            if each.startswith(GLASS):
                glass.sendall(bytes.fromhex(each[len(GLASS) :].decode()))
            else:
                hands.sendall(each)


class Box(Player):
    """One power-on of the card; the twin goes on with its own journal."""

    patience = LONG

    def __init__(self, guest: Guest, twin: Path) -> None:
        self._journal = twin
        bench = Bench(twin, CONFIG)
        self.board = Board(guest, Disk(blank=True), guest.world / "console", mount=False, boot=LONG)
        super().__init__(bench, self.board)

    def close(self) -> None:
        """Cut the power."""
        self.board.cut()
        self.twin.close()

    def again(self) -> None:
        """Let the twin start again as the station has, and compare the two. Raises Differs.

        The question on the glass before must be there again, once what a start has to say was taken away.
        """
        before = self.question()
        self.twin.close()
        self.twin = Bench(self._journal, CONFIG)
        self.look()
        self.on()
        if self.question() != before:
            raise Differs(f"{self.question()[0]} stands where {before[0]} was to be")

    def question(self) -> tuple[str, bytes]:
        """Return the question of a game, and how it is on the glass. Raises Differs if none is there."""
        prompt = self.twin.prompt
        if (
            prompt is None
            or self.twin.console.stage.top.wakes
            or isinstance(self.twin.view, (Notice, Refusal, Ruling))
        ):
            raise Differs(f"the twin shows {self.twin.text!r}, not the question of a game")
        return f"{prompt.n} {prompt.ask} {prompt.seat} {prompt.kind}", self.twin.glass.tobytes()

    def ask(self, question: str, answer: str = "(.*)") -> str:
        """Return what the guest answers. Raises MachineFault."""
        return self.board.ask(question, answer, LONG)

    def started(self) -> str:
        """Wait until systemd has started everything. Raises Differs if a unit failed."""
        return _equal(self.ask("state"), "running, failed: ")

    def card(self) -> str:
        """Look how the card is mounted. Raises Differs unless the system is read-only and the rest has grown."""
        seen = self.ask("card")
        match = re.fullmatch(rf"ro, (\d+) MiB, {HOSTNAME}", seen)
        if match is None or int(match[1]) < GROWN:
            raise Differs(f"the card is {seen!r}; expected 'ro, {GROWN} MiB, {HOSTNAME}' or more")
        return seen

    def first_light(self) -> dict[str, float]:
        """Return moments of the start, s of the guest's clock. Raises Differs if a picture came late."""
        try:
            shown, picture = self.eye.first(greeting(SIZE)), self.eye.first(self.twin.glass)
        except Blind as blind:
            raise Differs(f"splash or first picture: {blind}") from blind
        *kernels, sysinit, station = map(float, self.ask("times").split(", "))
        kernel, came, were_there = kernels
        ours, sysinit, station = were_there - came, sysinit / 1e6, station / 1e6
        if shown - ours > 2 * kernel or picture > 2 * sysinit:
            raise Differs(
                f"the splash came at {shown} s, the station's picture at {picture} s; expected the one within"
                f" twice the kernel's own {kernel} s and {ours:.2f} s for the test's drivers, the other within twice"
                f" the {sysinit} s to sysinit.target"
            )
        times = {"kernel": kernel, "the test's drivers": ours, "splash": shown, "sysinit": sysinit}
        return {name: round(at, 2) for name, at in {**times, "station": station, "picture": picture}.items()}

    def kept(self) -> tuple[str, int]:
        """Return by what others know the box, and its time of day."""
        names, clock = self.ask("kept").split(", ")
        return names, int(clock)

    def lasted(self, names: str, clock: int) -> int:
        """Return how much later than at the last power-off its clock is. Raises Differs if it is another box.

        Also if the clock is earlier than what systemd has kept of it.
        """
        now, later = self.kept()
        _equal(now, names)
        if later < clock - CLOCK_KEPT:
            raise Differs(f"the clock is {clock - later} s before the last power-off")
        return later - clock

    def hang(self) -> str:
        """Halt the station until systemd ends it. Raises Differs unless it comes back to the same question."""
        self.ask("kill SIGSTOP", "(killed)")
        answer = self.ask("restarted 1")
        self.again()
        return answer

    def sandbox(self) -> str:
        """Try from the station's sandbox what it may do and what it may not. Raises Differs."""
        return _equal(self.ask("sandbox"), SANDBOX)

    def stop(self) -> float:
        """Stop the station; return how long it took, s of the guest's clock. Raises Differs unless all is dark."""
        state, before, after = self.ask("stop").split(", ")
        took = round(float(after) - float(before), 1)
        if state != "inactive" or took > 5 or self.eye.image.getbbox() is not None:
            raise Differs(
                f"after a stop of {took} s the station is {state}; expected inactive within 5 s, glass dark"
            )
        return took

    def journal(self) -> str:
        """Return the end of the system's log, else why it cannot be had."""
        try:
            return self.board.ask("journal", r"log\.\r?\n(?s:(.*))\r?\ntest: end", SHORT)
        except MachineFault as fault:
            return str(fault)


def _equal(value: str, wanted: str) -> str:
    if value != wanted:
        raise Differs(f"{value!r} where {wanted!r} was to be")
    return value
