"""`qipai operator`: gives accounts roles, takes them away, and lists them."""

import asyncio
from argparse import Namespace
from secrets import token_bytes

from qipai.cli.journal_reader import CommandError
from qipai.hall.api_tokens.api_token_interface import TooManyApiTokens
from qipai.hall.api_tokens.api_tokens import MOST, new_api_token
from qipai.hall.moderation.sanction_interface import Role
from qipai.hall.people.identity import wall_clock
from qipai.settings import Settings

from .operator_access import command_acts


def add(settings: Settings, given: Namespace) -> int:
    """Make an account an operator, or a moderator."""
    role = Role.MODERATOR if given.moderator else Role.OPERATOR
    with command_acts(settings) as commands:
        return commands.act(commands.acts.set_role(commands.actor, "", given.name, role, given.reason))


def remove(settings: Settings, given: Namespace) -> int:
    """Take the role of an account away."""
    with command_acts(settings) as commands:
        return commands.act(commands.acts.set_role(commands.actor, "", given.name, None, given.reason))


def token(settings: Settings, given: Namespace) -> int:
    """Print a new API token with which a program may use the role of an account."""
    with command_acts(settings) as commands:
        person = commands.accounts.owner(commands.names.skeleton(given.name))
        if person is None or commands.roles.role(person) is None:
            raise CommandError(f"no account with a role is called {given.name!r}")
        new = new_api_token(person, given.label, given.days, wall_clock(), token_bytes)
        try:
            commands.store.api_tokens.add(new.token, MOST)
        except TooManyApiTokens as error:
            raise CommandError(
                f"the account has {MOST} API tokens: revoke one on its account page"
            ) from error
        key = new.token.key
        asyncio.run(commands.acts.allow_token(commands.actor, person, key, given.label))
        print(new.secret)
    return 0


def list_roles(settings: Settings, given: Namespace) -> int:
    """Print everybody with a role."""
    with command_acts(settings) as commands:
        rows = sorted((role.value, commands.name(person)) for person, role in commands.roles.roles.items())
        for role, name in rows:
            print(f"{role}  {name}")
    return 0
