"""Accessibility problems that axe finds on a page."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RUN: Final = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        `${id}: ${target.join(" ")} (${failureSummary.split("\\n").slice(1).join(" ").trim()})`))"""


def accessibility_problems(page: Page, where: str) -> list[str]:
    """Return all serious problems, in light and dark mode."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark", reduced_motion="reduce")
        # Colours have a transition; check them after it.
        page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
        page.evaluate(AXE.read_text())
        found += [f"{where}, {scheme}: {what}" for what in page.evaluate(_RUN)]
    return found
