"""The station: the program that connects box, console, session, journal and panel."""
