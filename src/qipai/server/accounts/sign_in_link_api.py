"""Requests about links with which people sign in once."""

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.accounts import Accounts
from qipai.hall.accounts.recovery.sign_in_links import SignInLinks

from .account_requests import Credential, Handler, Text, answer, body, host, proof, sender, signed_in


class SignInLinkSecret(Struct, forbid_unknown_fields=True):
    """The secret of a link."""

    token: Text


class SignInLinkUse(Struct, forbid_unknown_fields=True):
    """The secret of a link, and a new password or passkey."""

    token: Text
    password: Text = ""
    passkey: Credential | None = None


def posts(accounts: Accounts) -> dict[str, Handler]:
    """Return the handlers of these requests by their names."""
    links = SignInLinks(accounts)

    async def show(request: Request) -> Response:
        wanted = await body(request, SignInLinkSecret)
        account = await links.account(wanted.token, sender(request))
        return answer({"name": account.name})

    async def options(request: Request) -> Response:
        wanted = await body(request, SignInLinkSecret)
        return answer(await links.options(wanted.token, host(request), sender(request)))

    async def use(request: Request) -> Response:
        wanted = await body(request, SignInLinkUse)
        new = proof(request, wanted.password, wanted.passkey)
        return signed_in(request, await links.use(wanted.token, new, sender(request)))

    return {"link": show, "link-passkey-options": options, "link-use": use}
