"""Trying faults: each in a process of its own, forked from one that has everything imported and every test collected.

A fault in a function is put into the functions that live there. One that takes effect when its module is imported is
planted into the import, in a process that has imported nothing of the project yet.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.abc
import importlib.machinery
import math
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.operators import Mutant, Source, same

KILLED, SURVIVED, SLOW, UNFIT = "killed", "survived", "time over", "unfit"
"""How a trial ends. ``UNFIT``: a living function cannot take the changed code; try it at the import."""

OPTIONS = [
    "-q",
    "--capture=no",
    *("-p", "no:cacheprovider"),
    *("-p", "no:xdist"),
    *("-o", "faulthandler_timeout=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # hypothesis is imported before pytest runs
]
CODES = {0: SURVIVED, 1: KILLED, 2: UNFIT, -signal.SIGXCPU: SLOW}
WAITING = 4
"""How many times the seconds of the processor a trial may last: others work on the machine, and tests wait."""


@dataclass(frozen=True)
class Trial:
    """A fault, the tests that may notice it in their order, and the seconds of the processor they may take."""

    mutant: Mutant
    tests: tuple[str, ...]
    seconds: float


Take = Callable[[], int | None]
"""Returns the number of the next trial, None after the last."""
Put = Callable[[tuple[int, str]], None]
"""Takes the number of a trial and how it ended."""
Serve = Callable[[Path, list[Trial], Take, Put], None]


def run(root: Path, trials: Sequence[Trial], workers: int, tell: Callable[[Trial, str], None]) -> None:
    """Try all of them; tell how each ended as soon as it has."""
    at_import = [trial for trial in trials if not trial.mutant.function]
    unfit: list[Trial] = []

    def sort(trial: Trial, end: str) -> None:
        if end == UNFIT:
            unfit.append(trial)
        else:
            tell(trial, end)

    _spread(_serve_collected, root, [trial for trial in trials if trial.mutant.function], workers, sort)
    _spread(_serve_bare, root, [*at_import, *unfit], workers, tell)


def _spread(serve: Serve, root: Path, trials: list[Trial], workers: int, tell: Callable[[Trial, str], None]) -> None:
    """Share trials out among processes, one trial at a time."""
    context = get_context("fork")
    results: Any = context.SimpleQueue()
    following = context.Value("i", 0)

    def take() -> int | None:
        with following.get_lock():
            following.value += 1
            return following.value - 1 if following.value <= len(trials) else None

    def work() -> None:
        try:
            serve(root, trials, take, results.put)
        except BaseException:
            results.put(traceback.format_exc())
            raise
        results.put(None)

    processes: list[ForkProcess] = [context.Process(target=work) for _ in range(min(workers, len(trials)))]
    for process in processes:
        process.start()
    running = len(processes)
    while running:
        result = results.get()
        if result is None:
            running -= 1
        elif isinstance(result, str):
            raise RuntimeError(f"a worker has stopped:\n{result}")
        else:
            tell(trials[result[0]], result[1])
    for process in processes:
        process.join()


def _serve_collected(root: Path, trials: list[Trial], take: Take, put: Put) -> None:
    """Collect every test that is needed, then try faults in forks of this process."""
    files = sorted({test.partition("::")[0] for trial in trials for test in trial.tests})
    _quiet(root)
    code = pytest.main([*OPTIONS, *files], plugins=[_Server(root, trials, take, put)])
    if code != 0:
        raise RuntimeError(f"the tests could not be collected: pytest ended with {code}")


def _serve_bare(root: Path, trials: list[Trial], take: Take, put: Put) -> None:
    """Try faults in forks of this process, which import the project anew."""
    _quiet(root)
    while (number := take()) is not None:
        trial = trials[number]

        def child(trial: Trial = trial, folder: str = "") -> int:
            source = Source(root, trial.mutant.file)
            module = trial.mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            sys.meta_path.insert(0, _Planted(module, source.code(trial.mutant.number)))
            files = sorted({test.partition("::")[0] for test in trial.tests})
            options = [*OPTIONS, "-x", f"--basetemp={folder}/tests"]
            return 0 if pytest.main([*options, *files], plugins=[_Chosen(trial.tests)]) == 0 else 1

        put((number, _forked(child, trial.seconds)))


def _quiet(root: Path) -> None:
    """Work in the project, and print nothing: what tests under a fault print interests nobody."""
    os.chdir(root)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


class _Server:
    """A plugin that tries faults where pytest would run the tests it has collected."""

    def __init__(self, root: Path, trials: list[Trial], take: Take, put: Put) -> None:
        self._root = root
        self._trials = trials
        self._take = take
        self._put = put
        self._sources: dict[str, Source] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        living = _Living(self._root)
        gc.freeze()
        while (number := self._take()) is not None:
            trial = self._trials[number]
            file = trial.mutant.file
            if file not in self._sources:
                self._sources[file] = Source(self._root, file)
            code = self._sources[file].code(trial.mutant.number)
            chosen = [items[test] for test in trial.tests if test in items]

            def child(folder: str, code: CodeType = code, chosen: list[pytest.Item] = chosen) -> int:
                session.config._tmp_path_factory._basetemp = Path(folder)  # type: ignore[attr-defined]
                try:
                    living.take(code)
                except ValueError:
                    return 2
                return any(
                    _fails(item, following) for item, following in zip(chosen, [*chosen[1:], None], strict=True)
                )

            self._put((number, _forked(child, trial.seconds)))
        return True


def _fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


class _Chosen:
    """A plugin that keeps the chosen tests; one whose parameters the fault has changed, with all it has now."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._tests = set(tests)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        there = {item.nodeid for item in items}
        renamed = {test.partition("[")[0] for test in self._tests - there}
        items[:] = [i for i in items if i.nodeid in self._tests or i.nodeid.partition("[")[0] in renamed]


class _Planted(importlib.abc.MetaPathFinder):
    """Finds one module with other code in it."""

    def __init__(self, module: str, code: CodeType) -> None:
        self._module = module
        self._code = code

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self._module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        loader = importlib.machinery.SourceFileLoader(name, spec.origin)
        loader.get_code = lambda fullname: self._code  # type: ignore[method-assign]
        spec.loader = loader
        return spec


class _Living:
    """The functions of the project that live in this process, by where their code stands."""

    def __init__(self, root: Path) -> None:
        inside = f"{root.resolve()}{os.sep}"
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = {}
        self._caches = [each for each in gc.get_objects() if hasattr(type(each), "cache_clear")]
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                path = os.path.realpath(each.__code__.co_filename)
                if path.startswith(inside):
                    key = path, each.__code__.co_qualname, each.__code__.co_firstlineno
                    self._functions.setdefault(key, []).append(each)

    def take(self, code: CodeType) -> None:
        """Give them the changed code; ValueError: one of them cannot have it."""
        for cache in self._caches:
            cache.cache_clear()
        self._give(code)

    def _give(self, code: CodeType) -> None:
        for function in self._functions.get((code.co_filename, code.co_qualname, code.co_firstlineno), ()):
            if not same(function.__code__, code):
                function.__code__ = code
        for each in code.co_consts:
            if isinstance(each, CodeType):
                self._give(each)


def _forked(child: Callable[..., int], seconds: float) -> str:
    """Run something in a process of its own, with a folder of its own; return how it ended."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(dir=memory)
    process = os.fork()
    if process == 0:
        code = 1
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))
            code = child(folder=folder)
        finally:
            os._exit(code)
    try:
        return _wait(process, WAITING * seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: int, seconds: float) -> str:
    descriptor = os.pidfd_open(process)
    try:
        if not select.select([descriptor], [], [], seconds)[0]:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return SLOW
        return CODES.get(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), KILLED)
    finally:
        os.close(descriptor)
