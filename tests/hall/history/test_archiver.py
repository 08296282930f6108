"""Closed rooms go to the archive, once and for good."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive, FinishedGame, GameFilter
from qipai.hall.history.archiver import AFTER_TROUBLE, FEW, PAUSE, Archiver
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.stage import Peer, Stage


class Shut:
    """An archive that is out of reach until it is opened."""

    def __init__(self, inner: Archive) -> None:
        self.inner = inner
        self.shut = True
        self.tries = 0

    def check(self) -> None:
        self.inner.check()

    def keep(self, room: RoomId, history: Sequence[Entry], games: Sequence[FinishedGame]) -> None:
        self.tries += 1
        if self.shut:
            raise StoreError("out of reach")
        self.inner.keep(room, history, games)

    def history(self, room: RoomId) -> Sequence[Entry]:
        return self.inner.history(room)

    def rooms(self) -> Iterator[RoomId]:
        return self.inner.rooms()

    def search(self, wish: GameFilter) -> Sequence[FinishedGame]:
        return self.inner.search(wish)

    def close(self) -> None:
        self.inner.close()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    made = open_archive(tmp_path, "")
    yield made
    made.close()


def librarian(stage: Stage, store: MemoryStore, archive: Archive) -> Archiver:
    return Archiver(GAMES, store, archive, stage.hall.alarms, stage.hall.internal_errors, stage.hall.now)


def guest(stage: Stage, name: str) -> Peer:
    peer = Peer(stage)
    peer.hello(name=name)
    return peer


def play(stage: Stage, table: dict[str, object], *, to_the_end: bool) -> str:
    """Two people sit down, play or do not, and leave; return the room."""
    ada, bo = guest(stage, "Ada"), guest(stage, "Bo")
    (room,) = ada.ask("open", game="tictactoe", nonce="o", table=table)
    name = str(room["room"]["id"])
    if to_the_end:
        bo.ask("join", room=name)
        for peer, cell in ((ada, 0), (bo, 3), (ada, 1), (bo, 4), (ada, 2)):
            peer.ask("play", room=name, move={"do": "mark", "cell": cell}, nonce=f"m{cell}")
        bo.ask("resign", room=name, nonce="r")
    for peer in (ada, bo):
        peer.ask("leave", room=name)
    stage.settle()
    return name


def test_a_game_that_was_played_is_found_and_the_store_forgets_it(archive: Archive) -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        name = RoomId(play(stage, {"title": "club night"}, to_the_end=True))
        history = store.history(name)
        assert list(store.closed(9)) == [name]
        assert librarian(stage, store, archive).shelve() == 1
    (game,) = archive.search(GameFilter(player="ada"))
    assert (game.room, game.match, game.game, game.title) == (name, 1, "tictactoe", "club night")
    assert (game.names, game.bots, game.public) == (("Ada", "Bo"), ("", ""), True)
    assert game.began <= game.ended
    assert game.moves == sum(b'"do":"play"' in entry.body for entry in history) >= 4
    assert game.winners == (0,)
    assert list(archive.history(name)) == list(history)
    assert list(store.closed(9)) == []
    assert list(store.history(name)) == []


def test_a_table_where_nothing_was_played_leaves_nothing(archive: Archive) -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        name = RoomId(play(stage, {}, to_the_end=False))
        assert librarian(stage, store, archive).shelve() == 1
    assert list(store.closed(9)) == []
    assert list(archive.history(name)) == []
    assert list(archive.search(GameFilter())) == []


def test_an_unlisted_table_stays_unlisted(archive: Archive) -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        name = RoomId(play(stage, {"public": False}, to_the_end=True))
        librarian(stage, store, archive).shelve()
    assert list(archive.search(GameFilter())) == []
    assert len(archive.history(name)) > 0


def test_what_an_archive_out_of_reach_did_not_take_is_brought_again(archive: Archive) -> None:
    store, shut = MemoryStore(), Shut(archive)
    with Stage(store) as stage:
        name = RoomId(play(stage, {}, to_the_end=True))
        works = librarian(stage, store, shut)
        with pytest.raises(StoreError):
            works.shelve()
        assert list(store.closed(9)) == [name]
        assert works.waiting == 1
        assert not works.up
        shut.shut = False
        works.shelve()
        assert works.waiting == 0
        assert works.up
    assert [game.room for game in archive.search(GameFilter())] == [name]


def test_one_room_that_cannot_be_moved_does_not_hold_up_the_others(archive: Archive) -> None:
    class Torn(MemoryStore):
        def history(self, room: RoomId) -> Sequence[Entry]:
            if room == "r0":
                raise StoreError("torn")
            return super().history(room)

    store = Torn()
    for number in range(3):
        room = RoomId(f"r{number}")
        store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, False, b"{}")])
    with Stage(store) as stage, pytest.raises(StoreError, match="torn"):
        librarian(stage, store, archive).shelve()
    assert list(store.closed(9)) == ["r0"]
    assert sorted(archive.rooms()) == ["r1", "r2"]


def test_a_room_that_no_longer_follows_the_rules_is_kept_but_not_listed(archive: Archive) -> None:
    store = MemoryStore()
    room = RoomId("odd")
    store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, False, b"{}")])
    incidents = InternalErrors()
    with Stage(store) as stage:
        works = Archiver(GAMES, store, archive, stage.hall.alarms, incidents, stage.hall.now)
        works.shelve()
    assert incidents.count == 1
    assert list(archive.history(room)) == [Entry(room, 1, Millis(1), b"{}")]
    assert list(archive.search(GameFilter())) == []
    assert list(store.closed(9)) == []


def test_it_looks_again_at_once_where_many_wait_and_late_after_trouble(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, shut = MemoryStore(), Shut(archive)
    for number in range(FEW + 1):
        room = RoomId(f"r{number}")
        store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, False, b"{}")])
    with Stage(store) as stage:
        pauses: list[int] = []
        now = stage.hall.now()
        monkeypatch.setattr(stage.hall.alarms, "set", lambda _key, at, _ring: pauses.append(at - now))
        works = Archiver(GAMES, store, shut, stage.hall.alarms, InternalErrors(), lambda: now)

        def round_and_pause() -> int:
            works.start()
            works.wait()
            works.start()
            return pauses[-1]

        assert round_and_pause() == AFTER_TROUBLE
        shut.shut = False
        assert round_and_pause() < PAUSE
        assert len(store.closed(FEW)) == 1
        assert round_and_pause() == PAUSE
        assert len(store.closed(FEW)) == 0
