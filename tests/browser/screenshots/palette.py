"""Pictures with a palette: a page has few colours, and a picture of it needs no more."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

COLOURS = 256

DECODE = """async (encoded) => {
  const reply = await fetch(`data:image/png;base64,${encoded}`);
  const image = await createImageBitmap(await reply.blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 32768) {
    text += String.fromCharCode(...data.subarray(at, at + 32768));
  }
  return [image.width, image.height, btoa(text)];
}"""


def pixels(blank: Page, png: bytes) -> NDArray[np.uint8]:
    """A picture's pixels, read by the browser that took it: rows of red, green and blue."""
    width, height, encoded = blank.evaluate(DECODE, base64.b64encode(png).decode())
    values = np.frombuffer(base64.b64decode(encoded), np.uint8)
    return values.reshape(height, width, 4)[:, :, :3]


def with_palette(image: NDArray[np.uint8]) -> bytes:
    """The picture as PNG with a palette; a colour that is not in it becomes the nearest."""
    height, width, _ = image.shape
    red, green, blue = image.astype(np.int64).transpose(2, 0, 1)
    packed = red << 16 | green << 8 | blue
    found, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1)
    chosen = palette(colours[np.argsort(-counts, kind="stable")])
    rows = _apart(colours, chosen).argmin(axis=1).astype(np.uint8)[places].reshape(height, width)
    lines = np.hstack([np.zeros((height, 1), np.uint8), rows])  # no line is filtered
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", chosen.astype(np.uint8).tobytes())]
    parts += [(b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def palette(colours: NDArray[np.int64]) -> NDArray[np.int64]:
    """Some of the colours, which stand in the order of their frequency.

    All others are as near to one of these as possible: a rare colour, of a link or a warning, is
    not lost for being rare.
    """
    reach = 0
    while len(chosen := _spread(colours, reach)) > COLOURS:
        reach += 1
    return chosen


def _spread(colours: NDArray[np.int64], reach: int) -> NDArray[np.int64]:
    """The colours from which all others are within reach, or more than a palette holds."""
    left, chosen = colours, [colours[:0]]
    while len(left) and len(chosen) <= COLOURS + 1:
        chosen.append(left[:1])
        left = left[_apart(left, left[:1])[:, 0] > reach**2]
    return np.concatenate(chosen)


def _apart(colours: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far each is from each of the others, squared."""
    squared: NDArray[np.int64] = ((colours[:, None] - others[None]) ** 2).sum(axis=2)
    return squared


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
