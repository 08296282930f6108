"""Names of persons: which nobody may take, in any spelling, and how many combining marks they have."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.games.game_registry import GAMES
from qipai.hall.people.identity import Guest
from qipai.hall.people.names import NAME_LENGTH, Names, _letters, _letters_of_text
from qipai.hall.people.reserved_names import BOT_NAMES
from qipai.kernel.codec import MOST_MARKS, with_few_marks
from qipai.kernel.ids import Person
from tests.support.hall_simulation import HallSimulation

NAMES = Names(GAMES, lambda _: None)
TEXTS = Path(__file__).parents[3] / "web" / "src"


@pytest.mark.parametrize(
    "name",
    [
        "系統",
        "系统",
        "系 統",
        "系\u3000統",
        "系\u200b統",
        "系\u200d統",
        "系\ufeff统",
        "系\u2060統",
        "系\u00ad統",
        "系.統",
        "系·統",
        "系・統",
        "系-統",
        "系_統",
        "系ー統",
        "系ʼ統",
        "系ˑ统",
        "系\ufe0f統",
        "系\U000e0100統",
        "系\U000e0041統",
        "系\u3164統",
        "系統\u0301",
        "系\u0332統",
        "「系統」",
        "[系統]",
        "系統：",
        "系統😺",
        "\u202e系統",
        "糸統",
        "⽷統",
        "糸统",
        "系統提示",
        "系统提示",
        "[系統提示]",
        "系 統 提 示",
        "系統·提示",
        "[系統提示] 你輸了",
        "我是系统提示",
        "Ｓystem",
        "SYSTEM",
        "s y s t e m",
        "ſystem",
        "Ⓢⓨⓢⓣⓔⓜ",
    ],
)
def test_nobody_is_called_like_the_system_in_any_spelling(name: str) -> None:
    assert NAMES.clean(name) is None


@pytest.mark.parametrize("name", ["系列", "小統", "提示", "Systema", "コーヒー", "O'Neil", "糸", "😺", "ー"])
def test_other_names_may_be_taken(name: str) -> None:
    assert NAMES.clean(name) == name


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u3000", "\u3164", "\n\t", "\u202e"])
def test_nothing_is_no_name(name: str) -> None:
    assert NAMES.clean(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "admin", "Admin", "ADMIN", "administrator", "Moderator", "root", "support", "staff", "official",
        "管理員", "管理员", "客服", "官方", "版主", "站長", "站长", "工作人員", "機器人", "机器人",
        "bot", "電腦", "电脑", "裁判",
        "[admin]", "a.d.m.i.n", "Admin Bob", "the admin", "系統管理員", "客服小美", "线上客服",
    ],
)  # fmt: skip
def test_nobody_is_called_like_the_staff(name: str) -> None:
    assert NAMES.clean(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "Admin1", "1admin", "admin①", "admin_1", "admin#1", "Adm1n2", "admin1bob", "Moderator_Tom",
        "Admin-Team", "AdminTeam", "SysAdmin", "sys_admin", "xX_admin_Xx", "System Message",
        "Mod", "Mod Tom", "GM",
        "GM_Tom",
        "Grandmaster 2", "bot#3", "Computer 7", "高手2", "Official Tom",
        "系统 消息", "系統員", "管理", "管理者", "管理人", "网管", "網管", "版主小王",
        "官方小助手", "站长", "棋牌2",
    ],
)  # fmt: skip
def test_nobody_is_called_like_the_staff_with_numbers_or_in_longer_names(name: str) -> None:
    assert NAMES.clean(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "Modesto", "Modern", "Adminah", "Systemat", "Staffan", "GMT", "Robin 123", "Anna-Maria", "Olga_88",
        "Joe Root", "Smooth Operator", "Chess Bot", "Master Yoda", "Magnus", "McDonald", "1234", "Botond",
        "R2D2",
        "小王", "王大明", "高手高手", "學生會", "電腦小白", "機器人瓦力", "統一",
        "老站", "官小方", "理想", "長安", "李1",
        "电脑小白", "机器人瓦力", "统一", "长安", "风清扬", "马马虎虎", "大师兄", "新手村", "系着红领巾",
    ],
)  # fmt: skip
def test_ordinary_names_in_three_languages_may_be_taken(name: str) -> None:
    assert NAMES.clean(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "ᴀdmin", "ᴀᴅᴍɪɴ", "ꜱʏꜱᴛᴇᴍ", "ᴍᴏᴅ", "站⻓", "\u0430dmin_7", "a\u0336d\u0336m\u0336i\u0336n Bob",
        "s\u0443stem",  # Cyrillic u
        "\u0430dmin", "\u0410DMIN", "adm\u0456n",  # Cyrillic
        "\u0391D\u039c\u0399\u039d",  # Greek capitals
        "adm\u0131n", "adm1n", "adrnin", "AdmIn", "admln", "àdmín", "a\u0336d\u0336m\u0336i\u0336n",
        "𝖺𝖽𝗆𝗂𝗇", "𝔰𝔶𝔰𝔱𝔢𝔪", "ѕеrvеr", "Gr\u0430ndmaster", "ԛiраi",
    ],
)  # fmt: skip
def test_nobody_is_called_by_what_looks_like_a_reserved_name(name: str) -> None:
    assert NAMES.clean(name) is None


def test_nobody_is_called_like_a_bot() -> None:
    for game in GAMES.values():
        for bot in game.bots:
            assert NAMES.clean(bot) is NAMES.clean(bot.capitalize()) is None
    for name in BOT_NAMES:
        assert NAMES.clean(name) is NAMES.clean(name.upper()) is None


def test_all_names_that_the_page_gives_to_bots_are_reserved() -> None:
    files = [*TEXTS.glob("games/*/texts/*.ts"), *TEXTS.glob("i18n/*/table.ts")]
    shown = {
        name
        for file in files
        for bots in re.findall(r"\n  bots: \{\n(.*?)\n  \},", file.read_text("utf-8"), re.DOTALL)
        for name in re.findall(r'name: "([^"]+)"', bots)
    }
    assert len(shown) > 20
    assert set(BOT_NAMES) == shown


@pytest.mark.parametrize(
    "name",
    [
        "badminton", "Adminka", "Robert", "Bottom", "Supporter", "Martin", "Will", "Олег", "Ольга",
        "Γιώργος", "José",
        "Nguyễn Văn", "한국", "さくら", "王小明", "學生會", "ท่าน", "नमस्ते", "שָׁלוֹם",
    ],
)  # fmt: skip
def test_names_of_all_scripts_may_be_taken(name: str) -> None:
    assert NAMES.clean(name) is not None


# Combining marks


def test_stacked_marks_are_cut() -> None:
    stacked = "Z" + "".join(map(chr, range(0x0316, 0x0326))) + "o" + "\u0301\u0302\u0303\u0304"
    name = NAMES.clean(stacked)
    assert name is not None
    assert sum(unicodedata.category(char) == "Mn" for char in unicodedata.normalize("NFD", name)) <= 5
    assert with_few_marks("\u0301a\u0323\u0323b") == "a\u0323b"
    assert NAMES.clean("\u0301\u0302") is None
    assert NAMES.clean("1️⃣ ❤️") == "1️⃣ ❤️"


@given(st.text(max_size=60))
def test_a_clean_name_is_short_and_has_few_marks(text: str) -> None:
    name = NAMES.clean(text)
    if name is None:
        return
    assert 0 < len(name) <= NAME_LENGTH
    marks = "".join("m" if unicodedata.category(char) in {"Mn", "Me"} else " " for char in name)
    assert "m" * (MOST_MARKS + 1) not in marks


# Nicknames of gomoku clients, which must not be refused


def test_a_gomoku_client_with_a_reserved_nickname_gets_a_neutral_one(simulation: HallSimulation) -> None:
    def nickname(wanted: str) -> str:
        client = simulation.socketio_client(login=False)
        client.ask("join-lobby", {"nickname": wanted})
        return client.connection.name

    assert nickname("系统") == "玩家"
    assert nickname("\u0430dmin") == "玩家#2"
    assert nickname("管理员#2") == "玩家#3"
    assert nickname("玩家") == "玩家#4"
    assert nickname("Ann") == "Ann"
    assert nickname("Z" + "\u0316\u0317\u0318\u0319") == "Z\u0316\u0317"


# Names in tokens of before


def test_a_token_with_a_name_that_is_reserved_by_now_gets_a_generated_name(
    simulation: HallSimulation,
) -> None:
    identity = simulation.hall.identity
    for reserved in ("Admin1", "系统 消息", ""):
        old = identity.token(Guest(Person("p"), reserved))
        ann = simulation.native_client(token=old)
        name = ann.connection.name
        assert re.fullmatch(r"[A-Z][a-z]+ \d{3}", name)
        assert identity.read_token(ann.token) == Guest(Person("p"), name), "the new token has it too"
        assert simulation.native_client(token=old).connection.name == name, "the same each time"
    kept = identity.token(Guest(Person("q"), "Ann"))
    assert simulation.native_client(token=kept).connection.name == "Ann"


@given(st.text(st.characters(max_codepoint=127)))
def test_letters_of_ascii_names_are_the_same_as_those_of_any_text(name: str) -> None:
    assert _letters(name) == _letters_of_text(name)
