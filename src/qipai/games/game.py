"""A game as the server knows it: rules, bots, notation, codecs and the module for the page."""

from collections.abc import Callable, Mapping, Sequence
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Final

import msgspec

from qipai.kernel.chat_lines import COMMON, Phrase
from qipai.kernel.clock import ClockPlan
from qipai.kernel.codec import Malformed, convert
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.engine_comparison import ComparableGame
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.game_preview import GamePreview
from qipai.kernel.game_interface.rules_interface import AnyRules, Event
from qipai.kernel.game_interface.rules_migration import RulesMigration

from .web_module import read_web_module

INTERFACE: Final = 1
"""Number of the interface between the server and games from outside.

It covers `Game`, `qipai.kernel.game_interface`, `qipai.testing`, and what a web module exports and imports.
It is raised by a change that such a game has to follow.
"""
_encode: Final = msgspec.json.Encoder().encode


class Game:
    """A game with its bots and the codec of its values.

    `choosable_options` is the struct of options that native clients may choose, if `option_type` has more
    fields. `write_record` writes a finished game, from a view of it, in the notation of the game; the file
    name ends with `record_suffix`. `roll_lines` returns a line such as `seat 0: P N Q` for each roll of dice
    in an event. `points` returns what each seat gained by the part of a game that an event ends, in games for
    points. `substitute_bot` is the default bot that plays on for a player who left. `phrases` are the
    predefined chat texts; those of the game come last. `quick_match_options` are the options of a quick
    match. `preview` is how the game appears in previews of shared links. `twist` returns the twist of a game
    with some options, as one word; an empty text if the game has none. `comparison` compares its matches with
    an engine. `decode_move` reads well-formed
    JSON; it raises msgspec's errors and `UnicodeDecodeError`. `rating_category` returns the one of
    `rating_categories` in which a table with these options and this clock is rated, or an empty text; a game
    without categories is not rated. `rateable` tells whether these options are usual enough for that.
    `bot_ratings` has the measured ratings of its bots, by twist and name; those of the twists in
    `engine_twists` hold only without an engine.

    `rules_number` is stored with every record: raise it when stored moves, options or states change their
    format, or when a stored move can lead to another result. `migrations` turns values that an earlier
    number stored into those of the next; without one, the values are the same in both.

    A game from outside also gives `interface`, the `INTERFACE` that it was written for, and `web`, the folder
    of its web module. `BrokenWebModule` is raised if something is missing there.
    """

    __slots__ = (
        "_quick_match_options",
        "bot_ratings",
        "bots",
        "choosable_options",
        "comparison",
        "decode_move",
        "engine_twists",
        "events",
        "interface",
        "migrations",
        "name",
        "phrases",
        "points",
        "preview",
        "rateable",
        "rating_categories",
        "rating_category",
        "record_suffix",
        "roll_lines",
        "rules",
        "rules_number",
        "substitute_bot",
        "twist",
        "web",
        "write_record",
    )

    def __init__(
        self,
        rules: AnyRules,
        bots: tuple[Bot, ...],
        events: Any,
        choosable_options: Any = None,
        write_record: Callable[[Any, GameHeaders], str] | None = None,
        roll_lines: Callable[[Event], Sequence[str]] = lambda event: (),
        points: Callable[[Event], Sequence[int] | None] = lambda event: None,
        substitute_bot: str = "",
        phrases: tuple[Phrase, ...] = (),
        record_suffix: str = "json",
        rules_number: int = 1,
        migrations: Mapping[int, RulesMigration] = MappingProxyType({}),
        interface: int = 0,
        web: Traversable | None = None,
        quick_match_options: Mapping[str, Any] = MappingProxyType({}),
        preview: GamePreview | None = None,
        rating_categories: tuple[str, ...] = (),
        rating_category: Callable[[Any, ClockPlan | None], str] = lambda options, clock: "",
        rateable: Callable[[Any], bool] = lambda options: True,
        twist: Callable[[Any], str] = lambda options: "",
        comparison: ComparableGame | None = None,
        bot_ratings: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
        engine_twists: frozenset[str] = frozenset(),
    ) -> None:
        self.rules = rules
        self.name = rules.name
        self.bots: Mapping[str, Bot] = {bot.name: bot for bot in bots}
        self.events = events
        self.choosable_options = choosable_options
        self.write_record = write_record
        self.roll_lines = roll_lines
        self.points = points
        self.substitute_bot = substitute_bot
        self.phrases = COMMON + phrases
        self.record_suffix = record_suffix
        self.rules_number = rules_number
        self.migrations = migrations
        self.interface = interface
        self.web = None if web is None else read_web_module(rules.name, web)
        self.preview = preview
        self.rating_categories = rating_categories
        self.rating_category = rating_category
        self.rateable = rateable
        self.twist = twist
        self.comparison = comparison
        self.bot_ratings = bot_ratings
        self.engine_twists = engine_twists
        self._quick_match_options = quick_match_options
        self.decode_move: Callable[[bytes | msgspec.Raw], Any] = msgspec.json.Decoder(rules.move_type).decode

    def shown_bot_ratings(self, *, engine: bool) -> Mapping[str, Mapping[str, int]]:
        """Return the ratings of the bots by twist, of a server whose bots may ask an engine or not."""
        hidden = self.engine_twists if engine else ()
        return {twist: ratings for twist, ratings in self.bot_ratings.items() if twist not in hidden}

    @property
    def quick_match_options(self) -> Any:
        """Return the options of a quick match."""
        return convert(dict(self._quick_match_options), self.rules.option_type)

    def read_move(self, value: Any, rules_number: int) -> Any:
        """Return a move that these rules stored, from plain values, or raise `Malformed`."""
        if rules_number != self.rules_number:
            for migration in self._later(rules_number):
                value = migration.move(value)
        try:
            # Encoding and decoding takes a fifth of the time of `convert`, which inspects the type each time.
            return self.decode_move(_encode(value))
        except msgspec.MsgspecError as error:
            raise Malformed(str(error)) from None

    def read_chosen_options(self, value: Any) -> Any:
        """Return the options that a native client chose, from plain values, or raise `Malformed`."""
        chosen = {} if value is None else value
        if self.choosable_options is not None:
            convert(chosen, self.choosable_options)
        return convert(chosen, self.rules.option_type)

    def read_options(self, value: Any, rules_number: int) -> Any:
        """Return options that these rules stored, from plain values, or raise `Malformed`."""
        return convert(self.migrate_options(value, rules_number), self.rules.option_type)

    def check_rules(self, written: int) -> None:
        """Raise `Malformed` if newer rules than the present ones wrote something."""
        if written > self.rules_number:
            raise Malformed(
                f"written by a newer release: rules {written} of {self.name}, "
                f"this server reads up to {self.rules_number}"
            )

    def migrate_options(self, value: Any, rules_number: int) -> Any:
        """Return options that these rules stored as the present rules store them."""
        for migration in self._later(rules_number):
            value = migration.options(value)
        return value

    def migrate_state(self, value: Any, rules_number: int) -> Any:
        """Return a state that these rules stored as the present rules store it."""
        for migration in self._later(rules_number):
            value = migration.state(value)
        return value

    def _later(self, rules_number: int) -> list[RulesMigration]:
        """Return the migrations from these rules to the present ones, in order."""
        later = (self.migrations.get(number) for number in range(rules_number, self.rules_number))
        return [migration for migration in later if migration is not None]
