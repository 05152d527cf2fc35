"""The site and what people download: every link leads somewhere, and the same commit gives the same files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware import release
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


@pytest.mark.long
def test_the_same_commit_gives_the_same_files(tmp_path: Path) -> None:
    assert [release.main(tmp_path / name, ["python"]) for name in ("one", "two")] == [0, 0]
    one, two = ((tmp_path / name / "SHA256SUMS").read_text("ascii") for name in ("one", "two"))
    assert one == two
    assert [line.split()[1].rpartition("-0")[0] for line in one.splitlines()] == ["electronic_referee"] * 2


@pytest.mark.long
def test_a_part_that_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    git = next(path for path in map(Path, ("/usr/bin/git", "/bin/git", "/usr/local/bin/git")) if path.exists())
    (tmp_path / "git").symlink_to(git)
    assert release.main(tmp_path / "out", ["case"]) == 1
    assert "case was not made" in capsys.readouterr().err
