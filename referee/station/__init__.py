"""The station: the daemon that wires box, console, session, journal and panel, and takes them apart again."""
