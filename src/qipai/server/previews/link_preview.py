"""What the preview of a link shows: only what a stranger with the link may see.

Of a table it shows no position at all. Of a private table it shows what an invited player sees before sitting
down: who invites, the game, its options and the clock. Of a finished game it shows what its replay shows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from qipai.games.game import Game
from qipai.games.game_errors import GameCode
from qipai.hall.history.game_files import GameEnding
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import TakenSeat

from .preview_texts import SITE, TEXTS, Texts, clock_text, joined


class PreviewPicture(Struct, frozen=True):
    """The content of a picture: equal content, equal picture.

    `game` is empty for the site itself. `sentence` stands above the name of the game; `plain_sentence` has no
    names of players, and replaces it if the font lacks a character.
    """

    game: str = ""
    options: Any = None
    position: Any = None
    sentence: str = ""
    plain_sentence: str = ""
    name: str = ""
    details: str = ""
    button: str = ""


class LinkPreview(Struct, frozen=True):
    """Title, text and picture of a link; `indexed`: search engines may list it."""

    language: str
    title: str
    text: str
    picture: PreviewPicture
    indexed: bool = False


class BrokenPreview(Exception):
    """The code of a game cannot describe a table or draw it."""


def site_preview(language: str) -> LinkPreview:
    """Return the preview of the site itself."""
    texts = TEXTS[language]
    return LinkPreview(
        language, SITE, texts.site, PreviewPicture(name=SITE, details=texts.site), indexed=True
    )


def person_preview(name: str, language: str) -> LinkPreview:
    """Return the preview of the profile of an account."""
    texts = TEXTS[language]
    return LinkPreview(
        language, f"{name} · {SITE}", texts.site, PreviewPicture(name=SITE, details=texts.site)
    )


def table_preview(live: LiveRoom, language: str) -> LinkPreview | None:
    """Return the preview of a table, or None if it is closed."""
    room = live.listed
    if room.phase is Phase.CLOSED or live.durable.phase is Phase.CLOSED:
        return None
    options = msgspec.to_builtins(room.options)
    if room.table.public and room.phase is not Phase.WAITING:
        return _live_preview(live.game, room, options, language)
    return _invitation(live.game, room, options, language)


def _invitation(game: Game, room: AnyRoom, options: Any, language: str) -> LinkPreview:
    texts = TEXTS[language]
    name = game_name(game, language)
    within = texts.name_in_sentence(name)
    clock = "" if room.table.clock is None else clock_text(room.table.clock, texts)
    details = joined((*_tags(game, options, language), clock), texts)
    host = _host(room)
    title = texts.nameless if host is None else texts.invitation
    sentence = texts.nameless_to if host is None else texts.invitation_to
    picture = PreviewPicture(
        game=game.name,
        options=options,
        sentence=sentence.format(name=host),
        plain_sentence=texts.nameless_to,
        name=name,
        details=details,
        button=texts.play,
    )
    text = f"{details}{texts.stop}{texts.open_link}" if details else texts.open_link
    return LinkPreview(language, title.format(name=host, game=within), text, picture)


def _live_preview(game: Game, room: AnyRoom, options: Any, language: str) -> LinkPreview:
    texts = TEXTS[language]
    name = game_name(game, language)
    names = texts.names_between.join(
        _seat_name(taken.name, taken.bot, texts) for taken in room.seats if taken
    )
    details = joined(_tags(game, options, language), texts)
    picture = PreviewPicture(
        game=game.name, options=options, sentence=names, name=name, details=details, button=texts.watch
    )
    text = f"{details}{texts.stop}{texts.live_text}" if details else texts.live_text
    return LinkPreview(language, texts.live.format(names=names, game=name), text, picture)


def game_preview(games: Mapping[str, Game], ending: GameEnding, language: str) -> LinkPreview:
    """Return the preview of a finished game."""
    texts, game = TEXTS[language], games.get(ending.game)
    name = ending.game if game is None else game_name(game, language)
    sentence = _result(ending, texts)
    tags = () if game is None else _tags(game, ending.options, language)
    moves = texts.one_move if ending.moves == 1 else texts.moves.format(ending.moves)
    details = joined((*tags, moves), texts)
    picture = PreviewPicture(
        game=ending.game,
        options=ending.options,
        position=ending.position,
        sentence=sentence,
        plain_sentence=texts.finished,
        name=name,
        details=details,
        button=texts.replay,
    )
    return LinkPreview(
        language,
        texts.live.format(names=sentence, game=name),
        f"{details}{texts.stop}{texts.replay_text}",
        picture,
        indexed=ending.public,
    )


def _result(ending: GameEnding, texts: Texts) -> str:
    """Return who won against whom."""
    seats = [
        (seat in ending.winners, _seat_name(name, bot, texts))
        for seat, (name, bot) in enumerate(zip(ending.names, ending.bots, strict=True))
        if name
    ]
    if _ended_early(ending):
        return texts.ended_early.format(
            names=texts.names_between.join(dict.fromkeys(name for _, name in seats))
        )
    winners = texts.names_between.join(name for won, name in seats if won)
    others = texts.names_between.join(name for won, name in seats if not won)
    if not winners:
        return texts.drawn.format(names=others)
    return (texts.won_against if others else texts.won).format(winner=winners, others=others)


def _ended_early(ending: GameEnding) -> bool:
    """Tell whether a person left more than one bot: that is no win of the bots."""
    left = ending.reason in {"left", "resigned"}
    return left and len(ending.bots) > 2 and all(ending.bots[seat] for seat in ending.winners)


def game_name(game: Game, language: str) -> str:
    """Return the name of a game in a language."""
    return game.name.capitalize() if game.preview is None else game.preview.names.get(language, game.name)


def _tags(game: Game, options: Any, language: str) -> Sequence[str]:
    if game.preview is None:
        return ()
    try:
        with GameCode(BrokenPreview):
            return tuple(map(str, game.preview.tags(options, language)))
    except BrokenPreview:
        return ()


def _host(room: AnyRoom) -> str | None:
    """Return the name of the player who has been seated longest, if one is seated."""
    host = room.seats[room.host] if room.host < len(room.seats) else None
    persons = [taken for taken in (host, *room.seats) if taken is not None and _is_person(taken)]
    return persons[0].name if persons else None


def _is_person(taken: TakenSeat) -> bool:
    return not taken.bot and not taken.reserved


def _seat_name(name: str, bot: str, texts: Texts) -> str:
    return texts.computer if bot else name
