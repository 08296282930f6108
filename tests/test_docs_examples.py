"""The code blocks of documents are the present code."""

import re
import subprocess
from pathlib import Path

import pytest

from tools.docs_examples import DOCUMENTS, ROOT, MissingCode, filled

SOURCE = '''"""Module."""

LIMIT: int = 3
OTHER = 4


@decorated
def first(x: int) -> int:
    """Return x."""
    return x


class Thing:
    """A thing."""

    size = 1

    def second(self) -> int:
        """Return two."""
        return 2
'''
SCRIPT = """/** Doubles. */
export function twice(x) {
  if (x) {
    return 2 * x;
  }
  return 0;
}

const list = [
  1,
];
export const one = 1;
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "module.py").write_text(SOURCE)
    (tmp_path / "script.js").write_text(SCRIPT)
    return tmp_path


def nonblank(text: str) -> list[str]:
    """Return the lines of a text that are not blank."""
    return [line for line in text.splitlines() if line.strip()]


def block(root: Path, code: str) -> str:
    """Return the block that follows a line of a document."""
    text = filled(f"Before.\n\n<!-- code: {code} -->\n\nAfter.\n", root)
    assert filled(text, root) == text, "filling twice changes nothing"
    start, end = f"Before.\n\n<!-- code: {code} -->\n```", "\n```\n\nAfter.\n"
    assert text.startswith(start)
    assert text.endswith(end)
    return text.removeprefix(start).removesuffix(end).partition("\n")[2]


def test_a_function_a_class_and_a_method_are_found_by_name(root: Path) -> None:
    first = '@decorated\ndef first(x: int) -> int:\n    """Return x."""\n    return x'
    second = 'def second(self) -> int:\n    """Return two."""\n    return 2'
    assert block(root, "module.py first") == first
    assert block(root, "module.py Thing.second") == second
    assert block(root, "module.py first Thing.second") == f"{first}\n\n\n{second}"
    assert block(root, "module.py Thing.") == 'class Thing:\n    """A thing."""\n\n    size = 1'
    assert block(root, "module.py LIMIT OTHER") == "LIMIT: int = 3\nOTHER = 4"
    assert block(root, "module.py") == SOURCE.strip()


def test_definitions_of_scripts_are_found_with_their_comments(root: Path) -> None:
    assert block(root, "script.js twice") == SCRIPT.partition("\n\n")[0]
    assert block(root, "script.js list") == "const list = [\n  1,\n];"
    assert block(root, "script.js one") == "export const one = 1;"


def test_a_file_can_be_shown_in_parts(root: Path) -> None:
    parts = ("..first", "first..Thing", "Thing..Thing.second", "Thing.second..")
    shown = [block(root, f"module.py {part}") for part in parts]
    assert nonblank("\n".join(shown)) == nonblank(SOURCE)
    assert shown[1].startswith("@decorated\n")
    assert shown[3].startswith("    def second"), "a method keeps its indentation"
    scripts = [block(root, f"script.js {part}") for part in ("..list", "list..one", "one..")]
    assert nonblank("\n".join(scripts)) == nonblank(SCRIPT)
    with pytest.raises(MissingCode, match="third"):
        filled("<!-- code: module.py first..third -->\n", root)


def test_an_old_block_is_replaced(root: Path) -> None:
    old = "<!-- code: module.py OTHER -->\n```python\nOTHER = 3\n```\nAfter.\n"
    assert filled(old, root) == "<!-- code: module.py OTHER -->\n```python\nOTHER = 4\n```\nAfter.\n"


@pytest.mark.parametrize(
    "code", ["missing.py", "module.py third", "module.py Thing.third", "script.js third"]
)
def test_missing_code_is_named(root: Path, code: str) -> None:
    with pytest.raises(MissingCode, match=code.partition(" ")[0]):
        filled(f"<!-- code: {code} -->\n", root)


def hand_written(text: str) -> list[str]:
    """Return the first lines of code blocks that are not taken from a file.

    Blocks without a language are commands and listings.
    """
    found: list[str] = []
    before, inside = "", False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            if not inside and line.strip(" `~") and not before.startswith("<!-- code: "):
                found.append(line)
            inside = not inside
        before = line
    return found


@pytest.mark.parametrize(
    ("fence", "found"),
    [
        ("```python", ["```python"]),
        ("  ```python", ["  ```python"]),
        ("~~~ js", ["~~~ js"]),
        ("```ts", ["```ts"]),
        ("```css", ["```css"]),
        ("```", []),
    ],
)
def test_a_hand_written_block_is_noticed(root: Path, fence: str, found: list[str]) -> None:
    # There are as many marks as blocks.
    listing = "<!-- code: module.py OTHER -->\n" * 2
    end = fence.strip()[:3]
    text = filled(f"{listing}\nText.\n\n{fence}\nx = 1\n{end}\n", root)
    assert hand_written(text) == found
    assert hand_written(text.replace("\nText.\n\n", "\n")) == found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_code_block_is_taken_from_the_code(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert filled(text) == text, f"{name} is stale: run python -m tools.docs_examples"
    assert hand_written(text) == []
    assert text.count("<!-- code: ") >= 5


def exported(path: str) -> dict[str, set[str]]:
    """Return the names that a module of the page exports, by the module that they are from."""
    source = (ROOT / "web" / "src" / "boardKit" / path).read_text(encoding="utf-8")
    found = re.findall(r'export \{ ([^}]+) \} from "([^"]+)"', source)
    return {module: set(names.split(", ")) for names, module in found}


def test_the_table_of_shared_modules_is_complete() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w@/-]+)` \| (`.*`) \|$", text, re.MULTILINE)
    listed = {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}
    kit: set[str] = set().union(*exported("index.ts").values())
    assert listed == {**exported("sharedLibraries.ts"), "qipai/board-kit": kit}


EXAMPLE = "examples/reversi/"
NOT_SOURCE = {"__pycache__", ".pytest_cache", ".hypothesis", "build", "dist"}


def sources(folder: Path) -> dict[str, list[str]]:
    """Return the lines that are not blank of each file in a folder."""
    return {
        str(path.relative_to(folder)): nonblank(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*")
        if path.is_file() and not NOT_SOURCE & set(path.parts)
    }


def test_the_guide_builds_exactly_the_example_in_an_empty_folder(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"(?ms)^```\n(mkdir .*?)^```", guide)
    copied = subprocess.run(
        ["sh", "-e", "-c", commands],
        cwd=tmp_path,
        env={"QIPAI": str(ROOT), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert copied.returncode == 0
    from_example = set(sources(tmp_path))
    shown: dict[str, str] = {}
    for file, names, code in re.findall(
        r"(?ms)^<!-- code: (\S+)((?: [\w.]+)*) -->\n```\w*\n(.*?)^```", guide
    ):
        name = file.removeprefix(EXAMPLE)
        # Other blocks are excerpts of files that are copied.
        if name not in from_example:
            assert not names or ".." in names, f"{name} is neither copied nor shown whole"
            shown[name] = shown.get(name, "") + code
    for name, text in shown.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(shown) >= 12, "most of the game is shown"
    assert sources(tmp_path) == sources(ROOT / EXAMPLE)
