"""Between an image and the memory of a display controller.

In the paged controllers the memory is a sequence of pages of eight rows: byte `page * width + column` holds
the eight pixels of one column of a page, the topmost in bit 0 (SSD1306 datasheet, 8.7 "Graphic Display Data
RAM"). In the grey ones it is a sequence of rows, two pixels a byte, the left one in the higher four bits
(SSD1322 datasheet, 8.8 "Graphic Display Data RAM", with the nibbles remapped).
"""

from PIL import Image

PAGE = 8
"""Rows a page."""

# Pillow keeps the leftmost pixel in the highest bit, the controller the topmost in the lowest.
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

# Eight pixels of one bit as eight pixels of four, all or nothing.
_GREY = [bytes.fromhex(f"{byte:08b}".replace("1", "f")) for byte in range(256)]


def pack(image: Image.Image) -> bytes:
    """Turn an image of mode "1", whose height is a multiple of 8, into a paged controller's memory."""
    pages = image.height // PAGE
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(_REVERSED)
    return b"".join(columns[page::pages] for page in range(pages))


def unpack(memory: bytes, size: tuple[int, int]) -> Image.Image:
    """Turn a paged controller's memory into an image of mode "1" and the given size: the inverse of `pack`."""
    width, height = size
    pages = height // PAGE
    columns = bytearray(len(memory))
    for page in range(pages):
        columns[page::pages] = memory[page * width : (page + 1) * width]
    turned = Image.frombytes("1", (height, width), bytes(columns.translate(_REVERSED)))
    return turned.transpose(Image.Transpose.TRANSPOSE)


def pack_grey(image: Image.Image) -> bytes:
    """Turn an image of mode "1", whose width is a multiple of 8, into a grey controller's memory."""
    return b"".join([_GREY[byte] for byte in image.tobytes()])


def unpack_grey(memory: bytes, size: tuple[int, int]) -> Image.Image:
    """Turn a grey controller's memory into an image of mode "1": pixels at least half bright are lit."""
    grey = Image.frombytes("L", size, memory, "raw", "L;4")
    return grey.convert("1", dither=Image.Dither.NONE)
