"""`qipai verify`: recomputes the randomness of a room from its revealed seeds.

A room of the journal is replayed by the rules. A match of the archive is checked without them.
"""

from collections.abc import Sequence, Set
from typing import Any, NamedTuple

from msgspec.structs import replace

from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.hall.history.record_numbers import game_name, other_rules, why_unreadable
from qipai.hall.journal.record_format import AnyRecord, StartGameRecord, TakeSeatRecord
from qipai.hall.journal.room_rebuilding import encode, read_record, read_snapshot
from qipai.hall.journal.room_rebuilding import replay as replay_entries
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.game_interface.rules_interface import AddressedEvent, StartConditions
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random, commitment, game_key
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import GameOver, GameStarted
from qipai.settings import Settings

from .journal_reader import CommandError, find_room, replay_steps
from .verify_archived import INDENT, INVALID, verdict, verify_match


def verify(settings: Settings, room: str) -> int:
    """Recompute every game of a room from its revealed seed; return 1 if anything is invalid."""
    found = find_room(settings, room)
    invalid = [match for match in found.archived if not verify_match(match)]
    if found.archived and found.complete:
        return 1 if invalid else 0
    if cause := why_unreadable(GAMES, found.entries):
        raise CommandError(f"room {room}: {cause}")
    try:
        valid = _verify_room(found.snapshot, found.entries, {match.match for match in found.archived})
        return 0 if valid and not invalid else 1
    except CommandError as error:
        if (number := _other_rules(found.entries)) is not None:
            raise CommandError(f"{error}; rules {number} of the records cannot be checked here") from error
        # Another seed gives another start position, in which the recorded moves are not legal.
        print(f"recorded moves: {INVALID} ({error})")
        return 1


class _Start(NamedTuple):
    """Start of a game: its record and events, the player entropy, the state before it, its conditions."""

    entry: Entry
    events: list[AddressedEvent]
    player_entropy: list[bytes]
    state_before: Any
    conditions: StartConditions


class _Step(NamedTuple):
    """Step of a game: the room before it, its record, and its events."""

    before: AnyRoom
    entry: Entry
    events: tuple[AddressedEvent, ...]


def _other_rules(entries: Sequence[Entry]) -> int | None:
    """Return a rules number of the records that is not the one of this server, or None."""
    game = GAMES.get(game_name(entries))
    return None if game is None else other_rules(game, entries)


def _verify_room(snapshot: Snapshot | None, entries: Sequence[Entry], archived: Set[int]) -> bool:
    """Verify the matches that are not archived; print and return whether all of them are valid."""
    valid = True
    if _other_rules(entries) is not None:
        snapshot = None  # The rules of this server may give another table.
    start: _Start | None = None
    before: AnyRoom | None = None
    played: list[_Step] = []
    for entry, step in zip(entries, replay_steps(entries), strict=True):
        if snapshot is not None and snapshot.version == step.room.version:
            same = _snapshot_room(snapshot) == step.room
            print(
                "stored table: " + ("matches the replay" if same else f"{INVALID}, differs from the replay")
            )
            valid = valid and same
        if started := [each for each in step.events if isinstance(each.event, GameStarted)]:
            # Player entropy enters only the first game, from the players who are seated at its start.
            seats = step.room.seats if step.room.match == 1 else ()
            player_entropy = [seat.player_entropy for seat in seats if seat is not None]
            state = None if before is None else before.state
            conditions = _start_conditions(read_record(entry), step)
            start, played = _Start(entry, started, player_entropy, state, conditions), []
        elif start is not None and before is not None:
            played.append(_Step(before, entry, step.events))
        before = step.room
        for addressed in step.events:
            if isinstance(addressed.event, GameOver) and start is not None:
                if step.room.match in archived or not _has_present_rules(step.room, start, played):
                    start = None
                    continue
                valid = _verify_start(step.room, start, addressed.event) and valid
                valid = _verify_rolls(step.room, start, played, addressed.event) and valid
                start = None
    if start is not None:
        print(f"match {step.room.match}: not over, its seed is still secret")
    return valid


def _has_present_rules(room: AnyRoom, start: _Start, played: Sequence[_Step]) -> bool:
    """Tell whether a match was played by the rules of this server; print its rules number if not."""
    game = GAMES[room.game]
    number = other_rules(game, [start.entry, *(step.entry for step in played)])
    if number is not None:
        print(
            f"match {room.match}: rules {number} of {room.game}, not checked"
            f" (this server has rules {game.rules_number})"
        )
    return number is None


def _snapshot_room(snapshot: Snapshot) -> AnyRoom | None:
    """Return the room of a snapshot, or None if it cannot be read."""
    try:
        return read_snapshot(GAMES, snapshot)[1]
    except StoreError:
        return None


def _start_conditions(record: AnyRecord, step: Advanced) -> StartConditions:
    """Return what a game started under; only a game that a seat or the host started is no rematch."""
    sees_hidden = tuple(
        Seat(number) for number, seat in enumerate(step.room.seats) if seat is not None and seat.sees_hidden
    )
    host_data = record.host_data if isinstance(record, StartGameRecord) else b""
    return StartConditions(not isinstance(record, TakeSeatRecord | StartGameRecord), host_data, sees_hidden)


def _verify_start(room: AnyRoom, start: _Start, over: GameOver) -> bool:
    """Start the game again from the seed, and compare it with what each viewer was shown."""
    seed, rules = bytes.fromhex(over.seed), GAMES[room.game].rules
    random = Random(game_key(seed, start.player_entropy))
    state = rules.deal(room.options, random, start.state_before, start.conditions)
    seed_matches = position_matches = True
    for addressed in start.events:
        assert isinstance(addressed.event, GameStarted)
        viewer = SPECTATOR if addressed.to is None else addressed.to[0]
        seed_matches = seed_matches and commitment(seed) == addressed.event.commitment
        shown = encode(addressed.event.position)
        position_matches = position_matches and encode(rules.view(state, viewer)) == shown
    print(f"match {room.match}: commitment {commitment(seed)} (compare it with the one you were shown)")
    print(f"{INDENT}rules      {read_record(start.entry).rules} of {room.game}")
    print(f"{INDENT}seed       {over.seed}: {verdict(seed_matches)}")
    draws = ", ".join(f"{value} of {bound}" for bound, value in random.draws or ()) or "none"
    print(f"{INDENT}draws      {draws}: {verdict(position_matches)}")
    return seed_matches and position_matches


def _verify_rolls(room: AnyRoom, start: _Start, played: list[_Step], over: GameOver) -> bool:
    """Replay every step of a game with the randomness of its seed, and compare the events."""
    game = GAMES[room.game]
    if not game.rules.draws(room.options):
        return True
    key = game_key(bytes.fromhex(over.seed), start.player_entropy)
    lines = _roll_lines(game, start.events)
    valid = True
    for step in played:
        same = _replayed_events(game, step, key) == encode(step.events)
        rolls = _roll_lines(game, step.events)
        lines += rolls if same else [f"{line}: {INVALID}" for line in rolls or ["nothing"]]
        valid = valid and same
    for number, line in enumerate(lines, 1):
        print(f"{INDENT}roll {number} by {line}")
    print(f"{INDENT}rolls      {len(lines)}: {verdict(valid)}")
    return valid


def _replayed_events(game: Game, step: _Step, key: bytes) -> bytes:
    """Return the encoded events of a step with the randomness of this key; empty if the move is illegal."""
    try:
        (replayed,) = replay_entries(game, replace(step.before, random_key=key), [step.entry])
    except StoreError:
        return b""
    return encode(replayed.events)


def _roll_lines(game: Game, events: Sequence[AddressedEvent]) -> list[str]:
    public = [each.event for each in events if each.to is None or SPECTATOR in each.to]
    return [line for event in public for line in game.roll_lines(event)]
