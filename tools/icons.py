"""Draws the icons of the web page from `web/public/favicon.svg`; run `python -m tools.icons`."""

from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from .browser import find

PUBLIC: Final = Path(__file__).parents[1] / "web" / "public"
SEAL_COLOUR: Final = "#a8322a"
ICONS: Final = {"icon-192.png": (192, False), "icon-512.png": (512, False)} | {
    "icon-maskable-512.png": (512, True),
    "apple-touch-icon.png": (180, True),
}
"""File name to size, and whether the device that shows the icon crops it."""


def main() -> None:
    """Write all icons."""
    drawing = (PUBLIC / "favicon.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for name, (size, cropped) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            # A phone may crop the icon to the middle 80 %; the drawing has its own margin of 1/16.
            side, background = (round(size * 0.86), SEAL_COLOUR) if cropped else (size, "transparent")
            page.set_content(
                f"<style>body{{margin:0;display:grid;place-items:center;height:100vh;background:{background}}}"
                f"svg{{width:{side}px;height:{side}px}}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
