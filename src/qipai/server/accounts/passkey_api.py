"""Requests about passkeys: what a browser is asked, and what it answered."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.account_interface import Passkey
from qipai.hall.accounts.accounts import Accounts
from qipai.hall.accounts.passkey_verification import decoded, encoded
from qipai.hall.accounts.passkeys import Passkeys
from qipai.hall.people.identity import Identity

from .account_requests import (
    BadRequest,
    Credential,
    Handler,
    Text,
    answer,
    body,
    confirmation,
    current_session,
    host,
    passkey_answer,
    sender,
    signed_in,
)


class NewAccount(Struct, forbid_unknown_fields=True):
    """The token of the guest who wants an account, and its name."""

    token: Text
    name: Text


class Signature(Struct, forbid_unknown_fields=True):
    """What a passkey signed."""

    passkey: Credential


class NewPasskey(Struct, forbid_unknown_fields=True):
    """A passkey that a device has made, and the password or a signature of another passkey."""

    made: Credential
    password: Text = ""
    passkey: Credential | None = None


class PasskeyId(Struct, forbid_unknown_fields=True):
    """The id of a passkey."""

    id: Text


def listed(passkeys: Sequence[Passkey]) -> list[dict[str, Any]]:
    """Return passkeys as the owner of the account sees them."""
    return [
        {"id": encoded(each.id), "device": each.device, "created": each.created, "used": each.used}
        for each in passkeys
    ]


def posts(accounts: Accounts, passkeys: Passkeys, identity: Identity) -> dict[str, Handler]:
    """Return the handlers of these requests by their names."""

    async def options_to_register(request: Request) -> Response:
        wanted = await body(request, NewAccount)
        guest = identity.read_token(wanted.token)
        if guest is None:
            raise BadRequest(400, "token: expected that of a welcome")
        return answer(passkeys.options_to_register(guest.person, wanted.name, host(request)))

    async def options_to_sign_in(request: Request) -> Response:
        await body(request, Struct)
        return answer(passkeys.options_to_sign_in(host(request)))

    async def options_to_confirm(request: Request) -> Response:
        await body(request, Struct)
        current = await current_session(accounts, request)
        return answer(await passkeys.options_to_confirm(current, host(request)))

    async def options_to_add(request: Request) -> Response:
        await body(request, Struct)
        current = await current_session(accounts, request)
        return answer(await passkeys.options_to_add(current, host(request)))

    async def sign_in(request: Request) -> Response:
        wanted = await body(request, Signature)
        signed = passkey_answer(request, wanted.passkey)
        return signed_in(request, await accounts.sign_in_with_passkey(signed, sender(request)))

    async def add(request: Request) -> Response:
        wanted = await body(request, NewPasskey)
        current = await current_session(accounts, request)
        made = passkey_answer(request, wanted.made)
        await passkeys.add(
            current, confirmation(request, wanted.password, wanted.passkey), made, sender(request)
        )
        return answer({})

    async def remove(request: Request) -> Response:
        wanted = await body(request, PasskeyId)
        current = await current_session(accounts, request)
        try:
            number = decoded(wanted.id)
        except ValueError as error:
            raise BadRequest(400, "id: expected that of a passkey") from error
        await passkeys.remove(current, number)
        return answer({})

    return {
        "passkey-register-options": options_to_register,
        "passkey-sign-in-options": options_to_sign_in,
        "passkey-confirm-options": options_to_confirm,
        "passkey-add-options": options_to_add,
        "passkey-sign-in": sign_in,
        "passkey-add": add,
        "passkey-remove": remove,
    }
