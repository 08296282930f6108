"""No route and no notice tells more of an invisible player than of one who is offline.

What everybody but a follower learns of a visible player is the same, whether that player is online or not.
"""

import json
import re
from collections.abc import Callable
from contextlib import closing
from typing import Any, Final
from urllib.parse import quote

import pytest

from qipai.server.docs.http_routes import ROUTES
from tests.server.people.test_relation_api import following, people, wait_for
from tests.server.test_account_api import Browser
from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

SHOWN_TO_ITSELF: Final = frozenset(
    {
        "/api/account",
        "/api/account/data",
        "/api/account/openid/callback",
        "/metrics",
        "/api/my-games/download",
    }
)
"""Routes about the asker or about load, and one that changes cookies: they may change with each request."""


def answers(asker: Browser, name: str, guest_token: str = "") -> dict[str, Any]:
    """Return what every route that can be read says, with this name as its parameter."""
    found = {}
    known = {"name": quote(name), "room": "none", "match": "1", "category": "chess-blitz"}
    for route in ROUTES:
        if (
            route.method != "GET"
            or route.path in SHOWN_TO_ITSELF
            or route.path.startswith("/docs")
            or route.path == "/"
        ):
            continue
        path = re.sub(r"{(\w+)}", lambda found: known.get(found[1], "1"), route.path)
        headers = {"authorization": f"Bearer {guest_token}"} if guest_token else {}
        found[path] = asker.ask("GET", path, **headers)[:2]
    assert f"/api/people/{quote(name)}" in found
    assert "/api/account/following" in found
    return found


def frames(client: Client) -> list[Message]:
    """Return what a client is sent: the room list, and everything until a pong."""
    client.send("lobby", on=True)
    client.send("ping", n=1)
    found = []
    while (message := client.receive())["type"] != "pong":
        # The number of all people who are online counts invisible ones too; it has no names.
        found.append({key: value for key, value in message.items() if key != "online"})
    client.send("lobby", on=False)
    return found


def outcome_of_challenge(client: Client, name: str, nonce: str) -> list[Any]:
    """Return what a challenger is told at once, without what names its room."""
    wanted = {"type": "open", "game": "gomoku", "nonce": nonce}
    client.send("challenge", name=name, open=wanted)
    found: list[Any] = []
    while not found or found[-1][0] not in {"challenge", "refused"}:
        message = client.receive()
        found.append((message["type"], sorted(message), message.get("code")))
        room = message.get("room")
    client.send("ping", n=1)
    while (message := client.receive())["type"] != "pong":
        found.append(json.dumps(message))
    client.send("leave", room=room)
    client.receive_until("left")
    return found


def compare(
    server: ServerProcess, names: str, prepare: Callable[[Browser], object], *, follower_too: bool
) -> None:
    """Check that others learn nothing when a player connects and watches a public table."""
    bo, follower, stranger = people(server, f"Bo {names}", f"Fo {names}", f"St {names}")
    guest = Browser(server)
    host = Client(server.port)
    room = host.ask("open", "room", game="gomoku", nonce="n")["room"]["id"]
    prepare(bo)
    assert follower.post("follow", name=f"Bo {names}").status == 200
    wait_for(lambda: following(follower), [(f"Bo {names}", False)])
    sockets = [follower.connect(), stranger.connect()]
    # A followed player who is not invisible is the one thing that a follower may see change.
    askers = [(stranger, ""), (guest, ""), (guest, host.token)] + ([(follower, "")] if follower_too else [])

    def look(nonce: str) -> list[Any]:
        seen: list[Any] = [answers(asker, f"Bo {names}", token) for asker, token in askers]
        seen += [frames(each) for each in sockets]
        return [*seen, *(outcome_of_challenge(each, f"Bo {names}", nonce) for each in sockets)]

    before = look("before")
    with closing(bo.connect()) as socket:
        socket.ask("watch", "room", room=room)
        if not follower_too:
            wait_for(lambda: following(follower), [(f"Bo {names}", True)])
        else:
            # A player who connects later is told later.
            see_somebody_connect(server, follower, f"Vi {names}")
        after = look("after")
    for client in (*sockets, host):
        client.close()
    assert spectators_removed(after) == spectators_removed(before)


def see_somebody_connect(server: ServerProcess, follower: Browser, name: str) -> None:
    """Wait until the follower is told that a new player is online, and forget that player."""
    (visible,) = people(server, name)
    assert follower.post("follow", name=name).status == 200
    with closing(visible.connect()):
        wait_for(lambda: (name, True) in following(follower), True)
    assert follower.post("unfollow", name=name).status == 200


def spectators_removed(seen: Any) -> Any:
    """Return what was seen without the numbers of spectators, who are not named."""
    if isinstance(seen, dict):
        return {key: spectators_removed(value) for key, value in seen.items() if key != "spectators"}
    if isinstance(seen, (list, tuple)):
        return [spectators_removed(each) for each in seen]
    return seen


def test_an_invisible_player_is_as_offline_to_everybody(server: ServerProcess) -> None:
    compare(
        server,
        "Hidden",
        lambda bo: bo.post("privacy", invisible=True, challenges_from="everyone"),
        follower_too=True,
    )


def test_guests_and_strangers_learn_nothing_of_a_visible_player(server: ServerProcess) -> None:
    compare(server, "Shown", lambda _: None, follower_too=False)
