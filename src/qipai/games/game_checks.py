"""Checks a game from outside when it is loaded, so that a fault is found before a table is opened."""

import inspect
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final, get_args

import msgspec

from qipai.kernel.chat_lines import Phrase
from qipai.kernel.game_interface.game_preview import GamePreview
from qipai.kernel.game_interface.rules_interface import AnyRules, Rules
from qipai.kernel.game_interface.rules_migration import RulesMigration
from qipai.kernel.ids import SEATS
from qipai.kernel.offers import OfferKind

from .game import Game
from .game_errors import GameCode

_MEMBERS: Final = {name: member for name, member in vars(Rules).items() if not name.startswith("_")}
"""Methods and properties of the Rules interface."""
_EVENT_TAG: Final = "e"
_SUFFIX: Final = re.compile(r"[a-z0-9]{1,10}")


class BrokenGame(ValueError):
    """A game does not follow the interface; the text says where."""


def check_game(game: Game) -> None:
    """Raise `BrokenGame` with the first fault, or what a property of the game raises."""
    fault = next(chain(_rules_faults(game.rules), _field_faults(game), _type_faults(game)), None)
    if fault is not None:
        raise BrokenGame(fault)


def _rules_faults(rules: AnyRules) -> Iterator[str]:
    for name, member in _MEMBERS.items():
        if not hasattr(rules, name):
            yield f"its rules have no {name}"
        elif inspect.isfunction(member) and not callable(getattr(rules, name)):
            yield f"{name} of its rules is not a method"
    if type(rules.seats) is not int or not 1 <= rules.seats <= len(SEATS):
        yield f"seats of its rules is {rules.seats!r}, not a number from 1 to {len(SEATS)}"
    if not isinstance(rules.offers, frozenset) or not all(
        isinstance(kind, OfferKind) for kind in rules.offers
    ):
        yield "offers of its rules is not a frozenset of OfferKind"


def _field_faults(game: Game) -> Iterator[str]:
    for name, bot in game.bots.items():
        if not isinstance(name, str) or not name or not callable(getattr(bot, "choose", None)):
            yield f"its bot {name!r} does not follow the Bot interface"
    if game.substitute_bot != "" and game.substitute_bot not in game.bots:
        yield f"there is no bot {game.substitute_bot!r} to substitute players"
    if type(game.rules_number) is not int or game.rules_number < 1:
        yield f"rules_number is {game.rules_number!r}, not a number from 1"
    if not isinstance(game.migrations, Mapping) or not all(
        type(number) is int and isinstance(migration, RulesMigration) and all(map(callable, migration))
        for number, migration in game.migrations.items()
    ):
        yield "migrations is not a mapping of rules numbers to RulesMigration"
    if not all(isinstance(phrase, Phrase) for phrase in game.phrases):
        yield "phrases is not a tuple of Phrase"
    if not isinstance(game.record_suffix, str) or not _SUFFIX.fullmatch(game.record_suffix):
        yield f"record_suffix is {game.record_suffix!r}, not 1 to 10 small letters and digits"
    optional = () if game.write_record is None else (game.write_record,)
    if not all(map(callable, (game.roll_lines, game.points, *optional))):
        yield "write_record, roll_lines or points is not a function"
    if game.preview is not None and not isinstance(game.preview, GamePreview):
        yield "preview is not a GamePreview"


def _type_faults(game: Game) -> Iterator[str]:
    rules = game.rules
    types: dict[str, Any] = {
        "option_type": rules.option_type,
        "state_type": rules.state_type,
        "move_type": rules.move_type,
        "events": game.events,
    }
    if game.choosable_options is not None:
        types["choosable_options"] = game.choosable_options
    for name, kind in types.items():
        with GameCode(BrokenGame, f"msgspec cannot read {name}: "):  # A type can run code of its package.
            msgspec.json.Decoder(kind)
            # A class that msgspec does not know has a decoder, which decodes nothing, but no schema.
            msgspec.json.schema_components([kind])
    for kind in get_args(game.events) or (game.events,):
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.tag):
            yield "events is not a tagged struct or a union of tagged structs"
        elif kind.__struct_config__.tag_field != _EVENT_TAG:
            yield f"the tag of the event {kind.__name__} is not in the field {_EVENT_TAG!r}"
