"""Faults injected into the production station where they really happen; docs/operate.md says how each is told.

`tests.faults.rig.Rig` is a station on virtual time: one answer is in, a question stands. Each title must come within
the time that the document's table gives it, and in the end no accepted answer is lost or doubled.
"""
