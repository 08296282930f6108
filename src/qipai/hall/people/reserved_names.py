"""Names that no person may have: those of the server and its staff in three languages, and those of bots."""

from typing import Final

RESERVED_WORDS: Final = (
    "admin", "admins", "administrator", "sysadmin", "sysop", "superuser", "moderator", "moderators",
    "mod", "mods", "gm", "webmaster", "system", "server", "qipai", "support", "staff", "official",
)  # fmt: skip
"""Reserved also as a word of a longer name."""
RESERVED_PARTS: Final = (
    "管理", "網管", "客服", "系統", "伺服器", "棋牌", "版主", "站長", "官方", "工作人員", "小編", "裁判",
    "网管", "系统", "服务器", "站长", "工作人员", "小编",
)  # fmt: skip
"""Reserved anywhere in a name: Chinese does not separate words."""
RESERVED_NAMES: Final = (
    "operator", "root", "referee", "arbiter", "bot", "computer", "電腦", "機器人", "电脑", "机器人",
    "Deleted player", "已刪除的玩家", "已删除的玩家",
)  # fmt: skip
"""Reserved alone or with a number; in longer names they are ordinary words."""
BOT_NAMES: Final = (
    "Beginner", "Novice", "Regular", "Expert", "Master",
    "新手", "學徒", "同好", "高手", "大師", "学徒", "大师",
    "Hatchling", "Student", "Casual", "Club player", "Challenger", "Veteran", "Champion", "Grandmaster",
    "雛鳥", "學生", "休閒玩家", "社團棋手", "挑戰者", "老將", "冠軍", "特級大師",
    "雏鸟", "学生", "休闲", "棋社棋手", "挑战者", "老将", "冠军", "特级大师",
)  # fmt: skip
"""What the page calls the bots; a test compares them with its texts."""
