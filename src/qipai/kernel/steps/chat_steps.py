"""Speaking at a table, and closing its chat for all but phrases."""

from qipai.kernel import room_events
from qipai.kernel.chat import MAX_LINE, ChatLine, said
from qipai.kernel.commands import Say
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand
from qipai.kernel.ids import SPECTATOR, Millis, Seat
from qipai.kernel.phrases import ENGLISH
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import PLAYING, AnyRoom, Change, seated
from qipai.kernel.seats import is_human


def say(room: AnyRoom, actor: Seat, command: Say, now: Millis) -> Change:
    """Say something; watchers are heard among themselves while a game runs."""
    phrase = command.phrase
    text = command.text[:MAX_LINE] if phrase is None else ENGLISH[phrase]
    if not text.strip():
        raise IllegalCommand(Refusal.EMPTY)
    if actor == SPECTATOR:
        aside = room.phase is PLAYING and not room.table.relaxed
        line = ChatLine(now, command.name, text, spectators_only=aside, phrase=phrase)
    else:
        taken = room.seats[seated(room, actor)]
        assert taken is not None
        line = ChatLine(now, taken.name, text, actor, phrase=phrase)
    if room.phrases_only and phrase is None:
        raise IllegalCommand(Refusal.PHRASES_ONLY)
    told = AddressedEvent(room_events.Said(line), (SPECTATOR,) if line.spectators_only else None)
    return {"chat": said(room.chat, line)}, [told]


def hush(room: AnyRoom, actor: Seat, *, closed: bool) -> Change:
    """Close the chat for all but phrases, or open it again; only the host may."""
    if actor != room.host or not is_human(room.seats[actor]):
        raise IllegalCommand(Refusal.NOT_HOST)
    if room.phrases_only is closed:
        return None
    return {"phrases_only": closed}, [AddressedEvent(room_events.PhrasesOnlySet(actor, closed))]
