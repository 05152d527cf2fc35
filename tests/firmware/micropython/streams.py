"""The USB line of the bench, with the traps of the real one."""

import bench


class In:
    def read(self, size):
        if size != 1 or not bench.waiting(0):
            raise RuntimeError("a Pico blocks here until the bytes are there")
        return bytes([bench.take()])


class Out:
    def write(self, data):
        if not 0 < len(data) < 64:
            raise RuntimeError("a Pico stalls on such a write, or loses a part")
        bench.give(data.decode())
        return len(data)


class Poller:
    def poll(self, timeout):
        return [0] if bench.waiting(timeout) else []
