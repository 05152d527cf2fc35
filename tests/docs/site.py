"""What `make docs` does beside building: the README is the first page, files of the project are named.

ProperDocs calls these functions (`hooks` in properdocs.yml).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\[([^\]]+)\]\(\.\./([^)#]+)\)")
"""A link of a document to a file outside the documents."""


def named(markdown: str) -> str:
    """Name files of the project that documents link; a link to what is not there stays, and fails the build.

    >>> named("Read [the pins](../hardware/pins.toml) and [more](../nowhere).")
    'Read the pins (`hardware/pins.toml`) and [more](../nowhere).'
    """
    return LINK.sub(lambda link: f"{link[1]} (`{link[2]}`)" if (ROOT / link[2]).exists() else link[0], markdown)


def from_the_root(markdown: str) -> str:
    """Return the README as a document: its links are those of its neighbours.

    >>> from_the_root("[The box](docs/box.md), [licence](LICENSE), [site](https://example.org)")
    '[The box](box.md), [licence](../LICENSE), [site](https://example.org)'
    """
    links = re.compile(r"\]\((?!https?:|#)(?:docs/)?([^)]+)\)")
    return links.sub(lambda link: f"]({link[1]})" if "docs/" in link[0] else f"](../{link[1]})", markdown)


def on_files(files: Any, config: Any) -> Any:
    """Add the README as the first page."""
    from properdocs.structure.files import File  # type: ignore[import-not-found]

    readme = (ROOT / "README.md").read_text("utf-8")
    files.append(File.generated(config, "index.md", content=from_the_root(readme)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page with files of the project named."""
    return named(markdown)
