"""Every identifier in the glossary exists in the code."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WORD: Final = re.compile(r"[A-Za-z_]\w*")


def words_of_the_code() -> set[str]:
    folders = (ROOT / "src" / "qipai", ROOT / "web" / "src")
    files = (
        file for folder in folders for file in folder.rglob("*") if file.suffix in {".py", ".ts", ".tsx"}
    )
    return {word for file in files for word in WORD.findall(file.read_text(encoding="utf-8"))}


def test_every_identifier_in_the_glossary_exists_in_the_code() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    named = {word for quoted in re.findall(r"`([^`\n]+)`", glossary) for word in WORD.findall(quoted)}
    assert len(named) > 100
    assert sorted(named - words_of_the_code()) == []


def test_the_terms_of_each_section_are_unique_and_sorted() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for section in glossary.split("\n## ")[1:]:
        terms = [
            row.split("|")[1].replace("`", "").strip().lower()
            for row in section.splitlines()
            if row[:1] == "|"
        ]
        assert terms[2:] == sorted(set(terms[2:])), section.splitlines()[0]
