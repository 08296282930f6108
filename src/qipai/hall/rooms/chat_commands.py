"""Chat of a room: lines, phrases, and restricting the chat to phrases."""

from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.moderation.enforcement_interface import SanctionChecks
from qipai.hall.people.person_quota import CrowdQuota, Quota
from qipai.kernel import commands
from qipai.kernel.chat_lines import MAX_LINE, Phrase
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import SPECTATOR, Millis, RoomId
from qipai.kernel.refusals import Refusal
from qipai.protocol import intents
from qipai.protocol.notices import Refused

from .command_executor import CommandExecutor
from .game_commands import submit_command


class ChatCommands:
    """Checks and limits chat lines, and submits them as commands.

    Each person has a quota, and all spectators of a table have one together: a line of theirs is sent to
    the whole crowd. Lines of players do not count there, so that a crowd cannot silence them.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        quota: Quota,
        crowd_quota: CrowdQuota,
        inbox: Inbox,
        sanctions: SanctionChecks,
    ) -> None:
        self._sanctions = sanctions
        self._executor = executor
        self._quota = quota
        self._crowd_quota = crowd_quota
        self.handlers: Handlers = {
            intents.Say: inbox.handler(self._say),
            intents.SetPhrasesOnly: self._set_phrases_only,
        }

    async def _say(self, connection: Connection, intent: intents.Say, now: Millis) -> None:
        text = "" if intent.phrase else clean_line(intent.text, MAX_LINE)
        if not text and not intent.phrase:
            connection.send_notice(Refused(Refusal.EMPTY, intent.room, intent.nonce))
        elif intent.phrase and not self._has_phrase(intent.room, intent.phrase):
            connection.send_notice(Refused(Refusal.NOT_ALLOWED, intent.room, intent.nonce))
        elif self._sanctions.refuses_muted(connection, intent.room, intent.nonce):
            pass
        elif await self._within_quota(connection, intent.room, now):
            say = commands.Say(text, connection.name, intent.phrase)
            submit_command(self._executor, connection, intent, say, now)
        elif not connection.rate_limit.quiet or connection.rate_limit.warn(now):
            connection.send_notice(Refused(Refusal.RATE_LIMITED, intent.room, intent.nonce))

    async def _within_quota(self, connection: Connection, room: str, now: Millis) -> bool:
        """Count a line for its author, and for the table if the author is a spectator."""
        if connection.rooms.get(RoomId(room)) == SPECTATOR:
            return await self._crowd_quota.spend(connection, room, now)
        return await self._quota.spend(connection, now)

    def _has_phrase(self, room: str, phrase: Phrase) -> bool:
        """Tell whether the phrase belongs to the game of the room; an unknown room is refused later."""
        live = self._executor.live_rooms.get(RoomId(room))
        return live is None or phrase in live.game.phrases

    def _set_phrases_only(self, connection: Connection, intent: intents.SetPhrasesOnly, now: Millis) -> None:
        submit_command(self._executor, connection, intent, commands.SetPhrasesOnly(intent.on), now)
