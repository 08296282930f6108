"""The writing rules that a machine can check: words that are not used, and the sizes of folders and files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SCANNED: Final = (
    "src",
    "web/src",
    "web/test",
    "tests",
    "docs",
    "bench",
    "tools",
    "examples",
    "deploy",
    "*.md",
    "Makefile",
)
TEXT_FILES: Final = {
    ".css",
    ".html",
    ".js",
    ".json",
    ".jsonl",
    ".md",
    ".mjs",
    ".py",
    ".toml",
    ".ts",
    ".tsx",
    ".txt",
    ".yml",
    "",
}
SKIPPED_FOLDERS: Final = {".venv", "__pycache__", "node_modules", "page", "shots", "screenshots"}
SKIPPED_FILES: Final = {"package-lock.json"}
"""Their checksums contain any word."""
UNUSED_WORDS: Final = re.compile(
    r"(?<![A-Za-z])(whoever|in[ _]vain|lest|anew|he|his|him|himself)(?![A-Za-z])", re.IGNORECASE
)
"""Old-fashioned words, and pronouns that make every player a man."""
ALLOWED: Final = {
    "tests/test_plain_words.py": "",
    "web/test/replay/openedGame.test.ts": "Philidor (his own)",
    "tests/browser/table/test_page_match.py": "He should take the corner",
}
"""Files and the text in them that may contain such a word: records and chat lines of people."""
MAX_FILES: Final = 15
"""Files in one folder, not counting `__init__.py`."""
MAX_LINES: Final = 350
"""Lines of one file, unless its first lines give a reason that contains the word "lines" or "generated"."""
CODE: Final = {".py", ".ts", ".tsx", ".css"}


def files_below(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and entry.name not in SKIPPED_FOLDERS:
            yield from files_below(entry)
        elif entry.is_file() and entry.suffix in TEXT_FILES and entry.name not in SKIPPED_FILES:
            yield entry


def scanned_files() -> Iterator[Path]:
    for pattern in SCANNED:
        for path in sorted(ROOT.glob(pattern)):
            yield from files_below(path) if path.is_dir() else (path,)


def folders_below(folder: Path) -> Iterator[Path]:
    yield folder
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and entry.name not in SKIPPED_FOLDERS:
            yield from folders_below(entry)


def code_files(folder: Path) -> list[Path]:
    return [entry for entry in folder.iterdir() if entry.suffix in CODE and entry.name != "__init__.py"]


def code_folders() -> Iterator[Path]:
    yield from folders_below(ROOT / "src" / "qipai")
    yield from folders_below(ROOT / "web" / "src")


def test_no_file_uses_old_fashioned_words_or_makes_every_player_a_man() -> None:
    found = []
    for file in scanned_files():
        name = file.relative_to(ROOT).as_posix()
        allowed = ALLOWED.get(name)
        if allowed == "":
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if UNUSED_WORDS.search(line) and not (allowed and allowed in line):
                found.append(f"{name}:{number}: {line.strip()[:120]}")
    assert found == [], "\n".join(found)


def test_no_folder_has_too_many_files() -> None:
    folders = (*code_folders(), *folders_below(ROOT / "tests"))
    counts = {folder.relative_to(ROOT).as_posix(): len(code_files(folder)) for folder in folders}
    assert {name: count for name, count in counts.items() if count > MAX_FILES} == {}


def test_no_file_is_too_long_without_a_reason() -> None:
    found = {}
    for file in (file for folder in code_folders() for file in code_files(folder)):
        lines = file.read_text(encoding="utf-8").splitlines()
        reason = re.search(r"\blines\b|\bgenerated\b", "\n".join(lines[:8]))
        if len(lines) > MAX_LINES and reason is None:
            found[file.relative_to(ROOT).as_posix()] = len(lines)
    assert found == {}
