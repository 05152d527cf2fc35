"""`make pocket`: the referee as a static site that runs in the browser, of locked packages and our sources.

What changes seldom has its hash in its name: ``python-HASH`` is Pyodide (https://pyodide.org), ``referee-HASH`` our
sources and the panel's files. The same sources give the same files, byte for byte.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import segno

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PYODIDE = HERE / "node_modules" / "pyodide"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LEFT_OUT = re.compile(r"referee/(hall|tournament|doctor|testing|cli|drive)/|hardware/(simulated|dice/tray)/")
"""Rooms that only a box or a hall uses."""
PANEL = ROOT / "referee" / "web" / "panel"
OF_A_BOX = {
    "join.js",
    "pair.html",
    "pair.js",
    "pair.css",
    "lists.html",
    "lists.js",
    "lists.css",
}
"""What the panel has for other browsers than the one that shows it."""
NO_JOIN = b"export const showJoin = () => {};\nexport const joinCode = () => '';\n"
"""In place of the code by which phones join a box."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self';"
    " style-src 'self'; img-src 'self' blob:; manifest-src 'self'"
)
MOST_ON_THE_WIRE = 7_500_000
"""Bytes of all files together, each compressed with gzip."""


def sources() -> bytes:
    """Return the Python files and data of the referee, and those of segno, which draws codes, as a zip."""
    listed = subprocess.run(
        ["git", "ls-files", "referee", "hardware"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(listed.stdout.splitlines()):
            wanted = name.endswith((".py", ".toml", ".css", ".pcf", ".gz")) or "/fonts/" in name
            if wanted and not LEFT_OUT.search(name) and not name.startswith("referee/web/panel/"):
                archive.writestr(zipfile.ZipInfo(name), (ROOT / name).read_bytes())
        for path in sorted(Path(segno.__file__).parent.glob("*.py")):
            if path.name != "cli.py":
                archive.writestr(zipfile.ZipInfo(f"segno/{path.name}"), path.read_bytes())
    return packed.getvalue()


def short(files: dict[str, bytes]) -> str:
    """Return a short hash of some files."""
    whole = hashlib.sha256()
    for name, data in sorted(files.items()):
        whole.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return whole.hexdigest()[:12]


def site() -> dict[str, bytes]:
    """Return every file of the site by its path."""
    python = {name: (PYODIDE / name).read_bytes() for name in PYTHON}
    lock = json.loads(python["pyodide-lock.json"])
    python["pyodide-lock.json"] = json.dumps(lock | {"packages": {}}).encode()
    at = f"python-{short(python)}"
    panel = {path.name: path.read_bytes() for path in PANEL.iterdir() if path.is_file() and path.name not in OF_A_BOX}
    own = {path.name: path.read_bytes() for path in (HERE / "page").iterdir()}
    pages = {name: panel.pop(name).decode() for name in ("index.html", "tv.html")}
    icon = panel.pop("icon.svg")
    worker, manifest = own.pop("sw.js").decode(), own.pop("manifest.webmanifest")
    referee = panel | own | {"join.js": NO_JOIN, "referee.zip": sources()}
    referee["worker.js"] = referee["worker.js"].replace(b"PYTHON", at.encode())
    ours = f"referee-{short(referee)}"
    files = {f"{at}/{name}": data for name, data in python.items()}
    files |= {f"{ours}/{name}": data for name, data in referee.items()}
    files |= {name: page(text, ours).encode() for name, text in pages.items()}
    files |= {"icon.svg": icon, "manifest.webmanifest": manifest}
    hashes = {("./" if name == "index.html" else name): integrity(data) for name, data in sorted(files.items())}
    files["sw.js"] = (
        worker.replace("BUILD_ID", short(files)).replace("FILE_HASHES", json.dumps(hashes, indent=1)).encode()
    )
    return files


def page(index: str, folder: str) -> str:
    """Return the panel's page as that of the pocket: files from ``folder``, under a policy of its own."""
    index = re.sub(r'(href|src)="([a-z_]+\.(?:css|js))"', rf'\1="{folder}/\2"', index)
    policy = f'  <meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    if "tv.js" in index:
        return index.replace("</head>", f"{policy}</head>", 1)
    head = (
        f"{policy}"
        '  <link rel="manifest" href="manifest.webmanifest">\n'
        f'  <link rel="stylesheet" href="{folder}/pocket.css">\n'
        f'  <script type="module" src="{folder}/pocket.js"></script>\n'
    )
    index = index.replace("</head>", f"{head}</head>", 1)
    index = re.sub(r'    <p id="lists".*\n', "", index)  # they are pages of a server
    says = '  <p id="pocket-says" class="pocket-says" role="status">Loading the referee…</p>\n'
    return index.replace("  <header>", f"{says}  <header>", 1)


def integrity(data: bytes) -> str:
    """Return what `fetch` checks a file against (Subresource Integrity)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


def main(place: Path) -> int:
    """Write the site; 1 if it is larger than it may be."""
    files = site()
    shutil.rmtree(place, ignore_errors=True)
    for name, data in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    wire = sum(min(len(data), len(gzip.compress(data, mtime=0))) for data in files.values())
    print(f"{place}: {len(files)} files, {wire:,} bytes compressed, of at most {MOST_ON_THE_WIRE:,}")  # noqa: T201
    return int(wire > MOST_ON_THE_WIRE)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
