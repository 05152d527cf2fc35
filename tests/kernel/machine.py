"""A virtual machine that can be switched on, told what to do, and whose power can be cut."""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import re
import shlex
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.kernel.disk import Disk
from tests.kernel.world import INTERPRETER, SITE

BOOT = 180.0
"""Seconds until the guest must answer; it takes 6 on an idle machine, and many times that on a busy one."""

PATIENCE = 120.0
"""Seconds until a command must be answered."""

SHIFT = 1
"""An instruction takes 2**SHIFT ns of the guest's clock, which leaps over the times when it has nothing to do: a busy
host cannot stretch what happens in the guest."""

MEMORY = 360
"""MiB of the guest."""

COMMAND_LINE = (
    "console=ttyS0 quiet panic=-1 nokaslr mitigations=off no_timer_check random.trust_cpu=on cryptomgr.notests=1"
)
"""The kernel's tests of its ciphers are left out: they take long where instructions are counted."""


class MachineFault(Exception):
    """The guest did not do as it was told; the text ends with what its console said last."""


class Guest(NamedTuple):
    """What a virtual machine is made of.

    ``saved``: state of a machine that has booted and waits with the referee imported, its journal's disk not yet
    mounted; None where every power-on boots.
    """

    kernel: Path
    initramfs: Path
    world: Path
    project: Path
    saved: Path | None = None


class Machine:
    """One power-on of the guest: its hands are told with `tell`, what its display hears comes out of `glass`.

    It goes on from the guest's saved state where there is one, else it boots. The disk is mounted, unless
    told not to. ``heard``: up to where its console was listened to.
    """

    def __init__(self, guest: Guest, disk: Disk, console: Path, *, mount: bool = True, boot: float = BOOT) -> None:
        self.console = console
        self.warm = guest.saved is not None
        self.heard = 0
        console.unlink(missing_ok=True)
        self.glass, far_glass = socket.socketpair()
        self._hands, far_hands = socket.socketpair()
        self._monitor, far_monitor = socket.socketpair()
        far_disk = disk.serve()
        self._answers = self._hands.makefile("r", encoding="utf-8")
        self.began = time.monotonic()
        self._replies = self._monitor.makefile("r", encoding="utf-8")
        self._said = ""
        self.process = self._launch(guest, far_hands, far_glass, far_monitor, far_disk)
        self._ended = False
        self._more = threading.Condition()
        self._listener = threading.Thread(target=self._listen, name="console")
        self._listener.start()
        try:
            self._hands.settimeout(boot)
            if self.warm:
                self._hands.sendall(f"clock {int(time.time())}\n".encode())
            self._expect("ok" if self.warm else "ready")
            if mount:
                self.tell("mount /dev/vdc")
        except BaseException:
            self.cut()
            raise
        self.booted = time.monotonic() - self.began

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    def _launch(self, guest: Guest, *far: socket.socket) -> subprocess.Popen[bytes]:
        """Switch it on; `far`: its ends of the hands, the glass, the monitor and the disk, which are given away."""
        return launched(_command(guest, *(end.fileno() for end in far)), *far)

    def tell(self, command: str, patience: float = PATIENCE) -> list[str]:
        """Let the hands do something; return the words of their answer. Raises MachineFault."""
        self._hands.settimeout(patience)
        self._hands.sendall(f"{command}\n".encode())
        return self._expect("ok", command)

    def start(self, *arguments: str, slot: int = 0) -> None:
        """Start a Python program on the project's files: module or path, then arguments. See `guest/init`."""
        environment = (
            "PATH=/usr/bin:/bin",
            "HOME=/tmp",
            "LG_WD=/run",
            "PYTHONUNBUFFERED=1",
            "PYTHONDONTWRITEBYTECODE=1",
            f"PYTHONPATH=/srv:{SITE}",
        )
        words = ("/bin/env", "-i", *environment, "/bin/chroot", "/host", str(INTERPRETER), *arguments)
        self.tell(f"start {slot} {' '.join(words)}")

    def referee(self, *arguments: str) -> None:
        """Start the referee; from a saved state it is the process that has waited for these arguments."""
        if self.warm:
            self.tell(f"say 0 {' '.join(arguments)}")
        else:
            self.start("-m", "referee", *arguments)

    def stop(self, signal: int, slot: int = 0) -> int:
        """End what was started; return its exit status."""
        return int(self.tell(f"stop {slot} {int(signal)}")[0])

    def write(self, path: str, text: str = "") -> None:
        """Write to a file of the guest's kernel."""
        self.tell(f"write {path} {text}" if text else f"write {path}")

    def tap(self, offset: int, *, lead: int = 0, ms: int = 60, bounces: int = 0, seed: int = 1) -> bool:
        """Wait `lead` ms of the guest's time, then press the key on a line for `ms`; return whether it was one press.

        It was not when the machine under the guest held up the hands in the middle of a bounce.
        """
        self.press(offset, lead=lead, ms=ms, bounces=bounces, seed=seed)
        return self._expect("ok", "tap")[2:] == ["1", "1"]

    def press(self, offset: int, *, lead: int = 0, ms: int = 60, bounces: int = 0, seed: int = 1) -> None:
        """Let the hands begin a tap, and do not wait for it."""
        self._hands.sendall(f"tap {offset} {lead} {ms} {bounces} {seed}\n".encode())

    def hear(self, pattern: str, patience: float = PATIENCE, *, anew: bool = False) -> str:
        """Wait for a line on the console, `anew`: after what was heard last; return what the pattern's group holds.

        Raises MachineFault.
        """
        sought, since = re.compile(pattern), self.heard if anew else 0
        with self._more:
            self._more.wait_for(lambda: self._ended or sought.search(self._said, since), patience)
            match = sought.search(self._said, since)
        if match is None:
            raise MachineFault(f"{pattern!r} was not heard{self._console_end()}")
        self.heard = match.end()
        return str(match[1])

    def wait(self, ms: int) -> None:
        """Let so much of the guest's time go by."""
        self.tell(f"wait {ms}")

    def value(self, offset: int) -> int:
        """Return the level of a line."""
        return int(self.tell(f"value {offset}")[0])

    def save(self, path: Path) -> None:
        """Write the machine's state to a file and switch it off. Raises MachineFault."""
        self._ask("qmp_capabilities")
        self._ask("migrate-set-parameters", {"max-bandwidth": 1 << 40})
        self._ask("migrate-set-capabilities", {"capabilities": [{"capability": "events", "state": True}]})
        self._ask("migrate", {"uri": f"exec:cat >{shlex.quote(str(path))}"})
        for reply in self._monitored():
            if reply.get("event") == "MIGRATION" and reply["data"]["status"] == "completed":
                break
            if reply.get("event") == "MIGRATION" and reply["data"]["status"] in ("failed", "cancelled"):
                raise MachineFault("the machine's state could not be saved")
        self.cut()

    def cut(self) -> None:
        """Cut the power: the guest gets no chance to do anything any more. May be called twice."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self._listener.join()
        for end in (self._answers, self._hands, self.glass, self._replies, self._monitor):
            end.close()

    def _ask(self, command: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        self._monitor.settimeout(PATIENCE)
        self._monitor.sendall(json.dumps({"execute": command, "arguments": arguments or {}}).encode())
        for reply in self._monitored():
            if "error" in reply:
                raise MachineFault(f"{command}: {reply['error']['desc']}")
            if "return" in reply:
                return dict(reply["return"])
        raise AssertionError("the monitor is silent")

    def _monitored(self) -> Iterator[dict[str, Any]]:
        """Yield what the machine's monitor says: answers and events. Raises MachineFault once it says no more."""
        try:
            for line in self._replies:
                yield json.loads(line)
        except OSError as error:
            raise MachineFault(f"the machine's monitor: {error}{self._console_end()}") from error
        raise MachineFault(f"the machine has gone{self._console_end()}")

    def _expect(self, word: str, command: str = "power on") -> list[str]:
        try:
            line = self._answers.readline()
        except OSError as error:
            raise MachineFault(f"no answer to {command!r}: {error}{self._console_end()}") from error
        answer, *words = line.split() or [""]
        if answer != word:
            raise MachineFault(f"{command!r} was answered {line.strip()!r}{self._console_end()}")
        return words

    def _listen(self) -> None:
        """Write down what the guest says, until its power is cut."""
        assert self.process.stdout is not None
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        with self.process.stdout as said, self.console.open("wb") as out:
            while data := os.read(said.fileno(), 65_536):
                out.write(data)
                out.flush()
                with self._more:
                    self._said += decoder.decode(data)
                    self._more.notify_all()
        with self._more:
            self._ended = True
            self._more.notify_all()

    def _console_end(self) -> str:
        return f"; the guest's console ends:\n{self._said[-3000:]}"


def launched(command: list[str], *far: socket.socket) -> subprocess.Popen[bytes]:
    """Start a virtual machine that has these ends of sockets, which are closed here; its console is its output."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[end.fileno() for end in far],
    )
    for end in far:
        end.close()
    return process


def _command(guest: Guest, hands: int, glass: int, monitor: int, disk: int) -> list[str]:
    drives = [
        f"driver=raw,read-only=on,file.driver=file,file.filename={file}" for file in (guest.world, guest.project)
    ]
    drives.append(f"driver=nbd,server.type=fd,server.str={disk}")
    command = [
        "qemu-system-x86_64",
        *("-accel", "tcg", "-icount", f"shift={SHIFT},sleep=off", "-cpu", "max", "-m", str(MEMORY)),
        *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio"),
        *("-kernel", str(guest.kernel), "-initrd", str(guest.initramfs)),
        *("-append", f"{COMMAND_LINE} hands=awake"),
        *("-device", "virtio-serial-pci"),
        *("-chardev", f"socket,id=hands,fd={hands}", "-device", "virtserialport,chardev=hands,nr=1"),
        *("-chardev", f"socket,id=glass,fd={glass}", "-device", "virtserialport,chardev=glass,nr=2"),
        *("-chardev", f"socket,id=monitor,fd={monitor}", "-mon", "chardev=monitor,mode=control"),
    ]
    for number, drive in enumerate(drives):
        command += ["-blockdev", f"{drive},node-name=disk{number}", "-device", f"virtio-blk-pci,drive=disk{number}"]
    if guest.saved is not None:
        command += ["-incoming", f"exec:cat {shlex.quote(str(guest.saved))}"]
    return command
