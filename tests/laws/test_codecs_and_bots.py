"""Values of games survive the wire and the disk; bots choose legal moves."""

import pytest

from qipai.testing import Law, Subject, law_cases
from qipai.testing.bot_laws import BOT_LAWS
from qipai.testing.codec_laws import CODEC_LAWS

from .subjects import SUBJECTS


@pytest.mark.parametrize(("law", "subject"), law_cases(*SUBJECTS.values(), laws=(*CODEC_LAWS, *BOT_LAWS)))
def test_codecs_and_bots(law: Law, subject: Subject) -> None:
    law.check(subject)
