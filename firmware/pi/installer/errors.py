"""What ends the installer."""


class Usage(Exception):
    """The arguments cannot be meant; exit code 2."""


class Refused(Exception):
    """Something on this system is in the way; exit code 1."""
