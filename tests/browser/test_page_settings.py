"""The settings sheet: every choice applies at once, in every tab, and is there again after a reload."""

import re
from threading import Event
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.browser.table.test_page_keys import tab_to

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIGHT: Final = "rgb(246, 242, 233)"
DARK: Final = "rgb(22, 23, 20)"
LANGUAGES: Final = {"en": "Settings", "zh-TW": "設定", "zh-CN": "设置"}
SMALLEST: Final = (320, 640)


def open_settings(person: Person, title: str = "Settings") -> Locator:
    """Open the sheet, and wait until the settings of all games are there."""
    person.page.get_by_role("button", name=title, exact=True).click()
    return sheet(person.page, title)


def sheet(page: Page, title: str = "Settings") -> Locator:
    """Return the open sheet."""
    found = page.get_by_role("dialog", name=title, exact=True)
    # A theme, five looks of games, a speed, sounds in the background and a language.
    expect(found.get_by_role("radiogroup")).to_have_count(9)
    return found


def pick(page: Page, group: str, option: str) -> None:
    """Choose an option in the open sheet."""
    radio = page.get_by_role("radiogroup", name=group, exact=True).get_by_role(
        "radio", name=option, exact=True
    )
    radio.check()
    expect(radio).to_be_checked()


def play_computer(person: Person, game: str) -> None:
    """Start a game with the computer."""
    person.choose(game)
    person.press("Play computer")
    expect(
        person.page.locator(".table-page .board :is([data-cell], [data-square], [data-tile])").first
    ).to_be_visible()


@pytest.mark.parametrize("route", ["/", "/mine", "/replay", "/game/none/1"])
def test_the_sheet_opens_on_every_page_and_closes_in_every_way(visitor: Visitor, route: str) -> None:
    ada = visitor(route)
    ada.expect_trouble()
    ada.problems.clear()
    dialog = open_settings(ada)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    open_settings(ada)
    ada.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    open_settings(ada)
    # A drag that begins inside ends outside.
    ada.page.mouse.move(640, 400)
    ada.page.mouse.down()
    ada.page.mouse.move(20, 400)
    ada.page.mouse.up()
    expect(dialog).to_be_visible()
    ada.page.mouse.click(20, 400)
    expect(dialog).to_have_count(0)
    ada.problems[:] = [one for one in ada.problems if "404" not in one]


def test_the_theme_applies_at_once_in_every_tab_and_against_the_system(visitor: Visitor) -> None:
    ada = visitor()
    other = ada.new_page()
    for page in (ada.page, other):
        page.emulate_media(color_scheme="light")
    other.goto(f"{ada.address}/#/replay")
    expect(other.locator("html")).to_have_css("background-color", LIGHT)
    open_settings(ada)
    pick(ada.page, "Theme", "Dark")
    for page in (ada.page, other):
        expect(page.locator("html")).to_have_css("background-color", DARK)
        for colour in page.locator("meta[name=theme-color]").all():
            expect(colour).to_have_attribute("content", DARK)
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_css("background-color", DARK)
    open_settings(ada)
    expect(ada.page.get_by_role("radio", name="Dark", exact=True)).to_be_checked()
    pick(ada.page, "Theme", "Light")
    ada.page.emulate_media(color_scheme="dark")
    expect(ada.page.locator("html")).to_have_css("background-color", LIGHT)
    # What the browser draws itself, such as fields, follows too.
    expect(ada.page.locator("html")).to_have_css("color-scheme", "light")
    pick(ada.page, "Theme", "System")
    expect(ada.page.locator("html")).to_have_css("background-color", DARK)
    ada.page.emulate_media(color_scheme="light")
    expect(ada.page.locator("html")).to_have_css("background-color", LIGHT)


def test_a_chosen_theme_and_look_are_there_in_the_first_frame(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(color_scheme="light")
    open_settings(ada)
    pick(ada.page, "Theme", "Dark")
    pick(ada.page, "Chess board", "Jade")
    # The service worker would answer before the route does.
    ada.page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found?.unregister())")
    ada.context.add_init_script(
        """window.frames = []; window.squares = [];
        const watch = () => {
            const colour = getComputedStyle(document.documentElement).backgroundColor;
            if (document.styleSheets.length > 0) frames.push(colour);
            const square = document.querySelector(".lobby-picture-dark");
            if (square) squares.push(getComputedStyle(square).fill);
            requestAnimationFrame(watch);
        };
        requestAnimationFrame(watch);"""
    )
    held: list[Route] = []
    released = Event()

    def hold(route: Route) -> None:
        if released.is_set():
            route.continue_()
        else:
            held.append(route)

    ada.page.route("**/assets/index-*.js", hold)
    ada.page.goto("about:blank")
    ada.page.goto(f"{ada.address}/", wait_until="commit")
    # The style sheet is there, the page is not.
    expect(ada.page.locator("html")).to_have_css("background-color", DARK)
    # A function: the page's policy forbids to evaluate a string.
    ada.page.wait_for_function("() => window.frames.length > 20")
    released.set()
    for one in held:
        one.continue_()
    expect(ada.page.locator("button.name")).to_be_enabled()
    assert set(ada.page.evaluate("window.frames")) == {DARK}
    assert set(ada.page.evaluate("window.squares")) == {"rgb(95, 125, 107)"}


def expect_picture(element: Locator, part: str) -> None:
    """Wait until an element has a background with this colour or file."""
    expect(element).to_have_css("background-image", re.compile(part))


def test_boards_and_pieces_of_chess_change_at_the_table_and_in_the_lobby(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(color_scheme="light")
    lobby = ada.new_page()
    lobby.emulate_media(color_scheme="light")
    lobby.goto(ada.address)
    play_computer(ada, "Chess")
    board, piece = ada.page.locator("cg-board"), ada.page.locator("cg-board piece").first
    boards = {
        "Maple": "217, 168, 102",
        "Jade": "127, 160, 140",
        "Slate": "132, 148, 166",
        "Ink": "169, 163, 152",
    }
    open_settings(ada)
    for name, colour in boards.items():
        pick(ada.page, "Chess board", name)
        expect_picture(board, colour)
        expect(lobby.locator(".hero .lobby-picture-dark")).to_have_css("fill", f"rgb({colour})")
    for name in ("Solid", "Letters"):
        pick(ada.page, "Chess pieces", name)
        expect_picture(piece, name.lower())
        expect_picture(lobby.locator(".hero .chess-piece").first, name.lower())
    ada.page.reload()
    expect_picture(board, boards["Ink"])
    expect_picture(piece, "letters")
    open_settings(ada)
    pick(ada.page, "Chess board", "Walnut")
    pick(ada.page, "Chess pieces", "Classic")
    expect_picture(board, "171, 141, 102")
    expect_picture(piece, "pieces-")


_PIXEL: Final = """(canvas) => {
    const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    // The middle of a dark square without a piece: b4, or g5 for black.
    copy.drawImage(canvas, (-1.5 * canvas.width) / 8, (-4.5 * canvas.height) / 8);
    return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)].join(", ");
}"""


def test_the_small_board_of_the_lobby_follows_the_look_and_the_theme(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(color_scheme="light")
    play_computer(ada, "Chess")
    ada.page.get_by_role("link", name="Qipai").click()
    small = ada.page.locator(".mini-board").first
    expect(small).to_be_visible()

    def expect_pixel(colour: str) -> None:
        ada.page.wait_for_function(
            f"([canvas, colour]) => ({_PIXEL})(canvas) === colour", arg=[small.element_handle(), colour]
        )

    expect_pixel("171, 141, 102")
    open_settings(ada)
    pick(ada.page, "Chess board", "Jade")
    expect_pixel("127, 160, 140")
    pick(ada.page, "Theme", "Dark")
    expect_pixel("95, 125, 107")


_CORNER: Final = """() => {
    const copy = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });
    copy.drawImage(document.querySelector(".gomoku-canvas"), 0, 0);
    const { data } = copy.getImageData(0, 0, 40, 40);
    const sum = [0, 0, 0];
    data.forEach((part, index) => { if (index % 4 < 3) sum[index % 4] += part / 1600; });
    return sum;
}"""


def test_the_canvas_of_gomoku_follows_its_board_and_the_theme(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(color_scheme="light")
    play_computer(ada, "Gomoku")

    def expect_corner(condition: str) -> None:
        ada.page.wait_for_function(
            f"() => {{ const [red, green, blue] = ({_CORNER})(); return {condition}; }}"
        )

    expect_corner("red > 200 && blue < 160")
    open_settings(ada)
    pick(ada.page, "Gomoku board", "Slate")
    expect_corner("blue > red && blue > 150")
    pick(ada.page, "Theme", "Dark")
    expect_corner("blue > red && blue < 150")
    ada.page.reload()
    expect(ada.page.locator(".gomoku-canvas")).to_be_visible()
    expect_corner("blue > red && blue < 150")
    open_settings(ada)
    pick(ada.page, "Theme", "System")
    pick(ada.page, "Gomoku board", "Bamboo")
    expect_corner("green > blue + 30 && red - green < 20")


def test_tiles_and_tables_of_mahjong_change_and_numbers_can_be_shown(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(color_scheme="light")
    play_computer(ada, "Mahjong")
    dialog = open_settings(ada)
    tile, felt = ada.page.locator(".mj-hand .mj-tile").first, ada.page.locator(".mj-felt")

    def expect_looks(tiles: str, table: str) -> None:
        expect_picture(tile, tiles)
        expect_picture(felt, table)

    expect_looks("251, 246, 230", "44, 114, 89")
    pick(ada.page, "Mahjong tiles", "Night")
    pick(ada.page, "Mahjong table", "Plum")
    expect_looks("67, 72, 66", "111, 70, 116")
    pick(ada.page, "Mahjong tiles", "Bamboo")
    pick(ada.page, "Mahjong table", "Blue")
    expect_looks("255, 254, 251", "46, 102, 143")
    numbers = dialog.get_by_role("switch", name="Numbers on tiles")
    expect(numbers).to_be_checked()
    numbers.uncheck()
    expect(ada.page.locator(".mj-hand .mj-corner").first).to_be_hidden()
    ada.page.reload()
    expect(tile).to_be_visible()
    expect_looks("255, 254, 251", "46, 102, 143")
    expect(ada.page.locator(".mj-hand .mj-corner").first).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, (844, 390)])
def test_a_table_without_a_header_has_the_settings_beside_it(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    ada.page.emulate_media(color_scheme="light")
    play_computer(ada, "Mahjong")
    open_settings(ada)
    pick(ada.page, "Mahjong tiles", "Night")
    expect_picture(ada.page.locator(".mj-hand .mj-tile").first, "67, 72, 66")


def test_a_replay_has_the_chosen_board(visitor: Visitor) -> None:
    ada = visitor("/replay")
    open_settings(ada)
    pick(ada.page, "Chess board", "Slate")
    ada.page.keyboard.press("Escape")
    ada.page.get_by_label("PGN or SGF").fill("1. e4 e5 2. Nf3 Nc6 *")
    ada.press("Show game")
    expect_picture(ada.page.locator("cg-board"), "132, 148, 166")


def test_the_speed_of_animations_applies_and_the_system_still_wins(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(reduced_motion="no-preference")
    dialog = open_settings(ada)
    # The switch in the sheet moves too.
    moving = dialog.get_by_role("switch", name="Numbers on tiles")

    def expect_duration(seconds: str) -> None:
        ada.page.wait_for_function(
            "([one, duration]) => getComputedStyle(one, '::before').transitionDuration === duration",
            arg=[moving.element_handle(), seconds],
        )

    expect_duration("0.15s")
    for name, seconds in (("Slow", "0.3s"), ("Fast", "0.075s"), ("Off", "0s")):
        pick(ada.page, "Animations", name)
        expect_duration(seconds)
    ada.page.reload()
    open_settings(ada)
    expect_duration("0s")
    pick(ada.page, "Animations", "Slow")
    expect(dialog.get_by_text("Your system asks for less motion")).to_have_count(0)
    ada.page.emulate_media(reduced_motion="reduce")
    expect_duration("0s")
    expect(dialog.get_by_text("Your system asks for less motion")).to_be_visible()


_WATCH_PIECES: Final = """() => {
    window.moved = 0;
    new MutationObserver((list) => {
        for (const { target } of list) if (target.classList?.contains("anim")) window.moved += 1;
    }).observe(document.querySelector("cg-board"), { attributes: true, subtree: true, childList: true });
}"""


@pytest.mark.parametrize("speed", ["Normal", "Off"])
def test_pieces_of_chess_glide_only_if_animations_are_on(visitor: Visitor, speed: str) -> None:
    ada = visitor("/replay")
    ada.page.emulate_media(reduced_motion="no-preference")
    open_settings(ada)
    pick(ada.page, "Animations", speed)
    ada.page.keyboard.press("Escape")
    ada.page.get_by_label("PGN or SGF").fill("1. e4 e5 2. Nf3 Nc6 *")
    ada.press("Show game")
    expect(ada.page.locator("cg-board piece").first).to_be_attached()
    ada.page.evaluate(_WATCH_PIECES)
    for _ in range(3):
        ada.page.get_by_role("button", name="Next move").click()
    expect(ada.page.locator(".moves-move[aria-current]")).to_have_text("Nf3")
    ada.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert (ada.page.evaluate("window.moved") > 0) is (speed == "Normal")


def test_the_language_is_chosen_in_the_sheet_which_speaks_it_at_once(visitor: Visitor) -> None:
    ada = visitor()
    open_settings(ada).get_by_role("radio", name="繁體中文").check()
    dialog = sheet(ada.page, "設定")
    expect(dialog.get_by_role("radiogroup", name="西洋棋棋盤")).to_be_visible()
    expect(dialog.get_by_role("radio", name="胡桃木")).to_be_checked()
    expect(ada.page.locator("html")).to_have_attribute("lang", "zh-Hant")
    ada.page.reload()
    expect(ada.page.get_by_role("button", name="設定", exact=True)).to_be_visible()
    # A newcomer finds the language without the sheet.
    expect(ada.page.get_by_role("combobox", name="語言")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_the_sheet_has_no_accessibility_problems(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    open_settings(ada)
    assert accessibility_problems(ada.page, "settings") == []
    for theme in ("Light", "Dark"):
        pick(ada.page, "Theme", theme)
        assert accessibility_problems(ada.page, f"settings with the theme {theme}") == []


def test_the_sheet_works_with_the_keyboard_alone(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(color_scheme="light")
    opener = ada.page.get_by_role("button", name="Settings", exact=True)
    tab_to(ada, opener)
    ada.page.keyboard.press("Enter")
    dialog = sheet(ada.page)
    tab_to(ada, dialog.get_by_role("radio", name="System", exact=True))
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("ArrowRight")
    expect(ada.page.locator("html")).to_have_css("background-color", DARK)
    tab_to(ada, dialog.get_by_role("radio", name="Walnut", exact=True))
    ada.page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("radio", name="Maple", exact=True)).to_be_checked()
    numbers = dialog.get_by_role("switch", name="Numbers on tiles")
    tab_to(ada, numbers)
    ada.page.keyboard.press("Space")
    expect(numbers).not_to_be_checked()
    # Each group of radio buttons is one stop, and the focus can be seen.
    tab_to(ada, dialog.get_by_role("radio", name="Normal", exact=True))
    assert dialog.locator(":focus-visible").count() == 1
    ada.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


_OVERFLOWS: Final = """(sheet) => [...sheet.querySelectorAll("*")]
    .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
    // The tick of a chosen look is outside its corner.
    .filter((one) => !one.closest("svg, .swatch-picture, input") && !one.matches(".swatch"))
    .map((one) => `${one.className} ${one.textContent}`)"""
_SMALL_TARGETS: Final = """(sheet) => [...sheet.querySelectorAll("label, button")]
    .map((one) => [one.getBoundingClientRect(), one])
    .filter(([{ width, height }]) => width < 44 || height < 44)
    .map(([, one]) => one.textContent)"""


@pytest.mark.parametrize(("language", "title"), LANGUAGES.items())
def test_the_sheet_fits_a_small_phone(visitor: Visitor, language: str, title: str) -> None:
    ada = visitor(size=SMALLEST, language=language)
    dialog = open_settings(ada, title)
    assert dialog.evaluate(_OVERFLOWS) == []
    assert dialog.evaluate(_SMALL_TARGETS) == []
    box = dialog.bounding_box()
    assert box is not None
    # A sheet at the bottom of the screen, as wide as it.
    assert box["x"] == 0
    assert box["width"] == SMALLEST[0]
    assert box["y"] + box["height"] == pytest.approx(SMALLEST[1], abs=1)
    assert ada.page.evaluate("document.documentElement.scrollWidth") == SMALLEST[0]


@pytest.mark.parametrize(("language", "title"), LANGUAGES.items())
def test_the_sheet_fits_at_twice_the_size(visitor: Visitor, language: str, title: str) -> None:
    # 1280 by 800 pixels at 200 %.
    ada = visitor(size=(640, 400), language=language, device_scale_factor=2)
    dialog = open_settings(ada, title)
    assert dialog.evaluate(_OVERFLOWS) == []


def test_stored_nonsense_is_ignored(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.evaluate(
        """() => {
            localStorage.setItem("qipai.setting.theme", '"purple"');
            localStorage.setItem("qipai.setting.speed", '{"a":');
            localStorage.setItem("qipai.setting.chess-board", "7");
        }"""
    )
    ada.page.emulate_media(color_scheme="light")
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_css("background-color", LIGHT)
    dialog = open_settings(ada)
    for name in ("System", "Normal", "Walnut"):
        expect(dialog.get_by_role("radio", name=name, exact=True)).to_be_checked()
