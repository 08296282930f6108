"""`qipai backup` and `qipai restore`: copy the journal and the archive, and check every table of the copy."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from qipai.hall.journal.store_interface import StoreError
from qipai.settings import Settings, is_shared
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.archives.sqlite_archive import SqliteArchive
from qipai.stores.sqlite_backup import copy_file, copy_journal
from qipai.stores.sqlite_files import RESTORING, replace_file, unfinished
from qipai.stores.sqlite_opening import is_empty
from qipai.stores.sqlite_store import lock_file
from qipai.stores.store_registry import JOURNAL_FILE

from .deep_check import check_archive, check_journal, check_ratings
from .journal_reader import CommandError


def backup(settings: Settings, target: Path) -> int:
    """Copy the journal and the archive into new files; return 1 if a table in the copy is damaged."""
    _refuse_other_stores(settings, "backup")
    source, archive, archive_target = _files(settings, target)
    for file in (target, archive_target):
        if file.exists():
            raise CommandError(f"{file} exists already")
    if not source.is_file():
        raise CommandError(f"no journal at {source}")
    try:
        copy_journal(source, target)
    except StoreError as error:
        raise CommandError(str(error)) from error
    faults = list(check_journal(target))
    print(f"{target}: {target.stat().st_size} bytes")
    if archive.is_file():
        try:
            copy_file(archive, archive_target)
            archive_faults = list(_archive_faults(archive_target))
            faults += archive_faults
            if not archive_faults:
                _warn_of_ratings(archive_target)
            print(f"{archive_target}: {archive_target.stat().st_size} bytes")
        except StoreError as error:
            faults.append(f"no copy of the archive: {error}")
    return _report(faults)


def restore(settings: Settings, source: Path) -> int:
    """Check a backup and put it in the place of the journal, and its archive in the place of the archive."""
    _refuse_other_stores(settings, "restore")
    journal, archive, archive_source = _files(settings, source)
    if not source.is_file() or is_empty(source):
        raise CommandError(f"{source} is no backup")
    journal.parent.mkdir(parents=True, exist_ok=True)
    pairs = [(source, journal)]
    if archive_source.is_file():
        pairs.append((archive_source, archive))
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    try:
        with closing(lock_file(journal)):
            new = [unfinished(file, RESTORING) for _, file in pairs]
            if faults := _copy_and_check(pairs, new, source):
                faults.append(f"nothing was changed; to serve its sound tables, copy it to {journal}")
                return _report(faults)
            for copy in new[1:]:
                _warn_of_ratings(copy)
            for (backup_file, file), copy in zip(pairs, new, strict=True):
                existed = file.exists()
                aside = replace_file(file, copy, "before-restore", stamp)
                if existed:
                    print(f"{file} is now {aside}")
                print(f"{backup_file} is now {file}")
    except StoreError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    return 0


def _copy_and_check(pairs: Sequence[tuple[Path, Path]], new: Sequence[Path], source: Path) -> list[str]:
    """Copy a backup beside the files that it replaces, and return what is damaged; then no copy is left."""
    faults = ["the copy was not finished"]
    try:
        for (backup_file, _), copy in zip(pairs, new, strict=True):
            copy.unlink(missing_ok=True)
            copy_file(backup_file, copy)
        faults = [fault.replace(str(new[0]), str(source)) for fault in check_journal(new[0])]
        faults += [fault for copy in new[1:] for fault in _archive_faults(copy)]
    finally:
        if faults:
            for copy in new:
                copy.unlink(missing_ok=True)
    return faults


def _files(settings: Settings, copy: Path) -> tuple[Path, Path, Path]:
    """Return the journal, the archive, and the name of the copy of the archive."""
    folder = Path(settings.data)
    return folder / JOURNAL_FILE, folder / ARCHIVE_FILE, copy.with_name(f"{copy.stem}-archive{copy.suffix}")


def _refuse_other_stores(settings: Settings, command: str) -> None:
    if settings.store != "sqlite":
        raise CommandError(
            f"`qipai {command}` is for a SQLite journal. With Redis, copy the files of Redis "
            "(`redis-cli BGSAVE`), or stop all workers and run `qipai export FILE`"
            if is_shared(settings)
            else f"a store in {settings.store} has no file to copy"
        )


def _archive_faults(file: Path) -> Iterator[str]:
    try:
        with closing(SqliteArchive(file, update_schema=False)) as archive:
            yield from check_archive(archive)
    except StoreError as error:
        yield str(error)


def _warn_of_ratings(file: Path) -> None:
    """Print a line if ratings in a sound archive are wrong, which no copy has to be refused for."""
    with closing(SqliteArchive(file, update_schema=False)) as archive:
        if wrong := len(list(check_ratings(archive))):
            print(
                f"qipai: warning: ratings in the archive are wrong ({wrong} differences from its matches): "
                "type `qipai ratings rebuild`",
                file=sys.stderr,
            )


def _report(faults: list[str]) -> int:
    for fault in faults:
        print(f"qipai: {fault}", file=sys.stderr)
    return 1 if faults else 0
