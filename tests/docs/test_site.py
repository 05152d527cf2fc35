"""The documents as a site: every one has its place, nothing is loaded from elsewhere, and a broken link fails."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from subprocess import CompletedProcess, run

import pytest

from tests.components import ROOT
from tests.docs.site import from_the_root, named

CONFIG = ROOT / "properdocs.yml"
LOADED = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["']?(https?:)?//|url\(["']?(?:https?:)?//"""
)


def test_every_document_has_its_place() -> None:
    places = re.findall(r": ([\w-]+\.md)$", CONFIG.read_text("utf-8"), re.MULTILINE)
    assert sorted(places) == sorted(["index.md", *(each.name for each in (ROOT / "docs").glob("*.md"))])


def test_files_of_the_project_are_named_and_the_readme_is_a_document() -> None:
    assert (
        named("[pins](../hardware/pins.toml), [more](../nowhere)")
        == "pins (`hardware/pins.toml`), [more](../nowhere)"
    )
    assert from_the_root("[The box](docs/box.md#keys), [licence](LICENSE), [away](https://example.org)") == (
        "[The box](box.md#keys), [licence](../LICENSE), [away](https://example.org)"
    )


def built(properdocs: str, folder: Path) -> CompletedProcess[str]:
    """Build the site of the documents in a folder."""
    text = CONFIG.read_text("utf-8")
    for key, path in (("docs_dir: docs", folder / "docs"), ("site_dir: .cache/site", folder / "site")):
        assert key in text
        text = text.replace(key, f"{key.split(':')[0]}: {path}")
    config = folder / CONFIG.name
    config.write_text(text.replace("[tests/docs/site.py]", f"[{ROOT / 'tests/docs/site.py'}]"), "utf-8")
    return run([properdocs, "build", "--config-file", config], capture_output=True, text=True, check=False)


@pytest.mark.long
def test_the_site_loads_nothing_and_a_broken_link_fails(properdocs: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    done = built(properdocs, tmp_path)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert {"index.html", "box.html", "hall.html"} <= {each.name for each in pages}
    for each in (*pages, *(tmp_path / "site").rglob("*.css")):
        assert not LOADED.search(each.read_text("utf-8")), each
    document = tmp_path / "docs" / "box.md"
    text = document.read_text("utf-8")
    for broken in ("[gone](gone.md)", "[gone](hall.md#no-such-heading)", "[gone](../no-such-file.py)"):
        document.write_text(f"{text}\n{broken}\n", "utf-8")
        assert built(properdocs, tmp_path).returncode != 0, broken
