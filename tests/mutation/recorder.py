"""A plugin for pytest that records which test reaches which line: `python -m pytest -p tests.mutation.recorder`.

``MUTATION_RECORD`` names the folder to write to, ``MUTATION_SOURCES`` what is looked at, separated by colons.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage


class Recorder:
    """Writes a coverage file with the tests as its contexts, and the seconds of the processor of those that pass."""

    def __init__(self, folder: Path, sources: list[str], worker: str) -> None:
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._times = folder / f"times-{worker}.json"
        self._inside = tuple(f"{source}{os.sep}" for source in sources)
        self._modules = 0
        self._caches: list[Any] = []
        include = [f"{source}/*" for source in sources]
        data = folder / f"lines-{worker}"
        self._coverage = Coverage(data_file=data, include=include, config_file=False, messages=False)
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._forget()
        self._coverage.switch_context(item.nodeid)
        begun = time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.process_time() - begun
            self._coverage.switch_context("")

    def _forget(self) -> None:
        """Empty the caches of functions: what a test before has filled would hide which lines this one needs."""
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            cached = [each for each in gc.get_objects() if hasattr(type(each), "cache_clear")]
            self._caches = [each for each in cached if _file(each.__wrapped__).startswith(self._inside)]
        for cache in self._caches:
            cache.cache_clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        passed = {test: seconds for test, seconds in self._seconds.items() if test not in self._failed}
        self._times.write_text(json.dumps(passed), encoding="utf-8")


def _file(function: object) -> str:
    """Return the file of a function, "" of what is none: libraries cache classes, too."""
    code = getattr(function, "__code__", None)
    return "" if code is None else str(code.co_filename)


def pytest_configure(config: pytest.Config) -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None and config.getoption("numprocesses", None):
        return  # the controller runs no test
    sources = os.environ["MUTATION_SOURCES"].split(":")
    config.pluginmanager.register(Recorder(Path(os.environ["MUTATION_RECORD"]), sources, worker or "alone"))
