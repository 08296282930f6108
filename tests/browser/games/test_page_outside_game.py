"""Games from outside in the page: the page loads their web modules at run time.

The server plays tic-tac-toe; on the way to the browser the game gets another name and a module, so that the
page does not know it.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, WebSocketRoute, expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import resign
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOLDER: Final = Path(__file__).parent / "outside_game"
MODULE: Final = "/games/stones/1a2b3c4d/index.js"
KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}

Files = Callable[[str], str | None]
"""Returns the content of a file of the module; None: there is none."""


def file_of(path: str) -> str | None:
    """Return a file of the module of these tests."""
    return (FOLDER / path).read_text() if (FOLDER / path).is_file() else None


def rename(context: BrowserContext, files: Files) -> None:
    """Give tic-tac-toe another name and a module, in everything that the browser sends and receives."""

    def to_page(text: str) -> str:
        renamed = text.replace('"tictactoe"', '"stones"')
        if '"type":"welcome"' in renamed:
            welcome = json.loads(renamed)
            for game in welcome["games"]:
                if game["name"] == "stones":
                    game["module"] = MODULE
            renamed = json.dumps(welcome)
        return renamed

    def socket(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        page.on_message(lambda frame: server.send(str(frame).replace('"stones"', '"tictactoe"')))
        server.on_message(lambda frame: page.send(to_page(str(frame))))

    def api(route: Route) -> None:
        answer = route.fetch(url=route.request.url.replace("game=stones", "game=tictactoe"))
        route.fulfill(response=answer, body=to_page(answer.text()))

    def module(route: Route) -> None:
        path = unquote(route.request.url).rpartition("/1a2b3c4d/")[2]
        content = files(path)
        if content is None:
            route.fulfill(status=404)
        else:
            route.fulfill(body=content, content_type=KINDS[Path(path).suffix])

    context.route_web_socket(re.compile("/play$"), socket)
    context.route("**/api/games**", api)
    context.route("**/games/stones/**", module)


@pytest.fixture
def outsider(chromium: Browser, address: str) -> Iterator[Callable[..., Person]]:
    """Return a function that opens a browser for which the server has a game from outside."""
    people: list[Person] = []

    def arrive(route: str = "/", files: Files = file_of, **more: object) -> Person:
        # The service worker would fetch files past the routes.
        person = Person(chromium, address, service_workers="block", **more)  # type: ignore[arg-type] # options of the context
        people.append(person)
        rename(person.context, files)
        return person.visit(route)

    yield arrive
    for person in people:
        blocked = "warning: Service Worker registration blocked by Playwright"
        person.problems[:] = [problem for problem in person.problems if problem != blocked]
        person.__exit__(None, None, None)


def forgive(person: Person, pattern: str) -> None:
    """Expect errors of the page that match a pattern, and forget them."""
    found = [problem for problem in person.problems if re.search(pattern, problem)]
    assert found
    person.problems[:] = [problem for problem in person.problems if problem not in found]


def place(person: Person, number: int) -> None:
    """Place a stone when it is this player's turn, and wait until the server has it."""
    expect(person.status).to_have_text("Your turn")
    person.cell(number).click()
    expect(person.cell(number)).to_have_attribute("aria-label", re.compile("black$|white$"))


def free_cell(person: Person) -> int:
    """Return an empty cell once it is this player's turn."""
    expect(person.status).to_have_text("Your turn")
    return int(
        person.page.locator('[data-cell][aria-disabled="false"]').first.get_attribute("data-cell") or ""
    )


def test_a_game_from_outside_is_played_reloaded_and_replayed(outsider: Callable[..., Person]) -> None:
    ada = outsider(size=PHONE)
    expect(ada.game("Stones")).to_be_visible()
    assert accessibility_problems(ada.page, "lobby") == []
    ada.open_table(game="Stones", bot="random")
    expect(ada.page.locator("h1")).to_contain_text("Round 1")
    expect(ada.page.get_by_text("stones only").first).to_be_visible()
    # Its stylesheet applies, and its hooks run in the Preact of the page.
    expect(ada.page.locator(".stones-grid")).to_have_css("display", "grid")
    expect(ada.page.locator(".stones")).to_have_attribute("data-drawn", "1")
    first = free_cell(ada)
    place(ada, first)
    second = free_cell(ada)
    ada.page.reload()
    expect(ada.cell(first)).to_have_attribute("aria-label", re.compile("black$|white$"))
    place(ada, second)
    assert accessibility_problems(ada.page, "table") == []
    resign(ada)
    ada.page.get_by_role("link", name="Replay").click()
    expect(ada.page.locator("output.autoplay-at")).to_contain_text("Step 0")
    expect(ada.cell(first)).to_have_attribute("aria-label", re.compile("empty$"))
    ada.page.keyboard.press("End")
    expect(ada.cell(first)).to_have_attribute("aria-label", re.compile("black$|white$"))
    with ada.page.expect_download() as saved:
        ada.press("Save as image")
    assert saved.value.suggested_filename.startswith("stones-")
    expect(ada.page.get_by_role("link", name="Download TXT")).to_be_visible()
    ada.visit("/replay")
    expect(ada.page.get_by_role("combobox", name="Game").get_by_role("option", name="Stones")).to_have_count(
        1
    )
    expect(ada.page.locator(".finished-games-note")).not_to_have_text(re.compile("Loading"))


def test_a_fifth_game_fits_on_a_small_phone(chromium: Browser, address: str) -> None:
    def socket(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda frame: page.send(with_fifth_game(str(frame))))

    def with_fifth_game(text: str) -> str:
        if '"type":"welcome"' not in text:
            return text
        welcome = json.loads(text)
        welcome["games"].append(welcome["games"][0] | {"name": "stones", "module": MODULE})
        return json.dumps(welcome)

    with Person(chromium, address, size=(360, 740)) as ada:
        rename(ada.context, file_of)
        ada.context.route_web_socket(re.compile("/play$"), socket)
        ada.visit()
        expect(ada.game("Stones")).to_be_visible()
        expect(ada.game("Tic-tac-toe")).to_be_visible()
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_board_of_the_kit_is_played_with_the_keyboard(outsider: Callable[..., Person]) -> None:
    ada = outsider()
    ada.open_table(game="Stones", bot="random")
    cell = free_cell(ada)
    ada.cell(4).focus()
    for key in ("ArrowUp", "Home", "PageUp"):
        ada.page.keyboard.press(key)
    for _ in range(cell // 3):
        ada.page.keyboard.press("ArrowDown")
    for _ in range(cell % 3):
        ada.page.keyboard.press("ArrowRight")
    expect(ada.cell(cell)).to_be_focused()
    assert ada.page.locator('.stones [tabindex="0"]').count() == 1
    ada.page.keyboard.press("Enter")
    expect(ada.cell(cell)).to_have_attribute("aria-label", re.compile("black$|white$"))


def test_a_game_from_outside_follows_the_language(outsider: Callable[..., Person]) -> None:
    ada = outsider()
    ada.page.get_by_label("Language").select_option("zh-Hant")
    expect(ada.page.get_by_role("radio", name="石子", exact=True).first).to_be_visible()
    # It has no texts in Simplified Chinese.
    ada.page.locator("header select").select_option("zh-Hans")
    expect(ada.page.get_by_role("radio", name="Stones", exact=True).first).to_be_visible()
    forgive(ada, "Failed to load resource.*404")


def test_a_move_that_arrives_while_the_game_is_loading_is_shown(outsider: Callable[..., Person]) -> None:
    ada = outsider()
    route = ada.open_table(game="Stones", bot="random")
    cell = free_cell(ada)
    bob = outsider("/replay")
    held: list[Route] = []

    def hold(request: Route) -> None:
        held.append(request)

    bob.context.route("**/games/stones/**/index.js", hold)
    bob.page.goto("about:blank")
    bob.visit(route)
    expect(bob.page.get_by_text("Loading the board")).to_be_visible()
    place(ada, cell)
    ada.page.get_by_role("textbox", name="Message").fill("after the move")
    ada.page.keyboard.press("Enter")
    expect(bob.page.get_by_text("after the move")).to_be_visible()
    held.pop().fallback()
    expect(bob.board).to_be_visible()
    stone = ada.cell(cell).get_attribute("aria-label") or ""
    expect(bob.cell(cell)).to_have_attribute("aria-label", stone)
    assert "empty" not in stone


@pytest.mark.parametrize(
    "fault",
    ["missing", "syntax", "exception", "no export", "no texts", "no stylesheet"],
)
def test_a_game_that_cannot_be_loaded_leaves_the_page_usable(
    outsider: Callable[..., Person], fault: str
) -> None:
    repaired = False

    def files(path: str) -> str | None:
        content = file_of(path)
        if repaired or content is None:
            return content
        match fault, path:
            case ("missing", "index.js") | ("no texts", "texts/en.json") | ("no stylesheet", "style.css"):
                return None
            case "syntax", "index.js":
                return content + "\n}"
            case "exception", "index.js":
                return content + '\nthrow new Error("broken");'
            case "no export", "index.js":
                return content.replace("export function reduce", "function reduce")
            case _:
                return content

    ada = outsider(files=files)
    # Without texts, a game has only the name that the server uses.
    name = "stones"
    expect(ada.page.get_by_text("Not loaded")).to_be_visible()
    ada.choose(name)
    expect(ada.page.get_by_role("button", name="Play anyone")).to_have_count(0)
    expect(ada.page.get_by_role("alert")).to_contain_text("could not be loaded")
    # The other games work.
    ada.choose("Gomoku")
    ada.open_table(game="Gomoku", bot="easy")
    ada.place("H8")
    ada.visit()
    repaired = True
    ada.choose(name)
    ada.press("Try again")
    expect(ada.game("Stones")).to_be_visible()
    ada.open_table(game="Stones", bot="random")
    forgive(ada, r"^warning: The game stones could not be loaded|Failed to load resource.*404")


def test_a_module_that_another_one_imports_is_fetched_again(outsider: Callable[..., Person]) -> None:
    repaired = False

    def files(path: str) -> str | None:
        if path == "index.js":
            return 'export * from "./board.js";'
        if path == "board.js":
            return file_of("index.js") if repaired else None
        return file_of(path)

    ada = outsider(files=files)
    ada.choose("stones")
    expect(ada.page.get_by_role("alert")).to_contain_text("could not be loaded")
    ada.press("Try again")
    expect(ada.page.get_by_role("alert")).to_contain_text("could not be loaded")
    repaired = True
    ada.press("Try again")
    expect(ada.game("Stones")).to_be_visible()
    forgive(ada, r"^warning: The game stones could not be loaded|Failed to load resource.*404")


@pytest.mark.parametrize(
    ("part", "broken"),
    [
        ("  Board,", "  Board: () => { throw new Error('broken'); },"),
        ("  status: (scene) => {", "  status: (scene) => { throw new Error('broken');"),
        ("event.e ===", "(() => { throw new Error('broken'); })() ==="),
    ],
    ids=["Board", "status", "announce"],
)
def test_an_error_of_a_game_at_its_table_leaves_the_page_usable(
    outsider: Callable[..., Person], part: str, broken: str
) -> None:
    def files(path: str) -> str | None:
        content = file_of(path)
        if content is None or path != "index.js":
            return content
        before, found, after = content.rpartition(part)
        assert found
        return before + broken + after

    ada = outsider()
    route = ada.open_table(game="Stones", bot="random")
    bob = outsider(route, files=files)
    expect(bob.page.get_by_role("alert").or_(bob.board).first).to_be_visible()
    place(ada, free_cell(ada))
    expect(bob.page.get_by_role("alert")).to_contain_text("has an error")
    # The rest of the table works, and so do other games.
    ada.page.get_by_role("textbox", name="Message").fill("my turn")
    ada.page.keyboard.press("Enter")
    expect(bob.page.get_by_text("my turn")).to_be_visible()
    bob.press("Try again")
    bob.visit()
    bob.choose("Gomoku")
    bob.open_table(game="Gomoku", bot="easy")
    bob.place("H8")
    forgive(bob, "^warning: The game stones has an error")


@pytest.mark.parametrize("part", ["Icon", "LobbyPicture"])
def test_an_error_of_a_picture_leaves_the_lobby_usable(outsider: Callable[..., Person], part: str) -> None:
    def files(path: str) -> str | None:
        content = file_of(path)
        if content is None or path != "index.js":
            return content
        return content.replace(
            f"  {part}: icon(", f"  {part}: () => {{ throw new Error('broken'); }}, unused: icon("
        )

    outsider().open_table(game="Stones")
    ada = outsider(files=files)
    expect(ada.page.get_by_text("Not loaded")).to_be_visible()
    ada.choose("Stones")
    expect(ada.page.get_by_role("alert")).to_contain_text("has an error")
    ada.choose("Gomoku")
    ada.open_table(game="Gomoku", bot="easy")
    ada.place("H8")
    forgive(ada, "^warning: The game stones has an error")


def test_a_game_from_outside_offers_settings(outsider: Callable[..., Person]) -> None:
    settings = """settings: async () => [
        { title: () => "Stones board", value: look, options: ["green", "red"].map((value) => ({
            value, name: () => value, Preview: () => h("span", { class: `stones-${value}` }) })) },
        { title: () => "Loud", isOn: () => loud.value, change: (on) => (loud.value = on) },
    ],"""

    def files(path: str) -> str | None:
        content = file_of(path)
        if content is None or path != "index.js":
            return content
        kit = content.replace("import { BoardGrid,", "import { BoardGrid, choice, setting,")
        values = (
            'const look = choice("stones-board", ["green", "red"]), loud = setting("stones-loud", false);\n'
        )
        return kit.replace("export const game = {", f"{values}export const game = {{ {settings}")

    ada = outsider(files=files)
    expect(ada.game("Stones")).to_be_visible()
    ada.press("Settings")
    dialog = ada.page.get_by_role("dialog", name="Settings")
    dialog.get_by_role("radiogroup", name="Stones board").get_by_role("radio", name="red").check()
    expect(ada.page.locator("html")).to_have_attribute("data-stones-board", "red")
    dialog.get_by_role("switch", name="Loud").check()
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_attribute("data-stones-board", "red")
    ada.press("Settings")
    expect(dialog.get_by_role("radio", name="red")).to_be_checked()
    expect(dialog.get_by_role("switch", name="Loud")).to_be_checked()


@pytest.mark.parametrize("settings", ["async () => { throw new Error('broken'); }", "async () => [{}]"])
def test_broken_settings_of_a_game_leave_the_others_usable(
    outsider: Callable[..., Person], settings: str
) -> None:
    def files(path: str) -> str | None:
        content = file_of(path)
        if content is None or path != "index.js":
            return content
        return content.replace("export const game = {", f"export const game = {{ settings: {settings},")

    ada = outsider(files=files)
    expect(ada.game("Stones")).to_be_visible()
    ada.press("Settings")
    dialog = ada.page.get_by_role("dialog", name="Settings")
    dialog.get_by_role("radio", name="Jade").check()
    expect(ada.page.locator("html")).to_have_attribute("data-chess-board", "jade")
    forgive(ada, r"^warning: The settings of stones (could not be loaded|have an error)")


def test_a_game_from_outside_waits_for_confirmation_if_wanted(outsider: Callable[..., Person]) -> None:
    ada = outsider()
    ada.page.evaluate("localStorage.setItem('qipai.setting.confirmMoves', 'true')")
    ada.page.reload()
    ada.open_table(game="Stones", bot="random")
    ada.cell(free_cell(ada)).click()
    ada.press("Confirm")
    expect(ada.page.locator(".stones-stone").nth(1)).to_be_visible()
