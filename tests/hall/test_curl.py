"""The example of docs/hall.md: a table without a box plays its match with nothing but `curl` and `openssl`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from referee.hall.desk import Desk
from tests.components import ROOT
from tests.hall.test_calls import Hall


def shell(script: str, folder: Path) -> str:
    done = subprocess.run(["bash", "-ec", script], check=False, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("curl", "openssl")
def test_a_table_plays_its_match_by_curl_alone(sixteen: Desk, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "hall.md").read_text(encoding="utf-8").partition("A table without a box plays a match")[2]
    script = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)[0]
    hall = Hall(sixteen)
    table = sixteen.event.rounds[0].pairings[2]
    first, second = table.players
    with hall.serving() as port:
        lines = script.replace("192.168.1.20:8470", f"127.0.0.1:{port}").splitlines(keepends=True)
        code = hall.boxes.tokens.offer()
        lines = [line.replace("146253", code) for line in lines]
        at = next(at for at, line in enumerate(lines) if "api/table" in line)
        begun = shell("".join([*lines[:at], "echo $token"]), tmp_path)
        token = begun.splitlines()[-1]
        fingerprint = begun.partition("=")[2].split()[0].replace(":", "").lower()
        assert fingerprint == hall.certificate
        hall.place(hall.boxes.tokens.known(token), table.table)
        said = "".join(lines[at:]).replace('"players": [5, 12]', f'"players": [{first}, {second}]')
        said = said.replace('"winner": 5', f'"winner": {first}').replace('"table": 3', f'"table": {table.table}')
        rest = "".join([*lines[: at - 1], f"token={token}\n", said])
        ended = shell(rest, tmp_path)
    assert '"done":true' in ended.replace(" ", "")
    result = sixteen.event.rounds[0].at(table.table).result
    assert result is not None
    assert result.winner(table.players) == first
