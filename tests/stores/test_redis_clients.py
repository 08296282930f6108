"""Two Redis clients, each in one module: redis-py for blocking calls, hiredis on the event loop."""

import ast
from pathlib import Path

import pytest

import qipai

SOURCE = Path(qipai.__file__).parent


def importers(package: str) -> set[Path]:
    """Return the modules of the server that import a package."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            if any(name.split(".")[0] == package for name in names):
                found.add(file.relative_to(SOURCE))
    return found


@pytest.mark.parametrize("package", ["redis", "hiredis"])
def test_one_module_of_the_redis_store_uses_the_package(package: str) -> None:
    (only,) = importers(package)
    assert only.parent == Path("stores/redis")


def test_no_module_uses_both_clients() -> None:
    assert not importers("redis") & importers("hiredis")
