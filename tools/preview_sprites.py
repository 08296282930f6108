"""Draws the sprites of the preview pictures as the page draws them; run `python -m tools.preview_sprites`."""

import io
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Locator, expect, sync_playwright

from tests.browser.person import Person
from tests.support.server import ServerProcess

from .browser import find

ROOT: Final = Path(__file__).parents[1]
GAMES: Final = ROOT / "src" / "qipai" / "games"
WEB_GAMES: Final = ROOT / "web" / "src" / "games"

_STONES: Final = """<svg xmlns="http://www.w3.org/2000/svg" width="128" height="64" viewBox="0 0 128 64">
  <defs>
    <radialGradient id="black" cx=".42" cy=".4" r=".6" fx=".3" fy=".26">
      <stop offset="0" stop-color="#75787d"/><stop offset=".16" stop-color="#4b4e53"/>
      <stop offset=".5" stop-color="#26282b"/><stop offset="1" stop-color="#0d0e10"/>
    </radialGradient>
    <radialGradient id="white" cx=".42" cy=".4" r=".6" fx=".3" fy=".26">
      <stop offset="0" stop-color="#ffffff"/><stop offset=".55" stop-color="#f6f2e8"/>
      <stop offset="1" stop-color="#cfc7b4"/>
    </radialGradient>
    <filter id="shadow" x="-20%" y="-20%" width="140%" height="140%">
      <feDropShadow dx="1.6" dy="3" stdDeviation="2.4" flood-color="#1e1000" flood-opacity=".45"/>
    </filter>
  </defs>
  <circle cx="32" cy="31" r="28" fill="url(#black)" filter="url(#shadow)"/>
  <circle cx="96" cy="31" r="28" fill="url(#white)" filter="url(#shadow)"/>
</svg>"""
_MARKS: Final = """<svg xmlns="http://www.w3.org/2000/svg" width="320" height="160" viewBox="0 0 320 160">
  <g fill="none" stroke-linecap="round" stroke-width="21">
    <path d="M38 38L122 122M122 38L38 122" stroke="#a8322a"/>
    <circle cx="240" cy="80" r="46" stroke="#1c6653"/>
  </g>
</svg>"""
_TILE_COLUMNS: Final = 11
_TILES: Final = f"""() => {{
    const sheet = document.createElement("div");
    sheet.id = "sheet";
    const face = (kind) => `<svg viewBox="0 0 60 80"><use href="#mj-${{kind}}"/></svg>`;
    const tile = (kind) => `<i><span class="mj-tile">${{face(kind)}}</span></i>`;
    const back = '<i><span class="mj-tile mj-back"></span></i>';
    sheet.innerHTML = Array.from({{ length: 42 }}, (_, kind) => tile(kind)).join("") + back;
    document.querySelector(".mj-table, .mj, .arena").append(sheet);
    const style = new CSSStyleSheet();
    style.replaceSync(`
        body > *, body, .sheet-parent {{ background: none !important; box-shadow: none !important; }}
        #sheet {{ --tile: 96px; position: fixed; inset: 0 auto auto 0; z-index: 9999; display: grid;
            grid-template-columns: repeat({_TILE_COLUMNS}, 108px); }}
        #sheet i {{ display: block; width: 108px; height: 144px; padding: 2px 6px; }}
        #sheet .mj-tile {{ margin: 0; transform: none; }}
    `);
    document.adoptedStyleSheets.push(style);
    const keep = [];
    for (let one = sheet; one !== document.documentElement; one = one.parentElement) keep.push(one);
    for (const one of document.body.querySelectorAll("*")) {{
        if (keep.includes(one) && one !== sheet) one.classList.add("sheet-parent");
        else if (!sheet.contains(one) && !one.closest(".mj-faces")) one.style.visibility = "hidden";
    }}
    sheet.style.visibility = "visible";
    document.documentElement.style.background = "none";
}}"""


def main() -> None:
    """Write all sprite sheets."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        drawings = {
            "chess": (WEB_GAMES / "chess" / "board" / "pieces.svg").read_text(),
            "gomoku": _STONES,
            "tictactoe": _MARKS,
        }
        for game, drawing in drawings.items():
            page = browser.new_page(viewport={"width": 800, "height": 400})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
            _save(page.locator("svg").first, game)
            page.close()
        _tiles(browser)
        browser.close()


def _tiles(browser: Browser) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        Person(browser, f"http://127.0.0.1:{server.port}", color_scheme="light") as ada,
    ):
        ada.visit().choose("Mahjong")
        ada.press("Play computer")
        expect(ada.page.locator(".mj-faces")).to_be_attached()
        ada.page.evaluate(_TILES)
        _save(ada.page.locator("#sheet"), "mahjong")


def _save(drawing: Locator, game: str) -> None:
    sheet = Image.open(io.BytesIO(drawing.screenshot(omit_background=True))).convert("RGBA")
    file = GAMES / game / "preview" / "sprites.png"
    sheet.save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {sheet.width} x {sheet.height}, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
