"""The Redis user that the operations guide describes."""

import re
from pathlib import Path
from typing import Any

import redis as client

GUIDE = Path(__file__).parents[3] / "docs" / "operations.md"


def acl_rule() -> list[str]:
    """Return the name and the rights of the user, as the guide lists them."""
    found = re.search(r"^user (qipai .+)$", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert found is not None, "the guide does not list the rights of the Redis user"
    return found[1].split()


def create_user(address: str, password: str) -> str:
    """Create the user as the guide says; return the address with its name and password."""
    name, *rights = acl_rule()
    with client.Redis.from_url(address) as admin:
        admin.execute_command("ACL", "SETUSER", name, *rights)
        admin.execute_command("ACL", "SETUSER", name, "resetpass", f">{password}")
    return address.replace("//", f"//{name}:{password}@")


def denials(address: str) -> list[Any]:
    """Return the commands and keys that Redis has denied."""
    with client.Redis.from_url(address) as admin:
        return [
            {key: entry[key] for key in ("username", "context", "object", "reason")}
            for entry in admin.acl_log()
        ]
