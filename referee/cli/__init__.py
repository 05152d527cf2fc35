"""The command line: ``referee play``, ``drive``, ``games``, ``odds``, ``log`` and the rest.

Nothing heavy is imported before a command needs it, and no fault ends in a traceback.
"""

from referee.cli.main import main

__all__ = ["main"]
