"""What the hall does again and again goes on after a fault, which is told."""

from __future__ import annotations

import asyncio

import pytest

from referee.hall.again import again


def test_a_step_that_fails_is_logged_and_the_next_one_comes(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> int:
        steps, enough = 0, asyncio.Event()

        def step() -> None:
            nonlocal steps
            steps += 1
            if steps == 2:
                raise OSError("no space left")
            if steps == 4:
                enough.set()

        task = asyncio.create_task(again(step, 0))
        await asyncio.wait_for(enough.wait(), 30)
        task.cancel()
        await asyncio.wait([task])
        return steps

    assert asyncio.run(run()) >= 4
    assert [record.getMessage() for record in caplog.records] == ["the hall goes on after a fault"]
    assert "no space left" in caplog.text
