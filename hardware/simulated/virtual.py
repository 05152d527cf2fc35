"""Virtual time for a test and all threads that it starts: nobody waits, and every run is the same.

The threads are real, but one at a time runs. When it waits, by `time.sleep`, an Event, a Condition, a Queue or a
join, the next one whose wait is over goes on; when there is none, the time is turned to the first moment at which one
is. The test's own thread is one of them, so time passes only while the test waits. What waits in other ways (a bare
Lock held over a wait, a SimpleQueue, a socket, asyncio) waits in real time.
"""

import heapq
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from math import ceil
from traceback import extract_stack
from typing import Any, Self

from hardware.errors import HardwareError

GRAIN = 2.0**-21
"""Seconds: every moment is a multiple of it, so that no sum is rounded, and no wait ends too early."""

TICK = 0.001
"""Seconds that a thread waits at least: one that polls without a pause must not stop the time."""

PATIENCE = 600.0
"""Virtual seconds after which a test that waits without a limit is told that nothing is going to happen."""

REAL_PATIENCE = 20.0
"""Real seconds after which a thread that runs on, or waits for something real, is named."""

_LEFT_ALONE = frozenset({*sys.stdlib_module_names, "_pytest", "pytest", "pluggy", "xdist", "execnet", "coverage"}) - {
    "time", "signal", "threading", "queue",
}  # fmt: skip
"""Packages whose `sleep` and clocks stay real; of the standard library's, those whose waits are turned are not."""


class NothingHappens(HardwareError, TimeoutError):
    """A test waits for what will never come: everybody else waits as well, or ten minutes have passed."""


class ThreadHangs(HardwareError, RuntimeError):
    """A thread of the test does not come to a virtual wait; the message says where it is."""


class Dropped(SystemExit):
    """Ends a thread that still waits when its test is over."""


class _Runner:
    """A thread that takes part: what it waits for, and the lock that lets it go on."""

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self.go = threading.Lock()
        self.go.acquire()
        self.ready: Callable[[], bool] = bool
        self.until: float | None = None
        self.woke = False
        self.done = False


class VirtualTime:
    """A context: inside, `now` is the time of this thread and of all threads that are started from it."""

    def __init__(self) -> None:
        self.now = 0.0
        self._began = float(int(time.time()))
        self._runners: dict[int, _Runner] = {}
        self._waiting: list[_Runner] = []
        self._timers: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()
        self._failure: BaseException | None = None
        self._replaced: list[tuple[Any, str, Any]] = []
        self._closed = False

    def __enter__(self) -> Self:
        self._main = self._running = _Runner(threading.current_thread())
        self._runners[threading.get_ident()] = self._main
        clocks = {
            time.sleep: partial(self._sleep, time.sleep),
            time.monotonic: partial(self._clock, time.monotonic, 0.0),
            time.perf_counter: partial(self._clock, time.perf_counter, 0.0),
            time.time: partial(self._clock, time.time, self._began),
            signal.pause: partial(self._pause, signal.pause),
        }
        virtual = {id(real): instead for real, instead in clocks.items()}
        for package, module in [*sys.modules.items()]:
            if package.partition(".")[0] not in _LEFT_ALONE:
                for name, value in [*getattr(module, "__dict__", {}).items()]:
                    if id(value) in virtual:
                        self._replace(module, name, virtual[id(value)])
        for owner, name, instead in (
            (threading.Condition, "wait", self._wait_on),
            (threading.Thread, "start", self._start),
            (threading.Thread, "join", self._join),
        ):
            self._replace(owner, name, _method(instead, getattr(owner, name)))
        return self

    def __exit__(self, *_: object) -> None:
        for owner, name, value in reversed(self._replaced):
            setattr(owner, name, value)
        self._closed = True
        del self._runners[threading.get_ident()]
        runners = [*self._runners.values()]
        # What only a thread holds must not be finalised in it: a device of gpiozero then waits for its own thread.
        owners = [getattr(runner.thread, "_target", None) for runner in runners]
        for runner in runners:
            runner.go.release()
            runner.thread.join(REAL_PATIENCE)
        del owners

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass, with all that happens in them."""
        self._block(bool, seconds)

    def settle(self) -> None:
        """Let all others do what they do at this moment."""
        self._block(bool, 0.0)

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        """Have the test's thread do something after so many seconds."""
        heapq.heappush(self._timers, (self.moment(seconds), next(self._numbers), act))

    def moment(self, seconds: float) -> float:
        """Return when so many seconds will have passed."""
        return self.now + ceil(seconds / GRAIN) * GRAIN

    def start(self, act: Callable[[], object]) -> threading.Thread:
        """Have something done in a thread of its own; what it raises is raised where the test waits next."""

        def run() -> None:
            try:
                act()
            except SystemExit:
                return  # it has ended itself, or the test is over
            except BaseException as error:  # noqa: BLE001
                self._failure = error

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    # -- in place of the real ones

    def _replace(self, owner: Any, name: str, instead: Any) -> None:
        self._replaced.append((owner, name, getattr(owner, name)))
        setattr(owner, name, instead)

    def _me(self) -> _Runner | None:
        return self._runners.get(threading.get_ident())

    def _clock(self, real: Callable[[], float], began: float) -> float:
        asyncio = sys.modules.get("asyncio")
        # An event loop waits in real time, so it must not look at another.
        if self._me() is None or (asyncio is not None and asyncio._get_running_loop() is not None):  # noqa: SLF001
            return real()
        return began + self.now

    def _sleep(self, real: Callable[[float], None], seconds: float) -> None:
        if self._me() is None:
            real(seconds)
        else:
            self._block(bool, seconds)

    def _pause(self, real: Callable[[], None]) -> None:
        if self._me() is None:
            real()
        else:
            self._block(bool, None)

    def _wait_on(self, real: Callable[..., bool], condition: Any, timeout: float | None = None) -> bool:
        """Stand for `Condition.wait`, on which Event, Queue, Semaphore and Barrier are built."""
        if self._me() is None:
            return real(condition, timeout)
        waiter = threading.Lock()
        waiter.acquire()
        condition._waiters.append(waiter)  # noqa: SLF001
        saved = condition._release_save()  # noqa: SLF001
        got = False
        try:
            got = self._block(lambda: waiter.acquire(blocking=False), timeout)
        finally:
            condition._acquire_restore(saved)  # noqa: SLF001
            if not got:
                with suppress(ValueError):
                    condition._waiters.remove(waiter)  # noqa: SLF001
        return got

    def _start(self, real: Callable[..., None], thread: threading.Thread) -> None:
        me = self._me()
        if me is None:
            real(thread)
            return
        runner, run = _Runner(thread), thread.run

        def taking_part() -> None:
            self._runners[threading.get_ident()] = runner
            runner.go.acquire()
            try:
                if not self._closed:
                    run()
            except Dropped:
                pass
            finally:
                self._runners.pop(threading.get_ident())
                runner.done = True
                if not self._closed:
                    self._let_on()

        thread.run = taking_part  # type: ignore[method-assign]
        self._runners.pop(threading.get_ident())  # it waits for the new thread really
        try:
            real(thread)
        finally:
            self._runners[threading.get_ident()] = me
        runner.ready = lambda: True
        self._waiting.append(runner)
        self._pass(me, lambda: True, None)

    def _join(self, real: Callable[..., None], thread: threading.Thread, timeout: float | None = None) -> None:
        runner = next((each for each in self._runners.values() if each.thread is thread), None)
        if self._me() is not None and runner is not None and not self._block(lambda: runner.done, timeout):
            return
        real(thread, None if runner is not None else timeout)

    # -- who goes on

    def _block(self, ready: Callable[[], bool], timeout: float | None) -> bool:
        """Wait until `ready`, or for so many seconds; return whether it is."""
        me = self._me()
        assert me is not None
        if self._closed:
            return False  # in what a dropped thread does in the end
        if me is not self._main:
            return self._pass(me, ready, None if timeout is None else self.moment(max(timeout, TICK)))
        until = self.moment(PATIENCE if timeout is None else max(timeout, 0.0))
        while True:
            woke = self._pass(me, ready, until)
            if self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            if woke:
                return True
            while self._timers and self._timers[0][0] <= self.now:
                heapq.heappop(self._timers)[2]()
            if self.now >= until:
                if timeout is None:
                    raise NothingHappens(
                        "expected something to end this wait, but nothing else is going to happen in ten minutes: "
                        "is an action due (pins.after), is the part connected (pins.echo)?"
                    )
                return ready()

    def _pass(self, me: _Runner, ready: Callable[[], bool], until: float | None) -> bool:
        me.ready, me.until = ready, until
        self._waiting.append(me)
        self._let_on()
        if not me.go.acquire(timeout=REAL_PATIENCE if me is self._main else -1):
            raise ThreadHangs(self._where())
        if self._closed:
            raise Dropped
        return me.woke

    def _let_on(self) -> None:
        """Let the next one go on."""
        self._running = self._next()
        self._waiting.remove(self._running)
        self._running.go.release()

    def _next(self) -> _Runner:
        while True:
            for runner in self._waiting:
                runner.woke = runner.ready()
                if runner.woke or (runner.until is not None and runner.until <= self.now):
                    return runner
                if runner is self._main and (self._failure or (self._timers and self._timers[0][0] <= self.now)):
                    return runner
            times = [runner.until for runner in self._waiting if runner.until is not None]
            self.now = max(self.now, min([*times, *(timer[0] for timer in self._timers[:1])]))

    def _where(self) -> str:
        thread = self._running.thread
        frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001
        line = extract_stack(frame)[-1] if frame is not None else None
        place = f"{line.filename}:{line.lineno}: {line.line}" if line else "its end"
        return f"{thread.name} runs on, or waits for something that is not virtual, at {place}"


def _method(instead: Callable[..., Any], real: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that can be a method, which `partial` cannot."""

    def method(owner: Any, *args: Any, **named: Any) -> Any:
        return instead(real, owner, *args, **named)

    return method
