"""Lines of a box to the hall, to be killed by `kills`: ``python -m tests.station.hall.killed_line PORT HALL ...``.

What comes at the one port is passed on to any of the others, and back. It dies as a cable does that is pulled out:
what is on its way is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random

CHUNK = 65_536


async def _pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
    sink.close()


async def _connect(halls: list[int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a hall that runs, as a proxy before several does. Raises OSError."""
    *others, last = random.sample(halls, len(halls))
    for hall in others:
        with contextlib.suppress(OSError):
            return await asyncio.open_connection("127.0.0.1", hall)
    return await asyncio.open_connection("127.0.0.1", last)


async def serve(port: int, halls: list[int]) -> None:
    """Pass on until killed; say "ready" once it can."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_hall, to_hall = await _connect(halls)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pass_on(reader, to_hall), _pass_on(from_hall, writer))

    server = await asyncio.start_server(connected, "127.0.0.1", port)
    print("ready", flush=True)
    await server.serve_forever()


def main() -> None:
    """Pass on until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int, help="that of the box")
    parser.add_argument("halls", type=int, nargs="+", help="those of the halls")
    options = parser.parse_args()
    asyncio.run(serve(options.port, options.halls))


if __name__ == "__main__":
    main()
