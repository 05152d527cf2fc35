"""Play every scenario and write the table of docs/operate.md: ``python -m tests.faults [--only WORD]``."""

from __future__ import annotations

import argparse

from tests.faults.table import line, measure, scenarios, write


def main() -> None:
    """Print each row as it is measured; write the document if all were played."""
    options = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    options.add_argument("--only", metavar="WORD", default="", help="only faults with this word, and write nothing")
    only = options.parse_args().only
    rows = {}
    for group, fault in scenarios():
        if only in f"{group} {fault}":
            rows[group, fault] = measure(group, fault)
            print(group, line(fault, rows[group, fault]), flush=True)
    if not only:
        write(rows)


main()
