"""`qipai reports`: lists reports and appeals, shows one with its chat, and closes it."""

from argparse import Namespace
from collections.abc import Iterator

from qipai.cli.journal_reader import CommandError
from qipai.hall.moderation.operator_log_interface import Act
from qipai.hall.moderation.report_interface import Report, ReportFilter, ReportState
from qipai.settings import Settings

from .operator_access import CommandActs, command_acts, local_time, print_rows

_MOST = 10_000


def list_reports(settings: Settings, given: Namespace) -> int:
    """Print reports, the latest first: those that are open, or all."""
    with command_acts(settings) as commands:
        state = None if given.all else ReportState.OPEN
        found = commands.moderation.reports(ReportFilter(state=state, limit=_MOST))
        rows = (commands.json.report(each) if given.json else _line(commands, each) for each in found)
        return print_rows(rows, as_json=given.json)


def show(settings: Settings, given: Namespace) -> int:
    """Print a report with the chat of its table."""
    with command_acts(settings) as commands:
        report = commands.moderation.report(given.number)
        if report is None:
            raise CommandError(f"no report has the number {given.number}")
        return print_rows(_shown(commands, report), as_json=False)


def close(settings: Settings, given: Namespace) -> int:
    """Close a report."""
    with command_acts(settings) as commands:
        return commands.act(
            commands.acts.change_report(commands.actor, Act.CLOSE_REPORT, given.number, reason=given.reason)
        )


def _line(commands: CommandActs, report: Report) -> str:
    about = f"about {commands.name(report.about, report.about_name)}" if report.about else ""
    where = f"table {report.room}" if report.room else f"sanction {report.sanction}"
    by = commands.name(report.by, report.by_name) if report.by else "an address"
    parts = [f"{report.id}", local_time(report.at), report.kind.value, report.state.value, f"by {by}"]
    return "  ".join([*parts, *filter(None, (about, where)), report.text])


def _shown(commands: CommandActs, report: Report) -> Iterator[str]:
    yield _line(commands, report)
    if report.line is not None:
        yield f"reported line: {report.line.name}: {report.line.text}"
    for line in report.chat:
        yield f"  {local_time(line.at)}  {line.name}: {line.text}"
    if report.note:
        yield f"note: {report.note}"
