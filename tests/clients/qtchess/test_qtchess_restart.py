"""Older chess clients cannot reconnect: after a restart their seats are empty."""

from pathlib import Path

from qipai.stores.sqlite_store import SqliteStore
from tests.clients.qtchess.qtchess_clients import NO_ROOM, Qt, actions, error, start, two
from tests.support.hall_simulation import HallSimulation


def test_rooms_of_older_clients_only_are_closed_after_a_restart(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        waiting = Qt(first).create()
        host, _ = two(first)
        start(host)
        code = host.code
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=500) as second:
        assert error(Qt(second).ask("joinRoom", room=waiting)) == NO_ROOM
        assert error(Qt(second).ask("joinRoom", room=code)) == NO_ROOM
        assert second.hall.executor.live_rooms == {}


def test_a_web_player_who_stayed_is_host_after_a_restart(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        host = Qt(first)
        code = host.create()
        web = first.native_client("Web")
        web.ask("join", room=code, accept_sees_hidden=True)
        token = web.token
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=500) as second:
        web = second.native_client("Web", token)
        (shown,) = [m for m in web.ask("join", room=code) if m["type"] == "room"]
        assert shown["room"]["seats"][0] is None
        assert shown["room"]["host"] == shown["you"] == 1
        assert actions(Qt(second).ask("joinRoom", room=code)) == ["joinedRoom"]
