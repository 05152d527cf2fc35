"""A Pixels die in the guest: bumble's Bluetooth stack, whose controller shares a link with one at /dev/vhci.

The kernel takes the second one for a USB dongle. What the die says and answers is `FakeDie`'s. It obeys its input:
`roll FACE`, `begin` to roll and nothing more, `lose` its connection, `sleep`, `wake`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink
from bumble.transport.vhci import open_vhci_transport

from tests.hardware.dice.fake_die import FakeDie

ADDRESS = "C3:5A:11:20:7E:F0"
INTERVAL_MS = 187.5
"""Between two advertisements, as the firmware has it."""


class Air(LocalLink):  # type: ignore[misc]
    """Names as sender the address of the connection: bumble's names the random one, which a dongle does not have."""

    def send_acl_data(self, sender_controller: Any, destination_address: Any, transport: Any, data: bytes) -> None:
        """Hand data on to the other end of a connection."""
        connection = sender_controller.le_connections[destination_address]
        receiver = self.find_le_controller(destination_address)
        asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)


class Body:
    """The die's radio."""

    def __init__(self, die: FakeDie, air: Air) -> None:
        self._die = die
        self._says: asyncio.Queue[bytes] = asyncio.Queue()
        self._connection: Connection | None = None
        controller = Controller("die", link=air)
        self._device = Device(
            name=die.label, address=Address(ADDRESS), host=Host(controller, AsyncPipeSink(controller))
        )
        service, notify, write = die.uuids
        value = CharacteristicValue(write=lambda connection, data: die.take(bytes(data)))
        self._voice = Characteristic(notify, Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"")
        ear = Characteristic(write, Characteristic.Properties.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE, value)
        self._device.add_service(Service(service, [self._voice, ear]))
        self._device.on("connection", self._connected)
        die.notify = self._says.put_nowait

    async def live(self) -> None:
        """Switch on, and say what the die says."""
        await self._device.power_on()
        await self.wake()
        while True:
            await self._device.notify_subscribers(self._voice, await self._says.get())
            self._says.task_done()

    async def wake(self) -> None:
        """Advertise."""
        ((company, data),) = self._die.manufacturer.items()
        advertised = [
            (AdvertisingData.Type.COMPLETE_LOCAL_NAME, self._die.label.encode()),
            (AdvertisingData.Type.MANUFACTURER_SPECIFIC_DATA, company.to_bytes(2, "little") + data),
        ]
        self._device.advertising_data = bytes(AdvertisingData(advertised))
        await self._device.start_advertising(
            auto_restart=False, advertising_interval_min=INTERVAL_MS, advertising_interval_max=INTERVAL_MS
        )
        print("die: advertises", flush=True)

    async def lose(self) -> None:
        """Disconnect, once all is said."""
        await self._says.join()
        assert self._connection is not None
        await self._connection.disconnect()
        self._connection = None

    def _connected(self, connection: Connection) -> None:
        self._connection = connection


async def main() -> None:
    """Live until the input ends."""
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with await open_vhci_transport(None) as dongle:
        air = Air()
        Controller("dongle", dongle.source, dongle.sink, air, "F0:F1:F2:F3:F4:F5")
        die = FakeDie(ADDRESS)
        body = Body(die, air)
        living = asyncio.create_task(body.live())
        while line := (await lines.readline()).decode().split():
            match line:
                case ["begin"]:
                    die.roll()
                case ["roll", face]:
                    die.roll()
                    landed = time.monotonic()
                    die.land(int(face))
                    print(f"die: landed {landed}", flush=True)
                case ["lose"]:
                    await body.lose()
                    await body.wake()
                case ["sleep"]:
                    await body.lose()
                case ["wake"]:
                    await body.wake()
        living.cancel()


if __name__ == "__main__":
    asyncio.run(main())
