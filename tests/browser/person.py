"""A person with a browser, who collects its errors, and a person with an older client."""

import contextlib
import json
import re
from types import TracebackType
from typing import Any, Final, Self

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, expect

from tests.socketio.raw_engineio import WebSocket
from tests.socketio.raw_socketio import connect, emit

DESKTOP: Final = (1280, 800)
PHONE: Final = (390, 844)

# Keeps the sockets so that a test can close them: going offline leaves open ones alone.
_KEEP_SOCKETS: Final = """
    window.sockets = [];
    window.WebSocket = class extends WebSocket {
        constructor(...address) { super(...address); window.sockets.push(this); }
    };
    document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
_CUT: Final = re.compile(
    r"WebSocket connection to .* failed|"
    r"net::ERR_(INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH)|"
    r"Failed to load resource: the server responded with a status of (401|403|404|409|422|429|503)"
)


_NOTE_COPIED: Final = """(button) => {
  window.saidCopied = false;
  const note = () => (window.saidCopied ||= button.textContent.includes("Copied"));
  new MutationObserver(note).observe(button, { subtree: true, childList: true, characterData: true });
}"""


class Person:
    """A browser context with one page; its exit fails if the page logged an error."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: tuple[int, int] = DESKTOP,
        language: str = "en",
        **more: Any,
    ) -> None:
        self.address = address
        self.problems: list[str] = []
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, reduced_motion="reduce", **more
        )
        self.context.add_init_script(_KEEP_SOCKETS)
        self.context.set_default_timeout(60_000)
        self._cut = False
        self.page = self.new_page()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.close()
        if kind is None and self.problems:
            raise AssertionError("the page complained:\n" + "\n".join(self.problems))

    def new_page(self) -> Page:
        """Open another tab whose errors count as well."""
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", self._broken)
        return page

    # Navigation

    def visit(self, route: str = "/") -> Self:
        """Open the page at a route and wait until it is connected."""
        self.page.goto(f"{self.address}/#{route}")
        expect(self.page.locator("button.name").or_(self.page.locator("a.name"))).to_be_enabled()
        return self

    def press(self, label: str) -> None:
        """Press the button or follow the link with this label."""
        self.page.get_by_role("button", name=label, exact=True).or_(
            self.page.get_by_role("link", name=label, exact=True)
        ).first.click()

    def choose(self, game: str) -> None:
        """Choose a game in the lobby, by its name."""
        if self.chosen_game.inner_text() != game:
            self.page.locator(".other-game", has_text=game).click()
        expect(self.chosen_game).to_have_text(game)

    @property
    def chosen_game(self) -> Locator:
        """Return the heading of the chosen game in the lobby."""
        return self.page.locator(".hero h2")

    def game(self, name: str) -> Locator:
        """Return a game in the lobby: its card, or its heading if it is the chosen one."""
        return self.page.locator(".hero h2, .other-game-name").get_by_text(name, exact=True)

    def watch_for_copied(self, button: Locator) -> None:
        """Note from now on when a button says that it has copied something: it says so for two seconds."""
        button.evaluate(_NOTE_COPIED)

    def expect_copied(self) -> None:
        """Wait until the button has said so, or fail."""
        self.page.wait_for_function("() => window.saidCopied")

    def show(self, game: str) -> None:
        """Show the tables of one game only."""
        wanted = self.page.get_by_role("group", name="Filter").get_by_role("radio", name=game, exact=True)
        # On a busy machine the list may still move when the pointer is pressed.
        with contextlib.suppress(Error):
            wanted.check()
        wanted.check()

    def quick_match(self, game: str = "Tic-tac-toe") -> str:
        """Play anyone; return the route of the table."""
        self.choose(game)
        self.press("Play anyone")
        return self.at_table()

    def open_table(
        self, *, game: str = "Tic-tac-toe", bot: str = "", listed: bool = True, clock: int = 0
    ) -> str:
        """Open a table and return its route."""
        self.press("Open your own table")
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("radio", name=game, exact=True).check()
        choose_opponent(dialog, bot, listed=listed)
        if bot and listed:
            unfold(dialog)
            dialog.get_by_role("switch", name="Shown in the lobby").check()
        dialog.get_by_role("group", name="Clock").get_by_role("radio").nth(clock).check()
        dialog.get_by_role("button", name="Open table").click()
        return self.at_table()

    def at_table(self) -> str:
        """Wait until the page shows a table, and return its route."""
        expect(self.board).to_be_visible()
        return self.page.url.split("#", 1)[1]

    def call_me(self, name: str) -> None:
        """Change the name."""
        self.page.get_by_role("button", name=re.compile("^Change your name")).click()
        self.page.get_by_role("textbox", name="Your name").fill(name)
        self.press("Save")
        expect(self.page.locator("button.name")).to_contain_text(name)

    # At the table

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid", name="Board")

    @property
    def status(self) -> Locator:
        return self.page.locator(".status-text")

    @property
    def banner(self) -> Locator:
        return self.page.locator(".connection-banner")

    def cell(self, number: int) -> Locator:
        """Return a cell, counted by rows from the top left."""
        return self.page.locator(f'[data-cell="{number}"]')

    def expect_cell(self, number: int, content: str) -> None:
        """Wait until a cell holds X, O or nothing (`empty`)."""
        expect(self.cell(number)).to_have_attribute("aria-label", re.compile(f": {content}$"))

    def mark(self, number: int) -> None:
        """Mark a cell as soon as it is this player's turn, and wait until the server has it."""
        expect(self.status).to_have_text("Your turn")
        self.cell(number).click()
        expect(self.cell(number)).not_to_have_class(re.compile("pending"))
        expect(self.cell(number)).not_to_have_attribute("aria-label", re.compile("empty"))

    def point(self, name: str) -> Locator:
        """Return a point of the gomoku board, such as H8."""
        x, y = spot(name)
        return self.cell(x + 15 * y)

    def expect_point(self, name: str, content: str) -> None:
        """Wait until a point holds black, white or nothing (`empty`), with an optional remark."""
        expect(self.point(name)).to_have_attribute("aria-label", re.compile(f"^{name}: {content}(,|$)"))

    def place(self, *names: str) -> None:
        """Place stones, each as soon as it is this player's turn, and wait until the server has it."""
        for name in names:
            expect(self.status).to_have_text("Your turn")
            self.point(name).click()
            expect(self.point(name)).not_to_have_class(re.compile("pending"))
            self.expect_point(name, "(black|white)")

    def is_to_move(self) -> bool:
        """Tell whether it is this player's turn, once the page shows it."""
        expect(self.status).to_have_text(re.compile("Your turn|'s turn|is thinking"))
        return self.status.inner_text() == "Your turn"

    def wins(self) -> tuple[int, int]:
        """Return the rounds won by the players above and below the board."""
        above, below = (player.locator(".pip-won").count() for player in self.page.locator(".player").all())
        return above, below

    # The connection

    def expect_trouble(self) -> None:
        """Allow connection errors, a busy server and refused requests from now on."""
        self._cut = True

    def cut(self) -> None:
        """Cut the connection and keep it down."""
        self.expect_trouble()
        self.context.set_offline(True)
        self.page.evaluate("for (const socket of window.sockets) socket.close()")

    def mend(self) -> None:
        """Restore the connection."""
        self.context.set_offline(False)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not (self._cut and _CUT.search(message.text)):
            self.problems.append(f"{message.type}: {message.text}")

    def _broken(self, error: Error) -> None:
        self.problems.append(f"uncaught: {error}")


class Caller:
    """A person with an older client that uses Socket.IO."""

    def __init__(self, address: str, nickname: str) -> None:
        self.line = WebSocket(int(address.rsplit(":", 1)[1]))
        self.room = ""
        connect(self.line)
        emit(self.line, "join-lobby", {"nickname": nickname})

    def say(self, event: str, **fields: Any) -> None:
        emit(self.line, event, {"roomId": self.room} | fields)

    def hear(self, *names: str) -> Any:
        """Expect these events next, ignoring lobby events; return the payload of the last one."""
        for name in names:
            event = ["room-list"]
            while event[0] in ("room-list", "online-count"):
                event = json.loads(str(self.line.receive()).removeprefix("42"))
            assert event[0] == name, event
        return event[1]

    def enter(self, event: str, **fields: Any) -> Any:
        """Join a room and return the answer."""
        self.say(event, **fields)
        welcome = self.hear("room-joined")
        self.room = welcome["room"]["id"]
        return welcome

    def place(self, point: str) -> None:
        x, y = spot(point)
        self.say("place-stone", x=x, y=y)

    def expect_stone(self, point: str, color: int, *then: str) -> Any:
        """Expect this stone and the events after it."""
        x, y = spot(point)
        assert self.hear("stone-placed") == {"x": x, "y": y, "color": color}
        return self.hear(*then, "room-updated")


def choose_opponent(dialog: Locator, bot: str = "", *, listed: bool = True) -> None:
    """Choose a bot, anyone, or a friend in the dialog for a new table."""
    name = "Computer" if bot else "Anyone" if listed else "A friend"
    dialog.get_by_role("radio", name=name, exact=True).check()
    if bot:
        dialog.get_by_label("Level").select_option(bot)


def unfold(dialog: Locator) -> None:
    """Show all options of a new table."""
    details = dialog.locator(".create-more")
    if details.get_attribute("open") is None:
        details.locator("summary").click()


def spot(point: str) -> tuple[int, int]:
    """Return the column from the left and the row from the top of a point such as H8."""
    return ord(point[0]) - ord("A"), 15 - int(point[1:])
