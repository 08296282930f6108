"""`qipai people`: searches people, shows one, and renames an account."""

from argparse import Namespace
from collections.abc import Iterator

from qipai.hall.moderation.operator_log_interface import LogFilter
from qipai.hall.moderation.report_interface import ReportFilter
from qipai.kernel.ids import Person
from qipai.settings import Settings

from .operator_access import CommandActs, command_acts, local_time, print_rows

_MOST = 50
_LAST = 20


def search(settings: Settings, given: Namespace) -> int:
    """Print the persons who have a name like this, or had it in a report or a sanction."""
    with command_acts(settings) as commands:
        found: dict[Person, str] = dict.fromkeys(
            commands.accounts.with_part(commands.names.skeleton(given.name), _MOST), ""
        )
        for person, name in commands.moderation.persons_named(given.name, _MOST):
            found.setdefault(person, name)
        rows = (
            (commands.json.person(person, name) for person, name in found.items())
            if given.json
            else (f"{person}  {commands.name(person, name)}" for person, name in found.items())
        )
        print_rows(rows, as_json=given.json)
        return 0 if found else 1


def show(settings: Settings, given: Namespace) -> int:
    """Print the sanctions of a person, the last reports about it, and what was done."""
    with command_acts(settings) as commands:
        owner = commands.accounts.owner(commands.names.skeleton(given.name))
        return print_rows(_shown(commands, owner or Person(given.name)), as_json=False)


def rename(settings: Settings, given: Namespace) -> int:
    """Give an account another name."""
    with command_acts(settings) as commands:
        owner = commands.accounts.owner(commands.names.skeleton(given.name))
        person = owner or Person(given.name)
        return commands.act(commands.acts.rename(commands.actor, person, given.new, given.reason))


def _shown(commands: CommandActs, person: Person) -> Iterator[str]:
    account = commands.accounts.account(person)
    yield f"{commands.name(person)}  {person}"
    if account is not None:
        yield f"account since {local_time(account.created)}  {commands.roles.role(person) or 'no role'}"
    yield from map(commands.sanction_line, commands.moderation.sanctions_of(person))
    for report in commands.moderation.reports(ReportFilter(about=person, limit=_LAST)):
        yield f"report {report.id}  {local_time(report.at)}  {report.state.value}  {report.text}"
    yield from map(commands.line, commands.moderation.log(LogFilter(person=person, limit=_LAST)))
