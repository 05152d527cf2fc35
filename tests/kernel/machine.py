"""A virtual machine that can be switched on, told what to do, and whose power can be cut."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, Self, TypeAlias

from tests.kernel.prepare import CACHE, PROJECT

BOOT = 180.0
"""Seconds until the guest must answer; it takes 6 on an idle machine, and many times that on a busy one."""

PATIENCE = 120.0
"""Seconds until a command must be answered."""

SHIFT = 1
"""An instruction takes 2**SHIFT ns of a clock that counts instructions: 500 million a second."""

Pace: TypeAlias = Literal["free", "counted", "skipping"]
"""What the guest's clock is: the host's; the instructions it executed, and the host's while it is idle; or only the
instructions, with idle times left out. With the last two a busy host does not stretch what happens in the guest.
"""

COMMAND_LINE = "console=ttyS0 quiet panic=-1 nokaslr mitigations=off no_timer_check random.trust_cpu=on"


class MachineFault(Exception):
    """The guest did not do as it was told; the text ends with what its console said last."""


class Tap(NamedTuple):
    """When a contact closed and when it began to open, s of the guest's clock, and whether that was one press.

    It is not when the machine under the guest held up the hands in the middle of a bounce.
    """

    down: float
    up: float
    clean: bool


class Machine:
    """One power-on of the guest: its hands are told with `tell`, what its display hears comes out of `glass`."""

    def __init__(self, kernel: tuple[Path, Path], disk: Path, console: Path, pace: Pace = "free") -> None:
        self.console = console
        console.unlink(missing_ok=True)
        self.glass, far_glass = socket.socketpair()
        self._hands, far_hands = socket.socketpair()
        self._hands.settimeout(BOOT)
        self._answers = self._hands.makefile("r", encoding="utf-8")
        self.began = time.monotonic()
        with console.open("ab") as out:
            self.process = subprocess.Popen(
                _command(kernel, disk, pace, far_hands.fileno(), far_glass.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                pass_fds=(far_hands.fileno(), far_glass.fileno()),
            )
        far_glass.close()
        far_hands.close()
        try:
            self._expect("ready")
        except BaseException:
            self.cut()
            raise
        self.booted = time.monotonic() - self.began
        self._hands.settimeout(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    def tell(self, command: str, patience: float = PATIENCE) -> list[str]:
        """Let the hands do something; return the words of their answer. Raises MachineFault."""
        self._hands.settimeout(patience)
        self._hands.sendall(f"{command}\n".encode())
        return self._expect("ok", command)

    def start(self, *arguments: str) -> None:
        """Start a Python program on the project's files: module or path, then arguments. See `guest/init`."""
        environment = (
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=/tmp",
            "LG_WD=/run",
            "PYTHONUNBUFFERED=1",
            "PYTHONDONTWRITEBYTECODE=1",
            f"PYTHONPATH=/srv:/srv/{(CACHE / 'site').relative_to(PROJECT)}",
        )
        within = "/bin/chroot /host /usr/bin/env -i -C /srv"
        self.tell(f"start {within} {' '.join(environment)} {_python()} {' '.join(arguments)}")

    def stop(self, signal: int) -> int:
        """End what was started; return its exit status."""
        return int(self.tell(f"stop {int(signal)}")[0])

    def tap(self, offset: int, *, lead: int = 0, ms: int = 60, bounces: int = 0, seed: int = 1) -> Tap:
        """Wait `lead` ms of the guest's time, then press the key on a line for `ms`."""
        self.press(offset, lead=lead, ms=ms, bounces=bounces, seed=seed)
        down, up, least, most = (int(word) for word in self._expect("ok", "tap"))
        return Tap(down / 1e9, up / 1e9, least == most == 1)

    def press(self, offset: int, *, lead: int = 0, ms: int = 60, bounces: int = 0, seed: int = 1) -> None:
        """Let the hands begin a tap, and do not wait for it."""
        self._hands.sendall(f"tap {offset} {lead} {ms} {bounces} {seed}\n".encode())

    def hear(self, pattern: str, patience: float = PATIENCE) -> str:
        """Wait for a line on the console; return what the pattern's group holds. Raises MachineFault."""
        end = time.monotonic() + patience
        while not (found := re.search(pattern, self.console.read_text(encoding="utf-8", errors="replace"))):
            if time.monotonic() > end or self.process.poll() is not None:
                raise MachineFault(f"{pattern!r} was not heard{self._said()}")
            time.sleep(0.02)
        return found[1]

    def value(self, offset: int) -> int:
        """Return the level of a line."""
        return int(self.tell(f"value {offset}")[0])

    def cut(self) -> None:
        """Cut the power: the guest gets no chance to do anything any more. May be called twice."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        for end in (self._answers, self._hands, self.glass):
            end.close()

    def _expect(self, word: str, command: str = "power on") -> list[str]:
        try:
            line = self._answers.readline()
        except OSError as error:
            raise MachineFault(f"no answer to {command!r}: {error}{self._said()}") from error
        found, *words = line.split() or [""]
        if found != word:
            raise MachineFault(f"{command!r} was answered {line.strip()!r}{self._said()}")
        return words

    def _said(self) -> str:
        text = self.console.read_text(encoding="utf-8", errors="replace")
        return f"; the guest's console ends:\n{text[-3000:]}"


def _python() -> str:
    """Return where the guest finds this interpreter; the project is at /srv there."""
    path = Path(sys.executable).absolute()
    return f"/srv/{path.relative_to(PROJECT)}" if path.is_relative_to(PROJECT) else str(path)


def _pace(pace: Pace) -> tuple[str, ...]:
    if pace == "free":
        return ("-accel", "tcg,thread=multi", "-smp", str(min(2, os.cpu_count() or 1)))
    return ("-accel", "tcg", "-icount", f"shift={SHIFT},sleep={'on' if pace == 'counted' else 'off'}")


def _command(kernel: tuple[Path, Path], disk: Path, pace: Pace, hands: int, glass: int) -> tuple[str, ...]:
    nine = "local,readonly=on,security_model=none,multidevs=remap"
    return (
        "qemu-system-x86_64",
        *_pace(pace),
        *("-cpu", "max", "-m", "512"),
        *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio"),
        *("-kernel", str(kernel[0]), "-initrd", str(kernel[1]), "-append", COMMAND_LINE),
        *("-drive", f"file={disk},format=raw,if=virtio,cache=writeback"),
        *("-virtfs", f"{nine},path=/,mount_tag=host"),
        *("-virtfs", f"{nine},path={PROJECT},mount_tag=project"),
        *("-device", "virtio-serial-pci"),
        *("-chardev", f"socket,id=hands,fd={hands}", "-device", "virtserialport,chardev=hands,nr=1"),
        *("-chardev", f"socket,id=glass,fd={glass}", "-device", "virtserialport,chardev=glass,nr=2"),
    )
