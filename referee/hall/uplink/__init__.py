"""The uplink: how the entries of a box's journal reach the hall, and come back to a box that lost them.

Both sides are cores without sockets, threads or clocks: `box` and `hall`. What they say to each other is in
`messages` and docs/hall-protocol.md; the box reads its journal through `outbox`, the hall keeps what it received in
`intake`.
"""
