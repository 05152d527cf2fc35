"""The module `machine` of the bench: pins that lead out of the interpreter."""

import bench


class Pin:
    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, number, mode, pull=None, value=None):
        if mode == Pin.IN and pull != Pin.PULL_UP:
            raise ValueError("a contact to ground needs a pull-up")
        self._number = number
        if value is not None:
            bench.lead(number, value)

    def value(self, level=None):
        if level is None:
            return bench.level(self._number)
        bench.lead(self._number, level)
        return None


def reset():
    bench.reset()
