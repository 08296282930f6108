"""Transcripts: `who> frame` is sent, `who< frame` must be the next thing heard, in that order.

A frame that is heard must contain what is written; it may contain more, unless the play is `exact`:
then the fields and their order are part of it. A string `$word` stands for
whatever is heard there first and for the same ever after, in frames that are sent too. `who<` alone
means that nothing is heard. `who!` cuts the connection, `who+` opens a new one, `who~` takes the cut one
up again, `who-` says goodbye, `who%` does not care about what was heard so far. `ann_2` is another
connection of `ann`. `+5s` lets time pass. A real clock takes its time: there a transcript ends before the
first wait that is longer than its `patience`, and `leisurely` events, which wait for others of their
kind, are in order among themselves only, and some may come that are not written.
"""

import json
import math
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

TRIES = 300
"""How often somebody listens for what must come; only a real clock makes him wait for it."""
LINE = re.compile(r"(?P<who>\w+)(?P<what>[><!+~%-])\s*(?P<rest>.*)")


class Line(NamedTuple):
    number: int
    who: str
    what: str
    rest: str


class Actor(Protocol):
    """Somebody in a transcript."""

    def send(self, frame: str) -> None: ...

    def hear(self) -> Any | None:
        """Return the next message, or None if there is none."""

    def cut(self) -> None: ...

    def back(self) -> None: ...

    def leave(self) -> None: ...


class Theatre(Protocol):
    """Where a transcript is played."""

    def enter(self, who: str) -> Actor: ...

    def wait(self, seconds: float) -> None: ...


def read(path: Path) -> list[Line]:
    lines = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("+"):
            lines.append(Line(number, "", "wait", text[1:].removesuffix("s")))
            continue
        parts = LINE.fullmatch(text)
        assert parts is not None, f"{path.name}:{number}: {text}"
        lines.append(Line(number, parts["who"], parts["what"], parts["rest"]))
    return lines


class Ear:
    """What somebody hears, and apart from it what is leisurely."""

    def __init__(self, actor: Actor, leisurely: frozenset[str]) -> None:
        self._actor = actor
        self._leisurely = leisurely
        self._late: deque[Any] = deque()
        self._kept: deque[Any] = deque()

    def wait(self) -> Any | None:
        """Return the next message that is not leisurely, which may take its time where the clock is real."""
        for _ in range(TRIES):
            if (heard := self.hear()) is not None:
                return heard
        return None

    def hear(self) -> Any | None:
        """Return the next message that is not leisurely."""
        if self._kept:
            return self._kept.popleft()
        heard = self._actor.hear()
        while self._leisurely and heard is not None and heard[0] in self._leisurely:
            self._late.append(heard)
            heard = self._actor.hear()
        return heard

    def late(self) -> Iterator[Any]:
        """Yield every leisurely message that has come."""
        kept = [*self._kept]
        self._kept.clear()
        while (heard := self.hear()) is not None:
            kept.append(heard)
        self._kept.extend(kept)
        while self._late:
            yield self._late.popleft()


def play(
    path: Path,
    theatre: Theatre,
    *,
    exact: bool = False,
    leisurely: frozenset[str] = frozenset(),
    patience: float = math.inf,
) -> bool:
    """Play a transcript; tell whether it was played to its end."""
    words: dict[str, Any] = {}
    actors: dict[str, Actor] = {}
    ears: dict[str, Ear] = {}
    whole = True
    for line in read(path):
        where = f"{path.name}:{line.number}"
        if line.what == "wait":
            if float(line.rest) > patience:
                whole = False
                break
            theatre.wait(float(line.rest))
            continue
        if line.what == "+" or line.who not in actors:
            actors[line.who] = theatre.enter(line.who)
            ears[line.who] = Ear(actors[line.who], leisurely)
        actor, ear = actors[line.who], ears[line.who]
        match line.what:
            case ">":
                actor.send(fill(line.rest, words))
            case "<" if not line.rest:
                heard = ear.hear()
                assert heard is None, f"{where}: heard {heard}"
            case "<":
                wanted = json.loads(line.rest)
                if leisurely and wanted[0] in leisurely:
                    problem = _await(wanted, ear, theatre, words)
                    assert problem is None, f"{where}: {problem}"
                    continue
                heard = ear.wait()
                assert heard is not None, f"{where}: heard nothing"
                problem = differs(wanted, heard, words, "$", exact=exact)
                assert problem is None, f"{where}: {problem}\nheard {json.dumps(heard, ensure_ascii=False)}"
            case "!":
                actor.cut()
            case "~":
                actor.back()
            case "-":
                actor.leave()
            case "%":
                while ear.hear() is not None:
                    pass
    for who, ear in ears.items():
        heard = ear.hear()
        assert heard is None, f"{path.name}: {who} also heard {heard}"
    return whole


def _await(wanted: Any, ear: Ear, theatre: Theatre, words: dict[str, Any]) -> str | None:
    """Hear leisurely messages until one is what is wanted, with a little patience."""
    problem: str | None = "heard nothing"
    for _ in range(TRIES):
        for heard in ear.late():
            known = dict(words)
            problem = differs(wanted, heard, known, "$", exact=False)
            if problem is None:
                words |= known
                return None
        theatre.wait(0.1)
    return problem


def fill(frame: str, words: dict[str, Any]) -> str:
    return re.sub(r'"\$(\w+)"', lambda word: json.dumps(words[word[1]]), frame)


def differs(wanted: Any, heard: Any, words: dict[str, Any], path: str, *, exact: bool) -> str | None:
    if isinstance(wanted, str) and wanted.startswith("$"):
        known = words.setdefault(wanted[1:], heard)
        return None if known == heard else f"{path}: {wanted} is {known!r}, not {heard!r}"
    if isinstance(wanted, dict) and isinstance(heard, dict):
        if exact and list(wanted) != list(heard):
            return f"{path}: wanted {list(wanted)}, heard {list(heard)}"
        for key, value in wanted.items():
            if key not in heard:
                return f"{path}.{key} is missing"
            if (problem := differs(value, heard[key], words, f"{path}.{key}", exact=exact)) is not None:
                return problem
        return None
    if isinstance(wanted, list) and isinstance(heard, list) and len(wanted) == len(heard):
        pairs = enumerate(zip(wanted, heard, strict=True))
        problems = (differs(a, b, words, f"{path}[{i}]", exact=exact) for i, (a, b) in pairs)
        return next((problem for problem in problems if problem is not None), None)
    same = type(wanted) is type(heard) and wanted == heard
    return None if same else f"{path}: wanted {wanted!r}, heard {heard!r}"
