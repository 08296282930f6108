"""What a worker does about acts: closes tables that operators closed."""

from collections.abc import Callable

from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.commands import Close
from qipai.kernel.ids import SYSTEM, RoomId

from .moderation_interface import ModerationChanges
from .operator_log_interface import Act


class Enforcement:
    """Carries out the acts that a worker reads in the log."""

    def __init__(self, executor: CommandExecutor, log_first_code: Callable[[], None]) -> None:
        self._executor = executor
        self._log_first_code = log_first_code

    def loaded(self) -> None:
        """Everything is known now that was done before the start."""
        self._log_first_code()

    def changed(self, changes: ModerationChanges) -> None:
        """Carry out new acts."""
        for entry in changes.entries:
            if entry.act is Act.CLOSE_TABLE:
                self._close_table(entry.room)

    def _close_table(self, room: RoomId) -> None:
        live = self._executor.live_rooms.get(room)
        if live is not None:
            self._executor.submit(live, SYSTEM, Close(), self._executor.now())
