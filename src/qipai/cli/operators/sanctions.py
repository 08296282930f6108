"""`qipai warn`, `mute`, `unrated` and `ban`: impose sanctions, lift and list them."""

from argparse import Namespace

from qipai.cli.journal_reader import CommandError
from qipai.hall.moderation.operator_acts import NewSanction
from qipai.hall.moderation.sanction_interface import SanctionKind, parse_network
from qipai.hall.people.identity import wall_clock
from qipai.kernel.ids import Millis
from qipai.settings import Settings

from .operator_access import CommandActs, command_acts, print_rows

HOUR = 60 * 60 * 1000
_AT_ONCE = 1_000


def impose(settings: Settings, given: Namespace) -> int:
    """Impose a sanction on an account, a person or a network."""
    kind, who = SanctionKind(given.kind), str(given.who)
    ends = None if given.for_good else Millis(wall_clock() + given.hours * HOUR)
    with command_acts(settings) as commands:
        person, account, network = _whom(commands, who)
        wanted = NewSanction(
            kind, given.reason, ends, person, account, network, bool(getattr(given, "addresses", False))
        )
        return commands.act(commands.acts.impose(commands.actor, wanted))


def lift(settings: Settings, given: Namespace) -> int:
    """End a sanction."""
    with command_acts(settings) as commands:
        found = commands.moderation.sanction(given.number)
        if found is None or found.kind != given.kind:
            raise CommandError(f"no {given.kind} has the number {given.number}")
        return commands.act(commands.acts.lift(commands.actor, given.number, given.reason))


def list_sanctions(settings: Settings, given: Namespace) -> int:
    """Print the sanctions of a kind, the latest first; those in force, or all."""
    now = wall_clock()
    with command_acts(settings) as commands:
        found, before = [], None
        while True:
            page = commands.moderation.sanctions(before, _AT_ONCE, in_force_at=None if given.all else now)
            found += [each for each in page if each.kind == given.kind]
            if len(page) < _AT_ONCE:
                break
            before = page[-1].id
        rows = (
            (commands.json.sanction(each, now) for each in found)
            if given.json
            else map(commands.sanction_line, found)
        )
        return print_rows(rows, as_json=given.json)


def _whom(commands: CommandActs, who: str) -> tuple[str, str, str]:
    """Return person, account and network, of which one is meant."""
    if commands.accounts.owner(commands.names.skeleton(who)) is not None:
        return "", who, ""
    try:
        return "", "", str(parse_network(who))
    except ValueError:
        if "/" in who or ":" in who or who.replace(".", "").isdigit():
            # It is meant as a network, so say what is wrong with it.
            return "", "", who
    return who, "", ""
