"""All chance of a table computed again from its revealed seeds: `qipai verify`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from qipai.games.game_registry import GAMES, Game
from qipai.hall.journal.room_rebuilding import encode, read_record
from qipai.hall.journal.room_rebuilding import replay as steps_of
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.commands import Command, OpenRoom, StartGame, TakeSeat
from qipai.kernel.game_interface.rules_interface import AddressedEvent, StartConditions
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random, commitment, game_key
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import GameOver, GameStarted
from qipai.settings import Settings

from .journal_reader import Failure, history, steps

INDENT = " " * 9


def verify(settings: Settings, room: str) -> int:
    """Recompute every game of a table from its revealed seed; return 1 if anything disagrees."""
    shot, entries = history(settings, room)
    try:
        return _verify(shot, entries)
    except Failure as error:
        # With another seed another deal: what was played then is not possible any more.
        print(f"recorded moves: DO NOT FOLLOW ({error})")
        return 1


class _Deal(NamedTuple):
    """A game as it was dealt: to whom what was told, the luck in it, what it followed, and its terms."""

    told: list[AddressedEvent]
    luck: list[bytes]
    before: Any
    terms: StartConditions


class _Step(NamedTuple):
    """A step of a game: the table before it, its record, and what was told."""

    before: AnyRoom
    entry: Entry
    told: tuple[AddressedEvent, ...]


def _verify(shot: Snapshot | None, entries: Sequence[Entry]) -> int:
    wrong: list[str] = []
    dealt: _Deal | None = None
    before: AnyRoom | None = None
    played: list[_Step] = []
    for entry, step in zip(entries, steps(entries), strict=True):
        if shot is not None and shot.version == step.room.version:
            same = GAMES[step.room.game].read_room(shot.body) == step.room
            print("stored table: " + ("the same as replayed" if same else "DIFFERS from the replay"))
            wrong += [] if same else ["stored table"]
        if news := [told for told in step.events if isinstance(told.event, GameStarted)]:
            # What players added counts for the first game, as they sat when it was dealt.
            sitting = step.room.seats if step.room.match == 1 else ()
            luck = [taken.player_entropy for taken in sitting if taken is not None]
            state = None if before is None else before.state
            dealt, played = _Deal(news, luck, state, _terms(read_record(entry).command, step)), []
        elif dealt is not None and before is not None:
            played.append(_Step(before, entry, step.events))
        before = step.room
        for told in step.events:
            if isinstance(told.event, GameOver) and dealt is not None:
                wrong += _verify_match(step.room, dealt, told.event)
                wrong += _verify_throws(step.room, dealt, played, told.event)
                dealt = None
    if dealt is not None:
        print(f"match {step.room.match}: not over, its seed is still secret")
    return 1 if wrong else 0


def _terms(command: OpenRoom | Command, step: Advanced) -> StartConditions:
    """Return what a game was dealt under: whoever sits down or begins a game agrees to no rematch."""
    seers = tuple(
        Seat(seat) for seat, taken in enumerate(step.room.seats) if taken is not None and taken.sees_hidden
    )
    given = command.host_data if isinstance(command, StartGame) else b""
    return StartConditions(not isinstance(command, TakeSeat | StartGame), given, seers)


def _verify_match(room: AnyRoom, dealt: _Deal, over: GameOver) -> list[str]:
    """Deal again from the seed, and compare with what each viewer was told."""
    seed, rules = bytes.fromhex(over.seed), GAMES[room.game].rules
    dice = Random(game_key(seed, dealt.luck))
    state = rules.deal(room.options, dice, dealt.before, dealt.terms)
    honest = same = True
    for told in dealt.told:
        assert isinstance(told.event, GameStarted)
        viewer = SPECTATOR if told.to is None else told.to[0]
        honest = honest and commitment(seed) == told.event.commitment
        same = same and encode(rules.view(state, viewer)) == encode(told.event.position)
    print(f"match {room.match}: commitment {commitment(seed)} (compare it with the one you were shown)")
    print(f"{INDENT}seed       {over.seed}: {'matches' if honest else 'DOES NOT MATCH'}")
    draws = ", ".join(f"{value} of {bound}" for bound, value in dice.draws or ()) or "none"
    print(f"{INDENT}deal       {draws}: {'as dealt' if same else 'NOT AS DEALT'}")
    return [] if honest and same else [f"match {room.match}"]


def _verify_throws(room: AnyRoom, dealt: _Deal, played: list[_Step], over: GameOver) -> list[str]:
    """Take every step of a game again with the chance of its seed, and compare what is told."""
    game = GAMES[room.game]
    if not game.rules.draws(room.options):
        return []
    key = game_key(bytes.fromhex(over.seed), dealt.luck)
    lines = _throws(game, dealt.told)
    wrong = []
    for step in played:
        same = _again(game, step, key) == encode(step.told)
        thrown = _throws(game, step.told)
        lines += thrown if same else [f"{line}: NOT AS TOLD" for line in thrown or ["nothing"]]
        wrong += [] if same else [f"match {room.match} version {step.entry.version}"]
    for number, line in enumerate(lines, 1):
        print(f"{INDENT}throw {number} of {line}")
    print(f"{INDENT}throws     {len(lines)}: {'NOT ALL AS TOLD' if wrong else 'as told'}")
    return wrong


def _again(game: Game, step: _Step, key: bytes) -> bytes:
    """Return what a step tells with the chance of this key; nothing if it is not possible with it."""
    try:
        (again,) = steps_of(game, replace(step.before, random_key=key), [step.entry])
    except StoreError:
        return b""
    return encode(again.events)


def _throws(game: Game, told: list[AddressedEvent] | tuple[AddressedEvent, ...]) -> list[str]:
    public = [one.event for one in told if one.to is None or SPECTATOR in one.to]
    return [line for event in public for line in game.throws(event)]
