"""Group commit: nothing is spoken before it is written, and all of a turn is written at once."""

import asyncio
import threading
from collections.abc import Sequence

from qipai.hall.journal.group_commit import MAX_BATCH, GroupCommit, StoreWriter
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.memory_store import MemoryStore


class Watched(MemoryStore):
    """Remembers its batches; a slow one can be held back."""

    def __init__(self, *, slow: bool = False) -> None:
        super().__init__()
        self.slow = slow
        self.batches: list[int] = []
        self.go = threading.Event()
        self.fail = False

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        if self.slow:
            assert self.go.wait(60)
        if self.fail:
            raise StoreError("full")
        super().append(entries, snapshots)
        self.batches.append(len(entries))


def entry(room: str, version: int) -> Entry:
    return Entry(RoomId(room), version, Millis(version), b"{}")


def test_records_of_one_turn_are_one_group_and_speak_in_order() -> None:
    async def play() -> None:
        store, called = Watched(), list[str]()
        journal = GroupCommit(StoreWriter(store))
        for room in "abc":
            journal.stage(entry(room, 1), None, lambda _, room=room: called.append(room))  # type: ignore[misc] # bound early
        journal.after(lambda _: called.append("after"))
        assert called == []
        await asyncio.sleep(0)
        assert store.batches == [3]
        assert called == ["a", "b", "c", "after"]
        journal.after(lambda _: called.append("at once"))
        assert called[-1] == "at once"
        await journal.close()

    asyncio.run(play())


def test_an_effect_can_wait_for_the_remaining_effects_of_its_batch() -> None:
    async def play() -> None:
        called = list[str]()
        journal = GroupCommit(StoreWriter(Watched()))

        def first(_: StoreError | None) -> None:
            called.append("first")
            journal.after_batch(lambda _: called.append("waited"))

        journal.stage(entry("a", 1), None, first)
        journal.stage(entry("a", 2), None, lambda _: called.append("second"))
        await asyncio.sleep(0)
        assert called == ["first", "second"]
        await asyncio.sleep(0)
        assert called == ["first", "second", "waited"]
        await journal.close()

    asyncio.run(play())


def test_a_slow_store_gathers_the_next_group_meanwhile() -> None:
    async def play() -> None:
        store, called = Watched(slow=True), list[int]()
        journal = GroupCommit(StoreWriter(store))
        journal.stage(entry("a", 1), None, lambda _: called.append(1))
        await asyncio.sleep(0)
        for version in (2, 3):
            journal.stage(entry("a", version), None, lambda _, v=version: called.append(v))  # type: ignore[misc] # bound early
        await asyncio.sleep(0.02)
        assert called == []
        store.go.set()
        await journal.flush()
        assert store.batches == [1, 2]
        assert called == [1, 2, 3]
        await journal.close()

    asyncio.run(play())


def test_when_a_group_is_lost_so_is_what_was_built_on_it() -> None:
    async def play() -> None:
        store, called = Watched(slow=True), list[str]()
        journal = GroupCommit(StoreWriter(store))
        journal.stage(entry("a", 1), None, lambda failure: called.append(str(failure)))
        await asyncio.sleep(0)
        journal.stage(entry("a", 2), None, lambda failure: called.append(str(failure)))
        store.fail = True
        store.go.set()
        await journal.flush()
        assert called == ["full", "full"]
        assert list(store.history(RoomId("a"))) == []
        await journal.close()

    asyncio.run(play())


def test_one_effect_that_breaks_does_not_silence_the_others() -> None:
    async def play() -> None:
        called, errors = list[str](), list[str]()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: errors.append(str(context["exception"])))
        journal = GroupCommit(StoreWriter(Watched()))

        def broken(_: StoreError | None) -> None:
            raise ValueError("stuck")

        journal.stage(entry("a", 1), None, broken)
        journal.stage(entry("b", 1), None, lambda _: called.append("b"))
        for _ in range(3):
            await asyncio.sleep(0)
        assert called == ["b"]
        assert errors == ["stuck"]
        await journal.close()

    asyncio.run(play())


def test_a_group_without_records_is_not_written() -> None:
    async def play() -> None:
        store, called = Watched(slow=True), list[str]()
        store.go.set()
        journal = GroupCommit(StoreWriter(store))
        journal.stage(entry("a", 1), None, lambda _: journal.after(lambda _: called.append("later")))
        await journal.flush()
        assert called == ["later"]
        assert store.batches == [1]
        await journal.close()

    asyncio.run(play())


def test_a_journal_that_was_full_takes_commands_again_after_a_loss() -> None:
    async def play() -> None:
        store = Watched(slow=True)
        journal = GroupCommit(StoreWriter(store))
        journal.stage(entry("a", 1), None, lambda _: None)
        await asyncio.sleep(0)
        for version in range(2, MAX_BATCH + 3):
            journal.stage(entry("a", version), None, lambda _: None)
        assert journal.full
        store.fail = True
        store.go.set()
        await journal.flush()
        assert not journal.full
        await journal.close()

    asyncio.run(play())
