"""A small server to keep: a running game, a closed room and an archived game."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from qipai.cli import export_format
from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import unpack
from qipai.hall.history.archiver import Archiver
from qipai.hall.journal.room_rebuilding import restore, retrace
from qipai.hall.journal.store_interface import Store
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.room import Phase
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.stores.accounts.account_rows import ADA
from tests.stores.moderation.acts import OPERATOR, ban, entry_of_command
from tests.support.hall_simulation import EPOCH, HallSimulation, NativeClient

EXPORT: Final = "export.gz"


@contextmanager
def run_server(store: Store, archive: Archive) -> Iterator[None]:
    """Run a server that has a running game, a closed room and an archived game; it closes the store."""
    with HallSimulation(store) as simulation:
        ada, bo = NativeClient(simulation), NativeClient(simulation)
        ada.hello(name="Ada")
        bo.hello(name="Bo")
        finished = RoomId(ada.ask("open", game="gomoku", nonce="finished")[-1]["room"]["id"])
        bo.ask("join", room=finished)
        for client in (ada, bo):  # The game decides which of them moves first.
            client.ask("play", room=finished, move={"do": "place", "x": 7, "y": 7}, nonce="move")
        ada.ask("resign", room=finished, nonce="resign")
        for client in (ada, bo):
            client.ask("leave", room=finished)
        hall = simulation.hall
        Archiver(GAMES, store, archive, hall.alarms, hall.tasks, hall.internal_errors, hall.now).run_round()
        table = {"clock": {"main": [60_000]}, "title": "Club night"}
        running = ada.ask("open", game="tictactoe", nonce="running", table=table, seat=0)[-1]["room"]["id"]
        bo.ask("join", room=running)
        for client in (ada, bo):  # The game decides which of them moves first.
            client.ask("play", room=running, move={"do": "mark", "cell": 4}, nonce="move")
        closed = ada.ask("open", game="chess", nonce="closed")[-1]["room"]["id"]
        ada.ask("leave", room=closed)
        yield


def write_export(folder: Path) -> None:
    """Write the export of a server."""
    store = MemoryStore()
    with (
        TemporaryDirectory() as data,
        closing(open_archive(Path(data), "")) as archive,
        closing(open_accounts(Path(data), "", lambda: Millis(EPOCH))) as accounts,
        run_server(store, archive),
    ):
        accounts.register(OPERATOR, "hash", [b"key"])
        accounts.moderation.set_role(entry_of_command(OPERATOR.person), Role.OPERATOR)
        accounts.moderation.impose(*ban(person=ADA.person))
        export_format.write(store, archive, folder / EXPORT, accounts=accounts)


def check_export(path: Path, folder: Path) -> None:
    store, archive = MemoryStore(), open_archive(folder, "")
    accounts = open_accounts(folder, "", lambda: Millis(EPOCH))
    counts = export_format.read(store, archive, path, accounts)
    if not accounts.is_empty():  # Formats before 6 had none.
        assert accounts.find(OPERATOR.skeleton) == (OPERATOR, "hash")
        assert accounts.use_recovery_key(OPERATOR.person, b"key")
        assert accounts.moderation.role(OPERATOR.person) is Role.OPERATOR
        assert [each.reason for each in accounts.moderation.sanctions_of(ADA.person)] == ["insults"]
    accounts.close()
    assert (counts.rooms, counts.archived) == (2, 1)
    (running,), (closed,) = store.open_rooms(), store.closed(9)
    saved = store.load(running)
    assert saved is not None
    _, room, _ = restore(GAMES, saved)
    assert (room.phase, room.game, room.table.title) == (Phase.PLAYING, "tictactoe", "Club night")
    assert [None if seat is None else seat.name for seat in room.seats] == ["Ada", "Bo"]
    assert [step.room for step in retrace(GAMES, store.history(running))][-1] == room
    assert list(retrace(GAMES, store.history(closed)))[-1].room.phase is Phase.CLOSED
    (finished,) = archive.rooms()
    (number,) = archive.match_numbers(finished)
    body = archive.match(finished, number)
    assert body is not None
    match = unpack(body)
    names = tuple("" if seat is None else seat.name for seat in match.seats)
    assert (match.game, names, match.reason) == ("gomoku", ("Ada", "Bo"), "resigned")
    archive.close()
