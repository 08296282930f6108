"""The rights that our own page for operators gives to a user of Redis."""

import re
from pathlib import Path
from typing import Any

import redis as client

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def rule() -> list[str]:
    """Return the words of the user's line: who, and what he may."""
    found = re.search(r"^user (qipai .+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert found is not None, "the page does not say what Redis has to allow"
    return found[1].split()


def grant(address: str, password: str) -> str:
    """Make the user at a Redis as the page says; return the address by which he comes."""
    name, *rights = rule()
    with client.Redis.from_url(address) as admin:
        admin.execute_command("ACL", "SETUSER", name, *rights)
        admin.execute_command("ACL", "SETUSER", name, "resetpass", f">{password}")
    return address.replace("//", f"//{name}:{password}@")


def denied(address: str) -> list[Any]:
    """Return what somebody wanted to do and might not."""
    with client.Redis.from_url(address) as admin:
        return [
            {key: entry[key] for key in ("username", "context", "object", "reason")}
            for entry in admin.acl_log()
        ]
