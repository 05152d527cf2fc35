"""Servers of PostgreSQL on the loopback, as Debian installs it: a primary, and standbys that follow it."""

from __future__ import annotations

import contextlib
import os
import pwd
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.components import POSTGRES
from tests.ports import quiet_port

PATIENCE = 30  # how long a server may take to start, s
QUICK = ("fsync=off", "full_page_writes=off")  # for tests in which no server is killed


class Server:
    """One server in a folder of its own. It refuses root, so root runs it as the user that Debian made for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = quiet_port()

    def address(self, database: str) -> str:
        """Return the address of one of its databases."""
        return f"postgresql://hall@127.0.0.1:{self.port}/{database}"

    def begin(self, *settings: str) -> None:
        """Make an empty cluster; settings as in postgresql.conf."""
        self._run(
            "initdb", "--pgdata", str(self.folder), "--auth=trust", "--username=hall", "--no-sync", "--encoding=UTF8"
        )
        self.configure("unix_socket_directories=''", "shared_buffers=16MB", f"port={self.port}", *settings)

    def follow(self, primary: Server, name: str) -> None:
        """Make it a standby with that name."""
        where = f"host=127.0.0.1 port={primary.port} user=hall"
        self._run("pg_basebackup", "--pgdata", str(self.folder), "-d", where, "--write-recovery-conf", "-c", "fast")
        self.configure(f"port={self.port}", primary.followed_by(name))

    def followed_by(self, name: str) -> str:
        """Return the setting of a standby with that name that follows this server."""
        where = f"host=127.0.0.1 port={self.port} user=hall application_name={name}"
        return f"primary_conninfo='{where}'"

    def empty(self) -> None:
        """Delete all it has."""
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def configure(self, *settings: str) -> None:
        """Have settings from the next start or `reload` on; the last of each counts."""
        with (self.folder / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{setting}\n" for setting in settings)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._control("start", "-w", "-t", str(PATIENCE), "-l", str(self.folder / "server.log"))

    def stop(self) -> None:
        """Stop it if it runs."""
        if (self.folder / "postmaster.pid").exists():
            self._control("stop", "-w", "-m", "immediate")

    def kill(self) -> None:
        """Kill it as a power cut does: the server and all its processes at once."""
        pid_file = self.folder / "postmaster.pid"
        parent = int(pid_file.read_text().split()[0])
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        for process in (parent, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                watched = os.pidfd_open(process)
                signal.pidfd_send_signal(watched, signal.SIGKILL)
                select.select([watched], [], [], PATIENCE)
                os.close(watched)
        pid_file.unlink()

    def reload(self) -> None:
        """Let it read its settings."""
        self._control("reload")

    def promote(self) -> None:
        """Make a standby the primary, and wait until it is."""
        self._control("promote", "-w", "-t", str(PATIENCE))

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "--pgdata", str(self.folder), *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        assert POSTGRES is not None
        result = subprocess.run(
            [*_as_server(), str(POSTGRES / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
            check=False,
            text=True,
        )
        assert result.returncode == 0, f"{program} {arguments}: {result.stdout}"


def _as_server() -> list[str]:
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


@contextlib.contextmanager
def place() -> Iterator[Callable[[str], Server]]:
    """Yield what makes a server that is not begun, by name; all are stopped, and their files removed, at the end."""
    home = Path(tempfile.mkdtemp(prefix="referee-postgres-"))
    servers: list[Server] = []

    def make(name: str) -> Server:
        folder = home / name
        folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(home, owner.pw_uid, owner.pw_gid)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        servers.append(Server(folder))
        return servers[-1]

    try:
        yield make
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(home)
