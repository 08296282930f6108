"""Settings of the server: read from a TOML file and environment variables, and checked."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from qipai.games.chess.position import Library
from qipai.guard.client_address import is_valid_proxy
from qipai.guard.guard_settings import GuardSettings
from qipai.hall.bots import uci_engine
from qipai.hall.people.address_limits import Limits
from qipai.server.openid.openid_settings import OpenIdSettings
from qipai.socketio.allowed_origins import is_valid_entry

from .stores import store_registry

MIN_SECRET: Final = 32


class ConfigurationError(Exception):
    """A setting or argument is wrong; the text names it."""


class Tictactoe(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of tic-tac-toe over Socket.IO."""

    single_match: bool = False


class Gomoku(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of gomoku over Socket.IO.

    `turn_timer`: rooms have a move clock if their owner asks for it, or always. `undo_limit`: undos of a
    player in a game, 0 for any number.
    """

    turn_timer: Literal["asked", "always"] = "asked"
    undo_limit: Annotated[int, Meta(ge=0, le=99)] = 0


class Chess(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of chess.

    `engine` is the UCI engine of the bots: a program, `none`, or empty for the one that is installed.
    `library` generates the legal moves.
    """

    engine: str = ""
    library: Library = "rust-chess"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings with their defaults."""

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
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    connections: GuardSettings = GuardSettings()
    secret: str = ""
    tictactoe: Tictactoe = Tictactoe()
    gomoku: Gomoku = Gomoku()
    chess: Chess = Chess()
    limits: Limits = Limits()
    openid: OpenIdSettings = OpenIdSettings()

    def __post_init__(self) -> None:
        if store_registry.find_store(self.store) is None:
            examples = " or ".join(f'"{kind.example}"' for kind in store_registry.STORES.values())
            # Only the scheme is printed: a URL may contain a password.
            raise ValueError(f"store: expected {examples}, got {self.store.partition(':')[0]!r}")
        parse_worker_address(self.worker_address)
        if self.secret and len(self.secret) < MIN_SECRET:
            # The secret itself is not printed.
            raise ValueError(f"secret: expected at least {MIN_SECRET} characters, got {len(self.secret)}")
        for entry in self.origins:
            if not is_valid_entry(entry):
                raise ValueError(f'origins: expected "scheme://host[:port]" or "*", got {entry!r}')
        for entry in self.proxies:
            if not is_valid_proxy(entry):
                raise ValueError(f'proxies: expected an address, a network or "*", got {entry!r}')


class WorkerAddress(NamedTuple):
    """Address at which other workers reach this one, and the ports to try; an empty host means any."""

    host: str
    ports: range


def parse_worker_address(text: str) -> WorkerAddress:
    """Parse `host`, `host:port` or `host:first-last`, or raise `ValueError`."""
    host, colon, ports = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        return WorkerAddress(text.strip("[]"), range(1))  # Port 0: any free port.
    first, dash, last = ports.partition("-")
    numbers = [int(each) for each in (first, last or first) if each.isascii() and each.isdigit()]
    if not host or len(numbers) < 2 or (dash and not last) or not 0 < numbers[0] <= numbers[1] <= 65535:
        raise ValueError(f'worker_address: expected "host", "host:port" or "host:first-last", got {text!r}')
    return WorkerAddress(host.strip("[]"), range(numbers[0], numbers[1] + 1))


def load(path: Path | None, environment: Mapping[str, str]) -> Settings:
    """Return the settings of a file and the environment, or raise `ConfigurationError`.

    Without a path, `qipai.toml` is read if it exists.
    """
    settings = Settings()
    file = path or Path(environment.get("QIPAI_CONFIG") or "qipai.toml")
    if path is not None or environment.get("QIPAI_CONFIG") or file.exists():
        settings = _read(file)
    given: dict[str, Any] = {}
    if environment.get("HOST"):
        given["host"] = environment["HOST"]
    if environment.get("QIPAI_DATA"):
        given["data"] = environment["QIPAI_DATA"]
    if environment.get("QIPAI_STORE"):
        given["store"] = environment["QIPAI_STORE"]
    if environment.get("QIPAI_ARCHIVE"):
        given["archive"] = environment["QIPAI_ARCHIVE"]
    if environment.get("FORWARDED_ALLOW_IPS"):
        given["proxies"] = tuple(each.strip() for each in environment["FORWARDED_ALLOW_IPS"].split(","))
    if environment.get("QIPAI_SECRET"):
        given["secret"] = environment["QIPAI_SECRET"]
    if environment.get("QIPAI_OPENID_SECRET") and settings.openid.issuer:
        given["openid"] = replace(settings.openid, client_secret=environment["QIPAI_OPENID_SECRET"])
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


def is_shared(settings: Settings) -> bool:
    """Tell whether several workers may use the store at the same time."""
    return store_registry.is_shared(settings.store)


def find_engine(settings: Settings) -> str:
    """Return the program of the UCI engine, empty for none; raise `ConfigurationError` if it is missing."""
    engine = settings.chess.engine
    program = uci_engine.find(engine)
    if not program and engine not in ("", uci_engine.NONE):
        raise ConfigurationError(f"chess engine {engine!r}: no such program")
    return program


def _read(path: Path) -> Settings:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Settings)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{path}: {error}") from error
