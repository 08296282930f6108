"""Finished games, seen again: everything of them, nothing of any other, and never too early."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai.games.chess.wire_types import Move
from qipai.games.game_registry import GAMES
from qipai.games.gomoku.rules import Place
from qipai.hall.history import finished_games as module
from qipai.hall.history.finished_games import FinishedGames, FoundFile, TooManyRequests
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Snapshot
from qipai.kernel.commands import Close, MakeOffer, Resign, Say, TableRules
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase
from qipai.kernel.room_view import view
from qipai.protocol.replay_json import Replay
from qipai.stores.archives.sqlite_archive import SqliteArchive
from qipai.stores.memory_store import MemoryStore
from tests.support.ledger import NOON, Ledger

ROOM = RoomId("k3v9")
A, B = Seat(0), Seat(1)
LATER = Millis(NOON + 86_400_000)


def shelf(ledger: Ledger, now: int = LATER) -> FinishedGames:
    store = MemoryStore()
    store.append(ledger.entries, [Snapshot(ROOM, ledger.room.version, live=True, body=encode(ledger.room))])
    return FinishedGames(GAMES, store, lambda: Millis(now))


def asked(library: FinishedGames, match: int = 1, seat: str = "", room: str = ROOM) -> Any:
    async def ask() -> FoundFile | None:
        return await library.replay(RoomId(room), match, seat)

    found = asyncio.run(ask())
    if found is None:
        return None
    body = gzip.decompress(found.body)
    assert msgspec.json.decode(body, type=Replay).room == ROOM, "it is what the documents say"
    return json.loads(body)


def record(library: FinishedGames, match: int = 1) -> tuple[str, str]:
    async def ask() -> FoundFile | None:
        return await library.record(ROOM, match)

    found = asyncio.run(ask())
    assert found is not None
    return found.name, gzip.decompress(found.body).decode()


def rematch(ledger: Ledger) -> None:
    ledger.do(A, MakeOffer(OfferKind.REMATCH))
    ledger.do(B, MakeOffer(OfferKind.REMATCH))


def mate() -> Ledger:
    ledger = Ledger("chess", table=TableRules(title="Club night"))
    ledger.seat("Ann", "Bob")
    ledger.play(*map(Move, ("f2f3", "e7e5")))
    ledger.do(A, Say("this goes wrong"))
    ledger.play(*map(Move, ("g2g4", "d8h4")))
    return ledger


def test_a_game_is_told_from_its_deal_to_its_end() -> None:
    ledger = mate()
    told = asked(shelf(ledger))
    assert (told["game"], told["room"], told["match"], told["seat"]) == ("chess", ROOM, 1, "watch")
    assert (told["names"], told["bots"]) == (["Ann", "Bob"], ["", ""])
    assert told["table"] == {"title": "Club night"}
    assert told["result"] == {"winners": [1], "reason": "mate"}
    assert told["seats"] == ["watch"], "there is nothing to see differently"
    frames = told["frames"]
    assert [frame["actor"] for frame in frames] == [None, 0, 1, 0, 1]
    assert frames[0]["events"][-1]["e"] == "game_started"
    assert frames[-1]["events"][-1]["e"] == "game_over"
    assert [frame["to_act"] for frame in frames] == [[0], [1], [0], [1], []]
    assert told["began"] == frames[0]["at"]
    seen = view(ledger.game.rules, ledger.room, SPECTATOR, LATER).position
    assert frames[-1]["position"] == json.loads(encode(seen))


def test_talk_is_not_told_again() -> None:
    assert "this goes wrong" not in json.dumps(asked(shelf(mate())))


def test_the_seed_is_that_of_the_match_that_is_over() -> None:
    ledger = Ledger("gomoku")
    ledger.seat("Ann", "Bob")
    ledger.play(Place(7, 7))
    ledger.do(A, Resign())
    first = ledger.room.seed
    rematch(ledger)
    assert ledger.room.seed != first
    library = shelf(ledger)
    told = json.dumps(asked(library))
    assert first.hex() in told
    assert ledger.room.seed.hex() not in told
    assert asked(library, 2) is None, "it runs"
    assert [asked(library, number) for number in (0, 3, 99)] == [None] * 3


def test_a_room_that_was_never_opened_has_no_games() -> None:
    assert asked(shelf(mate()), room="k3v8") is None
    assert asked(shelf(mate()), room="K3V9") is None, "a table's number is no key to its games"


def test_a_room_that_was_shelved_is_found_in_the_archive(tmp_path: Path) -> None:
    ledger, archive = mate(), SqliteArchive(tmp_path / "archive.db")
    archive.keep(ROOM, ledger.entries, [])
    assert asked(FinishedGames(GAMES, MemoryStore(), lambda: LATER, archive)) == asked(shelf(ledger))
    archive.close()


def test_what_players_added_is_told_for_the_game_that_it_counted_in() -> None:
    ledger = Ledger("tictactoe")
    ledger.seat("Ann", "Bob", luck=b"\x5e\xed")
    ledger.do(A, Resign())
    rematch(ledger)
    ledger.do(A, Resign())
    library = shelf(ledger)
    assert asked(library, 1)["player_entropy"] == ["5eed", "5eed"]
    assert asked(library, 2)["player_entropy"] == ["", ""]


def fog() -> Ledger:
    ledger = Ledger("chess", {"fog": True})
    ledger.seat("Ann", "Bob")
    ledger.play(*map(Move, ("e2e4", "d7d5", "e4d5")))
    return ledger


def test_a_game_with_secrets_is_shown_whole_or_as_one_of_them_saw_it() -> None:
    ledger = fog()
    rooms = [ledger.room]
    ledger.do(A, Resign())
    rooms.append(ledger.room)
    library = shelf(ledger)
    whole = asked(library)
    assert (whole["seat"], whole["seats"]) == ("all", ["all", "watch", "0", "1"])
    assert whole["frames"][1]["position"]["fen"]
    for seat, viewer in (("0", A), ("1", B), ("watch", SPECTATOR)):
        frames = asked(library, 1, seat)["frames"]
        assert len(frames) == 5
        for frame, room in zip(frames[-2:], rooms, strict=True):
            seen = view(ledger.game.rules, room, viewer, LATER).position
            assert frame["position"] == json.loads(encode(seen))
        assert not frames[-2]["position"].get("fen"), "it was dark then"
    assert asked(library, 1, "0")["frames"] != asked(library, 1, "1")["frames"]


@pytest.mark.parametrize("seat", ["2", "-1", "nobody", "٣", "all "])
def test_nobody_sees_through_eyes_that_there_are_not(seat: str) -> None:
    ledger = fog()
    ledger.do(A, Resign())
    assert asked(shelf(ledger), 1, seat) is None


def test_a_running_game_with_secrets_is_not_told_to_anybody() -> None:
    library = shelf(fog())
    assert [asked(library, 1, seat) for seat in ("", "all", "watch", "0", "1")] == [None] * 5


def test_every_hand_of_mahjong_is_open_to_all_eyes_and_nobody_elses() -> None:
    ledger = Ledger("mahjong")
    ledger.seat("Ann", "Bob", "Cyd", "Dan")
    ledger.play_on(60)
    assert ledger.room.phase is Phase.PLAYING
    ledger.do(SYSTEM, Close())
    library = shelf(ledger)
    middle = [asked(library, 1, seat)["frames"][40]["position"] for seat in ("", "0", "watch")]
    shown = [[bool(player.get("tiles")) for player in position["players"]] for position in middle]
    assert shown == [[True] * 4, [False] * 4, [False] * 4]
    assert [position.get("private") is not None for position in middle] == [False, True, False]
    assert [bool(position.get("wall")) for position in middle] == [True, False, False]


def test_where_watchers_see_later_so_does_whoever_asks() -> None:
    ledger = Ledger("gomoku", table=TableRules(spectator_delay=60))
    ledger.seat("Ann", "Bob")
    ledger.play(Place(7, 7))
    ledger.do(A, Resign())
    end = ledger.room.at
    assert asked(shelf(ledger, end)) is None
    assert asked(shelf(ledger, end + 59_999)) is None
    assert asked(shelf(ledger, end + 60_000)) is not None
    ledger.do(SYSTEM, Close())
    assert asked(shelf(ledger, end)) is not None, "nothing can be given away any more"


def test_a_record_is_the_one_of_the_command_line() -> None:
    name, text = record(shelf(mate()))
    assert name == "chess-k3v9-1.pgn"
    assert text.endswith("1. f3 e5 2. g4 Qh4# 0-1\n")
    ledger = Ledger("gomoku")
    ledger.seat("Ann", "Bob")
    ledger.play(Place(7, 7))
    ledger.do(A, Resign())
    name, text = record(shelf(ledger))
    assert (name, text[:2]) == ("gomoku-k3v9-1.sgf", "(;")
    ledger = Ledger("tictactoe")
    ledger.seat("Ann", "Bob")
    ledger.do(A, Resign())
    name, text = record(shelf(ledger))
    assert name == "tictactoe-k3v9-1.json"
    assert json.loads(text)["reason"] == "resigned"


def test_a_game_is_read_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    library = shelf(mate())
    assert asked(library) is not None
    monkeypatch.setattr(library, "_store", None)
    assert asked(library) is not None


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 1_000)
    ledger = fog()
    ledger.do(A, Resign())
    library = shelf(ledger)
    for seat in ("all", "watch", "0", "1"):
        asked(library, 1, seat)
    assert sum(len(found.body) for found in library._kept.values()) <= 1_000


def test_a_table_with_too_long_a_history_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 5)
    assert asked(shelf(mate())) is None


def test_a_game_that_nobody_could_look_at_is_not_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.hall.history.replay_builder.LONGEST", 100)
    assert asked(shelf(mate())) is None


def test_too_many_at_once_are_turned_away() -> None:
    async def crowd(library: FinishedGames) -> list[object]:
        asks = [library.replay(ROOM, 1, "") for _ in range(module.WAITING + 1)]
        return list(await asyncio.gather(*asks, return_exceptions=True))

    answers = asyncio.run(crowd(shelf(mate())))
    assert [type(answer) for answer in answers].count(TooManyRequests) == 1
