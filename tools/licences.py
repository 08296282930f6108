"""Lists the licence of every dependency; fails if a shipped one is not compatible with the AGPL.

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
        "MIT-CMU",
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
"""Names from before SPDX, as packages still have them."""
_SPDX: Final = re.compile(r"[A-Za-z0-9.+-]+-[0-9][A-Za-z0-9.+-]*|0BSD|ISC|MIT|Unlicense|Zlib")
_TEXTS: Final = (
    ("All advertising materials mentioning", "BSD-4-Clause"),
    ("Neither the name", "BSD-3-Clause"),
    ("Redistribution and use in source and binary forms", "BSD-2-Clause"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Apache License Version 2.0", "Apache-2.0"),
)
"""Phrases of licence texts, the more specific first."""


class Dependency(NamedTuple):
    """A package, its use, and an SPDX expression, empty for an unknown licence."""

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
        if words and words[0].upper() == "WITH":  # An exception only adds permissions.
            del words[:2]
        return word in COMPATIBLE

    return either() and not words


def installed(found: Mapping[str, Distribution]) -> Iterator[Dependency]:
    """Yield every installed Python package except Qipai itself."""
    shipped = _needed_at_run_time(found)
    for name, each in sorted(found.items()):
        if name != PROJECT:
            use = "run" if name in shipped else "dev"
            yield Dependency(use, name, each.version, _licence(each))


def in_page(web: Path) -> Iterator[Dependency]:
    """Yield every npm package that the page contains."""
    manifest = json.loads((web / "package.json").read_text("utf-8"))
    waiting = [*manifest.get("dependencies", {}), *COPIED]
    visited: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in visited:
            continue
        visited.add(name)
        file = web / "node_modules" / name / "package.json"
        package = json.loads(file.read_text("utf-8")) if file.is_file() else {}
        waiting += package.get("dependencies", {})
        yield Dependency("page", name, package.get("version", "?"), _npm_licence(package))


def _needed_at_run_time(found: Mapping[str, Distribution]) -> set[str]:
    """Return the names of all packages that Qipai needs at run time."""
    visited: set[tuple[str, str]] = set()
    waiting = [(PROJECT, extra) for extra in ("", *EXTRAS)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in visited or name not in found:
            continue
        visited.add((name, extra))
        for text in found[name].requires or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(needed.name), each) for each in ("", *needed.extras)]
    return {name for name, _ in visited}


def _npm_licence(package: Mapping[str, Any]) -> str:
    """Return the field `license`, or the older list `licenses`, all of which apply."""
    named = package.get("license") or [each.get("type", "") for each in package.get("licenses", ())]
    return named if isinstance(named, str) else " AND ".join(named)


def _licence(found: Distribution) -> str:
    """Return the licence of a package from its metadata, else from its licence text."""
    metadata = found.metadata.json
    if expression := str(metadata.get("license_expression") or ""):
        return expression
    if named := _spdx_name(str(metadata.get("license") or "")):
        return named
    files = [file for file in found.files or () if re.match("licen[cs]e|copying", file.name, re.IGNORECASE)]
    texts = {_by_text(file.read_text("utf-8")) for file in files if ".dist-info" in str(file)}
    if texts - {""}:
        return " AND ".join(sorted(texts - {""}))
    classifiers = [
        each.split(" :: ")[-1] for each in metadata.get("classifier") or () if each[:7] == "License"
    ]
    return " AND ".join(sorted(filter(None, map(_spdx_name, classifiers))))


def _spdx_name(text: str) -> str:
    text = text.strip()
    return _NAMES.get(text.lower()) or (text if _SPDX.fullmatch(text) else "")


def _by_text(text: str) -> str:
    plain = " ".join(text.split())
    return next((licence for words, licence in _TEXTS if words in plain), "")


def main(arguments: list[str] | None = None) -> int:
    """Print the list; return 1 and one line each if a shipped package is not compatible."""
    parser = argparse.ArgumentParser(prog="licences", description="Licences of all dependencies.")
    parser.add_argument("--site", metavar="FOLDER", help="folder with Python packages (default: this Python)")
    parser.add_argument("--web", metavar="FOLDER", type=Path, default=ROOT / "web", help="source of the page")
    chosen = parser.parse_args(arguments)
    packages = distributions(path=[chosen.site]) if chosen.site else distributions()
    found: dict[str, Distribution] = {canonicalize_name(each.metadata["Name"]): each for each in packages}
    if PROJECT not in found:
        print(f"licences: {PROJECT} is not installed, so its dependencies are unknown", file=sys.stderr)
        return 1
    dependencies = [*installed(found), *in_page(chosen.web)]
    for each in sorted(dependencies, key=lambda each: ("run page dev".index(each.use), each.name)):
        print(f"{each.use:5}{each.name:30}{each.version:14}{each.licence or 'not known'}")
    refused = [each for each in dependencies if each.refused]
    for each in refused:
        licence = each.licence or "not known"
        print(f"licences: {each.name} {each.version}: {licence} is not compatible with AGPL", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
