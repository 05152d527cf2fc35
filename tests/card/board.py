"""The emulated Pi: one serial line is its console, the other carries the hands and what the display hears."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import threading

from tests.card.prepare import CARD, TREE
from tests.kernel.machine import SHIFT, Guest, Machine, launched

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
