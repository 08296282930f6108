"""Random input made from valid messages: odd values, missing fields, damaged bytes."""

import json
import random
from collections import deque
from typing import Any, Final
from urllib.parse import quote

LEARNED: Final = "$learned"
"""In a template: a text that the server has sent before, such as a room id."""
LAST_ID: Final = "$last id"
"""In a template: the id that the server has sent last."""
MAX_LEARNED: Final = 50
ID_KEYS: Final = frozenset({"room", "id", "code", "game_id", "roomId", "ticket", "sid"})
ODD_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, -1, 0, 1, 7, 8, 144, 2**31, 2**53, 2**63, 2**64, -(2**70), 10**400, 0.5, 6.0, 1e308,
    "", "0", "\x00", "\u2028", "\u202e", "\ud800", "房", "😺" * 50, "x" * 3000, "../../etc/passwd",
    "__proto__", "%s%n", "1e999", [], [[]], [None], [1] * 500, {}, {"": {}}, {"a": {"b": {"c": [{}]}}},
)  # fmt: skip


class FuzzInput:
    """Makes the input of one run; the same seed and the same replies give the same input."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._texts: deque[str] = deque(["Ann"], MAX_LEARNED)
        self._ids: deque[str] = deque(["1234"], MAX_LEARNED)

    def learn(self, reply: str | bytes) -> None:
        """Remember the short texts of a JSON reply."""
        text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
        start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
        if start < 0:
            return
        try:
            self._learn("", json.JSONDecoder().raw_decode(text, start)[0], 0)
        except (ValueError, RecursionError):
            return

    def _learn(self, key: str, value: Any, depth: int) -> None:
        if isinstance(value, str) and 0 < len(value) <= 200:
            (self._ids if key in ID_KEYS else self._texts).append(value)
        elif isinstance(value, dict) and depth < 6:
            for name, part in value.items():
                self._learn(name, part, depth + 1)
        elif isinstance(value, list) and depth < 6:
            for part in value:
                self._learn("", part, depth + 1)

    def learned(self) -> str:
        """Return a text that the server has sent: mostly an id, and mostly the last one."""
        if self.random.random() < 0.6:
            return self._ids[-1]
        return self.random.choice(self._ids if self.random.random() < 0.8 else self._texts)

    def odd_value(self) -> Any:
        """Return a value that few clients would send."""
        return self.learned() if self.random.random() < 0.2 else self.random.choice(ODD_VALUES)

    def quoted(self) -> str:
        """Return a text for a URL, a form or a cookie."""
        value = self.learned() if self.random.random() < 0.5 else self.odd_value()
        return quote(str(value).encode("utf-8", "replace"), safe="")

    def filled(self, template: Any) -> Any:
        """Return a valid message of this form."""
        if template == LAST_ID:
            return self._ids[-1]
        if template == LEARNED:
            return self.learned()
        if isinstance(template, range):
            return self.random.choice(template)
        if isinstance(template, dict):
            return {key: self.filled(value) for key, value in template.items()}
        return [self.filled(value) for value in template] if isinstance(template, list) else template

    def changed(self, value: Any, chance: float) -> Any:
        """Return the value with some of its parts replaced, removed or added."""
        if self.random.random() < chance:
            return self.odd_value()
        if isinstance(value, dict):
            parts = {
                key: self.changed(part, chance)
                for key, part in value.items()
                if self.random.random() > chance / 2
            }
            return parts | (
                {str(self.odd_value()): self.odd_value()} if self.random.random() < chance else {}
            )
        return [self.changed(part, chance) for part in value] if isinstance(value, list) else value

    def message(self, template: Any, broken: float = 0.15) -> bytes:
        """Return a message of this form; so many are no JSON, half of the others are changed."""
        if self.random.random() < broken / 2:
            size = self.random.randrange(1, 2000)
            return self.random.randbytes(size) if self.random.random() < 0.7 else b"[" * size
        value = self.filled(template)
        if self.random.random() < 0.5:
            value = self.changed(value, 0.25)
        text = json.dumps(value, ensure_ascii=self.random.random() < 0.5).encode("utf-8", "replace")
        return self.damaged(text) if self.random.random() < broken / 2 else text

    def damaged(self, sent: bytes) -> bytes:
        """Return the bytes with one place cut, repeated or overwritten."""
        if not sent:
            return sent
        start = self.random.randrange(len(sent))
        end = min(len(sent), start + self.random.randrange(1, 20))
        match self.random.randrange(4):
            case 0:
                return sent[:start]
            case 1:
                return sent[:start] + sent[end:]
            case 2:
                return sent[:end] + sent[start:]
            case _:
                return sent[:start] + self.random.randbytes(end - start) + sent[end:]
