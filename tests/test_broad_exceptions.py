"""Every exception is caught in a few places only; everywhere else the code names what it expects."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parent.parent / "src" / "qipai"
BROAD: Final = {"Exception", "BaseException"}
PLACES: Final = {
    "hall/rooms/command_executor.py",  # Around one command.
    "hall/connections/connection.py",  # Around one connection.
    "hall/failure_isolation.py",  # The same around code of a connection or a task, as a `with` block.
    "hall/background_tasks.py",  # Passes an exception on to the coroutine that it belongs to.
}


def names(node: ast.expr | None) -> set[str]:
    """Return the names in an expression; `Exception` for a bare `except`."""
    if node is None:
        return {"Exception"}
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def broad(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that catch, ignore or recognise every exception, unless they raise it again."""
    for node in ast.walk(tree):
        match node:
            case ast.ExceptHandler(type=caught, body=[*_, last]) if names(caught) & BROAD:
                if not (isinstance(last, ast.Raise) and last.exc is None):
                    yield node.lineno
            case ast.Call(func=ast.Name(id="suppress" | "isinstance") as called, args=arguments):
                kinds = arguments if called.id == "suppress" else arguments[1:]
                if any(names(kind) & BROAD for kind in kinds):
                    yield node.lineno
            case ast.FunctionDef(name="__exit__", returns=ast.Name(id="bool")):
                yield node.lineno


def test_the_search_finds_every_form() -> None:
    def lines(text: str) -> list[int]:
        return list(broad(ast.parse(text)))

    for caught in ("except:", "except Exception:", "except (OSError, Exception) as error:"):
        assert lines(f"try:\n    run()\n{caught}\n    pass") == [3]
    assert lines("try:\n    run()\nexcept BaseException:\n    close()\n    raise") == []
    assert lines("try:\n    run()\nexcept OSError:\n    pass") == []
    assert lines("with suppress(Exception):\n    run()") == [1]
    assert lines("isinstance(error, Exception)") == [1]
    assert lines("def __exit__(self, kind, error, trace) -> bool:\n    return True") == [1]


def test_only_a_few_places_catch_every_exception() -> None:
    files = [(path, ast.parse(path.read_text("utf-8"))) for path in SOURCE.rglob("*.py")]
    found = {path.relative_to(SOURCE).as_posix() for path, tree in files if any(broad(tree))}
    assert found == PLACES
