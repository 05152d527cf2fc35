"""`make site`: the documents as pages, and a door to them and to the pocket, as a static site in dist/site."""

from __future__ import annotations

import re
import shutil
import sys
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from referee import __version__

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
DOCUMENTS = (*sorted(ROOT.glob("docs/*.md")), ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md")
ELSEWHERE = {"README.md": "index.html"}
"""Where a file is on the site that has another name there."""
KEPT = ("LICENSE", "NOTICE", "referee/console/drawing/fonts/NOTICE")
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="site.css">
<link rel="icon" href="icon.svg">
<nav aria-label="Site"><a href="index.html">The electronic referee</a> <a href="play/">Play now</a>
<a href="download.html">Download</a></nav>
<main>
{body}
</main>
"""


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def target(link: str) -> str:
    """Return where a relative link of a document leads on the site."""
    file, mark, anchor = link.partition("#")
    if re.match(r"[a-z]+:", link) or not file or file.endswith("/"):
        return link
    name = Path(file).name
    if file.endswith(".md"):
        name = ELSEWHERE.get(name, name.removesuffix(".md") + ".html")
    elif "images/" in file:
        name = file[file.index("images/") :]
    return name + mark + anchor


def rendered(text: str) -> str:
    """Return a document as HTML: headings with anchors, links to pages of the site, tables that scroll alone."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse(text)
    for token, after in zip(tokens, [*tokens[1:], Token("", "", 0)], strict=True):
        if token.type == "heading_open":
            token.attrSet("id", slug(re.sub(r"[`*]|\]\([^)]*\)|\[", "", after.content)))
        for child in token.children or ():
            for name in ("href", "src"):
                if child.attrGet(name) is not None:
                    child.attrSet(name, target(str(child.attrGet(name))))
    html = str(markdown.renderer.render(tokens, markdown.options, {}))
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    return html.replace("<pre>", '<pre tabindex="0">')


def page(title: str, body: str) -> bytes:
    """Return a page of the site."""
    return PAGE.format(title=escape(title), body=body).encode()


def title(path: Path) -> str:
    """Return the heading of a document."""
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def listed() -> str:
    """Return the links to all documents."""
    items = "".join(f'<li><a href="{path.stem}.html">{escape(title(path))}</a></li>\n' for path in DOCUMENTS)
    return f"<ul>\n{items}</ul>"


def downloads(files: Path | None) -> str:
    """Return the table of what a release has, and which file is for whom."""
    text = (HERE / "download.md").read_text(encoding="utf-8")
    rows = []
    if files is not None:
        for line in (files / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
            digest, name = line.split(maxsplit=1)
            rows.append(f"| {name} | {(files / name).stat().st_size / 1e6:,.1f} MB | `{digest}` |")
    table = ["", f"## Version {__version__}", "", "| file | size | SHA-256 |", "|---|---|---|", *rows] if rows else []
    return rendered("\n".join([text, *table]))


def site(pocket: Path, files: Path | None = None) -> dict[str, bytes]:
    """Return every file of the site by its path. ``pocket``: what `make pocket` wrote; ``files``: of a release."""
    door = (HERE / "door.html").read_text(encoding="utf-8").replace("DOCUMENTS", listed())
    pages = {"index.html": page("The electronic referee", door), "download.html": page("Download", downloads(files))}
    pages |= {
        f"{path.stem}.html": page(title(path), rendered(path.read_text(encoding="utf-8"))) for path in DOCUMENTS
    }
    pages |= {"site.css": (HERE / "site.css").read_bytes(), "icon.svg": (pocket / "icon.svg").read_bytes()}
    pages |= {Path(name).name: (ROOT / name).read_bytes() for name in KEPT}
    for folder, at in ((ROOT / "docs" / "images", "images"), (pocket, "play")):
        pages |= {
            f"{at}/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
    return pages


def main(place: Path, pocket: Path, files: Path | None = None) -> None:
    """Write the site."""
    pages = site(pocket, files)
    shutil.rmtree(place, ignore_errors=True)
    for name, data in pages.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    print(f"{place}: {len(pages)} files")  # noqa: T201


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
