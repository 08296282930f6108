"""A server from the built wheels, in an empty virtual environment."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NoReturn

import pytest

from tests.support.server import ServerProcess

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "src" / "qipai" / "page" / "index.html"
REVERSI: Final = ROOT / "examples" / "reversi"
_TIMEOUT: Final = 600


def missing(what: str) -> NoReturn:
    """Skip on a developer's machine, fail in CI."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(f"NOT TESTED: {what}")


def pip(*arguments: str | Path) -> None:
    """Run pip and fail with its output."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)


def install(folder: Path) -> Path:
    """Build the wheels of Qipai and Reversi, install both and nothing else; return the Python there."""
    if not PAGE.is_file():
        missing("the page is not built: run make web")
    # A copy without build results: pip must not write into the tree.
    reversi = shutil.copytree(REVERSI, folder / "reversi", ignore=shutil.ignore_patterns("__pycache__"))
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", folder / "wheels", ROOT, reversi)
    wheels = sorted((folder / "wheels").glob("*.whl"))
    assert [wheel.name.partition("-")[0] for wheel in wheels] == ["qipai", "qipai_reversi"]
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True, timeout=_TIMEOUT)
    python = environment / "bin" / "python"
    constraints = ROOT / "requirements" / "run.txt"
    pip("--python", python, "install", "--quiet", "--constraint", constraints, *wheels)
    return python


def site_packages(python: Path) -> Path:
    """Return the folder of the installed packages."""
    (found,) = (python.parent.parent / "lib").glob("python*/site-packages")
    return found


def add_broken_package(python: Path) -> None:
    """Install a package whose game cannot be imported."""
    folder = site_packages(python)
    (folder / "broken_game.py").write_text("raise RuntimeError('this package is broken')\n")
    information = folder / "broken_game-0.9.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 0.9\n")
    (information / "entry_points.txt").write_text("[qipai.games]\nbroken = broken_game:GAME\n")


class InstalledServer(ServerProcess):
    """`qipai serve` of an installed wheel; nothing is imported from this tree."""

    arguments = ("-I", "-m", "qipai", "serve")

    def __init__(self, data: Path, python: Path) -> None:
        super().__init__(data)
        self.program = str(python)

    def run(self, *arguments: str) -> str:
        """Return the output of another command of `qipai`."""
        environment = os.environ | {"QIPAI_DATA": str(self.data), "PORT": str(self.port)}
        command = [self.program, "-I", "-m", "qipai", *arguments]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
        return done.stdout + done.stderr


def install_laws(server: InstalledServer) -> None:
    """Install what `qipai.testing` needs."""
    (wheel,) = (server.data.parent / "wheels").glob("qipai-*.whl")
    constraints = ROOT / "requirements" / "dev.txt"
    pip("--python", server.program, "install", "--quiet", "--constraint", constraints, f"{wheel}[testing]")


def run_tests(server: InstalledServer, file: str, *arguments: str) -> str:
    """Run tests of Reversi in the environment of the server; return the output."""
    command = [
        server.program,
        "-I",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"tests/{file}",
        *arguments,
    ]
    folder = server.data.parent / "reversi"
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    return done.stdout + done.stderr
