"""The problem bundle: what a bug report needs to know of a server, as JSON, without secrets and persons."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.cli.doctor import run_checks
from qipai.hall.incidents.incident_interface import KeptIncident
from qipai.settings import Settings
from qipai.stores.incident_folder import read_incidents

from .shown_settings import set_variables, shown_settings
from .versions import libraries, versions

FORMAT: Final = 1


class Finding(Struct, frozen=True):
    """A line of `qipai doctor`, without what is private."""

    passed: bool
    text: str


class ProblemBundle(Struct, frozen=True):
    """Everything that a problem bundle has; `environment` names variables without their values."""

    format: int
    made: str
    versions: dict[str, str]
    libraries: dict[str, str]
    settings: dict[str, Any]
    environment: tuple[str, ...]
    findings: tuple[Finding, ...]
    incidents: tuple[KeptIncident, ...]


def gather(settings: Settings, environment: Mapping[str, str]) -> ProblemBundle:
    """Return the bundle of a server that runs or not; this waits for disks and databases."""
    return ProblemBundle(
        FORMAT,
        datetime.now(UTC).isoformat(timespec="seconds"),
        versions(settings),
        libraries(),
        shown_settings(settings),
        set_variables(environment),
        tuple(Finding(check.passed, check.public_line) for check in run_checks(settings)),
        tuple(read_incidents(Path(settings.data))),
    )


def as_file(bundle: ProblemBundle) -> bytes:
    """Return a bundle as it is written: JSON for people to read."""
    return msgspec.json.format(msgspec.json.encode(bundle), indent=2) + b"\n"
