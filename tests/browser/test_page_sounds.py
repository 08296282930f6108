"""Sounds and notifications: which files are played, what a hidden tab does, when permission is asked."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Visitor
from tests.browser.person import Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Records what is played and shown. Files are really decoded; the clock of the output stands still, so that
# nothing is late.
RECORD: Final = """
    window.played = [];
    window.notified = [];
    window.answer = "granted";
    let hidden = false;
    Object.defineProperty(document, "hidden", { get: () => hidden });
    window.setHidden = (value) => {
        hidden = value;
        document.dispatchEvent(new Event("visibilitychange"));
    };
    const files = new WeakMap();
    const read = Response.prototype.arrayBuffer;
    Response.prototype.arrayBuffer = async function () {
        const data = await read.call(this);
        files.set(data, /([A-Za-z]+)-.{8}\\.wav$/.exec(this.url)?.[1]);
        return data;
    };
    window.AudioContext = class {
        currentTime = 0;
        destination = {};
        async resume() {}
        async decodeAudioData(data) {
            const file = files.get(data);
            const buffer = await new OfflineAudioContext(1, 1, 32000).decodeAudioData(data);
            return Object.assign(buffer, { file });
        }
        createGain() {
            return { gain: { value: 1 }, connect() {} };
        }
        createBufferSource() {
            return {
                connect(to) { this.to = to; },
                start() { window.played.push({ file: this.buffer.file, gain: this.to.gain.value }); },
            };
        }
    };
    window.shown = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
        const close = () => { window.shown = []; };
        window.shown.push({ title, ...options, close });
    };
    ServiceWorkerRegistration.prototype.getNotifications = async () => window.shown;
    window.Notification = class {
        static permission = sessionStorage.getItem("permission") ?? "default";
        static async requestPermission() {
            window.asked = (window.asked ?? 0) + 1;
            Notification.permission = window.answer;
            sessionStorage.setItem("permission", window.answer);
            return window.answer;
        }
        constructor(title, options) {
            if (window.isAndroid) throw new TypeError("Illegal constructor");
            Object.assign(this, { title, ...options, open: true });
            window.notified = [...window.notified.filter(({ tag }) => tag !== this.tag), this];
        }
        close() { this.open = false; }
    };
    window.focus = () => { window.focused = true; };
"""


@pytest.fixture
def listener(chromium: Browser, address: str) -> Iterator[Visitor]:
    """Return a function that opens a browser that records what is played and notified."""
    with ExitStack() as stack:

        def arrive(route: str = "/", **more: Any) -> Person:
            person = stack.enter_context(Person(chromium, address, **more))
            person.context.add_init_script(RECORD)
            return person.visit(route)

        yield arrive


def files(person: Person) -> list[str]:
    """Return the names of the files that were played."""
    return [each["file"] for each in person.page.evaluate("window.played")]


def expect_played(person: Person, *names: str) -> None:
    """Wait until as many files were played, and expect these."""
    person.page.wait_for_function("(count) => window.played.length >= count", arg=len(names))
    assert files(person) == list(names)


def expect_notified(person: Person, *titles: str) -> None:
    """Wait until as many notifications are open, and expect these titles."""
    titles_open = "window.notified.filter(({ open }) => open).map(({ title }) => title)"
    person.page.wait_for_function(f"(count) => {titles_open}.length === count", arg=len(titles))
    assert person.page.evaluate(titles_open) == list(titles)


def hide(person: Person) -> None:
    person.page.evaluate("window.setHidden(true)")


def show(person: Person) -> None:
    person.page.evaluate("window.setHidden(false)")


def settings(person: Person) -> Locator:
    """Open the settings and return the sheet."""
    person.press("Settings")
    return person.page.get_by_role("dialog", name="Settings")


def close(person: Person) -> None:
    person.page.get_by_role("dialog", name="Settings").get_by_role("button", name="Close").click()


def allow(person: Person) -> None:
    """Allow notifications with the button of the settings."""
    settings(person).get_by_role("button", name="Allow").click()
    expect(person.page.get_by_role("button", name="Allow")).to_have_count(0)
    close(person)


def sit_down(listener: Visitor) -> tuple[Person, Person]:
    """Return black and white at a table of gomoku, before the first stone and with nothing recorded."""
    ada = listener()
    ada.call_me("Ada")
    route = ada.open_table(game="Gomoku")
    bo = listener(route)
    bo.call_me("Bo")
    bo.press("Join the game")
    expect(ada.status).to_have_text("Your turn")
    expect_played(ada, "seat")
    ada.page.evaluate("window.played = []")
    return ada, bo


@pytest.mark.parametrize(
    ("game", "bot", "file"), [("Gomoku", "easy", "stone"), ("Tic-tac-toe", "random", "mark")]
)
def test_a_move_plays_the_file_of_its_game(listener: Visitor, game: str, bot: str, file: str) -> None:
    ada = listener()
    ada.open_table(game=game, bot=bot)
    expect(ada.status).to_have_text("Your turn")
    ada.page.evaluate("window.played = []")
    ada.page.locator("[data-cell]").nth(4).click()
    expect(ada.status).to_have_text("Your turn")
    expect_played(ada, file, file)


def test_the_end_is_heard_after_the_last_move_and_differs_for_both_players(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    for black, white in [("H8", "H9"), ("I8", "I9"), ("J8", "J9"), ("K8", "K9"), ("L8", "")]:
        ada.place(black)
        if white:
            bo.place(white)
    expect_played(ada, *["stone"] * 9, "won")
    expect_played(bo, *["stone"] * 9, "lost")


def test_nothing_is_played_while_the_switch_is_off(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    switch = ada.page.get_by_role("switch", name="Sound", exact=True)
    switch.click()
    ada.place("H8")
    bo.place("H9")
    ada.place("I8")
    expect_played(bo, "stone", "stone", "stone")
    ada.page.reload()
    expect(switch).not_to_be_checked()
    ada.page.get_by_role("switch", name="Sound", exact=True).click()
    expect_played(ada, "move")


def test_a_hidden_tab_plays_the_turn_and_moves_only_if_chosen(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    ada.place("H8")
    expect_played(ada, "stone")
    hide(ada)
    bo.place("H9")
    expect_played(ada, "stone", "turn")
    show(ada)
    settings(ada).get_by_role("radio", name="All sounds").check()
    close(ada)
    ada.place("I8")
    hide(ada)
    bo.place("I9")
    expect_played(ada, "stone", "turn", "stone", "stone", "turn")
    show(ada)
    settings(ada).get_by_role("radio", name="Silent").check()
    close(ada)
    ada.place("J8")
    hide(ada)
    bo.place("J9")
    show(ada)
    ada.place("K8")
    expect_played(ada, "stone", "turn", "stone", "stone", "turn", "stone", "stone")


def test_the_turn_at_another_table_is_heard_in_the_lobby(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    ada.place("H8")
    ada.page.goto(f"{ada.address}/#/")
    expect(ada.page.locator(".hero h2")).to_be_visible()
    bo.place("H9")
    expect_played(ada, "stone", "turn")


def test_a_chat_line_of_somebody_else_is_heard(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    for person in (bo, ada):
        person.page.get_by_label("Message").fill("hello")
        person.page.get_by_label("Message").press("Enter")
        expect(ada.page.locator(".chat").get_by_text("hello").last).to_be_visible()
    expect_played(bo, "chat")
    assert files(ada) == ["chat"]


def test_the_permission_is_asked_for_by_the_button_only(listener: Visitor) -> None:
    ada = listener()
    ada.call_me("Ada")
    route = ada.open_table(game="Gomoku")
    hide(ada)
    bo = listener(route)
    bo.press("Join the game")
    expect_played(ada, "seat")
    assert ada.page.evaluate("[window.asked, window.notified.length]") == [None, 0]
    show(ada)
    sheet = settings(ada)
    expect(sheet.get_by_text("has not allowed them yet")).to_be_visible()
    ada.page.evaluate("window.answer = 'denied'")
    sheet.get_by_role("button", name="Allow").click()
    expect(sheet.get_by_text("blocks notifications")).to_be_visible()
    assert ada.page.evaluate("window.asked") == 1
    expect(sheet.get_by_role("button", name="Allow")).to_have_count(0)


def test_a_browser_without_notifications_says_so(listener: Visitor) -> None:
    ada = listener()
    ada.context.add_init_script("delete window.Notification;")
    ada.page.reload()
    sheet = settings(ada)
    expect(sheet.get_by_text("cannot show notifications")).to_be_visible()
    expect(sheet.get_by_role("switch", name="Somebody sat down")).to_have_count(0)


def test_a_taken_seat_and_the_turn_are_notified_while_the_tab_is_hidden(listener: Visitor) -> None:
    ada = listener()
    allow(ada)
    ada.call_me("Ada")
    route = ada.open_table(game="Gomoku")
    hide(ada)
    bo = listener(route)
    bo.call_me("Bo")
    bo.press("Join the game")
    expect_notified(ada, "Bo sat down at your table")
    assert route.endswith(ada.page.evaluate("window.notified[0].tag"))
    assert re.fullmatch(r"Gomoku \w+", ada.page.evaluate("window.notified[0].body"))
    show(ada)
    expect_notified(ada)
    ada.place("H8")
    bo.place("H9")
    ada.place("I8")
    hide(ada)
    bo.place("I9")
    expect_notified(ada, "Your turn")
    assert ada.page.evaluate("window.notified.length") == 1, "one for each table"


def test_a_click_on_a_notification_opens_its_table(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    allow(ada)
    ada.place("H8")
    ada.page.goto(f"{ada.address}/#/")
    expect(ada.page.locator(".hero h2")).to_be_visible()
    hide(ada)
    bo.place("H9")
    expect_notified(ada, "Your turn")
    ada.page.evaluate("window.notified[0].onclick()")
    expect(ada.board).to_be_visible()
    expect(ada.status).to_have_text("Your turn")
    assert ada.page.evaluate("window.focused")
    expect_notified(ada)


def test_only_what_is_switched_on_is_notified(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    allow(ada)
    settings(ada).get_by_role("switch", name="It is my turn").click()
    close(ada)
    ada.place("H8")
    hide(ada)
    bo.place("H9")
    expect_played(ada, "stone", "turn")
    bo.press("Resign")
    bo.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    bo.press("Rematch")
    expect_notified(ada, "Bo offers a rematch.")


def test_the_worker_shows_the_notification_where_the_page_may_not(listener: Visitor) -> None:
    ada, bo = sit_down(listener)
    allow(ada)
    ada.page.evaluate("window.isAndroid = true; navigator.serviceWorker.ready.then(() => undefined)")
    ada.place("H8")
    hide(ada)
    bo.place("H9")
    ada.page.wait_for_function("window.shown.length === 1")
    title, table = ada.page.evaluate("[window.shown[0].title, window.shown[0].data]")
    assert (title, table) == ("Your turn", ada.page.url)
    show(ada)
    ada.page.wait_for_function("window.shown.length === 0")


def test_the_worker_brings_a_tab_to_the_table(listener: Visitor) -> None:
    ada = listener()
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    route = ada.open_table(game="Gomoku")
    table = ada.page.url
    ada.page.evaluate("window.isSamePage = true")
    ada.page.goto(f"{ada.address}/#/mine")
    expect(ada.page.locator(".table-page")).to_have_count(0)
    # A test cannot click a notification, and only a click may focus a tab.
    refusal = ada.context.service_workers[0].evaluate(
        "(table) => openTable(table).catch(({ name }) => name)", table
    )
    assert refusal == "InvalidAccessError"
    assert ada.at_table() == route
    assert ada.page.evaluate("window.isSamePage"), "the page is not loaded again"


def test_every_kind_of_sound_has_a_volume_that_is_heard_when_it_is_set(listener: Visitor) -> None:
    ada = listener()
    sheet = settings(ada)
    ada.page.evaluate("window.played = []")
    examples = {
        "Volume": "move",
        "Moves and tiles": "move",
        "Mahjong calls": "chow",
        "Clock warning": "lowTime",
        "Turn, seats, chat": "turn",
        "End of a game": "won",
    }
    for name in examples:
        slider = sheet.get_by_role("slider", name=name, exact=True)
        slider.press("PageDown")
        count = list(examples).index(name) + 1
        ada.page.wait_for_function("(count) => window.played.length === count", arg=count)
    assert files(ada) == list(examples.values())
    gains = [each["gain"] for each in ada.page.evaluate("window.played")]
    assert all(later < gains[0] for later in gains[1:])
    sheet.get_by_role("slider", name="Moves and tiles").press("Home")
    ada.page.reload()
    expect(settings(ada).get_by_role("slider", name="Moves and tiles")).to_have_value("0")
    close(ada)
    ada.open_table(game="Gomoku", bot="easy")
    ada.place("H8")
    ada.press("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect_played(ada, "lost")
