"""The parts of a worker that archive finished games and read them, built together."""

from collections.abc import Mapping
from functools import partial

from qipai.games.game import Game
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.comparison.comparisons import Comparisons
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Now, Store
from qipai.hall.people.address_refusals import AddressRefusals
from qipai.hall.ratings.rating_directory import RatingDirectory
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId

from .archive_interface import Archive
from .archiver import Archiver
from .finished_games import FinishedGames


class HistoryServices:
    """The archiver, which a server without an archive has not, finished games, comparisons, ratings."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        archive: Archive | None,
        executor: CommandExecutor,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        now: Now,
        refused: AddressRefusals,
        engine: str,
    ) -> None:
        self.finished_games = FinishedGames(games, store, now, archive, refused)
        executor.room_listeners.append(self.finished_games.recent.room_changed)
        self.comparisons = Comparisons(games, archive, self.finished_games, tasks, engine)
        self.archiver: Archiver | None = None
        if archive is not None:
            rated = partial(is_rated, executor.live_rooms)
            self.archiver = Archiver(games, store, archive, executor.alarms, tasks, incidents, now, rated)
            executor.match_end_listeners.append(self.archiver.match_ended)
        self.rating_directory = RatingDirectory(
            archive, self.finished_games.in_thread, executor.alarms, tasks, incidents, now
        )

    def start(self) -> None:
        """Archive what waits, read all ratings, and go on with both."""
        if self.archiver is not None:
            self.archiver.start()
        self.rating_directory.start()


def is_rated(rooms: Mapping[RoomId, LiveRoom], room: RoomId) -> bool:
    """Tell whether the matches of a live room count for ratings."""
    live = rooms.get(room)
    return live is not None and live.latest.table.rated
