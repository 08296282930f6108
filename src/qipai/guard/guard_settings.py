"""Settings of the guard."""

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Seconds = Annotated[float, Meta(gt=0, le=3600)]


class GuardSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How many connections are accepted, how fast, and how much and how long a request may be.

    A handshake is a new connection or the upgrade of one to a WebSocket.
    """

    total: Count = 10_000
    per_address: Count = 500
    handshakes_per_second: Count = 500
    handshakes_per_address: Count = 100
    requests_per_address: Count = 200
    spare_descriptors: Annotated[int, Meta(ge=0, le=10_000_000)] = 64
    header_bytes: Annotated[int, Meta(ge=1024, le=65_536)] = 16_384
    header_seconds: Seconds = 10
    first_frame_seconds: Seconds = 10
