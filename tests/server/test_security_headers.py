"""The content security policy: scripts of the server only, and the import map of the page by its hash."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from qipai.server.http_app import PAGE
from qipai.server.security_headers import content_security_policy


def scripts(policy: str) -> list[str]:
    """Return the sources from which a policy allows scripts."""
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    return directives["script-src"].split()


@pytest.mark.parametrize("document", [None, "<script type=module src=/assets/index.js></script>"])
def test_without_an_import_map_no_inline_script_is_allowed(tmp_path: Path, document: str | None) -> None:
    if document is not None:
        (tmp_path / "index.html").write_text(document)
    assert scripts(content_security_policy(tmp_path)) == ["'self'"]


def test_the_import_map_of_the_page_is_allowed_by_its_hash_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<head><script type="importmap">{"imports":\n{}}</script>'
        '<script>alert(1)</script><script type="module" src="/assets/index.js"></script>'
    )
    # Computed with `printf '{"imports":\n{}}' | openssl dgst -sha256 -binary | base64`.
    assert scripts(content_security_policy(tmp_path)) == [
        "'self'",
        "'sha256-ySHOUKwb0ka/v/j1rN8YU+mQ02Tf/G+v6s/RL4mCeZE='",
    ]


@pytest.mark.slow
def test_the_built_page_has_one_inline_script_which_is_allowed() -> None:
    document = (PAGE / "index.html").read_text()
    inline = re.findall(r"<script(?![^>]* src=)[^>]*>(.*?)</script>", document, re.DOTALL)
    assert len(inline) == 1
    digest = base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in scripts(content_security_policy(PAGE))
