"""For tests of rulebooks and of the whole station: random tables, conformance, fixtures for pytest."""
