"""The hall's pages: the organiser's on the loopback; public ones, TV and print, which change nothing."""
