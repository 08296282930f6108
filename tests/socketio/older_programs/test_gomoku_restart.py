"""Gomoku players have no login; after a server restart they still recover their seats."""

from pathlib import Path

import pytest

from tests.socketio.client_programs import only_ours
from tests.socketio.older_programs.test_gomoku_clients import Guest
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.slow, only_ours("it plays no games")]


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
def test_gomoku_players_recover_their_seats_after_a_restart(tmp_path: Path, *, killed: bool) -> None:
    server = ServerProcess(tmp_path)
    with server:
        ann, bob = (Guest(server.port, "socket.io-client", "websocket", name) for name in ("Ann", "Bob"))
        lurker = Guest(server.port, "socket.io-client", "websocket", "Lurker")
        try:
            for guest in (ann, bob):
                guest.say("join-lobby", nickname=guest.nickname)
            ann.enter("create-room", name="lasting")
            bob.enter("join-room", roomId=ann.room)
            ann.say("place-stone", x=7, y=7)
            bob.until("stone-placed")
            if killed:
                server.kill()
            else:
                assert server.stop() == 0
            server.start()
            for guest, role in ((ann, "black"), (bob, "white")):
                back = guest.puppet.observe("connect")
                assert (back["id"], back["recovered"]) == (guest.sid, True)
                shown = guest.until("room-joined")
                assert (shown["role"], shown["room"]["board"][7][7]) == (role, 1)
                assert shown["room"]["players"][role]["nickname"] == guest.nickname
            bob.say("place-stone", x=8, y=8)
            for guest in (ann, bob):
                assert guest.until("stone-placed") == {"x": 8, "y": 8, "color": 2}
            # A client without a stored socket opens a new session.
            again = lurker.puppet.observe("connect")
            assert (again["id"] == lurker.sid, again["recovered"]) == (False, False)
        finally:
            for guest in (ann, bob, lurker):
                guest.puppet.close()
    assert server.errors == []


def test_a_restart_does_not_give_undos_back(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, config="[gomoku]\nundo_limit = 1\n")
    with server:
        ann, bob = (Guest(server.port, "socket.io-client", "websocket", name) for name in ("Ann", "Bob"))
        try:
            for guest in (ann, bob):
                guest.say("join-lobby", nickname=guest.nickname)
            ann.enter("create-room", name="lasting")
            bob.enter("join-room", roomId=ann.room)
            ann.say("place-stone", x=7, y=7)
            bob.until("stone-placed")
            ann.say("request-undo")
            assert bob.until("undo-requested") == {"from": "Ann", "remainingUndos": 0}
            bob.say("respond-undo", accept=True)
            ann.until("undo-result")
            server.kill()
            server.start()
            for guest in (ann, bob):
                guest.until("room-joined")
            ann.say("place-stone", x=7, y=7)
            bob.until("stone-placed")
            ann.say("request-undo")
            assert ann.until("error")["code"] == "no_undos_left"
            bob.say("request-undo")
            assert ann.until("undo-requested") == {"from": "Bob", "remainingUndos": 0}
        finally:
            for guest in (ann, bob):
                guest.puppet.close()
    assert server.errors == []
