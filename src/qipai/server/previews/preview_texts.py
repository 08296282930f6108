"""Texts of previews in three languages."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from qipai.kernel.clock import ClockPlan
from qipai.kernel.game_interface.game_preview import LANGUAGES

SITE: Final = "Qipai 棋牌"
_MOST_RANGES: Final = 16
"""Language ranges of a header that are read."""
_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})


class Texts(NamedTuple):
    """Texts of one language; `{game}` is the name of the game within a sentence."""

    locale: str
    """For `og:locale`."""
    site: str
    invitation: str
    invitation_to: str
    """The same in the picture, above the name of the game."""
    nameless: str
    nameless_to: str
    open_link: str
    play: str
    live: str
    live_text: str
    watch: str
    finished: str
    won: str
    won_against: str
    drawn: str
    ended_early: str
    replay: str
    replay_text: str
    moves: str
    one_move: str
    computer: str
    per_move: str
    between: str
    """Between two details."""
    names_between: str
    stop: str
    """After a list of details, before a sentence."""
    name_in_sentence: Callable[[str], str]


TEXTS: Final[Mapping[str, Texts]] = MappingProxyType({
    "en": Texts(
        locale="en_US",
        site="Play board games and mahjong live with friends.",
        invitation="{name} invites you to {game}",
        invitation_to="{name} invites you to",
        nameless="You are invited to {game}",
        nameless_to="You are invited to",
        open_link="Open the link to play.",
        play="Play",
        live="{names}: {game}",
        live_text="Open the link to watch the game.",
        watch="Watch",
        finished="Finished game",
        won="{winner} won",
        won_against="{winner} won against {others}",
        drawn="No winner: {names}",
        ended_early="Ended early: {names}",
        replay="Replay",
        replay_text="Open the link to replay the game.",
        moves="{} moves",
        one_move="1 move",
        computer="Computer",
        per_move="{} s a move",
        between=" · ",
        names_between=", ",
        stop=". ",
        name_in_sentence=str.lower,
    ),
    "zh-hant": Texts(
        locale="zh_TW",
        site="和朋友即時對弈、打麻將。",
        invitation="{name} 邀你玩{game}",
        invitation_to="{name} 邀你玩",
        nameless="邀你玩{game}",
        nameless_to="邀你玩",
        open_link="開啟連結即可對局。",
        play="開始對局",
        live="{names}：{game}",
        live_text="開啟連結即可觀戰。",
        watch="觀戰",
        finished="已結束的對局",
        won="{winner} 獲勝",
        won_against="{winner} 勝 {others}",
        drawn="沒有勝者：{names}",
        ended_early="提前結束：{names}",
        replay="回放",
        replay_text="開啟連結即可回放。",
        moves="{} 步",
        one_move="1 步",
        computer="電腦",
        per_move="每手 {} 秒",
        between=" · ",
        names_between="、",
        stop="。",
        name_in_sentence=str,
    ),
    "zh-hans": Texts(
        locale="zh_CN",
        site="和朋友实时对弈、打麻将。",
        invitation="{name} 邀请你玩{game}",
        invitation_to="{name} 邀请你玩",
        nameless="邀请你玩{game}",
        nameless_to="邀请你玩",
        open_link="打开链接即可对局。",
        play="开始对局",
        live="{names}：{game}",
        live_text="打开链接即可观战。",
        watch="观战",
        finished="已结束的对局",
        won="{winner} 获胜",
        won_against="{winner} 胜 {others}",
        drawn="没有胜者：{names}",
        ended_early="提前结束：{names}",
        replay="回放",
        replay_text="打开链接即可回放。",
        moves="{} 步",
        one_move="1 步",
        computer="电脑",
        per_move="每手 {} 秒",
        between=" · ",
        names_between="、",
        stop="。",
        name_in_sentence=str,
    ),
})  # fmt: skip


def language_of(accepted: str) -> str:
    """Return the language of previews that an Accept-Language header prefers; English if none."""
    ranked: list[tuple[float, str]] = []
    for part in accepted.lower().split(",")[:_MOST_RANGES]:
        tag, _, weight = part.partition(";")
        try:
            ranked.append((-float(weight.partition("=")[2] or 1), tag.strip()))
        except ValueError:
            continue
    for _, tag in sorted(ranked, key=lambda pair: pair[0]):
        language, *rest = tag.split("-")
        if language == "en":
            return "en"
        if language in {"zh", "yue"}:
            traditional = language == "yue" or not _TRADITIONAL.isdisjoint(rest)
            return "zh-hant" if traditional and "hans" not in rest else "zh-hans"
    return LANGUAGES[0]


def clock_text(plan: ClockPlan, texts: Texts) -> str:
    """Return a clock plan in short, such as `5+3`; empty without a limit."""
    budgets = [f"{main / 60_000:g}+{plan.increment / 1000:g}" for main in plan.main if main]
    if budgets:
        return " / ".join(budgets)
    return texts.per_move.format(f"{plan.move / 1000:g}") if plan.move else ""


def joined(details: Sequence[str], texts: Texts) -> str:
    """Return the details that are not empty as one text."""
    return texts.between.join(filter(None, details))
