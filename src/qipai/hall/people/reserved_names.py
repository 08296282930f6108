"""Names that no person may have: those of the server and its staff in three languages, and those of bots."""

from typing import Final

AUTHORITY_NAMES: Final = (
    "admin", "administrator", "moderator", "管理員", "管理员", "客服",
)  # fmt: skip
"""Reserved also as a word of a longer name; Chinese ones anywhere in a name."""
SERVER_NAMES: Final = (
    "system", "server", "qipai", "operator", "support", "staff", "official", "webmaster", "root", "referee",
    "arbiter", "bot", "computer",
    "系統", "伺服器", "棋牌", "版主", "站長", "官方", "工作人員", "小編", "裁判", "電腦", "機器人",
    "系统", "服务器", "站长", "工作人员", "小编", "电脑", "机器人",
)  # fmt: skip
SYSTEM_PREFIXES: Final = ("系統提示", "系统提示")
"""Prefixes of system lines in a chat, which no name may contain."""
BOT_NAMES: Final = (
    "Beginner", "Novice", "Regular", "Expert", "Master",
    "新手", "學徒", "同好", "高手", "大師", "学徒", "大师",
    "Hatchling", "Student", "Casual", "Club player", "Challenger", "Veteran", "Champion", "Grandmaster",
    "雛鳥", "學生", "休閒玩家", "社團棋手", "挑戰者", "老將", "冠軍", "特級大師",
    "雏鸟", "学生", "休闲", "棋社棋手", "挑战者", "老将", "冠军", "特级大师",
)  # fmt: skip
"""What the page calls the bots; a test compares them with its texts."""
