"""Pictures of shared links: what is drawn, what is not, and how many at once."""

import asyncio
import io
import threading
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from PIL import Image

from qipai.games.game import Game
from qipai.games.game_registry import OWN_GAMES
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.hall.people.address_refusals import AddressLimit, AddressRefusals
from qipai.kernel.game_interface.game_preview import LANGUAGES, GamePreview, Rectangle, Sprite
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.server.previews.link_preview import PreviewPicture, site_preview
from qipai.server.previews.picture_drawing import HEIGHT, WIDTH, can_write, draw_picture
from qipai.server.previews.picture_service import (
    MOST_OF_ADDRESS,
    MOST_WAITING,
    PictureService,
    content_hash,
)
from qipai.server.previews.preview_texts import SITE, TEXTS

OPTIONS: Final = {"chess": ({}, {"fog": True}, {"dice": "free", "mines": 5}), "gomoku": ({}, {"size": 19})}


def picture(game: str, position: Any = None, options: Any = None, **more: Any) -> Image.Image:
    content = PreviewPicture(game, options or {}, position, **more)
    image = Image.open(io.BytesIO(draw_picture(OWN_GAMES, content)))
    image.load()
    return image


def view(game: str, state: Any, viewer: Seat = SPECTATOR, *, over: bool = False) -> Any:
    return msgspec.to_builtins(OWN_GAMES[game].rules.view(state, viewer, over=over))


def start(game: str, seed: int = 0, **options: Any) -> Any:
    rules = OWN_GAMES[game].rules
    return rules.deal(msgspec.convert(options, rules.option_type), Random(bytes([seed] * 32)), None)


@pytest.mark.parametrize("game", [*OWN_GAMES, "", "unknown"])
def test_every_game_has_a_picture(game: str) -> None:
    for options in OPTIONS.get(game, ({},)):
        image = picture(game, options=options, sentence="Mei invites you to", name="A game", button="Play")
        assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_position_is_drawn(game: str) -> None:
    positions = {
        "chess": ({"fen": "8/8/8/8/8/8/8/K6k w - - 0 1"}, {"fen": "8/8/8/8/8/8/8/K5k1 w - - 0 1"}),
        "gomoku": ({"moves": [112]}, {"moves": [113]}),
        "tictactoe": ({"board": "X........"}, {"board": "O........"}),
        "mahjong": ({"players": [{"tiles": [0, 4]}]}, {"players": [{"tiles": [0, 8]}]}),
    }[game]
    one, other = (picture(game, position) for position in positions)
    assert one.tobytes() != other.tobytes() != picture(game).tobytes()


@pytest.mark.parametrize("game", OWN_GAMES)
def test_what_the_rules_show_can_be_drawn(game: str) -> None:
    assert picture(game, view(game, start(game))).tobytes() != picture(game).tobytes() or game == "chess"


def test_what_fog_hides_is_not_drawn() -> None:
    """Spectators see nothing of a game in fog: two positions that differ have the same picture."""
    state = start("chess", fog=True)
    rules = OWN_GAMES["chess"].rules
    move = msgspec.convert({"do": "move", "uci": "e2e4"}, rules.move_type)
    moved = rules.play(state, rules.to_act(state)[0], move, Random(bytes(32))).state
    shown = [picture("chess", view("chess", one)).tobytes() for one in (state, moved)]
    assert shown[0] == shown[1]
    assert picture("chess", view("chess", moved, over=True)).tobytes() != shown[0]


def test_hands_of_mahjong_lie_face_down() -> None:
    shown = [view("mahjong", start("mahjong", seed, tiles=16)) for seed in (1, 2)]
    bare = [
        {"players": [{**player, "flowers": [], "count": 16, "melds": []} for player in one["players"]]}
        for one in shown
    ]
    assert picture("mahjong", bare[0]).tobytes() == picture("mahjong", bare[1]).tobytes()


@pytest.mark.parametrize("position", [{"fen": 5}, {"board": "?"}, [], "text", {"moves": [["x"]]}, 7])
@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_position_of_other_rules_is_drawn_as_a_table(game: str, position: Any) -> None:
    assert picture(game, position).size == (WIDTH, HEIGHT)


def broken(game: Game, preview: GamePreview) -> Mapping[str, Game]:
    made = Game(game.rules, tuple(game.bots.values()), game.events, preview=preview)
    return {made.name: made}


def test_a_fault_in_a_game_from_outside_leaves_the_logo() -> None:
    def fail(options: Any, position: Any) -> list[Rectangle]:
        raise SystemExit

    preview = GamePreview({}, lambda options, language: (), fail)
    games = broken(OWN_GAMES["tictactoe"], preview)
    content = PreviewPicture("tictactoe")
    assert draw_picture(games, content) == draw_picture({}, content)
    odd = [Sprite(b"no image", (0, 0, 1, 1), 0, 0, 1, 1)]
    games = broken(OWN_GAMES["tictactoe"], preview._replace(draw=lambda options, position: odd))
    assert draw_picture(games, content) == draw_picture({}, content)


@pytest.mark.parametrize(
    "name",
    ["蔡英文", "\U0001f600", "مرحبا", "e\u0301\u0301\u0301", "W" * 40, "a b " * 10, "\u202eabc", "Jürgen"],
)
def test_a_name_of_any_characters_has_a_picture(name: str) -> None:
    plain = picture("chess", sentence="You are invited to").tobytes()
    shown = picture("chess", sentence=f"{name} invites you to", plain_sentence="You are invited to").tobytes()
    assert (shown == plain) == (not can_write(name))


def test_long_texts_end_above_the_button() -> None:
    names = "Oriole of the northern mountains"
    long = {"sentence": " ".join([names] * 4), "name": names, "details": " · ".join([names] * 3)}
    shown = picture("chess", **long, button="Replay").convert("RGB")
    seal = min(y for y in range(300, shown.height) if shown.getpixel((650, y)) == (168, 50, 42))
    above = shown.crop((600, seal - 4, shown.width, seal))
    assert above.getcolors() == [(above.width * above.height, (246, 242, 233))]


def test_the_font_has_all_texts_in_all_languages() -> None:
    previews = [game.preview for game in OWN_GAMES.values()]
    assert {*TEXTS} == {*LANGUAGES}
    for language, texts in TEXTS.items():
        named = [preview.names[language] for preview in previews if preview is not None]
        tags = [
            tag
            for game, preview in zip(OWN_GAMES, previews, strict=True)
            for options in (
                {"fog": True, "dice": "free", "mines": 3},
                {"rule": "renju", "size": 19},
                {"rounds": 1},
            )
            if preview is not None
            for tag in preview.tags(options, language)
        ]
        words = [text for text in texts if isinstance(text, str)]
        assert [text for text in (*named, *tags, *words, SITE) if not can_write(text)] == []
        assert all(words)


def test_languages_differ_in_every_text() -> None:
    for field in (
        "site",
        "invitation",
        "open_link",
        "play",
        "live_text",
        "won_against",
        "drawn",
        "replay_text",
    ):
        assert len({getattr(texts, field) for texts in TEXTS.values()}) >= 2, field
    hashes = {content_hash(site_preview(language).picture) for language in LANGUAGES}
    assert len(hashes) == len(LANGUAGES)


# How many at once


class Drawing:
    """Draws when it is told to, and counts."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.drawn: list[str] = []
        self.threads: set[int] = set()

    def __call__(self, content: PreviewPicture) -> bytes:
        self.go.wait(60)
        self.drawn.append(content.name)
        self.threads.add(threading.get_ident())
        return b"x" * 1000


def ask(service: PictureService, name: str, address: str = "") -> "asyncio.Task[bytes]":
    content = PreviewPicture(name=name)
    return asyncio.ensure_future(service.picture(content, content_hash(content), address))


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def test_a_bounded_number_of_pictures_waits_and_one_is_drawn_at_a_time() -> None:
    async def run() -> None:
        drawing = Drawing()
        service = PictureService(drawing, AddressRefusals())
        waiting = [ask(service, str(number)) for number in range(MOST_WAITING)]
        await settle()
        with pytest.raises(TooManyRequests):
            await ask(service, "one more")
        same = ask(service, "0")
        drawing.go.set()
        await asyncio.gather(*waiting, same)
        assert sorted(drawing.drawn) == sorted(map(str, range(MOST_WAITING)))
        assert len(drawing.threads) == 1
        assert threading.get_ident() not in drawing.threads
        await ask(service, "one more")
        await ask(service, "0")
        assert drawing.drawn.count("0") == 1

    asyncio.run(run())


def test_one_address_has_few_places() -> None:
    async def run() -> None:
        drawing, refused = Drawing(), AddressRefusals()
        service = PictureService(drawing, refused)
        waiting = [ask(service, str(number), "192.0.2.1") for number in range(MOST_OF_ADDRESS)]
        await settle()
        with pytest.raises(TooManyFromAddress):
            await ask(service, "one more", "192.0.2.1")
        assert refused[AddressLimit.PREVIEWS] == 1
        waiting.append(ask(service, "other", "192.0.2.2"))
        drawing.go.set()
        await asyncio.gather(*waiting)

    asyncio.run(run())


def test_the_hash_tells_contents_apart() -> None:
    content = PreviewPicture("chess", {"fog": True}, {"fen": "8/8"}, "Mei", "", "Chess")
    assert content_hash(content) == content_hash(replace(content))
    others = [replace(content, options={}), replace(content, position=None), replace(content, sentence="Ken")]
    assert len({content_hash(one) for one in (content, *others)}) == 4
