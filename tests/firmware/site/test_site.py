"""The site and what people download: every link leads somewhere, and the same commit gives the same files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.site.build import site

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of the site, and "" for every other file."""
    pocket, files = tmp_path_factory.mktemp("pocket"), tmp_path_factory.mktemp("files")
    for name in ("index.html", "icon.svg"):
        (pocket / name).write_text("", "utf-8")
    (files / "wheel.whl").write_bytes(b"x" * 150_000)
    (files / "SHA256SUMS").write_text(f"{'0f' * 32}  wheel.whl\n", "ascii")
    found = site(pocket, files)
    return {name: data.decode() if name.endswith(".html") else "" for name, data in found.items()}


def test_every_link_of_the_site_leads_somewhere(pages: dict[str, str]) -> None:
    for name, html in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]+)"', html):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            to = f"{file}index.html" if file.endswith("/") else file or name
            assert to in pages, f"{name}: {link}"
            assert not anchor or f'id="{anchor}"' in pages[to], f"{name}: {link}"


def test_the_door_leads_to_play_build_run_and_write(pages: dict[str, str]) -> None:
    doors = re.findall(r'class="door" href="([^"]+)"><b>([^<]+)</b>', pages["index.html"])
    assert doors == [
        ("play/", "Play now"),
        ("build.html", "Build a box"),
        ("hall.html", "Run an event"),
        ("rulebook.html", "Write a game"),
    ]


def test_the_download_page_names_files_and_sums(pages: dict[str, str]) -> None:
    assert re.search(r"<td>wheel\.whl</td>\s*<td>0\.1 MB|<td>wheel\.whl</td>\s*<td>0\.2 MB", pages["download.html"])
    assert "0f" * 32 in pages["download.html"]


def release(out: Path, *parts: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "firmware" / "release.sh", sys.executable, out, *parts],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.long
def test_the_same_commit_gives_the_same_files(tmp_path: Path) -> None:
    one, two = (release(tmp_path / name, "python") for name in ("one", "two"))
    assert one.returncode == two.returncode == 0, one.stderr
    assert one.stdout == two.stdout == (tmp_path / "one" / "SHA256SUMS").read_text("ascii")
    assert [line.split()[1].rpartition("-0")[0] for line in one.stdout.splitlines()] == ["electronic_referee"] * 2


@pytest.mark.long
def test_a_part_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "openscad").symlink_to("/bin/false")
    done = release(tmp_path / "out", "case", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode, done.stderr) == (1, "make release: case was not made\n")
