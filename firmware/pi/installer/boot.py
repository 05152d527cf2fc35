"""Our lines in the firmware's config.txt, which belongs to the owner of the Pi."""

LINE = b"include referee.txt"
BLOCK = b"\n[all]\n" + LINE + b"\n"


def with_line(text: bytes) -> bytes:
    """Return a configuration that includes ours, for every model of the Pi."""
    return text if LINE in _lines(text) else text + BLOCK


def without_line(text: bytes) -> bytes:
    """Return a configuration as it was before, also where somebody moved our line."""
    if text.endswith(BLOCK):
        return text.removesuffix(BLOCK)
    return b"".join(line for line in text.splitlines(keepends=True) if line.rstrip() != LINE)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip() for line in text.splitlines()]
