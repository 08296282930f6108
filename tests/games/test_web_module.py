"""The web module of a game from outside: its files, its address, and how the server serves it."""

import asyncio
import gzip
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Message, Scope

from qipai.games.game_registry import OWN_GAMES
from qipai.games.web_module import (
    LANGUAGES,
    MAX_BYTES,
    BrokenWebModule,
    WebModule,
    media_type,
    read_web_module,
)
from qipai.server.web_modules import routes
from qipai_reversi.game import GAME


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "texts").mkdir(parents=True)
    (folder / "index.js").write_text("export const game = {};")
    for language in LANGUAGES:
        (folder / "texts" / f"{language}.json").write_text('{"name": "x"}')
    return folder


class Answer(Response):
    """What the server answered."""

    def __init__(self, status: int, headers: dict[str, str], content: bytes) -> None:
        super().__init__(content, status, headers)


async def ask(path: str, encoding: str = "", method: str = "GET") -> Answer:
    """Return the answer of the routes of a server that offers Reversi."""
    app = Starlette(routes=routes({**OWN_GAMES, "reversi": GAME}))
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"accept-encoding", encoding.encode())],
    }
    await app(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))


def address() -> str:
    assert GAME.web is not None
    return GAME.web.address


def files() -> dict[str, bytes]:
    assert GAME.web is not None
    return dict(GAME.web.files)


def run(path: str, encoding: str = "", method: str = "GET") -> Answer:
    return asyncio.run(ask(path, encoding, method))


def test_every_file_is_served_with_its_media_type_and_without_a_time_limit() -> None:
    media = {"js": "text/javascript", "css": "text/css", "json": "application/json"}
    assert set(files()) >= {"index.js", "style.css", "texts/en.json"}
    for path, body in files().items():
        answer = run(f"{address()}/{path}")
        assert (answer.status_code, answer.body) == (200, body)
        assert answer.headers["content-type"].split(";")[0] == media[path.rpartition(".")[2]]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("path", "media"),
    [("disc.wav", "audio/wav"), ("sounds/disc.ogg", "audio/ogg"), ("disc.mp3", "audio/mpeg")],
)
def test_sounds_are_served(path: str, media: str) -> None:
    assert media_type(path) == media


def test_a_browser_that_accepts_gzip_receives_it() -> None:
    answer = run(f"{address()}/index.js", "gzip, br")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    assert gzip.decompress(bytes(answer.body)) == files()["index.js"]


@pytest.mark.parametrize(
    "path",
    [
        "{address}",
        "{address}/",
        "{address}/missing.js",
        "{address}/../index.js",
        "{address}/texts/../../../rules.py",
        "{address}/%2e%2e/rules.py",
        "{address}//index.js",
        "{address}/texts",
        "/games/reversi/0000000000000000/index.js",
        "/games/chess/index.js",
        "/games/",
    ],
)
def test_nothing_else_is_served(path: str) -> None:
    assert run(path.format(address=address())).status_code == 404


def test_only_get_and_head_are_allowed() -> None:
    assert run(f"{address()}/index.js", method="POST").status_code == 405


def test_the_games_are_listed_with_their_packages() -> None:
    listed = json.loads(bytes(run("/games").body))
    assert list(listed) == [*OWN_GAMES, "reversi"]
    assert listed["chess"]["package"] == "qipai"


def test_the_address_changes_with_every_file(web: Path) -> None:
    def changed() -> WebModule:
        return read_web_module("halma", web)

    first = changed()
    assert first.entry == f"{first.address}/index.js"
    assert first.address.startswith("/games/halma/")
    assert changed() == first
    (web / "texts" / "en.json").write_text('{"name": "y"}')
    second = changed()
    (web / "more.css").write_text("")
    third = changed()
    assert len({first.address, second.address, third.address}) == 3


def test_only_the_listed_kinds_of_files_and_no_hidden_ones_are_part_of_it(web: Path) -> None:
    for name in ("picture.svg", "sound.ogg", "README.md", "code.py", ".hidden.js", "page.html"):
        (web / name).write_text("x")
    (web / ".git").mkdir()
    (web / ".git" / "index.js").write_text("x")
    served = set(read_web_module("halma", web).files)
    assert served == {"index.js", "picture.svg", "sound.ogg", *(f"texts/{each}.json" for each in LANGUAGES)}


def test_of_a_module_that_is_too_large_no_more_than_the_limit_is_read(
    web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.ogg", "two.ogg", "three.ogg"):
        (web / name).write_bytes(bytes(MAX_BYTES))
    read = 0

    class CountedFile(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            nonlocal read
            body = super().read(size)
            read += len(body)
            return body

    monkeypatch.setattr(Path, "open", lambda path, mode="r", *_: CountedFile(path, mode))
    with pytest.raises(BrokenWebModule, match=f"more than {MAX_BYTES} bytes"):
        read_web_module("halma", web)
    assert 0 < read <= MAX_BYTES + 1


def test_a_module_that_is_not_in_a_file_system_is_limited_too(web: Path) -> None:
    archive = web.parent / "web.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in web.rglob("*.js*"):
            packed.write(path, f"web/{path.relative_to(web)}")
        packed.writestr("web/sound.ogg", bytes(MAX_BYTES + 1))
    with pytest.raises(BrokenWebModule, match=f"more than {MAX_BYTES} bytes"):
        read_web_module("halma", zipfile.Path(archive, "web/"))


def test_a_module_of_the_largest_size_is_read(web: Path) -> None:
    others = sum(path.stat().st_size for path in web.rglob("*") if path.is_file())
    (web / "sound.ogg").write_bytes(bytes(MAX_BYTES - others))
    assert len(read_web_module("halma", web).files["sound.ogg"]) == MAX_BYTES - others


def test_a_file_in_a_folder_that_is_too_deep_is_refused(web: Path) -> None:
    deep = web / "a" / "b" / "c" / "d"
    deep.mkdir(parents=True)
    (deep / "part.js").write_text("x")
    assert "a/b/c/d/part.js" in read_web_module("halma", web).files
    (deep / "e").mkdir()
    (deep / "e" / "part.js").write_text("x")
    with pytest.raises(BrokenWebModule, match="a/b/c/d/e: folders of a web module are nested at most 4 deep"):
        read_web_module("halma", web)


def test_a_folder_that_contains_itself_is_refused(web: Path) -> None:
    (web / "again").symlink_to(web)
    with pytest.raises(BrokenWebModule, match="nested at most 4 deep"):
        read_web_module("halma", web)


def test_a_module_may_have_texts_in_more_languages(web: Path) -> None:
    (web / "texts" / "fr.json").write_text('{"name": "x"}')
    assert "texts/fr.json" in read_web_module("halma", web).files


def test_every_game_has_texts_in_languages_of_the_page() -> None:
    languages = (Path(__file__).parents[2] / "web" / "src" / "i18n" / "languages.ts").read_text()
    for language in LANGUAGES:
        assert re.search(rf'^  "?{language}"?: ', languages, re.MULTILINE | re.IGNORECASE), language
