"""The hall: the organiser's desk of an event of many tables (docs/hall.md)."""
