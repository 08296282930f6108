"""Converts commands to journal records and journal records to commands."""

from collections.abc import Callable
from typing import Any, Final, assert_never

import msgspec

from qipai.games.game import Game
from qipai.kernel.clock import ClockPlan
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import (
    NOT_LEGACY,
    AnswerOffer,
    Close,
    Command,
    Disconnected,
    LeaveSeat,
    LegacyTableRules,
    MakeOffer,
    OpenRoom,
    OtherCommand,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    SetPhrasesOnly,
    StartGame,
    TableRules,
    TakeSeat,
    TimeUp,
    TransferSeat,
    WithdrawOffer,
)
from qipai.kernel.ids import NO_NONCE, Nonce, Seat

from . import record_format as records
from .format_numbers import JOURNAL_FORMAT, migrated_record
from .record_format import (
    UNLIMITED,
    AnyRecord,
    LaterRecord,
    PlayRecord,
    StoredClockPlan,
    StoredLegacyTableRules,
    StoredTableRules,
)

_decode: Final[Callable[[bytes], AnyRecord]] = msgspec.json.Decoder(AnyRecord).decode


def record_of(
    command: OpenRoom | Command,
    actor: Seat,
    nonce: Nonce = NO_NONCE,
    entropy: bytes = b"",
    rules_number: int = 1,
) -> AnyRecord:
    """Return the record of a command that took effect."""
    if isinstance(command, Play):
        return PlayRecord(actor, command.move, nonce, entropy, JOURNAL_FORMAT, rules_number, command.lag)
    common = {
        "actor": actor,
        "nonce": nonce,
        "entropy": entropy,
        "format": JOURNAL_FORMAT,
        "rules": rules_number,
    }
    return _other_record(command, common)


def _other_record(command: OpenRoom | OtherCommand, common: dict[str, Any]) -> AnyRecord:
    match command:
        case OpenRoom(id=room, code=code, game=game, options=options, table=table):
            return records.OpenRoomRecord(room, code, game, options, stored_table_rules(table), **common)
        case TakeSeat():
            return records.TakeSeatRecord(
                command.person,
                command.name,
                command.seat,
                command.bot,
                command.player_entropy,
                command.sees_hidden,
                command.reserved,
                command.move,
                command.bot_account,
                **common,
            )
        case StartGame(options=options, clock=clock, host_data=host_data):
            return records.StartGameRecord(options, stored_clock_plan(clock), host_data, **common)
        case LeaveSeat():
            return records.LeaveSeatRecord(**common)
        case MakeOffer(kind=kind):
            return records.MakeOfferRecord(kind, **common)
        case AnswerOffer(offer=offer, yes=yes):
            return records.AnswerOfferRecord(offer, yes, **common)
        case WithdrawOffer(offer=offer):
            return records.WithdrawOfferRecord(offer, **common)
        case Resign():
            return records.ResignRecord(**common)
        case Say(text=text, name=name, phrase=phrase):
            return records.SayRecord(text, name, phrase, **common)
        case SetPhrasesOnly(on=on):
            return records.SetPhrasesOnlyRecord(on, **common)
        case Disconnected(seat=seat):
            return records.DisconnectedRecord(seat, **common)
        case Reconnected(seat=seat):
            return records.ReconnectedRecord(seat, **common)
        case TransferSeat(seat=seat, old=old, person=person):
            return records.TransferSeatRecord(seat, old, person, **common)
        case TimeUp():
            return records.TimeUpRecord(**common)
        case OutageEnded(down=down, head_start=head_start):
            return records.OutageEndedRecord(down, head_start, **common)
        case Close():
            return records.CloseRecord(**common)
        case _:
            assert_never(command)


def opening_of(game: Game, record: records.OpenRoomRecord) -> OpenRoom:
    """Return the command of a first record, options migrated to the present rules; or raise `Malformed`."""
    game.check_rules(record.rules)
    options = game.read_options(record.options, record.rules)
    return OpenRoom(record.id, record.code, record.game, options, table_rules_of(record.table))


def command_of(game: Game, record: LaterRecord) -> Command:
    """Return the command of a record, its values migrated to the present rules; or raise `Malformed`."""
    if record.rules != game.rules_number:
        game.check_rules(record.rules)
    if type(record) is PlayRecord:
        return Play(game.read_move(record.move, record.rules), record.lag)
    return _other_command(game, record)


def _other_command(game: Game, record: LaterRecord) -> OtherCommand:
    match record:
        case records.TakeSeatRecord(move=move):
            return TakeSeat(
                record.person,
                record.name,
                record.seat,
                record.bot,
                record.player_entropy,
                record.sees_hidden,
                record.reserved,
                None if move is None else game.read_move(move, record.rules),
                record.bot_account,
            )
        case records.StartGameRecord(options=options, clock=clock, host_data=host_data):
            return StartGame(game.read_options(options, record.rules), clock_plan_of(clock), host_data)
        case records.LeaveSeatRecord():
            return LeaveSeat()
        case records.MakeOfferRecord(kind=kind):
            return MakeOffer(kind)
        case records.AnswerOfferRecord(offer=offer, yes=yes):
            return AnswerOffer(offer, yes)
        case records.WithdrawOfferRecord(offer=offer):
            return WithdrawOffer(offer)
        case records.ResignRecord():
            return Resign()
        case records.SayRecord(text=text, name=name, phrase=phrase):
            return Say(text, name, phrase)
        case records.SetPhrasesOnlyRecord(on=on):
            return SetPhrasesOnly(on)
        case records.DisconnectedRecord(seat=seat):
            return Disconnected(seat)
        case records.ReconnectedRecord(seat=seat):
            return Reconnected(seat)
        case records.TransferSeatRecord(seat=seat, old=old, person=person):
            return TransferSeat(seat, old, person)
        case records.TimeUpRecord():
            return TimeUp()
        case records.OutageEndedRecord(down=down, head_start=head_start):
            return OutageEnded(down, head_start)
        case records.CloseRecord():
            return Close()
        case PlayRecord():
            raise AssertionError  # `command_of` converts it.
        case _:
            assert_never(record)


def decode_record(body: bytes) -> AnyRecord:
    """Return a stored record in the present format, or raise `Malformed`."""
    try:
        record = _decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        record = None  # In another format, or damaged: the next lines tell.
    if record is not None and record.format == JOURNAL_FORMAT:
        return record
    try:
        return _decode(migrated_record(body))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from None


def stored_clock_plan(plan: ClockPlan | None) -> StoredClockPlan | None:
    """Return a clock plan as it is stored."""
    if plan is None:
        return None
    # A default is omitted if it is this very object.
    main = UNLIMITED if plan.main == UNLIMITED else plan.main
    return StoredClockPlan(main, plan.increment, plan.move, plan.first_free, plan.lag_compensation)


def clock_plan_of(stored: StoredClockPlan | None) -> ClockPlan | None:
    """Return a stored clock plan."""
    if stored is None:
        return None
    return ClockPlan(stored.main, stored.increment, stored.move, stored.first_free, stored.lag_compensation)


def stored_table_rules(rules: TableRules) -> StoredTableRules:
    """Return table rules as they are stored."""
    legacy = rules.legacy
    return StoredTableRules(
        rules.public,
        rules.spectators,
        rules.disconnect_timeout,
        stored_clock_plan(rules.clock),
        rules.title,
        rules.empty_timeout,
        rules.substitute_bot,
        rules.spectator_delay,
        rules.undo_allowed,
        None
        if legacy == NOT_LEGACY
        else StoredLegacyTableRules(legacy.host_starts, legacy.open_seats, legacy.chat_with_spectators),
        rules.sees_hidden_allowed,
        rules.rated,
    )


def table_rules_of(stored: StoredTableRules) -> TableRules:
    """Return stored table rules."""
    legacy = stored.legacy
    return TableRules(
        stored.public,
        stored.spectators,
        stored.disconnect_timeout,
        clock_plan_of(stored.clock),
        stored.title,
        stored.empty_timeout,
        stored.substitute_bot,
        stored.spectator_delay,
        stored.undo_allowed,
        NOT_LEGACY
        if legacy is None
        else LegacyTableRules(legacy.host_starts, legacy.open_seats, legacy.chat_with_spectators),
        stored.sees_hidden_allowed,
        stored.rated,
    )
