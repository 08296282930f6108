"""What the clients of the older programs are told of sanctions, in words that they show."""

from datetime import UTC, datetime
from typing import Any

import pytest

from qipai.hall.connections.connection import BANNED
from qipai.hall.moderation.sanction_interface import SanctionKind
from qipai.hall.people.identity import Guest
from qipai.kernel.ids import Millis, Person
from qipai.protocol.notices import Announcement
from tests.hall.moderation.simulated_sanctions import CAFE, HOME, LATER, Acts, Client
from tests.support.hall_simulation import HallSimulation

CHESS, MAHJONG, SOCKET = "/", "/ws", "socket7"
END = f"{datetime.fromtimestamp(LATER / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
BAN_IN_CHESS = {"action": "error", "message": f"您已被禁止使用本伺服器（至 {END}）。原因：insults"}
BAN_IN_MAHJONG = {"type": "error", "error": f"you are banned (until {END}): insults", "code": "banned"}
BAN_IN_TICTACTOE = ["chat message", f"[系統提示] 你已被禁止使用本伺服器（至 {END}）。原因：insults"]
BAN_IN_GOMOKU = ["error", {"code": "banned", "message": f"您已被禁止使用本服务器（至 {END}）。原因：insults"}]


@pytest.fixture
def acts(simulation: HallSimulation) -> Acts:
    return Acts(simulation)


def named(simulation: HallSimulation, client: Client, name: str = "Ann") -> Client:
    """Log a tic-tac-toe client in, as its cookie does."""
    assert simulation.hall.admit(client.connection, Guest(Person(f"login:{name}"), name))
    simulation.settle()
    return client


def gomoku(simulation: HallSimulation, sid: str = SOCKET, address: str = HOME) -> Client:
    client = Client(simulation, sid, address)
    client.send(["join-lobby", {"nickname": "小明"}])
    return client


@pytest.mark.parametrize(
    ("protocol", "told"),
    [
        (CHESS, [BAN_IN_CHESS]),
        (MAHJONG, [BAN_IN_MAHJONG]),
        (SOCKET, [BAN_IN_TICTACTOE, BAN_IN_GOMOKU]),
    ],
)
def test_a_banned_address_is_told_why_when_it_connects(
    simulation: HallSimulation, acts: Acts, protocol: str, told: list[Any]
) -> None:
    acts.impose(SanctionKind.BAN, network="192.0.2.0/24")
    client = Client(simulation, protocol)
    assert client.received() == told
    assert client.transport.closed == BANNED
    assert Client(simulation, protocol, CAFE).transport.closed is None


@pytest.mark.parametrize("protocol", [CHESS, MAHJONG])
def test_a_ban_closes_the_open_connections_of_an_address(
    simulation: HallSimulation, acts: Acts, protocol: str
) -> None:
    client, other = Client(simulation, protocol), Client(simulation, protocol, CAFE)
    acts.impose(SanctionKind.BAN, network=f"{HOME}/32")
    assert client.received() == [BAN_IN_CHESS if protocol == CHESS else BAN_IN_MAHJONG]
    assert client.transport.closed == BANNED
    assert (other.received(), other.transport.closed) == ([], None)
    create = {"action": "createRoom"} if protocol == CHESS else {"type": "get_state", "game_id": "x"}
    assert client.send(create) == []


def test_a_ban_closes_a_gomoku_client_with_its_error(simulation: HallSimulation, acts: Acts) -> None:
    client = gomoku(simulation)
    acts.impose(SanctionKind.BAN, network=f"{HOME}/32")
    assert client.received()[-1] == BAN_IN_GOMOKU
    assert BAN_IN_TICTACTOE not in client.received()
    assert client.transport.closed == BANNED


def test_a_banned_login_does_not_get_in(simulation: HallSimulation, acts: Acts) -> None:
    client = named(simulation, Client(simulation, SOCKET))
    client.send(["join_pvp"])
    acts.impose(SanctionKind.BAN, "login:Ann")
    assert client.received()[-1] == BAN_IN_TICTACTOE
    assert client.transport.closed == BANNED
    again = Client(simulation, "socket8")
    assert not simulation.hall.admit(again.connection, Guest(Person("login:Ann"), "Ann"))
    assert again.transport.closed == BANNED


def test_a_ban_for_good_says_so(simulation: HallSimulation, acts: Acts) -> None:
    acts.impose(SanctionKind.BAN, network=f"{HOME}/32", ends=None)
    assert "永久" in Client(simulation, CHESS).received()[0]["message"]
    assert "for good" in Client(simulation, MAHJONG).received()[0]["error"]
    for frame in Client(simulation, SOCKET).received():
        assert "永久" in str(frame)


def test_a_muted_tictactoe_client_is_told_in_its_chat(simulation: HallSimulation, acts: Acts) -> None:
    ann = named(simulation, Client(simulation, SOCKET))
    bob = named(simulation, Client(simulation, "socket8", CAFE), "Bob")
    acts.impose(SanctionKind.MUTE, "login:Ann")
    line = ["chat message", f"[系統提示] 你已被禁言（至 {END}）。原因：insults"]
    assert line in ann.received()
    assert ann.send(["chat message", "in the lobby"]) == [line]
    assert bob.received() == []
    ann.send(["join_pvp"])
    bob.send(["join_pvp"])
    assert line in ann.send(["chat message", "at the table"])
    assert not any("at the table" in str(frame) for frame in bob.received())


def test_a_muted_gomoku_client_is_told_by_an_error(simulation: HallSimulation, acts: Acts) -> None:
    client = gomoku(simulation)
    created = client.send(["create-room", {"name": "房间"}])
    code = next(frame[1]["room"]["id"] for frame in created if frame[0] == "room-joined")
    acts.impose(SanctionKind.MUTE, network=f"{HOME}/32")
    error = ["error", {"code": "muted", "message": f"您已被禁言（至 {END}）。原因：insults"}]
    assert error in client.received()
    assert client.send(["chat-message", {"roomId": code, "message": "你好"}]) == [error]


def test_markup_in_a_reason_is_harmless_to_gomoku_pages(simulation: HallSimulation, acts: Acts) -> None:
    client = gomoku(simulation)
    acts.impose(SanctionKind.WARNING, network=f"{HOME}/32", reason="<b>&")
    assert "＜b＞＆" in client.received()[-1][1]["message"]


def test_a_warning_does_not_end_the_game_of_a_chess_client(simulation: HallSimulation, acts: Acts) -> None:
    client = Client(simulation, CHESS)
    client.send({"action": "createRoom"})
    before = client.received()
    acts.impose(SanctionKind.WARNING, client.connection.person)
    assert client.received() == before, "it would take any error for the end of its game"
    assert client.transport.closed is None


def test_an_announcement_is_a_line_of_the_system_where_there_is_a_chat(simulation: HallSimulation) -> None:
    notice = Announcement("Restart at noon", Millis(1_700_000_000_000))
    tictactoe, chess = Client(simulation, SOCKET), Client(simulation, CHESS)
    named(simulation, tictactoe)
    tictactoe.send(["join_pvp"])
    five = gomoku(simulation, "socket8")
    for client in (tictactoe, five, chess, mahjong := Client(simulation, MAHJONG)):
        client.connection.send_notice(notice)
    assert tictactoe.received()[-1] == ["chat message", "[系統提示] Restart at noon"]
    assert five.received()[-1][0] == "chat-received"
    assert five.received()[-1][1]["message"] == "Restart at noon"
    assert five.received()[-1][1]["nickname"] == "系统"
    assert (chess.received(), mahjong.received()) == ([], [])
