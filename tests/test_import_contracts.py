"""The import contracts in pyproject.toml name every module that they cover, also new ones."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "qipai"
GAME_TYPES = {
    "chess": {"wire_types", "events"},
    "gomoku": {"wire_types", "lines"},
    "mahjong": {"wire_types", "events", "tiles", "house_rules"},
    "tictactoe": {"rules"},
}
PUBLIC_HALL = {
    "background_tasks",
    "client_interface",
    "connections.connection",
    "connections.inbox",
    "connections.rate_limit",
    "journal.room_rebuilding",
    "lobby.room_rows",
    "people.address_limits",
    "people.identity",
    "people.names",
    "rooms.fan_out",
    "rooms.live_room",
}


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def contract(name: str) -> dict[str, Any]:
    (found,) = (each for each in contracts() if each["name"] == name)
    return found


def modules(folder: Path, package: str) -> set[str]:
    """Return every module below a folder, by its full name."""
    files = (path.relative_to(folder) for path in folder.rglob("*.py") if path.name != "__init__.py")
    return {f"{package}.{'.'.join(path.with_suffix('').parts)}" for path in files}


def covered(module: str, listed: list[str]) -> bool:
    return any(f"{module}.".startswith(f"{each}.") for each in listed)


def test_no_contract_ignores_an_import() -> None:
    assert not [each["name"] for each in contracts() if "ignore_imports" in each]


@pytest.mark.parametrize("game", sorted(GAME_TYPES))
def test_every_module_of_a_game_is_forbidden_for_dialects_unless_it_has_wire_types(game: str) -> None:
    package = f"qipai.games.{game}"
    listed = contract("Dialects know the wire types of their own game only")["forbidden_modules"]
    public = {f"{package}.{name}" for name in GAME_TYPES[game]}
    found = modules(SOURCE / "games" / game, package)
    assert {module for module in found if not covered(module, listed)} == public


def test_every_module_of_the_hall_is_forbidden_for_clients_unless_it_is_public() -> None:
    listed = contract("Older clients use the public modules of the hall only")["forbidden_modules"]
    for module in modules(SOURCE / "hall", "qipai.hall"):
        public = module.removeprefix("qipai.hall.") in PUBLIC_HALL or module.endswith("_interface")
        assert covered(module, listed) != public, module


def test_every_module_of_the_hall_is_forbidden_for_stores_unless_it_is_an_interface() -> None:
    listed = contract("Stores use the interfaces of the hall only")["forbidden_modules"]
    for module in modules(SOURCE / "hall", "qipai.hall"):
        public = module.endswith("_interface") and module != "qipai.hall.client_interface"
        transport = module == "qipai.hall.connections.transport_interface"
        assert covered(module, listed) != (public and not transport), module


def test_every_module_of_a_dialect_is_pure_except_its_http_routes() -> None:
    listed = contract("Dialects of the older clients are pure")["source_modules"]
    impure = {
        module
        for game in GAME_TYPES
        for folder in ("qtchess" if game == "chess" else game,)
        for module in modules(SOURCE / "clients" / folder, f"qipai.clients.{folder}")
        if not covered(module, listed)
    }
    assert impure == {"qipai.clients.mahjong.rest_routes"}
