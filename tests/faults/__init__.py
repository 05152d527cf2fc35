"""Every fault, injected into the production station, and what was measured of it: the table of docs/operate.md.

``python -m tests.faults`` (`make faults`) plays every scenario and writes the table; the test plays them again and
compares. To add one, write a function in the file of its group, named in `tests.faults.table.MODULES`:

    @scenario("Keys", "a key is stuck")
    def stuck(folder: Path) -> Row:
        with Rig(folder) as rig:                    # a station on virtual time: one answer is in, a question stands
            rig.inject(lambda: rig.simulated.press("die-3"))       # the fault, at the real seam; starts the clock
            rig.until_said("Key stuck")                             # stops it: the words stand on the glass
            rig.mend(lambda: rig.simulated.release("die-3"))       # the fault ends; starts the other clock
            rig.until_usable(key="select")                          # the same question stands again
            return rig.row("letting go, then any key")              # answers on, and reads the journal anew

For a station in a process of its own make the `Row` yourself: times through `within(seconds, limit)`, which holds the
measured time to a limit and prints the limit; `tests.faults.witness.losses` compares what was seen accepted with the
journal on the disk.
"""
