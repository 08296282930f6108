"""All laws, and their test cases for some games."""

from collections.abc import Iterable
from typing import Any, Final

import pytest

from .bot_laws import BOT_LAWS
from .codec_laws import CODEC_LAWS
from .journal_laws import JOURNAL_LAWS
from .law import Law
from .randomness_laws import RANDOMNESS_LAWS
from .secrecy_laws import SECRECY_LAWS
from .step_laws import STEP_LAWS
from .subject import Subject
from .time_laws import TIME_LAWS

LAWS: Final[tuple[Law, ...]] = (
    *STEP_LAWS,
    *SECRECY_LAWS,
    *RANDOMNESS_LAWS,
    *TIME_LAWS,
    *JOURNAL_LAWS,
    *CODEC_LAWS,
    *BOT_LAWS,
)


def law_cases(*subjects: Subject, laws: Iterable[Law] = LAWS) -> list[Any]:
    """Return parameters `law` and `subject` for `pytest.mark.parametrize`: every law that applies."""
    return [
        pytest.param(law, subject, id=f"{subject.name}: {law.name}")
        for law in laws
        for subject in subjects
        if law.applies(subject)
    ]
