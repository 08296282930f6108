"""Removes the names of a person from an archived match."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from qipai.hall.history.archived_match import ArchivedMatch, list_packed, pack, unpack
from qipai.kernel.ids import Person
from qipai.kernel.packing.person_names import DELETED_PLAYER, names_of, renamed

from .account_interface import RenamedMatch


def remove_names(body: bytes, person: Person, known: Iterable[str]) -> RenamedMatch:
    """Return an archived match without the names that a person is known to have had; or `StoreError`."""
    found = unpack(body)
    plain = msgspec.to_builtins(found)
    names = tuple(dict.fromkeys((*names_of(plain, person), *known)))
    changed = msgspec.convert(renamed(plain, dict.fromkeys(names, DELETED_PLAYER)), ArchivedMatch)
    record = without_names_in_record(found.record, names)
    return RenamedMatch(list_packed(body), pack(replace(changed, record=record)), names)


def without_names_in_record(record: str, names: Iterable[str]) -> str:
    """Return the notation of a match without these names in its headers."""
    for name in sorted(names):
        escaped = name.replace("\\", "\\\\")
        for written in {name, escaped.replace('"', '\\"'), escaped.replace("]", "\\]")}:
            text = re.escape(written)
            for header in (rf'(?m)^(\[(?:White|Black) "){text}("\])', rf"(\bP[BW]\[){text}(\])"):
                record = re.sub(header, _REPLACED, record)
        record = _without_name_in_json(record, name)
    return record


_REPLACED: Final = rf"\g<1>{DELETED_PLAYER}\g<2>"


def _without_name_in_json(record: str, name: str) -> str:
    if not record.startswith("{"):
        return record
    plain = msgspec.json.decode(record)
    plain["names"] = [DELETED_PLAYER if each == name else each for each in plain.get("names", ())]
    return msgspec.json.encode(plain).decode() + "\n"
