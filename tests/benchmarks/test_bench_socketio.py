"""The Socket.IO players of the benchmark play tic-tac-toe and gomoku repeatedly."""

import pytest

from bench.load.counters import LoadCounters
from bench.load.gomoku_players import STONES, GomokuPlayer
from bench.load.native_player import DRAW_CELLS
from bench.load.tictactoe_players import TicTacToePlayer


class RecordingTicTacToePlayer(TicTacToePlayer):
    """A Socket.IO player that acts at once and records its packets instead of sending them."""

    def __init__(self, *, opens: bool = False, offset: str = "") -> None:
        super().__init__(0, LoadCounters(), lambda seat: seat.act(), opens=opens)
        self.packets: list[bytes] = []
        self.sid = "me"
        self._offset = offset

    def emit(self, packet: bytes) -> None:
        self.packets.append(packet)

    def notify(self, event: str, payload: str) -> None:
        self.receive(f'42["{event}",{payload}{self._offset}]'.encode())

    def moves(self, count: int) -> None:
        for number in range(count):
            mover, other = "XO" if number % 2 == 0 else "OX"
            turn = mover if number == len(DRAW_CELLS) - 1 else other
            self.notify("move_made", f'{{"row":0,"col":0,"symbol":"{mover}","turn":"{turn}"}}')


STARTED = '{"room_id":"room_abcd1234_5678","your_symbol":"O","turn":"X","my_side":"right","round_count":0}'
ENDED = '{"winner":"Draw","scores":{"left":0,"right":0,"draw":1},"round_count":0,"match_finished":%s}'


@pytest.mark.parametrize("offset", ["", ',"Ouxm3wT"'])
def test_a_player_marks_the_next_cell_with_and_without_recovery_offsets(offset: str) -> None:
    player = RecordingTicTacToePlayer(offset=offset)
    player.notify("game_start", STARTED)
    assert player.packets == []
    player.moves(3)
    row, col = divmod(DRAW_CELLS[3], 3)
    assert player.packets[1:] == [b'42["make_move",{"row":%d,"col":%d}]' % (row, col)]
    assert player.counters.moves == 1


def test_no_player_answers_the_last_mark_of_a_round() -> None:
    player = RecordingTicTacToePlayer()
    player.notify("game_start", STARTED.replace('"O"', '"X"'))
    player.moves(9)
    assert len(player.packets) == player.counters.moves == 5


def test_one_of_two_players_asks_for_the_next_round_and_match() -> None:
    for opens, packets in ((True, [b'42["reset_game"]', b'42["start_new_match"]']), (False, [])):
        player = RecordingTicTacToePlayer(opens=opens)
        player.notify("game_start", STARTED)
        player.notify("round_end", ENDED % "false")
        player.notify("game_reset", '{"turn":"X","round_count":1,"match_finished":false}')
        player.notify("round_end", ENDED % "true")
        assert player.packets == packets


def test_a_new_match_may_change_the_symbol() -> None:
    player = RecordingTicTacToePlayer()
    player.notify("game_start", STARTED)
    player.notify("round_end", ENDED % "true")
    player.notify(
        "new_match_started",
        '{"turn":"X","left_player":{"sid":"me","username":"a","symbol":"X"},'
        '"right_player":{"sid":"you","username":"b","symbol":"O"},"current_first_player":"left"}',
    )
    assert player.packets == [b'42["make_move",{"row":0,"col":0}]']


def test_refusals_are_counted() -> None:
    player = RecordingTicTacToePlayer(offset=',"Ouxm3wT"')
    player.notify("move_rejected", '{"reason":"occupied"}')
    player.receive(b'42["opponent_left"]')
    player.receive('42["chat message","[系統提示] 請等候其他玩家加入！"]'.encode())
    assert [packet.split('"')[1] for packet in player.counters.refusals] == ["move_rejected", "opponent_left"]


class RecordingGomokuPlayer(GomokuPlayer):
    """A gomoku player that records its packets instead of sending them."""

    def __init__(self, offset: str = "") -> None:
        super().__init__(0, LoadCounters())
        self.packets: list[bytes] = []
        self.started = True
        self._offset = offset

    def emit(self, packet: bytes) -> None:
        self.packets.append(packet)

    def notify(self, event: str, payload: str) -> None:
        self.receive(f'42["{event}",{payload}{self._offset}]'.encode())

    def updated(self, turn: int, status: str = "playing") -> None:
        view = f'"id":"7097","currentTurn":{turn},"status":"{status}","myRole":"black"'
        self.notify("room-updated", f'{{{view},"room":{{{view}}}}}' if self._offset else f"{{{view}}}")


@pytest.mark.parametrize("offset", ["", ',"Ouxm3wT"'])
def test_a_player_places_a_stone_on_the_next_cell_on_its_turn(offset: str) -> None:
    player = RecordingGomokuPlayer(offset)
    player.notify("room-joined", '{"room":{"id":"7097"},"role":"white"}')
    player.updated(1)
    assert player.packets == []
    player.notify("stone-placed", '{"x":0,"y":0,"color":1}')
    player.updated(2)
    assert player.packets == [b'42["place-stone",{"roomId":"7097","x":1,"y":0}]']
    assert player.counters.moves == 0
    player.notify("stone-placed", '{"x":1,"y":0,"color":2}')
    assert player.counters.moves == 1


def test_a_long_game_is_surrendered_and_a_rematch_uses_the_new_colours() -> None:
    player = RecordingGomokuPlayer(',"Ouxm3wT"')
    player.notify("room-joined", '{"room":{"id":"7097"},"role":"black"}')
    player.stones = STONES
    player.updated(1)
    player.notify("game-over", '{"winner":2,"winningStones":null,"surrender":true}')
    player.updated(1, "ended")
    assert [packet.split(b'"')[1] for packet in player.packets] == [b"surrender", b"request-rematch"]
    player.notify("rematch-start", '{"swapped":true,"newRole":"white","message":""}')
    player.updated(1)
    assert (player.colour, player.stones, len(player.packets)) == (2, 0, 2)


def test_the_stones_of_a_game_have_no_five_in_a_row() -> None:
    cells = {(number % 15, 2 * (number // 15)): number % 2 for number in range(STONES)}
    for (x, y), colour in cells.items():
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            assert {cells.get((x + step * dx, y + step * dy)) for step in range(5)} != {colour}
