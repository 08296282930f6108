"""The settings of an OpenID Connect provider, and how it is opened."""

from importlib import import_module
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from qipai.hall.accounts.openid.openid_interface import Provider
from qipai.hall.journal.store_interface import Now


class OpenIdSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A provider, and this server as its client; without an issuer there is none.

    `name` is what people call the provider. Providers of public clients give no secret.
    """

    issuer: str = ""
    client_id: str = ""
    client_secret: str = ""
    name: Annotated[str, Meta(max_length=40)] = ""

    def __post_init__(self) -> None:
        if not self.issuer:
            if self.client_id or self.client_secret or self.name:
                raise ValueError("openid.issuer: expected the address of the provider")
            return
        if not _is_safe(self.issuer):
            raise ValueError(f'openid.issuer: expected "https://…" without ? and #, got {self.issuer!r}')
        if not self.client_id:
            raise ValueError("openid.client_id: expected what the provider calls this server")


def open_provider(settings: OpenIdSettings, now: Now) -> Provider | None:
    """Return the provider; None without one. Raise `ImportError` if its libraries are not installed."""
    if not settings.issuer:
        return None
    # Installed only with the extra `openid`; it takes half a second to load.
    module = import_module("qipai.server.openid.provider")
    label = settings.name or urlsplit(settings.issuer).hostname
    provider: Provider = module.OpenIdProvider(
        settings.issuer, label, settings.client_id, settings.client_secret, now
    )
    return provider


def _is_safe(issuer: str) -> bool:
    """Tell whether an issuer is reached over TLS, or is on this machine."""
    try:
        url = urlsplit(issuer)
        host = url.hostname or ""
    except ValueError:
        return False
    if not host or url.query or url.fragment or url.username is not None or any(map(str.isspace, issuer)):
        return False
    return url.scheme == "https" or (url.scheme == "http" and _is_local(host))


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
