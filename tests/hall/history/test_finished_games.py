"""Replays and records of finished games: complete, and not before spectators see the end."""

import asyncio
import gzip
import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai.games.chess.wire_types import Move
from qipai.games.game_registry import GAMES
from qipai.games.gomoku.wire_types import Place
from qipai.hall.history import finished_games as module
from qipai.hall.history.archived_match import pack
from qipai.hall.history.finished_games import FinishedGames, TooManyFromAddress, TooManyRequests
from qipai.hall.history.game_files import FoundFile
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.history.position_patches import apply_patch
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Snapshot
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Close, MakeOffer, OutageEnded, Resign, Say, TableRules
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase
from qipai.kernel.room_view import view
from qipai.protocol.replay_json import Replay
from qipai.stores.archives.sqlite_archive import SqliteArchive
from qipai.stores.memory_store import MemoryStore
from tests.support.journal_writer import NOON, JournalWriter, snapshot_of

ROOM = RoomId("k3v9")
A, B = Seat(0), Seat(1)
LATER = Millis(NOON + 86_400_000)


def finished_games(ledger: JournalWriter, now: int = LATER) -> FinishedGames:
    store = MemoryStore()
    body = snapshot_of(ledger.room)
    live = ledger.room.phase is not Phase.CLOSED
    store.append(ledger.entries, [Snapshot(ROOM, ledger.room.version, live, body)])
    return FinishedGames(GAMES, store, lambda: Millis(now))


def replay(games: FinishedGames, match: int = 1, seat: str = "", room: str = ROOM) -> Any:
    async def fetch() -> FoundFile | None:
        return await games.replay(RoomId(room), match, seat)

    found = asyncio.run(fetch())
    if found is None:
        return None
    body = gzip.decompress(found.body)
    assert msgspec.json.decode(body, type=Replay).room == ROOM, "the JSON is a Replay"
    return json.loads(body)


def record(games: FinishedGames, match: int = 1) -> tuple[str, str]:
    async def fetch() -> FoundFile | None:
        return await games.record(ROOM, match)

    found = asyncio.run(fetch())
    assert found is not None
    return found.name, gzip.decompress(found.body).decode()


def rematch(ledger: JournalWriter) -> None:
    ledger.do(A, MakeOffer(OfferKind.REMATCH))
    ledger.do(B, MakeOffer(OfferKind.REMATCH))


def checkmate() -> JournalWriter:
    ledger = JournalWriter("chess", table=TableRules(title="Club night"))
    ledger.take_seats("Ann", "Bob")
    ledger.play(*map(Move, ("f2f3", "e7e5")))
    ledger.do(A, Say("this goes wrong"))
    ledger.play(*map(Move, ("g2g4", "d8h4")))
    return ledger


def test_a_replay_has_every_step_from_the_start_to_the_end() -> None:
    ledger = checkmate()
    found = replay(finished_games(ledger))
    assert (found["game"], found["room"], found["match"], found["seat"]) == ("chess", ROOM, 1, "watch")
    assert (found["names"], found["bots"]) == (["Ann", "Bob"], ["", ""])
    assert found["table"] == {"title": "Club night"}
    assert found["result"] == {"winners": [1], "reason": "mate"}
    assert found["seats"] == ["watch"], "nothing is hidden in this game"
    frames = found["frames"]
    assert [frame["actor"] for frame in frames] == [None, 0, 1, 0, 1]
    assert frames[0]["events"][-1]["e"] == "game_started"
    assert frames[-1]["events"][-1]["e"] == "game_over"
    assert [frame["to_act"] for frame in frames] == [[0], [1], [0], [1], []]
    assert found["began"] == frames[0]["at"]
    expected = view(ledger.game.rules, ledger.room, SPECTATOR, LATER).position
    assert frames[-1]["position"] == json.loads(encode(expected))


def test_chat_is_not_in_a_replay() -> None:
    assert "this goes wrong" not in json.dumps(replay(finished_games(checkmate())))


def test_a_replay_reveals_the_seed_of_its_own_match_only() -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.play(Place(7, 7))
    ledger.do(A, Resign())
    first = ledger.room.seed
    rematch(ledger)
    assert ledger.room.seed != first
    games = finished_games(ledger)
    text = json.dumps(replay(games))
    assert first.hex() in text
    assert ledger.room.seed.hex() not in text
    assert replay(games, 2) is None, "this match is not over"
    assert [replay(games, number) for number in (0, 3, 99)] == [None] * 3


def test_an_unknown_room_has_no_games() -> None:
    assert replay(finished_games(checkmate()), room="k3v8") is None
    assert replay(finished_games(checkmate()), room="K3V9") is None, "a room code does not find its games"


def test_an_archived_room_is_found_in_the_archive(tmp_path: Path) -> None:
    ledger, archive = checkmate(), SqliteArchive(tmp_path / "archive.db")
    archive.store(ROOM, ledger.entries, [pack(match) for match in archive_matches(GAMES, ledger.entries)])
    live, archived = finished_games(ledger), FinishedGames(GAMES, MemoryStore(), lambda: LATER, archive)
    assert replay(archived) == replay(live) is not None
    assert record(archived) == record(live)
    assert [replay(archived, number) for number in (0, 2, 2**31, 2**70)] == [None] * 4
    assert replay(archived, seat="0") is None, "nothing is hidden in this game"
    assert replay(archived, room="k3v8") is None
    archive.close()


def test_a_replay_has_the_player_entropy_of_the_first_match_only() -> None:
    ledger = JournalWriter("tictactoe")
    ledger.take_seats("Ann", "Bob", player_entropy=b"\x5e\xed")
    ledger.do(A, Resign())
    rematch(ledger)
    ledger.do(A, Resign())
    games = finished_games(ledger)
    assert replay(games, 1)["player_entropy"] == ["5eed", "5eed"]
    assert replay(games, 2)["player_entropy"] == ["", ""]


def fog() -> JournalWriter:
    ledger = JournalWriter("chess", {"fog": True}, TableRules(clock=ClockPlan((600_000,))))
    ledger.take_seats("Ann", "Bob")
    ledger.play(*map(Move, ("e2e4", "d7d5", "e4d5")))
    return ledger


def test_a_game_with_hidden_information_has_a_replay_for_each_viewpoint() -> None:
    ledger = fog()
    rooms = [ledger.room]
    ledger.do(A, Resign())
    rooms.append(ledger.room)
    games = finished_games(ledger)
    complete = replay(games)
    assert (complete["seat"], complete["seats"]) == ("all", ["all", "watch", "0", "1"])
    assert complete["frames"][1]["position"]["fen"]
    for seat, viewer in (("0", A), ("1", B), ("watch", SPECTATOR)):
        frames = replay(games, 1, seat)["frames"]
        assert len(frames) == 5
        for frame, room in zip(frames[-2:], rooms, strict=True):
            expected = view(ledger.game.rules, room, viewer, LATER).position
            assert frame["position"] == json.loads(encode(expected))
        assert not frames[-2]["position"].get("fen"), "hidden before the end"
    assert replay(games, 1, "0")["frames"] != replay(games, 1, "1")["frames"]


def test_the_compact_form_of_a_replay_has_the_same_frames() -> None:
    ledger = fog()
    ledger.do(SYSTEM, OutageEnded(Millis(ledger.room.at), Millis(5_000)))
    ledger.do(A, Resign())
    games = finished_games(ledger)

    async def fetch(seat: str) -> FoundFile | None:
        return await games.replay(ROOM, 1, seat, compact=True)

    for seat in ("", "watch", "0"):
        complete, found = replay(games, seat=seat), asyncio.run(fetch(seat))
        assert found is not None
        compact = json.loads(gzip.decompress(found.body))
        columns, frames = compact.pop("frames"), complete.pop("frames")
        assert compact == complete
        assert any(frame["clock"]["at"] != frame["at"] for frame in frames), "a head start"
        assert [*accumulate(columns["version"])] == [frame["version"] for frame in frames]
        assert [*accumulate(columns["at"])] == [frame["at"] for frame in frames]
        for name in ("actor", "events", "to_act"):
            assert columns[name] == [frame[name] for frame in frames]
        position = None
        for patch, clock, frame in zip(columns["patch"], columns["clock"], frames, strict=True):
            position = position if patch is None else apply_patch(position, patch)
            assert position == frame["position"]
            clock["at"] += frame["at"]
            clock["since"] = [None if began is None else began + frame["at"] for began in clock["since"]]
            assert clock == frame["clock"]
    assert asyncio.run(fetch("7")) is None


def test_a_record_is_not_a_replay_from_a_viewpoint_of_that_name() -> None:
    games = finished_games(checkmate())
    record(games)
    assert replay(games, seat="record") is None


@pytest.mark.parametrize("seat", ["2", "-1", "nobody", "٣", "all "])
def test_an_unknown_viewpoint_has_no_replay(seat: str) -> None:
    ledger = fog()
    ledger.do(A, Resign())
    assert replay(finished_games(ledger), 1, seat) is None


def test_a_running_game_has_no_replay_for_any_viewpoint() -> None:
    games = finished_games(fog())
    assert [replay(games, 1, seat) for seat in ("", "all", "watch", "0", "1")] == [None] * 5


def test_mahjong_hands_are_visible_only_with_all_hands_visible() -> None:
    ledger = JournalWriter("mahjong")
    ledger.take_seats("Ann", "Bob", "Cyd", "Dan")
    ledger.play_on(60)
    assert ledger.room.phase is Phase.PLAYING
    ledger.do(SYSTEM, Close())
    games = finished_games(ledger)
    middle = [replay(games, 1, seat)["frames"][40]["position"] for seat in ("", "0", "watch")]
    visible = [[bool(player.get("tiles")) for player in position["players"]] for position in middle]
    assert visible == [[True] * 4, [False] * 4, [False] * 4]
    assert [position.get("private") is not None for position in middle] == [False, True, False]
    assert [bool(position.get("wall")) for position in middle] == [True, False, False]


def test_with_a_spectator_delay_the_replay_is_delayed_too() -> None:
    ledger = JournalWriter("gomoku", table=TableRules(spectator_delay=60))
    ledger.take_seats("Ann", "Bob")
    ledger.play(Place(7, 7))
    ledger.do(A, Resign())
    end = ledger.room.at
    assert replay(finished_games(ledger, end)) is None
    assert replay(finished_games(ledger, end + 59_999)) is None
    assert replay(finished_games(ledger, end + 60_000)) is not None
    ledger.do(SYSTEM, Close())
    assert replay(finished_games(ledger, end + 59_999)) is None, "closing the room reveals nothing"
    assert replay(finished_games(ledger, end + 60_000)) is not None


def test_a_record_has_the_notation_and_the_file_name_of_its_game() -> None:
    name, text = record(finished_games(checkmate()))
    assert name == "chess-k3v9-1.pgn"
    assert text.endswith("1. f3 e5 2. g4 Qh4# 0-1\n")
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.play(Place(7, 7))
    ledger.do(A, Resign())
    name, text = record(finished_games(ledger))
    assert (name, text[:2]) == ("gomoku-k3v9-1.sgf", "(;")
    ledger = JournalWriter("tictactoe")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    name, text = record(finished_games(ledger))
    assert name == "tictactoe-k3v9-1.json"
    assert json.loads(text)["reason"] == "resigned"


def test_a_second_request_is_served_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    games = finished_games(checkmate())
    assert replay(games) is not None
    monkeypatch.setattr(games, "_store", None)
    assert replay(games) is not None


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CACHE_BYTES", 1_000)
    ledger = fog()
    ledger.do(A, Resign())
    games = finished_games(ledger)
    for seat in ("all", "watch", "0", "1"):
        replay(games, 1, seat)
    assert sum(len(found.body) for found in games._cache.values()) <= 1_000


def test_a_room_with_too_many_records_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECORDS", 5)
    assert replay(finished_games(checkmate())) is None


def test_a_replay_that_is_too_long_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.hall.history.replay_builder.MOST_BYTES", 100)
    games = finished_games(checkmate())
    assert replay(games) is None

    async def fetch() -> FoundFile | None:
        return await games.replay(ROOM, 1, "", compact=True)

    assert asyncio.run(fetch()) is None


def requests_at_once(games: FinishedGames, *addresses: str, room: str = "other") -> list[object]:
    """Ask for a different game from each address at the same time; return the results."""

    async def request_all() -> list[object]:
        requests = [
            games.replay(RoomId(f"{room}{number}"), 1, "", address=address)
            for number, address in enumerate(addresses)
        ]
        return list(await asyncio.gather(*requests, return_exceptions=True))

    return asyncio.run(request_all())


def test_too_many_requests_at_once_are_refused() -> None:
    addresses = [f"192.0.2.{number}" for number in range(module.MOST_REQUESTS + 1)]
    results = requests_at_once(finished_games(checkmate()), *addresses)
    assert [type(result) for result in results] == [type(None)] * module.MOST_REQUESTS + [TooManyRequests]


def test_one_address_has_only_some_of_the_places() -> None:
    flood = ["192.0.2.7"] * 20
    results = requests_at_once(finished_games(checkmate()), *flood, "192.0.2.8", "192.0.2.9")
    refused = [type(result) is TooManyFromAddress for result in results]
    assert refused == [False] * module.MOST_OF_ADDRESS + [True] * (20 - module.MOST_OF_ADDRESS) + [False] * 2


def test_places_are_free_again_after_the_answers() -> None:
    games = finished_games(checkmate())
    for _ in range(3):
        results = requests_at_once(games, *["192.0.2.7"] * module.MOST_OF_ADDRESS)
        assert results == [None] * module.MOST_OF_ADDRESS


def test_all_who_ask_for_the_same_game_at_once_share_one_place() -> None:
    async def request_all(games: FinishedGames) -> list[FoundFile | None]:
        requests = [games.replay(ROOM, 1, "", address="192.0.2.7") for _ in range(40)]
        return await asyncio.gather(*requests)

    results = asyncio.run(request_all(finished_games(checkmate())))
    assert len(results) == 40
    assert results[0] is not None
    assert all(result is results[0] for result in results)


def test_a_match_that_is_not_over_is_not_searched_in_the_whole_history(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    rematch(ledger)
    ledger.play_on(30)
    store = MemoryStore()
    body = snapshot_of(JournalWriter("gomoku").room)
    store.append(ledger.entries, [Snapshot(ROOM, 1, True, body)])
    games = FinishedGames(GAMES, store, lambda: LATER)
    assert replay(games) is not None, "the snapshot may be older than the end of the match"

    def history(_room: RoomId) -> None:
        pytest.fail("read the whole history")

    monkeypatch.setattr(store, "history", history)
    assert [replay(games, number) for number in (2, 3, 99)] == [None] * 3
    assert replay(games, 1, room="unknown") is None
