"""Finds the browser for the tests in a browser, the screenshots and the icons."""

import shutil


def find() -> str | None:
    """Return the headless shell of Chromium, which computes less, or else Chromium."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
