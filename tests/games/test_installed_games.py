"""Games from outside: what is used, and what is left out with the reason in one line."""

import json
import sys
from collections.abc import Callable
from email.message import Message
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct

from qipai.games.game import INTERFACE, Game
from qipai.games.game_checks import check_game
from qipai.games.game_registry import GAMES, OWN_GAMES
from qipai.games.installed_games import GROUP, RejectedGame, installed_games, load_games
from qipai.games.web_module import LANGUAGES
from qipai_reversi.bots import BOTS
from qipai_reversi.rules import RULES, GameEvent, Reversi

TEXTS = {"name": "Some game", "move": "Move {number}", "reasons": {"won": "with luck"}}


class FakeDistribution(Distribution):
    """An installed package that exists only here."""

    def __init__(self, package: str) -> None:
        self._package = package

    @property
    def metadata(self) -> Message:  # type: ignore[override] # newer Pythons have a type of their own
        """Return name and version."""
        found = Message()
        found["Name"], found["Version"] = self._package, "1.2.3"
        return found

    def read_text(self, filename: str) -> str | None:
        return None

    def locate_file(self, path: object) -> Path:
        return Path(str(path))


def entry_point(name: str, package: str = "some-package", value: str = "") -> EntryPoint:
    point = EntryPoint(name, value or f"module_of_{name}:GAME", GROUP)
    vars(point)["dist"] = FakeDistribution(package)
    return point


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Return the folder of a complete web module."""
    folder = tmp_path / "web"
    (folder / "texts").mkdir(parents=True)
    (folder / "index.js").write_text("export const game = {};")
    for language in LANGUAGES:
        (folder / "texts" / f"{language}.json").write_text(json.dumps(TEXTS))
    return folder


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., EntryPoint]:
    """Return a function that makes a module with a game, and returns its entry point."""

    def make(name: str, game: object, package: str = "some-package") -> EntryPoint:
        module = ModuleType(f"module_of_{name}_in_{package.replace('-', '_')}")
        vars(module)["GAME"] = game
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return entry_point(name, package, f"{module.__name__}:GAME")

    return make


def game_called(name: str, web: Path | None, interface: int = INTERFACE) -> Game:
    rules = type("Renamed", (Reversi,), {"name": name})()
    return Game(rules, BOTS, GameEvent, interface=interface, web=web)


def rejected(point: EntryPoint, *taken: str) -> RejectedGame:
    """Return the only game that is left out; there is no other."""
    games, (left_out,) = load_games([point], taken)
    assert games == []
    assert "\n" not in str(left_out)
    return left_out


def test_a_complete_package_is_used_and_named_with_its_version(
    install: Callable[..., EntryPoint], web: Path
) -> None:
    game = game_called("halma", web)
    (found,), left_out = load_games([install("halma", game)], OWN_GAMES)
    assert (found.game, found.package, found.version) == (game, "some-package", "1.2.3")
    assert left_out == []


def test_the_own_games_are_all_there_and_none_has_a_web_module() -> None:
    assert set(OWN_GAMES) == {"tictactoe", "gomoku", "chess", "mahjong"}
    assert set(OWN_GAMES) <= set(GAMES)
    assert all(game.web is None for game in OWN_GAMES.values())


def test_a_rejection_names_package_game_and_reason_in_one_line() -> None:
    left_out = rejected(entry_point("halma", value="no_such_module:GAME"))
    assert str(left_out) == (
        "game halma of package some-package 1.2.3 is left out: "
        "ModuleNotFoundError: No module named 'no_such_module'"
    )


@pytest.mark.parametrize("interface", [0, INTERFACE + 1])
def test_another_interface_number_is_left_out(
    install: Callable[..., EntryPoint], web: Path, interface: int
) -> None:
    point = install("halma", game_called("halma", web, interface))
    assert rejected(point).reason == f"written for interface {interface}, this server has {INTERFACE}"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise RuntimeError('first line\\nsecond line')", "RuntimeError: first line second line"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class Stop(BaseException): pass\nraise Stop('now')", "Stop: now"),
        ("class Odd(Exception):\n def __str__(self): return 1 / 0\nraise Odd", "Odd"),
        ("1 +", "SyntaxError: "),
        ("ANOTHER = 1", "AttributeError: "),
    ],
)
def test_an_exception_at_import_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, reason: str
) -> None:
    (tmp_path / "broken_game.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_game", raising=False)
    assert rejected(entry_point("halma", value="broken_game:GAME")).reason.startswith(reason)


def test_something_that_is_no_game_is_left_out(install: Callable[..., EntryPoint]) -> None:
    assert rejected(install("halma", "a text")).reason.endswith("is str, not Game")


@pytest.mark.parametrize("name", ["Halma", "x", "a-b", "1x", "x" * 22, "halma ", "hälma"])
def test_a_name_that_is_not_allowed_is_left_out(
    install: Callable[..., EntryPoint], web: Path, name: str
) -> None:
    assert rejected(install(name, game_called(name, web))).reason.startswith("a name has")


def test_a_name_that_differs_from_the_name_of_the_rules_is_left_out(
    install: Callable[..., EntryPoint], web: Path
) -> None:
    assert rejected(install("halma", game_called("salta", web))).reason == "its rules call it 'salta'"


def test_a_name_of_our_own_games_is_taken(install: Callable[..., EntryPoint], web: Path) -> None:
    left_out = rejected(install("chess", game_called("chess", web)), *OWN_GAMES)
    assert left_out.reason == "there is another game of this name"


def test_of_two_packages_with_the_same_name_the_first_by_alphabet_is_used(
    install: Callable[..., EntryPoint], web: Path
) -> None:
    late = install("halma", game_called("halma", web), "zebra")
    early = install("halma", game_called("halma", web), "apple")
    for order in ([late, early], [early, late]):
        (used,), (left_out,) = load_games(order, ())
        assert (used.package, left_out.package) == ("apple", "zebra")
        assert left_out.reason == "there is another game of this name"


def test_a_broken_package_does_not_keep_others_out(install: Callable[..., EntryPoint], web: Path) -> None:
    points = [entry_point("ahead", value="no_such_module:GAME"), install("halma", game_called("halma", web))]
    games, left_out = load_games(points, ())
    assert [each.game.name for each in games] == ["halma"]
    assert [each.name for each in left_out] == ["ahead"]


class Unknown:
    """A type that msgspec does not know."""


class Untagged(Struct):
    """An event without a tag."""


class OtherTag(Struct, tag_field="type", tag="other"):
    """An event that the page would not recognize."""


class Incomplete:
    """The rules of Reversi without one member."""

    def __init__(self, missing: str) -> None:
        self._missing = missing

    def __getattr__(self, name: str) -> object:
        if name == self._missing:
            raise AttributeError(name)
        return "halma" if name == "name" else getattr(RULES, name)


UNION = tuple[int, ...] | list[int]
BROKEN_GAMES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no events": ({}, {"events": None}, "events is not a tagged struct or a union"),
    "an object as events": ({}, {"events": object()}, "msgspec cannot read events: TypeError: "),
    "an unknown type as events": ({}, {"events": Unknown}, "msgspec cannot read events: TypeError: "),
    "untagged events": ({}, {"events": Untagged}, "events is not a tagged struct or a union"),
    "another tag": ({}, {"events": OtherTag}, "the tag of the event OtherTag is not in the field 'e'"),
    "seats in words": ({"seats": "two"}, {}, "seats of its rules is 'two', not a number from 1 to 16"),
    "no seats": ({"seats": 0}, {}, "seats of its rules is 0, not"),
    "seventeen seats": ({"seats": 17}, {}, "seats of its rules is 17, not"),
    "seats that are true": ({"seats": True}, {}, "seats of its rules is True, not"),
    "state type": ({"state_type": UNION}, {}, "msgspec cannot read state_type: TypeError: "),
    "unknown state type": ({"state_type": Unknown}, {}, "msgspec cannot read state_type: TypeError: "),
    "unknown move type": ({"move_type": Unknown}, {}, "msgspec cannot read move_type: TypeError: "),
    "option type": ({"option_type": UNION}, {}, "msgspec cannot read option_type: TypeError: "),
    "options to choose": ({}, {"choosable_options": UNION}, "msgspec cannot read choosable_options: "),
    "a method that is none": ({"legal": 3}, {}, "legal of its rules is not a method"),
    "a property that raises": ({"offers": property(lambda rules: 1 / 0)}, {}, "ZeroDivisionError"),
    "offers": ({"offers": ["undo"]}, {}, "offers of its rules is not a frozenset of OfferKind"),
    "rules number": ({}, {"rules_number": "x"}, "rules_number is 'x', not a number from 1"),
    "rules number 0": ({}, {"rules_number": 0}, "rules_number is 0, not a number from 1"),
    "migrations": ({}, {"migrations": {1: print}}, "migrations is not a mapping of rules numbers"),
    "no migrations": ({}, {"migrations": None}, "migrations is not a mapping of rules numbers"),
    "suffix": ({}, {"record_suffix": "../x"}, "record_suffix is '../x', not"),
    "record": ({}, {"write_record": "sgf"}, "write_record, roll_lines or points is not a function"),
    "phrases": ({}, {"phrases": ("hi",)}, "phrases is not a tuple of Phrase"),
    "substitute": ({}, {"substitute_bot": "nobody"}, "there is no bot 'nobody' to substitute players"),
    "bot": ({}, {"bots": (SimpleNamespace(name="x"),)}, "its bot 'x' does not follow the Bot interface"),
}


@pytest.mark.parametrize(("rules", "fields", "reason"), BROKEN_GAMES.values(), ids=BROKEN_GAMES)
def test_a_game_that_does_not_follow_the_interface_is_left_out(
    install: Callable[..., EntryPoint],
    web: Path,
    rules: dict[str, Any],
    fields: dict[str, Any],
    reason: str,
) -> None:
    changed = type("Changed", (Reversi,), {"name": "halma", **rules})()
    given = {"bots": BOTS, "events": GameEvent, "interface": INTERFACE, "web": web, **fields}
    assert rejected(install("halma", Game(changed, **given))).reason.startswith(reason)


@pytest.mark.parametrize("missing", ["legal", "deal", "seats", "offers", "state_type", "option_type"])
def test_a_game_without_a_member_of_the_rules_is_left_out(
    install: Callable[..., EntryPoint], web: Path, missing: str
) -> None:
    rules: Any = Incomplete(missing)
    game = Game(rules, BOTS, GameEvent, interface=INTERFACE, web=web)
    assert rejected(install("halma", game)).reason == f"its rules have no {missing}"


@pytest.mark.parametrize("name", OWN_GAMES)
def test_our_own_games_follow_the_interface(name: str) -> None:
    check_game(OWN_GAMES[name])


def test_a_game_without_a_web_module_is_left_out(install: Callable[..., EntryPoint]) -> None:
    assert rejected(install("halma", game_called("halma", None))).reason == "it has no web module"


def broken(web: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return why a game with this web module is left out when its module is imported."""
    source = (
        "from pathlib import Path\n"
        "from qipai.games.game import Game\n"
        "from qipai_reversi.rules import RULES, GameEvent\n"
        f"GAME = Game(RULES, (), GameEvent, interface=1, web=Path({str(web)!r}))\n"
    )
    (web.parent / "module_with_web.py").write_text(source)
    monkeypatch.syspath_prepend(web.parent)
    monkeypatch.delitem(sys.modules, "module_with_web", raising=False)
    return rejected(entry_point("reversi", value="module_with_web:GAME")).reason


def test_a_missing_folder_or_entry_module_is_left_out(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = "BrokenWebModule: no index.js in the folder of its web module"
    (web / "index.js").unlink()
    assert broken(web, monkeypatch) == expected
    assert RULES.name == "reversi"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_language_is_left_out(web: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    (web / "texts" / f"{language}.json").unlink()
    assert broken(web, monkeypatch) == f"BrokenWebModule: no texts/{language}.json in its web module"


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({**TEXTS, "reasons": {}}, "the text 'reasons.won' is missing in texts/zh-hans.json"),
        ({"name": "x", "move": "x {number}"}, "the text 'reasons.won' is missing in texts/zh-hans.json"),
        ({**TEXTS, "more": "x"}, "the text 'more' is in texts/zh-hans.json, but not in texts/en.json"),
        ({**TEXTS, "move": "x {count}"}, "the text 'move' has other placeholders in texts/zh-hans.json"),
        (["name"], "texts/zh-hans.json is not a JSON object of texts"),
        ({**TEXTS, "name": 3}, "texts/zh-hans.json is not a JSON object of texts"),
    ],
)
def test_texts_that_differ_between_languages_are_left_out(
    web: Path, monkeypatch: pytest.MonkeyPatch, texts: object, reason: str
) -> None:
    (web / "texts" / "zh-hans.json").write_text(json.dumps(texts))
    assert broken(web, monkeypatch) == f"BrokenWebModule: {reason}"


def test_texts_that_are_no_json_are_left_out(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (web / "texts" / "en.json").write_bytes(b"\xff{")
    assert broken(web, monkeypatch) == "BrokenWebModule: texts/en.json is not a JSON object of texts"


def test_a_game_without_a_name_in_the_page_is_left_out(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for language in LANGUAGES:
        (web / "texts" / f"{language}.json").write_text("{}")
    assert broken(web, monkeypatch) == "BrokenWebModule: the text 'name' is missing in texts/en.json"


BROKEN_ENTRY_POINTS = {
    "a line without an equals sign": b"[qipai.games]\nhalma\n",
    "not UTF-8": b"[qipai.games]\nhalma = \xff:GAME\n",
}


def add_distribution(folder: Path, name: str, points: bytes, metadata: str | None) -> None:
    """Write the metadata of an installed package."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_bytes(points)
    if metadata is not None:
        (info / "METADATA").write_text(metadata)


def named(name: str) -> str:
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"


def rejected_here(*packages: str) -> list[RejectedGame]:
    """Return the rejected games of these packages; others may be installed where the tests run."""
    return [each for each in installed_games(OWN_GAMES)[1] if each.package in packages]


@pytest.mark.parametrize("points", BROKEN_ENTRY_POINTS.values(), ids=BROKEN_ENTRY_POINTS)
def test_entry_points_that_cannot_be_read_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: bytes
) -> None:
    add_distribution(tmp_path, "damaged", points, named("damaged"))
    add_distribution(tmp_path, "whole", b"[qipai.games]\nhalma = no_such_module:GAME\n", named("whole"))
    monkeypatch.syspath_prepend(tmp_path)
    damaged, whole = rejected_here("damaged", "whole")
    assert str(damaged).startswith(
        "game ? of package damaged 1.0 is left out: entry_points.txt cannot be read: "
    )
    assert "\n" not in str(damaged)
    assert whole.name == "halma"


def test_damaged_entry_points_of_other_groups_are_no_concern(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_distribution(tmp_path, "damaged", b"[console_scripts]\nhalma\n", named("damaged"))
    monkeypatch.syspath_prepend(tmp_path)
    assert rejected_here("damaged") == []


@pytest.mark.parametrize("metadata", [None, "", "Version: 1.0\n", "Name:\nVersion:\n"])
def test_a_package_without_a_name_is_one_line_beside_a_package_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metadata: str | None
) -> None:
    points = b"[qipai.games]\nhalma = no_such_module:GAME\n"
    add_distribution(tmp_path, "nameless", points, metadata)
    add_distribution(tmp_path, "whole", points, named("whole"))
    monkeypatch.syspath_prepend(tmp_path)
    assert {each.package for each in rejected_here("?", "whole")} == {"?", "whole"}


def test_a_package_that_is_installed_twice_is_used_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path / "second", tmp_path / "first"):
        folder.mkdir()
        points = f"[qipai.games]\nhalma = missing_in_{folder.name}:GAME\n".encode()
        add_distribution(folder, "twofold", points, named("twofold"))
        monkeypatch.syspath_prepend(folder)
    (left_out,) = rejected_here("twofold")
    assert "missing_in_first" in left_out.reason
