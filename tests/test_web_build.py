"""The build of the page refuses what nobody could read."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
WEB: Final = ROOT / "web"

pytestmark = pytest.mark.slow


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the page in a folder beside which nothing else is."""
    return subprocess.run(
        [ROOT / "tools" / "npm", "run", "build"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("language", ["en", "zh-hant", "zh-hans"])
def test_the_build_fails_when_a_language_misses_a_text(tmp_path: Path, language: str) -> None:
    if not (WEB / "node_modules").is_dir():
        if os.environ.get("CI"):
            pytest.fail("there are no node_modules: run make setup")
        pytest.skip("NOT TESTED: there are no node_modules")
    folder = tmp_path / "web"
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(WEB / "node_modules")
    words = folder / "src" / "i18n" / f"{language}.ts"
    kept = [line for line in words.read_text().splitlines() if not line.startswith("  skip:")]
    assert len(kept) + 1 == len(words.read_text().splitlines())
    words.write_text("\n".join(kept))
    done = build(folder)
    assert done.returncode != 0
    assert "skip" in done.stdout
    assert not (tmp_path / "src").exists(), "nothing was built"
