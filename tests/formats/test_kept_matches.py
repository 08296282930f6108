"""An archived match of every format is read and shows what it showed then."""

from pathlib import Path

import pytest

from qipai.cli.verify_archived import verify_match
from qipai.hall.history.archived_match import pack, unpack

from .kept_files import file_name, files_of, folders_of
from .kept_matches import GAMES_KEPT, digest, read


def test_a_match_of_every_game_is_kept() -> None:
    for folder in folders_of("match"):
        assert {path.name for path in folder.iterdir()} >= {f"{name}.json" for name in GAMES_KEPT}


@pytest.mark.parametrize("path", files_of("match", "*.json"), ids=file_name)
def test_an_archived_match_of_every_format_is_read_and_shows_the_same(path: Path) -> None:
    kept = read(path)
    match = kept.unpacked()
    assert match.viewpoints == tuple(kept.digests)
    for viewpoint, seen in kept.digests.items():
        assert digest(match, viewpoint) == seen
    assert match.record == kept.record
    assert verify_match(match)
    assert unpack(pack(match).body) == match
