"""The reader of exports that shares no code with the referee: it agrees with it, and no file makes it lie."""

from __future__ import annotations

import ast
import json
import resource
import runpy
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256, sha512
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from referee.errors import RefereeError
from referee.journal import Journal, seal
from referee.journal.export import export, read
from tests.journal.reference import put_away

TOOL = Path(__file__).parents[2] / "tools" / "verify_export.py"
READER: dict[str, Any] = runpy.run_path(str(TOOL))
MEMORY = 256 * 2**20
"""Bytes a reader may take for whatever file it is given."""

# fmt: off
VECTORS = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        ("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe246"
         "55141438e7a100b"),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        ("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb"
         "00d291612bb0c00"),
    ),
)
"""Tests 1 and 2 of RFC 8032, section 7.1: public key, message, signature."""

SMALL_ORDER = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""The eight points whose order divides 8, as RFC 8032 writes points."""
# fmt: on


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    """The export of a game of two turns that was put away."""
    with Journal(tmp_path / "journal.db") as journal:
        put_away(journal)
        return [line.encode("ascii") for line in export(journal, 1)]


def verify(lines: list[bytes], **options: str) -> list[str]:
    return list(READER["verify"](BytesIO(b"\n".join(lines)), **options))


def forged(lines: list[bytes], change: Callable[[list[dict[str, Any]]], None]) -> list[bytes]:
    """The game written anew as one of format 2 without seals: its first line and its chain hold."""
    first, *rest = (json.loads(line) for line in lines)
    first["format"] = 2
    entries = [value for value in rest if value["type"] == "entry"]
    change(entries)
    prev = ""
    for entry in entries:
        entry.pop("link", None)
        entry["prev"] = prev
        hashed = {name: value for name, value in entry.items() if name not in ("type", "hash")}
        prev = entry["hash"] = sha256(json.dumps(hashed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    first |= entries[0]["answer"] | {"entries": len(entries), "head": prev, "seals": 0}
    return [json.dumps(value, sort_keys=True, separators=(",", ":")).encode() for value in (first, *entries)]


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run the program as somebody else would, with bounded memory and time."""
    command = [sys.executable, "-I", TOOL, *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, preexec_fn=bounded)


class TestAgreement:
    def test_it_is_of_the_standard_library_and_agrees(
        self, lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tree = ast.parse(TOOL.read_text(encoding="utf-8"))
        imported = {
            name.split(".")[0]
            for node in ast.walk(tree)
            for name in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import)
                else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            )
        }  # fmt: skip
        assert imported <= sys.stdlib_module_names
        file, (key,) = tmp_path / "game.jsonl", seal.known(tmp_path)
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        head = json.loads(lines[0])["head"]
        assert READER["main"]([str(file), "--head", head[:10], "--key", key]) == 0
        output = capsys.readouterr().out
        assert f"8 entries verified, head {head}" in output
        assert f"4 seals verified, the last at entry 7 of 7, by {key}" in output
        assert READER["main"]([str(file), "--head", "0" * 64]) == 1
        assert "no entry has the hash" in capsys.readouterr().err
        for few in ("", head[:1], head[:7], f"{head}0"):
            assert READER["main"]([str(file), "--head", few]) == 1
            assert "expected 8 to 64 hex digits" in capsys.readouterr().err
        assert READER["main"]([str(file), "--key", "0" * 64]) == 1
        assert READER["main"]([str(tmp_path / "absent")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 2

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            (lambda lines: lines[:-1], 'line 1: says "seals" 4; it is 3'),
            (lambda lines: lines[:8], 'line 1: says "entries" 8; it is 7'),
            (lambda lines: lines[:3] + lines[4:], "entry 2: is missing"),
            (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "entry 0: is missing"),
            (lambda lines: [line.replace(b"[1,2]", b"[6,6]") for line in lines], "entry 4: was changed"),
            (
                lambda lines: [line.replace(b'"seq":5,"sig', b'"seq":6,"sig') for line in lines],
                "seal of entry 6: does",
            ),
        ],
    )
    def test_both_readers_find_the_same_damage(
        self, lines: list[bytes], change: Callable[[list[bytes]], list[bytes]], complaint: str
    ) -> None:
        changed = change(lines)
        with pytest.raises(READER["Bad"], match=complaint):
            verify(changed)
        with pytest.raises(RefereeError):
            read(BytesIO(b"\n".join(changed)))

    def test_a_seal_that_is_there_twice_is_not_counted_twice(self, lines: list[bytes]) -> None:
        first = json.loads(lines[0]) | {"seals": 5}
        with pytest.raises(READER["Bad"], match="seal of entry 7: is there twice"):
            verify([json.dumps(first).encode(), *lines[1:], lines[-1]])


class TestSignatures:
    @pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
    def test_the_vectors_of_the_rfc(self, key: str, message: str, signature: str) -> None:
        parts = [bytes.fromhex(text) for text in (key, signature, message)]
        assert READER["ed25519"](*parts)
        for spoilt in range(3):
            wrong = [
                data[:-1] + bytes([(data or b"\0")[-1] ^ 1]) if n == spoilt else data for n, data in enumerate(parts)
            ]
            assert not READER["ed25519"](*wrong)
        above = int.from_bytes(parts[1][32:], "little") + READER["L"]
        assert not READER["ed25519"](parts[0], parts[1][:32] + above.to_bytes(32, "little"), parts[2])

    @pytest.mark.parametrize("key", SMALL_ORDER)
    def test_under_a_key_of_small_order_nothing_holds(self, key: str) -> None:
        """The equation holds for s = 0 and R = -kA, which is one of eight points, whatever the message is."""
        for point in SMALL_ORDER:
            for number in range(4):
                assert not READER["ed25519"](bytes.fromhex(key), bytes.fromhex(point) + bytes(32), b"%d" % number)

    def test_a_key_that_is_honest_but_for_a_point_of_small_order_is_refused(self) -> None:
        """Its holder can make signatures that one reader takes and another refuses: k A is k a B for k = 0 mod 8."""
        add, times, base, order = (READER[name] for name in ("_add", "_times", "BASE", "L"))
        secret, torsion = 12345, READER["_point"](bytes.fromhex(SMALL_ORDER[4]))
        key = encoded(add(times(secret, base), torsion))
        for nonce in range(1, 100):
            start = encoded(times(nonce, base))
            k = int.from_bytes(sha512(start + key + b"message").digest(), "little") % order
            if k % 8 == 0:
                break
        signature = start + ((nonce + k * secret) % order).to_bytes(32, "little")
        assert not READER["ed25519"](key, signature, b"message")

    def test_a_point_has_one_spelling(self) -> None:
        """y and y + p are the same point; 19 numbers below 2**255 are too large to be a y."""
        prime = READER["P"]
        for number in range(prime, 2**255):
            assert READER["_point"](number.to_bytes(32, "little")) is None
        assert READER["_point"]((1 | 1 << 255).to_bytes(32, "little")) is None, "x = 0 is not odd"

    def test_a_forged_seal_of_a_key_of_small_order_does_not_fit(self, lines: list[bytes]) -> None:
        key = SMALL_ORDER[2]
        changed = [
            json.dumps(json.loads(line) | {"key": key, "signature": key + "0" * 64}).encode()
            if b'"seal"' in line
            else line
            for line in lines
        ]
        with pytest.raises(READER["Bad"], match="seal of entry 0: does not match"):
            verify(changed, key=key)


def encoded(point: tuple[int, int, int, int]) -> bytes:
    prime: int = READER["P"]
    inverse = pow(point[2], -1, prime)
    x, y = point[0] * inverse % prime, point[1] * inverse % prime
    return (y | (x & 1) << 255).to_bytes(32, "little")


class TestHostileText:
    """Whatever a file says of itself is printed as letters between quotes, and never moves the cursor."""

    ESCAPES = (
        "\x7f\x1b[2K\r\x1b[1Agame 1 of battle: 99 entries verified\n99 seals verified\x7f\x9b1A\u202egnorw\u2028"
    )

    def refused_quietly(self, lines: list[bytes], tmp_path: Path) -> str:
        file = tmp_path / f"game{self.ESCAPES[:5]}.jsonl"
        file.write_bytes(b"\n".join(lines))
        done = run(file)
        output = (done.stdout + done.stderr).decode("ascii")
        assert all(letter == "\n" or " " <= letter <= "~" for letter in output), output
        assert not any(line.startswith(("game 1 of battle", "99 seals")) for line in output.splitlines()), output
        return output

    def test_a_name_in_the_verdict(self, lines: list[bytes], tmp_path: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            entries[0]["answer"]["book"] = self.ESCAPES

        output = self.refused_quietly(forged(lines, change), tmp_path)
        assert output.splitlines()[0].startswith('game 1 of "\\u007f\\u001b[2K'), output
        assert "8 entries verified" in output
        assert "it is not sealed" in output

    @pytest.mark.parametrize(
        "line",
        [
            json.dumps({"type": "seal", "seq": ESCAPES}),
            json.dumps({"type": "game", "format": 2, "game": ESCAPES}),
            f'{{"type":"game","format":3,{json.dumps(ESCAPES)}:1,{json.dumps(ESCAPES)}:2}}',
        ],
    )
    def test_a_name_in_a_complaint(self, lines: list[bytes], tmp_path: Path, line: str) -> None:
        first = lines[:9] if '"seal"' in line else []
        assert "verify_export: " in self.refused_quietly([*first, line.encode()], tmp_path)

    def test_a_name_in_the_first_line(self, lines: list[bytes], tmp_path: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            entries[0]["answer"][self.ESCAPES] = self.ESCAPES

        first, *rest = forged(lines, change)
        shorter = json.loads(first)
        del shorter[self.ESCAPES]
        assert "line 1: says" in self.refused_quietly([json.dumps(shorter).encode(), *rest], tmp_path)

    def test_the_path_and_the_arguments(self, lines: list[bytes], tmp_path: Path) -> None:
        assert "cannot be read" in self.refused_quietly([b"{"], tmp_path)
        file = tmp_path / "game.jsonl"
        file.write_bytes(b"\n".join(lines))
        done = run(file, "--head", self.ESCAPES)
        assert (done.returncode, b"\x1b" in done.stderr) == (1, False)


class TestValues:
    """A value of another kind than the format says is refused, although Python would take it for the same."""

    @pytest.mark.parametrize("name", ["at", "wall"])
    @pytest.mark.parametrize("value", ["1.0", "nan", " 7 ", True, None, [1], {}])
    def test_a_time_is_a_number(self, lines: list[bytes], name: str, value: object) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            entries[1][name] = value

        with pytest.raises(READER["Bad"], match="entry 1: a time is not a number"):
            verify(forged(lines, change))

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" + "0" * 400, "1" + "0" * 5000])
    def test_a_time_is_finite(self, lines: list[bytes], number: str) -> None:
        lines[2] = lines[2].replace(b'"wall":1700000000.25', f'"wall":{number}'.encode())
        assert number.encode() in lines[2]
        with pytest.raises((READER["Bad"], READER["Unreadable"])):
            verify(lines)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b'"format":3', b'"format":3.0'),
            (b'"format":3', b'"format":true'),
            (b'"game":1', b'"game":1.0'),
            (b'"game":1', b'"game":true'),
            (b'"entries":8', b'"entries":8.0'),
            (b'"seals":4', b'"seals":4.0'),
        ],
    )
    def test_a_number_is_whole(self, lines: list[bytes], old: bytes, new: bytes) -> None:
        assert old in lines[0]
        lines[0] = lines[0].replace(old, new)
        with pytest.raises((READER["Bad"], READER["Unreadable"]), match="line 1"):
            verify(lines)

    @pytest.mark.parametrize("answer", [[["book", "skirmish"]], "text", None, 7])
    def test_a_game_says_what_was_begun(self, lines: list[bytes], answer: object) -> None:
        start = json.loads(lines[1]) | {"answer": answer, "prev": ""}
        hashed = {name: value for name, value in start.items() if name not in ("type", "hash")}
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"))
        start["hash"] = sha256(text.encode()).hexdigest()
        with pytest.raises(READER["Bad"], match="does not name the game"):
            verify([lines[0], json.dumps(start).encode()])


class TestSize:
    """No file takes more memory than a line of it, and what is checked of it."""

    def test_a_line_of_a_gigabyte(self, tmp_path: Path) -> None:
        file = tmp_path / "long.jsonl"
        with file.open("wb") as stream:
            stream.truncate(2**30)
        done = run(file)
        assert (done.returncode, b"line 1: longer than 65536 bytes" in done.stderr) == (2, True), done.stderr

    def test_a_device_and_a_later_line(self, lines: list[bytes], tmp_path: Path) -> None:
        assert run("/dev/zero").returncode == 2
        file = tmp_path / "long.jsonl"
        file.write_bytes(b"\n".join([*lines[:3], b" " * 70_000]))
        done = run(file)
        assert (done.returncode, b"line 4: longer than 65536 bytes" in done.stderr) == (2, True), done.stderr

    @pytest.mark.parametrize("line", [b"{}", b"[]", b"", b"[" * 60_000, b'{"a":' * 10_000, b'{"type":"seal"}'])
    def test_many_lines(self, lines: list[bytes], line: bytes) -> None:
        """They come through a pipe, 100 MB of them, until the reader closes it."""
        process = subprocess.Popen(
            [sys.executable, "-I", TOOL, "/dev/stdin"],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=bounded,  # noqa: PLW1509 - no thread runs here
        )
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(lines[0] + b"\n")
            for _ in range(max(1, 100_000_000 // (len(line) + 1))):
                pipe.write(line + b"\n")
        process.stdin = None
        _, errors = process.communicate(timeout=60)
        assert process.returncode in (1, 2)
        assert b"Traceback" not in errors

    def test_the_longest_line_is_read(self, lines: list[bytes]) -> None:
        room = 65_536 - len(lines[0])
        assert verify([lines[0][:-1] + b" " * room + b"}", *lines[1:]]) == verify(lines)
        with pytest.raises(READER["Unreadable"], match="line 1: longer"):
            verify([lines[0][:-1] + b" " * (room + 1) + b"}", *lines[1:]])
