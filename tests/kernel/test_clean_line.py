"""Text from clients: one clean line, and names that cannot imitate reserved ones."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.kernel.codec import clean_line, skeleton

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
INVISIBLE = "\u200b\u200c\u2060\u2061\ufeff\u00ad\u180e"
BLANKS = "\u00a0\u1680\u2000\u2003\u2009\u202f\u205f\u3000\u2028\u2029"


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)])
def test_control_characters_disappear_and_line_ends_become_spaces(code: int) -> None:
    expected = "a b" if chr(code) in "\t\n\r" else "ab"
    assert clean_line(f"a{chr(code)}b", 10) == expected


@pytest.mark.parametrize("char", BIDI)
def test_characters_that_change_the_text_direction_disappear(char: str) -> None:
    assert clean_line(f"a{char}b", 10) == "ab"


@pytest.mark.parametrize("char", INVISIBLE)
def test_invisible_characters_disappear(char: str) -> None:
    assert clean_line(f"a{char}b", 10) == "ab"
    assert clean_line(char * 5, 10) == ""


@pytest.mark.parametrize("char", BLANKS)
def test_unusual_spaces_become_one_plain_space(char: str) -> None:
    assert clean_line(f"a{char}{char} b", 10) == "a b"
    assert clean_line(char * 20, 10) == ""


@pytest.mark.parametrize("char", ["\ud800", "\ue000", "\U000f0000", "\U0010ffff", "\ufdd0"])
def test_unassigned_characters_disappear(char: str) -> None:
    assert clean_line(f"a{char}b", 10) == "ab"


def test_text_is_composed() -> None:
    assert clean_line("e\u0301", 10) == "\u00e9"
    assert clean_line("\u1112\u1161\u11ab", 10) == "\ud55c"


def test_names_may_be_normalised_more_strictly_than_chat() -> None:
    assert clean_line("ＡＢＣ①ﬁ", 10) == "ＡＢＣ①ﬁ"
    assert clean_line("ＡＢＣ①ﬁ", 10, "NFKC") == "ABC1fi"


@pytest.mark.parametrize("limit", [1, 2, 10, 200])
def test_text_is_cut_at_the_limit(limit: int) -> None:
    assert clean_line("x" * limit, limit) == "x" * limit
    assert clean_line("x" * (limit + 1), limit) == "x" * limit
    assert clean_line("好" * 5_000, limit) == "好" * limit


def test_a_cut_text_has_no_trailing_space() -> None:
    assert clean_line("ab cd", 3) == "ab"
    assert clean_line("   ab   cd   ", 200) == "ab cd"


def test_text_that_grows_when_normalised_is_still_cut() -> None:
    assert len(clean_line("\ufdfa" * 50, 10, "NFKC")) <= 10


@pytest.mark.parametrize(
    "text",
    [
        "👍",
        "👨‍👩‍👧‍👦",
        "🏳️‍🌈",
        "👩🏽‍🚀",
        "❤️‍🔥 ok",
        "🇹🇼",
        "好棋 👏🏻!",
    ],
)
def test_emoji_survive_with_their_joiners(text: str) -> None:
    assert clean_line(text, 200) == text
    assert clean_line(f"a {text} b", 200) == f"a {text} b"


@pytest.mark.parametrize("text", ["🤷‍♀️", "❤️", "ok 🧔‍♂️", "👁️‍🗨️"])
def test_emoji_survive_at_the_end_of_a_line(text: str) -> None:
    # Each of these ends in a variation selector, which shows it as an emoji instead of a letter.
    assert clean_line(text, 200) == text


def test_joiners_without_neighbours_disappear() -> None:
    assert clean_line("\u200d", 10) == ""
    assert clean_line("\u200d\u200d a \u200d", 10) == "a"
    assert clean_line("\ufe0f", 10) == ""


@given(st.text(), st.integers(1, 40))
def test_clean_text_is_one_line_of_limited_length_without_hidden_characters(text: str, limit: int) -> None:
    for cleaned in (clean_line(text, limit), clean_line(text, limit, "NFKC")):
        assert len(cleaned) <= limit
        assert cleaned == cleaned.strip()
        assert "  " not in cleaned
        for char in cleaned:
            assert char in " \u200d" or unicodedata.category(char)[0] not in "CZ"


@given(
    st.text("ae\u0301\u0308\u200b\u200d\u00ad\ufe0f \u3000ＡＢ\u1100\u1161", max_size=12), st.integers(1, 8)
)
def test_clean_text_is_normalised_and_stays_the_same(text: str, limit: int) -> None:
    cleaned = clean_line(text, limit)
    assert unicodedata.is_normalized("NFC", cleaned)
    assert clean_line(cleaned, limit) == cleaned
    strict = clean_line(text, limit, "NFKC")
    assert unicodedata.is_normalized("NFKC", strict)
    assert clean_line(strict, limit, "NFKC") == strict


@pytest.mark.parametrize(
    "name",
    [
        "系統",
        "系 統",
        " 系統 ",
        "系\u200b統",
        "系\u200d統",
        "系・統",
        "系.統",
        "系\u3000統",
        "系_統",
        "[系統]",
        "系統\u0301",
        "系-統\u202e",
    ],
)
def test_a_reserved_name_is_recognised_in_any_spelling(name: str) -> None:
    assert skeleton(name) == skeleton("系統")


@pytest.mark.parametrize(
    "name", ["System", "SYSTEM", "ＳＹＳＴＥＭ", "s y s t e m", "𝓢𝔂𝓼𝓽𝓮𝓶", "s.y-s_t e·m", "Ⓢystem"]
)
def test_case_width_and_letter_style_do_not_make_a_different_name(name: str) -> None:
    assert skeleton(name) == "system"


@pytest.mark.parametrize("name", ["系統員", "系", "統系", "systems", "Ann", "系統2"])
def test_a_different_name_has_a_different_skeleton(name: str) -> None:
    assert skeleton(name) not in (skeleton("系統"), "system")


def test_a_name_without_letters_or_digits_has_no_skeleton() -> None:
    assert skeleton("😀 !?.") == ""
    assert skeleton("") == ""


@pytest.mark.parametrize("blank", "\u034f\u115f\u1160\u2800\u3164\uffa0")
def test_invisible_letters_are_removed(blank: str) -> None:
    assert clean_line(blank * 3, 20, "NFKC") == ""
    assert clean_line(f"a{blank}b", 20) == "ab"
    assert skeleton(f"系{blank}統") == "系統"
