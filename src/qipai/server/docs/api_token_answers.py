"""The JSON answers about API tokens as types."""

from msgspec import Struct

from qipai.kernel.ids import Millis


class ApiTokenRow(Struct, frozen=True):
    """An API token. `used`: the hour of its last use, null before the first. `expires`: null for never."""

    id: str
    name: str
    created: Millis
    used: Millis | None
    expires: Millis | None


class CreatedApiToken(Struct, frozen=True):
    """A new API token. `secret` is shown only now: programs send it."""

    secret: str
    token: ApiTokenRow
