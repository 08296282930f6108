"""Settings as a problem bundle shows them: numbers and choices; of other texts only that they are set."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.settings import Settings
from qipai.stores.archives.archive_registry import ARCHIVES
from qipai.stores.store_registry import STORES, find_store

SET: Final = "(set)"
_HARMLESS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "engine": frozenset({"none"}),
        "host": frozenset({"0.0.0.0", "::", "::1", "localhost"}),  # noqa: S104 - compared, not bound
        "store": frozenset(name for name, kind in STORES.items() if not kind.schemes),
    }
)
"""Texts that say nothing about the server's owner, by setting."""
VARIABLES: Final = (
    "FORWARDED_ALLOW_IPS", "HOST", "PORT", "QIPAI_ARCHIVE", "QIPAI_CONFIG", "QIPAI_DATA", "QIPAI_ENGINE",
    "QIPAI_OPENID_SECRET", "QIPAI_SECRET", "QIPAI_STORE", "QIPAI_WORKER_ADDRESS",
)  # fmt: skip
"""The environment variables of settings."""


def shown_settings(settings: Settings) -> dict[str, Any]:
    """Return all settings, those that may be secret replaced."""
    return _shown(settings, Settings())


def changed_settings(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shown settings that differ from the defaults, by their names, such as `chess.engine`."""
    defaults = _flat(shown_settings(Settings()))
    return {name: value for name, value in _flat(shown).items() if value != defaults[name]}


def set_variables(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return which environment variables of settings are set."""
    return tuple(name for name in VARIABLES if environment.get(name))


def _shown(settings: Struct, defaults: Struct) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for field in msgspec.structs.fields(settings):
        value, default = getattr(settings, field.name), getattr(defaults, field.name)
        if isinstance(value, Struct):
            shown[field.name] = _shown(value, default)
        elif value == default or isinstance(value, bool | int | float) or _is_choice(field.type):
            shown[field.name] = value
        else:
            shown[field.name] = _replaced(field.name, value)
    return shown


def _is_choice(kind: Any) -> bool:
    """Tell whether a setting has one of a few texts that are in the code."""
    return isinstance(msgspec.inspect.type_info(kind), msgspec.inspect.LiteralType)


def _replaced(name: str, value: str | tuple[str, ...]) -> str:
    """Return what is shown of a text or of several."""
    if isinstance(value, tuple):
        return f"({len(value)} set)"
    if value in _HARMLESS.get(name, ()):
        return value
    scheme = value.partition("://")[0]
    known = (name == "store" and find_store(value) is not None) or (name == "archive" and scheme in ARCHIVES)
    return f"{scheme}://…" if known else SET


def _flat(shown: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in shown.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat
