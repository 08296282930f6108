"""A failed command is kept with placeholders: it fails again in the same place; nothing in it is personal."""

from collections.abc import Iterator
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.games.game import Game
from qipai.games.game_registry import OWN_GAMES
from qipai.hall.incidents.failed_commands import replay, replays
from qipai.hall.incidents.incident_interface import KeptIncident
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.record_conversion import command_of, decode_record
from qipai.hall.journal.record_format import OpenRoomRecord
from qipai.hall.journal.snapshot_format import read_room
from qipai.kernel.chat_lines import ChatLine, Phrase
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import Command, Play, Say, TableRules, TakeSeat, TransferSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Code, Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.room import AnyRoom, Room
from qipai.kernel.step import step
from tests.support.faulty_games.faulty_game import CENTRE, faulty_game
from tests.support.journal_writer import NOON, JournalWriter

NONCE = Nonce("qwrtqwrtqwrt")
SECRETS = st.text("bcdfghjklmnpqrstvwxyz", min_size=12, max_size=12)
"""Texts that nothing else contains."""


def kept(game: Game, room: AnyRoom, actor: Seat, command: Command, error: Exception) -> KeptIncident:
    """Return what is kept of a command that failed, as it is read from its file."""
    found: list[KeptIncident] = []
    errors = InternalErrors(found.append)
    errors.command_failed(error, game, room, actor, command, Millis(NOON), bytes(32), NONCE)
    (incident,) = found
    return msgspec.json.decode(msgspec.json.encode(incident), type=KeptIncident)


def failed_game() -> tuple[Game, KeptIncident]:
    game, writer = faulty_game(), JournalWriter("tictactoe", table=TableRules(title="Club evening"))
    writer.take_seats("Ada", "Bo")
    writer.do(writer.acting, Say("hello Bo"))
    command = Play(game.rules.move_type.__args__[0](CENTRE))
    try:
        step(game.rules, writer.room, writer.acting, command, Millis(NOON), bytes(32), NONCE)
    except IndexError as error:
        return game, kept(game, writer.room, writer.acting, command, error)
    raise AssertionError("the rules must fail")


def test_a_kept_command_fails_again_in_the_same_place() -> None:
    game, incident = failed_game()
    assert incident.command is not None
    assert incident.command.replays
    assert incident.command.text == f"IndexError: no cell {CENTRE}"
    assert replays(game, incident)
    raised = replay(game, incident.command)
    assert raised is not None
    assert raised.faults[-1].calls[-1] == incident.faults[-1].calls[-1]
    assert raised.text == incident.command.text


def test_rules_that_are_corrected_no_longer_replay_the_fault() -> None:
    _, incident = failed_game()
    assert incident.command is not None
    assert not replays(OWN_GAMES["tictactoe"], incident)
    assert replay(OWN_GAMES["tictactoe"], incident.command) is None


def test_a_fault_that_depends_on_what_was_replaced_is_kept_as_one_that_does_not_replay() -> None:
    writer = JournalWriter("tictactoe")
    writer.take_seats("Ada")
    command = TakeSeat(Person("bo"), "Bo")
    incident = kept(writer.game, writer.room, SYSTEM, command, ValueError("the name Bo"))
    assert incident.command is not None
    assert not incident.command.replays
    assert not incident.command.text
    assert b"Bo" not in msgspec.json.encode(incident)


def test_a_damaged_record_is_refused() -> None:
    game, incident = failed_game()
    assert incident.command is not None
    opened = JournalWriter("tictactoe").entries[0].body
    with pytest.raises(Malformed):
        replay(game, replace(incident.command, record=msgspec.Raw(opened)))
    with pytest.raises(Malformed):
        replay(game, replace(incident.command, snapshot=msgspec.Raw(b"{}")))


@pytest.mark.parametrize("name", ["chess", "gomoku", "mahjong", "tictactoe"])
def test_with_placeholders_a_command_leads_to_the_same_room(name: str) -> None:
    writer = JournalWriter(name, seed=3)
    writer.take_seats(*"ABCD"[: len(writer.room.seats)], player_entropy=b"\x05\x06")
    for _ in range(6):
        move = writer.random.choice(writer.game.rules.legal(writer.room.state, writer.acting))
        incident = kept(writer.game, writer.room, writer.acting, Play(move), ValueError("A"))
        assert incident.command is not None
        room = read_room(writer.game, bytes(incident.command.snapshot))
        record = decode_record(bytes(incident.command.record))
        assert not isinstance(record, OpenRoomRecord)
        writer.play(move)
        at = writer.room.at
        advanced: Any = step(
            writer.game.rules, room, record.actor, command_of(writer.game, record), at, record.entropy
        )
        assert advanced.room.state == writer.room.state
        assert advanced.room.clock == writer.room.clock


@st.composite
def rooms_and_commands(draw: st.DrawFn) -> tuple[AnyRoom, Command, set[str]]:
    """Return a room and a command with a secret in every text, and the secrets."""
    secrets = iter(draw(st.lists(SECRETS, min_size=40, max_size=40, unique=True)))
    used: set[str] = set()

    def secret() -> str:
        used.add(text := next(secrets))
        return text

    room = JournalWriter("tictactoe", table=TableRules(title=secret())).room
    room = replace(
        room,
        id=RoomId(secret()),
        code=Code(secret()),
        nonces=tuple((Nonce(secret()), Nonce(secret())) for _ in room.nonces),
        chat=(
            ChatLine(Millis(1), secret(), secret(), Seat(0)),
            ChatLine(Millis(2), secret(), secret(), spectators_only=True, phrase=Phrase.HELLO),
        ),
    )
    persons = [secret(), secret()]
    for person in persons:
        taken: Any = step(
            OWN_GAMES["tictactoe"].rules,
            room,
            SYSTEM,
            TakeSeat(Person(person), secret()),
            Millis(3),
            bytes(32),
        )
        room = taken.room
    commands: list[Command] = [
        TakeSeat(Person(secret()), secret()),
        TakeSeat(Person(persons[0]), secret()),
        TransferSeat(Seat(0), Person(persons[0]), Person(secret())),
        Say(secret(), secret()),
    ]
    return room, draw(st.sampled_from(commands)), used


@given(rooms_and_commands())
def test_nothing_personal_is_kept_of_a_room_and_a_command(made: tuple[AnyRoom, Command, set[str]]) -> None:
    room, command, secrets = made
    error = ValueError(*secrets)
    try:
        raise error
    except ValueError as raised:
        raised.__cause__ = KeyError(*secrets)
    actor = SPECTATOR if isinstance(command, Say) else SYSTEM
    text = msgspec.json.encode(kept(OWN_GAMES["tictactoe"], room, actor, command, error)).decode()
    assert {secret for secret in {*secrets, NONCE} if secret in text} == set()


def test_equal_texts_have_equal_placeholders_and_different_ones_different_placeholders() -> None:
    writer = JournalWriter("tictactoe")
    writer.take_seats("Ada", "Bo")
    transfer = TransferSeat(Seat(0), Person("Ada"), Person("phone"))
    incident = kept(writer.game, writer.room, SYSTEM, transfer, ValueError())
    assert incident.command is not None
    room = read_room(writer.game, bytes(incident.command.snapshot))
    record: Any = decode_record(bytes(incident.command.record))
    seated = [taken.person for taken in room.seats if taken is not None]
    assert record.old == seated[0]
    assert len({*seated, record.person}) == 3


TEXT_FIELDS = {
    "Room.id", "Room.code", "TableRules.title", "TakenSeat.person", "TakenSeat.name", "ChatLine.name",
    "ChatLine.text", "Room.nonces", "TakeSeat.person", "TakeSeat.name", "TransferSeat.old",
    "TransferSeat.person", "Say.text", "Say.name",
}  # fmt: skip
"""What people write, or what names them."""
OTHER_FIELDS = {
    "Room.game", "TableRules.substitute_bot", "TakenSeat.bot", "TakeSeat.bot", "Outcome.reason",
}  # fmt: skip
"""Words of the program and of games."""


def structs_in(kind: Any) -> Iterator[type[msgspec.Struct]]:
    if get_origin(kind) in (Union, UnionType, tuple):
        for each in get_args(kind):
            yield from structs_in(each)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from structs_in(field.type)


def has_text(kind: Any) -> bool:
    found = getattr(kind, "__supertype__", kind)
    return found is str or any(map(has_text, get_args(kind)))


def test_every_text_of_a_room_and_a_command_is_known_to_be_personal_or_not() -> None:
    found = {
        f"{struct.__name__}.{field.name}"
        for struct in {*structs_in(Room), *structs_in(Command)}
        for field in msgspec.structs.fields(struct)
        if has_text(field.type)
    }
    assert found == TEXT_FIELDS | OTHER_FIELDS
