"""Lists the licence of every dependency; fails if one that we ship is not compatible with our AGPL.

`make licences` runs it. `run` is what `pip install qipai[archive,cluster]` installs, `page` is what the built
page contains: both must be compatible with AGPL-3.0-or-later. `dev` is everything else that is installed, for
tests and tools: it is only listed.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final = "qipai"
EXTRAS: Final = ("archive", "cluster")
COPIED: Final = ("socket.io-client",)
"""npm packages that the Makefile copies beside the page, beyond the dependencies of web/package.json."""

COMPATIBLE: Final = frozenset(
    {
        "0BSD",
        "AGPL-3.0-only",
        "AGPL-3.0-or-later",
        "Apache-2.0",
        "BlueOak-1.0.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC0-1.0",
        "GPL-2.0-or-later",
        "GPL-3.0-only",
        "GPL-3.0-or-later",
        "ISC",
        "LGPL-2.1-only",
        "LGPL-2.1-or-later",
        "LGPL-3.0-only",
        "LGPL-3.0-or-later",
        "MIT",
        "MIT-0",
        "MPL-2.0",
        "PSF-2.0",
        "Python-2.0",
        "Unicode-3.0",
        "Unlicense",
        "Zlib",
    }
)
"""SPDX names of licences whose works may be part of one under AGPL-3.0-or-later (GPL 3, section 13)."""
_NAMES: Final = {
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "gnu affero general public license v3 or later (agplv3+)": "AGPL-3.0-or-later",
    "gnu general public license v2 (gplv2)": "GPL-2.0-only",
    "gnu general public license v3 (gplv3)": "GPL-3.0-only",
    "gnu general public license v3 or later (gplv3+)": "GPL-3.0-or-later",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "gpl-3.0+": "GPL-3.0-or-later",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
}
"""What people wrote before there were SPDX names."""
_SPDX: Final = re.compile(r"[A-Za-z0-9.+-]+-[0-9][A-Za-z0-9.+-]*|0BSD|ISC|MIT|Unlicense|Zlib")
_TEXTS: Final = (
    ("All advertising materials mentioning", "BSD-4-Clause"),
    ("Neither the name", "BSD-3-Clause"),
    ("Redistribution and use in source and binary forms", "BSD-2-Clause"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Apache License Version 2.0", "Apache-2.0"),
)
"""Words of a licence's text, the more special first."""


class Dependency(NamedTuple):
    """A package that is used, where it ends, and an SPDX expression, empty if its licence is not known."""

    use: str
    name: str
    version: str
    licence: str

    @property
    def refused(self) -> bool:
        """Tell whether it must not be shipped."""
        return self.use != "dev" and not compatible(self.licence)


def compatible(expression: str) -> bool:
    """Tell whether an SPDX expression leaves a choice that is compatible with AGPL-3.0-or-later."""
    words = re.findall(r"[()]|[^\s()]+", expression)

    def either() -> bool:
        found = both()
        while words and words[0].upper() == "OR":
            words.pop(0)
            found = both() or found
        return found

    def both() -> bool:
        found = one()
        while words and words[0].upper() == "AND":
            words.pop(0)
            found = one() and found
        return found

    def one() -> bool:
        if not words:
            return False
        word = words.pop(0)
        if word == "(":
            found = either()
            return bool(words) and words.pop(0) == ")" and found
        if words and words[0].upper() == "WITH":  # An exception only allows more.
            del words[:2]
        return word in COMPATIBLE

    return either() and not words


def installed(found: Mapping[str, Distribution]) -> Iterator[Dependency]:
    """Yield every installed Python package except ours."""
    shipped = _closure(found)
    for name, each in sorted(found.items()):
        if name != PROJECT:
            use = "run" if name in shipped else "dev"
            yield Dependency(use, name, each.version, _licence(each))


def paged(web: Path) -> Iterator[Dependency]:
    """Yield every npm package that ends in the page."""
    manifest = json.loads((web / "package.json").read_text("utf-8"))
    waiting = [*manifest.get("dependencies", {}), *COPIED]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        file = web / "node_modules" / name / "package.json"
        package = json.loads(file.read_text("utf-8")) if file.is_file() else {}
        waiting += package.get("dependencies", {})
        yield Dependency("page", name, package.get("version", "?"), _npm_licence(package))


def _closure(found: Mapping[str, Distribution]) -> set[str]:
    """Return the names of all that our package needs at run time."""
    seen: set[tuple[str, str]] = set()
    waiting = [(PROJECT, extra) for extra in ("", *EXTRAS)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen or name not in found:
            continue
        seen.add((name, extra))
        for text in found[name].requires or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(needed.name), each) for each in ("", *needed.extras)]
    return {name for name, _ in seen}


def _npm_licence(package: Mapping[str, Any]) -> str:
    """Return what `license` says, or the list that npm knew before it; of several all are meant."""
    named = package.get("license") or [each.get("type", "") for each in package.get("licenses", ())]
    return named if isinstance(named, str) else " AND ".join(named)


def _licence(found: Distribution) -> str:
    """Return the licence that a package names in its metadata, else the one whose text it carries."""
    told = found.metadata.json
    if expression := str(told.get("license_expression") or ""):
        return expression
    if named := _known(str(told.get("license") or "")):
        return named
    files = [file for file in found.files or () if re.match("licen[cs]e|copying", file.name, re.IGNORECASE)]
    texts = {_by_text(file.read_text("utf-8")) for file in files if ".dist-info" in str(file)}
    if texts - {""}:
        return " AND ".join(sorted(texts - {""}))
    classifiers = [each.split(" :: ")[-1] for each in told.get("classifier") or () if each[:7] == "License"]
    return " AND ".join(sorted(filter(None, map(_known, classifiers))))


def _known(text: str) -> str:
    text = text.strip()
    return _NAMES.get(text.lower()) or (text if _SPDX.fullmatch(text) else "")


def _by_text(text: str) -> str:
    plain = " ".join(text.split())
    return next((licence for words, licence in _TEXTS if words in plain), "")


def main(arguments: list[str] | None = None) -> int:
    """Print the list; return 1 if something that we ship is not compatible, one line each."""
    parser = argparse.ArgumentParser(prog="licences", description="Licences of all dependencies.")
    parser.add_argument(
        "--site", metavar="FOLDER", help="look for Python packages there, else in this Python"
    )
    parser.add_argument("--web", metavar="FOLDER", type=Path, default=ROOT / "web", help="the page's source")
    chosen = parser.parse_args(arguments)
    everything = distributions(path=[chosen.site]) if chosen.site else distributions()
    found: dict[str, Distribution] = {canonicalize_name(each.metadata["Name"]): each for each in everything}
    if PROJECT not in found:
        print(f"licences: {PROJECT} is not installed, so nobody knows what it needs", file=sys.stderr)
        return 1
    all_of_them = [*installed(found), *paged(chosen.web)]
    for each in sorted(all_of_them, key=lambda each: ("run page dev".index(each.use), each.name)):
        print(f"{each.use:5}{each.name:30}{each.version:14}{each.licence or 'not known'}")
    refused = [each for each in all_of_them if each.refused]
    for each in refused:
        licence = each.licence or "not known"
        print(f"licences: {each.name} {each.version}: {licence} is not compatible with AGPL", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
