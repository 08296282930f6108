"""Keeps incidents in files of the data folder: a few of them, and few of the same fault."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import structlog
from msgspec.structs import replace

from qipai.hall.incidents.incident_interface import FORMAT, KeptIncident, fingerprint

INCIDENT_FOLDER: Final = "incidents"
MOST_INCIDENTS: Final = 20
MOST_ALIKE: Final = 3
"""Files of one fault: one that repeats must not push out all others."""
MAX_BYTES: Final = 256 * 1024
"""Bytes of one file; a longer incident is kept without its command."""
_SUFFIX: Final = ".json"

_log = structlog.get_logger("qipai.stores")


class IncidentFolder:
    """Writes incidents in a thread; several workers may share the folder. Without `data` it keeps none."""

    def __init__(self, data: Path | None) -> None:
        self._folder = None if data is None else data / INCIDENT_FOLDER
        self._thread = ThreadPoolExecutor(1, "incidents")

    def keep(self, incident: KeptIncident) -> None:
        """Write an incident soon, and remove those that are too many."""
        if self._folder is not None:
            self._thread.submit(self._write, self._folder, incident)

    def close(self) -> None:
        """Write what waits."""
        self._thread.shutdown()

    def _write(self, folder: Path, incident: KeptIncident) -> None:
        try:
            body = _encode(incident)
            if len(body) > MAX_BYTES:
                body = _encode(replace(incident, command=None))
            at = datetime.fromtimestamp(incident.at / 1000, UTC).strftime("%Y-%m-%dT%H%M%S")
            name = f"{at}-{incident.incident}-{fingerprint(incident.faults)}{_SUFFIX}"
            folder.mkdir(0o700, parents=True, exist_ok=True)
            path = folder / name
            path.touch(0o600)
            path.write_bytes(body)
            _remove_excess(folder)
        except OSError as error:
            _log.warning("incident not kept", incident=incident.incident, error=str(error))


def read_incidents(data: Path) -> Sequence[KeptIncident]:
    """Return the kept incidents, the newest first, without files that are damaged or of another format."""
    found = []
    for path in _files(data / INCIDENT_FOLDER)[:MOST_INCIDENTS]:
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
            incident = _decode(path.read_bytes())
            if incident.format == FORMAT:
                found.append(incident)
    return found


def _remove_excess(folder: Path) -> None:
    """Keep the newest files, and few of each fault."""
    alike: dict[str, int] = {}
    kept = 0
    for path in _files(folder):
        fault = path.stem.rpartition("-")[2]
        alike[fault] = alike.get(fault, 0) + 1
        if kept >= MOST_INCIDENTS or alike[fault] > MOST_ALIKE:
            path.unlink(missing_ok=True)
        else:
            kept += 1


def _files(folder: Path) -> list[Path]:
    """Return the files, the newest first: their names begin with the time."""
    return sorted(folder.glob(f"*{_SUFFIX}"), reverse=True)


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(KeptIncident).decode
