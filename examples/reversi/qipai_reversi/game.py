"""The game as the server loads it; `pyproject.toml` names it as an entry point."""

from importlib.resources import files
from typing import Final

from qipai.games.game import Game

from .bots import BOTS
from .rules import RULES, GameEvent
from .transcript import write_transcript

GAME: Final = Game(
    RULES,
    BOTS,
    GameEvent,
    write_record=write_transcript,
    record_suffix="txt",
    interface=1,
    web=files(__package__) / "web",
)
