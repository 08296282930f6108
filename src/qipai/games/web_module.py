"""The files with which a game from outside appears in the page: read and checked once."""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple

ENTRY: Final = "index.js"
LANGUAGES: Final = ("en", "zh-hant", "zh-hans")
"""Languages in which every game has texts. For any other language, a game without it shows English."""
MEDIA_TYPES: Final[Mapping[str, str]] = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "wav": "audio/wav",
    "webp": "image/webp",
}
"""The kinds of files that are served, by the ending of their name."""
MAX_BYTES: Final = 4 * 1024 * 1024
_MAX_DEPTH: Final = 4
_DIGITS: Final = 16
"""Hexadecimal digits of the hash in the address."""
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class BrokenWebModule(ValueError):
    """A web module cannot be served; the text is the reason."""


class WebModule(NamedTuple):
    """The files of a web module by their path in its folder.

    `address` is the path of the folder on the server. It contains a hash of all files, so that browsers may
    cache them without a time limit.
    """

    address: str
    files: Mapping[str, bytes]

    @property
    def entry(self) -> str:
        """Return the address of the JavaScript module that the page imports."""
        return f"{self.address}/{ENTRY}"


def read_web_module(game: str, folder: Traversable) -> WebModule:
    """Return the web module in a folder, or raise `BrokenWebModule`."""
    files = _read_files(folder)
    if ENTRY not in files:
        raise BrokenWebModule(f"no {ENTRY} in the folder of its web module")
    _check_texts(files)
    # The length before each part: otherwise different files could give the same hash.
    parts = [part for path, body in files.items() for part in (path.encode(), body)]
    digest = sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
    return WebModule(f"/games/{game}/{digest[:_DIGITS]}", files)


def media_type(path: str) -> str | None:
    """Return the media type of a file, or None if such files are not served."""
    return MEDIA_TYPES.get(path.rpartition(".")[2])


def _read_files(folder: Traversable) -> dict[str, bytes]:
    """Return the files that are served, by their path; at most `MAX_BYTES` are read."""
    files: dict[str, bytes] = {}
    left = MAX_BYTES
    for path, file in _served(folder) if folder.is_dir() else ():
        with file.open("rb") as opened:
            files[path] = opened.read(left + 1)
        left -= len(files[path])
        if left < 0:
            raise BrokenWebModule(f"its web module has more than {MAX_BYTES} bytes")
    return dict(sorted(files.items()))


def _served(folder: Traversable, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Traversable]]:
    """Yield the files that are served; others, such as a README or a hidden folder, are not."""
    if depth > _MAX_DEPTH:
        reason = f"folders of a web module are nested at most {_MAX_DEPTH} deep"
        raise BrokenWebModule(f"{prefix.removesuffix('/')}: {reason}")
    for entry in folder.iterdir():
        if not _FILE_NAME.fullmatch(entry.name):
            continue
        path = prefix + entry.name
        if entry.is_dir():
            yield from _served(entry, f"{path}/", depth + 1)
        elif media_type(path) is not None:
            yield path, entry


def _check_texts(files: Mapping[str, bytes]) -> None:
    """Raise `BrokenWebModule` unless all languages have the same texts with the same placeholders."""
    texts = {
        path.removeprefix("texts/").removesuffix(".json"): _read_texts(path, body)
        for path, body in files.items()
        if path.startswith("texts/") and path.endswith(".json")
    }
    for language in LANGUAGES:
        if language not in texts:
            raise BrokenWebModule(f"no texts/{language}.json in its web module")
    english = texts[LANGUAGES[0]]
    if "name" not in english:
        raise BrokenWebModule("the text 'name' is missing in texts/en.json")
    for language, others in texts.items():
        for key in english:
            if key not in others:
                raise BrokenWebModule(f"the text {key!r} is missing in texts/{language}.json")
            if _placeholders(english[key]) != _placeholders(others[key]):
                raise BrokenWebModule(f"the text {key!r} has other placeholders in texts/{language}.json")
        for key in others:
            if key not in english:
                raise BrokenWebModule(
                    f"the text {key!r} is in texts/{language}.json, but not in texts/en.json"
                )


def _read_texts(path: str, body: bytes) -> Mapping[str, str]:
    """Return the texts of a language by their keys; those of an inner object are joined with a dot."""
    try:
        return dict(_flattened(json.loads(body), ""))
    except (ValueError, TypeError):
        raise BrokenWebModule(f"{path} is not a JSON object of texts") from None


def _flattened(texts: Any, prefix: str) -> Iterator[tuple[str, str]]:
    if not isinstance(texts, dict):
        raise TypeError
    for key, value in texts.items():
        if isinstance(value, str):
            yield prefix + key, value
        else:
            yield from _flattened(value, f"{prefix}{key}.")


def _placeholders(text: str) -> frozenset[str]:
    return frozenset(_PLACEHOLDER.findall(text))
