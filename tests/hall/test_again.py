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


def test_a_fault_that_comes_at_every_step_is_logged_once_until_one_succeeds(caplog: pytest.LogCaptureFixture) -> None:
    faults = ["disk full", "disk full", "disk gone", "disk full", "", "disk full"]

    async def run() -> None:
        ahead, over = iter(faults), asyncio.Event()

        def step() -> None:
            fault = next(ahead, None)
            if fault is None:
                over.set()
            elif fault:
                raise OSError(fault)

        task = asyncio.create_task(again(step, 0))
        await asyncio.wait_for(over.wait(), 30)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(run())
    logged = [str(record.exc_info[1]) for record in caplog.records if record.exc_info]
    assert logged == ["disk full", "disk gone", "disk full", "disk full"]
