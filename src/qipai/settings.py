"""What an operator may choose: one TOML file, some variables of the environment."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from qipai.games.chess.position import Library
from qipai.hall.bots import uci_engine
from qipai.socketio.allowed_origins import is_entry
from qipai.stores.store_registry import REDIS, STORES, kind


class ConfigurationError(Exception):
    """Something the operator wrote is wrong; the text names it."""


class Tictactoe(Struct, frozen=True, forbid_unknown_fields=True):
    """How tic-tac-toe is played over Socket.IO."""

    single_match: bool = False


class Chess(Struct, frozen=True, forbid_unknown_fields=True):
    """Which engine the chess bots ask (a program, `none`, or the one found), and the library for moves."""

    engine: str = ""
    library: Library = "rust-chess"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Every setting with its default."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 3000
    data: str = "data"
    store: str = "sqlite"
    durability: Literal["process", "power"] = "process"
    archive: str = ""
    worker_address: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    bot_pause: Annotated[int, Meta(ge=0, le=60_000)] = 600
    origins: tuple[str, ...] = ()
    tictactoe: Tictactoe = Tictactoe()
    chess: Chess = Chess()

    def __post_init__(self) -> None:
        if kind(self.store) not in STORES:
            # Of an address only what it begins with is told: there may be a password in it.
            begin = self.store.partition(":")[0]
            raise ValueError(f'store: expected "sqlite", "memory" or "redis://host:port", got {begin!r}')
        parse_worker_address(self.worker_address)
        for entry in self.origins:
            if not is_entry(entry):
                raise ValueError(f'origins: expected "scheme://host[:port]" or "*", got {entry!r}')


class WorkerAddress(NamedTuple):
    """How other workers come to this one: an address, empty for whichever they see, and ports to try."""

    host: str
    ports: range


def parse_worker_address(text: str) -> WorkerAddress:
    """Return what `host`, `host:port` or `host:first-last` means, or raise `ValueError`."""
    host, colon, ports = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        return WorkerAddress(text.strip("[]"), range(1))  # The port 0 is any.
    first, dash, last = ports.partition("-")
    numbers = [int(each) for each in (first, last or first) if each.isascii() and each.isdigit()]
    if not host or len(numbers) < 2 or (dash and not last) or not 0 < numbers[0] <= numbers[1] <= 65535:
        raise ValueError(f'worker_address: expected "host", "host:port" or "host:first-last", got {text!r}')
    return WorkerAddress(host.strip("[]"), range(numbers[0], numbers[1] + 1))


def load(path: Path | None, environment: Mapping[str, str]) -> Settings:
    """Return the settings of a file and the environment, or raise `ConfigurationError`.

    Without a path `qipai.toml` is read if it is there.
    """
    settings = Settings()
    chosen = path or Path(environment.get("QIPAI_CONFIG") or "qipai.toml")
    if path is not None or environment.get("QIPAI_CONFIG") or chosen.exists():
        settings = _read(chosen)
    given: dict[str, Any] = {}
    if environment.get("HOST"):
        given["host"] = environment["HOST"]
    if environment.get("QIPAI_DATA"):
        given["data"] = environment["QIPAI_DATA"]
    if environment.get("QIPAI_STORE"):
        given["store"] = environment["QIPAI_STORE"]
    if environment.get("QIPAI_ARCHIVE"):
        given["archive"] = environment["QIPAI_ARCHIVE"]
    if environment.get("QIPAI_WORKER_ADDRESS"):
        given["worker_address"] = environment["QIPAI_WORKER_ADDRESS"]
    if environment.get("QIPAI_ENGINE"):
        given["chess"] = replace(settings.chess, engine=environment["QIPAI_ENGINE"])
    if environment.get("PORT"):
        port = environment["PORT"]
        if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 65535):
            raise ConfigurationError(f"PORT: expected a number from 0 to 65535, got {port!r}")
        given["port"] = int(port)
    try:
        return replace(settings, **given)
    except ValueError as error:
        raise ConfigurationError(str(error)) from error


def shared(settings: Settings) -> bool:
    """Tell whether several servers may use the store at the same time."""
    return kind(settings.store) == REDIS


def engine(settings: Settings) -> str:
    """Return the program that bots may ask, empty for none; a chosen one that is not there is an error."""
    chosen = settings.chess.engine
    found = uci_engine.find(chosen)
    if not found and chosen not in ("", uci_engine.NONE):
        raise ConfigurationError(f"chess engine {chosen!r}: no such program")
    return found


def _read(path: Path) -> Settings:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Settings)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{path}: {error}") from error
