"""The files of incidents: readable by their owner only, limited in number and size."""

from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace
from structlog.testing import capture_logs

from qipai.hall.incidents.incident_interface import FORMAT, FailedCommand, Fault, KeptIncident
from qipai.kernel.ids import Millis
from qipai.stores.incident_folder import (
    INCIDENT_FOLDER,
    MAX_BYTES,
    MOST_ALIKE,
    MOST_INCIDENTS,
    IncidentFolder,
    read_incidents,
)

NOON = 1_794_744_000_000


def incident(number: int, place: str = "") -> KeptIncident:
    """Return an incident, one second after the one with the number before."""
    fault = Fault("builtins.ValueError", (f"qipai.place{place or number}:1 play",))
    return KeptIncident(
        FORMAT, f"{number:08x}", Millis(NOON + 1000 * number), "0.2.0", "command failed", (fault,)
    )


def keep(data: Path, *incidents: KeptIncident) -> None:
    folder = IncidentFolder(data)
    for each in incidents:
        folder.keep(each)
    folder.close()


def test_incidents_are_read_as_they_were_kept_the_newest_first(tmp_path: Path) -> None:
    command = FailedCommand("chess", Millis(7), Raw(b'{"do":"resign"}'), Raw(b"{}"), True, "IndexError")
    first, second = incident(1), replace(incident(2), command=command)
    keep(tmp_path, first, second)
    assert [msgspec.json.encode(each) for each in read_incidents(tmp_path)] == [
        msgspec.json.encode(second),
        msgspec.json.encode(first),
    ]


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    keep(tmp_path, incident(1))
    folder = tmp_path / INCIDENT_FOLDER
    (file,) = folder.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


def test_the_newest_incidents_stay(tmp_path: Path) -> None:
    keep(tmp_path, *map(incident, range(MOST_INCIDENTS + 15)))
    found = [each.incident for each in read_incidents(tmp_path)]
    assert found == [f"{number:08x}" for number in reversed(range(15, MOST_INCIDENTS + 15))]
    assert len(list((tmp_path / INCIDENT_FOLDER).iterdir())) == MOST_INCIDENTS


def test_a_fault_that_repeats_does_not_push_out_others(tmp_path: Path) -> None:
    keep(tmp_path, incident(1, "rare"), *(incident(number, "frequent") for number in range(2, 40)))
    found = [each.incident for each in read_incidents(tmp_path)]
    assert len(found) == 1 + MOST_ALIKE
    assert found[-1] == f"{1:08x}"


def test_an_incident_that_is_too_long_is_kept_without_its_command(tmp_path: Path) -> None:
    long = Raw(b'"' + b"x" * MAX_BYTES + b'"')
    keep(tmp_path, replace(incident(1), command=FailedCommand("chess", Millis(7), long, long, True)))
    (found,) = read_incidents(tmp_path)
    assert found == incident(1)


def test_files_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    keep(tmp_path, incident(1), replace(incident(2), format=FORMAT + 1))
    folder = tmp_path / INCIDENT_FOLDER
    (folder / "2026-11-19T120000-0-0.json").write_bytes(b'{"format":')
    (folder / "2026-11-19T120001-0-0.json").write_bytes(b'{"incident":"\xff"}')
    (folder / "notes.txt").write_text("mine")
    assert read_incidents(tmp_path) == [incident(1)]
    assert read_incidents(tmp_path / "elsewhere") == []


def test_a_folder_that_cannot_be_written_is_logged_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / INCIDENT_FOLDER).write_text("a file")
    with capture_logs() as lines:
        keep(tmp_path, incident(1), incident(2))
    assert [line["event"] for line in lines] == ["incident not kept"] * 2


def test_a_server_without_a_data_folder_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = IncidentFolder(None)
    folder.keep(incident(1))
    folder.close()
    assert list(tmp_path.iterdir()) == []
