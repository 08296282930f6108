"""`qipai bundle`: shows a problem bundle, asks, and writes it."""

import os
import sys
from pathlib import Path
from typing import Final

from qipai.cli.journal_reader import CommandError
from qipai.settings import Settings

from .problem_bundle import ProblemBundle, as_file, gather
from .shown_settings import changed_settings

_LEFT_OUT: Final = """\
Left out or replaced: names, persons, chat, titles, ids of tables, addresses, paths, passwords, keys, tokens.
A failed command comes with the whole position of its table, also what players do not see. Send it when that
game is over."""


def bundle(settings: Settings, file: Path | None, *, show: bool, agreed: bool) -> int:
    """Print what the bundle has and write it if the operator agrees; return 1 if nothing was written.

    With `show` everything is printed; without a file nothing is written.
    """
    if file is None and not show:
        raise CommandError("name a file for the bundle, or print it with --show")
    if file is not None and file.exists():
        raise CommandError(f"{file} exists already")
    gathered = gather(settings, os.environ)
    body = as_file(gathered)
    print(body.decode() if show else _summary(gathered), end="")
    if file is None:
        return 0
    if not agreed and not _asks(f"Write {len(body):,} bytes to {file}? [y/N] "):
        print("Nothing was written.")
        return 1
    try:
        with file.open("xb") as opened:
            opened.write(body)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error
    print(f"{file} is written.")
    return 0


def _asks(question: str) -> bool:
    print(question, end="", flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def _summary(bundle: ProblemBundle) -> str:
    failed = [finding.text for finding in bundle.findings if not finding.passed]
    changed = ", ".join(f"{name} {value}" for name, value in changed_settings(bundle.settings).items())
    lines = [
        *(f"{name:11} {version}" for name, version in bundle.versions.items()),
        f"{'libraries':11} versions of {len(bundle.libraries)}",
        f"{'settings':11} {changed or 'none changed'}",
        f"{'variables':11} {', '.join(bundle.environment) or 'none set'}",
        f"{'findings':11} {len(bundle.findings)} of qipai doctor, {len(failed)} failed",
        *(f"{'':11} FAIL {text}" for text in failed),
        f"{'incidents':11} {len(bundle.incidents)}",
    ]
    for incident in bundle.incidents:
        command = incident.command
        ending = "replays" if command and command.replays else "does not replay"
        what = f" in {command.game}, with a record that {ending}" if command else ""
        lines.append(f"{'':11} {incident.incident} {incident.event}{what}: {incident.faults[0].kind}")
    return "\n".join(lines) + f"\n\n{_LEFT_OUT}\n`qipai bundle --show` prints all of it.\n\n"
