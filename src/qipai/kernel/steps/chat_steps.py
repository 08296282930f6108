"""Steps of the chat: add a line, switch phrases-only mode."""

from qipai.kernel import room_events
from qipai.kernel.chat_lines import ENGLISH, MAX_LINE, ChatLine, append_line
from qipai.kernel.commands import Say
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand
from qipai.kernel.ids import SPECTATOR, Millis, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import PLAYING, AnyRoom, Change, require_seat
from qipai.kernel.seats import is_human
from qipai.kernel.view_values import chat_line_view


def say(room: AnyRoom, actor: Seat, command: Say, now: Millis) -> Change:
    """Add a line; during a game only spectators read the lines of spectators."""
    phrase = command.phrase
    text = command.text[:MAX_LINE] if phrase is None else ENGLISH[phrase]
    if not text.strip():
        raise IllegalCommand(Refusal.EMPTY)
    if actor == SPECTATOR:
        spectators_only = room.phase is PLAYING and not room.table.legacy.chat_with_spectators
        line = ChatLine(now, command.name, text, spectators_only=spectators_only, phrase=phrase)
    else:
        taken = room.seats[require_seat(room, actor)]
        assert taken is not None
        line = ChatLine(now, taken.name, text, actor, phrase=phrase)
    if room.phrases_only and phrase is None:
        raise IllegalCommand(Refusal.PHRASES_ONLY)
    event = AddressedEvent(
        room_events.Said(chat_line_view(line)), (SPECTATOR,) if line.spectators_only else None
    )
    return {"chat": append_line(room.chat, line)}, [event]


def set_phrases_only(room: AnyRoom, actor: Seat, *, on: bool) -> Change:
    """Restrict the chat to phrases, or lift that; only the host may."""
    if actor != room.host or not is_human(room.seats[actor]):
        raise IllegalCommand(Refusal.NOT_HOST)
    if room.phrases_only is on:
        return None
    return {"phrases_only": on}, [AddressedEvent(room_events.PhrasesOnlySet(actor, on))]
