"""Every error this package raises: one base class; each is also the matching standard error."""


class HardwareError(Exception):
    """Base of all errors of the package `hardware`."""


class BoxNotFound(HardwareError, OSError):
    """The box cannot be opened: the message names the part that is missing and what to do about it."""


class DisplayMissing(BoxNotFound):
    """The display, or the bus it is on, cannot be used."""


class UnknownBoard(BoxNotFound):
    """The computer does not say which Raspberry Pi it is, so its pins are not known."""


class PinsForbidden(BoxNotFound):
    """The user may not use the pins."""


class PinsBusy(BoxNotFound):
    """Another program, or a driver of the kernel, uses a pin of the box."""


class WrongChip(BoxNotFound):
    """The GPIO chip does not have the pins of a Raspberry Pi's header."""


class BadPinMap(HardwareError, ValueError):
    """The pin map is invalid; the message names table, entry and what was expected."""


class PortNotFound(HardwareError, OSError):
    """A serial port is missing, or the configuration matches several; the message says more."""


class PortBusy(HardwareError, OSError):
    """Another program has a serial port open; the message names it."""


class BadPort(HardwareError, ValueError):
    """A serial port named in a way that cannot be opened."""


class BadPicture(HardwareError, ValueError):
    """What the tray was given cannot be used, or its camera is gone; the message says what was expected."""


class DisplayLost(HardwareError, OSError):
    """The display did not take what was sent; the next picture initialises it again."""


class BadImage(HardwareError, ValueError):
    """An image, an area or a contrast that the display cannot show."""


class BadWiring(HardwareError, ValueError):
    """A simulated contact that leads nowhere: the message says what a circuit would have."""


class UnknownLine(HardwareError, LookupError):
    """A key, lamp or input line that this box does not have."""


class BadPattern(HardwareError, ValueError):
    """A buzzer rhythm or a lamp state that does not exist."""


class DeviceClosed(HardwareError, RuntimeError):
    """The device was used after it was closed."""


class ControllerFault(HardwareError, ValueError):
    """The simulated display controller was sent bytes that it does not know."""
