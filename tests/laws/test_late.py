"""Late: time is settled at the deadline, once, and no seat plays after its time."""

import pytest

from qipai.testing import Law, Subject, law_cases
from qipai.testing.time_laws import TIME_LAWS

from .subjects import SUBJECTS


@pytest.mark.parametrize(("law", "subject"), law_cases(*SUBJECTS.values(), laws=TIME_LAWS))
def test_time(law: Law, subject: Subject) -> None:
    law.check(subject)
