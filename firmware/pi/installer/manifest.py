"""What the installer put on a system: a list in its prefix, written before anything it names is made.

Whatever the list does not name is somebody else's: it is never written over and never removed. The installer may be
killed at any point; a second run, or the uninstaller, finds every path in the list that the first may have made.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from firmware.pi.installer.errors import Refused
from referee.files import durable

NAME = "installed"
DRAFT = durable.draft(Path(NAME)).name
HEAD = "The referee's installer made these; its uninstaller removes them and nothing else."
MAKING = "making "
NOT_OURS = (errno.ENOENT, errno.ENOTEMPTY, errno.EISDIR, errno.ENOTDIR)
"""How a removal fails where something is gone already, holds other files, or has become something else."""


class Manifest:
    """The files, symbolic links and directories of one installation.

    Paths are those of the installed system, absolute and normalised; `root` is where that system lies. Directories
    end in a slash. A directory after "making" is removed as a whole: it was being filled by other programs when the
    installer was killed.
    """

    def __init__(self, root: Path, prefix: str, places: Iterable[str]) -> None:
        """Read the list of the prefix, where there is one; `places` are the files that may be listed outside of it.

        Raises Refused if the prefix exists and is neither empty nor an installation.
        """
        self.root = root
        self.prefix = prefix
        self.places = frozenset(places)
        self.entries: set[str] = set()
        self.making: set[str] = set()
        self._file = self.at(f"{prefix}/{NAME}")
        self._top = next(
            (path for path in reversed([prefix, *above(prefix)]) if not os.path.lexists(self.at(path))), prefix
        )
        """The outermost directory that is missing, or the prefix."""
        self.exists = self._read()

    # Paths.

    def _names(self, directory: str) -> set[str]:
        return {path.name for path in self.at(directory).iterdir()}

    def _way(self) -> list[str]:
        return [self.prefix, *above(self.prefix)]

    def at(self, path: str) -> Path:
        """Return where a path of the installed system lies. Raises Refused if a directory on the way is a link."""
        for parent in above(path):
            try:
                mode = (self.root / parent[1:]).lstat().st_mode
            except (FileNotFoundError, NotADirectoryError):
                continue
            if stat.S_ISLNK(mode):
                raise Refused(f"{path}: {parent} is a symbolic link; name the directory itself")
            if not stat.S_ISDIR(mode):
                raise Refused(f"{path}: {parent} is not a directory")
        return self.root / path[1:]

    def _inside(self, path: str) -> bool:
        return path.startswith(f"{self.prefix}/")

    def _may_list(self, entry: str) -> bool:
        path = entry.rstrip("/")
        if not path.startswith("/") or str(PurePosixPath(path)) != path or ".." in PurePosixPath(path).parts:
            return False
        if self._inside(path) or path in self.places:
            return True
        ours = (self.prefix, *self.places)
        return entry.endswith("/") and any(f"{place}/".startswith(entry) for place in ours)

    # The list itself.

    def _read(self) -> bool:
        directory = self.at(self.prefix)
        if directory.is_symlink() or (os.path.lexists(directory) and not directory.is_dir()):
            raise Refused(f"{self.prefix} is a symbolic link or a file; name a directory")
        try:
            status = self._file.lstat()
        except FileNotFoundError:
            if directory.is_dir() and self._names(self.prefix) - {DRAFT}:
                raise Refused(
                    f"{self.prefix} contains files, but no installation of the referee: name another directory, "
                    "or uninstall an older version with its own installer"
                ) from None
            return False
        if not stat.S_ISREG(status.st_mode) or status.st_uid not in (0, os.geteuid()) or status.st_mode & 0o022:
            raise Refused(f"{self.prefix}/{NAME} is not a file that only root can write: nothing is removed")
        head, *lines = self._file.read_text("utf-8").removesuffix("\n").split("\n")
        self.making = {line.removeprefix(MAKING) for line in lines if line.startswith(MAKING)}
        self.entries = {line for line in lines if not line.startswith(MAKING)}
        strange = [entry for entry in self.entries if not self._may_list(entry)]
        strange += [entry for entry in self.making if not (self._may_list(entry) and self._inside(entry))]
        if head != HEAD or strange:
            raise Refused(f"{self.prefix}/{NAME} was not written by the installer: nothing is removed")
        return True

    def create(self) -> None:
        """Make the prefix, with its list, at one stroke."""
        if self.exists:
            return
        self.exists = True
        if os.path.lexists(self.at(self.prefix)):
            self._save(self._file)
            return
        staged = self._staged()
        inner = staged / PurePosixPath(self.prefix).relative_to(self._top)
        inner.mkdir(parents=True)
        self.entries = {f"{path}/" for path in self._way() if f"{path}/".startswith(f"{self._top}/")}
        self._save(inner / NAME)
        staged.rename(self.at(self._top))
        durable.sync(self.at(self._top).parent)

    def _staged(self) -> Path:
        """Where a prefix is made, or was left by an installer that was killed: nothing is left there now."""
        staged = durable.draft(self.at(self._top))
        if staged.is_dir() and not staged.is_symlink():
            shutil.rmtree(staged)
        return staged

    def _save(self, file: Path) -> None:
        lines = [HEAD, *sorted(f"{MAKING}{entry}" for entry in self.making), *sorted(self.entries)]
        durable.replace(file, "".join(f"{line}\n" for line in lines), 0o644)

    # What it lists.

    def claim(self, files: Iterable[str]) -> None:
        """List files that will be made, and the directories on their way that are not there yet."""
        entries: set[str] = set()
        for file in files:
            entries.add(file)
            for parent in above(file):
                if os.path.lexists(self.at(parent)):
                    break
                entries.add(f"{parent}/")
        if not entries <= self.entries:
            self.entries |= entries
            self._save(self._file)

    def foreign(self, path: str, data: bytes | str) -> bool:
        """Return whether something is there that is not listed, and is not just what would be written."""
        place = self.at(path)
        return path not in self.entries and os.path.lexists(place) and not self._same(place, data)

    def _same(self, place: Path, data: bytes | str) -> bool:
        if isinstance(data, str):
            return place.is_symlink() and str(place.readlink()) == data
        return place.is_file() and not place.is_symlink() and place.read_bytes() == data

    def put_all(self, files: dict[str, bytes]) -> None:
        """Make many listed files that nothing refers to yet."""
        for path, data in files.items():
            place = self.at(path)
            if not self._same(place, data):
                self.directory(str(PurePosixPath(path).parent))
                place.unlink(missing_ok=True)
                place.write_bytes(data)
        self._settle()

    def _settle(self) -> None:
        """Have the disk keep all of it before anything refers to it. Whoever makes an image writes it later."""
        if self.root == Path("/"):
            os.sync()

    def put(self, path: str, data: bytes | str, mode: int = 0o644) -> bool:
        """Make a listed file of these bytes, or a link to this text; return False if it is there already."""
        place = self.at(path)
        # FAT, where the firmware boots from, gives every file more rights than were asked for.
        if self._same(place, data) and (isinstance(data, str) or place.stat().st_mode & mode == mode):
            return False
        self.directory(str(PurePosixPath(path).parent))
        if isinstance(data, bytes):
            durable.replace(place, data, mode)
        else:
            link = durable.draft(place)
            link.unlink(missing_ok=True)
            link.symlink_to(data)
            link.replace(place)
        return True

    def directory(self, path: str) -> None:
        """Make a directory and those above it, open to everybody who may read."""
        for parent in reversed([path, *above(path)]):
            place = self.at(parent)
            if not place.is_dir():
                place.mkdir(mode=0o755)

    def begin(self, directory: str) -> None:
        """Make an empty directory that other programs fill; until `finish` it is removed as a whole."""
        if f"{directory}/" not in self.making:
            if os.path.lexists(self.at(directory)):
                raise Refused(f"{directory} exists and was not created by the installer")
            self.making.add(f"{directory}/")
            self._save(self._file)
        self._remove_tree(directory)
        self.directory(directory)

    def finish(self, directory: str) -> None:
        """List what other programs put into a directory."""
        for folder, folders, files in os.walk(self.at(directory)):
            inside = Path(folder).relative_to(self.root)
            links = [name for name in folders if Path(folder, name).is_symlink()]
            self.entries |= {f"/{inside}/"} | {f"/{inside / name}" for name in [*files, *links]}
        self._settle()
        self.making.discard(f"{directory}/")
        self._save(self._file)

    # Removal.

    def drop(self, start: str, *, but: str | None = None) -> None:
        """Remove what is listed at paths that start so, but for one directory."""
        dropped = {entry for entry in self.entries | self.making if entry.startswith(start)}
        dropped = {entry for entry in dropped if but is None or not entry.startswith(f"{but}/")}
        if dropped:
            self._remove(dropped)
            self.entries -= dropped
            self.making -= dropped
            self._save(self._file)

    def remove(self) -> list[str]:
        """Remove everything that is listed, the list last; return what stays below the prefix, which is foreign."""
        self._staged()
        if not self.exists:
            return []
        self._remove((self.entries | self.making) - {f"{path}/" for path in self._way()})
        stays = sorted(self._names(self.prefix) - {NAME, DRAFT})
        top = ""
        for path in self._way():
            if f"{path}/" not in self.entries or (top and self._names(path) != {PurePosixPath(top).name}):
                break
            top = path
        if stays or not top:
            self._file.unlink()
        else:
            # At one stroke again: an empty prefix without its list would be taken for somebody's own.
            self._top = top
            self.at(top).rename(self._staged())
            self._staged()
        return stays

    def _remove(self, entries: set[str]) -> None:
        for entry in sorted(entries, reverse=True):
            if entry in self.making:
                self._remove_tree(entry.rstrip("/"))
                continue
            try:
                place = self.at(entry.rstrip("/"))
                if not entry.endswith("/"):
                    durable.draft(place).unlink(missing_ok=True)
                    place.unlink()
                elif not place.is_symlink():
                    place.rmdir()
            except Refused:
                continue  # moved behind a link
            except OSError as error:
                if error.errno not in NOT_OURS:
                    raise

    def _remove_tree(self, directory: str) -> None:
        place = self.at(directory)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)


def above(path: str) -> list[str]:
    """Return the directories above a path, the nearest first, without the root."""
    return [str(parent) for parent in PurePosixPath(path).parents][:-1]
