"""The build of the page fails when a language misses a text; a new language is one folder and one line."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "web"
GUIDE: Final = ROOT / "docs" / "adding-a-language.md"
LANGUAGES: Final = ["en", "zh-hant", "zh-hans"]
GAMES: Final = sorted(path.name for path in (WEB / "src" / "games").iterdir() if path.is_dir())

pytestmark = pytest.mark.slow


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the page in a folder with nothing else beside it."""
    return subprocess.run(
        [ROOT / "tools" / "npm", "run", "build"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Return a copy of the page's source that can be built."""
    if not (WEB / "node_modules").is_dir():
        if os.environ.get("CI"):
            pytest.fail("there are no node_modules: run make setup")
        pytest.skip("NOT TESTED: there are no node_modules")
    folder = tmp_path / "web"
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(WEB / "node_modules")
    return folder


def expect_failure(web: Path, text: str) -> None:
    """Build the page and expect that the build fails, names this text and writes nothing."""
    done = build(web)
    assert done.returncode != 0
    assert text in done.stdout + done.stderr
    assert not (web.parent / "src").exists(), "nothing was built"


def remove_line(file: Path, start: str) -> None:
    """Remove the only line of a file that starts like this."""
    lines = file.read_text().splitlines()
    kept = [line for line in lines if not line.startswith(start)]
    assert len(kept) + 1 == len(lines)
    file.write_text("\n".join(kept))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_build_fails_when_a_language_misses_a_text(web: Path, language: str) -> None:
    remove_line(web / "src" / "i18n" / language / "common.ts", "  skip:")
    expect_failure(web, "skip")


def test_the_build_fails_when_a_game_misses_a_text(web: Path) -> None:
    remove_line(web / "src" / "games" / "gomoku" / "texts" / "zh-hant.ts", "  lastStone:")
    expect_failure(web, "lastStone")


def test_the_build_fails_when_a_game_has_no_texts_in_a_language(web: Path) -> None:
    (web / "src" / "games" / "gomoku" / "texts" / "zh-hant.ts").unlink()
    expect_failure(web, "games/gomoku/texts/zh-hant.ts")


def test_the_build_fails_when_the_settings_of_a_game_have_no_texts_in_a_language(web: Path) -> None:
    (web / "src" / "games" / "chess" / "settings" / "texts" / "zh-hans.ts").unlink()
    expect_failure(web, "games/chess/settings/texts/zh-hans.ts")


def code_block(language: str) -> str:
    """Return the only code block of this language in the guide."""
    (block,) = re.findall(rf"(?ms)^ *```{language}\n(.*?)^ *```$", GUIDE.read_text())
    return dedent(block) if language == "sh" else block


def add_language(web: Path) -> Path:
    """Add French, with English texts, as the guide says; return the folder."""
    subprocess.run(["sh", "-eu", "-c", code_block("sh")], cwd=web.parent, check=True)
    listed = web / "src" / "i18n" / "languages.ts"
    line = code_block("ts").removeprefix("   ")
    assert line.count("\n") == 1
    listed.write_text(re.sub(r"(?m)^(  en: .*\n)", lambda found: found[1] + line, listed.read_text()))
    return web / "src" / "i18n" / "fr"


def test_the_guide_names_every_game() -> None:
    games, with_settings = re.findall(r"for game in (.*); do", code_block("sh"))
    assert games.split() == GAMES
    assert with_settings.split() == [
        game for game in GAMES if (WEB / "src" / "games" / game / "settings").is_dir()
    ]


def test_a_fourth_language_is_one_folder_and_one_line(web: Path) -> None:
    add_language(web)
    done = build(web)
    assert done.returncode == 0, done.stdout + done.stderr
    page = web.parent / "src" / "qipai" / "page"
    types = (page / "board-kit.d.ts").read_text()
    assert types == (WEB / "board-kit.d.ts").read_text(), "authors of games find them in the package"
    assert "Français" in "".join(file.read_text() for file in page.glob("assets/index-*.js"))


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("table.ts", "  bots: {"),
        ("games/mahjong.ts", "  selfDrawn:"),
        ("lessons/chess.ts", "    castleCheck:"),
    ],
)
def test_the_build_fails_when_a_fourth_language_misses_a_text(web: Path, file: str, line: str) -> None:
    remove_line(add_language(web) / file, line)
    expect_failure(web, "src/i18n/fr/" + file)


@pytest.mark.parametrize("file", ["games/chess.ts", "lessons/gomoku.ts", "lessons/learn.ts"])
def test_the_build_fails_when_a_fourth_language_misses_a_game(web: Path, file: str) -> None:
    (add_language(web) / file).unlink()
    expect_failure(web, f"src/i18n/fr/{file}")


def test_the_build_fails_when_a_lesson_misses_a_text(web: Path) -> None:
    remove_line(web / "src" / "games" / "chess" / "learn" / "texts" / "zh-hans.ts", "    castleCheck:")
    expect_failure(web, "castleCheck")
