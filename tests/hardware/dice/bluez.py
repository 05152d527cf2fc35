"""A BlueZ without a radio: its objects on a private bus, the dice in the test's hands, and the kernel's filter.

The kernel tells of an advertising device once in a search, whatever it advertises later. bleak is not touched: it
speaks to this service as to bluetoothd.
"""

# Annotations are D-Bus signatures, which the service reads while the program runs: no `annotations` of the future.

import asyncio
import subprocess
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TypeVar

from dbus_fast import BusType, DBusError, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusBytes, DBusDict, DBusInt16, DBusObjectPath, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

from tests.hardware.dice.fake_die import FakeDie

T = TypeVar("T")
Strings = Annotated[list[str], DBusSignature("as")]
ByCompany = Annotated[dict[int, Variant], DBusSignature("a{qv}")]
ADAPTER = "/org/bluez/hci0"
READ = PropertyAccess.READ
CONFIG = """<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow own="*"/><allow receive_sender="*"/></policy>
</busconfig>"""


def by_company(die: FakeDie) -> dict[int, Variant]:
    return {company: Variant("ay", data) for company, data in die.manufacturer.items()}


class Root(ServiceInterface):
    def __init__(self) -> None:
        super().__init__("org.bluez.AgentManager1")


class Adapter(ServiceInterface):
    def __init__(self, found: Callable[[], None]) -> None:
        super().__init__("org.bluez.Adapter1")
        self._found = found
        self.searching = False

    @dbus_method()
    def SetDiscoveryFilter(self, properties: DBusDict) -> None:
        del properties

    @dbus_method()
    def StartDiscovery(self) -> None:
        self.searching = True
        self.emit_properties_changed({"Discovering": True})
        self._found()

    @dbus_method()
    def StopDiscovery(self) -> None:
        self.searching = False
        self.emit_properties_changed({"Discovering": False})

    @dbus_property(access=READ)
    def Powered(self) -> DBusBool:
        return True

    @dbus_property(access=READ)
    def Roles(self) -> Strings:
        return ["central"]

    @dbus_property(access=READ)
    def Discovering(self) -> DBusBool:
        return self.searching

    @dbus_property(access=READ)
    def Address(self) -> DBusStr:
        return "00:00:00:00:00:01"


class Device(ServiceInterface):
    def __init__(self, die: FakeDie, connected: Callable[[bool], None]) -> None:
        super().__init__("org.bluez.Device1")
        self.die = die
        self.is_connected = self.resolved = False
        self._connected = connected

    def set(self, connected: bool) -> None:
        self.is_connected = self.resolved = connected
        self._connected(connected)
        self.emit_properties_changed({"Connected": connected})
        self.emit_properties_changed({"ServicesResolved": connected})

    def advertise(self) -> None:
        changed = {"RSSI": -50, "ManufacturerData": by_company(self.die)}
        self.emit_properties_changed(changed)

    @dbus_method()
    def Connect(self) -> None:
        if not self.die.reachable:
            raise DBusError("org.bluez.Error.Failed", "Page Timeout")
        self.set(True)

    @dbus_method()
    def Disconnect(self) -> None:
        if self.is_connected:
            self.set(False)

    @dbus_property(access=READ)
    def Address(self) -> DBusStr:
        return self.die.address

    @dbus_property(access=READ)
    def AddressType(self) -> DBusStr:
        return "random"

    @dbus_property(access=READ)
    def Name(self) -> DBusStr:
        return self.die.label

    @dbus_property(access=READ)
    def Alias(self) -> DBusStr:
        return self.die.label

    @dbus_property(access=READ)
    def Connected(self) -> DBusBool:
        return self.is_connected

    @dbus_property(access=READ)
    def ServicesResolved(self) -> DBusBool:
        return self.resolved

    @dbus_property(access=READ)
    def Paired(self) -> DBusBool:
        return False

    @dbus_property(access=READ)
    def Adapter(self) -> DBusObjectPath:
        return ADAPTER

    @dbus_property(access=READ)
    def UUIDs(self) -> Strings:
        return [self.die.uuids[0]]

    @dbus_property(access=READ)
    def RSSI(self) -> DBusInt16:
        return -50

    @dbus_property(access=READ)
    def ManufacturerData(self) -> ByCompany:
        return by_company(self.die)


class Service(ServiceInterface):
    def __init__(self, uuid: str, device: str) -> None:
        super().__init__("org.bluez.GattService1")
        self._uuid, self._device = uuid, device

    @dbus_property(access=READ)
    def UUID(self) -> DBusStr:
        return self._uuid

    @dbus_property(access=READ)
    def Device(self) -> DBusObjectPath:
        return self._device

    @dbus_property(access=READ)
    def Primary(self) -> DBusBool:
        return True


class Characteristic(ServiceInterface):
    def __init__(self, die: FakeDie, uuid: str, service: str, flag: str) -> None:
        super().__init__("org.bluez.GattCharacteristic1")
        self._die, self._uuid, self._service, self._flag = die, uuid, service, flag

    @dbus_method()
    def StartNotify(self) -> None:
        self._die.notify = lambda data: self.emit_properties_changed({"Value": data})

    @dbus_method()
    def StopNotify(self) -> None:
        self._die.notify = None

    @dbus_method()
    def WriteValue(self, value: DBusBytes, options: DBusDict) -> None:
        del options
        self._die.take(bytes(value))

    @dbus_property(access=READ)
    def UUID(self) -> DBusStr:
        return self._uuid

    @dbus_property(access=READ)
    def Service(self) -> DBusObjectPath:
        return self._service

    @dbus_property(access=READ)
    def Value(self) -> DBusBytes:
        return b""

    @dbus_property(access=READ)
    def Notifying(self) -> DBusBool:
        return self._die.notify is not None

    @dbus_property(access=READ)
    def Flags(self) -> Strings:
        return [self._flag]


class BlueZ:
    """The service, on a bus and a thread of its own, until it is closed."""

    def __init__(self, folder: Path) -> None:
        config = folder / "bus.conf"
        config.write_text(CONFIG.format(folder=folder))
        self._daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._daemon.stdout is not None
        self.address = self._daemon.stdout.readline().strip()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._dice: dict[str, Device] = {}
        self._adapter = Adapter(self._advertise)
        self._bus = self.do(self._start())

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def tell(self, deed: Callable[[], None]) -> None:
        """Do something to a die, on the thread of the service."""

        async def work() -> None:
            deed()

        self.do(work())

    def put(self, die: FakeDie) -> FakeDie:
        """Put a die on the table; a search tells of it while it is awake."""
        path = self.path(die)

        def connected(yes: bool) -> None:
            (self._resolve if yes else self._unresolve)(die)

        device = self._dice[die.address] = Device(die, connected)
        self.tell(lambda: self._bus.export(path, device))
        return die

    def connected(self, die: FakeDie) -> bool:
        """Whether somebody is connected to it."""
        return self._dice[die.address].is_connected

    def pull(self, die: FakeDie) -> None:
        """Lose the connection."""
        device = self._dice[die.address]
        if device.is_connected:
            self.tell(lambda: device.set(False))

    def wake(self, die: FakeDie) -> None:
        """Let it advertise again; a search under way is told, since it has not been in this search."""

        def awake() -> None:
            die.asleep = die.held = False
            if self._adapter.searching:
                self._dice[die.address].advertise()

        self.tell(awake)

    def close(self) -> None:
        with suppress(Exception):
            self.tell(self._bus.disconnect)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._daemon.terminate()
        self._daemon.wait()
        assert self._daemon.stdout is not None
        self._daemon.stdout.close()

    @staticmethod
    def path(die: FakeDie) -> str:
        return f"{ADAPTER}/dev_{die.address.replace(':', '_')}"

    async def _start(self) -> MessageBus:
        bus = await MessageBus(bus_address=self.address, bus_type=BusType.SYSTEM).connect()
        bus.export("/org/bluez", Root())
        bus.export(ADAPTER, self._adapter)
        await bus.request_name("org.bluez")
        return bus

    def _advertise(self) -> None:
        for device in self._dice.values():
            if device.die.reachable and not device.is_connected:
                device.advertise()

    def _resolve(self, die: FakeDie) -> None:
        service, notify, write = die.uuids
        path = f"{self.path(die)}/service0001"
        self._bus.export(path, Service(service, self.path(die)))
        self._bus.export(f"{path}/char0002", Characteristic(die, notify, path, "notify"))
        self._bus.export(f"{path}/char0003", Characteristic(die, write, path, "write-without-response"))

    def _unresolve(self, die: FakeDie) -> None:
        die.notify = None
        path = f"{self.path(die)}/service0001"
        for each in (f"{path}/char0002", f"{path}/char0003", path):
            self._bus.unexport(each)
