"""`qipai ratings rebuild`: computes all ratings again from the archived matches."""

from contextlib import closing

from qipai.app import open_archive
from qipai.cli.journal_reader import CommandError
from qipai.hall.history.rating_rebuild import rebuild
from qipai.hall.journal.store_interface import StoreError
from qipai.settings import Settings


def rebuild_ratings(settings: Settings) -> int:
    """Replace all ratings and print what differed, also while the server runs; return 1 if anything did."""
    archive = open_archive(settings)
    if archive is None:
        raise CommandError("a store in memory has no ratings")
    try:
        with closing(archive):
            archive.check()
            entries, differed = rebuild(archive)
    except StoreError as error:
        raise CommandError(f"no rating was changed: {error}") from error
    for line in differed:
        print(line)
    print(f"{entries} entries of the sequence replayed, {len(differed)} differences corrected")
    return 1 if differed else 0
