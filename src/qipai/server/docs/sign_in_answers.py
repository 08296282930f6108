"""The JSON answers about ways to sign in: passkeys, and identities at an OpenID Connect provider."""

from msgspec import Struct

from qipai.kernel.ids import Millis


class ProviderName(Struct, frozen=True):
    """What people call the provider; empty without one."""

    provider: str


class ProviderAddress(Struct, frozen=True):
    """Where the browser goes; its cookie says who began."""

    url: str


class IdentityRow(Struct, frozen=True):
    """That the account belongs to somebody at a provider, who is not named here."""

    issuer: str
    linked: Millis


class OwnProvider(Struct, frozen=True):
    """The provider of this server. `confirmed`: you have just signed in there, which proves who you are."""

    provider: str
    issuer: str
    confirmed: bool


class PasskeyRow(Struct, frozen=True):
    """A passkey, and where it was made."""

    id: str
    device: str
    created: Millis
    used: Millis
