"""How many frames of the board's animations come late, for a spectator in a real browser."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct
from playwright.async_api import Page, async_playwright

from bench.failure import Failure
from bench.load.chess_games import ChessSeat, Game
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import HOST, qipai_server
from bench.statistics import median
from tools.browser import find

LATE: Final = 0.02
"""Share of the frames that may be late."""
MOVE_PAUSE: Final = 0.4
"""Seconds between two moves: an animation is over before the next one."""
PHONE: Final = 4
"""A phone is about so many times slower."""
IDLE_FRAMES: Final = 60
_SWITCHES: Final = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_WATCH: Final = """() => {
  window.gaps = [];
  let last = 0, moving = false;
  const frame = (now) => {
    if (moving) gaps.push(now - last);
    last = now;
    moving = document.querySelector("piece.anim") !== null;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
_IDLE: Final = """(count) => new Promise((done) => {
  const gaps = [];
  let last = 0;
  const frame = (now) => {
    if (last) gaps.push(now - last);
    last = now;
    gaps.length < count ? requestAnimationFrame(frame) : done(gaps);
  };
  requestAnimationFrame(frame);
})"""


class PageFrames(Struct):
    """Frames of all animations, and those that came half a frame late or later; milliseconds.

    `slowed`: how many times slower the page computes than it could.
    """

    slowed: int
    frames: int
    late: int
    idle_late: int
    frame: float
    longest: float


async def page_frames(scale: Scale, report: Report) -> list[Row]:
    """Watch a chess game in Chromium, and measure the time between the frames in which a piece moves."""
    rows = []
    for slowed in (1, PHONE):
        runs = []
        for _ in range(scale.repeats):
            with qipai_server() as server:
                async with _page(slowed) as page:
                    runs.append(await _watch(page, server.port, scale.watched_moves, slowed))
            report.add_run("page-frames", runs[-1])
        share = median([run.late / run.frames for run in runs])
        idle = median([run.idle_late / IDLE_FRAMES for run in runs])
        name = "page-frames" if slowed == 1 else f"page-frames (CPU {slowed} times slower)"
        note = f"{sum(run.frames for run in runs)} frames; of a still page {idle:.0%} come late"
        rows.append(Row(name, "%", f"<= {LATE:.0%}", share * 100, met=share <= LATE, note=note))
    return rows


@contextlib.asynccontextmanager
async def _page(slowed: int) -> AsyncIterator[Page]:
    program = find()
    if program is None:
        raise Failure("no chromium: run tools/chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=_SWITCHES)
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        yield page
        await browser.close()


async def _watch(page: Page, port: int, moves: int, slowed: int) -> PageFrames:
    white, black = ChessSeat(port), ChessSeat(port)
    await white.connect()
    await black.connect()
    game = await Game.open(white, black, 0)
    await page.goto(f"http://{HOST}:{port}/#/t/{game.room.decode()}")
    await page.locator("piece").first.wait_for(state="attached")
    idle: list[float] = await page.evaluate(_IDLE, IDLE_FRAMES)
    await page.evaluate(_WATCH)
    for _ in range(moves):
        await game.move()
        await asyncio.sleep(MOVE_PAUSE)
    gaps: list[float] = await page.evaluate("gaps")
    white.close()
    black.close()
    if len(gaps) < moves:
        raise Failure(f"the page animated {len(gaps)} frames in {moves} moves")
    frame = median(idle)
    late = 1.5 * frame
    return PageFrames(
        slowed=slowed,
        frames=len(gaps),
        late=sum(gap > late for gap in gaps),
        idle_late=sum(gap > late for gap in idle),
        frame=frame,
        longest=max(gaps),
    )
