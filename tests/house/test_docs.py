"""docs/ says what the code does: defaults, codes, times and sounds are compared, and every link leads somewhere."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from hardware.keys import debounce
from referee import __version__, config
from referee.cli.exits import MEANINGS
from referee.cli.options import parser
from referee.cli.parsing import CODES
from referee.console import grammar
from referee.console.cards.clock import clock_page
from referee.console.cards.menu import judge_page, menu_page
from referee.console.console import Console
from referee.console.sounds import FAULT_EVERY, RHYTHMS
from referee.games import load
from referee.session import Session
from referee.station.virtual.bench import Bench

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "NOTICE"])
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """Return the cells of every line of every table."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", text, re.MULTILINE)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", read(name), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        path = (ROOT / name).parent / file if file else ROOT / name
        assert path.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
            assert anchor in slugs, target


@pytest.mark.parametrize("name", NAMES)
def test_no_document_names_a_folder_of_a_machine(name: str) -> None:
    # The program's own place on a Raspberry Pi is no secret.
    assert re.findall(r"(?<![\w.~])/(?:home|root|work|tmp|Users|opt(?!/referee))\b", read(name)) == []


def test_the_configuration_is_the_one_the_station_knows() -> None:
    text = read("docs/operate.md")
    (block,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert config.parse(block) == config.Config()
    names = [line.partition("=")[0].strip() for line in block.splitlines() if "=" in line.partition("#")[0]]
    assert sorted(names) == sorted(key for section in vars(config.Config()).values() for key in vars(section))
    described = {key for row in rows(text) for key in re.findall(r"`(\w+\.\w+)`", row[0])}
    assert set(config.RULES) <= described


def test_the_exit_codes_are_those_of_the_command_line() -> None:
    described = {int(row[0]): row[1] for row in rows(read("docs/operate.md")) if row[0].isdigit()}
    assert set(described) == set(MEANINGS)
    for code, meaning in MEANINGS.items():
        assert described[code].startswith(re.split("[:;]", meaning)[0])
        assert f"\n  {code:<3}  {meaning}\n" in CODES


def commands(text: str) -> list[list[str]]:
    """Return the words of each command line of a document: in back quotes, or at the begin of a line of a block."""
    quoted = re.findall(r"`referee ([^`]+)`", text)
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(?:\$ )?(?:sudo (?:-u referee )?)?referee (.+)$", "".join(blocks), re.MULTILINE)
    return [shlex.split(re.split(r" {2,}| [\[|>#]", line.replace("\n", " "))[0]) for line in quoted + lines]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "CHANGELOG.md"])  # which tells of what is gone
def test_every_command_line_is_understood(name: str) -> None:
    known = parser()
    for words in commands(read(name)):
        command, rest = known, list(words)
        while rest and rest[0] in command.commands:
            command = command.commands[rest.pop(0)]
        if rest and rest[-1].startswith("--"):  # the option alone is named
            assert rest[-1] in command.format_help(), words
        elif rest:
            assert known.parse_args(["1" if word == "SEAT" else word for word in words]).run, words


def test_the_sounds_have_the_rhythms_they_are_said_to_have() -> None:
    text = read("docs/box.md")
    rhythms = [(row[0].strip("`"), row[1]) for row in rows(text) if row[0] in {f"`{name}`" for name in RHYTHMS}]
    assert rhythms == [(name, " ".join(map(str, rhythm))) for name, rhythm in RHYTHMS.items()]
    assert f"every {FAULT_EVERY:.0f} s" in text


def test_the_times_are_those_of_the_guards() -> None:
    text = read("docs/box.md")
    guards = {row[0]: row[1] for row in rows(text) if len(row) == 2}
    assert f"{grammar.LATE * 1000:.0f} ms" in guards["late"]
    assert f"{grammar.DOUBLE_DIE * 1000:.0f} ms on the same" in guards["double"]
    assert f"{grammar.DOUBLE * 1000:.0f} ms across" in guards["double"]
    assert f"{grammar.NUDGE * 1000:.0f} ms" in guards["knob"]
    assert f"{grammar.SEAT_MINIMUM * 1000:.0f} ms" in guards["seat"]
    assert f"less than {debounce.CLICK * 1000:.0f} ms" in text
    assert f"from {debounce.HOLD * 1000:.0f} ms on" in text
    assert debounce.LONG_HOLD == 1.0
    assert "a full second" in text


def test_the_menu_is_in_its_order(tmp_path: Path) -> None:
    text = read("docs/box.md")
    with Bench(tmp_path / "journal.db") as bench:
        console: Console = bench.console
        console.table.use(Session(load("battle-of-the-ring")))
        menu = [item.text for item in menu_page(console.context).deal.items]
        judge = [item.text for item in judge_page(console.context).deal.items]
    listed = re.findall(r"^\d\. \*\*(\w+)\*\*", text, re.MULTILINE)
    assert [each for each in listed if each != "Event"] == menu  # this box is alone
    (line,) = re.findall(r"^5\. .*?^The sixth key", text, re.MULTILINE | re.DOTALL)
    assert [word for word in judge if word.lower() not in line.lower().replace("re-rolled", "re-roll")] == []


def test_the_page_of_the_clocks_is_in_its_order(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        bench.console.table.use(Session(load("battle-of-the-ring")))
        cells = [
            f"{number} {item.text}" for number, item in enumerate(clock_page(bench.console.context).deal.items, 1)
        ]
    assert [row[0] for row in rows(read("docs/box.md")) if re.fullmatch(r"\d \S+", row[0])] == cells


def test_the_house_has_the_rooms_that_are_drawn() -> None:
    (plan, *_) = re.findall(r"^```\n(.*?)^```$", read("docs/architecture.md"), re.MULTILINE | re.DOTALL)
    rooms: list[Path] = []
    drawn = 0
    for line in plan.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        for name in re.findall(r"(?<![\w/.])([a-z_]+(?:\.py|/))", re.split(r" {5,}(?=\S)", line.strip())[0] + " "):
            room = rooms[depth - 1] / name if depth else ROOT / name
            assert room.exists(), room
            rooms[depth:] = [room]
            drawn += 1
    assert drawn >= 10


def test_the_floors_are_those_that_are_checked() -> None:
    _, floors, *_ = re.findall(r"^```\n(.*?)^```$", read("docs/architecture.md"), re.MULTILINE | re.DOTALL)
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["id"] == "floors")
    assert [line.split() for line in floors.splitlines()] == [layer.split(" | ") for layer in layers]


def test_the_changelog_has_the_version_that_is_built() -> None:
    assert __version__ in read("CHANGELOG.md")
