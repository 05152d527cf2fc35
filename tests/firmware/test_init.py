"""The card's first process: the partition of what must last grows, whenever the power goes meanwhile."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.components import SYSTEM

INIT = Path(__file__).parents[2] / "firmware" / "card" / "init"
MIB = 1 << 20
SECTOR = 512
STEPS = ["sfdisk", "partx", "e2fsck", "resize2fs"]

AROUND = r"""
mount() { :; }
inside() {
    echo "$1" >>steps
    [ "$1" != "$CUT" ] || { kill -9 $$; exit 1; }
    case $1 in
    partx) truncate -s $(($(sfdisk --dump dev/card | sed -n 's/.* size= *\([0-9]*\).*/\1/p') * 512)) dev/card1 ;;
    resize2fs) resize2fs -f dev/card1 ;; # it is not mounted
    *) "$@" ;;
    esac
}
data=dev/card1
"""
"""Partition and card are files, so the kernel is played: it knows of a new table when it is told."""


def boot(folder: Path, cut: str = "") -> int:
    """Run the part of the first process that grows the partition; the power goes before the step ``cut``."""
    table = subprocess.check_output(["sfdisk", "--dump", "dev/card"], cwd=folder, text=True)
    found = re.search(r"start= *(\d+), size= *(\d+)", table)
    assert found is not None
    system = folder / "sys/devices/card"
    for name, text in (("start", found[1]), ("size", found[2]), ("partition", "1")):
        (system / "card1" / name).write_text(text)
    os.truncate(folder / "dev/card1", int(found[2]) * SECTOR)
    lines = INIT.read_text()
    part = lines[lines.index("partition=${data##*/}") : lines.index("# Settings last")]
    part = part.replace("/sys/", "sys/").replace("/dev/", "dev/")
    done = subprocess.run(["sh", "-c", AROUND + part], cwd=folder, env=os.environ | {"CUT": cut}, check=False)
    return done.returncode


@pytest.mark.parametrize("cut", STEPS)
def test_what_must_last_gets_the_whole_card_despite_power_cuts(
    tmp_path: Path, cut: str, sfdisk: str, mke2fs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{SYSTEM}")
    (tmp_path / "sys/devices/card/card1").mkdir(parents=True)
    (tmp_path / "sys/class/block").mkdir(parents=True)
    (tmp_path / "sys/class/block/card1").symlink_to(tmp_path / "sys/devices/card/card1")
    (tmp_path / "sys/devices/card/size").write_text(f"{40 * MIB // SECTOR}")
    (tmp_path / "dev").mkdir()
    card, data, steps = (tmp_path / name for name in ("dev/card", "dev/card1", "steps"))
    for path, size in ((card, 40 * MIB), (data, 8 * MIB)):
        path.touch()
        os.truncate(path, size)
    subprocess.run([sfdisk, "--quiet", card], input=b"label: dos\nstart=1MiB, size=8MiB, type=83\n", check=True)
    subprocess.run([mke2fs, "-q", "-t", "ext4", "-b", "4096", data], check=True)
    assert boot(tmp_path, cut) == -signal.SIGKILL
    assert steps.read_text().split() == STEPS[: STEPS.index(cut) + 1]
    assert boot(tmp_path) == 0
    head = data.read_bytes()[1024 : 1024 + 8]
    assert int.from_bytes(head[4:], "little") * 4096 == data.stat().st_size == 39 * MIB
    steps.unlink()
    assert boot(tmp_path) == 0
    assert steps.read_text().split() == ["e2fsck", "resize2fs"], "the table is written once"
