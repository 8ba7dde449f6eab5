"""Tiny media files, and test sets that name them."""

import base64
import io
import struct
import wave
import zlib

# Two seconds of colours, 32 by 18 pixels, VP8; recorded by Chromium's MediaRecorder.
CLIP = base64.b64decode(
    """
GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAAAQKEU2bdLlNu4tTq4QVSalmU6yBbk27
i1OrhBZUrmtTrIGTTbuLU6uEH0O2dVOsgcFNu4xTq4QcU7trU6yCA/jsrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBEiYRE4OuWTYCGQ2hyb21lV0GGQ2hyb21lFlSua6mup9eBAXPF
h2pqZxtiTC2DgQFV7oEBhoVWX1ZQOOCKsIEguoESU8CBAR9DtnUBAAAAAAADK+eBAKDoob2BAAAAsAIAnQEqIAASAAJH
CIWFiJmEiAyCAdgH8AQWxuICwP7v/cP//CrcMQzVf//dk/2yf7ZP/cbtKZCgdaGmpqTugQGlnzACAJ0BKiAAEgAHBwiF
hYiZhIgmAgAHkPPJwP7wXQCgyqGqgQDHAPEBAAkQgAAYCdPLINuUcBNKQP7sA9/9GH8MP4Yf30v/gfl04YgAdaGYppbu
gQGlkbEBABwRPAAYABhYL/QACHAA+4EAoMqhqoEBjwDRAQAJEFQAGAAeV/QMADUHAP7yyn/93m/bzft5v+Gj4eDbMNtw
oHWhmKaW7oEBpZGxAQAcESwAGAAYWC/0AAhwAPuBx6DMoauBAlcAEQIACRBEABgHMAghenLNQDr/AP7lhz/7O5tVIf3U
f/vPmsB1X9owdaGYppbugQGlkbEBABwRHAAYABhYL/QACHAA+4IBj6DGoaWBAx8A8QEACRA4ABgM0Msg25RwE0pA/u9h
2//yOP5HH8jj/5DIdaGYppbugQGlkbEBABwQ7AAYABhYL/QACHAA+4ICV6DMoauBA+cA0QEACRAsABgAHlf0DAA1BwD8
yv/9zgFSGz/HX//hynw5T4cp/wv4daGYppbugQGlkbEBABwQ3AAYABhYL/QACHAA+4IDH6DPoa6BBK8A0QEACRAkABgA
Hlf0DABBDgD+/WPH//t8P9vh/t8P/2+H/99R/h4/xrdAdaGYppbugQGlkbEBABwQwAAYABhYL/QACHAA+4ID56DLoaqB
BXcA0QEACRB0FGAAeV/QMAEEOAD+7nZ//6gtDXy/Gi//jdUm6pN42UB1oZimlu6BAaWRsQEAHBCIFGAAYWC/0AAhwAD7
ggSvoM6hrYEGPwDRAQAJEBwAGAAeV/QMAEEOAP7z32f/qz6aEX9pH//eej7z0feej/vLAHWhmKaW7oEBpZGxAQAcELQA
GAAYWC/0AAhwAPuCBXeg0qGxgQcHANEBAAkQFAAYACpX9AwAtcwA/vsFF//uP/1my/2ev/+ZFfzIr+ZFf/MXPY6JUHWh
mKaW7oEBpZGxAQAcEKAAGAAYWC/0AAhwAPuCBj8cU7trjbuLs4EAt4b3gQHxgcE=
"""
)


def tone(seconds: float = 2.0, rate: int = 8000) -> bytes:
    """A quiet recording, as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(1)
        out.setframerate(rate)
        out.writeframes(bytes(128 + n % 2 for n in range(int(seconds * rate))))
    return file.getvalue()


def picture(width: int = 64, height: int = 36) -> bytes:
    """A grey PNG."""

    def chunk(name: bytes, data: bytes) -> bytes:
        checked = name + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )
