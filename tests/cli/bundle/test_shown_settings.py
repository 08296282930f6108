"""No secret in any setting, environment variable or path gets into a bundle."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, inspect

from qipai.cli.bundle.problem_bundle import as_file, gather
from qipai.cli.bundle.shown_settings import SET, VARIABLES, changed_settings, set_variables, shown_settings
from qipai.settings import Settings, load

ROOT = Path(__file__).resolve().parents[3]
SECRETS = st.text("bcdfghjklmnpqrstvwxyz0123456789", min_size=12, max_size=40)
"""Texts that nothing else contains."""
STORES = (
    "redis://{0}:{1}@127.0.0.1:1/0",
    "redis://127.0.0.1:1/0?username={0}&password={1}",
    "rediss://{0}@127.0.0.1:1/0?ssl_certfile=/{1}/own.pem&ssl_password={2}",
    "rediss://127.0.0.1:1/{0}",
    "unix:///{0}/redis.sock?password={1}",
    "redis://{0}:{1}@[{2}",
    "sqlite",
    "memory",
)
ARCHIVES = (
    "",
    "postgresql://{0}:{1}@127.0.0.1:1/{2}",
    "postgresql://127.0.0.1:1/{0}?password={1}&sslkey=/{2}",
    "postgresql:///{0}?host=/{1}&port=1",
    "postgresql://{0}:{1}@127.0.0.1:x/{2}",
    "{0}://{1}:{2}@127.0.0.1",
    "{0}",
)
TEXTS: dict[str, tuple[str, ...]] = {
    "host": ("127.0.0.1", "{0}.invalid", "{0}"),
    "data": ("{0}", "{0}/{1}"),
    "store": STORES,
    "archive": ARCHIVES,
    "worker_address": ("", "{0}", "{0}.example:4100-4163"),
    "origins": ("https://{0}.example", "http://{1}:8080"),
    "proxies": ("192.0.2.{n}", "198.51.100.{n}/32", "2001:db8::{n}"),
    "secret": ("{0}{1}{2}",),
    "engine": ("", "none", "/{0}/{1}", "{0}"),
    "issuer": ("https://{0}.example", "https://login.example/{1}", "http://localhost/{2}"),
    "client_id": ("{0}",),
    "client_secret": ("{0}",),
    "name": ("", "{0}"),
}
"""Forms of each setting that is a text."""


class Filled(Struct):
    """Settings and the secrets in them."""

    settings: Settings
    secrets: set[str]


def text_settings(kind: type[Struct]) -> Iterator[str]:
    """Yield the names of all settings that are free texts."""
    for field in msgspec.structs.fields(kind):
        found = inspect.type_info(field.type)
        if isinstance(found, inspect.StructType):
            yield from text_settings(found.cls)
        elif isinstance(found, inspect.StrType) or str in get_args(field.type):
            yield field.name


def test_the_property_below_fills_every_setting_that_is_a_text() -> None:
    assert set(text_settings(Settings)) == set(TEXTS)


@st.composite
def filled(draw: st.DrawFn) -> Filled:
    """Return settings with a secret in every text that can have one."""
    secrets: set[str] = set()

    def text(name: str) -> str:
        form = draw(st.sampled_from(TEXTS[name]))
        given = draw(st.lists(SECRETS, min_size=3, max_size=3, unique=True))
        number = draw(st.integers(2, 250))
        made = form.format(*map(quote, given), n=number)
        secrets.update(each for place, each in enumerate(given) if f"{{{place}}}" in form)
        if "{n}" in form:
            secrets.add(made.partition("/")[0])
        return made

    def value(field: Any) -> Any:
        found = inspect.type_info(field.type)
        if isinstance(found, inspect.StructType):
            return found.cls(**{each.name: value(each) for each in msgspec.structs.fields(found.cls)})
        if isinstance(found, inspect.StrType):
            return text(field.name)
        if isinstance(found, inspect.VarTupleType):
            return tuple(text(field.name) for _ in range(draw(st.integers(0, 3))))
        if isinstance(found, inspect.LiteralType):
            return draw(st.sampled_from(found.values))
        return field.default if not isinstance(found, inspect.BoolType) else draw(st.booleans())

    made = {field.name: value(field) for field in msgspec.structs.fields(Settings)}
    return Filled(Settings(**made), secrets)


def leaked(body: bytes, secrets: set[str]) -> set[str]:
    text = body.decode()
    return {secret for secret in secrets if secret in text}


@given(filled())
@settings(max_examples=300)
def test_the_settings_of_a_bundle_contain_no_secret(made: Filled) -> None:
    shown = shown_settings(made.settings)
    assert leaked(msgspec.json.encode(shown), made.secrets) == set()
    assert shown["secret"] == SET
    assert "secret" in changed_settings(shown)


@given(filled(), st.dictionaries(st.sampled_from(VARIABLES), SECRETS), SECRETS)
@settings(max_examples=60)
def test_the_bundle_of_a_server_with_secrets_in_every_setting_contains_none_of_them(
    made: Filled, variables: dict[str, str], other: str
) -> None:
    here = Path.cwd()
    folder = here / "run"
    folder.mkdir(exist_ok=True)
    os.chdir(folder)
    try:
        # Names that cannot be resolved take seconds where there is a name server.
        reachable = msgspec.structs.replace(made.settings, host="127.0.0.1", port=0)
        bundle = gather(reachable, {**variables, "QIPAI_OTHER": other, other: "1"})
    finally:
        os.chdir(here)
    body = as_file(bundle)
    assert leaked(body, {*made.secrets, *variables.values(), other}) == set()
    assert set(bundle.environment) == set(variables)
    # Nor the name of the folder, which may be that of a person.
    assert leaked(body, {str(here), here.name}) == set()


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("peters-server"))


def test_what_is_set_is_shown_without_its_value() -> None:
    shown = shown_settings(
        Settings(
            host="0.0.0.0", port=4000, store="redis://me:hush@db/0", archive="postgresql://me:hush@db/q",
            origins=("https://a.example", "https://b.example"), data="/home/ada/q",
        )
    )  # fmt: skip
    assert changed_settings(shown) == {
        "host": "0.0.0.0",
        "port": 4000,
        "store": "redis://…",
        "archive": "postgresql://…",
        "origins": "(2 set)",
        "data": SET,
    }
    assert changed_settings(shown_settings(Settings())) == {}


def test_every_environment_variable_that_the_settings_read_is_listed() -> None:
    read: set[str] = set()

    class Recorder(dict[str, str]):
        def get(self, name: str, default: Any = None) -> Any:
            read.add(name)
            return default

    load(None, Recorder())
    assert read == set(VARIABLES)
    assert set_variables({"HOST": "", "PORT": "1", "HOME": "/home/ada"}) == ("PORT",)


def test_every_environment_variable_in_the_document_is_listed() -> None:
    document = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert all(f"`{name}`" in document or f"{name}=" in document for name in VARIABLES)
