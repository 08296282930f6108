"""Puts the tags of a preview into the built page."""

import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final

from .link_preview import LinkPreview
from .picture_drawing import HEIGHT, WIDTH
from .preview_texts import SITE, TEXTS

_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
_DESCRIPTION: Final = re.compile(r'<meta name="description"[^>]*>\s*')
_HOST: Final = re.compile(r"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")


class PreviewPage:
    """The built page as a template."""

    def __init__(self, document: str) -> None:
        page = _DESCRIPTION.sub("", document, count=1)
        self._before, _, self._after = _TITLE.sub("\0", page, count=1).partition("\0")

    def with_preview(self, preview: LinkPreview, address: str, path: str, picture: str) -> str:
        """Return the page with the tags of a preview; `path` and `picture` are paths at this address."""
        properties = {
            "og:type": "website",
            "og:site_name": SITE,
            "og:locale": TEXTS[preview.language].locale,
            "og:title": preview.title,
            "og:description": preview.text,
            "og:url": f"{address}{path}",
            "og:image": f"{address}{picture}",
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": preview.title,
        }
        names = {"description": preview.text, "twitter:card": "summary_large_image"}
        if not preview.indexed:
            names["robots"] = "noindex"
        tags = [
            f"<title>{escape(preview.title)}</title>",
            *(f'<meta name="{name}" content="{escape(text)}" />' for name, text in names.items()),
            *(f'<meta property="{name}" content="{escape(text)}" />' for name, text in properties.items()),
        ]
        return self._before + "\n    ".join(tags) + self._after


def page_template(page: Path) -> PreviewPage | None:
    """Return the built page in a folder, or None if there is none."""
    try:
        changed = (page / "index.html").stat().st_mtime_ns
    except OSError:
        return None
    return _read(page, changed)


@lru_cache(4)
def _read(page: Path, changed: int) -> PreviewPage:
    return PreviewPage((page / "index.html").read_text("utf-8"))


def public_address(scheme: str, host: str) -> str:
    """Return the address of the server as the client wrote it; empty if it is no host.

    It is used for these tags only: a client that sends another host gets tags with that host.
    """
    return f"{scheme}://{host}" if _HOST.fullmatch(host) else ""
