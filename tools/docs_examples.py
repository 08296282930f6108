"""Fills the code blocks of documents from the source files that they show.

A line `<!-- code: FILE NAME … -->` precedes such a block. The block contains the definitions of these names,
or the whole file if there are none; `NAME.METHOD` is a method of a class, and `NAME.` a class without its
methods. `FIRST..NEXT` is everything from one definition up to another; without `FIRST` it begins at the start
of the file, without `NEXT` it goes to the end. So a document can show a whole file in parts.
`python -m tools.docs_examples` fills the blocks; with `--check` it only names stale documents.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
DOCUMENTS: Final = ("docs/adding-a-game.md", "docs/adding-a-client.md")
_BLOCK: Final = re.compile(r"(?ms)^<!-- code: (\S+)((?: [\w.]+)*) -->\n(?:```\w*\n.*?^```\n)?")
_LANGUAGES: Final = {
    ".py": "python",
    ".js": "js",
    ".json": "json",
    ".toml": "toml",
    ".css": "css",
    ".txt": "",
}
_DEFINITION: Final = r"^(?:export )?(?:async )?(?:function|const|class) {}\b"


class MissingCode(Exception):
    """A document names a file or a definition that does not exist."""


def filled(document: str, root: Path = ROOT) -> str:
    """Return a document with the present code in its blocks, or raise `MissingCode`."""

    def block(found: "re.Match[str]") -> str:
        file, names = found[1], found[2].split()
        code = _code(root / file, names)
        language = _LANGUAGES.get(Path(file).suffix, "")
        return f"<!-- code: {file}{found[2]} -->\n```{language}\n{code}\n```\n"

    return _BLOCK.sub(block, document)


def stale(root: Path = ROOT) -> list[str]:
    """Return the documents whose blocks differ from the code."""
    texts = {name: (root / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    return [name for name, text in texts.items() if filled(text, root) != text]


def _code(file: Path, names: Sequence[str]) -> str:
    if not file.is_file():
        raise MissingCode(f"{file.name}: there is no such file")
    source = file.read_text(encoding="utf-8")
    if not names:
        return source.strip("\n")
    if ".." in names[0]:
        return _range(file.name, source, *names[0].split("..", 1))
    find = _python_definition if file.suffix == ".py" else _script_definition
    parts = [find(source, name) for name in names]
    for name, part in zip(names, parts, strict=True):
        if not part:
            raise MissingCode(f"{file.name}: there is no {name}")
    # Assignments of one line stand together; anything longer is set apart.
    separator = (
        "\n" if all("\n" not in part for part in parts) else "\n\n\n" if file.suffix == ".py" else "\n\n"
    )
    return separator.join(parts)


def _range(file: str, source: str, first: str, following: str) -> str:
    """Return the lines from one definition to another; an empty name is the start or the end of the file."""
    lines = source.splitlines()
    starts = [0, len(lines)]
    for index, name in enumerate((first, following)):
        if name:
            line = _python_line(source, name) if file.endswith(".py") else _script_line(lines, name)
            if line is None:
                raise MissingCode(f"{file}: there is no {name}")
            starts[index] = line
    return "\n".join(lines[starts[0] : starts[1]]).strip("\n")


def _python_line(source: str, name: str) -> int | None:
    """Return the index of the line where a definition or a method begins, with its decorators."""
    body: Sequence[ast.stmt] = ast.parse(source).body
    for part in name.split("."):
        node = next((each for each in body if part in _names(each)), None)
        if node is None:
            return None
        line = node.lineno - 1 - _decorators(node)
        body = node.body if isinstance(node, ast.ClassDef) else ()
    return line


def _script_line(lines: Sequence[str], name: str) -> int | None:
    """Return the index of the line where a definition begins, with its comment."""
    pattern = _DEFINITION.format(re.escape(name))
    found = next((number for number, line in enumerate(lines) if re.match(pattern, line)), None)
    return found - 1 if found and lines[found - 1].startswith("/**") else found


def _python_definition(source: str, name: str) -> str:
    outer, dot, inner = name.partition(".")
    lines = source.splitlines()
    body: Sequence[ast.stmt] = ast.parse(source).body
    for node in body:
        if outer not in _names(node):
            continue
        if not dot:
            return _text(lines, node.lineno - 1 - _decorators(node), node.end_lineno or node.lineno)
        if isinstance(node, ast.ClassDef):
            if not inner:
                first = next(each for each in node.body if isinstance(each, ast.FunctionDef))
                return _text(lines, node.lineno - 1, first.lineno - 1 - _decorators(first))
            for each in node.body:
                if inner in _names(each):
                    return _text(lines, each.lineno - 1 - _decorators(each), each.end_lineno or each.lineno)
    return ""


def _names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _decorators(node: ast.stmt) -> int:
    """Return the number of lines of the decorators above a definition."""
    found = getattr(node, "decorator_list", [])
    return node.lineno - found[0].lineno if found else 0


def _text(lines: Sequence[str], start: int, end: int) -> str:
    return dedent("\n".join(lines[start:end])).strip("\n")


def _script_definition(source: str, name: str) -> str:
    """Return a definition at the beginning of a line, up to the line that closes it, with its comment."""
    lines = source.splitlines()
    start = _script_line(lines, name)
    if start is None:
        return ""
    first = end = start + lines[start].startswith("/**")
    while not re.match(r"[}\])]|.*;$", lines[end]) or (end > first and lines[end].startswith(" ")):
        end += 1
    return "\n".join(lines[start : end + 1])


def main(arguments: Sequence[str]) -> int:
    """Fill the stale documents, or with `--check` name them and return 1."""
    try:
        outdated = stale()
    except MissingCode as error:
        print(error, file=sys.stderr)
        return 1
    for name in outdated:
        if "--check" in arguments:
            print(f"{name} is stale; run python -m tools.docs_examples", file=sys.stderr)
        else:
            path = ROOT / name
            path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
            print(f"wrote {name}")
    return 1 if outdated and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
