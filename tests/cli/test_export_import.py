"""`qipai export` and `qipai import`: all rooms move from one store to another and games go on."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
import redis as client
from msgspec.structs import replace

from qipai.cli import main
from qipai.cli.export_format import FORMAT, read, write
from qipai.cli.journal_reader import CommandError
from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive, GameFilter
from qipai.hall.history.archived_match import unpack
from qipai.hall.history.archiver import Archiver
from qipai.hall.journal.store_interface import Store
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import RoomId
from qipai.settings import Settings
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from qipai.stores.store_registry import open_store
from tests.server.test_http import get
from tests.stores.accounts.account_rows import ADA, Clock
from tests.stores.moderation.acts import entry_of_command
from tests.support.hall_simulation import HallSimulation, NativeClient, mark, seat_to_act
from tests.support.redis import RedisServer
from tests.support.server import ServerProcess

OpenStore = Callable[[str], Store]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def open_new(redis: RedisServer, tmp_path: Path) -> Iterator[OpenStore]:
    """Return a function that opens an empty store, each in a file or database of its own."""
    opened: list[Store] = []

    def open_one(name: str) -> Store:
        number = len(opened)
        folder = tmp_path / f"store{number}"
        folder.mkdir()
        address = f"{redis.address}/{number}" if name == "redis" else name
        if name == "redis":
            client.Redis.from_url(address).flushdb()
        opened.append(open_store(address, folder, "process"))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def play_some(store: Store) -> tuple[str, str]:
    """Play in a store; return a room with a running game and the token of one of its players."""
    with HallSimulation(store) as simulation:
        ada, bo = NativeClient(simulation), NativeClient(simulation)
        ada.hello(name="Ada")
        bo.hello(name="Bo")
        (room,) = ada.ask("open", game="tictactoe", nonce="o", seat=0)
        name = str(room["room"]["id"])
        bo.ask("join", room=name)
        for peer in (ada, bo):  # The game decides which of them moves first.
            peer.ask("play", room=name, move={"do": "mark", "cell": 4}, nonce="m")
        closed = ada.ask("open", game="gomoku", nonce="p")[-1]
        ada.ask("leave", room=closed["room"]["id"])
        return name, ada.token


def resumed(store: Store, room: str, token: str) -> tuple[object, ...]:
    """Return what a player sees who joins the room again."""
    with HallSimulation(store) as simulation:
        ada = NativeClient(simulation)
        assert ada.hello(token=token)["name"] == "Ada"
        view = next(notice for notice in ada.ask("join", room=room) if notice["type"] == "room")
        return view["you"], view["room"]["position"]["board"], view["room"]["code"], view["room"]["phase"]


@pytest.mark.parametrize("first", ["sqlite", "redis", "memory"])
@pytest.mark.parametrize("second", ["sqlite", "redis", "memory"])
def test_running_games_move_from_any_store_to_any_other(
    open_new: OpenStore, tmp_path: Path, first: str, second: str
) -> None:
    start, end = MemoryStore(), MemoryStore()
    room, token = play_some(start)
    before, waiting = start.history(RoomId(room)), start.closed(9)
    stores = [start, open_new(first), open_new(second), end]
    for number, (old, new) in enumerate(pairwise(stores)):
        counts = write(old, None, tmp_path / f"{number}.gz")
        assert (counts.rooms, counts.archived) == (2, 0)
        assert read(new, None, tmp_path / f"{number}.gz") == counts
        assert list(new.history(RoomId(room))) == list(before)
        assert list(new.open_rooms()) == [room]
        assert list(new.closed(9)) == list(waiting) != []
        assert new.secret() == start.secret()
        assert new.last_heartbeat() >= before[-1].at
    you, board, code, phase = resumed(end, room, token)
    assert (you, phase) == (0, "playing")
    assert sorted(str(board)) == sorted("........X")
    assert code


@pytest.fixture
def archives(tmp_path: Path) -> Iterator[tuple[Archive, Archive]]:
    """Return two empty archives."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = open_archive(tmp_path / "one", ""), open_archive(tmp_path / "two", "")
    yield one, two
    one.close()
    two.close()


def finished_match(simulation: HallSimulation) -> tuple[NativeClient, NativeClient, RoomId]:
    """Return two players and the room in which one of them has resigned."""
    ada, bo = NativeClient(simulation), NativeClient(simulation)
    ada.hello(name="Ada")
    bo.hello(name="Bo")
    (room,) = ada.ask("open", game="tictactoe", nonce="o")
    name = RoomId(room["room"]["id"])
    (shown,) = bo.ask("join", room=name)
    (ada, bo)[seat_to_act(shown)].ask("play", **mark(name, 4))
    ada.ask("resign", room=name, nonce="r")
    return ada, bo, name


def archiver_of(simulation: HallSimulation, store: Store, archive: Archive) -> Archiver:
    """Return an archiver beside the simulation."""
    hall = simulation.hall
    return Archiver(GAMES, store, archive, hall.alarms, hall.tasks, hall.internal_errors, hall.now)


def test_finished_games_move_with_their_list(tmp_path: Path, archives: tuple[Archive, Archive]) -> None:
    store = MemoryStore()
    one, two = archives
    with HallSimulation(store) as simulation:
        ada, bo, name = finished_match(simulation)
        for peer in (ada, bo):
            peer.ask("leave", room=name)
        archiver_of(simulation, store, one).run_round()
    assert write(store, one, tmp_path / "all.gz").archived == 1
    read(MemoryStore(), two, tmp_path / "all.gz")
    assert list(two.search(GameFilter(player="Bo"))) == list(one.search(GameFilter(player="Bo"))) != []
    assert list(two.history(name)) == list(one.history(name))
    assert list(two.match_numbers(name)) == [1]
    assert unpack(two.match(name, 1) or b"") == unpack(one.match(name, 1) or b"")


def test_archived_matches_of_an_open_room_move_too(tmp_path: Path, archives: tuple[Archive, Archive]) -> None:
    store = MemoryStore()
    one, two = archives
    with HallSimulation(store) as simulation:
        name = finished_match(simulation)[2]
        archiver_of(simulation, store, one).archive_ended_match(name)
    write(store, one, tmp_path / "all.gz")
    moved = MemoryStore()
    read(moved, two, tmp_path / "all.gz")
    assert list(moved.open_rooms()) == [name]
    assert two.match(name, 1) == one.match(name, 1) is not None
    assert list(two.history(name)) == []


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "all.gz").write_bytes(b"precious")
    with pytest.raises(CommandError, match="exists"):
        write(MemoryStore(), None, tmp_path / "all.gz")
    assert (tmp_path / "all.gz").read_bytes() == b"precious"


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    write(MemoryStore(), None, tmp_path / "all.gz")
    assert (tmp_path / "all.gz").stat().st_mode & 0o077 == 0


def test_an_import_needs_an_empty_store(tmp_path: Path) -> None:
    old, new = MemoryStore(), MemoryStore()
    play_some(old)
    room, _ = play_some(new)
    secret = new.secret()
    write(old, None, tmp_path / "all.gz")
    with pytest.raises(CommandError, match="already has tables"):
        read(new, None, tmp_path / "all.gz")
    assert list(new.open_rooms()) == [room]
    assert new.secret() == secret


@pytest.mark.parametrize("damage", ["cut", "half", "no end", "no header", "text", "empty", "format", "twice"])
def test_a_damaged_file_is_not_imported(tmp_path: Path, damage: str) -> None:
    store, path = MemoryStore(), tmp_path / "all.gz"
    play_some(store)
    write(store, None, path)
    raw = path.read_bytes()
    lines = gzip.decompress(raw).splitlines(keepends=True)
    damaged = {
        "cut": raw[: len(raw) // 2],
        "half": gzip.compress(b"".join(lines)[:-40]),
        "no end": gzip.compress(b"".join(lines[:-1])),
        "no header": gzip.compress(b"".join(lines[1:])),
        "text": b"hello\n",
        "empty": b"",
        "format": gzip.compress(b"".join(lines).replace(b'"format":%d' % FORMAT, b'"format":99')),
        "twice": gzip.compress(b"".join(lines + lines)),
    }
    path.write_bytes(damaged[damage])
    empty = MemoryStore()
    secret = empty.secret()
    with pytest.raises(CommandError):
        read(empty, None, path)
    assert list(empty.open_rooms()) == []
    assert empty.secret() == secret


def test_a_file_of_the_version_before_is_refused_in_one_line(tmp_path: Path) -> None:
    lines = (
        b'{"line":"qipai","format":2,"secret":"AAAA","last_heartbeat":1}',
        b'{"line":"archived","room":"r","records":[]}',
        b'{"line":"end","rooms":0,"archived":1}',
    )
    (tmp_path / "old.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    with pytest.raises(CommandError, match=r"old\.gz: .*format 2"):
        read(MemoryStore(), None, tmp_path / "old.gz")


def test_an_archived_match_that_cannot_be_read_is_found_before_anything_is_imported(tmp_path: Path) -> None:
    lines = (
        b'{"line":"qipai","format":3,"secret":"AAAA","last_heartbeat":1}',
        b'{"line":"archived","room":"r","records":[],"matches":["AAAA"]}',
        b'{"line":"end","rooms":0,"archived":1}',
    )
    (tmp_path / "bad.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    store = MemoryStore()
    secret = store.secret()
    with pytest.raises(CommandError, match="cannot be read"):
        read(store, None, tmp_path / "bad.gz")
    assert store.secret() == secret


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        read(MemoryStore(), None, tmp_path / "nowhere.gz")


@pytest.mark.slow
def test_the_commands_refuse_while_the_server_runs_and_work_when_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(data=str(tmp_path / "one"))
    monkeypatch.setenv("QIPAI_DATA", settings.data)
    with ServerProcess(tmp_path / "one"):
        assert main.main(["export", str(tmp_path / "all.gz")]) == 2
        assert "in use by another server" in capsys.readouterr().err
    with closing(open_accounts(tmp_path / "one", "", Clock())) as accounts:
        accounts.register(ADA, "hash", [])
        accounts.moderation.set_role(entry_of_command(ADA.person), Role.OPERATOR)
    assert main.main(["export", str(tmp_path / "all.gz")]) == 0
    monkeypatch.setenv("QIPAI_DATA", replace(settings, data=str(tmp_path / "two")).data)
    assert main.main(["import", str(tmp_path / "all.gz")]) == 0
    assert "0 tables" in capsys.readouterr().out
    with closing(open_accounts(tmp_path / "two", "", Clock())) as accounts:
        assert accounts.find("ada") == (ADA, "hash")
        assert accounts.moderation.role(ADA.person) is Role.OPERATOR
    assert main.main(["import", str(tmp_path / "all.gz")]) == 2
    assert "already has accounts" in capsys.readouterr().err
    with ServerProcess(tmp_path / "two") as moved:
        assert get(moved, "/ready")[0] == 200
