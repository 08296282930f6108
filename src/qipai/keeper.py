"""What an operator does beside the running server: replay, verify, backup, doctor."""

import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from qipai.games.registry import GAMES
from qipai.hall.ports import Entry, StoreError
from qipai.hall.recall import encode, first, read_record, restore
from qipai.hall.recall import replay as steps_of
from qipai.kernel.commands import Command, Open, Sit, Start
from qipai.kernel.dice import Dice, commitment, mix
from qipai.kernel.events import Dealt, Over
from qipai.kernel.names import SPECTATOR, SYSTEM, RoomId, Seat
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.rules import Terms, Told
from qipai.stores.registry import FILE
from qipai.stores.sqlite import Book, Locked, Sqlite, copy, open_book

from .settings import Settings
from .transports.http import PAGE


class Failure(Exception):
    """The command cannot be carried out; the text says why."""


def replay(settings: Settings, room: str) -> int:
    """Print every step of a table: version, time, who, what, and what was told."""
    _, entries = _history(settings, room)
    for entry, step in zip(entries, _steps(entries), strict=True):
        record = read_record(entry)
        at = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        who = "system" if step.actor == SYSTEM else "watcher" if step.actor < 0 else f"seat {step.actor}"
        print(f"{entry.version:5}  {at}  {who:8} {encode(record.command).decode()}")
        for told in step.told:
            to = "" if told.to is None else f" (to {', '.join(map(str, told.to))})"
            print(f"{'':43}→ {encode(told.event).decode()}{to}")
    return 0


def verify(settings: Settings, room: str) -> int:
    """Recompute every game of a table from its revealed seed; return 1 if anything disagrees."""
    book, entries = _history(settings, room)
    try:
        return _verify(book, entries, room)
    except Failure as error:
        # With another seed another deal: what was played then is not possible any more.
        print(f"recorded moves: DO NOT FOLLOW ({error})")
        return 1


class _Deal(NamedTuple):
    """A game as it was dealt: to whom what was told, the luck in it, what it followed, and its terms."""

    told: list[Told]
    luck: list[bytes]
    before: Any
    terms: Terms


def _verify(book: Book, entries: list[Entry], room: str) -> int:
    wrong: list[str] = []
    saved = book.load(RoomId(room))
    dealt: _Deal | None = None
    before: Any = None
    for entry, step in zip(entries, _steps(entries), strict=True):
        if saved is not None and saved.snapshot.version == step.room.version:
            same = GAMES[step.room.game].read_room(saved.snapshot.body) == step.room
            print("stored table: " + ("the same as replayed" if same else "DIFFERS from the replay"))
            wrong += [] if same else ["stored table"]
        if news := [told for told in step.told if isinstance(told.event, Dealt)]:
            # What players added counts for the first game, as they sat when it was dealt.
            sitting = step.room.chairs if step.room.match == 1 else ()
            luck = [chair.luck for chair in sitting if chair is not None]
            dealt = _Deal(news, luck, before, _terms(read_record(entry).command, step))
        before = step.room.state
        for told in step.told:
            if isinstance(told.event, Over) and dealt is not None:
                wrong += _verify_match(step.room, dealt, told.event)
                dealt = None
    if dealt is not None:
        print(f"match {step.room.match}: not over, its seed is still secret")
    return 1 if wrong else 0


def _terms(command: Open | Command, step: Advanced) -> Terms:
    """Return what a game was dealt under: whoever sits down or begins a game agrees to no rematch."""
    seers = tuple(
        Seat(seat) for seat, chair in enumerate(step.room.chairs) if chair is not None and chair.seer
    )
    given = command.given if isinstance(command, Start) else b""
    return Terms(not isinstance(command, Sit | Start), given, seers)


def _verify_match(room: AnyRoom, dealt: _Deal, over: Over) -> list[str]:
    """Deal again from the seed, and compare with what each viewer was told."""
    seed, rules = bytes.fromhex(over.seed), GAMES[room.game].rules
    dice = Dice(mix(seed, dealt.luck))
    state = rules.deal(room.options, dice, dealt.before, dealt.terms)
    honest = same = True
    for told in dealt.told:
        assert isinstance(told.event, Dealt)
        viewer = SPECTATOR if told.to is None else told.to[0]
        honest = honest and commitment(seed) == told.event.commitment
        same = same and encode(rules.view(state, viewer)) == encode(told.event.position)
    print(f"match {room.match}: commitment {commitment(seed)} (compare it with the one you were shown)")
    print(f"         seed       {over.seed}: {'matches' if honest else 'DOES NOT MATCH'}")
    draws = ", ".join(f"{value} of {bound}" for bound, value in dice.draws or ()) or "none"
    print(f"         deal       {draws}: {'as dealt' if same else 'NOT AS DEALT'}")
    return [] if honest and same else [f"match {room.match}"]


def backup(settings: Settings, target: Path) -> int:
    """Copy the journal; the server may go on meanwhile."""
    if target.exists():
        raise Failure(f"{target} exists already")
    try:
        copy(_file(settings), target)
    except StoreError as error:
        raise Failure(str(error)) from error
    print(f"{target}: {target.stat().st_size} bytes")
    return 0


def doctor(settings: Settings) -> int:
    """Say in one line each what is in order and what is not; return 1 if anything is not."""
    wrong = 0
    for good, line in _examine(settings):
        print(f"{'ok   ' if good else 'WRONG'} {line}")
        wrong += not good
    return 1 if wrong else 0


def _examine(settings: Settings) -> Iterator[tuple[bool, str]]:
    yield sys.version_info >= (3, 11), f"Python {platform.python_version()} (3.11 or later is needed)"
    yield sqlite3.sqlite_version_info >= (3, 24), f"SQLite {sqlite3.sqlite_version} (3.24 or later is needed)"
    built = (PAGE / "index.html").is_file()
    yield built, "web client is built" if built else "web client is not built: run `make web`"
    folder = Path(settings.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        yield True, f"data folder {folder.resolve()} can be written"
        free = shutil.disk_usage(folder).free // 2**20
        yield free >= 100, f"{free} MiB free in the data folder (100 or more are needed)"
        yield _examine_journal(folder / FILE)
    except (OSError, ValueError) as error:
        yield False, f"data folder {str(folder)!r}: {getattr(error, 'strerror', None) or error}"
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((settings.host, settings.port), family=family):
            yield True, f"port {settings.port} on {settings.host} is free"
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        yield False, f"port {settings.port} on {settings.host}: {why}"


def _examine_journal(file: Path) -> tuple[bool, str]:
    if not file.exists():
        return True, "no journal yet"
    try:
        Sqlite(file).close()
    except Locked:
        return True, f"{file} is in use by a running server"
    except StoreError as error:
        return False, str(error)
    try:
        book = open_book(file)
        living = book.living()
        for room in living:
            if (saved := book.load(room)) is not None:
                restore(GAMES, saved)
    except StoreError as error:
        return False, str(error)
    return True, f"{file} is readable, {len(living)} living tables"


def _file(settings: Settings) -> Path:
    file = Path(settings.data) / FILE
    if not file.is_file():
        raise Failure(f"no journal at {file}")
    return file


def _history(settings: Settings, room: str) -> tuple[Book, list[Entry]]:
    try:
        book = open_book(_file(settings))
        entries = book.chain(RoomId(room), 0)
    except StoreError as error:
        raise Failure(str(error)) from error
    if not entries:
        raise Failure(f"no room {room} in {_file(settings)}")
    return book, entries


def _steps(entries: list[Entry]) -> Iterator[Advanced]:
    try:
        game, room = first(GAMES, entries[0])
        yield Advanced(room, (), SYSTEM)
        yield from steps_of(game, room, entries[1:])
    except (StoreError, msgspec.MsgspecError) as error:
        raise Failure(str(error)) from error
