"""A whole box on its link to the ledger: it is seated, plays, calls, and sends its slip."""

from __future__ import annotations

from pathlib import Path

from referee.hall.ledger.boxes import hashed
from referee.testing.station import Bench
from referee.tournament import Result
from tests.hall.ledger.conftest import Open
from tests.hall.ledger.test_calls import Hall
from tests.station.hall.test_link import Table, until


def test_a_box_plays_its_match_at_the_hall(open_store: Open, tmp_path: Path, bench: Bench) -> None:
    hall = Hall(open_store(), tmp_path)
    token = hall.calls.boxes.add(hall.calls.boxes.offer()).result()
    with hall.serving() as port:
        table = Table(bench, f"127.0.0.1:{port}", hall.certificate, token=token)
        until(table.link.reached)
        hall.start_round(hashed(token))
        until(
            lambda: (
                table.hear() is not None and bool(bench.console.event.seating and bench.console.event.seating.players)
            )
        )
        seating = bench.console.event.seating
        assert seating is not None
        assert [each.name for each in seating.players] == ["Player 1", "Player 2"]
        bench.key("select")
        bench.play("battle-of-the-ring")
        bench.key("1", "2")
        games = [list(bench.journal.records(1))]
        until(
            lambda: (
                len(hall.store.read(lambda db: hall.calls.games.page(db, hashed(token), games[0][0]["hash"], -1)))
                == len(games[0])
            )
        )
        bench.console.event.call_judge()
        bench.console.event.send_slip(seating, {"games": [{"winner": 1}]})
        bench.settle()
        table.board.publish()
        until(lambda: hall.ledger.state.event.round(1).at(1).result is not None)
        assert isinstance(hall.ledger.state.event.round(1).at(1).result, Result)
        assert [each.table for each in hall.ledger.state.event.calls] == [1]
        table.link.stop()
