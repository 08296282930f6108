"""Settings: defaults, file, environment, and errors that name the setting."""

import socket
from pathlib import Path

import pytest

from qipai.app import open_store
from qipai.guard.guard_settings import GuardSettings
from qipai.hall.api_tokens.api_token_settings import ApiTokenSettings
from qipai.settings import Chess, ConfigurationError, Settings, find_engine, load, parse_worker_address
from qipai.sockets import worker_socket
from tests.support.server import free_port


def test_every_setting_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load(None, {}) == Settings(host="127.0.0.1", port=3000, data="data")


def test_a_file_in_the_working_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "qipai.toml").write_text('port = 4000\ndurability = "power"\n')
    monkeypatch.chdir(tmp_path)
    settings = load(None, {})
    assert (settings.port, settings.durability) == (4000, "power")


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('port = 4000\nhost = "127.0.0.9"\n')
    settings = load(
        file, {"PORT": "5000", "HOST": "::1", "QIPAI_DATA": "/srv/q", "QIPAI_WORKER_ADDRESS": "192.0.2.1"}
    )
    assert (settings.port, settings.host, settings.data) == (5000, "::1", "/srv/q")
    assert settings.worker_address == "192.0.2.1"


def test_origins_and_game_settings_are_read_from_the_file(tmp_path: Path) -> None:
    assert (Settings().origins, Settings().tictactoe.single_match) == ((), False)
    assert (Settings().gomoku.turn_timer, Settings().gomoku.undo_limit) == ("asked", 0)
    file = tmp_path / "a.toml"
    file.write_text(
        'origins = ["https://a.example", "http://[::1]:80", "*"]\n[tictactoe]\nsingle_match = true\n'
    )
    settings = load(file, {"PORT": "5000"})
    assert settings.origins == ("https://a.example", "http://[::1]:80", "*")
    assert settings.tictactoe.single_match


@pytest.mark.parametrize("entry", ["null", "a.example", "https://a.example/", "https://*.example", ""])
def test_an_invalid_origin_is_named_in_one_line(tmp_path: Path, entry: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(f'origins = ["https://good.example", "{entry}"]')
    with pytest.raises(ConfigurationError, match="origins") as invalid:
        load(file, {})
    assert repr(entry) in str(invalid.value)
    assert "wrong.toml" in str(invalid.value)
    assert "\n" not in str(invalid.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("prot = 1", "prot"),
        ('origins = "https://a.example"', "origins"),
        ("origins = [1]", "origins"),
        ("tictactoe = true", "tictactoe"),
        ("[tictactoe]\nsingle_match = 1", "tictactoe.single_match"),
        ("[tictactoe]\nsingle = true", "single"),
        ("[tictactoes]", "tictactoes"),
        ('[gomoku]\nturn_timer = "never"', "gomoku.turn_timer"),
        ("[gomoku]\nundo_limit = -1", "gomoku.undo_limit"),
        ("[chess]\nengine = 1", "chess.engine"),
        ("[chess]\nengines = []", "engines"),
        ('[chess]\nlibrary = "stockfish"', "chess.library"),
        ('port = "3000"', "port"),
        ("port = true", "port"),
        ("port = 70000", "port"),
        ("port = -1", "port"),
        ('durability = "sometimes"', "durability"),
        ('store = "floppy"', "store"),
        ("bot_pause = 1.5", "bot_pause"),
        ("port = ", "Invalid value"),
        ('secret = "too short"', "secret: expected at least 32 characters, got 9"),
        ("[limits]\nguests = -1", "limits.guests"),
        ("[limits]\nseats = 1", "seats"),
        ("[limits.api_tokens]\nmessages = 51", "limits.api_tokens.messages"),
        ("[limits.api_tokens]\ntables = 0", "limits.api_tokens.tables"),
        ("[limits.api_tokens]\nframes = 1", "frames"),
    ],
)
def test_an_invalid_key_or_value_is_named(tmp_path: Path, text: str, name: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=name) as invalid:
        load(file, {})
    assert "wrong.toml" in str(invalid.value)


def test_an_engine_may_be_chosen_or_switched_off_and_a_missing_one_is_named(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    file = tmp_path / "a.toml"
    file.write_text(f'[chess]\nengine = "{program}"\n')
    settings = load(file, {})
    assert settings.chess.engine == str(program)
    with pytest.raises(ConfigurationError, match=f"chess engine '{program}'"):
        find_engine(settings)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_engine(settings) == str(program)
    none = load(file, {"QIPAI_ENGINE": "none"})
    assert none.chess == Chess("none")
    assert find_engine(none) == ""


@pytest.mark.parametrize("port", ["x", "-1", "65536", "3000.0", "٣", " 1"])
def test_an_invalid_port_in_the_environment_is_named(port: str) -> None:
    with pytest.raises(ConfigurationError, match="PORT"):
        load(None, {"PORT": port})


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"missing\.toml"):
        load(tmp_path / "missing.toml", {})
    with pytest.raises(ConfigurationError, match=r"missing\.toml"):
        load(None, {"QIPAI_CONFIG": str(tmp_path / "missing.toml")})


def test_a_store_is_a_name_or_a_url_and_the_environment_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('store = "memory"\n')
    assert load(file, {}).store == "memory"
    assert load(file, {"QIPAI_STORE": "redis://127.0.0.1:6379/1"}).store == "redis://127.0.0.1:6379/1"
    with pytest.raises(ConfigurationError, match=r"store: expected .* got 'postgres'"):
        load(file, {"QIPAI_STORE": "postgres"})
    file.write_text('store = "http://127.0.0.1"\n')
    with pytest.raises(ConfigurationError, match="store: expected"):
        load(file, {})


@pytest.mark.parametrize(
    "address", ["postgresql://me:hush@host/name", "redis://me:hush@host:port", "redis:/me:hush@host"]
)
def test_no_error_contains_the_password_of_a_url(address: str) -> None:
    with pytest.raises(ConfigurationError) as invalid:
        open_store(load(None, {"QIPAI_STORE": address}))
    assert "store" in str(invalid.value)
    assert "hush" not in str(invalid.value)


@pytest.mark.parametrize(
    ("text", "host", "ports"),
    [
        ("", "", [0]),
        ("192.0.2.7", "192.0.2.7", [0]),
        ("node.example:4100", "node.example", [4100]),
        ("192.0.2.7:4100-4102", "192.0.2.7", [4100, 4101, 4102]),
        ("2001:db8::7", "2001:db8::7", [0]),
        ("[2001:db8::7]", "2001:db8::7", [0]),
        ("[2001:db8::7]:4100", "2001:db8::7", [4100]),
    ],
)
def test_a_worker_address_may_have_a_port_or_a_range_of_ports(text: str, host: str, ports: list[int]) -> None:
    assert parse_worker_address(text) == (host, range(ports[0], ports[-1] + 1))


@pytest.mark.parametrize("text", ["h:", "h:x", "h:0", "h:5-4", "h:1-70000", "h:4100-", ":4100", "h:1-2-3"])
def test_an_invalid_worker_address_is_named(text: str) -> None:
    with pytest.raises(ConfigurationError, match="worker_address: expected"):
        load(None, {"QIPAI_WORKER_ADDRESS": text})


def test_workers_of_one_machine_use_the_next_free_port_of_the_range() -> None:
    port = free_port()
    taken = socket.create_server(("127.0.0.1", port))
    settings = Settings(worker_address=f"node.example:{port}-{port + 50}")
    with taken:
        listening, address = worker_socket(settings)
        with listening:
            number = listening.getsockname()[1]
            assert port < number <= port + 50
            assert address == f"node.example {number}"
        with pytest.raises(ConfigurationError, match="cannot listen"):
            worker_socket(Settings(worker_address=f"node.example:{port}"))


def test_proxies_and_limits_of_connections_are_read(tmp_path: Path) -> None:
    file = tmp_path / "qipai.toml"
    file.write_text('proxies = ["192.0.2.1"]\n[connections]\nper_address = 7\nheader_seconds = 2.5\n')
    settings = load(file, {})
    assert settings.proxies == ("192.0.2.1",)
    assert settings.connections == GuardSettings(per_address=7, header_seconds=2.5)
    given = load(file, {"FORWARDED_ALLOW_IPS": "10.0.0.0/8, ::1"})
    assert given.proxies == ("10.0.0.0/8", "::1")
    assert load(None, {"FORWARDED_ALLOW_IPS": "*"}).proxies == ("*",)


def test_a_proxy_that_is_no_address_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"proxies: expected an address.*'localhost'"):
        load(None, {"FORWARDED_ALLOW_IPS": "localhost"})


@pytest.mark.parametrize("key", GuardSettings.__struct_fields__)
def test_every_limit_of_connections_is_documented_with_its_default(key: str) -> None:
    text = (Path(__file__).parents[1] / "docs" / "settings.md").read_text("utf-8")
    assert f"| `{key}` | `{getattr(GuardSettings(), key)}` |" in text


@pytest.mark.parametrize("key", ApiTokenSettings.__struct_fields__)
def test_every_limit_of_api_tokens_is_documented_with_its_default(key: str) -> None:
    text = (Path(__file__).parents[1] / "docs" / "settings.md").read_text("utf-8")
    assert f"| `{key}` | `{getattr(ApiTokenSettings(), key)}` |" in text


def test_limits_of_api_tokens_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[limits]\nrooms = 9\n\n[limits.api_tokens]\nmessages = 5\n")
    limits = load(file, {}).limits
    assert (limits.rooms, limits.api_tokens) == (9, ApiTokenSettings(messages=5))
