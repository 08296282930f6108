"""`qipai table close`, `announce`, `registrations` and `invite`: what operators do to the whole server."""

import asyncio
from argparse import Namespace

from qipai.hall.moderation.moderation_interface import Registrations
from qipai.hall.people.identity import wall_clock
from qipai.kernel.ids import Millis
from qipai.settings import Settings

from .operator_access import command_acts
from .sanctions import HOUR


def close_table(settings: Settings, given: Namespace) -> int:
    """Close a table for all; a running server does it."""
    with command_acts(settings) as commands:
        return commands.act(commands.acts.close_table(commands.actor, given.room, given.reason))


def announce(settings: Settings, given: Namespace) -> int:
    """Show a text on all pages, or end that."""
    ends = None if given.hours is None else Millis(wall_clock() + given.hours * HOUR)
    with command_acts(settings) as commands:
        return commands.act(commands.acts.announce(commands.actor, given.text, ends))


def registrations(settings: Settings, given: Namespace) -> int:
    """Print who may create an account, or set it."""
    with command_acts(settings) as commands:
        if given.mode is None:
            print(commands.roles.registrations.value)
            return 0
        wanted = Registrations(given.mode)
        return commands.act(commands.acts.set_registrations(commands.actor, wanted, given.reason))


def invite(settings: Settings, given: Namespace) -> int:
    """Print a new invitation code."""
    ends = None if given.hours is None else Millis(wall_clock() + given.hours * HOUR)
    with command_acts(settings) as commands:
        _, code = asyncio.run(commands.acts.invite(commands.actor, given.uses, ends, given.note))
        print(code)
    return 0
