"""The laws that every game must obey, as tests for game packages: `pip install 'qipai[testing]'`.

A test of a game calls `law_cases` with a `Subject`. The server does not use this folder.
"""

from .law import Law
from .laws import LAWS, law_cases
from .subject import Subject

__all__ = ["LAWS", "Law", "Subject", "law_cases"]
