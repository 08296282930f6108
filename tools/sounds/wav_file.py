"""WAV files with 8-bit µ-law samples (ITU-T G.711): half the size of 16 bits; every browser decodes them."""

import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

_FORMAT: Final = struct.Struct("<HHIIHHH")
_MU_LAW: Final = 7
_BIAS: Final = 0x84
_CLIP: Final = 0x7FFF - _BIAS
_HEADER: Final = struct.Struct("<4sI4s")
_CHUNK: Final = struct.Struct("<4sI")


class Sound(NamedTuple):
    """The content of a file: samples per second, and the samples from -1 to 1."""

    rate: int
    samples: list[float]


def encode(sample: float) -> int:
    """Return the byte of a sample from -1 to 1; what is beyond is clipped."""
    value = round(sample * 0x8000)
    sign = 0x80 if value < 0 else 0
    size = min(abs(value), _CLIP) + _BIAS
    exponent = size.bit_length() - 8
    return ~(sign | exponent << 4 | (size >> exponent + 3) & 0x0F) & 0xFF


def decode(byte: int) -> float:
    """Return the sample of a byte."""
    code = ~byte & 0xFF
    size = (((code & 0x0F) << 3) + _BIAS << (code >> 4 & 7)) - _BIAS
    return (-size if code & 0x80 else size) / 0x8000


def write(rate: int, samples: Sequence[float]) -> bytes:
    """Return a file with one channel."""
    sound = bytes(map(encode, samples))
    layout = _FORMAT.pack(_MU_LAW, 1, rate, rate, 1, 8, 0)
    chunks = [(b"fmt ", layout), (b"fact", struct.pack("<I", len(sound))), (b"data", sound)]
    # A chunk of an odd length is followed by a zero.
    body = b"".join(_CHUNK.pack(name, len(part)) + part + b"\0" * (len(part) % 2) for name, part in chunks)
    return _HEADER.pack(b"RIFF", 4 + len(body), b"WAVE") + body


def read(file: bytes) -> Sound:
    """Return the sound of a file that `write` made."""
    riff, length, wave = _HEADER.unpack_from(file)
    if (riff, length, wave) != (b"RIFF", len(file) - 8, b"WAVE"):
        raise ValueError("not a WAV file, or not a whole one")
    chunks, place = {}, _HEADER.size
    while place < len(file):
        name, size = _CHUNK.unpack_from(file, place)
        place += _CHUNK.size
        chunks[name] = file[place : place + size]
        place += size + size % 2
    kind, channels, rate, _, _, bits, _ = _FORMAT.unpack(chunks[b"fmt "])
    if (kind, channels, bits) != (_MU_LAW, 1, 8):
        raise ValueError("not one channel of µ-law")
    return Sound(rate, [decode(byte) for byte in chunks[b"data"]])
