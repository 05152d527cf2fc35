"""The example of docs/hall.md: a table without a box plays its match with nothing but `curl` and `openssl`."""

from __future__ import annotations

import re
import subprocess
import threading
from pathlib import Path

import pytest

from referee.hall.boxes import hashed
from referee.hall.desk import Desk
from referee.tournament.acts.people import CallClaimed
from tests.components import ROOT
from tests.hall.table import MARK
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
        hall.place(hall.boxes.tokens.find(hashed(token)), table.table)
        said = "".join(lines[at:]).replace('"players": [5, 12]', f'"players": [{first}, {second}]')
        said = said.replace('"winner": 5', f'"winner": {first}').replace('"table": 3', f'"table": {table.table}')
        rest = "".join([*lines[: at - 1], f"token={token}\n", said])
        ended = shell(rest, tmp_path)
        speak = "".join([*lines[: at - 1], f"token={token}\n"]).replace("echo $token", "")
        about = f'"round": 1, "table": {table.table}, "players": [{first}, {second}]'
        called, disputed = (
            shell(
                f'{speak}say -d \'{{"id": "\'$(openssl rand -hex 32)\'", "kind": "{kind}", {about}}}\' '
                "https://$hall/api/acts",
                tmp_path,
            )
            for kind in ("call", "challenge")
        )
        etag = shell(f"{speak}say -D - -o wish https://$hall/api/table | grep -i '^etag:' | cut -c7-", tmp_path)
        wait = f"say -H 'If-None-Match: {etag.split()[-1]}' -o wish -w '%{{http_code}}' \"https://$hall/api/table?wait=25\""
        deciding = threading.Timer(0.5, hall.act, [CallClaimed(**MARK, call=1)])
        deciding.start()
        told = shell(f"{speak}{wait}", tmp_path)
        deciding.join()
    for said in (ended, called, disputed):
        assert '"done":true' in said.replace(" ", "")
    assert (told.splitlines()[-1], "A judge comes" in (tmp_path / "wish").read_text()) == ("200", True)
    assert sixteen.event.rounds[0].at(table.table).challenged
    result = sixteen.event.rounds[0].at(table.table).result
    assert result is not None
    assert result.winner(table.players) == first
