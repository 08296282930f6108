"""`qipai operator`: gives accounts roles, takes them away, and lists them."""

from argparse import Namespace

from qipai.hall.moderation.sanction_interface import Role
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


def list_roles(settings: Settings, given: Namespace) -> int:
    """Print everybody with a role."""
    with command_acts(settings) as commands:
        rows = sorted((role.value, commands.name(person)) for person, role in commands.roles.roles.items())
        for role, name in rows:
            print(f"{role}  {name}")
    return 0
